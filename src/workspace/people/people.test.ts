// The members of an organization, viewed and changed in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger, anOrganization } from '../../../test/factories.ts'
import { inviting } from '../../../test/invites.ts'
import { expect } from '../../../test/visitor.ts'
import { type Page, Person, tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()
const { roleOf, invite, countRows } = inviting(app)
const nothing = (await new Person(app).get('/app/x')).text

async function aHouse() {
  const org = await anOrganization(app)
  const home = `/app/o/${org.id}`
  const path = `${home}/people`
  const admin = await signedIn(app, org.admin)
  const at = (userId: string, action: string) => `${path}/${userId}/${action}`
  const change = async (userId: string, action: string, fields: Record<string, string> = {}) =>
    admin.submit(await admin.get(`${path}/${userId}`), at(userId, action), fields)
  const call = (userId: string, name: string) =>
    app.db.run(sql`update users set display_name = ${name} where id = ${userId}`)
  return { org, home, path, admin, at, change, call }
}

const namesIn = ({ text }: Page) => [...text.matchAll(/<strong>([^<]+)<\/strong>/g)].map(([, name]) => name!)
const nextIn = ({ text }: Page) => /href="([^"]+)">Next</.exec(text)?.[1]?.replaceAll('&amp;', '&')

test('members see the member list by name, with address, role, last visit and status', async () => {
  const { org, path, call } = await aHouse()
  const reader = await org.member('read')
  const [off, sso] = [await org.member('edit'), await org.member('review', { sso: true })]
  for (const [who, name] of [[org.admin, 'Bea'], [reader, 'ada <b>'], [off, 'Cy'], [sso, 'Dee']] as const) await call(who.id, name) // prettier-ignore
  await app.db.run(sql`update members set disabled = true, last_seen_at = '2026-03-04' where user_id = ${off.id}`)
  const page = await (await signedIn(app, reader)).get(path)
  assert.deepEqual(namesIn(page), ['ada &lt;b&gt;', 'Bea', 'Cy', 'Dee'])
  const rows = page.text.split('<li>')
  const rowOf = (name: string) => rows.find((row) => row.includes(`<strong>${name}`))!
  assert.ok(rowOf('Cy').includes(off.user.email))
  assert.match(rowOf('Cy'), /last seen[^]*4 Mar 2026[^]*>suspended<[^]*>edit</)
  assert.match(rowOf('Dee'), /never seen[^]*>single sign-on<[^]*>review</)
  assert.match(rowOf('Bea'), />admin</)
  assert.doesNotMatch(rowOf('Bea'), /switched off|single sign-on/)
})

test('members can be searched by part of their name or address and by role, and the pages of a long list omit nobody', async () => {
  const { org, path, admin, call } = await aHouse()
  await call(org.admin.id, 'Zoe')
  const people = await Promise.all(Array.from({ length: 54 }, (_, at) => org.member(at % 6 === 0 ? null : 'edit')))
  for (const [at, { id }] of people.entries()) await call(id, `Person ${String(at).padStart(2, '0')}`)
  const first = await admin.get(path)
  assert.match(first.text, /\b55 people\b/)
  assert.equal(namesIn(first).length, 50)
  const rest = await admin.get(nextIn(first)!)
  assert.deepEqual(namesIn(rest), ['Person 50', 'Person 51', 'Person 52', 'Person 53', 'Zoe'])
  assert.equal(nextIn(rest), undefined)
  assert.ok(rest.text.includes(`href="${path}">First page<`))
  assert.equal(new Set([...namesIn(first), ...namesIn(rest)]).size, 55)

  assert.deepEqual(namesIn(await admin.get(`${path}?search=SON+07`)), ['Person 07'])
  assert.deepEqual(namesIn(await admin.get(`${path}?search=${people[3]!.user.email.slice(5)}`)), ['Person 03'])
  const guests = await admin.get(`${path}?role=guest&search=person`)
  assert.equal(namesIn(guests).length, 9)
  assert.match(guests.text, /\b9 found\b[^]*value="person"[^]*<option value="guest"\s+selected/)
  assert.match((await admin.get(`${path}?search=%25`)).text, /Nobody matches this name or role/)
  const token = new URL(nextIn(first)!, app.url).searchParams.get('page')!
  for (const odd of ['page=x', `role=edit&page=${token}`, 'page=1&page=2', 'role=x', 'search=a&search=b'])
    assert.equal((await admin.get(`${path}?${odd}`)).status, 200, odd)
  assert.equal(namesIn(await admin.get(`${path}?search=person+07&page=${token}`)).length, 1)
})

