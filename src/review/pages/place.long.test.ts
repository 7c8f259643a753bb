// Which pages a space has, and their places, are changed in a change request with nothing but a browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { newPage } from '../../../test/editing.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { tokenIn } from '../../account/testing/person.ts'
import type { Entry } from '../../content/merge/entry.ts'
import { petstore } from '../../openapi/testing/petstore.ts'
import { putSpec } from '../../openapi/testing/specs.ts'
import type { PageTree } from '../../pages/tree.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { type ListedPages, firstPages, withChosen } from './first-pages.ts'

const app = await startApp()

/**
 * Creates Tea (with Green and Black below it), the group Cups, a link, and a change request that changes nothing yet.
 */
async function anAuthor() {
  const site = await aSite(app, {
    pages: [
      newPage('Tea', { ref: 'tea' }),
      newPage('Green', { into: 'tea', ref: 'green' }),
      newPage('Sencha', { into: 'green' }),
      newPage('Black', { into: 'tea' }),
      { operation: 'insert_page', type: 'group', metadata: { title: 'Cups' } },
      { operation: 'insert_page', type: 'link', metadata: { title: 'Shop' }, target: linkTo('https://example.com/') },
    ],
  })
  const author = await signedIn(app, await site.org.member('edit'))
  const space = `/app/o/${site.org.id}/s/${site.space.id}`
  const begun = await author.follow(
    await author.submit(await author.get(space), `${space}/~/changes`, { subject: 'Order' }),
  )
  assert.equal(begun.status, 200)
  const api = `${site.space.path}/change-requests/1`
  const ids: Record<string, string> = {}
  const walk = (pages: any[]): void =>
    pages.forEach(({ id, title, pages: below = [] }) => {
      ids[title] = id
      walk(below)
    })
  walk(expect(await site.who.get(`${api}/content`), 200).pages)
  const outline = async () => (await site.space.outline(api)).replace('Welcome ', '')
  return { site, author, space, path: `${space}/~/changes/1`, api, ids, outline }
}

const linkTo = (url: string) => ({ kind: 'url', url })

