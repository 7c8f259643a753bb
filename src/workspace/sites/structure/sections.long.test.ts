// Sections of a site, with versions and menus, managed in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../../test/editing.ts'
import { aStranger, anOrganization } from '../../../../test/factories.ts'
import { expect } from '../../../../test/visitor.ts'
import { type Page, Person, tokenIn } from '../../../account/testing/person.ts'
import { newId } from '../../../ids.ts'
import { signedIn } from '../../../sessions/testing/signed-in.ts'
import { refused } from '../testing/keeper.ts'

const app = await startApp()

const titles = ['Guide', 'Reference', 'News', 'Guide 1']

/** A member with the role `create`, and a published site with the first of four spaces. */
async function aMaker() {
  const org = await anOrganization(app)
  const who = org.admin.client
  const spaces = await Promise.all(titles.map(() => aLiveSpace(app, org)))
  for (const [at, title] of titles.entries()) {
    expect(await who.patch(spaces[at]!.path, { title }), 200)
    expect(await spaces[at]!.edit(newPage(`About ${title}`)), 200)
  }
  const made = expect(await who.post(`/v1/orgs/${org.id}/sites`, { title: 'Docs', spaces: [spaces[0]!.id] }), 201)
  const [path, api] = [`/app/o/${org.id}/sites/${made.id}`, `/v1/orgs/${org.id}/sites/${made.id}`]
  expect(await who.post(`${api}/publish`), 200)
  const maker = await signedIn(app, await org.member('create'))
  const reader = new Person(app)
  const address = `/sites/${org.row.hostname}/${made.basename}/`
  /** Returns what readers find below the address of the site. */
  const read = async (below = '') => /Text of About ([\w ]+)/.exec((await reader.get(address + below)).text)?.[1]
  const structure = async () => expect(await who.get(`${api}/structure`), 200).structure as any[]
  const sections = async () => expect(await who.get(`${api}/sections`), 200).items as any[]
  /** Sends a form of a page in its current state. */
  const send = async (page: string, action: string, fields: Record<string, string> = {}) =>
    maker.submit(await maker.get(`${path}${page}`), `${path}${action}`, fields)
  const make = (space: number, fields: Record<string, string> = {}) =>
    send('/sections', '/sections', { space: spaces[space]!.id, ...fields })
  return { org, who, spaces, path, api, maker, reader, address, read, structure, sections, send, make }
}

/** The same with three sections. */
async function aMakerOfSections() {
  const made = await aMaker()
  for (const at of [1, 2]) assert.equal((await made.make(at)).status, 303)
  const [guide, reference, news] = await made.sections()
  return { ...made, guide, reference, news }
}

const about = ({ id, space }: any) => ({ at: id, space: space.id })
const titlesOf = (items: any[]) => items.map(({ title }) => title)

/** Sends a form twice. The second click has the same result as the first. */
async function twice(send: () => Promise<Page>): Promise<Page> {
  const [first, second] = await Promise.all([send(), send()])
  assert.deepEqual([first.status, second.status], [303, 303], second.text)
  assert.equal(first.location, second.location)
  return first
}

test('the first section turns the current content into one at the same address, and each section has its own address', async () => {
  const { maker, path, spaces, read, reader, address, sections } = await aMaker()
  assert.match((await maker.get(path)).text, new RegExp(`<a href="${path}/sections">create a section</a>`))
  const page = await maker.get(`${path}/sections`)
  assert.match(page.text, /None yet\. When you create the first section, what the site shows now becomes/)
  const fields = { space: spaces[1]!.id, title: 'API & more', path: 'api' }
  const made = await twice(() => maker.submit(page, `${path}/sections`, fields))
  const shown = await maker.follow(made)
  assert.match(shown.text, /Section created[^]*<strong>Guide<\/strong>[^]*shown first[^]*API &amp; more/)
  assert.ok(shown.text.includes(`<a href="http://lectern.test${address}api/">`))
  assert.deepEqual(
    (await sections()).map((each) => [each.title, each.path, each.default, each.siteSpaces.length]),
    [
      ['Guide', 'guide', true, 1],
      ['API & more', 'api', false, 1],
    ],
  )
  assert.deepEqual([await read(), await read('api/')], ['Guide', 'Reference'])
  assert.match((await reader.get(address)).text, /<nav class="wrap sections"[^]*API &amp; more/)
  const site = (await maker.get(path)).text
  assert.match(site, /<h2 id="sections">Sections<\/h2>[^]*<strong>Guide<\/strong>[^]*API &amp; more[^]*Manage sections/)
  assert.doesNotMatch(site, /action="[^"]*\/spaces/)
})

