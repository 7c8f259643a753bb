// The spaces of an organization: creating, renaming, deleting and restoring them, in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger, anOrganization } from '../../../test/factories.ts'
import { aLiveSpace, newPage } from '../../../test/editing.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { Person, tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

async function aMaker() {
  const org = await anOrganization(app)
  const path = `/app/o/${org.id}`
  const maker = await signedIn(app, await org.member('create'))
  const spaces = async () =>
    expect(await org.admin.client.get(`/v1/orgs/${org.id}/spaces`), 200).items as { id: string; title: string }[]
  const make = async (title: string) => {
    const made = await maker.submit(await maker.get(path), `${path}/spaces`, { title })
    return { made, id: made.location?.split('/s/')[1] ?? '' }
  }
  return { org, path, maker, spaces, make }
}

test('a member who may create spaces creates one despite repeated clicks, and lands on it', async () => {
  const { path, maker, spaces } = await aMaker()
  const page = await maker.get(path)
  const before = (await spaces()).length
  const [made, again] = await Promise.all(
    [1, 2].map(() => maker.submit(page, `${path}/spaces`, { title: 'Tea & more' })),
  )
  assert.equal(made!.status, 303)
  assert.equal(made!.location, again!.location)
  const opened = await maker.follow(made!)
  assert.match(opened.text, /<h1>Tea &amp; more<\/h1>/)
  // What people do first comes first: in an empty space, that is writing a page.
  assert.match(opened.text, /aria-label="Pages"[^]*No pages yet\. Write the first one[^]*aria-label="Change requests"/)
  const space = made!.location!
  const adding = await maker.submit(opened, `${space}/~/edits`, { page: 'new' })
  assert.equal(adding.location, `${space}/~/changes/1/pages/new`)
  assert.match((await maker.follow(adding)).text, /<h1>New page<\/h1>/)
  const begun = (await maker.get(space)).text
  assert.match(begun, /aria-label="Change requests"[^]*New page[^]*aria-label="Pages"[^]*No pages yet\./)
  assert.equal((await spaces()).length, before + 1)
  assert.match((await maker.get(path)).text, /<strong>Tea &amp; more<\/strong>/)
})

test('the page of an unpublished space links members who may create a site to the sites', async () => {
  const { org, space } = await aSite(app)
  const loose = await aLiveSpace(app, org)
  const home = `/app/o/${org.id}`
  const maker = await signedIn(app, await org.member('create'))
  const way = `<a href="${home}/sites">a published site</a>`
  assert.ok(!(await maker.get(`${home}/s/${loose.id}`)).text.includes(way))
  expect(await loose.edit(newPage('Tea')), 200)
  assert.ok((await maker.get(`${home}/s/${loose.id}`)).text.includes(way))
  assert.ok(!(await maker.get(`${home}/s/${space.id}`)).text.includes(way))
  const editor = await signedIn(app, await org.member('edit'))
  assert.ok(!(await editor.get(`${home}/s/${loose.id}`)).text.includes(way))
})

test('a missing or too long space title is refused with the reason, and stays in its field', async () => {
  const { path, maker, spaces, make } = await aMaker()
  const before = await spaces()
  for (const title of [' ', 'x'.repeat(51), 'a\nb']) {
    const { made } = await make(title)
    assert.equal(made.status, 409)
    assert.match(made.text, /role="alert">A space needs a title of at most 50 characters\./)
    assert.ok(made.text.includes(`name="title" value="${title.trim()}"`))
  }
  assert.deepEqual(await spaces(), before)
  const { id } = await make('Tea')
  const settings = `${path}/s/${id}/~/settings`
  assert.equal((await maker.submit(await maker.get(settings), settings, { title: '' })).status, 409)
})

test('a form used again long after its space was deleted creates another space', async () => {
  const { path, maker, spaces } = await aMaker()
  const page = await maker.get(path)
  const first = (await maker.submit(page, `${path}/spaces`, { title: 'Tea' })).location!
  assert.equal((await maker.submit(page, `${path}/spaces`, { title: 'Tea' })).location, first)
  await maker.submit(await maker.get(`${first}/~/settings`), `${first}/~/delete`)
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
  const second = (await maker.submit(page, `${path}/spaces`, { title: 'Tea' })).location!
  mock.timers.reset()
  assert.notEqual(second, first)
  assert.ok((await spaces()).some(({ id }) => second.endsWith(id)))
})

test('two clicks to delete a space lead to the same page, whichever is quicker', async () => {
  const { path, maker, make } = await aMaker()
  for (let round = 0; round < 8; round++) {
    const { id } = await make(`Tea ${round}`)
    const settings = await maker.get(`${path}/s/${id}/~/settings`)
    const clicks = await Promise.all([1, 2].map(() => maker.submit(settings, `${path}/s/${id}/~/delete`)))
    assert.deepEqual(
      clicks.map(({ location }) => location),
      [`${path}?done=deleted`, `${path}?done=deleted`],
    )
  }
})

