// Collections: creating, filling, renaming, moving and deleting them, in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger, anOrganization } from '../../../test/factories.ts'
import { until } from '../../../test/until.ts'
import { expect } from '../../../test/visitor.ts'
import { type Page, Person, tokenIn } from '../../account/testing/person.ts'
import { lockTree } from '../../collections/tree.ts'
import { sql } from '../../db/sql.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()
const nothing = (await new Person(app).get('/app/x')).text

async function aShelf() {
  const org = await anOrganization(app)
  const { client } = org.admin
  const home = `/app/o/${org.id}`
  const make = async (what: 'spaces' | 'collections', title: string, parent?: string) =>
    expect(await client.post(`/v1/orgs/${org.id}/${what}`, { title, ...(parent !== undefined && { parent }) }), 201)
      .id as string
  const list = async (what: 'spaces' | 'collections') =>
    expect(await client.get(`/v1/orgs/${org.id}/${what}`), 200).items as {
      id: string
      title: string
      parent?: string
    }[]
  const parentOf = async (id: string) =>
    [...(await list('spaces')), ...(await list('collections'))].find((each) => each.id === id)?.parent
  return { org, home, make, list, parentOf, admin: await signedIn(app, org.admin) }
}

/** Waits until a query waits for a lock that the test holds. */
const somebodyWaits = () =>
  until('it waits', async () => {
    const waiting = await app.db.all(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return waiting.length > 0
  })

/** Returns what a page lists, in its order, with the depth of each item. */
const treeIn = ({ text }: Page) =>
  [...text.matchAll(/<li data-depth="(\d)">[^]*?<strong>([^<]*)<\/strong>/g)].map(
    ([, depth, title]) => `${depth} ${title}`,
  )

test('spaces are listed below their collections in the given order, and those of a hidden collection at the top', async () => {
  const { org, home, make, admin } = await aShelf()
  const books = await make('collections', 'Books')
  await make('spaces', 'Alone')
  const [inner, tea] = [await make('collections', 'Inner', books), await make('spaces', 'Tea', books)]
  const cups = await make('spaces', 'Cups', inner)
  const position = { before: { type: 'collection', collection: inner } }
  expect(await org.admin.client.post(`/v1/spaces/${tea}/move`, { position }), 200)
  assert.deepEqual(treeIn(await admin.get(home)), ['0 Books', '1 Tea', '1 Inner', '2 Cups', '0 Alone'])
  assert.deepEqual(treeIn(await admin.get(`${home}/c/${books}`)), ['0 Tea', '0 Inner', '1 Cups'])
  assert.ok((await admin.get(`${home}/c/${inner}`)).text.includes(`href="${home}/c/${books}">Books</a>`))
  assert.ok((await admin.get(`${home}/s/${cups}`)).text.includes(`href="${home}/c/${inner}">Inner</a>`))

  const member = await org.member('read')
  expect(await org.admin.client.patch(`/v1/collections/${books}`, { defaultLevel: null }), 200)
  expect(await org.admin.client.post(`/v1/spaces/${cups}/permissions`, { role: 'create', users: [member.id] }), 204)
  const person = await signedIn(app, member)
  assert.deepEqual(treeIn(await person.get(home)).toSorted(), ['0 Alone', '0 Cups'])
  for (const id of [books, inner]) assert.equal((await person.get(`${home}/c/${id}`)).text, nothing)
  for (const each of ['', '/~/access', '/~/settings']) {
    const { text } = await person.get(`${home}/s/${cups}${each}`)
    assert.ok(!/Inner|Books/.test(text) && !text.includes(inner), each)
  }
})

test('repeated clicks create one collection, and spaces and collections can be created in it', async () => {
  const { home, list, parentOf, admin } = await aShelf()
  const page = await admin.get(home)
  const [one, two] = await Promise.all([1, 2].map(() => admin.submit(page, `${home}/collections`, { title: 'Tea & more' }))) // prettier-ignore
  assert.equal(one!.location, two!.location)
  const books = one!.location!
  const shown = await admin.follow(one!)
  assert.match(shown.text, /<h1>Tea &amp; more<\/h1>[^]*Nothing here yet./)
  const space = await admin.submit(shown, `${books}/spaces`, { title: 'Cups' })
  const inner = await admin.submit(shown, `${books}/collections`, { title: 'Inner' })
  assert.deepEqual(treeIn(await admin.get(home)), ['0 Tea &amp; more', '1 Cups', '1 Inner'])
  for (const { location } of [space, inner])
    assert.equal(await parentOf(location!.split('/').at(-1)!), books.split('/').at(-1))
  for (const path of [home, books])
    for (const title of ['', ' ', 'x'.repeat(51)]) {
      const refused = await admin.submit(await admin.get(path), `${path}/collections`, { title })
      assert.equal(refused.status, 409)
      assert.match(refused.text, /role="alert">A collection needs a title of at most 50 characters\./)
      assert.ok(refused.text.includes(`name="title" value="${title.trim()}"`))
    }
  assert.equal((await list('collections')).length, 2)
  // A user who adds to a collection that is deleted at this moment is told so, and keeps what they typed.
  const open = await admin.get(inner.location!)
  let late: Promise<Page> | undefined
  await transaction(app.db, nobody, async (tx) => {
    await tx.run(sql`delete from collections where id = ${inner.location!.split('/').at(-1)}`)
    late = admin.submit(open, `${inner.location}/spaces`, { title: 'Spoons' })
    await somebodyWaits()
  })
  const { status, text } = await late!
  assert.deepEqual(
    [status, /role="alert">Something that this request refers to has just been removed/.test(text)],
    [409, true],
  )
  assert.match(text, /name="title" value="Spoons"/)
})

test('a collection is renamed unless someone changed it meanwhile, and deleted after a confirmation once it is empty', async () => {
  const { org, home, make, list, admin } = await aShelf()
  const id = await make('collections', 'Books')
  const [path, settings] = [`${home}/c/${id}`, `${home}/c/${id}/settings`]
  const older = await admin.get(settings)
  const saved = await admin.submit(older, settings, { title: 'Shelf', description: 'What we read' })
  assert.match((await admin.follow(saved)).text, /Saved./)
  assert.match((await admin.get(path)).text, /<h1>Shelf<\/h1>[^]*What we read/)
  const late = await admin.submit(older, settings, { title: 'Mine', description: '' })
  assert.equal(late.status, 409)
  assert.match(late.text, /role="alert">[^<]*it is “Shelf” now[^]*name="title"\s+value="Mine"/)
  for (const [title, description] of [
    ['', 'x'],
    ['x', 'x'.repeat(101)],
    ['x', 'a\nb'],
  ] as const)
    // prettier-ignore
    assert.equal((await admin.submit(await admin.get(settings), settings, { title, description })).status, 409)
  assert.deepEqual((await list('collections')).map(({ title }) => title), ['Shelf']) // prettier-ignore
  // The field has one line. A description that a program wrote in several lines is not lost when the title changes.
  expect(await org.admin.client.patch(`/v1/collections/${id}`, { description: 'One\nTwo' }), 200)
  const lines = await admin.get(settings)
  assert.match(lines.text, /name="description"\s+value="One Two"/)
  await admin.submit(lines, settings, { title: 'Shelf', description: 'One Two' })
  await admin.submit(lines, settings, { title: 'Rack', description: 'One Two' })
  const { title, description } = expect(await org.admin.client.get(`/v1/collections/${id}`), 200)
  assert.deepEqual({ title, description }, { title: 'Rack', description: 'One\nTwo' })

  const empty = await admin.get(settings)
  assert.match(empty.text, /Delete “Rack”\?/)
  const space = await make('spaces', 'Tea', id)
  assert.match((await admin.get(settings)).text, /First move or delete what is in it/)
  const refused = await admin.submit(empty, `${path}/delete`)
  assert.deepEqual([refused.status, /role="alert">This collection is not empty/.test(refused.text)], [409, true])
  expect(await org.admin.client.delete(`/v1/spaces/${space}`), 205)
  const deleted = await Promise.all([1, 2].map(() => admin.submit(empty, `${path}/delete`)))
  for (const each of deleted) assert.equal(each.location, `${home}?done=emptied`)
  assert.match((await admin.follow(deleted[0]!)).text, /Collection deleted./)
  assert.deepEqual(await list('collections'), [])
})

test('spaces and collections can be moved into a collection and to the top, unless someone moved them meanwhile', async () => {
  const { home, make, parentOf, admin } = await aShelf()
  const [books, other] = [await make('collections', 'Books'), await make('collections', 'Other')]
  for (const [id, path] of [
    [await make('spaces', 'Tea'), '/~/'],
    [await make('collections', 'Inner'), '/'],
  ] as const) {
    const at = `${home}/${path === '/' ? 'c' : 's'}/${id}${path}`
    const older = await admin.get(`${at}settings`)
    const [moved] = await Promise.all([1, 2].map(() => admin.submit(older, `${at}move`, { into: books })))
    assert.match((await admin.follow(moved!)).text, new RegExp(`Moved[^]*<option value="${books}" selected>`))
    assert.equal(await parentOf(id), books)
    const late = await admin.submit(older, `${at}move`, { into: other })
    assert.deepEqual([late.status, /role="alert">[^<]*Somebody has moved it into “Books”/.test(late.text)], [409, true])
    for (const into of ['x', newId()]) {
      const refused = await admin.submit(await admin.get(`${at}settings`), `${at}move`, { into })
      assert.deepEqual([refused.status, /role="alert">There is no such collection/.test(refused.text)], [400, true])
    }
    assert.equal(await parentOf(id), books)
    await admin.submit(await admin.get(`${at}settings`), `${at}move`, { into: '' })
    assert.equal(await parentOf(id), undefined)
  }
  // If what was chosen no longer exists, a second click leaves the space where it is.
  const tea = await make('spaces', 'Kept', books)
  const at = `${home}/s/${tea}/~/`
  const refused = await admin.submit(await admin.get(`${at}settings`), `${at}move`, { into: newId() })
  assert.match(refused.text, new RegExp(`<option value="${books}" selected>`))
  // A collection can be moved neither into itself nor into what it contains.
  const inner = await make('collections', 'Deep', books)
  const settings = await admin.get(`${home}/c/${books}/settings`)
  for (const into of [books, inner]) {
    assert.ok(!settings.text.includes(`<option value="${into}"`))
    assert.equal((await admin.submit(settings, `${home}/c/${books}/move`, { into })).status, 409)
  }
})

test('a move to the top is refused if the person loses their role while it waits', async () => {
  const { org, home, make, parentOf } = await aShelf()
  const [other, books] = [await make('collections', 'Other'), await make('collections', 'Books')]
  const tea = await make('spaces', 'Tea', books)
  const member = await org.member('create')
  for (const thing of [`spaces/${tea}`, `collections/${other}`])
    expect(await org.admin.client.post(`/v1/${thing}/permissions`, { role: 'create', users: [member.id] }), 204)
  const person = await signedIn(app, member)
  const at = `${home}/s/${tea}/~/`
  const page = await person.get(`${at}settings`)
  let moving: Promise<Page> | undefined
  await transaction(app.db, nobody, async (tx) => {
    await lockTree(tx, org.id)
    moving = person.submit(page, `${at}move`, { into: '' })
    await somebodyWaits()
    expect(await org.admin.client.patch(`/v1/orgs/${org.id}/members/${member.id}`, { role: 'read' }), 200)
  })
  const { status, text } = await moving!
  assert.deepEqual([status, /You may not create content at the top/.test(text)], [403, true])
  // The form does not show another collection as chosen either, so the next click cannot move the space there.
  const again = await person.submit(page, `${at}move`, { into: '' })
  assert.match(again.text, new RegExp(`<option value="${other}" >[^]*<option value="${books}" selected>`))
  assert.equal(await parentOf(tea), books)
})

test('spaces and collections can be reordered, unless someone changed the order meanwhile', async () => {
  const { org, home, make, admin } = await aShelf()
  const books = await make('collections', 'Books')
  const [tea, cups] = [await make('spaces', 'Tea', books), await make('spaces', 'Cups', books)]
  const pots = await make('collections', 'Pots', books)
  await make('spaces', 'Lids', pots)
  const inBooks = async () => treeIn(await admin.get(`${home}/c/${books}`))
  const settings = `${home}/s/${cups}/~/settings`
  const first = await admin.get(settings)
  assert.match(first.text, new RegExp(`<option value="${tea}" selected>after “Tea”<[^]*after “Pots”`))
  assert.ok(!first.text.includes('after “Lids”'))
  const put = (page: Page, near: string) => admin.submit(page, `${home}/s/${cups}/~/order`, { near })
  assert.equal((await put(first, pots)).status, 303)
  assert.deepEqual(await inBooks(), ['0 Tea', '0 Pots', '1 Lids', '0 Cups'])
  const late = await put(first, '')
  assert.deepEqual([late.status, /changed the order/.test(late.text)], [409, true])
  assert.equal((await put(await admin.get(settings), '')).status, 303)
  const page = await admin.get(`${home}/c/${pots}/settings`)
  assert.equal((await admin.submit(page, `${home}/c/${pots}/order`, { near: '' })).status, 303)
  assert.deepEqual(await inBooks(), ['0 Pots', '1 Lids', '0 Cups', '0 Tea'])

  // A user who may only set up the space itself cannot change the order of what is around it.
  const member = await org.member('read')
  expect(await org.admin.client.post(`/v1/spaces/${cups}/permissions`, { role: 'create', users: [member.id] }), 204)
  const person = await signedIn(app, member)
  const theirs = await person.get(settings)
  assert.ok(!theirs.text.includes('~/order'))
  const refused = await person.post(`${home}/s/${cups}/~/order`, { ...tokenIn(theirs), near: '', seen: pots })
  assert.equal(refused.status, 403)
  assert.deepEqual(await inBooks(), ['0 Pots', '1 Lids', '0 Cups', '0 Tea'])
})

test('a space in a hidden collection is not offered as a position at the top, and is refused as one', async () => {
  const { org, home, make } = await aShelf()
  const books = await make('collections', 'Books')
  const [tea, cups] = [await make('spaces', 'Tea', books), await make('spaces', 'Cups')]
  await make('spaces', 'Pots')
  const member = await org.member('create')
  expect(await org.admin.client.patch(`/v1/collections/${books}`, { defaultLevel: null }), 200)
  expect(await org.admin.client.post(`/v1/spaces/${tea}/permissions`, { role: 'create', users: [member.id] }), 204)
  const person = await signedIn(app, member)
  assert.ok(treeIn(await person.get(home)).includes('0 Tea'))
  const page = await person.get(`${home}/s/${cups}/~/settings`)
  assert.match(
    page.text,
    /<option value="" selected>first<\/option>\s*<option value="[^"]+" >after “Pots”<\/option>\s*<\/select>/,
  )
  const { status, text } = await person.submit(page, `${home}/s/${cups}/~/order`, { near: tea })
  assert.deepEqual([status, /role="alert">Somebody has changed the order/.test(text)], [409, true])
})