test('a page is edited from its space, in a new change request or in one the author has begun', async () => {
  const { site, author, space, ids } = await anAuthor()
  const listed = await author.get(space)
  const titles = [...listed.text.matchAll(/<li data-depth="(\d)"><span class="review-title"\s*><a [^>]+>([^<]+)/g)]
  assert.deepEqual(titles.map(([, depth, title]) => `${depth} ${title!.trim()}`).slice(-6), [
    '0 Tea',
    '1 Green',
    '2 Sencha',
    '1 Black',
    '0 Cups',
    '0 Shop',
  ])
  assert.ok(!listed.text.includes(`value="${ids.Cups}"`))
  const edit = await author.submit(listed, `${space}/~/edits`, { page: ids.Green!, change: '' })
  assert.equal(edit.location, `${space}/~/changes/2/pages/${ids.Green}`)
  // A second click on the same button.
  const again = await author.submit(listed, `${space}/~/edits`, { page: ids.Green!, change: '' })
  assert.equal(again.location, edit.location)
  const editing = await author.follow(edit)
  assert.match(editing.text, />Change request #2: Edit Green<\/a>[^]*<h1>Green<\/h1>/)

  const into = await author.submit(await author.get(space), `${space}/~/edits`, { page: ids.Black!, change: '1' })
  assert.equal(into.location, `${space}/~/changes/1/pages/${ids.Black}`)
  for (const [page, change] of [
    [ids.Cups!, ''],
    [site.space.id, ''],
    [ids.Tea!, '../..'],
  ] as const) {
    const refused = await author.submit(listed, `${space}/~/edits`, { page, change })
    assert.deepEqual([refused.status, /role="alert">There is no such/.test(refused.text)], [404, true])
  }
  assert.equal(expect(await site.who.get(`${site.space.path}/change-requests?status=draft`), 200).count, 2)

  const reader = await signedIn(app, await site.org.member('read'))
  const read = await reader.get(space)
  assert.match(read.text, />Sencha</)
  assert.doesNotMatch(read.text, /<button class="btn quiet"|\/edits"/)
})

test('a page is deleted with all below it only after the author confirmed exactly these pages', async () => {
  const { site, author, path, api, ids, outline } = await anAuthor()
  const address = `${path}/pages/${ids.Green}/delete`
  const question = await author.get(address)
  assert.match(
    question.text,
    /<h1>Delete “Green”\?<\/h1>[^]*The page below it will be deleted too:[^]*<li>Sencha<\/li>/,
  )
  expect(await site.who.post(`${api}/content`, { changes: [newPage('Matcha', { into: ids.Green })] }), 200)
  const before = await outline()
  const late = await author.submit(question, address)
  assert.equal(late.status, 409)
  assert.match(late.text, /role="alert">The pages below it have changed[^]*<li>Matcha<\/li>[^]*Delete 3 pages/)
  assert.equal(await outline(), before)
  const done = await author.follow(await author.submit(late, address))
  assert.match(done.text, /Deleted page<\/span>\s*<strong>Green[^]*<details open>[^]*Deleted\./)
  assert.equal(await outline(), 'Tea (Black) Cups Shop')
  assert.equal((await author.get(address)).status, 404)
  assert.match(await site.space.outline(), /Tea \(Green \(Sencha\) Black\)/)
})

test('a page gets another address, unique at its level, and a refused address stays in its field', async () => {
  const { author, path, ids, site, api } = await anAuthor()
  const place = `${path}/pages/${ids.Green}/place`
  const address = `${path}/pages/${ids.Green}/address`
  const slugNow = async () => expect(await site.who.get(`${api}/content/page/${ids.Green}`), 200).slug as string
  const page = await author.get(place)
  assert.match(page.text, /name="slug"\s+value="green"/)
  for (const [slug, why] of [
    ['a b', /This is not a valid path/],
    ['black', /Another page at the same level has this address/],
    ['x'.repeat(101), /An address has at most 100 characters here/],
  ] as const) {
    const refused = await author.submit(page, address, { slug })
    assert.ok(refused.status >= 400 && refused.status < 500)
    assert.match(refused.text, why)
    assert.match(refused.text, new RegExp(`name="slug"\\s+value="${slug}"`))
  }
  assert.equal(await slugNow(), 'green')
  const [first, twice] = [
    await author.submit(page, address, { slug: ' matcha ' }),
    await author.submit(page, address, { slug: 'matcha' }),
  ]
  for (const each of [first, twice]) assert.match((await author.follow(each)).text, /Address changed\./)
  assert.equal(await slugNow(), 'matcha')
  assert.match((await author.submit(page, address, { slug: 'other' })).text, /Somebody has changed it since/)
  expectLed(await author.submit(await author.get(place), address, { slug: '' }))
  assert.equal(await slugNow(), 'green')
})

test('a link has no address of its own and is not asked for one; a group has one', async () => {
  const { author, path, ids } = await anAuthor()
  const asks = async (title: string) =>
    (await author.get(`${path}/pages/${ids[title]}/place`)).text.includes('/address"')
  assert.deepEqual([await asks('Shop'), await asks('Cups')], [false, true])
  const { form } = tokenIn(await author.get(`${path}/pages/${ids['Cups']}/place`))
  const refused = await author.post(`${path}/pages/${ids['Shop']}/address`, { form, slug: 'x', seen: 'shop' })
  assert.deepEqual([refused.status, /A link has no address on the site/.test(refused.text)], [409, true])
})

const expectLed = ({ status }: { status: number }) => assert.equal(status, 303)

test('a page is moved before, after or below others, never below itself', async () => {
  const { author, path, ids, outline } = await anAuthor()
  const move = async (title: string, spot: string, near: string | undefined) => {
    const address = `${path}/pages/${ids[title]}/place`
    return author.submit(await author.get(address), address, { spot, near: ids[near ?? ''] ?? 'x' })
  }
  const chosen = (await author.get(`${path}/pages/${ids.Black}/place`)).text
  assert.match(chosen, /value="after"\s+selected/)
  assert.match(chosen, new RegExp(`value="${ids.Green}"\\s+selected`))
  for (const [title, spot, near, expected] of [
    ['Black', 'after', 'Green', 'Tea (Green (Sencha) Black) Cups Shop'],
    ['Black', 'before', 'Green', 'Tea (Black Green (Sencha)) Cups Shop'],
    ['Green', 'last', 'Cups', 'Tea (Black) Cups (Green (Sencha)) Shop'],
    ['Black', 'first', 'Cups', 'Tea Cups (Black Green (Sencha)) Shop'],
    ['Shop', 'before', 'Tea', 'Shop Tea Cups (Black Green (Sencha))'],
    ['Sencha', 'after', 'Shop', 'Shop Sencha Tea Cups (Black Green)'],
  ] as const) {
    const moved = await author.follow(await move(title, spot, near))
    assert.match(moved.text, /Page moved\./)
    assert.equal(await outline(), expected)
  }
  const now = await outline()
  for (const [title, spot, near, reason] of [
    ['Cups', 'first', 'Green', 'cannot be placed below itself'],
    ['Cups', 'after', 'Green', 'cannot be placed below itself'],
    ['Cups', 'last', 'Cups', 'next to or below itself'],
    ['Tea', 'first', 'Shop', 'A link cannot have pages below it'],
    ['Tea', 'around', 'Cups', 'Choose a position'],
    ['Tea', 'after', undefined, 'There is no such page'],
  ] as const) {
    const refused = await move(title, spot, near)
    assert.ok(refused.status >= 400 && refused.status < 500, `${refused.status}`)
    assert.match(refused.text, new RegExp(`role="alert">[^<]*${reason}`))
    assert.doesNotMatch(refused.text, /body\./)
  }
  assert.equal(await outline(), now)
})

test('the page chosen as a position is listed although there are more pages than are listed', async () => {
  const pages = ['a', 'b', 'c', 'd'].map((entry) => ({ entry }) as Entry)
  const tree = {
    roots: pages,
    byId: new Map(pages.map((page) => [page.entry, page])),
    childrenOf: () => [] as readonly Entry[],
  } as unknown as PageTree
  const [, second, , last] = pages
  const named = ({ shown, more }: ListedPages) => [shown.map(({ page }) => page.entry).join(''), more]
  const listed = firstPages(tree, { most: 2 })
  assert.deepEqual(named(listed), ['ab', 2])
  assert.deepEqual(named(withChosen(listed, last)), ['abd', 1])
  for (const page of [second, undefined]) assert.deepEqual(named(withChosen(listed, page)), ['ab', 2])
})

test('pages, groups and links are added below any page, and refused input is kept', async () => {
  const { site, author, path, api, ids, outline } = await anAuthor()
  const add = async (fields: Record<string, string>) =>
    author.submit(await author.get(`${path}/pages/new`), `${path}/pages`, fields)
  const page = await add({ title: 'Oolong', kind: 'document', address: '', below: ids.Tea! })
  assert.match(page.location!, new RegExp(`^${path}/pages/[0-9a-f-]{36}$`))
  const group = await author.follow(await add({ title: 'Pots', kind: 'group', address: '', below: ids.Cups! }))
  assert.match(group.text, /Added\./)
  const address = 'https://example.com/a?b=c'
  const link = await author.follow(await add({ title: 'Elsewhere', kind: 'link', address, below: '' }))
  for (const [what, title] of Object.entries({ 'New page': 'Oolong', 'New group': 'Pots', 'New link': 'Elsewhere' }))
    assert.match(link.text, new RegExp(`>${what}</span>\\s*<strong>${title}<`))
  assert.equal(await outline(), 'Tea (Green (Sencha) Black Oolong) Cups (Pots) Shop Elsewhere')
  const { pages } = expect(await site.who.get(`${api}/content`), 200)
  const { type, target } = pages.at(-1)
  assert.deepEqual([type, target.url], ['link', address])

  for (const [fields, reason] of [
    [{ kind: 'link', address: 'javascript:alert(1)', below: '' }, 'A link needs the whole address'],
    [{ kind: 'tea', address: '', below: '' }, 'Choose a type'],
    [{ kind: 'computed', address: '', below: '' }, 'Choose the specification'],
    [{ kind: 'document', address: '', below: ids.Shop! }, 'A link cannot have pages below it'],
    [{ kind: 'document', address: '', below: site.space.id }, 'no longer exists'],
  ] as const) {
    const refused = await add({ title: 'Mine <b>', ...fields })
    assert.ok([400, 409].includes(refused.status))
    assert.match(refused.text, new RegExp(`role="alert">[^<]*${reason}`))
    assert.match(refused.text, /name="title" value="Mine &lt;b&gt;"/)
    assert.ok(refused.text.includes(`value="${fields.address}"`))
  }
})

test('an API reference becomes a page for each tag of a specification that its author may see', async () => {
  const { site, author, path, api, outline } = await anAuthor()
  const form = `${path}/pages/new`
  assert.doesNotMatch((await author.get(form)).text, /API reference/)
  await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(petstore) })
  const add = async (fields: Record<string, string>) =>
    author.submit(await author.get(form), `${path}/pages`, { title: 'API', kind: 'computed', below: '', ...fields })
  const other = await add({ spec: 'none' })
  assert.deepEqual([other.status, /role="alert">There is no such specification/.test(other.text)], [404, true])
  const refused = await add({ title: '', spec: 'shop' })
  assert.match(refused.text, /value="computed"\s+selected[^]*value="shop"\s+selected/)
  const added = await author.follow(await add({ spec: 'shop' }))
  assert.match(added.text, /Added\./)
  assert.match(await outline(), /Shop Pets Shop \(Orders\) Other Webhooks Models$/)
  const { pages } = expect(await site.who.get(`${api}/content?computed=false`), 200)
  assert.deepEqual(pages.at(-1).computed.dependencies, { spec: { ref: { kind: 'openapi', spec: 'shop' } } })

  const guest = await site.org.member(null)
  expect(await site.who.post(`${site.space.path}/permissions`, { role: 'edit', users: [guest.id] }), 204)
  const visitor = await signedIn(app, guest)
  assert.doesNotMatch((await visitor.get(form)).text, /API reference/)
  const before = await outline()
  const tried = await visitor.submit(await visitor.get(form), `${path}/pages`, { title: 'API', kind: 'computed', spec: 'shop' }) // prettier-ignore
  assert.deepEqual([tried.status, await outline()], [404, before])
})

