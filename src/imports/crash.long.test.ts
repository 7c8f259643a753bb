// A process is killed while an import runs: nothing of the import is visible, and the next process imports everything,
// exactly once.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { cloneTemplate } from '../../test/database.ts'
import { type ServerProcess, startServer, temporaryFolder } from '../../test/process.ts'
import { aSite, pixel } from './testing/site.ts'

const token = 'a-token-for-tests-that-is-long-enough'

async function anInstallation() {
  const database = await cloneTemplate()
  const environment = {
    DATABASE_URL: database.url,
    LECTERN_DATA: await temporaryFolder(),
    LECTERN_ADMIN_TOKEN: token,
    LECTERN_FETCH_ALLOW: '127.0.0.1',
  }
  const run = async (text: string) => {
    const client = new pg.Client(database.url)
    await client.connect()
    return (await client.query(text).finally(() => client.end())).rows
  }
  return { run, start: (more: Record<string, string> = {}) => startServer({ ...environment, ...more }) }
}

async function send(server: ServerProcess, method: string, path: string, body?: object) {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as any
}

const page = (title: string, body: string) => `<html><main><h1>${title}</h1><p>${body}</p></main></html>`

async function aWebsite() {
  const links = [1, 2, 3].map((number) => `<a href="/${number}">${number}</a>`).join(' ')
  return aSite({
    '/': page('Root', `${links} <img src="/dot.png" alt="dot">`),
    '/1': page('One', 'Words'),
    '/2': page('Two', 'Words'),
    '/3': page('Three', 'Words'),
    '/dot.png': pixel,
  })
}

for (const point of ['import.page-read:2', 'import.before-commit:1']) {
  test(`an import that is killed at ${point} leaves nothing behind and is repeated once`, async () => {
    const { start, run } = await anInstallation()
    const site = await aWebsite()
    const doomed = await start({ LECTERN_FAIL: `${point}:kill` })
    const { items } = await send(doomed, 'GET', '/v1/orgs')
    const space = await send(doomed, 'POST', `/v1/orgs/${items[0].id}/spaces`, {
      title: 'S',
      editMode: 'live',
      empty: true,
    })
    const runs = `/v1/org/${items[0].id}/imports`
    const body = { source: { type: 'website', url: site.url() }, target: { space: space.id } }
    const exit = once(doomed.child, 'exit')
    const { id } = await send(doomed, 'POST', runs, body)
    await exit

    // The killed process never comes back. Its run would become due after two minutes; here it becomes due at once.
    await run(`update import_runs set due_at = now()`)
    const server = await start()
    const content = await send(server, 'GET', `/v1/spaces/${space.id}/content`)
    assert.deepEqual([content.pages, content.files], [[], []])
    const until = async (runId: string) => {
      for (const from = performance.now(); ; await sleep(50)) {
        const found = await send(server, 'GET', `${runs}/${runId}`)
        if (found.completedAt) return found
        assert.ok(performance.now() - from < 90_000, JSON.stringify(found))
      }
    }
    // Starting another import wakes the workers.
    const other = await send(server, 'POST', `/v1/orgs/${items[0].id}/spaces`, {
      title: 'Other',
      editMode: 'live',
      empty: true,
    })
    const { id: second } = await send(server, 'POST', runs, { ...body, target: { space: other.id } })
    const ended = await until(id)
    assert.deepEqual([ended.status, ended.importedResources], ['completed', 4], ended.reason)
    const after = await send(server, 'GET', `/v1/spaces/${space.id}/content`)
    assert.deepEqual(after.pages.map(({ title }: { title: string }) => title).toSorted(), [
      'One',
      'Root',
      'Three',
      'Two',
    ])
    assert.equal(after.files.length, 1)

    await until(second)
    if (point.startsWith('import.before-commit')) {
      await run(`update import_runs set status = 'in-progress', attempts = 3, completed_at = null, revision = null,
        due_at = now() where id = '${second}'`)
      await until((await send(server, 'POST', runs, { ...body, target: { space: other.id } })).id)
      const given = await until(second)
      assert.deepEqual([given.status, given.reason], ['failed', 'The import was interrupted too often.'])
    }
    await server.stop()
  })
}
