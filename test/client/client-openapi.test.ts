// The official client calls the operations about OpenAPI specifications: see official-client.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilRead } from '../../src/openapi/testing/specs.ts'
import { petstore } from '../../src/openapi/testing/petstore.ts'
import { startApp } from '../app.ts'
import { aLiveSpace } from '../editing.ts'
import { anOrganization } from '../factories.ts'
import { OfficialClients, words } from './official-client.ts'

const app = await startApp()
const clients = new OfficialClients(app)

const computed = (props: object) => ({
  type: 'builtin:openapi' as const,
  props,
  dependencies: { spec: { ref: { kind: 'openapi' as const, spec: 'shop' } } },
})

async function aShop() {
  const org = await anOrganization(app)
  const client = clients.of(org.admin.client.token)
  const source = { text: JSON.stringify(petstore) }
  const { data: made } = await client.orgs.createOpenApiSpec(org.id, { slug: 'shop', source })
  assert.equal(made.processingState, 'pending')
  await untilRead(org.admin.client, `/v1/orgs/${org.id}/openapi/shop`)
  return { org, client, source }
}

test('the official client creates, reads, updates and deletes specifications and reads their versions', async () => {
  const { org, client, source } = await aShop()
  const { data: spec } = await client.orgs.getOpenApiSpecBySlug(org.id, 'shop')
  assert.equal(spec.processingState, 'complete')
  const { data: list } = await client.orgs.listOpenApiSpecs(org.id, { limit: 10 })
  assert.deepEqual(list.items, [spec])
  const { data: latest } = await client.orgs.getLatestOpenApiSpecVersion(org.id, 'shop')
  const { data: versions } = await client.orgs.listOpenApiSpecVersions(org.id, 'shop')
  assert.deepEqual(versions.items, [latest])
  assert.deepEqual((await client.orgs.getOpenApiSpecVersionById(org.id, 'shop', latest.id)).data, latest)
  const { data: content } = await client.orgs.getLatestOpenApiSpecVersionContent(org.id, 'shop')
  assert.deepEqual((await client.orgs.getOpenApiSpecVersionContentById(org.id, 'shop', latest.id)).data, content)
  assert.equal(content.url, latest.url)

  const visibility = words.OpenAPISpecVisibility.Public
  assert.match(
    (await client.orgs.updateOpenApiSpecBySlug(org.id, 'shop', { visibility })).data.urls.published!,
    /^http/,
  )
  assert.equal((await client.orgs.createOrUpdateOpenApiSpecBySlug(org.id, 'shop', { source })).data.id, spec.id)
  await client.orgs.deleteOpenApiSpecBySlug(org.id, 'shop')
  assert.equal((await client.orgs.listOpenApiSpecs(org.id)).data.count, 0)
})

test('the official client reads pages that are computed from a specification', async () => {
  const { org, client } = await aShop()
  const space = await aLiveSpace(app, org)
  const metadata = { title: 'API' }
  await space.edit({ operation: 'insert_page', type: 'computed', computed: computed({ models: true }), metadata })
  const { data: revision } = await client.spaces.getCurrentRevision(space.id)
  assert.deepEqual(
    revision.pages.map(({ title }) => title),
    ['Pets', 'Shop', 'Other', 'Webhooks', 'Models'],
  )
  const [pets] = revision.pages
  const { data: page } = await client.spaces.getPageById(space.id, pets!.id, { format: 'document' } as never)
  const source = computed({ doc: 'operations', page: 'pets' })
  const { data: document } = await client.spaces.getComputedDocument(space.id, { source, seed: pets!.id })
  assert.deepEqual((page as unknown as { document: unknown }).document, document)
  const all = { source: computed({ models: false }), seed: 'a seed' } as never
  const { data: made } = await client.spaces.getComputedRevision(space.id, all)
  assert.deepEqual(
    made.pages.map(({ title }) => title),
    ['Pets', 'Shop', 'Other', 'Webhooks'],
  )
  assert.deepEqual((await client.spaces.getComputedRevision(space.id, all)).data, made)
})

/** Our tags of the features that are called above. */
const features = ['openapi', 'openapi-versions', 'computed-content']

test('every specification operation shared with the official client is called above', () => {
  const { both, missed } = clients.coverage(features)
  assert.equal(both.length, 13)
  assert.deepEqual(missed, [])
})