test('groups and links are renamed, links get other addresses, and refused input is kept', async () => {
  const { site, author, path, api, ids, outline } = await anAuthor()
  const whole = await author.get(path)
  const at = (title: string) => `${path}/pages/${ids[title]}/title`
  assert.ok(whole.text.includes(`href="${at('Cups')}"`) && whole.text.includes(`href="${at('Shop')}"`))
  const rename = async (title: string, fields: Record<string, string>) =>
    author.submit(await author.get(at(title)), at(title), fields)
  const renamed = await author.follow(await rename('Cups', { title: 'Cups & mugs' }))
  assert.match(renamed.text, /Edited group<\/span>\s*<strong>Cups &amp; mugs<[^]*<details open>[^]*Saved\./)
  const address = 'https://shop.example.com/?a=b'
  const opened = await author.get(at('Shop'))
  assert.match(opened.text, /name="address"[^>]*value="https:\/\/example.com\/"/)
  await author.submit(opened, at('Shop'), { title: 'Store', address })
  assert.match(await outline(), /Cups & mugs Store$/)
  const { pages } = expect(await site.who.get(`${api}/content`), 200)
  assert.equal(pages.at(-1).target.url, address)

  for (const [title, address, reason] of [
    ['Mine <b>', 'javascript:alert(1)', 'A link needs the whole address'],
    [' ', 'https://a.example/', 'A page needs a title'],
  ] as const) {
    const refused = await rename('Shop', { title, address })
    assert.deepEqual([refused.status, refused.text.includes(`value="${address}"`)], [409, true])
    assert.match(refused.text, new RegExp(`role="alert">${reason}`))
  }
  const late = await author.submit(opened, at('Shop'), { title: 'Late <i>', address })
  assert.equal(late.status, 409)
  assert.match(late.text, /role="alert">Somebody has changed it[^]*value="Late &lt;i&gt;"/)
  assert.match(await outline(), /Store$/)
  assert.equal((await author.get(at('Tea'))).status, 404)
  const reader = await signedIn(app, await site.org.member('comment'))
  assert.equal((await reader.get(at('Cups'))).status, 403)
})

