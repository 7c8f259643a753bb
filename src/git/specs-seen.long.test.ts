import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { grant } from '../../test/content.ts'
import { startGitServer } from '../../test/git-server.ts'
import { expect } from '../../test/visitor.ts'
import { petstore } from '../openapi/testing/petstore.ts'
import { anOrganizationWithSpec } from '../openapi/testing/specs.ts'
import { aSyncedSpace, sync } from './testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

test('a guest puts no text together from a space and a repository that shows a specification, where neither of them does', async () => {
  const { org } = await anOrganizationWithSpec(app, petstore)
  const text = (fence: string, inside: string) =>
    `# Page\n\n${fence}\n\nAbove.\n\n${inside}\n\nBelow.\n\n${fence}\n\nEnd.\n`
  const repository = await (
    await startGitServer()
  ).repository('parts', { 'README.md': text('```', 'Nothing yet.'), 'SUMMARY.md': '* [Page](README.md)\n' })
  const space = await aSyncedSpace(app, repository, { org, space: { editMode: 'live' } })
  const { id, client } = await org.member(null)
  await grant(org.admin.client, { object: 'space', id: space.id }, { users: [id] }, 'create')
  const bring = (who: typeof client) =>
    sync(who, `${space.path}/git/import`, { url: repository.url, ref: 'refs/heads/main' })
  assert.equal((await bring(client)).state, 'success')
  const page = (await space.pages()).get('README.md').id
  const document = { markdown: text('```', '{% openapi-schemas spec="shop" schemas="Pet" %}') }
  expect(await client.post(`${space.path}/content`, { changes: [{ operation: 'update_page', page, document }] }), 200)
  await repository.commit({ 'README.md': text('Plain.', 'Nothing yet.') })
  const { state, error } = await bring(client)
  assert.deepEqual([state, /“shop”/.test(error)], ['failure', true], error)
  assert.ok((await bring(org.admin.client)).result.changeRequest)
})
