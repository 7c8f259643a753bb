import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import type { Client } from '../../../test/api-client.ts'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace } from '../../../test/editing.ts'
import { aStranger, anOrganization } from '../../../test/factories.ts'
import { until } from '../../../test/until.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { findMainLine } from '../../revisions/lines.ts'
import { runDueImports } from './run.ts'
import { aSite } from '../testing/site.ts'
import { zipOf } from '../testing/zip.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1', LECTERN_IMPORT_PAGES: '3' })

const page = (title: string, body = '') => `<html><main><h1>${title}</h1>${body}</main></html>`

async function untilEnded(who: Client, path: string) {
  for (;;) {
    const { body } = await who.get(path)
    if (body.status !== 'pending' && body.status !== 'in-progress') return body
    await sleep(50)
  }
}

async function anUpload(who: Client, organizationId: string, name: string, bytes: Buffer, kind = 'import_file') {
  const file = { name, type: 'application/octet-stream', size: bytes.length }
  const { body } = await who.post(`/v1/orgs/${organizationId}/storage/upload`, { file, kind })
  const { pathname, search } = new URL(body.url)
  assert.equal((await fetch(app.url + pathname + search, { method: 'PUT', body: new Uint8Array(bytes) })).status, 200)
  return body.key as string
}

test('an import run imports a website in the background, and reports its counts and what was skipped', async () => {
  const links = [1, 2, 3, 4].map((n) => `<a href="/${n}">${n}</a>`).join('')
  const site = await aSite({ '/': page('Root', links), '/1': { status: 404 }, '/2': page('Two', 'x'), '/3': page('Three', 'x'), '/4': page('Four', 'x') })
  const space = await aLiveSpace(app)
  const base = `/v1/org/${space.org.id}/imports`
  const source = { type: 'website', url: site.url() }
  const started = await space.who.post(base, { source, target: { space: space.id } })
  assert.equal(started.status, 201, started.text)
  assert.deepEqual([started.body.status, started.body.source, started.body.createdBy.id], ['pending', source, space.org.admin.id])

  const run = await untilEnded(space.who, `${base}/${started.body.id}`)
  assert.deepEqual([run.status, run.importedResources, run.totalResources], ['completed', 3, 5])
  assert.deepEqual(run.skipped, [{ source: site.url('/1'), reason: 'responds with an error' }])
  assert.deepEqual(run.pages.map((each: any) => [each.sourceURL, each.status, each.type]), ['/', '/2', '/3'].map((path) => [site.url(path), 'complete', 'page']))
  assert.equal(await space.outline(), 'Root Two Three')
  assert.equal((await space.who.get(space.path)).body.revision, run.revision)

  const { body: list } = await space.who.get(`${base}?status=completed&space=${space.id}`)
  assert.deepEqual([list.count, list.items[0].id, list.items[0].pages], [1, run.id, undefined])
  assert.equal((await space.who.get(`${base}?status=active`)).body.count, 0)
  assert.equal((await space.who.get(`${base}?space=nothing`)).body.count, 0)
  assert.equal((await space.who.post(`${base}/${run.id}/cancel`)).status, 400)
}) // prettier-ignore

test('an address with a password is refused, and neither stored nor repeated', async () => {
  const space = await aLiveSpace(app)
  const base = `/v1/org/${space.org.id}/imports`
  const source = { type: 'website', url: 'https://jo:secret-word@example.org/' }
  const refused = await space.who.post(base, { source, target: { space: space.id } })
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.source.url'])
  assert.doesNotMatch(refused.text, /secret-word/)
  assert.equal((await space.who.get(base)).body.count, 0)
})

test('uploaded files are imported once, and files that cannot be used are refused by their position', async () => {
  const space = await aLiveSpace(app)
  const { id } = space.org
  const base = `/v1/org/${id}/imports`
  const zip = await anUpload(space.who, id, 'pages.zip', zipOf([{ name: 'a.md', bytes: '# A\n' }]))
  const md = await anUpload(space.who, id, 'b.md', Buffer.from('# B\n'))
  const request = await space.changeRequest()
  const target = { space: space.id, changeRequest: request.id }
  const start = (files: string[]) => space.who.post(base, { source: { type: 'file', files }, target })
  const run = await untilEnded(space.who, `${base}/${(await start([md, zip])).body.id}`)
  assert.equal(run.status, 'completed', run.reason)
  assert.deepEqual([await request.outline(), await space.outline()], ['B Pages (A)', ''])

  const image = await anUpload(space.who, id, 'x.md', Buffer.from('x'), 'organization_file')
  const exe = await anUpload(space.who, id, 'x.exe', Buffer.from('x'))
  const stranger = await aLiveSpace(app)
  const foreign = await anUpload(stranger.who, stranger.org.id, 'f.md', Buffer.from('x'))
  for (const [bad, rule] of [[md, 'used'], [image, 'kind'], [exe, 'type'], [foreign, 'exists'], [newId(), 'exists'], ['x', 'exists']]) {
    const { status, body } = await start([bad!])
    assert.deepEqual([status, body.error.details[0].path, body.error.details[0].rule], [400, 'body.source.files.0', rule])
  }
}) // prettier-ignore