test('a link with a title longer than the form allows can get a new address, and keeps its title', async () => {
  const { site, author, path, api } = await anAuthor()
  const title = 'Long '.repeat(50).trim()
  const link = { operation: 'insert_page', type: 'link', metadata: { title }, target: linkTo('https://example.com/') }
  expect(await site.who.post(`${api}/content`, { changes: [link] }), 200)
  const { pages } = expect(await site.who.get(`${api}/content`), 200)
  const { id } = pages.find((page: { title: string }) => page.title === title)
  const address = `${path}/pages/${id}/title`
  const done = await author.submit(await author.get(address), address, { title, address: 'https://example.com/new' })
  assert.equal(done.status, 303, done.text)
  const refused = await author.submit(await author.get(address), address, { title: 'x'.repeat(501) })
  assert.match(refused.text, /of at most 500 characters/)
  const now = expect(await site.who.get(`${api}/content/page/${id}`), 200)
  assert.deepEqual([now.title, now.target.url], [title, 'https://example.com/new'])
})

test('pages hidden from readers are marked in the list, and with many pages adding one comes first', async () => {
  const { site, author, space, path, api, ids } = await anAuthor()
  const hide = (title: string) => ({ operation: 'update_page', page: ids[title], hidden: true })
  expect(await site.who.post(`${api}/content`, { changes: [hide('Green'), hide('Cups')] }), 200)
  const marks = ({ text }: { text: string }) =>
    [...text.matchAll(/>([^<]+)<\/a> <span class="row-more">([^<]+)</g)].map(([, title, mark]) => `${title}: ${mark}`)
  assert.deepEqual(marks(await author.get(path)), ['Green: hidden', 'Cups: group, hidden', 'Shop: link'])

  const listed = />\s*Tea\s*</
  const adds = />Add a page</
  const isAbove = ({ text }: { text: string }) => text.search(adds) < text.search(listed)
  assert.equal(isAbove(await author.get(space)), false)
  const changes = Array.from({ length: 20 }, (_, at) => newPage(`Page ${at}`))
  expect(await site.who.post(`${site.space.path}/content`, { changes }), 200)
  assert.equal(isAbove(await author.get(space)), true)
})

test('a merged or archived change request offers nothing to write', async () => {
  const { site, author, path, api, ids } = await anAuthor()
  const pages = ['pages/new', `pages/${ids.Tea}`, `pages/${ids.Tea}/place`, `pages/${ids.Tea}/delete`]
  const open = await author.get(`${path}/pages/new`)
  for (const status of ['archived', 'merged']) {
    if (status === 'archived') expect(await site.who.patch(api, { status }), 200)
    else {
      expect(await site.who.patch(api, { status: 'open' }), 200)
      expect(await site.who.post(`${api}/merge`), 200)
    }
    for (const each of pages) {
      const { status: code, text } = await author.get(`${path}/${each}`)
      assert.equal(code, 200)
      assert.match(text, new RegExp(`<h1>This change request is ${status}</h1>`))
      assert.doesNotMatch(text, /<form|<textarea/)
    }
    const late = await author.submit(open, `${path}/pages`, { title: 'x' })
    assert.deepEqual([late.status, late.text.includes(`<h1>This change request is ${status}</h1>`)], [409, true])
  }
})
