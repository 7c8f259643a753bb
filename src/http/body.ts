import type { FastifyRequest } from 'fastify'
import { ApiError, invalid } from './errors.ts'

const maxDepth = 64

/**
 * Reads a JSON body. An empty body counts as none, even with a JSON content type: clients send that on calls without a
 * body.
 */
export async function parseJsonBody(request: FastifyRequest, bytes: string | Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity')
    throw new ApiError('unsupported_media_type', 'Send the body uncompressed, without Content-Encoding.')
  const value = parse(bytes as Buffer)
  refuseFlaw('body', findFlaw(value, request.routeOptions.config.bodyDepth ?? maxDepth))
  return value
}

/** Removes the content type of an empty body: many clients declare a form even when they have nothing to send. */
export function forgetTypeOfNothing({ headers }: FastifyRequest): void {
  const { 'content-length': length = '0', 'transfer-encoding': inChunks } = headers
  if (length === '0' && inChunks === undefined) delete headers['content-type']
}

/** Checks the query of an address in the same way. */
export function checkQuery(request: FastifyRequest): void {
  refuseFlaw('query', findFlaw(request.query, maxDepth))
}

/** Treats a missing body as empty: valid if all fields are optional, otherwise the error names the required field. */
export function assumeEmptyBody(request: FastifyRequest): void {
  if (request.body === undefined && request.routeOptions.schema?.body) request.body = {}
}

// Strict: otherwise invalid UTF-8 would be stored with its bytes replaced.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new ApiError('invalid_json', 'The body is not valid JSON in UTF-8.')
  }
}

interface Flaw {
  steps: string[]
  rule: string
  message: string
}

function refuseFlaw(part: string, flaw: Flaw | undefined): void {
  if (flaw) throw invalid([part, ...flaw.steps.slice(0, 8).map(shown)].join('.'), flaw.rule, flaw.message)
}

/** A name that is safe to put into an answer, whatever the caller sent. */
const shown = (step: string) => step.slice(0, 64).replaceAll('\0', '\ufffd').toWellFormed()

/** Finds text that PostgreSQL or a browser would choke on, keys that reach a prototype, and excessive nesting. */
function findFlaw(value: unknown, depthLeft: number): Flaw | undefined {
  if (typeof value === 'string') return flawOfText(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (depthLeft === 0) return { steps: [], rule: 'depth', message: 'is nested too deeply' }

  for (const key of Object.keys(value)) {
    const flaw = flawOfKey(key) ?? findFlaw((value as Record<string, unknown>)[key], depthLeft - 1)
    if (flaw) return { ...flaw, steps: [key, ...flaw.steps] }
  }
  return undefined
}

function flawOfKey(key: string): Flaw | undefined {
  if (key === '__proto__') return { steps: [], rule: 'key', message: 'is not a name that a field can have' }
  return flawOfText(key)
}

function flawOfText(text: string): Flaw | undefined {
  if (text.includes('\0')) return { steps: [], rule: 'text', message: 'must not contain the NUL character' }
  if (!text.isWellFormed()) return { steps: [], rule: 'text', message: 'must be valid Unicode' }
  return undefined
}