test('the reports of a run are never cut within a character', async () => {
  const space = await aLiveSpace(app)
  const base = `/v1/org/${space.org.id}/imports`
  const long = (count: number) => `${'x'.repeat(count)}😀`
  const files = [
    { name: 'a.md', bytes: `# A\n\n![](${long(299)}.png)\n` },
    { name: 'mkdocs.yml', bytes: `docs_dir: .\nnav: [a.md, {Foo: "foo:${long(195)}"}]\n` },
    { name: '.gitbook/vars.yaml', bytes: `${long(79)}: y\n` },
  ]
  const key = await anUpload(space.who, space.org.id, 'x.zip', zipOf(files))
  const { body } = await space.who.post(base, { source: { type: 'file', files: [key] }, target: { space: space.id } })
  const run = await untilEnded(space.who, `${base}/${body.id}`)
  assert.deepEqual([run.status, run.reason], ['completed', undefined])
  assert.deepEqual(
    run.skipped.map(({ source, reason }: any) => `${source} ${reason}`),
    [
      `mkdocs.yml lists foo:${'x'.repeat(195)}, which leads nowhere`,
      `.gitbook/vars.yaml ${'x'.repeat(79)} is not a variable: it needs a plain name and a plain value`,
      `${'x'.repeat(299)} is missing in the upload`,
    ],
  )
})

test('a run imports the files it can read and names the others, and fails if it can read none', async () => {
  const space = await aLiveSpace(app)
  const base = `/v1/org/${space.org.id}/imports`
  const run = async (files: Record<string, string>) => {
    const keys: string[] = []
    for (const [name, bytes] of Object.entries(files))
      keys.push(await anUpload(space.who, space.org.id, name, Buffer.from(bytes)))
    const { body } = await space.who.post(base, { source: { type: 'file', files: keys }, target: { space: space.id } })
    return untilEnded(space.who, `${base}/${body.id}`)
  }
  const some = await run({ 'a.md': '# A\n', 'letter.docx': 'PK', 'all.zip': 'PK', 'b.html': page('B', 'x') })
  assert.deepEqual([some.status, await space.outline()], ['completed', 'A B'])
  assert.deepEqual(
    some.skipped.map(({ source, reason }: any) => `${source} ${reason}`),
    ['letter.docx is not a readable zip archive', 'all.zip is not a readable zip archive'],
  )
  const none = await run({ 'c.docx': 'PK', 'd.zip': 'PK' })
  assert.deepEqual(
    [none.status, none.reason],
    ['failed', 'What was uploaded contains no pages: c.docx is not a readable zip archive.'],
  )
})

test('a run repeated with its Idempotency-Key gets its first answer, even after its change request is merged', async () => {
  const site = await aSite({ '/': page('Root', 'x') })
  const space = await aLiveSpace(app)
  const request = await space.changeRequest()
  const base = `/v1/org/${space.org.id}/imports`
  const body = {
    source: { type: 'website', url: site.url() },
    target: { space: space.id, changeRequest: request.id },
  }
  const start = (key: string) => space.who.post(base, body, { 'idempotency-key': key })
  const started = await start('one')
  assert.equal(started.status, 201, started.text)
  await untilEnded(space.who, `${base}/${started.body.id}`)
  assert.equal((await space.who.post(`${request.path}/merge`)).status, 200)
  const again = await start('one')
  assert.deepEqual([again.status, again.body], [201, started.body], again.text)
  assert.equal((await start('another')).status, 409)
})

test('a failed run gives its reason and what to do next, and leaves the content unchanged', async () => {
  const space = await aLiveSpace(app)
  const base = `/v1/org/${space.org.id}/imports`
  const site = await aSite({ '/empty': '<html><body><script>draw()</script></body></html>' })
  const bad = await anUpload(space.who, space.org.id, 'bad.zip', Buffer.from('no zip'))
  for (const [source, reason] of [
    [{ type: 'website', url: 'http://127.0.0.2/' }, /not public[^.]*\. .*as files/],
    [{ type: 'website', url: 'http://127.0.0.1:1/' }, /cannot be reached\. Check that .* opens in a browser/],
    [{ type: 'website', url: site.url('/gone') }, /responds with an error.*\. .*without signing in.*as files/],
    [{ type: 'website', url: site.url('/empty') }, /has no content\. .*scripts.*as files/],
    [{ type: 'file', files: [bad] }, /not a readable zip archive/],
  ] as const) {
    const { body } = await space.who.post(base, { source, target: { space: space.id } })
    const run = await untilEnded(space.who, `${base}/${body.id}`)
    assert.equal(run.status, 'failed')
    assert.match(run.reason, reason)
  }
  assert.equal(await space.outline(), '')
})

