// Sites: creating, publishing, opening to others and deleting them, in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../test/editing.ts'
import { aStranger, anOrganization } from '../../../test/factories.ts'
import { statementsSent } from '../../../test/statements-sent.ts'
import { expect } from '../../../test/visitor.ts'
import { Person, tokenIn } from '../../account/testing/person.ts'
import { newId } from '../../ids.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { refused } from './testing/keeper.ts'

const app = await startApp()

/** A member with the role `create`, in an organization with two spaces and no site. */
async function aMaker() {
  const org = await anOrganization(app)
  const who = org.admin.client
  const [tea, coffee] = [await aLiveSpace(app, org), await aLiveSpace(app, org)]
  for (const [space, title] of [
    [tea, 'Tea'],
    [coffee, 'Coffee'],
  ] as const) {
    expect(await who.patch(space.path, { title }), 200)
    expect(await space.edit(newPage(`About ${title}`)), 200)
  }
  const maker = await signedIn(app, await org.member('create'))
  const sites = `/app/o/${org.id}/sites`
  const make = async (fields: Record<string, string>) => maker.submit(await maker.get(sites), sites, fields)
  const list = async () => expect(await who.get(`/v1/orgs/${org.id}/sites`), 200).items as any[]
  return { org, who, maker, sites, make, list, tea, coffee }
}

/** The same, with a site that contains the first space. */
async function aMakerOfASite(change: object = {}) {
  const made = await aMaker()
  const { org, who, sites, maker, tea } = made
  const { id } = expect(
    await who.post(`/v1/orgs/${org.id}/sites`, { title: 'Drinks', spaces: [tea.id], ...change }),
    201,
  )
  const [path, api] = [`${sites}/${id}`, `/v1/orgs/${org.id}/sites/${id}`]
  const now = async () => expect(await who.get(api), 200)
  const reader = new Person(app)
  const { basename } = await now()
  const address = `/sites/${org.row.hostname}/${basename}/`
  /** Sends a form of the page in its current state. */
  const send = async (action: string, fields: Record<string, string> = {}) =>
    maker.submit(await maker.get(path), `${path}/${action}`, fields)
  const spaces = async () => expect(await who.get(`${api}/site-spaces`), 200).items as any[]
  return { ...made, id, path, api, now, reader, address, send, spaces }
}

const local = (address: string) => address.replace('http://lectern.test', '')
const about = ({ id, space }: any) => ({ at: id, space: space.id })

test('a site is created, previewed and published for everyone with only a browser', async () => {
  const { maker, sites, list, tea } = await aMaker()
  const page = await maker.get(sites)
  assert.match(page.text, /aria-current="page"\s*>Sites<[^]*None yet/)
  const fields = { title: 'Tea & more', [`space-${tea.id}`]: 'on' }
  const [made, again] = await Promise.all([1, 2].map(() => maker.submit(page, sites, fields)))
  assert.equal(made!.status, 303, made!.text)
  assert.equal(made!.location, again!.location)
  const [site, ...others] = await list()
  assert.deepEqual([site.title, site.published, site.visibility, others], ['Tea & more', false, 'public', []])

  const opened = await maker.follow(made!)
  assert.match(opened.text, /<h1>Tea &amp; more<\/h1>[^]*Site created[^]*not published/)
  const [, address = ''] = /it is for everyone, at <code>([^<]+)<\/code>/.exec(opened.text)!
  assert.ok(!opened.text.includes(`href="${address}"`))
  const reader = new Person(app)
  assert.equal((await reader.get(local(address))).status, 404)
  const path = `${sites}/${site.id}`
  const preview = await maker.get(`${path}/preview`)
  const looked = await maker.get(local((await maker.get(local(preview.location!))).location!))
  assert.match(looked.text, /Text of About Tea/)

  const [published] = await Promise.all([1, 2].map(() => maker.submit(opened, `${path}/publish`)))
  assert.equal(published!.status, 303)
  const shown = await maker.follow(published!)
  assert.match(shown.text, /Site published.[^]*Who can read it[^]*Takes effect for readers at once/)
  assert.doesNotMatch(shown.text, /once the site is published/)
  assert.ok(shown.text.includes(`<a href="${address}">`))
  assert.match((await reader.get(local(address))).text, /Text of About Tea/)
  const listed = (await maker.get(sites)).text
  assert.ok(listed.includes(`<a href="${address}">`) && listed.includes('for everyone · <a'))

  const offline = await maker.follow(await maker.submit(shown, `${path}/unpublish`))
  assert.match(offline.text, /Site offline\./)
  assert.equal((await reader.get(local(address))).status, 404)
})