test('a space can be renamed, deleted and restored, and repeated clicks have the same result', async () => {
  const { path, maker, spaces, make } = await aMaker()
  const { id } = await make('Tea')
  const settings = `${path}/s/${id}/~/settings`
  assert.ok((await maker.get(`${path}/s/${id}`)).text.includes(`href="${settings}"`))
  const renamed = await maker.follow(await maker.submit(await maker.get(settings), settings, { title: 'Coffee' }))
  assert.match(renamed.text, /Renamed./)
  assert.ok((await spaces()).some((each) => each.id === id && each.title === 'Coffee'))

  const remove = () => maker.submit(renamed, `${path}/s/${id}/~/delete`)
  const clicks = [...(await Promise.all([remove(), remove()])), await remove()]
  for (const { location } of clicks) assert.equal(location, `${path}?done=deleted`)
  const deleted = await maker.follow(clicks[0]!)
  assert.match(deleted.text, /Space deleted.[^]*aria-label="Deleted spaces"[^]*<strong>Coffee<\/strong>/)
  assert.ok((await spaces()).every((each) => each.id !== id))
  const [back, second] = await Promise.all([1, 2].map(() => maker.submit(deleted, `${path}/spaces/restore`)))
  const led = `${path}/s/${id}?done=restored`
  assert.deepEqual([back!.location, second!.location], [led, led], 'a second click')
  assert.match((await maker.follow(back!)).text, /<h1>Coffee<\/h1>[^]*Space restored./)
  const again = await maker.post(`${path}/spaces/restore`, { ...tokenIn(await maker.get(path)), space: id })
  assert.deepEqual([again.status, /role="alert">This space is not deleted/.test(again.text)], [409, true])
  for (const space of ['', 'x', newId()])
    assert.equal((await maker.post(`${path}/spaces/restore`, { ...tokenIn(deleted), space })).status, 404)
})

test('a space is restored only in its own organization, even by a member of two organizations', async () => {
  const [home, other] = [await anOrganization(app), await anOrganization(app)]
  const { client, id: userId } = home.admin
  const space = expect(await client.post(`/v1/orgs/${home.id}/spaces`, { title: 'Tea' }), 201).id as string
  assert.equal((await client.delete(`/v1/spaces/${space}`)).status, 205)
  await app.db.run(sql`insert into members (organization_id, user_id, role) values (${other.id}, ${userId}, 'admin')`)
  const person = await signedIn(app, home.admin)
  const restore = async ({ id }: { id: string }) =>
    person.post(`/app/o/${id}/spaces/restore`, { ...tokenIn(await person.get(`/app/o/${id}`)), space })
  const refused = await restore(other)
  assert.deepEqual([refused.status, /role="alert">There is no such space/.test(refused.text)], [404, true])
  assert.equal((await client.get(`/v1/spaces/${space}`)).status, 404)
  assert.equal((await restore(home)).status, 303)
})

test('members without the right cannot create, rename, delete or restore a space, and forged forms are refused', async () => {
  const { org, path, maker, spaces, make } = await aMaker()
  const { id } = await make('Tea')
  const settings = `${path}/s/${id}/~/settings`
  const gone = (await make('Gone')).id
  await maker.submit(await maker.get(`${path}/s/${gone}/~/settings`), `${path}/s/${gone}/~/delete`)
  const before = await spaces()
  const writer = await signedIn(app, await org.member('review'))
  const page = await writer.get(path)
  assert.doesNotMatch(page.text, /<form method="post"|Deleted/)
  assert.equal((await writer.get(settings)).location, `${path}/s/${id}`)
  // The page of the space has a form of its own, for change requests.
  const { form } = tokenIn(await writer.get(`${path}/s/${id}`))
  const actions = ['/spaces', '/spaces/restore', `/s/${id}/~/settings`, `/s/${id}/~/delete`].map((each) => path + each)
  for (const action of actions) {
    const refused = await writer.post(action, { form, title: 'x', space: gone })
    assert.equal(refused.status, action.endsWith('restore') ? 404 : 403, action)
    assert.match(refused.text, /You may not|role="alert">There is no such space/)
    const own = tokenIn(await maker.get(path))
    const elsewhere = { origin: 'https://evil.example' }
    assert.equal((await maker.post(action, { ...own, title: 'x', space: gone }, elsewhere)).status, 403, action)
    assert.equal((await maker.post(action, { form: 'x.x', title: 'x', space: gone })).status, 403, action)
    assert.match((await new Person(app).post(action, { form })).location!, /^\/login/)
  }
  const stranger = await signedIn(app, await aStranger(app))
  const nothing = (await new Person(app).get('/app/x')).text
  for (const each of [path, settings]) assert.equal((await stranger.get(each)).text, nothing)
  assert.deepEqual(await spaces(), before)
})
