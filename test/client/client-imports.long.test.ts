// The official client calls the operations about imports: see official-client.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSite } from '../../src/imports/testing/site.ts'
import { startApp } from '../app.ts'
import { aLiveSpace, idsOf, newPage } from '../editing.ts'
import { OfficialClients, words } from './official-client.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const clients = new OfficialClients(app)

test('the official client imports a website into a space and a change request, and below a page of each', async () => {
  const site = await aSite({ '/': '<main><h1>Here</h1><p>Words</p></main>' })
  const space = await aLiveSpace(app)
  const client = clients.of(space.who.token)
  const [parent] = idsOf(await space.edit(newPage('Parent')))
  const what = { url: site.url(), source: words.ImportContentSource.Website }
  const { data: first } = await client.spaces.importContent(space.id, what)
  assert.deepEqual([first.importedResources, first.totalResources], [1, 1])
  await client.spaces.importContentInPageById(space.id, parent!, what)
  assert.equal(await space.outline(), 'Parent (Here) Here')

  const request = await space.changeRequest()
  const { data: second } = await client.spaces.importContentInChangeRequest(space.id, request.id, what)
  assert.notEqual(second.revision, first.revision)
  await client.spaces.importContentInChangeRequestPageById(space.id, request.id, parent!, what)
  assert.equal(await request.outline(), 'Parent (Here Here) Here Here')
})

/** Our tags of the features that are called above. */
const features = ['imports']

test('every import operation shared with the official client is called above', () => {
  const { both, missed } = clients.coverage(features)
  assert.equal(both.length, 4)
  assert.deepEqual(missed, [])
})
