import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { until } from '../../test/until.ts'
import { sql } from '../db/sql.ts'
import { sweepFiles } from '../files/sweep.task.ts'
import { readSpecs } from './read-specs.task.ts'
import { petstore } from './testing/petstore.ts'
import { anOrganizationWithSpec, putSpec, untilRead } from './testing/specs.ts'
import { anUpstream } from './testing/upstream.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const { context } = app

const version = (number: string) => JSON.stringify({ ...petstore, info: { title: 'Pet shop', version: number } })

async function aFetchedSpec() {
  const org = await anOrganization(app)
  const upstream = await anUpstream({ '/openapi.json': version('1') })
  const spec = await putSpec(org.admin.client, org.id, 'shop', { url: upstream.url('/openapi.json') })
  const path = `/v1/orgs/${org.id}/openapi/shop`
  return {
    upstream,
    spec,
    path,
    client: org.admin.client,
    /** Reads the specification again, six hours later. */
    later: async () => {
      await app.db.run(sql`update openapi_specs set due_at = due_at - interval '6 hours' where id = ${spec.id}`)
      await readSpecs.run(context)
      return untilRead(org.admin.client, path)
    },
    shown: async (): Promise<string> => {
      const { body } = await org.admin.client.get(`${path}/versions/latest/content`)
      return body.filesystem['openapi.json'].specification.info.version
    },
  }
}

test('a specification with an address is fetched again on schedule, and gets a version only if it changed', async () => {
  const { upstream, spec, client, later, shown } = await aFetchedSpec()
  assert.deepEqual([spec.sourceURL, await shown()], [upstream.url('/openapi.json'), '1'])
  assert.equal((await later()).lastVersion, spec.lastVersion)
  upstream.files['/openapi.json'] = version('2')
  assert.equal((await client.get(new URL(spec.urls.location).pathname)).body.lastVersion, spec.lastVersion)
  assert.notEqual((await later()).lastVersion, spec.lastVersion)
  assert.equal(await shown(), '2')
  await readSpecs.run(context)
  assert.equal(upstream.asked.length, 3)
})

test('a failed fetch or read of a specification keeps the last good version, and a later success clears the error', async () => {
  const { upstream, spec, path, client, later, shown } = await aFetchedSpec()
  const failures: [(typeof upstream.files)[string], string, RegExp][] = [
    [{ status: 500 }, 'FETCH_ERROR', /responds with an error/],
    ['{"openapi": ', 'PARSE_ERROR', /not valid JSON/],
    ['<html></html>', 'PARSE_ERROR', /./],
    [JSON.stringify({ openapi: '3.1.0', a: { $ref: 'gone.json' } }), 'FETCH_ERROR', /gone\.json/],
  ]
  for (const [answer, code, reason] of failures) {
    upstream.files['/openapi.json'] = answer
    const failed = await later()
    assert.deepEqual(
      [failed.processingState, failed.lastProcessErrorCode, failed.lastVersion, failed.updatedAt],
      ['complete', code, spec.lastVersion, spec.updatedAt],
    )
    assert.match(failed.lastProcessedErrors[0].message, reason)
    assert.doesNotMatch(failed.lastProcessedErrors[0].message, /private/)
    assert.equal(await shown(), '1')
  }
  upstream.files['/openapi.json'] = version('3')
  const { body } = await client.put(path, { source: { url: spec.sourceURL } })
  assert.equal(body.lastVersion, spec.lastVersion)
  const mended = await untilRead(client, path)
  assert.deepEqual([mended.lastProcessErrorCode, mended.lastProcessedErrors], [undefined, undefined])
  assert.equal(await shown(), '3')
})

test('a failed fetch of a specification is retried soon, then at growing intervals', async () => {
  const { spec, upstream, later } = await aFetchedSpec()
  upstream.files['/openapi.json'] = { status: 503 }
  const nextTry = async (after: string) => {
    await app.db.run(sql`update openapi_specs set last_processed_at = now() - ${after}::interval where id = ${spec.id}`)
    await later()
    const { minutes } = await app.db.one(sql<{ minutes: number }>`
      select (extract(epoch from due_at - last_processed_at) / 300)::int * 5 as minutes from openapi_specs where id = ${spec.id}`)
    return minutes
  }
  assert.equal(await nextTry('6 hours'), 5)
  assert.equal(await nextTry('5 minutes'), 10)
  assert.equal(await nextTry('2 hours'), 240)
  assert.equal(await nextTry('1 day'), 360)
  upstream.files['/openapi.json'] = version('2')
  assert.equal(await nextTry('6 hours'), 360)
  assert.equal(upstream.asked.length, 6)
})

test('a specification that was never read has no version, and private addresses are not fetched', async () => {
  const org = await anOrganization(app)
  const spec = await putSpec(org.admin.client, org.id, 'inside', { url: 'http://10.1.2.3/openapi.json' })
  assert.deepEqual([spec.lastProcessErrorCode, spec.lastVersion], ['FETCH_ERROR', undefined])
  const path = `/v1/orgs/${org.id}/openapi/inside/versions`
  assert.equal((await org.admin.client.get(`${path}/latest`)).status, 404)
  assert.equal((await org.admin.client.get(`${path}/latest/content`)).status, 404)
  assert.equal((await org.admin.client.get(path)).body.count, 0)
})

