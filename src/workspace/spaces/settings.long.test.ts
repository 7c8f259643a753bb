// The settings of a space and of an organization, changed in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger, anOrganization } from '../../../test/factories.ts'
import { expect } from '../../../test/visitor.ts'
import { Person, tokenIn } from '../../account/testing/person.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()
const nothing = (await new Person(app).get('/app/x')).text
async function aHouse() {
  const org = await anOrganization(app)
  const home = `/app/o/${org.id}`
  const { client } = org.admin
  const api = `/v1/orgs/${org.id}`
  const space = expect(await client.post(`${api}/spaces`, { title: 'Tea' }), 201).id as string
  const now = async (path = api) => expect(await client.get(path), 200)
  return { org, client, home, api, now, space: `/v1/spaces/${space}`, at: `${home}/s/${space}/~`, admin: await signedIn(app, org.admin) } // prettier-ignore
}

test('the language of a space is saved, and its title and language are not overwritten by an outdated form', async () => {
  const { client, space, at, now, admin } = await aHouse()
  const older = await admin.get(`${at}/settings`)
  const spoken = await admin.submit(older, `${at}/language`, { language: 'de' })
  assert.match((await admin.follow(spoken)).text, /Language saved.[^]*<option value="de" selected>German/)
  assert.equal((await now(space)).language, 'de')
  const overtaken = await admin.submit(older, `${at}/language`, { language: 'fr' })
  assert.deepEqual([overtaken.status, /role="alert">[^<]*it is German now/.test(overtaken.text)], [409, true])
  assert.equal((await admin.submit(older, `${at}/language`, { language: 'klingon' })).status, 409)
  expect(await client.patch(space, { title: 'Coffee' }), 200)
  const late = await admin.submit(older, `${at}/settings`, { title: 'Cocoa' })
  assert.equal(late.status, 409)
  assert.match(late.text, /role="alert">[^<]*it is “Coffee” now[^]*name="title"\s+value="Cocoa"/)
  assert.deepEqual([(await now(space)).title, (await now(space)).language], ['Coffee', 'de'])
  await admin.submit(await admin.get(`${at}/settings`), `${at}/language`, { language: '' })
  assert.equal((await now(space)).language, undefined)
})

test('the emoji of a space is shown before its title wherever spaces are listed, and an outdated form does not overwrite it', async () => {
  const { client, home, space, at, now, admin } = await aHouse()
  const older = await admin.get(`${at}/settings`)
  const saved = await admin.follow(await admin.submit(older, `${at}/icon`, { icon: ' 📘 ' }))
  assert.match(saved.text, /Icon saved.[^]*name="icon" value="📘"/)
  const listed = />📘<\/span> <a href="[^"]+"><strong>Tea</
  assert.match((await admin.get(home)).text, listed)
  const top = await admin.get(at.slice(0, -2))
  assert.match(top.text, /<title>Tea ·[^]*<h1><span aria-hidden="true">📘<\/span> Tea<\/h1>/)
  for (const page of ['settings', 'history', 'closed', 'import', 'git'])
    assert.match((await admin.get(`${at}/${page}`)).text, />📘<\/span> Tea<\/a>/, page)
  assert.match((await admin.get(`${home}/sites`)).text, />📘<\/span> Tea<\/strong>/)
  for (const [icon, says] of [
    ['📗', 'it is “📘” now'],
    ['tea', 'Enter one emoji'],
    ['📗📗', 'Enter one emoji'],
  ] as const) {
    const refused = await admin.submit(older, `${at}/icon`, { icon })
    assert.deepEqual([refused.status, refused.text.includes(`name="icon" value="${icon}"`)], [409, true])
    assert.match(refused.text, new RegExp(`role="alert">[^<]*${says}`))
  }
  // A program may have stored the emoji as hex.
  expect(await client.patch(space, { emoji: '1f4d8' }), 200)
  assert.match((await admin.get(home)).text, listed)
  await admin.submit(await admin.get(`${at}/settings`), `${at}/icon`, { icon: '' })
  assert.doesNotMatch((await admin.get(home)).text, /📘/)
  assert.equal((await now(space)).emoji, '1f4c4')
})

