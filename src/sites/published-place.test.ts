import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace } from '../../test/content.ts'
import { anOrganization } from '../../test/factories.ts'

const app = await startApp()

async function aSpaceInSites(visibilities: string[]) {
  const org = await anOrganization(app)
  const who = org.admin.client
  const space = await aSpace(who, org.id, { title: 'Guide' })
  const sites: string[] = []
  for (const visibility of visibilities) {
    const { body } = await who.post(`/v1/orgs/${org.id}/sites`, { title: visibility, visibility, spaces: [space.id] })
    sites.push(`/v1/orgs/${org.id}/sites/${body.id}`)
  }
  const see = async () => (await who.get(`/v1/spaces/${space.id}`)).body
  return { org, who, space, sites, see, base: `http://lectern.test/sites/${org.row.hostname}/` }
}

test('a space is as visible as the most open of the published sites that hold it', async () => {
  const { who, sites, see, base, org, space } = await aSpaceInSites([
    'visitor-auth',
    'share-link',
    'unlisted',
    'public',
  ])
  const shown = async () => {
    const { visibility, visitorAuth, urls } = await see()
    return [visibility, visitorAuth?.backend, urls.published, urls.public]
  }
  assert.deepEqual(await shown(), ['private', undefined, undefined, undefined])
  const steps = [
    ['visitor-auth', 'custom', `${base}visitor-auth/`, undefined],
    ['share-link', undefined, undefined, undefined],
    ['unlisted', undefined, `${base}unlisted/`, undefined],
    ['public', undefined, `${base}public/`, `${base}public/`],
  ]
  for (const [i, expected] of steps.entries()) {
    await who.post(`${sites[i]}/publish`)
    assert.deepEqual(await shown(), expected)
  }
  const listed = (await who.get(`/v1/orgs/${org.id}/spaces`)).body.items[0]
  assert.deepEqual(listed, await see(), 'lists say the same')

  const collection = await aCollection(who, org.id)
  await who.post(`/v1/spaces/${space.id}/move`, { parent: collection.id })
  assert.equal((await see()).visibility, 'public')
  assert.equal((await who.get(`/v1/collections/${collection.id}/spaces`)).body.items[0].visibility, 'public')
  for (const site of sites) await who.post(`${site}/unpublish`)
  assert.equal((await see()).visibility, 'in-collection')
})

test('the published address of a space has only the paths that it needs, and is gone once the site is deleted', async () => {
  const { who, sites, see, base, org } = await aSpaceInSites(['public'])
  const site = sites[0]!
  await who.post(`${site}/publish`)
  const published = async () => (await see()).urls.published
  assert.equal(await published(), `${base}public/`)
  const other = await aSpace(who, org.id, { title: 'Other' })
  const variant = (await who.post(`${site}/site-spaces`, { spaceId: other.id })).body
  await who.patch(site, { defaultSiteSpace: variant.id })
  assert.equal(await published(), `${base}public/guide/`)
  const section = (await who.post(`${site}/sections`, { spaceId: other.id, title: 'Front' })).body
  await who.patch(site, { defaultSiteSection: section.id })
  assert.equal(await published(), `${base}public/public/guide/`)
  await who.patch(site, { basename: 'moved' })
  assert.equal(await published(), `${base}moved/public/guide/`)
  await who.delete(site)
  assert.deepEqual([(await see()).visibility, await published()], ['private', undefined])
})

test('the current content of a space has its published address, former revisions and change requests do not', async () => {
  const { who, sites, space, see, base } = await aSpaceInSites(['share-link', 'unlisted', 'public'])
  const path = `/v1/spaces/${space.id}`
  const before = (await see()).revision
  const request = (await who.post(`${path}/change-requests`, { subject: 'Second' })).body
  const proposed = `${path}/change-requests/${request.id}`
  await who.post(`${proposed}/content`, {
    changes: [{ operation: 'insert_page', title: 'Second', document: { markdown: 'Text.' } }],
  })
  const second = (await who.post(`${path}/change-requests`)).body
  await who.post(`${proposed}/merge`)

  const places = [
    'content',
    `revisions/${(await see()).revision}`,
    `revisions/${before}`,
    `change-requests/${second.id}/content`,
  ]
  const shown = async () => {
    const answers = await Promise.all(places.map((place) => who.get(`${path}/${place}`)))
    return answers.map(({ body }) => [body.urls.published, body.urls.public])
  }
  const none = [undefined, undefined]
  assert.deepEqual(await shown(), [none, none, none, none])
  for (const [i, now] of [none, [`${base}unlisted/`, undefined], [`${base}public/`, `${base}public/`]].entries()) {
    await who.post(`${sites[i]}/publish`)
    assert.deepEqual(await shown(), [now, now, none, none])
    const { urls } = await see()
    assert.deepEqual([urls.published, urls.public], now)
  }
  const etag = (await who.get(`${path}/content`)).headers.get('etag')!
  await who.patch(sites[2]!, { basename: 'moved' })
  assert.equal((await who.get(`${path}/content`, { 'if-none-match': etag })).body.urls.published, `${base}moved/`)
})

test('a space in the trash is not published anywhere', async () => {
  const { who, sites, see, org, space } = await aSpaceInSites(['public'])
  await who.post(`${sites[0]}/publish`)
  await who.delete(`/v1/spaces/${space.id}`)
  const [trashed] = (await who.get(`/v1/orgs/${org.id}/spaces/trash`)).body.items
  assert.deepEqual([trashed.visibility, trashed.urls.published], ['private', undefined])
  await who.post(`/v1/spaces/${space.id}/restore`)
  assert.equal((await see()).visibility, 'public')
})
