// Rules for every operation in one place. The operations are taken from the routes themselves, so new ones are included
// from the start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { type Scope, scopes } from '../src/access/scopes.ts'
import { nobody, transaction } from '../src/db/transaction.ts'
import { ErrorBody } from '../src/http/schemas.ts'
import { type Operation, openApiPath } from '../src/http/spec.ts'
import { newId } from '../src/ids.ts'
import { createToken } from '../src/tokens/actions.ts'
import type { Client } from './api-client.ts'
import { startApp } from './app.ts'
import { aPerson, anOrganization } from './factories.ts'
import { sendRaw } from './raw.ts'

const app = await startApp()
const { operations } = app.app
const anonymous = app.client()

const nameOf = ({ method, url, schema }: Operation) => `${schema.operationId} (${method} ${url})`

/** The address of an operation, with ids of things that do not exist. */
const addressOf = ({ url }: Operation) => url.replace(/:\w+/g, () => newId())

/** Calls an operation as a client that knows it would: with a JSON body if it takes one. */
const call = (client: Client, { method, schema }: Operation, address: string) =>
  client.send(method, address, schema.body ? {} : undefined)

async function aNarrowedClient(...narrowed: Scope[]): Promise<Client> {
  const canary = app.canaries.hatch()
  const { id } = await aPerson(app, { canary })
  const { secret } = await transaction(app.db, nobody, (tx) =>
    createToken(tx, { userId: id, label: 'Narrow', scopes: narrowed }),
  )
  return app.client(secret, [canary])
}

test('every operation has a unique name, a summary, a tag and a policy', () => {
  assert.ok(operations.length > 20)
  const ids = operations.map(({ schema }) => schema.operationId)
  assert.deepEqual(ids, [...new Set(ids)])
  for (const operation of operations) {
    const { operationId, summary, tags } = operation.schema
    assert.match(operationId ?? '', /^[a-z][A-Za-z]+$/, nameOf(operation))
    assert.match(summary ?? '', /^\S.*[^.]$/, nameOf(operation))
    assert.ok(tags && tags.length > 0, nameOf(operation))
    assert.ok(operation.policy, `${nameOf(operation)} does not say who may call it`)
    if (operation.policy.access === 'token') assert.ok(operation.policy.needs.length > 0, nameOf(operation))
  }
})

test('every schema that requests are validated against is a valid JSON Schema', () => {
  const ajv = new Ajv({ strict: false })
  for (const operation of operations) {
    const { params, querystring, body, headers } = operation.schema
    for (const schema of [params, querystring, body, headers]) {
      if (schema) assert.ok(ajv.validateSchema(schema), `${nameOf(operation)}: ${ajv.errorsText(ajv.errors)}`)
    }
  }
})

test('every operation declares its path parameters, one success and its errors', () => {
  for (const operation of operations) {
    const response = operation.schema.response as Record<string, object>
    const statuses = Object.keys(response)
    assert.equal(statuses.filter((status) => /^2\d\d$/.test(status)).length, 1, nameOf(operation))
    assert.deepEqual([response['4xx'], response['5xx']], [ErrorBody, ErrorBody], nameOf(operation))

    const inPath = [...operation.url.matchAll(/:(\w+)/g)].map(([, name]) => name)
    const { properties = {} } = (operation.schema.params ?? {}) as { properties?: object }
    assert.deepEqual(Object.keys(properties), inPath, `${nameOf(operation)} declares the parameters of its path`)
  }
})

test('an operation called without a token answers 401, unless its policy is public', async () => {
  for (const operation of operations) {
    const { status, headers, body } = await call(anonymous, operation, addressOf(operation))
    if (operation.policy?.access === 'public') {
      assert.notEqual(status, 401, nameOf(operation))
    } else {
      assert.equal(status, 401, nameOf(operation))
      assert.equal(headers.get('www-authenticate'), 'Bearer', nameOf(operation))
      assert.equal(body.error.type, 'unauthenticated')
    }
  }
})

test('an unknown or malformed token or another kind of credentials gets 401, even from public operations', async () => {
  const credentials = [
    `Bearer lct_${'x'.repeat(43)}`,
    'Bearer',
    'Bearer a b',
    'Basic YTpi',
    '',
    `Bearer ${'x'.repeat(2000)}`,
  ]
  for (const operation of operations) {
    const authorization = credentials[operations.indexOf(operation) % credentials.length]!
    const refused = await anonymous.send(operation.method, addressOf(operation), undefined, { authorization })
    assert.deepEqual([refused.status, refused.body.error.type], [401, 'unauthenticated'], nameOf(operation))
  }
})

test('a token with every scope but the one an operation needs is refused', async () => {
  const clients = new Map<Scope | null, Client>()
  for (const operation of operations) {
    if (operation.policy?.access !== 'token') continue
    const { scope } = operation.policy
    const client = clients.get(scope) ?? (await aNarrowedClient(...scopes.filter((each) => each !== scope)))
    clients.set(scope, client)

    const refused = await call(client, operation, addressOf(operation))
    assert.deepEqual([refused.status, refused.body.error.type], [403, 'insufficient_scope'], nameOf(operation))
  }
})