test('the page of a space shows where it is published, and nothing of sites that a person may not see', async () => {
  const { org, who, maker, path, api, id, address, tea, send } = await aMakerOfASite()
  const space = `/app/o/${org.id}/s/${tea.id}`
  assert.doesNotMatch((await maker.get(space)).text, /Published in/)
  expect(await who.post(`${api}/publish`), 200)
  const { text } = await maker.get(space)
  assert.ok(text.includes(`Published in <a href="${path}">Drinks</a>: <a href="http://lectern.test${address}">`), text)
  assert.equal((await send('visibility', { visibility: 'share-link' })).status, 303)
  const secret = (await maker.get(space)).text
  assert.ok(secret.includes(`Published in <a href="${path}">Drinks</a>`) && !secret.includes(address))

  const barred = await org.member('review')
  const person = await signedIn(app, barred)
  assert.match((await person.get(space)).text, /Published in/)
  expect(await who.post(`${api}/permissions`, { users: [barred.id], role: null }), 204)
  assert.doesNotMatch((await person.get(space)).text, /Published in|Drinks/)
  assert.ok(!(await person.get(path)).text.includes(id))
})

test('a changed site visibility takes effect for readers at once', async () => {
  const { maker, send, reader, address, now, path } = await aMakerOfASite()
  await send('publish')
  const isRead = async () => (await reader.get(address)).status === 200
  const robots = async () => (await reader.get(address)).text.includes('noindex')
  assert.deepEqual([await isRead(), await robots()], [true, false])
  for (const [visibility, read] of [
    ['unlisted', true],
    ['share-link', false],
    ['visitor-auth', false],
    ['public', true],
  ] as const) {
    const saved = await maker.follow(await send('visibility', { visibility }))
    assert.match(saved.text, /Visibility saved/)
    assert.match(saved.text, new RegExp(`value="${visibility}" checked`))
    assert.deepEqual([(await now()).visibility, await isRead()], [visibility, read])
    if (visibility === 'unlisted') assert.ok(await robots())
    // A site that its address alone does not open can still be previewed.
    assert.equal(saved.text.includes(`href="${path}/preview"`), !read)
  }
  refused(await send('visibility', { visibility: 'nobody' }), 409, /Choose who can read it/)
  assert.equal((await now()).visibility, 'public')
})

test('a share link opens the site for anyone who has it, until it is revoked', async () => {
  const { maker, send, who, api, path } = await aMakerOfASite({ visibility: 'share-link' })
  await send('publish')
  const page = await maker.get(path)
  assert.match(page.text, /so nobody can read the site/)
  const links = async () => expect(await who.get(`${api}/share-links`), 200).items as any[]
  for (const name of [' ', 'x'.repeat(51), 'a\nb']) {
    const answer = await send('links', { name, end: 'never' })
    refused(answer, 409, /Enter who the link is for, in at most 50 characters/)
    assert.ok(answer.text.includes(`name="name" value="${name.trim()}"`))
  }
  const [made] = await Promise.all(
    [1, 2].map(() => maker.submit(page, `${path}/links`, { name: 'Partners <3', end: 'never' })),
  )
  const shown = await maker.follow(made!)
  const [link, ...others] = await links()
  assert.deepEqual([link.name, others], ['Partners <3', []])
  assert.ok(shown.text.includes(`<code>${link.urls.published}</code>`))
  assert.ok(shown.text.includes('Partners &lt;3'))
  const opens = async () => {
    const reader = new Person(app)
    const led = await reader.get(local(link.urls.published))
    const page = led.location === undefined ? led : await reader.get(local(led.location))
    return page.status === 200 && /Text of About Tea/.test(page.text)
  }
  assert.equal(await opens(), true)
  expect(await who.patch(`${api}/share-links/${link.id}`, { active: false }), 200)
  assert.match((await maker.get(path)).text, /turned off/)
  expect(await who.patch(`${api}/share-links/${link.id}`, { active: true }), 200)

  const [revoked, twice] = await Promise.all([1, 2].map(() => maker.submit(shown, `${path}/links/revoke`)))
  assert.deepEqual([revoked!.status, twice!.status], [303, 303])
  // The message is next to the links, where the browser is sent, and not at the top as well.
  assert.match(
    (await maker.follow(revoked!)).text,
    /^(?:(?!Link revoked)[^])*id="secret-links"(?:(?!<section)[^])*Link revoked(?:(?!Link revoked)[^])*$/,
  )
  assert.deepEqual([await links(), await opens()], [[], false])
  for (const id of ['', 'x', newId()]) {
    const answer = await maker.post(`${path}/links/revoke`, { ...tokenIn(shown), link: id })
    refused(answer, 404, /There is no such link/)
  }
})

