// The public API that ours is compatible with, operation by operation. Operations that are built are described as they
// are there.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { describeRoutes } from './described.ts'

/** The tags that are built. A new feature adds its tag here. */
const built = [
  'organizations',
  'organization-members',
  'teams',
  'team-members',
  'collections',
  'spaces',
  'change-requests',
  'space-content',
  'change-request-content',
  'sites',
  'site-sections',
  'site-section-groups',
  'site-spaces',
  'site-share-links',
  'space-comments',
  'change-request-comments',
  'openapi',
  'openapi-versions',
  'translations',
  'sso',
]

/** Operations with a tag that is built, which have to wait for another feature. */
const notYet: string[] = []

interface Promised {
  id: string
  tag: string
  method: string
  path: string
  status: number
  query: string[]
  body: { required: string[]; optional: string[] } | null
  deprecated: boolean
}

interface Described {
  operationId: string
  deprecated?: boolean
  parameters?: { name: string; in: string; required: boolean }[]
  requestBody?: { content: { 'application/json': { schema: ObjectSchema } } }
  responses: Record<string, unknown>
}

interface ObjectSchema {
  $ref?: string
  properties?: Record<string, unknown>
  required?: string[]
}

const contract = JSON.parse(await readFile(new URL('contract/operations.json', import.meta.url), 'utf8')) as Promised[]
const document = await describeRoutes()
const described = Object.entries(document.paths as unknown as Record<string, Record<string, Described>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

/** Resolves a reference to a named schema, which is defined elsewhere in the document. */
const resolved = (schema: ObjectSchema): ObjectSchema =>
  schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema

const isBuilt = ({ id, tag }: Promised) => built.includes(tag) && !notYet.includes(id)

for (const promised of contract.filter(isBuilt)) {
  test(`${promised.id} matches the contract`, () => {
    const found = described.find(({ operation }) => operation.operationId === promised.id)
    assert.ok(found, 'it is missing')
    assert.deepEqual([found.method, found.path], [promised.method, promised.path])

    const { deprecated = false, parameters = [], requestBody, responses } = found.operation
    assert.equal(deprecated, promised.deprecated)
    const ofClientsThatNeedNone = '204'
    assert.deepEqual(
      Object.keys(responses).filter(
        (status) => status.startsWith('2') && (status !== ofClientsThatNeedNone || status === String(promised.status)),
      ),
      [String(promised.status)],
    )

    const query = parameters.filter((parameter) => parameter.in === 'query')
    const names = new Set(query.map(({ name }) => name))
    assert.deepEqual(
      promised.query.filter((name) => !names.has(name)),
      [],
      'query parameters are missing',
    )
    assert.deepEqual(
      query.filter(({ required, name }) => required && !promised.query.includes(name)),
      [],
    )

    assert.equal(requestBody === undefined, promised.body === null, 'a body is taken where the contract has one')
    if (!promised.body || !requestBody) return
    const { properties = {}, required = [] } = resolved(requestBody.content['application/json'].schema)
    assert.deepEqual(required.toSorted(), promised.body.required.toSorted())
    const fields = [...promised.body.required, ...promised.body.optional]
    assert.deepEqual(
      fields.filter((field) => !(field in properties)),
      [],
      'fields of the body are missing',
    )
  })
}

test('every operation of the contract that is built is on the list above, so that it is compared', () => {
  for (const promised of contract.filter((each) => !isBuilt(each))) {
    const found = described.find(
      ({ operation, method, path }) =>
        operation.operationId === promised.id || (method === promised.method && path === promised.path),
    )
    assert.equal(found, undefined, `${promised.id} is built: name its tag (${promised.tag}) in this test.`)
  }
})