test('repeated clicks copy a space once, with a link to the copy, and members who may not create spaces there cannot copy it', async () => {
  const { org, api, at, now, admin } = await aHouse()
  const titles = async () => (await now(`${api}/spaces`)).items.map(({ title }: { title: string }) => title).toSorted()
  const before = await titles()
  const page = await admin.get(`${at}/settings`)
  const [copied, again] = await Promise.all([1, 2].map(() => admin.submit(page, `${at}/copy`, {})))
  assert.deepEqual([copied!.status, copied!.location], [303, again!.location])
  const { text } = await admin.follow(copied!)
  const [, copy] = /Space copied: <a href="([^"]+)">Tea \(copy\)</.exec(text)!
  assert.match((await admin.get(copy!)).text, /<h1>Tea \(copy\)<\/h1>/)
  assert.deepEqual(await titles(), [...before, 'Tea (copy)'].toSorted())
  const person = await signedIn(app, await org.member('review'))
  const refused = await person.post(`${at}/copy`, tokenIn(await person.get('/account')))
  assert.equal(refused.status, 403)
  const stranger = await signedIn(app, await aStranger(app))
  assert.equal((await stranger.post(`${at}/copy`, tokenIn(await stranger.get('/account')))).text, nothing)
  assert.deepEqual(await titles(), [...before, 'Tea (copy)'].toSorted())
})

test('a member who may read a space and create one beside it can copy it from its page, and lands on the copy', async () => {
  const { org, client, space, at } = await aHouse()
  expect(await client.patch(space, { defaultLevel: 'read' }), 200)
  const [maker, reader] = await Promise.all(
    (['create', 'edit'] as const).map(async (role) => signedIn(app, await org.member(role))),
  )
  const page = await maker!.get(at.slice(0, -2))
  assert.doesNotMatch(page.text, />Settings</)
  const copy = await maker!.follow(await maker!.submit(page, `${at}/copy`, {}))
  assert.match(copy.text, /<h1>Tea \(copy\)<\/h1>/)
  assert.doesNotMatch((await reader!.get(at.slice(0, -2))).text, /~\/copy/)
})

test('merge rules can be chosen, rules that the form cannot show stay, and an outdated form overwrites nothing', async () => {
  const { org, client, home, api, space, at, now, admin } = await aHouse()
  const custom = { type: 'custom', expression: 'true' }
  for (const [thing, page, action] of [
    [space, `${at}/settings`, `${at}/merge-rules`],
    [api, `${home}/settings`, `${home}/settings/merge-rules`],
  ] as const) {
    const rules = { type: 'rules', rules: [custom, { type: 'require_change_request_subject' }] }
    expect(await client.patch(thing, { mergeRules: rules }), 200)
    const older = await admin.get(page)
    assert.match(older.text, /1 more rule set through the API[^]*stays as it is/)
    assert.match(older.text, /name="require_change_request_subject" value="on" checked/)
    const chosen = { type: 'rules', require_at_least_one_approved_review: 'on' }
    assert.equal((await admin.submit(older, action, chosen)).status, 303)
    const expected = { type: 'rules', rules: [{ type: 'require_at_least_one_approved_review' }, custom] }
    assert.deepEqual((await now(thing)).mergeRules, expected)
    const late = await admin.submit(older, action, { type: 'none' })
    assert.deepEqual([late.status, /role="alert">Somebody has changed the rules/.test(late.text)], [409, true])
    assert.match(late.text, /name="type" value="none" checked/)
    assert.equal((await admin.submit(await admin.get(page), action, { type: 'x' })).status, 409)
    assert.deepEqual((await now(thing)).mergeRules, expected)
    await admin.submit(await admin.get(page), action, { type: 'none' })
    assert.deepEqual((await now(thing)).mergeRules, { type: 'none' })
    const none = await admin.submit(await admin.get(page), action, { type: 'rules' })
    assert.deepEqual([none.status, /role="alert">Choose at least one rule/.test(none.text)], [409, true])
  }
  // A rule that names a former member is kept as well.
  const member = await org.member('review')
  const named = { type: 'require_specific_reviewers', users: [member.id] }
  expect(await client.patch(space, { mergeRules: { type: 'rules', rules: [named] } }), 200)
  expect(await client.delete(`${api}/members/${member.id}`), 204)
  const chosen = { type: 'rules', require_change_request_subject: 'on' }
  await admin.submit(await admin.get(`${at}/settings`), `${at}/merge-rules`, chosen)
  const expected = { type: 'rules', rules: [{ type: 'require_change_request_subject' }, named] }
  assert.deepEqual((await now(space)).mergeRules, expected)
  await admin.submit(await admin.get(`${at}/settings`), `${at}/merge-rules`, { type: 'inherit' })
  assert.deepEqual((await now(space)).mergeRules, { type: 'inherit' })
})