test('members without the right cannot create, change or move anything in a collection, and forged forms are refused', async () => {
  const { org, home, make, list, admin } = await aShelf()
  const books = await make('collections', 'Books')
  const [path, tea] = [`${home}/c/${books}`, await make('spaces', 'Tea', books)]
  const before = [await list('spaces'), await list('collections')]
  const person = await signedIn(app, await org.member('review'))
  const stranger = await signedIn(app, await aStranger(app))
  const seen = await person.get(path)
  assert.deepEqual(treeIn(seen), ['0 Tea'])
  assert.doesNotMatch(seen.text, /<form method="post"|>Settings<|>Access</)
  assert.equal((await person.get(`${path}/settings`)).location, path)
  const { form } = tokenIn(await person.get('/account'))
  const fields = { title: 'x', description: 'x', into: '', near: '', seen: '' }
  const actions = ['spaces', 'collections', 'settings', 'move', 'order', 'delete'].map((each) => `${path}/${each}`)
  for (const action of [...actions, `${home}/collections`, `${home}/s/${tea}/~/move`, `${home}/s/${tea}/~/order`]) {
    const refused = await person.post(action, { form, ...fields })
    assert.deepEqual([refused.status, /You may not/.test(refused.text)], [403, true], action)
    const theirs = tokenIn(await stranger.get('/account'))
    assert.equal((await stranger.post(action, { ...theirs, ...fields })).text, nothing, action)
    const own = tokenIn(await admin.get(home))
    assert.equal((await admin.post(action, { ...own, ...fields }, { origin: 'https://evil.example' })).status, 403)
    assert.equal((await admin.post(action, { form: 'x.x', ...fields })).status, 403)
    assert.match((await new Person(app).post(action, { ...own, ...fields })).location!, /^\/login/)
  }
  for (const each of [path, `${path}/settings`]) assert.equal((await stranger.get(each)).text, nothing)
  assert.deepEqual([await list('spaces'), await list('collections')], before)
})

test('hundreds of spaces are listed with as many statements as one', async (t) => {
  const { org, home, make, admin } = await aShelf()
  const books = await make('collections', 'Books')
  await make('spaces', 'Tea', books)
  const spaces = sql`insert into spaces (organization_id, id, collection_id, title, edit_mode, inherits, position, merge_rules)`
  const ids = Array.from({ length: 520 }, () => newId())
  let statements = 0
  for (const way of ['all', 'find', 'one'] as const) {
    const ask = app.app.db[way] as (...asked: unknown[]) => unknown
    t.mock.method(app.app.db, way, (...asked: unknown[]) => {
      statements++
      return ask.apply(app.app.db, asked)
    })
  }
  await admin.get(home)
  const few = statements
  await app.db
    .run(sql`${spaces} select ${org.id}, id, ${books}, 'Many', 'locked', true, 'b' || id, '{"type":"inherit"}'::jsonb
    from unnest(${ids}::uuid[]) given (id)`)
  statements = 0
  const page = await admin.get(home)
  assert.equal(statements, few)
  assert.equal(treeIn(page).length, 500)
  assert.match(page.text, /And 22 more: open a collection, or use the API./)
})