test('sections are renamed, given a path, moved, made the default and removed, and readers see each change', async () => {
  const { org, maker, send, path, address, read, sections, guide, reference, news, who, spaces } =
    await aMakerOfSections()
  const at = (section: any) => `/sections/${section.id}`
  assert.deepEqual(titlesOf(await sections()), ['Guide', 'Reference', 'News'])
  const page = await maker.get(`${path}/sections`)
  const fields = { ...tokenIn(page), near: reference.id, side: 'before' }
  const moved = await twice(() => maker.post(`${path}${at(news)}/move`, fields))
  assert.equal(moved.location, `${path}/sections?done=moved#${news.id}`)
  assert.deepEqual(titlesOf(await sections()), ['Guide', 'News', 'Reference'])

  const named = await send(at(news), `${at(news)}/title`, { title: 'What is new', path: 'new' })
  assert.match((await maker.follow(named)).text, /<h1>What is new<\/h1>[^]*Title and path saved/)
  assert.deepEqual([await read('new/'), await read('news/')], ['News', undefined])

  assert.equal((await send('/sections', `${at(reference)}/first`)).status, 303)
  assert.deepEqual([await read(), await read('guide/')], ['Reference', 'Guide'])
  const space = (await maker.get(`/app/o/${org.id}/s/${spaces[1]!.id}`)).text
  assert.ok(space.includes(`"http://lectern.test${address}"`), space)
  assert.deepEqual(titlesOf(await sections()), ['Guide', 'What is new', 'Reference'])

  const asked = await maker.get(`${path}${at(guide)}`)
  assert.match(
    asked.text,
    /Remove the section “Guide” from the site\?[^]*<li>Guide<\/li>[^]*The spaces and their content\s+stay/,
  )
  const gone = await twice(() => maker.submit(asked, `${path}${at(guide)}/remove`))
  assert.match((await maker.follow(gone)).text, /Section removed/)
  assert.deepEqual([titlesOf(await sections()), await read('guide/')], [['What is new', 'Reference'], undefined])
  expect(await who.get(spaces[0]!.path), 200)
  refused(await maker.get(`${path}${at(guide)}`), 404, /There is no such section, or you may not see it/)
  await send(at(news), `${at(news)}/remove`)
  refused(await send(at(reference), `${at(reference)}/remove`), 409, /This is the only content of the published site/)
})

test('a section has versions in a chosen order, with titles and paths that readers choose by', async () => {
  const { maker, send, path, api, who, reader, address, read, sections, guide, spaces } = await aMakerOfSections()
  const at = `/sections/${guide.id}`
  const page = await maker.get(path + at)
  const sent = { space: spaces[3]!.id }
  const added = await twice(() => maker.submit(page, `${path}${at}/spaces`, sent))
  assert.match((await maker.follow(added)).text, /Space added to the site[^]*Guide 1/)
  const versions = async () => (await sections()).find(({ id }) => id === guide.id)?.siteSpaces as any[]
  const [now, old, ...others] = await versions()
  assert.deepEqual([now.space.id, old.space.id, others], [spaces[0]!.id, spaces[3]!.id, []])

  const names = { ...about(old), seenTitle: '', seenPath: old.path }
  const named = await maker.follow(await send(at, `${at}/spaces/title`, { ...names, title: 'v1 <old>', path: 'v1' }))
  assert.match(named.text, /v1 &lt;old&gt;<\/strong>[^]*the space “Guide 1”/)
  assert.equal(await read('v1/'), 'Guide 1')
  assert.match((await reader.get(address)).text, /class="menu variant"[^]*v1 &lt;old&gt;/)
  // Without a title of its own, it has the title of the space again.
  await send(at, `${at}/spaces/title`, { ...names, seenTitle: 'v1 <old>', seenPath: 'v1', title: '', path: 'v1' })
  assert.deepEqual(titlesOf(await versions()), ['Guide', 'Guide 1'])

  const near = { ...about(old), near: now.id, side: 'before' }
  await twice(() => maker.post(`${path}${at}/spaces/move`, { ...tokenIn(page), ...near }))
  assert.deepEqual(titlesOf(await versions()), ['Guide 1', 'Guide'])
  assert.equal(await read(), 'Guide')
  await send(at, `${at}/spaces/first`, about(old))
  assert.deepEqual([await read(), await read('guide/guide/')], ['Guide 1', 'Guide'])

  assert.equal((await send(at, `${at}/spaces/remove`, about(old))).status, 303)
  assert.deepEqual(titlesOf(await versions()), ['Guide'])
  const last = await maker.get(path + at)
  assert.match(last.text, /It is all that the section “Guide” shows, so the section is removed too/)
  const gone = await maker.follow(await maker.submit(last, `${path}${at}/spaces/remove`))
  assert.match(gone.text, /<h1>Sections<\/h1>[^]*Space removed from the site/)
  assert.equal(await versions(), undefined)
  expect(await who.get(`${api}/site-spaces`), 200)
})

