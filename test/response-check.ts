import assert from 'node:assert/strict'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Static } from 'typebox'
import { errorTypes } from '../src/http/errors.ts'
import type { App } from '../src/http/routes.ts'
import { ErrorBody } from '../src/http/schemas.ts'
import type { Operation } from '../src/http/spec.ts'
import { formats } from '../src/http/formats.ts'

/** Checks every response against the schema of its route, so that what is documented is what is sent. */
export class ResponseCheck {
  readonly #app: App
  readonly #called = new Map<string, Operation | undefined>()

  constructor(app: App) {
    this.#app = app
  }

  check(method: string, path: string, status: number, body: unknown): void {
    const where = `${method} ${path} → ${status}`
    if (status >= 400) return this.#holdRefusal(status, body, where)
    const operation = this.#operationOf(method, path)
    if (!operation || status === 304) return
    if (operation.minimal && status === 204) return assert.equal(body, undefined, `${where} should have no body`)
    const schema = (operation.schema.response as Record<string, object> | undefined)?.[status]
    assert.ok(schema, `${where} is not documented for ${operation.schema.operationId}`)
    const isEmpty = (schema as { type?: string }).type === 'null'
    if (isEmpty) assert.equal(body, undefined, `${where} should have no body`)
    else this.#hold(schema, body, where)
  }

  #holdRefusal(status: number, body: unknown, where: string): void {
    this.#hold(ErrorBody, body, where)
    const { code, type } = (body as Static<typeof ErrorBody>).error
    const known: Record<string, number> = errorTypes
    assert.deepEqual(
      [code, known[type]],
      [status, status],
      `${where}: status, code and type belong together\n${JSON.stringify(body)}`,
    )
  }

  #operationOf(method: string, path: string): Operation | undefined {
    // Ids are never words of a path, so calls that differ only in ids share one result.
    const call = `${method} ${path.replace(ids, 'id')}`
    if (!this.#called.has(call)) this.#called.set(call, this.#findOperation(method, path))
    return this.#called.get(call)
  }

  #findOperation(method: string, path: string): Operation | undefined {
    const matches = this.#app.operations.filter((each) => each.method === method && patternOf(each.url).test(path))
    // The most literal path wins, as in the router.
    return matches.toSorted((a, b) => a.url.split(':').length - b.url.split(':').length)[0]
  }

  #hold(schema: object, body: unknown, where: string): void {
    const validate = validatorOf(schema)
    assert.ok(validate(body), `${where} breaks its schema: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`)
  }
}

// Each validator is used only a few times, so it should be compiled quickly.
const ajv = new Ajv({ strict: false, validateSchema: false, code: { optimize: false } })
for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check)

const ids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g
const patterns = new Map<string, RegExp>()

function patternOf(url: string): RegExp {
  let pattern = patterns.get(url)
  if (!pattern) {
    pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)
    patterns.set(url, pattern)
  }
  return pattern
}

const known = new WeakMap<object, ValidateFunction>()
const compiled = new Map<string, ValidateFunction>()

/** Every server of a process describes itself with new schema objects of the same content. These are compiled once. */
function validatorOf(schema: object): ValidateFunction {
  let validate = known.get(schema)
  if (!validate) {
    const text = JSON.stringify(withoutIds(schema))
    validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, validate)
    known.set(schema, validate)
  }
  return validate
}

/** A named schema occurs in many places, but the validator accepts each name only once. */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id')
      .map(([key, value]) => [key, withoutIds(value)]),
  )
}
