import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { startGitServer } from '../../test/git-server.ts'
import { aSite } from '../../test/visitor.ts'
import { sync } from './testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()

test('redirects of a repository lead to its pages in every spelling, and those without a page are reported', async () => {
  const repository = await server.repository('moved', {
    '.gitbook.yaml':
      'redirects:\n  old/setup: guide/setup.md\n  /part/: ./guide/setup.md#second\n  folder: guide/\n  short: guide/setup\n  gone: guide/gone.md\n  web: https://example.com/\n  out: ../x.md\n  list: [a.md]\n',
    'README.md': '# Welcome\n',
    'guide/README.md': '# Guide\n',
    'guide/setup.md': '# Setup\n\n## Second\n',
  })
  const site = await aSite(app)
  const { who, space, address } = site
  const { state, result } = await sync(who, `/v1/spaces/${space.id}/git/import`, {
    url: repository.url,
    ref: 'main',
    force: true,
  })
  assert.equal(state, 'success')
  assert.deepEqual(
    result.problems.map(({ path, message }: any) => `${path} ${message}`),
    [
      '.gitbook.yaml redirects web to https://example.com/, which is not a page: a redirect of the site can lead there',
      '.gitbook.yaml redirects out to something that is not a path in the repository',
      '.gitbook.yaml redirects list to something that is not a path in the repository',
      '.gitbook.yaml redirects gone to guide/gone.md, which is not a page',
    ],
  )
  const ends = async (path: string) => (await site.browser().get(address + path)).location?.slice(address.length)
  assert.deepEqual(
    [await ends('old/setup'), await ends('part'), await ends('folder'), await ends('short'), await ends('gone')],
    ['guide/setup', 'guide/setup', 'guide', 'guide/setup', undefined],
  )
})