test('a token with only the scope an operation needs is accepted', async () => {
  const clients = new Map<Scope, Client>()
  for (const operation of operations) {
    if (operation.policy?.access !== 'token' || operation.policy.scope === null) continue
    const { scope } = operation.policy
    const client = clients.get(scope) ?? (await aNarrowedClient(scope))
    clients.set(scope, client)
    const { status, body } = await call(client, operation, addressOf(operation))
    if (status >= 400) assert.notEqual(body.error.type, 'insufficient_scope', nameOf(operation))
    assert.ok(status < 500 && status !== 401, nameOf(operation))
  }
})

test('a wrong method on an existing path gets 405, and Allow lists the right methods', async () => {
  const { client } = await aPerson(app)
  for (const [url, of] of Map.groupBy(operations, (operation) => operation.url)) {
    const allowed = of.map(({ method }) => method).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const address = addressOf(of[0]!)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !allowed.includes(each))) {
      const refused = await client.send(method, address)
      assert.equal(refused.status, 405, `${method} ${url}`)
      assert.deepEqual(refused.headers.get('allow')?.split(', ').toSorted(), allowed.toSorted(), `${method} ${url}`)
      if (method !== 'HEAD') assert.equal(refused.body.error.type, 'method_not_allowed')
    }
  }
})

test('pages, downloads, uploads and published sites answer a wrong method with 405 and Allow too', async () => {
  const id = newId()
  const paths: [string, string][] = [
    ['/', 'GET, HEAD'],
    ['/healthz', 'GET, HEAD'],
    ['/logout', 'POST'],
    ['/login', 'GET, HEAD, POST'],
    [`/uploads/${id}`, 'PUT'],
    [`/files/${id}/${id}/a.txt`, 'GET, HEAD'],
    [`/pdf/${id}/${id}/a.pdf`, 'GET, HEAD'],
    [`/openapi/${id}/openapi.json`, 'GET, HEAD'],
    [`/openapi/versions/${id}/${id}/openapi.json`, 'GET, HEAD'],
    [`/saml/${id}/${id}/acs`, 'GET, HEAD, POST'],
    ['/sites/nobody/nothing/', 'GET, HEAD'],
    ['/sites/nobody/nothing/~/helpful', 'POST'],
  ]
  for (const [path, allowed] of paths) {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((each) => !allowed.includes(each))
    for (const method of others) {
      const { status, headers } = await fetch(app.url + path, { method })
      assert.deepEqual([status, headers.get('allow')], [405, allowed], `${method} ${path}`)
    }
    const traced = await sendRaw(app.url, `TRACE ${path} HTTP/1.1\r\nHost: lectern.test\r\n\r\n`)
    assert.deepEqual([traced.status, traced.headers.get('allow')], [405, allowed], `TRACE ${path}`)
  }
})

test('HEAD gets the same status and headers as GET, without the body', async () => {
  const org = await anOrganization(app)
  for (const path of [
    '/v1/user',
    `/v1/orgs/${org.id}`,
    `/v1/orgs/${org.id}/members`,
    `/v1/orgs/${newId()}`,
    '/openapi.json',
  ]) {
    const [head, get] = await Promise.all([org.admin.client.send('HEAD', path), org.admin.client.get(path)])
    assert.deepEqual([head.status, head.text], [get.status, ''], path)
    for (const name of ['content-type', 'content-length', 'etag', 'content-encoding']) {
      assert.equal(head.headers.get(name), get.headers.get(name), `${path}: ${name}`)
    }
  }
})

/** Uses real ids where there are some: if one of the forms below reached the operation, the answer would not be 404. */
function anAddressThatLeadsSomewhere({ url }: Operation, organizationId: string, userId: string) {
  return url
    .replace(':organizationId', organizationId)
    .replace(':userId', userId)
    .replace(/:\w+/g, () => newId())
}

/** Below these addresses comes a name that people choose, and x is such a name. */
const aboveNames = new Set(['/v1/orgs/:organizationId/openapi'])

test('an operation has one address: extra segments, suffixes or other slashes get 404', async () => {
  const org = await anOrganization(app)
  // The root of the API consists of nothing but its slash.
  for (const operation of operations.filter(({ url }) => url !== '/v1/')) {
    const address = anAddressThatLeadsSomewhere(operation, org.id, org.admin.id)
    const rest = address.slice('/v1/'.length)
    const forms = [
      aboveNames.has(operation.url) ? `${address}/x/x` : `${address}/x`,
      `${address}.js`,
      `${address}/`,
      `${address}%2f`,
      `${address};x`,
      `/${address}`,
      `/v1//${rest}`,
      `/v1%2f${rest}`,
      `/v1/${rest.replaceAll('/', '%2f')}%2f`,
      `/V1/${rest}`,
    ]
    for (const form of forms) {
      const refused = await call(org.admin.client, operation, form)
      assert.equal(refused.status, 404, `${operation.method} ${form} → ${refused.text}`)
    }
  }
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/members`)).body.count, 1)
})

test('the routes of the API are the operations of /openapi.json', async () => {
  const { body } = await anonymous.get('/openapi.json')
  const described = Object.entries<Record<string, unknown>>(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(
    described.toSorted(),
    operations.map(({ method, url }) => `${method} ${openApiPath(url)}`).toSorted(),
  )
})