test('the spaces of a site without sections can be moved and renamed in the same way', async () => {
  const { maker, send, path, api, who, spaces, reader, address } = await aMaker()
  await send('', '/spaces', { space: spaces[3]!.id })
  const rows = async () => expect(await who.get(`${api}/site-spaces`), 200).items as any[]
  const [now, old] = await rows()
  assert.equal((await send('', '/spaces/move', { ...about(old), near: now.id, side: 'before' })).status, 303)
  assert.deepEqual(titlesOf(await rows()), ['Guide 1', 'Guide'])
  const names = { ...about(old), seenTitle: '', seenPath: old.path, path: old.path }
  assert.equal((await send('', '/spaces/title', { ...names, title: 'Version 1' })).status, 303)
  assert.match((await reader.get(address)).text, /class="menu variant"[^]*Version 1/)
  const page = await maker.get(path)
  expect(await who.post(`${api}/sections`, { spaceId: spaces[1]!.id }), 201)
  for (const action of ['', '/move', '/title', '/first', '/draft', '/remove'])
    refused(
      await maker.post(`${path}/spaces${action}`, { ...tokenIn(page), ...about(old), space: spaces[2]!.id }),
      409,
      /Somebody has created sections since you opened this page/,
    )
  assert.equal((await rows()).length, 3)
})

test('sections are put into a menu and taken out, and the menu is renamed, moved and removed', async () => {
  const { maker, send, path, reader, address, structure, guide, reference, news } = await aMakerOfSections()
  const page = await maker.get(`${path}/sections`)
  const fields = { title: 'More', [`section-${reference.id}`]: 'on' }
  const made = await twice(() => maker.submit(page, `${path}/menus`, fields))
  assert.match((await maker.follow(made)).text, /Menu created[^]*<strong>More<\/strong>[^]*Reference/)
  const shape = async () =>
    (await structure()).map(({ title, sections }) => (sections ? [title, ...titlesOf(sections)] : title))
  assert.deepEqual(await shape(), ['Guide', 'News', ['More', 'Reference']])
  const { id } = (await structure())[2]
  assert.match((await reader.get(address)).text, /<nav class="wrap sections"[^]*More[^]*Reference/)

  const at = `/sections/${news.id}`
  assert.match((await maker.follow(await send(at, `${at}/menu`, { menu: id }))).text, /Menu saved/)
  assert.deepEqual(await shape(), ['Guide', ['More', 'Reference', 'News']])
  await send('/sections', `${at}/move`, { near: reference.id, side: 'before' })
  await send('/sections', `/menus/${id}/move`, { near: guide.id, side: 'before' })
  await send('/sections', `/menus/${id}/title`, { title: 'Further' })
  assert.deepEqual(await shape(), [['Further', 'News', 'Reference'], 'Guide'])
  await send(at, `${at}/menu`, { menu: '' })
  assert.deepEqual(await shape(), [['Further', 'Reference'], 'News', 'Guide'])

  const before = await maker.get(`${path}/sections`)
  assert.match(before.text, /Remove the menu “Further”\? Its entries stay/)
  await twice(() => maker.submit(before, `${path}/menus/${id}/remove`))
  assert.deepEqual(await shape(), ['Reference', 'News', 'Guide'])
  refused(await maker.post(`${path}${at}/menu`, { ...tokenIn(before), menu: id }), 409, /This menu no longer exists/)
  refused(
    await maker.post(`${path}/menus/${id}/title`, { ...tokenIn(before), title: 'x' }),
    404,
    /There is no such menu/,
  )
})