test('spaces are added to a site, made the default, given a path and removed, and readers see each change', async () => {
  const { maker, send, path, reader, address, spaces, tea, coffee } = await aMakerOfASite()
  await send('publish')
  const page = await maker.get(path)
  assert.match(page.text, /name="space" required>\s*<option value="">/, 'no space goes in that nobody chose')
  const [added] = await Promise.all([1, 2].map(() => maker.submit(page, `${path}/spaces`, { space: coffee.id })))
  assert.match((await maker.follow(added!)).text, /Space added to the site/)
  const [first, second, ...others] = await spaces()
  assert.deepEqual([first.space.id, second.space.id, others], [tea.id, coffee.id, []])
  const at = `${address}${second.path}/`
  assert.match((await reader.get(at)).text, /Text of About Coffee/)
  assert.match((await reader.get(address)).text, /Text of About Tea/)
  assert.match((await maker.get(path)).text, /There is no other space you can add/)

  const named = { ...about(second), seenTitle: '', title: '' }
  const moved = await send('spaces/title', { ...named, seenPath: second.path, path: 'beans' })
  assert.match((await maker.follow(moved)).text, /Title and path saved/)
  assert.match((await reader.get(`${address}beans/`)).text, /Text of About Coffee/)
  for (const [typed, reason] of [
    ['', /A path has 1 to 100 characters/],
    ['x'.repeat(101), /A path has 1 to 100 characters/],
    ['a/b?', /^The path must be one part of an address: no spaces, slashes/],
    ['~x', /^The path is kept for addresses/],
    [first.path, /Another space beside it already has this path/],
  ] as const) {
    const answer = await send('spaces/title', { ...named, seenPath: 'beans', path: typed })
    refused(answer, answer.status, reason)
    assert.ok(answer.status >= 400 && answer.text.includes(`name="path" value="${typed}"`))
  }

  await send('spaces/first', about(second))
  assert.match((await reader.get(address)).text, /Text of About Coffee/)
  const now = await spaces()
  assert.deepEqual(
    now.map((each) => [each.space.id, each.default]),
    [
      [tea.id, false],
      [coffee.id, true],
    ],
  )
  const both = await maker.get(path)
  const sent = { ...tokenIn(both), ...about(second) }
  const [gone, twice] = await Promise.all([1, 2].map(() => maker.post(`${path}/spaces/remove`, sent)))
  assert.deepEqual([gone!.status, twice!.status], [303, 303])
  assert.match((await reader.get(address)).text, /Text of About Tea/)
  refused(await send('spaces/remove', about(first)), 409, /This is the only content of the published site/)
  assert.equal((await spaces()).length, 1)
  for (const space of ['', 'x', newId()])
    refused(await maker.post(`${path}/spaces`, { ...tokenIn(both), space }), 400, /There is no such space/)
})

