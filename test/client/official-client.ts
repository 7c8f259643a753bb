// The official client of the API that ours is compatible with, against a running server: the server understands what
// the client sends, and the answers match the client's own description.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import * as client from '@gitbook/api'
import { Ajv, type ErrorObject } from 'ajv'
import type * as ClientTypes from '../../node_modules/@gitbook/api/dist/client.d.ts'
import type { TestApp } from '../app.ts'

// The type declarations of the package cannot be resolved in an ES module, so its types are imported from the file that
// contains them.
export type OfficialClient = ClientTypes.Api<{ authToken?: string }>
export const words = client as unknown as typeof ClientTypes

interface ClientOperation {
  operationId: string
  pattern: RegExp
  method: string
  answers: Record<string, object | undefined>
}

/** Permissions around integrations. The contract leaves them out, because nobody has any. */
const leftOut = ['listInstallations', 'installIntegration']

const specFile = createRequire(import.meta.url).resolve('@gitbook/api/spec/openapi.json')
const spec = JSON.parse(await readFile(specFile, 'utf8'), (_key, value) => asJsonSchema(value))
const ajv = new Ajv({ strict: false, validateFormats: false, logger: false, allErrors: true }).addSchema(spec, 'client')
const ofClient: ClientOperation[] = Object.entries<Record<string, any>>(spec.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, operation]) => operation.operationId)
    .map(([method, operation]) => ({
      operationId: operation.operationId,
      pattern: new RegExp(`^/v1${path.replace('{pagePath}', '.+').replace(/\{\w+\}/g, '[^/]+')}$`),
      method: method.toUpperCase(),
      answers: Object.fromEntries(
        Object.keys(operation.responses).map((status) => [
          status,
          hasBody(operation.responses[status])
            ? {
                $ref: `client#${pointer(['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'])}`,
              }
            : undefined,
        ]),
      ),
    })),
)

/**
 * The description dates from a time when null was a flag on a type. Its alternatives are unions in the client's types,
 * and a value may match several of them. Its schema of an empty document, which is one of the parts that a page is
 * composed of, forbids the other parts.
 */
function asJsonSchema(value: any): unknown {
  if (value?.title === 'Empty') return { not: { anyOf: [{ required: ['markdown'] }, { required: ['document'] }] } }
  if (Array.isArray(value?.oneOf)) {
    const { oneOf, ...schema } = value
    return asJsonSchema({ ...schema, anyOf: oneOf })
  }
  if (Array.isArray(value?.required) && leftOut.some((field) => value.required.includes(field))) {
    return { ...value, required: value.required.filter((field: string) => !leftOut.includes(field)) }
  }
  if (value?.nullable !== true || value.type) return value
  const { nullable: _nullable, ...schema } = value
  return { anyOf: [schema, { type: 'null' }] }
}

function hasBody(answer: { content?: Record<string, unknown> }): boolean {
  return answer.content?.['application/json'] !== undefined
}

function pointer(steps: string[]): string {
  return `/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
}

/** Creates official clients of one app, and checks every answer against the client's own description. */
export class OfficialClients {
  readonly #test: TestApp
  readonly #called = new Set<string>()

  constructor(test: TestApp) {
    this.#test = test
  }

  /** A client that sends this token. */
  of(authToken: string | undefined): OfficialClient {
    const serviceBinding = {
      fetch: async (input: string, init: RequestInit = {}): Promise<Response> => {
        const response = await fetch(input, init)
        if (response.ok) await this.#check(init.method!, new URL(input).pathname, response.clone())
        return response
      },
    }
    const endpoint = `${this.#test.url}/`
    const made = new client.GitBookAPI({ endpoint, authToken, serviceBinding: serviceBinding as never })
    return made as unknown as OfficialClient
  }

  async #check(method: string, path: string, response: Response): Promise<void> {
    const operation = ofClient.find((each) => each.method === method && each.pattern.test(path))
    assert.ok(operation, `${method} ${path} is none of the client's operations`)
    this.#called.add(operation.operationId)
    assert.ok(response.status in operation.answers, `${operation.operationId} answers ${response.status}`)
    const schema = operation.answers[response.status]
    const text = await response.text()
    if (!schema) assert.equal(text, '', operation.operationId)
    else assert.deepEqual(flawsOf(schema, JSON.parse(text)), [], `${operation.operationId}: ${text}`)
  }

  /**
   * Returns which of our operations with these tags the client has as well, and which of those nobody has called yet.
   */
  coverage(tags: string[]): { both: string[]; missed: string[] } {
    const ours = this.#test.app.operations.filter(({ schema }) => tags.some((tag) => schema.tags?.includes(tag)))
    const theirs = new Set(ofClient.map(({ operationId }) => operationId))
    const both = ours.map(({ schema }) => schema.operationId!).filter((id) => theirs.has(id))
    return { both, missed: both.filter((id) => !this.#called.has(id)) }
  }
}

function flawsOf(schema: object, body: unknown): string[] {
  if (ajv.validate(schema, body)) return []
  const flaws = ajv.errors!
  // If a value matches none of many alternatives, every one of them reports errors. The deepest errors are the closest
  // to the cause.
  const deepest = flaws.toSorted((a, b) => depthOf(b) - depthOf(a)).slice(0, 20)
  return deepest.map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const depthOf = ({ instancePath }: ErrorObject) => instancePath.split('/').length