test('an invalid title, path or space is refused with the reason, and stays in its field', async () => {
  const { maker, send, make, path, api, who, structure, guide, reference, spaces } = await aMakerOfSections()
  const before = await structure()
  const long = 'x'.repeat(129)
  for (const [fields, reason] of [
    [{ title: 'x' }, /^A section needs a title of 2 to 128 characters/],
    [{ title: 'a\nb' }, /^A section needs a title/],
    [{ title: 'Fine', path: 'a/b' }, /^The path must be one part of an address/],
    [{ title: 'Fine', path: 'guide' }, /^Another section of this site already has this path/],
    [{ title: 'Fine', path: long }, /^A path has 1 to 100 characters/],
  ] as [Record<string, string>, RegExp][]) {
    const answer = await make(3, fields)
    refused(answer, answer.status, reason)
    assert.ok(answer.status >= 400 && answer.text.includes(`<option value="${spaces[3]!.id}" selected>`))
    for (const [name, text] of Object.entries(fields))
      assert.match(answer.text, new RegExp(`name="${name}"\\s+value="${text}"`))
  }
  const { form } = tokenIn(await maker.get(path))
  for (const [space, status, reason] of [
    ['', 400, /There is no such space here/],
    [newId(), 400, /There is no such space here/],
    [spaces[0]!.id, 409, /This space is already in the site/],
  ] as const)
    refused(await maker.post(`${path}/sections`, { form, space }), status, reason)

  const at = `/sections/${reference.id}`
  const named = await send(at, `${at}/title`, { title: long, path: 'guide' })
  refused(named, 409, /A section needs a title/)
  assert.match(named.text, new RegExp(`name="title"\\s+value="${long}"[^]*name="path" value="guide"`))
  refused(await send(at, `${at}/title`, { title: 'Fine', path: 'guide' }), 409, /Another section of this site/)
  const [row] = reference.siteSpaces
  const version = { ...about(row), seenTitle: '', seenPath: row.path, title: long, path: 'x y' }
  const called = await send(at, `${at}/spaces/title`, version)
  refused(called, 409, /A space needs a title of 1 to 128 characters/)
  assert.match(called.text, new RegExp(`work-asking" open>[^]*name="title"\\s+value="${long}"[^]*value="x y"`))
  const menu = await send('/sections', '/menus', { title: 'x'.repeat(101), [`section-${guide.id}`]: 'on' })
  refused(menu, 409, /A menu needs a title of 1 to 100 characters/)
  assert.match(menu.text, new RegExp(`value="x{101}"[^]*name="section-${guide.id}"\\s+value="on"\\s+checked`))
  refused(await maker.post(`${path}/menus`, { form, title: 'x', 'section-x': 'on' }), 404, /There is no such section/)
  assert.deepEqual(await structure(), before)
  assert.deepEqual(expect(await who.get(`${api}/section-groups`), 200).items, [])
})

