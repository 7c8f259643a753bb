import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describeRoutes, openApiFile } from './described.ts'

interface DescribedOperation {
  operationId: string
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: object }[]
  requestBody?: { required: boolean; content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
  security: Record<string, string[]>[]
  tags: string[]
}

// The document as others read it: without anything that JSON does not have.
const document = JSON.parse(JSON.stringify(await describeRoutes())) as {
  openapi: string
  info: Record<string, unknown>
  tags: { name: string }[]
  paths: Record<string, Record<string, DescribedOperation>>
  webhooks: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

test('openapi.json matches the routes', async () => {
  const kept = JSON.parse(await readFile(openApiFile, 'utf8').catch(() => 'null'))
  assert.deepEqual(kept, document, 'openapi.json is out of date: run "npm run openapi", and look at what changed.')
})

test('every reference points to a schema, and every schema is referenced', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
  const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
  assert.deepEqual([...new Set(references)].toSorted(), known.toSorted())
})

test('every operation declares the parameters of its path exactly once', () => {
  for (const { path, operation } of operations) {
    const { parameters = [] } = operation
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = parameters.filter((parameter) => parameter.in === 'path')
    assert.deepEqual(
      declared.map(({ name }) => name),
      inPath,
      path,
    )
    assert.ok(
      declared.every(({ required }) => required),
      path,
    )
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    assert.deepEqual(names, [...new Set(names)], path)
  }
})

test('every operation has a unique id, and responses and security that OpenAPI 3.1 knows', () => {
  assert.match(document.openapi, /^3\.1\./)
  const ids = operations.map(({ operation }) => operation.operationId)
  assert.deepEqual(ids, [...new Set(ids)])
  for (const { operation } of operations) {
    const { operationId, responses, security } = operation
    for (const [status, answer] of Object.entries(responses)) {
      assert.match(status, /^[1-5](\d\d|XX)$/, operationId)
      assert.ok(answer.description, operationId)
      const isEmpty = status === '204' || status === '205'
      assert.equal(answer.content === undefined, isEmpty, `${operationId} ${status}`)
    }
    assert.ok(security.every((each) => Object.keys(each).every((name) => name in document.components.securitySchemes)))
  }
})

test('every webhook event has a name and the headers that prove its origin, and needs no token', () => {
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const { operationId, security, parameters = [] } = post!
    assert.deepEqual([operationId, security], [type, []])
    const headers = parameters.filter(({ required, ...each }) => required && each.in === 'header')
    assert.deepEqual(
      headers.map(({ name }) => name),
      ['X-Lectern-Event', 'X-Lectern-Delivery', 'X-Lectern-Signature'],
    )
  }
})

test('every tag of an operation or an event is declared exactly once', () => {
  const used = [document.paths, document.webhooks]
    .flatMap((each) => Object.values(each).flatMap((methods) => Object.values(methods)))
    .flatMap(({ tags }) => tags)
  assert.deepEqual(
    document.tags.map(({ name }) => name),
    [...new Set(used)].toSorted(),
  )
})

test('a discriminator tells only named schemas apart, because OpenAPI allows it for no others', () => {
  const misled: string[] = []
  JSON.stringify(document, (_key, value) => {
    if (value?.discriminator?.propertyName && !value.oneOf.every((kind: object) => '$ref' in kind))
      misled.push(value.discriminator.propertyName)
    return value
  })
  assert.deepEqual(misled, [])
})

test('every schema in the document is a valid JSON Schema', () => {
  const ajv = new Ajv2020({ logger: false })
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`)
  }
  for (const { operation } of operations) {
    const { operationId, parameters = [], requestBody, responses } = operation
    const contents = [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}))
    for (const { schema } of [...parameters, ...contents]) {
      assert.ok(ajv.validateSchema(schema), `${operationId}: ${ajv.errorsText()}`)
    }
  }
})
