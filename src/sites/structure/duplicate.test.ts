// Versions of a site's content that are created as copies of another, and versions that readers do not see yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aBuiltSite } from '../../../test/built-site.ts'
import { grant } from '../../../test/content.ts'
import { aStranger } from '../../../test/factories.ts'
import { stateOf } from '../../../test/state.ts'
import { newId } from '../../ids.ts'

const app = await startApp()

test('a duplicate stands right after its original, with the same content, look and condition and its own path', async () => {
  const { done, section, variant, shape, who, path } = await aBuiltSite(app)
  const one = await section('Guide')
  await variant('Old', one.id)
  const [guide] = one.siteSpaces
  await done('PATCH', `/site-spaces/${guide.id}`, { title: 'Version 1', condition: 'visitor.claims.beta' })
  await done('PATCH', `/site-spaces/${guide.id}/customization`, { styling: { corners: 'straight' } })

  const copy = await done('POST', `/site-spaces/${guide.id}/duplicate`)
  assert.equal(await shape(), 'Guide*(Version 1* Guide (copy) Old)')
  assert.deepEqual(
    [copy.object, copy.path, copy.section, copy.condition, copy.draft, copy.default],
    ['site-space', 'guide-copy', one.id, 'visitor.claims.beta', false, false],
  )
  assert.notEqual(copy.space.id, guide.space.id)
  assert.equal((await who.get(`${path}/site-spaces/${copy.id}/customization`)).body.styling.corners, 'straight')
  const titles = async (id: string) =>
    (await who.get(`/v1/spaces/${id}/content/pages`)).body.pages.map(({ title }: any) => title)
  assert.deepEqual(await titles(copy.space.id), await titles(guide.space.id))
})

test('a duplicate at the root of a site stands right after its original', async () => {
  const { done, shape, who, path } = await aBuiltSite(app, ['One', 'Two'])
  const { items } = (await who.get(`${path}/site-spaces`)).body
  const copy = await done('POST', `/site-spaces/${items[0].id}/duplicate`, { draft: true })
  assert.equal(await shape(), 'One* One (copy) Two')
  assert.deepEqual([copy.draft, copy.urls], [true, {}])
})

test('duplicating needs the rights to change the site, to see the space, and to create a space beside it', async () => {
  const { org, who, path, newSpace, done } = await aBuiltSite(app)
  const collection = (await who.post(`/v1/orgs/${org.id}/collections`, { title: 'Closed' })).body
  const spaceId = await newSpace('Guide')
  assert.equal((await who.post(`/v1/spaces/${spaceId}/move`, { parent: collection.id })).status, 200)
  const { id } = await done('POST', '/site-spaces', { spaceId })
  const duplicate = (client: typeof who, of = id) => client.post(`${path}/site-spaces/${of}/duplicate`, { draft: true })
  const [creator, reviewer, stranger] = [await org.member('create'), await org.member('review'), await aStranger(app)]
  const level = (defaultLevel: string | null) => who.patch(`/v1/collections/${collection.id}`, { defaultLevel })
  const before = await stateOf(app.db)
  assert.equal((await duplicate(reviewer.client)).status, 403, 'only reads the site')
  assert.equal((await duplicate(stranger.client)).status, 404)
  assert.equal((await duplicate(who, newId())).status, 404)
  assert.deepEqual(await stateOf(app.db), before)
  await level('review')
  assert.equal((await duplicate(creator.client)).status, 403, 'makes no space in the collection')
  await level(null)
  assert.equal((await duplicate(creator.client)).status, 404, 'does not see the space')
  await grant(who, collection, { users: [creator.id] }, 'create')
  const made = await duplicate(creator.client)
  assert.deepEqual([made.status, made.body.space.parent, made.body.space.permissions.admin], [201, collection.id, true])
})

test('a draft variant is in the structure for editing, but not in the published view, and has no address', async () => {
  const { done, who, path, shape } = await aBuiltSite(app, ['Guide'])
  await done('POST', '/publish', undefined, 200)
  const [guide] = (await who.get(`${path}/site-spaces`)).body.items
  const copy = await done('POST', `/site-spaces/${guide.id}/duplicate`, { draft: true })
  assert.equal(await shape(), 'Guide* Guide (copy)')
  const published = async () => (await who.get(`${path}/published`)).body
  assert.deepEqual(
    (await published()).structure.structure.map(({ title }: any) => title),
    ['Guide'],
  )
  const urls = async () => (await who.get(`/v1/spaces/${copy.space.id}`)).body.urls.published as string | undefined
  assert.equal(await urls(), undefined)
  const shown = await done('PATCH', `/site-spaces/${copy.id}`, { draft: false })
  assert.match(shown.urls.published, /\/site\/guide-copy\/$/)
  assert.equal(await urls(), shown.urls.published)
  assert.equal((await published()).structure.structure.length, 2)
})

test('a published site keeps something that is not a draft, and a site with only drafts cannot be published', async () => {
  const { done, who, path } = await aBuiltSite(app, ['Guide'])
  const [guide] = (await who.get(`${path}/site-spaces`)).body.items
  await done('PATCH', `/site-spaces/${guide.id}`, { draft: true })
  const refused = await who.post(`${path}/publish`)
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /Everything in it is a draft/)
  await done('PATCH', `/site-spaces/${guide.id}`, { draft: false })
  await done('POST', '/publish', undefined, 200)
  const copy = await done('POST', `/site-spaces/${guide.id}/duplicate`, { draft: true })
  for (const answer of [
    await who.patch(`${path}/site-spaces/${guide.id}`, { draft: true }),
    await who.delete(`${path}/site-spaces/${guide.id}`),
  ])
    assert.equal(answer.status, 409, answer.text)
  await done('PATCH', `/site-spaces/${copy.id}`, { draft: false })
  await done('PATCH', `/site-spaces/${guide.id}`, { draft: true })
})

test('a draft can be removed from a published site that shows nothing to readers', async () => {
  const { done, who, path, shape } = await aBuiltSite(app, ['Guide'])
  await done('POST', '/publish', undefined, 200)
  const [guide] = (await who.get(`${path}/site-spaces`)).body.items
  const copy = await done('POST', `/site-spaces/${guide.id}/duplicate`, { draft: true })
  assert.equal((await who.delete(`/v1/spaces/${guide.space.id}`)).status, 205)
  assert.equal((await who.delete(`${path}/site-spaces/${copy.id}`)).status, 205)
  assert.equal((await who.post(`/v1/spaces/${guide.space.id}/restore`)).status, 200)
  assert.equal(await shape(), 'Guide*')
})

test('repeating a duplication with the same Idempotency-Key makes one copy', async () => {
  const { who, path, shape } = await aBuiltSite(app, ['Guide'])
  const [guide] = (await who.get(`${path}/site-spaces`)).body.items
  const send = () => who.post(`${path}/site-spaces/${guide.id}/duplicate`, { draft: true }, { 'idempotency-key': 'k' })
  const [first, second] = [await send(), await send()]
  assert.equal(first.body.id, second.body.id)
  assert.equal(await shape(), 'Guide* Guide (copy)')
})