test('a changed role takes effect at once, and a role changed by someone else meanwhile is not overwritten', async () => {
  const { org, home, path, admin, at, change } = await aHouse()
  const member = await org.member('read')
  const person = await signedIn(app, member)
  assert.doesNotMatch((await person.get(home)).text, /New space/)
  const old = await admin.get(`${path}/${member.id}`)
  assert.match(old.text, /<dt>review<\/dt>\s*<dd>can review and merge change requests/)
  const changed = await admin.follow(await change(member.id, 'role', { role: 'create' }))
  assert.match(changed.text, /Role changed\.[^]*<option value="create"\s+selected/)
  assert.match((await person.get(home)).text, /New space/)

  const late = await admin.submit(old, at(member.id, 'role'), { role: 'edit' })
  assert.equal(late.status, 409)
  assert.match(
    late.text,
    /role="alert">Somebody else has changed the role in the meantime[^]*<option value="edit"\s+selected/,
  )
  assert.equal((await admin.submit(old, at(member.id, 'role'), { role: 'create' })).status, 303)
  for (const role of ['', 'owner', 'constructor'])
    assert.match((await change(member.id, 'role', { role })).text, /role="alert">Choose one of the roles/)
  assert.equal(await roleOf(org, member.id), 'create')
  await change(member.id, 'role', { role: 'guest' })
  assert.equal(await roleOf(org, member.id), null)
  assert.equal((await person.get(path)).text, nothing)
})

test('a suspended member can open nothing until they are reactivated, with the same rights as before', async () => {
  const { org, home, path, admin, change } = await aHouse()
  const member = await org.member('create')
  const person = await signedIn(app, member)
  const off = await admin.follow(await change(member.id, 'access'))
  assert.match(off.text, />suspended<[^]*Suspended: they cannot[^]*Reactivate/)
  for (const each of [home, path]) assert.equal((await person.get(each)).text, nothing)
  assert.match((await admin.get(path)).text, />suspended</)
  const on = await admin.follow(await change(member.id, 'access'))
  assert.match(on.text, /Access restored/)
  assert.match((await person.get(home)).text, /New space/)
  assert.equal((await change(member.id, 'access', { to: 'x' })).status, 409)
})

test('a removed member loses access and open invites at once, and what they wrote stays', async () => {
  const { org, home, path, admin, at, change } = await aHouse()
  const member = await org.member('create')
  const person = await signedIn(app, member)
  const made = await person.submit(await person.get(home), `${home}/spaces`, { title: 'Tea' })
  // An invite that grants a role is useful to a guest, so a guest can have an open one.
  await app.db.run(sql`update members set role = null where user_id = ${member.id}`)
  expect(await invite(org, { emails: [member.user.email], role: 'edit' }, [member]), 200)
  const page = await admin.get(`${path}/${member.id}`)
  assert.match(page.text, /What they wrote stays/)
  const [one, two] = await Promise.all([1, 2].map(() => admin.submit(page, at(member.id, 'remove'))))
  assert.deepEqual([one!.status, two!.status], [303, 303])
  const left = await admin.follow(one!)
  assert.match(left.text, /Member removed/)
  assert.ok(!left.text.includes(member.user.email))
  assert.equal((await person.get(home)).text, nothing)
  assert.equal(await roleOf(org, member.id), undefined)
  assert.match((await admin.get(made.location!)).text, /<h1>Tea<\/h1>/)
  assert.equal(await countRows(sql`select count(*) from invites where organization_id = ${org.id}`), 0)
  assert.equal((await admin.get(`${path}/${member.id}`)).text, nothing)
  assert.equal((await change(org.admin.id, 'remove')).status, 409)
})