test('a change made by someone else is reported and not overwritten, and the user can save after reading it', async () => {
  const { maker, send, path, api, who, structure, sections, guide, reference, news, spaces } = await aMakerOfSections()
  const at = (section: any) => `${path}/sections/${section.id}`
  const [all, one] = [await maker.get(`${path}/sections`), await maker.get(at(news))]
  const { form } = tokenIn(all)
  expect(await who.patch(`${api}/sections/${news.id}`, { title: 'Theirs', path: 'theirs' }), 200)
  const renamed = await maker.submit(one, `${at(news)}/title`, { title: 'Mine', path: 'news' })
  refused(renamed, 409, /Somebody has renamed it to “Theirs” since you opened this page/)
  // The path was not touched, so the form shows the current one.
  assert.match(renamed.text, /name="title"\s+value="Mine"[^]*name="path" value="theirs"/)
  assert.equal((await maker.submit(renamed, `${at(news)}/title`, { title: 'Mine', path: 'theirs' })).status, 303)
  // What the user leaves as they saw it keeps its current value.
  assert.equal((await maker.submit(one, `${at(news)}/title`, { title: 'News', path: 'news' })).status, 303)
  const { title, path: now } = (await sections())[2]
  assert.deepEqual([title, now], ['Mine', 'theirs'])

  const { id } = expect(await who.post(`${api}/section-groups`, { title: 'Menu', sections: [reference.id] }), 201)
  const menus = await maker.get(`${path}/sections`)
  expect(await who.patch(`${api}/section-groups/${id}`, { title: 'Theirs' }), 200)
  refused(await maker.submit(menus, `${path}/menus/${id}/title`, { title: 'Mine' }), 409, /renamed it to “Theirs”/)
  const other = expect(await who.post(`${api}/section-groups`, { title: 'Other', sections: [] }), 201)
  const into = await maker.post(`${at(reference)}/menu`, { form, menu: other.id, seen: '' })
  refused(into, 409, /Somebody has moved it to another menu/)
  assert.match(into.text, new RegExp(`value="${other.id}" selected`))
  refused(
    await maker.submit(all, `${path}/menus`, { title: 'Mine', [`section-${reference.id}`]: 'on' }),
    409,
    /“Reference” has been added to a menu in the meantime/,
  )
  refused(
    await maker.post(`${at(news)}/move`, { form, near: reference.id, side: 'before' }),
    409,
    /Somebody has changed the order/,
  )
  expect(await who.patch(api, { defaultSiteSection: reference.id }), 200)
  refused(await maker.submit(all, `${at(news)}/first`), 409, /Somebody has changed what is shown first/)
  const removing = await maker.get(at(guide))
  expect(await who.post(`${api}/site-spaces`, { spaceId: spaces[3]!.id, sectionId: guide.id }), 201)
  const before = await structure()
  refused(await maker.submit(removing, `${at(guide)}/remove`), 409, /Somebody has changed what is in it/)
  assert.deepEqual(await structure(), before)
  assert.equal((await send(`/sections/${guide.id}`, `/sections/${guide.id}/remove`)).status, 303)
  refused(await maker.submit(removing, `${at(guide)}/title`, { title: 'Mine' }), 404, /There is no such section/)
})

test('members without the right cannot change sections, strangers do not see them, and forged forms are refused', async () => {
  const { org, maker, path, api, who, structure, guide, reference, spaces } = await aMakerOfSections()
  const { id } = expect(await who.post(`${api}/section-groups`, { title: 'Menu', sections: [reference.id] }), 201)
  const out = { title: 'Taken', url: 'https://example.com' }
  const link = expect(await who.post(`${api}/external-links`, out), 201)
  const before = await structure()
  const [row] = guide.siteSpaces
  const sent: [string, Record<string, string>][] = [
    ['sections', { space: spaces[3]!.id }],
    [`sections/${guide.id}/move`, { near: id, side: 'after' }],
    [`sections/${reference.id}/first`, { seen: guide.id }],
    [`sections/${guide.id}/title`, { title: 'Taken', seenTitle: 'Guide', path: 'x', seenPath: 'guide' }],
    [`sections/${guide.id}/menu`, { menu: id, seen: '' }],
    [`sections/${guide.id}/spaces`, { space: spaces[3]!.id }],
    [`sections/${guide.id}/icon`, { icon: 'book', seen: '' }],
    [`sections/${guide.id}/condition`, { condition: 'false', seen: '' }],
    ['claims', { claims: '{"type":"object","properties":{}}', seen: 'x' }],
    ['claims/switch', { conditions: 'on' }],
    ...['first', 'move', 'title', 'condition', 'draft', 'copy', 'remove'].map(
      (each): [string, Record<string, string>] => [
        `sections/${guide.id}/spaces/${each}`,
        { ...about(row), seenPath: row.path, path: 'taken', condition: 'false', seen: '' },
      ],
    ),
    [`sections/${guide.id}/remove`, { seen: 'x' }],
    ['external-links', out],
    [`external-links/${link.id}`, { ...out, state: 'x' }],
    [`external-links/${link.id}/move`, { near: id, side: 'before' }],
    [`external-links/${link.id}/remove`, {}],
    ['menus', { title: 'Taken' }],
    [`menus/${id}/title`, { title: 'Taken', seen: 'Menu' }],
    [`menus/${id}/move`, { near: guide.id, side: 'before' }],
    [`menus/${id}/remove`, {}],
  ]
  const pages = [`${path}/sections`, `${path}/sections/${guide.id}`]
  const reviewer = await signedIn(app, await org.member('review'))
  const { form } = tokenIn(await reviewer.get('/account'))
  for (const page of pages) {
    const { text } = await reviewer.get(page)
    assert.match(text, /Guide/)
    assert.doesNotMatch(text, /<form method="post"/)
  }
  for (const [action, fields] of sent)
    refused(await reviewer.post(`${path}/${action}`, { form, ...fields }), 403, /You may not change this site/)

  const nothing = (await new Person(app).get('/app/x')).text
  const stranger = await signedIn(app, await aStranger(app))
  const own = tokenIn(await stranger.get('/account'))
  for (const page of pages) {
    assert.equal((await stranger.get(page)).text, nothing)
    assert.match((await new Person(app).get(page)).location!, /^\/login\?next=/)
  }
  const ours = tokenIn(await maker.get(path))
  for (const [action, fields] of sent) {
    assert.equal((await stranger.post(`${path}/${action}`, { ...own, ...fields })).text, nothing)
    const all = { ...ours, ...fields }
    assert.equal((await maker.post(`${path}/${action}`, all, { origin: 'https://evil.example' })).status, 403, action)
    assert.equal((await maker.post(`${path}/${action}`, { ...all, form: 'x.x' })).status, 403, action)
  }
  assert.deepEqual(await structure(), before)
})

