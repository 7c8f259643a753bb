// Administrators invite people with a browser that runs no script: by address and by link.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger, anOrganization } from '../../../test/factories.ts'
import { inviting } from '../../../test/invites.ts'
import { expect } from '../../../test/visitor.ts'
import { type Page, Person, tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { startMailServer } from '../../mail/testing/mail-server.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const mailServer = await startMailServer()
const app = await startApp({ LECTERN_SMTP_URL: mailServer.url, LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>' })
app.app.mail.start()
const { anAddress, countRows, change } = inviting(app)
const silent = await startApp()
const nothing = (await new Person(app).get('/app/x')).text

async function aHouse() {
  const org = await anOrganization(app)
  const home = `/app/o/${org.id}`
  const path = `${home}/people`
  const page = `${path}/invites`
  const admin = await signedIn(app, org.admin)
  const invite = async (emails: string, fields: Record<string, string> = {}) =>
    admin.submit(await admin.get(page), page, { emails, role: 'edit', ...fields })
  const links = async () =>
    expect(await org.admin.client.get(`/v1/orgs/${org.id}/link-invites`), 200).items as { id: string; role: string; urls: { invite: string } }[] // prettier-ignore
  const makeLink = async (role: string) => admin.submit(await admin.get(page), `${path}/links`, { role })
  const count = () => countRows(sql`select count(*) from invites where organization_id = ${org.id}`)
  return { org, home, path, page, admin, invite, links, makeLink, count }
}

const linkIn = (text: string) => /\/invite\/[\w-]+/.exec(text)![0]
const addressesIn = ({ text }: Page) => [...text.matchAll(/http:\/\/[^\s<]+\/invite\/[\w-]+/g)].map(([url]) => url)

/** A new person follows a link and joins. */
async function join(person: Person, link: string, fields: Record<string, string>) {
  const joined = await person.submit(await person.get(link), link, { displayName: 'Newcomer', ...fields })
  assert.match((await person.follow(joined)).text, /you have joined/)
  return person
}

test('pending invites are listed with their links until they are accepted or revoked', async () => {
  const { org, path, admin, invite } = await aHouse()
  const [joins, waits] = [anAddress(), anAddress()]
  const listed = `/v1/orgs/${org.id}/email-invites`
  await invite(`${joins}\n${waits}`)
  const { items } = expect(await org.admin.client.get(listed), 200)
  assert.deepEqual(
    items.map(({ email, role }: { email: string; role: string }) => [email, role]).toSorted(),
    [joins, waits].map((email) => [email, 'edit']).toSorted(),
  )
  const awaited = await admin.get(`${path}/invited`)
  for (const { urls } of items) assert.ok(awaited.text.includes(urls.invite))

  const { urls } = items.find(({ email }: { email: string }) => email === joins)
  await join(new Person(app), new URL(urls.invite).pathname, {})
  const { id } = items.find(({ email }: { email: string }) => email === waits)
  const left = await admin.get(`${path}/invited`)
  assert.deepEqual([left.text.includes(waits), left.text.includes(joins)], [true, false])
  const revoked = await admin.submit(left, `${path}/invited/${id}/remove`)
  assert.match((await admin.follow(revoked)).text, /Invitation revoked[^]*There are no pending invitations/)
  const again = await admin.submit(left, `${path}/invited/${id}/remove`)
  assert.match((await admin.follow(again)).text, /Invitation revoked/)
  assert.equal(expect(await org.admin.client.get(listed), 200).count, 0)
})

test('a colleague invited by mail joins through the link in it, and can start a change request', async () => {
  const { org, home, page, admin, invite } = await aHouse()
  const address = anAddress()
  const { id } = expect(await org.admin.client.post(`/v1/orgs/${org.id}/spaces`, { title: 'Tea' }), 201)
  const sent = await invite(`\n ${address} \r\n`)
  assert.equal(sent.status, 200)
  assert.ok(sent.text.includes(`1 invite on the way by mail, to ${address}.`))
  // The link is only in the mail, not on the screen for others to see.
  assert.deepEqual(addressesIn(sent), [])
  const { text } = await mailServer.next(address)
  const colleague = await join(new Person(app), linkIn(text), {})
  const space = `${home}/s/${id}`
  const begun = await colleague.submit(await colleague.get(space), `${space}/~/changes`, { subject: 'Green tea' })
  assert.match((await colleague.follow(begun)).text, /<h1>Green tea<\/h1>/)
  assert.ok((await admin.get(page.replace('/invites', ''))).text.includes(address))
})

test('on a server without mail, each invite link is shown to hand over, and works for its address', async () => {
  const org = await anOrganization(silent)
  const page = `/app/o/${org.id}/people/invites`
  const admin = await signedIn(silent, org.admin)
  const emails = `Jo Doe <jo@example.com>, ${org.admin.user.email}; al@example.com\nJO@example.com`
  const made = await admin.submit(await admin.get(page), page, { emails, role: 'review' })
  assert.equal(made.status, 200)
  assert.match(made.text, /2 invites created\. This server sends no mail/)
  assert.ok(made.text.includes(`Already members, so not invited: ${org.admin.user.email}.`))
  assert.equal(addressesIn(made).length, 2)
  const ofAl = made.text.split('<div class="code">').find((each) => each.includes('al@example.com'))!
  const al = new Person(silent)
  await join(al, linkIn(ofAl), {})
  assert.match((await al.get(`/app/o/${org.id}/people`)).text, /al@example\.com[^]*>review</)
})

test('repeated clicks create one invite and send one mail per address', async () => {
  const { org, page, path, admin, links, count } = await aHouse()
  const opened = await admin.get(page)
  const emails = [anAddress(), anAddress()]
  const fields = { emails: emails.join('\n'), role: 'read' }
  const answers = await Promise.all([1, 2, 3].map(() => admin.submit(opened, page, fields)))
  for (const { status, text } of answers) assert.deepEqual([status, /2 invites on the way/.test(text)], [200, true])
  assert.equal(await count(), 2)
  const mailed = sql`select max(times) as count from invite_mail_counts where organization_id = ${org.id}`
  assert.equal(await countRows(mailed), 2)
  await Promise.all([1, 2, 3].map(() => admin.submit(opened, `${path}/links`, { role: 'read' })))
  assert.equal((await links()).length, 1)
})

test('a refused invite is explained, keeps what was typed, and invites nobody', async () => {
  const { org, invite, count } = await aHouse()
  const fine = anAddress()
  const cases: [string, string, RegExp][] = [
    [`${fine}\nnobody at home`, 'edit', /“nobody at home” is not an e-mail address./],
    [
      `${fine}\n<script>x</script>@example.com`,
      'edit',
      /“&lt;script&gt;x&lt;\/script&gt;@example\.com” is not an e-mail address/,
    ],
    [' \n,;', 'edit', /Enter at least one e-mail address./],
    [Array.from({ length: 101 }, anAddress).join('\n'), 'edit', /At most 100 people can be invited at once\./],
    [fine, 'king', /Choose one of the roles\./],
  ]
  for (const [emails, role, sentence] of cases) {
    const refused = await invite(emails, { role })
    assert.equal(refused.status, 409, emails.slice(0, 80))
    assert.match(/role="alert">([^]*?)<\/p>/.exec(refused.text)![1]!, sentence)
    const kept = emails.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    assert.ok(refused.text.includes(`required>\n${kept}</textarea>`), emails.slice(0, 80))
  }
  const refused = await invite('x', { role: 'review' })
  assert.match(refused.text, /<option value="review"\s+selected/)
  assert.equal(await count(), 0)
  for (let times = 0; times < 5; times++) assert.equal((await invite(fine)).status, 200)
  const tooOften = await invite(fine)
  assert.equal(tooOften.status, 429)
  assert.match(tooOften.text, /role="alert">An organization can send at most 5 invites per day to one address/)
  assert.ok(tooOften.text.includes(`required>\n${fine}</textarea>`))
  assert.equal(await count(), 1)
  await change(sql`update organizations set sso = true where id = ${org.id}`)
  const bySso = anAddress()
  assert.equal((await invite(bySso, { sso: 'on' })).status, 200)
  assert.equal(await countRows(sql`select count(*) from invites where sso and email = ${bySso}`), 1)
})

test('anyone can join through an invite link with its role, which can be changed, until it is revoked', async () => {
  const { org, path, page, admin, links, makeLink } = await aHouse()
  const made = await admin.follow(await makeLink('comment'))
  const [link] = await links()
  assert.match(made.text, /Link created/)
  assert.deepEqual(addressesIn(made), [link!.urls.invite])
  const email = anAddress()
  await join(new Person(app), linkIn(made.text), { email })
  assert.match((await admin.get(`${path}?search=${email}`)).text, />comment</)

  const action = `${path}/links/${link!.id}`
  const changed = await admin.follow(await admin.submit(made, `${action}/role`, { role: 'review' }))
  assert.match(changed.text, /Role changed for everyone who joins with this link/)
  assert.equal((await links())[0]!.role, 'review')
  const late = await admin.submit(made, `${action}/role`, { role: 'admin' })
  assert.deepEqual([late.status, /Somebody else has changed this link in the meantime/.test(late.text)], [409, true])
  assert.equal((await admin.submit(made, `${action}/role`, { role: 'x' })).status, 409)

  const [one, two] = await Promise.all([1, 2].map(() => admin.submit(changed, `${action}/remove`)))
  assert.deepEqual([one!.location, two!.location], [`${page}?done=revoked`, `${page}?done=revoked`])
  assert.deepEqual(addressesIn(await admin.follow(one!)), [])
  assert.equal((await new Person(app).get(linkIn(made.text))).status, 404)
  assert.equal((await admin.submit(made, `${action}/role`, { role: 'read' })).status, 404)
  assert.deepEqual(await links(), [])
  await change(sql`update organizations set invite_links = false where id = ${org.id}`)
  const off = await admin.get(page)
  assert.match(off.text, /Invite links are turned off for this organization/)
  assert.ok(!off.text.includes(`action="${path}/links"`))
  const refused = await admin.post(`${path}/links`, { ...tokenIn(off), role: 'read' })
  assert.deepEqual([refused.status, /role="alert">You may not create invite links/.test(refused.text)], [403, true])
})

test('administrators see links to spaces among the invite links, and can page through all of them', async () => {
  const { org, page, admin } = await aHouse()
  const { id } = expect(await org.admin.client.post(`/v1/orgs/${org.id}/spaces`, { title: 'Tea & more' }), 201)
  const draft = { level: 'edit', space: id }
  expect(await org.admin.client.post(`/v1/orgs/${org.id}/link-invites`, draft), 201)
  assert.match((await admin.get(page)).text, /edit on “Tea &amp; more” · created/)
  for (let made = 0; made < 50; made++)
    expect(await org.admin.client.post(`/v1/orgs/${org.id}/link-invites`, { role: 'read' }), 201)
  const first = await admin.get(page)
  const next = /href="([^"]+)">Next</.exec(first.text)![1]!.replaceAll('&amp;', '&')
  const second = await admin.get(next)
  assert.equal(new Set([...addressesIn(first), ...addressesIn(second)]).size, 51)
  assert.match(second.text, /edit on “Tea &amp; more”/)
})

test('only administrators can invite or see invite links, and forged forms are refused', async () => {
  const { org, path, page, admin, links, makeLink, count } = await aHouse()
  await makeLink('admin')
  const [link] = await links()
  const secret = linkIn(link!.urls.invite)
  const actions = [page, `${path}/links`, `${path}/links/${link!.id}/role`, `${path}/links/${link!.id}/remove`]
  const fields = { emails: anAddress(), role: 'read', seen: 'admin' }
  const [creator, guest, stranger] = await Promise.all([org.member('create'), org.member(null), aStranger(app)])
  const people = [await signedIn(app, creator), await signedIn(app, guest), await signedIn(app, stranger)] as const
  assert.equal((await people[0].get(page)).location, path)
  assert.ok(!(await people[0].get(path)).text.includes(secret))
  for (const person of people.slice(1)) assert.equal((await person.get(page)).text, nothing)
  assert.match((await new Person(app).get(page)).location!, /^\/login/)
  for (const action of actions) {
    const refused = await people[0].post(action, { ...tokenIn(await people[0].get('/account')), ...fields })
    assert.deepEqual([refused.status, /You may not administer/.test(refused.text)], [403, true], action)
    assert.ok(!refused.text.includes(secret), action)
    for (const person of people.slice(1)) {
      const { form } = tokenIn(await person.get('/account'))
      assert.equal((await person.post(action, { form, ...fields })).text, nothing, action)
    }
    const own = tokenIn(await admin.get(page))
    assert.equal((await admin.post(action, { ...own, ...fields }, { origin: 'https://evil.example' })).status, 403)
    assert.equal((await admin.post(action, { form: 'x.x', ...fields })).status, 403)
    assert.match((await new Person(app).post(action, { ...own, ...fields })).location!, /^\/login/)
  }
  // An invite of another organization does not exist here, even for an administrator.
  const other = await aHouse()
  const foreign = { ...tokenIn(await other.admin.get(other.page)), role: 'read', seen: 'admin' }
  for (const id of [link!.id, newId()])
    assert.equal((await other.admin.post(`${other.path}/links/${id}/role`, foreign)).status, 404)
  await other.admin.post(`${other.path}/links/${link!.id}/remove`, foreign)
  assert.deepEqual(await links(), [link])
  assert.equal(await count(), 1)
})
