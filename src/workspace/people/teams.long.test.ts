// The teams of an organization and their members, in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger, anOrganization } from '../../../test/factories.ts'
import { expect } from '../../../test/visitor.ts'
import { Person, tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()
const nothing = (await new Person(app).get('/app/x')).text

async function aHouse() {
  const org = await anOrganization(app)
  const home = `/app/o/${org.id}`
  const path = `${home}/teams`
  const admin = await signedIn(app, org.admin)
  const make = async (title: string) => admin.submit(await admin.get(path), path, { title })
  const teams = async () =>
    expect(await org.admin.client.get(`/v1/orgs/${org.id}/teams`), 200).items as { id: string; title: string; members: number }[] // prettier-ignore
  const membersOf = async (team: string) => {
    const { items } = expect(await org.admin.client.get(`/v1/orgs/${org.id}/teams/${team.split('/').at(-1)}/members`), 200) // prettier-ignore
    return new Map(items.map((each: any) => [each.organization.id, each.team.role]))
  }
  return { org, home, path, admin, make, teams, membersOf }
}

test('an administrator creates one team despite repeated clicks, renames it, and deletes it after a confirmation', async () => {
  const { path, admin, make, teams } = await aHouse()
  const page = await admin.get(path)
  const [one, two] = await Promise.all([1, 2].map(() => admin.submit(page, path, { title: ' Tea &  more ' })))
  assert.equal(one!.location, two!.location)
  const team = one!.location!
  assert.match((await admin.follow(one!)).text, /<h1>Tea &amp; more<\/h1>[^]*0 people[^]*Nobody is in it yet\./)
  assert.match((await admin.get(path)).text, /<strong>Tea &amp; more<\/strong>/)
  for (const title of ['', ' ', 'x'.repeat(65)]) {
    const refused = await make(title)
    assert.equal(refused.status, 409)
    assert.match(refused.text, /role="alert">A name has 1 to 64 characters\./)
    assert.ok(refused.text.includes(`name="title" value="${title}"`))
    const kept = await admin.submit(await admin.get(team), `${team}/title`, { title })
    assert.ok(kept.status === 409 && kept.text.includes(`value="${title}"`))
  }
  const older = await admin.get(team)
  const renamed = await admin.follow(await admin.submit(await admin.get(team), `${team}/title`, { title: 'Coffee' }))
  const late = await admin.submit(older, `${team}/title`, { title: 'Late' })
  assert.match(late.text, /role="alert">[^<]*it is “Coffee” now/)
  assert.match(renamed.text, /Renamed./)
  assert.deepEqual((await teams()).map(({ title }) => title), ['Coffee']) // prettier-ignore
  assert.match(renamed.text, /Delete the team “Coffee”\?[^]*Its members stay in the organization/)
  const [first, second] = await Promise.all([1, 2].map(() => admin.submit(renamed, `${team}/remove`)))
  assert.equal(first!.location, second!.location)
  const deleted = await admin.follow(await admin.submit(renamed, `${team}/remove`))
  assert.match(deleted.text, /Team deleted\.[^]*None yet/)
  assert.deepEqual(await teams(), [])
  assert.equal((await admin.get(team)).text, nothing)
})

test('members are added to a team from a list, made owners who manage the team, and removed', async () => {
  const { org, admin, make, membersOf } = await aHouse()
  const member = await org.member('read')
  const team = (await make('Writers')).location!
  const page = await admin.get(team)
  assert.ok(page.text.includes(`<option value="${member.id}">`))
  const [added] = await Promise.all([1, 2].map(() => admin.submit(page, `${team}/members`, { user: member.id })))
  const shown = await admin.follow(added!)
  assert.match(shown.text, /Added to the team.[^]*1 person/)
  assert.ok(!shown.text.includes(`<option value="${member.id}">`))
  assert.deepEqual([...(await membersOf(team))], [[member.id, 'member']])

  const person = await signedIn(app, member)
  const seen = await person.get(team)
  assert.doesNotMatch(seen.text, /Make owner|>Add<|Delete this team/)
  await admin.submit(shown, `${team}/members/${member.id}/role`)
  assert.deepEqual([...(await membersOf(team))], [[member.id, 'owner']])
  const owned = await person.get(team)
  assert.match(owned.text, />owner<[^]*>Add<[^]*Delete this team/)
  await person.submit(owned, `${team}/members`, { user: org.admin.id })
  assert.equal((await membersOf(team)).get(org.admin.id), 'member')
  const out = await person.submit(await person.get(team), `${team}/members/${org.admin.id}/remove`)
  assert.match((await person.follow(out)).text, /Removed from the team/)
  const left = await person.submit(await person.get(team), `${team}/members/${member.id}/remove`)
  assert.match((await person.follow(left)).text, /You have left the team/)
  assert.deepEqual([...(await membersOf(team))], [])

  for (const user of ['', 'x', newId(), (await aStranger(app)).id]) {
    const refused = await admin.submit(await admin.get(team), `${team}/members`, { user })
    assert.ok([400, 409].includes(refused.status), user)
    assert.match(refused.text, /role="alert">(?:Choose a person to add|This is not a member of this organization)/)
  }
  const { form } = tokenIn(await admin.get(team))
  assert.equal((await admin.post(`${team}/members/${newId()}/role`, { form, role: 'owner' })).status, 404)
  assert.equal((await admin.post(`${team}/members/${member.id}/role`, { form, role: 'king' })).status, 409)
})

test('a button on an outdated page does not bring a removed member back into a team', async () => {
  const { org, admin, make, membersOf } = await aHouse()
  const member = await org.member('read')
  const team = (await make('Writers')).location!
  await admin.submit(await admin.get(team), `${team}/members`, { user: member.id })
  const older = await admin.get(team)
  await admin.submit(older, `${team}/members/${member.id}/remove`)
  const refused = await admin.submit(older, `${team}/members/${member.id}/role`)
  assert.deepEqual([refused.status, /role="alert">There is no such team member/.test(refused.text)], [404, true])
  assert.deepEqual([...(await membersOf(team))], [])
})

test('a guest who steps down from, leaves or deletes their team is sent to the organization, which says so', async () => {
  const { org, home, admin, make } = await aHouse()
  const guest = await org.member(null)
  const visitor = await signedIn(app, guest)
  for (const [action, fields] of [
    [`/members/${guest.id}/role`, {}],
    [`/members/${guest.id}/remove`, {}],
    ['/remove', {}],
  ] as const) {
    const team = (await make('Writers')).location!
    await admin.submit(await admin.get(team), `${team}/members`, { user: guest.id })
    await admin.submit(await admin.get(team), `${team}/members/${guest.id}/role`)
    const told = await visitor.submit(await visitor.get(team), team + action, fields)
    assert.equal(told.location, `${home}?done=team`, action)
    assert.match((await visitor.follow(told)).text, /Done. You can no longer see this team./)
    assert.equal((await visitor.get(team)).text, nothing)
  }
})

test('in an organization with very many members, people are added to a team by address', async () => {
  const { org, admin, make, membersOf } = await aHouse()
  const member = await org.member('read')
  const team = (await make('Writers')).location!
  const ids = Array.from({ length: 200 }, () => newId())
  await app.db.run(sql`insert into users (id, email, display_name)
    select id, id || '@example.net', 'Many' from unnest(${ids}::uuid[]) given (id)`)
  await app.db.run(sql`insert into members (organization_id, user_id, role)
    select ${org.id}, id, 'read' from unnest(${ids}::uuid[]) given (id)`)
  const page = await admin.get(team)
  assert.doesNotMatch(page.text, /<option/)
  const refused = await admin.submit(page, `${team}/members`, { email: 'nobody@example.com' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /This is not a member of this organization\.[^]*value="nobody@example\.com"/)
  await admin.submit(page, `${team}/members`, { email: ` ${member.user.email.toUpperCase()}` })
  assert.deepEqual([...(await membersOf(team)).keys()], [member.id])
  await app.db.run(sql`insert into team_members (organization_id, team_id, user_id, role)
    select ${org.id}, ${team.split('/').at(-1)}, id, 'member' from unnest(${ids.slice(0, 60)}::uuid[]) given (id)`)
  const first = await admin.get(team)
  const second = await admin.get(/href="([^"]+)">Next</.exec(first.text)![1]!)
  const shown = [first, second].flatMap(({ text }) => text.match(/[\w.-]+@example\.(?:net|com)(?=<\/span>)/g) ?? [])
  assert.deepEqual([shown.length, new Set(shown).size], [61, 61])
})

test('members without the right cannot change a team, guests and strangers do not see it, and forged forms are refused', async () => {
  const { org, home, path, admin, make, teams, membersOf } = await aHouse()
  const member = await org.member('create')
  const guest = await org.member(null)
  const team = (await make('Writers')).location!
  await admin.submit(await admin.get(team), `${team}/members`, { user: member.id })
  const before = [await teams(), await membersOf(team)]
  const fields = { title: 'x', user: guest.id, role: 'owner' }
  const others = [`${team}/title`, `${team}/members`, `${team}/members/${org.admin.id}/role`, `${team}/remove`]
  const actions = [path, ...others, `${team}/members/${member.id}/role`]
  const person = await signedIn(app, member)
  const [visitor, stranger] = [await signedIn(app, guest), await signedIn(app, await aStranger(app))]
  assert.doesNotMatch((await person.get(path)).text, /<form method="post"/)
  for (const each of [path, team, `${path}/${newId()}`]) {
    for (const who of [visitor, stranger]) assert.equal((await who.get(each)).text, nothing, each)
    assert.match((await new Person(app).get(each)).location!, /^\/login/)
  }
  for (const action of actions) {
    const refused = await person.post(action, { ...tokenIn(await person.get('/account')), ...fields })
    assert.deepEqual([refused.status, /role="alert">You may not/.test(refused.text)], [403, true], action)
    for (const who of [visitor, stranger]) {
      const { form } = tokenIn(await who.get('/account'))
      assert.equal((await who.post(action, { form, ...fields })).text, nothing, action)
    }
    const own = tokenIn(await admin.get(path))
    assert.equal((await admin.post(action, { ...own, ...fields }, { origin: 'https://evil.example' })).status, 403)
    assert.equal((await admin.post(action, { form: 'x.x', ...fields })).status, 403)
    assert.match((await new Person(app).post(action, { ...own, ...fields })).location!, /^\/login/)
  }
  // A guest who owns a team sees that team, and no other members of the organization.
  await app.db.run(sql`insert into team_members (organization_id, team_id, user_id, role)
    values (${org.id}, ${team.split('/').at(-1)}, ${guest.id}, 'owner')`)
  const owned = await visitor.get(team)
  assert.match(owned.text, /<h1>Writers<\/h1>[^]*name="email"/)
  assert.ok(!owned.text.includes(org.admin.user.email))
  assert.doesNotMatch((await visitor.get(home)).text, /\/teams"/)
  await visitor.submit(owned, `${team}/members/${guest.id}/remove`)
  assert.equal((await visitor.get(team)).text, nothing)
  assert.deepEqual([await teams(), await membersOf(team)], before)
})