test('a cancelled run writes nothing, and neither does a run whose starter lost their rights', async () => {
  let release = () => {}
  const waiting = new Promise<void>((resolve) => (release = resolve))
  const site = await aSite({
    '/': page('Root', '<a href="/slow">slow</a>'),
    '/slow': (_request, response) => void waiting.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(page('Slow', 'x'))),
  })
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const base = `/v1/org/${org.id}/imports`
  const editor = await org.member('edit')
  const body = { source: { type: 'website', url: site.url() }, target: { space: space.id } }
  const one = await space.who.post(base, body)
  const two = await editor.client.post(base, body)
  assert.deepEqual([one.status, two.status], [201, 201], two.text)
  for (; site.asked.filter((path) => path === '/slow').length < 2;) await sleep(20)
  const reader = await org.member('read')
  assert.equal((await reader.client.post(`${base}/${one.body.id}/cancel`)).status, 403)
  const { body: cancelled } = await space.who.post(`${base}/${one.body.id}/cancel`)
  assert.equal(cancelled.status, 'cancelled')
  await org.admin.client.patch(`/v1/orgs/${org.id}/members/${editor.id}`, { role: 'read' })
  release()
  assert.equal((await untilEnded(space.who, `${base}/${two.body.id}`)).status, 'failed')
  await app.app.imports.settled()
  assert.equal((await space.who.get(`${base}/${one.body.id}`)).body.status, 'cancelled')
  assert.equal(await space.outline(), '')
}) // prettier-ignore

test('a run that a process left behind is taken up again, but not for ever', async () => {
  const site = await aSite({ '/': page('Root', 'x') })
  const space = await aLiveSpace(app)
  const base = `/v1/org/${space.org.id}/imports`
  const { body } = await space.who.post(base, { source: { type: 'website', url: site.url() }, target: { space: space.id } })
  await app.app.imports.settled()
  const running = { ...app.app, db: app.db, config: app.config, store: app.app.store, fetcher: app.app.fetcher, log: app.app.log, url: app.url, stopping: new AbortController().signal }
  const leftBehind = (attempts: number) =>
    app.db.run(sql`update import_runs set status = 'in-progress', attempts = ${attempts}, due_at = now(), completed_at = null,
      revision = null where id = ${body.id}`)
  await leftBehind(1)
  assert.equal(await runDueImports(running), 1)
  assert.equal((await space.who.get(`${base}/${body.id}`)).body.status, 'completed')
  assert.equal(await space.outline(), 'Root Root')
  await leftBehind(3)
  await runDueImports(running)
  const { body: failed } = await space.who.get(`${base}/${body.id}`)
  assert.deepEqual([failed.status, failed.reason], ['failed', 'The import was interrupted too often.'])
}) // prettier-ignore

test('a run interrupted by a database outage is taken up again once the database is back', async () => {
  const site = await aSite({ '/': page('Root', 'x') })
  const space = await aLiveSpace(app)
  const path = `/v1/org/${space.org.id}/imports`
  const main = await findMainLine(app.db, space.org.id, space.id)
  await app.db.pool.query(`
    create function go_away() returns trigger language plpgsql as $$
      begin raise exception 'terminating' using errcode = 'admin_shutdown'; end $$;
    create trigger away before insert on revisions for each row when (new.line_id = '${main.id}')
      execute function go_away()`)
  const { body } = await space.who.post(path, {
    source: { type: 'website', url: site.url() },
    target: { space: space.id },
  })
  await app.app.imports.settled()
  assert.equal((await space.who.get(`${path}/${body.id}`)).body.status, 'in-progress')
  await app.db.pool.query('drop function go_away() cascade')
  await app.db.run(sql`update import_runs set due_at = now() where id = ${body.id}`)
  app.app.imports.wake()
  assert.equal((await untilEnded(space.who, `${path}/${body.id}`)).status, 'completed')
  assert.equal(await space.outline(), 'Root')
})