test('a site without content can be created but not published', async () => {
  const { maker, make, list, sites, coffee } = await aMaker()
  const made = await maker.follow(await make({ title: 'Soon' }))
  const [site] = await list()
  const path = `${sites}/${site.id}`
  assert.doesNotMatch(made.text, /\/preview"/)
  refused(await maker.submit(made, `${path}/publish`), 400, /There is nothing to publish yet\. Add a space/)
  assert.equal((await list())[0].published, false)
  await maker.submit(made, `${path}/spaces`, { space: coffee.id })
  assert.equal((await maker.submit(await maker.get(path), `${path}/publish`)).status, 303)
  assert.equal((await list())[0].published, true)
})

test('a site with an invalid title or space is refused with the reason, and the form keeps what was typed', async () => {
  const { make, list, tea } = await aMaker()
  for (const title of [' ', 'x', 'x'.repeat(129), 'a\nb']) {
    const answer = await make({ title, [`space-${tea.id}`]: 'on' })
    refused(answer, 409, /A site needs a title of 2 to 128 characters/)
    assert.match(answer.text, new RegExp(`value="${title.trim()}"`))
    assert.match(answer.text, new RegExp(`name="space-${tea.id}" value="on" checked`))
  }
  const elsewhere = await aLiveSpace(app)
  for (const id of ['', 'x', newId(), elsewhere.id]) {
    const answer = await make({ title: 'Fine', [`space-${id}`]: 'on' })
    refused(answer, 400, /There is no such space here/)
    assert.match(answer.text, /value="Fine"/)
  }
  assert.deepEqual(await list(), [])
})

test('an outdated form does not overwrite, publish or delete what its user has not seen', async () => {
  const { who, api, maker, path, now, coffee, spaces } = await aMakerOfASite()
  const page = await maker.get(path)
  const [row] = await spaces()
  expect(await who.patch(api, { title: 'Theirs', visibility: 'unlisted' }), 200)
  expect(await who.patch(`${api}/site-spaces/${row.id}`, { path: 'theirs' }), 200)
  const renamed = await maker.submit(page, `${path}/title`, { title: 'Mine' })
  refused(renamed, 409, /Somebody has renamed it to “Theirs”/)
  assert.match(renamed.text, /name="title"\s+value="Mine"/)
  // A user who has read that can save again.
  assert.equal((await maker.submit(renamed, `${path}/title`, { title: 'Mine' })).status, 303)
  assert.equal((await now()).title, 'Mine')

  const opened = await maker.submit(page, `${path}/visibility`, { visibility: 'share-link' })
  refused(opened, 409, /Somebody has changed who can read it.*it is for anyone with the address now/)
  assert.match(opened.text, /value="share-link" checked/)
  refused(await maker.submit(page, `${path}/publish`), 409, /Somebody has changed who can read it, or what it shows/)
  const moved = await maker.submit(page, `${path}/spaces/title`, { path: 'mine' })
  refused(moved, 409, /Somebody has changed its path to “theirs”/)
  assert.match(moved.text, /<details class="work-asking" open>[^]*?name="path" value="mine"/)
  const { visibility, published } = await now()
  assert.deepEqual([visibility, published, (await spaces())[0].path], ['unlisted', false, 'theirs'])

  const before = await maker.get(path)
  expect(await who.patch(`${api}/site-spaces/${row.id}`, { spaceId: coffee.id }), 200)
  refused(await maker.submit(before, `${path}/publish`), 409, /Somebody has changed who can read it, or what it shows/)
  for (const action of ['remove', 'first'])
    refused(
      await maker.post(`${path}/spaces/${action}`, { ...tokenIn(page), ...about(row) }),
      409,
      /This space is no longer there/,
    )
  refused(await maker.submit(page, `${path}/spaces`, { space: coffee.id }), 409, /already in the site/)
  expect(await who.post(`${api}/publish`), 200)
  refused(await maker.submit(page, `${path}/delete`), 409, /It has been published since you opened this page/)
  assert.deepEqual([(await now()).published, (await spaces())[0].space.id], [true, coffee.id])
})

test('a site is deleted after a confirmation, and its spaces stay', async () => {
  const { maker, send, path, reader, address, list, who, tea } = await aMakerOfASite()
  await send('publish')
  const page = await maker.get(path)
  assert.match(page.text, /Delete “Drinks”, with its settings[^]*Its spaces and their content stay/)
  const gone = await maker.follow(await maker.submit(page, `${path}/delete`))
  assert.match(gone.text, /Site deleted/)
  assert.deepEqual(await list(), [])
  assert.equal((await reader.get(address)).status, 404)
  expect(await who.get(tea.path), 200)
  assert.match((await maker.post(`${path}/delete`, tokenIn(gone))).text, /Nothing to show here/)
})

/** All actions that the pages of a site offer. */
const actions = (rows: any[], link: string): [string, Record<string, string>][] => [
  ['publish', { seen: 'share-link' }],
  ['unpublish', {}],
  ['title', { title: 'Taken over', seen: 'Drinks' }],
  ['visibility', { visibility: 'public', seen: 'share-link' }],
  ['spaces', { space: rows[0].space.id }],
  ['spaces/first', about(rows[1])],
  ['spaces/title', { ...about(rows[0]), seenPath: rows[0].path, path: 'over' }],
  ['spaces/move', { ...about(rows[0]), near: rows[1].id, side: 'after' }],
  ['spaces/remove', about(rows[1])],
  ['links', { name: 'Mine', end: 'never' }],
  ['links/end', { link, end: 'day', seen: '' }],
  ['links/password', { link, password: 'taken over' }],
  ['links/revoke', { link }],
  ['insights/remarks/delete', { remark: newId(), days: '7' }],
  ['look', { theme: 'bold' }],
  ['redirects', { source: '/old', to: 'https://example.org' }],
  ['redirects/delete', { redirect: newId() }],
  ['address/name', { basename: 'over', seen: 'drinks' }],
  ['address/host', { hostname: 'docs.evil.example', seen: '' }],
  ['address/host/remove', { seen: '' }],
  ['delete', { seen: 'true' }],
]

test('members without the right cannot create or change a site, guests do not see it, and forged forms are refused', async () => {
  const { org, who, maker, sites, path, api, send, now, spaces, tea, coffee, list } = await aMakerOfASite({
    visibility: 'share-link',
  })
  await send('spaces', { space: coffee.id })
  await send('publish')
  const link = expect(await who.post(`${api}/share-links`, { name: 'Partners' }), 201)
  const ofSite = ['/site-spaces', '/share-links', '/customization', '/redirects']
  const state = async () => [
    await now(),
    await list(),
    ...(await Promise.all(ofSite.map((each) => who.get(api + each)))).map(({ body }) => body),
  ]
  const before = await state()
  const sent = actions(await spaces(), link.id)

  for (const role of ['read', 'comment', 'review'] as const) {
    const person = await signedIn(app, await org.member(role))
    const [listed, page] = [await person.get(sites), await person.get(path)]
    assert.match(listed.text, /Drinks/)
    assert.match(page.text, /<h1>Drinks<\/h1>[^]*for anyone with a secret link/)
    for (const { text } of [listed, page]) assert.doesNotMatch(text, /<form method="post"/)
    const secret = new URL(link.urls.published).pathname.split('/').at(-2)!
    assert.ok(!page.text.includes(secret) && !page.text.includes('Partners'))
    refused(await person.get(`${path}/preview`), 403, /You may not see what opens this site/)
    const { form } = tokenIn(await person.get('/account'))
    for (const [action, fields] of sent) {
      const answer = await person.post(`${path}/${action}`, { form, ...fields })
      refused(answer, 403, /You may not/)
      assert.ok(!answer.text.includes(secret))
    }
    refused(await person.post(sites, { form, title: 'Mine', [`space-${tea.id}`]: 'on' }), 403, /You may not create/)
  }

  const nothing = (await new Person(app).get('/app/x')).text
  const guest = await signedIn(app, await org.member(null))
  assert.match((await guest.get(sites)).text, /None that you can see/)
  const stranger = await signedIn(app, await aStranger(app))
  assert.equal((await stranger.get(sites)).text, nothing)
  for (const person of [guest, stranger]) {
    const { form } = tokenIn(await person.get('/account'))
    for (const each of ['', '/preview', '/look', '/redirects', '/address']
      .map((page) => path + page)
      .concat(`${sites}/${newId()}`))
      assert.equal((await person.get(each)).text, nothing)
    for (const [action, fields] of sent)
      assert.equal((await person.post(`${path}/${action}`, { form, ...fields })).text, nothing)
  }

  const own = tokenIn(await maker.get(path))
  for (const [action, fields] of [
    ...sent.map(([each, more]) => [`${path}/${each}`, more] as const),
    [sites, {}] as const,
  ]) {
    const all = { ...own, title: 'Mine', ...fields }
    assert.equal((await maker.post(action, all, { origin: 'https://evil.example' })).status, 403, action)
    assert.equal((await maker.post(action, { ...all, form: 'x.x' })).status, 403, action)
    assert.match((await new Person(app).post(action, all)).location!, /^\/login/)
  }
  for (const each of [sites, path, `${path}/preview`])
    assert.match((await new Person(app).get(each)).location!, /^\/login\?next=/)
  assert.deepEqual(await state(), before)
})

test('a member cannot add a space they may only read to a site, and sees nothing of spaces they may not read', async () => {
  const { org, who, sites, path, spaces, list, tea, coffee } = await aMakerOfASite()
  const author = await org.member('create')
  const person = await signedIn(app, author)
  for (const [space, role] of [
    [tea, null],
    [coffee, 'read'],
  ] as const)
    expect(await who.post(`${space.path}/permissions`, { users: [author.id], role }), 204)
  const before = [await spaces(), (await list()).length]
  const page = await person.get(path)
  assert.doesNotMatch(page.text, /Tea|Coffee/)
  const { form } = tokenIn(page)
  for (const [space, status] of [
    [tea, 400],
    [coffee, 403],
  ] as const) {
    assert.equal((await person.post(`${path}/spaces`, { form, space: space.id })).status, status)
    assert.equal((await person.post(sites, { form, title: 'Mine', [`space-${space.id}`]: 'on' })).status, status)
  }
  const [row] = await spaces()
  for (const action of ['first', 'move', 'title', 'remove'])
    refused(
      await person.post(`${path}/spaces/${action}`, { form, ...about(row), seenPath: row.path, path: 'mine' }),
      409,
      /This space is no longer there/,
    )
  assert.deepEqual([await spaces(), (await list()).length], before)
})

test('a guest with a role on a site can set it up, and finds no other site', async () => {
  const { org, who, sites, path, api, now, tea } = await aMakerOfASite()
  const other = expect(await who.post(`/v1/orgs/${org.id}/sites`, { title: 'Other drinks', spaces: [tea.id] }), 201)
  const guest = await org.member(null)
  expect(await who.post(`${api}/permissions`, { users: [guest.id], role: 'create' }), 204)
  const person = await signedIn(app, guest)
  const listed = (await person.get(sites)).text
  assert.ok(listed.includes('<strong>Drinks</strong>') && !listed.includes('Other drinks'))
  assert.doesNotMatch(listed, /New site/)
  const page = await person.get(path)
  assert.equal((await person.submit(page, `${path}/title`, { title: 'Theirs' })).status, 303)
  assert.equal((await person.submit(page, `${path}/publish`)).status, 303)
  const { title, published } = await now()
  assert.deepEqual([title, published], ['Theirs', true])
  refused(await person.post(sites, { ...tokenIn(page), title: 'Mine' }), 403, /You may not create/)
  const elsewhere = await person.post(`${sites}/${other.id}/delete`, { ...tokenIn(page), seen: 'false' })
  assert.match(elsewhere.text, /Nothing to show here/)
  expect(await who.get(`/v1/orgs/${org.id}/sites/${other.id}`), 200)
})

test('with very many spaces, all that are offered can go into a new site', async () => {
  const { org, who, maker, sites, make, list } = await aMaker()
  for (let at = 0; at < 95; at++)
    expect(await who.post(`/v1/orgs/${org.id}/spaces`, { title: `Space ${at}`, empty: true }), 201)
  const { text } = await maker.get(sites)
  const offered = [...text.matchAll(/type="checkbox" name="([^"]+)"/g)].map(([, name]) => name!)
  assert.ok(offered.length >= 80)
  assert.match(text, /You can add others on the page of the site/)
  const made = await make({ title: 'All', ...Object.fromEntries(offered.map((name) => [name, 'on'])) })
  assert.equal(made.status, 303, made.text)
  assert.equal((await list())[0].siteSpaces, offered.length)
})

test('listing spaces to choose from does not read their change request counters', async () => {
  const { maker, sites } = await aMaker()
  const sent = await statementsSent(async () => assert.match((await maker.get(sites)).text, /Coffee/))
  assert.deepEqual(
    sent.filter((each) => /from counter_slots/.test(each)),
    [],
  )
})