test('the last administrator cannot be demoted, removed or suspended, and the page says to appoint another one first', async () => {
  const { org, admin, at, change } = await aHouse()
  const sentence = /role="alert">This is the last administrator\. Make somebody else an administrator first\./
  const refused = await change(org.admin.id, 'role', { role: 'edit' })
  assert.equal(refused.status, 409)
  assert.match(refused.text, sentence)
  assert.match(refused.text, /<option value="edit"\s+selected/)
  assert.match((await change(org.admin.id, 'remove')).text, sentence)
  const off = await admin.post(at(org.admin.id, 'access'), { ...tokenIn(refused), to: 'off' })
  assert.match(off.text, sentence)
  assert.equal(await roleOf(org, org.admin.id), 'admin')
  const second = await org.member('edit')
  await change(second.id, 'role', { role: 'admin' })
  assert.equal((await change(org.admin.id, 'role', { role: 'edit' })).status, 303)
})

test('members and guests can leave an organization, and see no other form about themselves', async () => {
  const { org, home, path } = await aHouse()
  for (const role of [null, 'read'] as const) {
    const someone = await org.member(role)
    const person = await signedIn(app, someone)
    const page = await person.get(`${path}/${someone.id}`)
    assert.match(page.text, /Leave this organization/)
    assert.doesNotMatch(page.text, /name="role"|Suspend/)
    const answer = await person.submit(page, `${path}/${someone.id}/remove`)
    assert.match((await person.follow(answer)).text, /You have left the organization/)
    assert.equal(await roleOf(org, someone.id), undefined)
    assert.equal((await person.get(home)).text, nothing)
  }
})

test('only administrators can change members, guests and strangers do not see them, and forged forms are refused', async () => {
  const { org, home, path, admin, at } = await aHouse()
  const member = await org.member('edit')
  const members = () => app.db.all(sql`select user_id, role, disabled from members where organization_id = ${org.id} order by 1`) // prettier-ignore
  const creator = await org.member('create')
  const guest = await org.member(null)
  const before = await members()
  const actions = ['role', 'access', 'remove'].map((action) => at(member.id, action))
  const fields = { role: 'admin', seen: 'edit', to: 'off' }

  const maker = await signedIn(app, creator)
  const list = await maker.get(path)
  assert.doesNotMatch(list.text, /<form method="post"|Invite people/)
  assert.ok(!list.text.includes(`href="${path}/${member.id}"`))
  assert.equal((await maker.get(`${path}/${member.id}`)).location, path)
  const visitor = await signedIn(app, guest)
  const stranger = await signedIn(app, await aStranger(app))
  assert.doesNotMatch((await visitor.get(home)).text, /\/people"|\/teams"/)
  for (const each of [path, `${path}/${member.id}`, `${path}/${newId()}`]) {
    for (const person of [visitor, stranger]) assert.equal((await person.get(each)).text, nothing, each)
    assert.match((await new Person(app).get(each)).location!, /^\/login/)
  }
  for (const action of actions) {
    const refused = await maker.post(action, { ...tokenIn(await maker.get(home)), ...fields })
    assert.deepEqual([refused.status, /role="alert">You may not administer/.test(refused.text)], [403, true], action)
    assert.doesNotMatch(refused.text, /Remove from this organization/, action)
    const account = tokenIn(await visitor.get('/account'))
    assert.equal((await visitor.post(action, { ...account, ...fields })).text, nothing, action)
    assert.equal((await stranger.post(action, { ...tokenIn(await stranger.get('/account')), ...fields })).text, nothing)
    const own = tokenIn(await admin.get(`${path}/${member.id}`))
    assert.equal((await admin.post(action, { ...own, ...fields }, { origin: 'https://evil.example' })).status, 403)
    assert.equal((await admin.post(action, { form: 'x.x', ...fields })).status, 403)
    assert.match((await new Person(app).post(action, { ...own, ...fields })).location!, /^\/login/)
  }
  // A member of another organization is not a member of this one, whoever asks.
  const elsewhere = await aStranger(app)
  const { form } = tokenIn(await admin.get(`${path}/${member.id}`))
  assert.equal((await admin.post(at(elsewhere.id, 'role'), { form, role: 'read', seen: 'admin' })).text, nothing)
  assert.equal((await admin.post(at(elsewhere.id, 'remove'), { form })).status, 303)
  expect(await elsewhere.client.get('/v1/user'), 200)
  assert.equal(await countRows(sql`select count(*) from members where user_id = ${elsewhere.id}`), 1)
  assert.deepEqual(await members(), before)
})