test('the specification that was submitted last wins, even if an older one finishes reading later', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const path = `/v1/orgs/${org.id}/openapi/shop`
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>()
  const upstream = await anUpstream({ '/slow.json': (_request, response) => resolve(response) })
  await client.put(path, { source: { url: upstream.url('/slow.json') } })
  const slow = await asked
  assert.equal((await client.get(path)).body.processingState, 'progress')

  const spec = await putSpec(client, org.id, 'shop', { text: version('new') })
  slow.end(version('old'))
  await app.app.openapi.settled()
  const { body } = await client.get(`${path}/versions`)
  assert.deepEqual([body.count, body.items[0].id], [1, spec.lastVersion])
  assert.equal((await client.get(path)).body.sourceURL, undefined)
})

test('the claim on a specification is extended for as long as it is being read', async (t) => {
  const org = await anOrganization(app)
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>()
  const upstream = await anUpstream({ '/slow.json': (_request, response) => resolve(response) })
  t.mock.timers.enable({ apis: ['setInterval'] })
  const path = `/v1/orgs/${org.id}/openapi/shop`
  await org.admin.client.put(path, { source: { url: upstream.url('/slow.json') } })
  const slow = await asked
  const ofIt = sql`organization_id = ${org.id} and slug = 'shop'`
  const left = async () =>
    (
      await app.db.one(sql<{ seconds: number }>`
        select extract(epoch from due_at - now())::float8 as seconds from openapi_specs where ${ofIt}`)
    ).seconds
  assert.ok((await left()) <= 120)
  await app.db.run(sql`update openapi_specs set due_at = now() + interval '5 seconds' where ${ofIt}`)
  t.mock.timers.tick(20_000)
  await until('it is claimed for longer', async () => (await left()) > 60)
  slow.end(version('1'))
  assert.equal((await untilRead(org.admin.client, path)).lastProcessErrorCode, undefined)
})

test('the job reads a specification that a process left half-read, and a text that was read is not due again', async () => {
  const { org, path, spec } = await anOrganizationWithSpec(app, petstore)
  const due = () => app.db.one(sql<{ due_at: Date | null }>`select due_at from openapi_specs where id = ${spec.id}`)
  assert.equal((await due()).due_at, null)
  await app.db.run(sql`update openapi_specs set state = 'progress', due_at = now() where id = ${spec.id}`)
  await readSpecs.run(context)
  // The process that read it the first time may check for due ones at this very moment, and be the one that reads it.
  assert.equal((await untilRead(org.admin.client, path)).processingState, 'complete')
  assert.equal((await due()).due_at, null)
})

test('a text specification is read again by the job if a document it refers to could not be fetched', async () => {
  const org = await anOrganization(app)
  const upstream = await anUpstream({ '/pets.json': { status: 503 } })
  const document = { openapi: '3.1.0', paths: { '/pets': { $ref: upstream.url('/pets.json') } } }
  const failed = await putSpec(org.admin.client, org.id, 'shop', { text: JSON.stringify(document) })
  assert.equal(failed.lastProcessErrorCode, 'FETCH_ERROR')
  upstream.files['/pets.json'] = JSON.stringify(petstore.paths['/pets'])
  await app.db.run(sql`update openapi_specs set due_at = due_at - interval '6 hours' where id = ${failed.id}`)
  await readSpecs.run(context)
  const spec = await untilRead(org.admin.client, `/v1/orgs/${org.id}/openapi/shop`)
  assert.deepEqual([spec.lastProcessErrorCode, typeof spec.lastVersion], [undefined, 'string'])
})

test('the stored bytes of a specification are kept until it is deleted', async () => {
  const { org, path } = await anOrganizationWithSpec(app, petstore)
  const { client } = org.admin
  const blobs = async () =>
    (await app.db.one(sql<{ count: number }>`select count(*) from blobs where organization_id = ${org.id}`)).count
  const sweep = async () => {
    await app.db.run(sql`
      update blobs set created_at = now() - interval '2 days' where organization_id = ${org.id}`)
    await sweepFiles.run(context)
  }
  await sweep()
  assert.equal((await client.get(`${path}/versions/latest/content`)).status, 200)
  assert.equal((await client.get(`${path}/versions/latest/content/raw`)).status, 200)
  assert.ok((await blobs()) > 0)
  await client.delete(path)
  await sweep()
  assert.equal(await blobs(), 0)
})

test('an organization with many specifications in the queue does not make another organization wait for all of them', async () => {
  const [many, one] = [await anOrganization(app), await anOrganization(app)]
  const held = Promise.withResolvers<void>()
  const answer = (_request: unknown, response: ServerResponse) =>
    void held.promise.then(() => response.end(version('1')))
  const paths = Array.from({ length: 8 }, (_, n) => `/many-${n}`)
  const upstream = await anUpstream(Object.fromEntries([...paths, '/one'].map((path) => [path, answer])))
  const put = async ({ admin, id }: typeof one, path: string) => {
    const source = { url: upstream.url(path) }
    assert.equal((await admin.client.put(`/v1/orgs/${id}/openapi${path}`, { source })).status, 200)
  }
  for (const path of paths) await put(many, path)
  await until('all places are taken', () => upstream.asked.length === 2)
  await put(one, '/one')
  held.resolve()
  await untilRead(one.admin.client, `/v1/orgs/${one.id}/openapi/one`)
  for (const path of paths) await untilRead(many.admin.client, `/v1/orgs/${many.id}/openapi${path}`)
  assert.equal(upstream.asked.length, 9)
  assert.ok(upstream.asked.indexOf('/one') <= 3, upstream.asked.join(' '))
})
