import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describeRoutes, openApiFile } from './described.ts'

interface DescribedOperation {
  operationId: string
  parameters?: { name: string; in: 'path' | 'query'; required: boolean; schema: object }[]
  requestBody?: { required: boolean; content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
  security: Record<string, string[]>[]
}

// As it is read by others: without anything that JSON does not have.
const document = JSON.parse(JSON.stringify(await describeRoutes())) as {
  openapi: string
  info: Record<string, unknown>
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

test('openapi.json says what the routes say', async () => {
  const kept = JSON.parse(await readFile(openApiFile, 'utf8').catch(() => 'null'))
  assert.deepEqual(kept, document, 'openapi.json is out of date: run "npm run openapi", and look at what changed.')
})

test('every reference leads to a schema, and every schema is referred to', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
  const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
  assert.deepEqual([...new Set(references)].toSorted(), known.toSorted())
})

test('every operation declares the parameters of its path, each once', () => {
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

test('every operation has answers and a security that OpenAPI 3.1 knows', () => {
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

test('every schema in it is one', () => {
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