test('an administrator sets the title of an organization and how people join, and an outdated form overwrites nothing', async () => {
  const { client, home, api, now, admin } = await aHouse()
  const path = `${home}/settings`
  const older = await admin.get(path)
  for (const [part, fields] of [
    ['title', { title: ' Tea & Co ' }],
    ['role', { role: 'comment' }],
    ['domains', { domains: ' Tea.example\n\ncups.example ' }],
    ['invite-links', { inviting: 'off' }],
  ] as const) {
    const saved = await admin.submit(older, `${path}/${part}`, fields)
    assert.match((await admin.follow(saved)).text, /Saved./, part)
    // Sending the same again is no error. A different value that is based on the earlier state is refused.
    assert.equal((await admin.submit(older, `${path}/${part}`, fields)).status, 303, part)
  }
  const { title, defaultRole, emailDomains, inviteLinks } = await now()
  const saved = { title: 'Tea & Co', defaultRole: 'comment', emailDomains: ['cups.example', 'tea.example'] }
  assert.deepEqual({ title, defaultRole, emailDomains, inviteLinks }, { ...saved, inviteLinks: false })
  for (const [part, fields, says] of [
    ['title', { title: 'Cups' }, 'it is “Tea &amp; Co” now'],
    ['title', { title: 'x' }, 'An organization needs a title of 2 to 255 characters.'],
    ['role', { role: 'edit' }, 'it is “comment” now'],
    ['role', { role: 'king' }, 'Choose one of the roles.'],
    ['domains', { domains: 'other.example' }, 'it is cups.example, tea.example now'],
    ['invite-links', { inviting: '' }, 'Choose whether invite links are on or off.'],
  ] as const) {
    const refused = await admin.submit(older, `${path}/${part}`, fields)
    assert.equal(refused.status, 409, part)
    assert.match(refused.text, new RegExp(`role="alert">[^<]*${says}`))
  }
  const wrong = await admin.submit(await admin.get(path), `${path}/domains`, { domains: 'no domain' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /role="alert">Enter one domain per line, such as example.com.[^]*>\nno domain</)
  expect(await client.patch(api, { emailDomains: [] }), 200)
  assert.deepEqual((await now()).title, 'Tea & Co')
})

test('members without the right cannot change settings of an organization or a space, and forged forms are refused', async () => {
  const { org, home, at, now, space, admin } = await aHouse()
  const before = [await now(), await now(space)]
  const person = await signedIn(app, await org.member('review'))
  const stranger = await signedIn(app, await aStranger(app))
  assert.equal((await person.get(`${home}/settings`)).location, home)
  assert.doesNotMatch((await person.get(home)).text, />Settings</)
  assert.equal((await stranger.get(`${home}/settings`)).text, nothing)
  const fields = { title: 'xx', role: 'admin', domains: 'evil.example', inviting: 'off', type: 'none', language: 'de' }
  const { form } = tokenIn(await person.get('/account'))
  const actions = ['title', 'role', 'domains', 'invite-links', 'merge-rules'].map((each) => `${home}/settings/${each}`)
  for (const action of [...actions, `${at}/language`, `${at}/icon`, `${at}/merge-rules`]) {
    const refused = await person.post(action, { form, ...fields })
    assert.deepEqual([refused.status, /You may not administer/.test(refused.text)], [403, true], action)
    const theirs = tokenIn(await stranger.get('/account'))
    assert.equal((await stranger.post(action, { ...theirs, ...fields })).text, nothing, action)
    const own = tokenIn(await admin.get(home))
    assert.equal((await admin.post(action, { ...own, ...fields }, { origin: 'https://evil.example' })).status, 403)
    assert.equal((await admin.post(action, { form: 'x.x', ...fields })).status, 403)
    assert.match((await new Person(app).post(action, { ...own, ...fields })).location!, /^\/login/)
  }
  assert.deepEqual([await now(), await now(space)], before)
})