test('a section whose spaces a member may not read is hidden, and their forms cannot move or remove it', async () => {
  const { org, who, path, structure, sections, guide, reference, news, spaces } = await aMakerOfSections()
  const author = await org.member('create')
  expect(await who.post(`${spaces[1]!.path}/permissions`, { users: [author.id], role: null }), 204)
  const person = await signedIn(app, author)
  const page = await person.get(`${path}/sections`)
  assert.doesNotMatch(page.text, /Reference/)
  const hidden = `${path}/sections/${reference.id}`
  const missing = `${path}/sections/${newId()}`
  const said = ({ text }: Page) => text.replace(/name="form" value="[^"]+"/g, '')
  assert.equal(said(await person.get(hidden)), said(await person.get(missing)))
  const before = await structure()
  const [row] = reference.siteSpaces
  for (const action of ['move', 'first', 'title', 'menu', 'remove', 'spaces', 'spaces/remove'])
    refused(
      await person.post(`${hidden}/${action}`, { ...tokenIn(page), ...about(row), near: guide.id, side: 'before' }),
      404,
      /There is no such section/,
    )
  assert.deepEqual(await structure(), before)
  // For this person, the other two sections are next to each other.
  const fields = { near: guide.id, side: 'before' }
  assert.equal((await person.post(`${path}/sections/${news.id}/move`, { ...tokenIn(page), ...fields })).status, 303)
  assert.deepEqual(titlesOf(await sections()), ['News', 'Guide', 'Reference'])
})