test('runs are found by the number or id of their change request, within the named space', async () => {
  const site = await aSite({ '/': page('Root', 'x') })
  const [space, other] = [await aLiveSpace(app), await aLiveSpace(app)]
  const elsewhere = (await space.who.post(`/v1/orgs/${space.org.id}/spaces`, {})).body.id as string
  const first = (await space.who.post(`/v1/spaces/${elsewhere}/change-requests`)).body
  const request = await space.changeRequest()
  const { number } = (await space.who.get(request.path)).body
  assert.deepEqual([first.number, number], [1, 1])
  const base = `/v1/org/${space.org.id}/imports`
  const source = { type: 'website', url: site.url() }
  const start = async (target: object) => (await space.who.post(base, { source, target })).body.id as string
  const here = await start({ space: space.id, changeRequest: '1' })
  const there = await start({ space: elsewhere, changeRequest: first.id })
  const main = await start({ space: space.id })

  const found = async (query: string) => {
    const { body } = await space.who.get(`${base}?${query}`)
    assert.equal(body.count, body.items.length, query)
    return body.items.map((each: any) => each.id)
  }
  assert.deepEqual(await found(`space=${space.id}&changeRequest=1`), [here])
  assert.deepEqual(await found(`space=${elsewhere}&changeRequest=1`), [there])
  assert.deepEqual(await found(`changeRequest=${request.id}`), [here])
  assert.deepEqual(await found('changeRequest=1'), [there, here])
  assert.deepEqual(await found(`space=${space.id}`), [main, here])
  for (const nothing of [`space=${space.id}&changeRequest=2`, `changeRequest=x`, `space=${other.id}&changeRequest=1`]) {
    assert.deepEqual(await found(nothing), [], nothing)
  }
  await app.app.imports.settled()
})

test('a run is refused if its target is missing or hidden from its starter, and strangers see no run', async () => {
  const space = await aLiveSpace(app)
  const other = await aLiveSpace(app)
  const site = await aSite({ '/': page('Root', 'x') })
  const base = `/v1/org/${space.org.id}/imports`
  const source = { type: 'website', url: site.url() }
  const start = async (target: object, more: object = {}) =>
    (await space.who.post(base, { source, target, ...more })).status
  assert.equal(await start({ space: other.id }), 404)
  assert.equal(await start({ space: 'x' }), 404)
  assert.equal(await start({ space: space.id, changeRequest: '7' }), 404)
  assert.equal(await start({ space: space.id, page: newId() }), 400)
  assert.equal(await start({ space: space.id }, { site: newId() }), 404)
  assert.equal((await space.who.post(base, { source: { type: 'ftp' }, target: { space: space.id } })).status, 400)
  assert.equal(
    (await space.who.post(base, { source: { type: 'file', files: [] }, target: { space: space.id } })).status,
    400,
  )
  const { body: run } = await space.who.post(base, { source, target: { space: space.id } })
  const stranger = await aStranger(app)
  assert.equal((await stranger.client.get(`${base}/${run.id}`)).status, 404)
  assert.equal((await other.who.get(`/v1/org/${other.org.id}/imports/${run.id}`)).status, 404)
  assert.equal((await other.who.get(`/v1/org/${other.org.id}/imports`)).body.count, 0)
  await app.app.imports.settled()
})

test('an organization with many waiting imports does not make another wait for all of them', async () => {
  const [many, one] = [await aLiveSpace(app), await aLiveSpace(app)]
  const held = Promise.withResolvers<void>()
  const answer = (_request: unknown, response: ServerResponse) =>
    void held.promise.then(() => response.setHeader('content-type', 'text/html').end(page('Brought', 'x')))
  const paths = Array.from({ length: 8 }, (_, n) => `/many-${n}`)
  const site = await aSite(Object.fromEntries([...paths, '/one'].map((path) => [path, answer])))
  const start = async ({ who, org, id }: typeof one, path: string) => {
    const source = { type: 'website', url: site.url(path) }
    const { status, text, body } = await who.post(`/v1/org/${org.id}/imports`, { source, target: { space: id } })
    assert.equal(status, 201, text)
    return `/v1/org/${org.id}/imports/${body.id}`
  }
  const runs: string[] = []
  for (const path of paths) runs.push(await start(many, path))
  const asked = () => site.asked.filter((path) => path === '/one' || paths.includes(path))
  await until('all places are taken', () => asked().length === 2)
  const run = await start(one, '/one')
  held.resolve()
  assert.equal((await untilEnded(one.who, run)).status, 'completed')
  for (const each of runs) assert.equal((await untilEnded(many.who, each)).status, 'completed')
  const order = [...new Set(asked())]
  assert.equal(order.length, 9)
  assert.ok(order.indexOf('/one') <= 3, order.join(' '))
})