test('claims and conditions of sections and spaces are set in the browser, and hide a section from other readers', async () => {
  const { path, api, who, maker, reader, address, read, sections, send, spaces, guide, reference } =
    await aMakerOfSections()
  const one = `/sections/${reference.id}`
  const claims = {
    type: 'object',
    properties: { unsigned: { type: 'object', properties: { beta: { type: 'boolean' } } } },
  }
  const older = await maker.get(`${path}/claims`)
  for (const [typed, reason] of [
    ['', /^Declare the claims as in the example/],
    ['{"type": 1', /^This is not valid JSON: /],
    [
      '{"type": "object", "properties": {"plan": {"type": "date"}}}',
      /^“properties\.plan\.type” must be one of boolean/,
    ],
  ] as const) {
    const no = await maker.submit(older, `${path}/claims`, { claims: typed })
    refused(no, typed.startsWith('{"type": "object"') ? 400 : 409, reason)
    assert.ok(no.text.includes(`\n${typed.replaceAll('"', '&quot;')}</textarea>`), no.text)
  }
  const declared = await maker.submit(older, `${path}/claims`, { claims: JSON.stringify(claims) })
  assert.match((await maker.follow(declared)).text, /Claims saved[^]*<code>visitor\.claims\.unsigned\.beta === true</)
  // Sending the same claims again is no error. Other claims that are based on the earlier ones are refused.
  assert.equal((await maker.submit(older, `${path}/claims`, { claims: JSON.stringify(claims) })).status, 303)
  refused(
    await maker.submit(older, `${path}/claims`, { claims: '{"type":"object","properties":{}}' }),
    409,
    /changed the claims/,
  )
  assert.equal(expect(await who.get(`${api}/adaptive-schema`), 200).jsonSchema.properties.unsigned.properties.beta.type, 'boolean') // prettier-ignore

  const condition = 'visitor.claims.unsigned.beta == true'
  const before = await maker.get(path + one)
  for (const [typed, reason] of [
    ['beta ==', /^The condition: .*\(at character \d+\)\.$/],
    ['visitor.claims.plan == 1', /^The condition: The visitor schema of the site has no claim plan/],
  ] as const) {
    const no = await maker.submit(before, `${path}${one}/condition`, { condition: typed })
    refused(no, 400, reason)
    assert.ok(no.text.replace(/\s+/g, ' ').includes(`name="condition" value="${typed}"`), no.text)
  }
  assert.match((await maker.follow(await maker.submit(before, `${path}${one}/condition`, { condition }))).text, /Visibility saved.[^]*for some readers[^]*Conditions are off there/) // prettier-ignore
  refused(
    await maker.submit(before, `${path}${one}/condition`, { condition: 'true' }),
    409,
    /changed the condition to “visitor/,
  )
  assert.equal((await sections())[1].condition, condition)
  assert.equal((await send('/claims', '/claims/switch', { conditions: 'on' })).status, 303)
  assert.deepEqual([await read('reference/'), await read()], [undefined, 'Guide'])
  await reader.get(`${address}?visitor.beta=true`)
  assert.equal(await read('reference/'), 'Reference')
  assert.equal((await send('/claims', '/claims/switch', { conditions: 'off' })).status, 303)
  assert.equal(await read('reference/'), undefined)

  // A condition on a space in a section; and an empty condition, which shows a section to all readers again.
  assert.equal(
    (await send(`/sections/${guide.id}`, `/sections/${guide.id}/spaces`, { space: spaces[3]!.id })).status,
    303,
  )
  const versions = async () => (await sections())[0].siteSpaces
  const fields = about((await versions())[1])
  const hide = (typed: string) => send(`/sections/${guide.id}`, `/sections/${guide.id}/spaces/condition`, { ...fields, condition: typed, seen: '' }) // prettier-ignore
  const no = await hide('x y')
  refused(no, 400, /^The condition: /)
  assert.match(no.text, /<details class="work-asking" open>[^]*?value="x y"/)
  assert.equal((await hide(condition)).status, 303)
  assert.equal((await versions())[1].condition, condition)
  assert.equal((await send(one, `${one}/condition`, { condition: '' })).status, 303)
  assert.deepEqual([(await sections())[1].condition, await read('reference/')], [undefined, 'Reference'])
})

test('a section gets an icon by its name, and an unknown name is refused', async () => {
  const { path, maker, reader, address, sections, send, reference } = await aMakerOfSections()
  const one = `/sections/${reference.id}`
  const drawn = async () => (await reader.get(address)).text.includes('<use href="#i-bell"')
  const older = await maker.get(path + one)
  const saved = await maker.submit(older, `${path}${one}/icon`, { icon: ' bell ' })
  assert.match((await maker.follow(saved)).text, /Icon saved.[^]*name="icon"\s+value="bell"/)
  assert.deepEqual([(await sections())[1].icon, await drawn()], ['bell', true])
  refused(await maker.submit(older, `${path}${one}/icon`, { icon: 'book' }), 409, /changed its icon to “bell”/)
  const no = await send(one, `${one}/icon`, { icon: 'nose' })
  refused(no, 409, /^There is no icon called “nose”/)
  assert.match(no.text, /name="icon"\s+value="nose"/)
  await send(one, `${one}/icon`, { icon: '' })
  assert.deepEqual([(await sections())[1].icon, await drawn()], [undefined, false])
})
