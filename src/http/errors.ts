import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'
import { DatabaseUnavailable } from '../db/connect.ts'
import { isDiskFull } from '../explained.ts'
import { StoreUnavailable } from '../storage/store.ts'

/** Every value of an error's `type`, with its status. docs/errors.md explains each. */
export const errorTypes = {
  invalid_request: 400,
  invalid_json: 400,
  invalid_page_token: 400,
  idempotency_key_reused: 400,
  unauthenticated: 401,
  forbidden: 403,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  taken: 409,
  last_administrator: 409,
  account_exists: 409,
  still_running: 409,
  precondition_failed: 412,
  merge_rule: 412,
  body_too_large: 413,
  url_too_long: 414,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
  storage_full: 507,
} as const

export type ErrorType = keyof typeof errorTypes

export interface ErrorDetail {
  path: string
  rule: string
  message: string
}

/** A refusal that the caller can understand. It is thrown anywhere, and answered in one place. */
export class ApiError extends Error {
  readonly type: ErrorType
  readonly status: number
  readonly details: ErrorDetail[] | undefined
  readonly headers: Record<string, string>

  constructor(
    type: ErrorType,
    message: string,
    more: { details?: ErrorDetail[]; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.type = type
    this.status = errorTypes[type]
    this.details = more.details
    this.headers = more.headers ?? {}
  }
}

/** The same message for what does not exist and for what the caller may not see. */
export const notFound = (noun: string) => new ApiError('not_found', `There is no such ${noun}, or you may not see it.`)

export const forbidden = (what: string) => new ApiError('forbidden', `You may not ${what}.`)

export const conflict = (message: string) => new ApiError('conflict', message)

export const taken = (path: string, message: string) =>
  new ApiError('taken', message, { details: [{ path, rule: 'unique', message }] })

/** A value that passed the schema but is wrong. */
export const invalid = (path: string, rule: string, message: string) =>
  new ApiError('invalid_request', `${path}: ${message}`, { details: [{ path, rule, message }] })

export const unauthenticated = () =>
  new ApiError('unauthenticated', 'Send a valid API token in the Authorization header: "Bearer lct_…".', {
    headers: { 'www-authenticate': 'Bearer' },
  })

const unavailable = () => new ApiError('unavailable', 'The database is unavailable. Try again in a moment.')

const storeUnavailable = () => new ApiError('unavailable', 'The file store is unavailable. Try again in a moment.')

/** Turns a refusal into undefined, and throws all other errors again. */
export function asNone(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}

/**
 * Adds `Retry-After` to answers that ask the client to come back, unless the handler that refused the call has set the
 * exact time.
 */
export function sayWhen(reply: FastifyReply): void {
  const isLater = reply.statusCode === 429 || reply.statusCode === 503
  if (isLater && !reply.hasHeader('retry-after')) reply.header('retry-after', '1')
}

export function errorBody(error: ApiError) {
  const { status, type, message, details } = error
  return { error: { code: status, type, message, ...(details && { details }) } }
}

/**
 * Returns a refusal as a sentence for people: they filled in a form, and do not know the field names that programs
 * send.
 */
export function inSentence({ message, details: [detail] = [] }: ApiError): string {
  if (!detail || message !== `${detail.path}: ${detail.message}`) return message
  const said = detail.message.replace(/\.$/, '')
  if (/^at most\b/.test(said)) return `The request is too large: ${said}.`
  // The message about a field begins with a verb, and lacks its subject.
  if (/^(?:must|may|can|cannot|is|was|has|does|needs|names|holds)\b/.test(said)) return `This ${said}.`
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`
}

/** Turns an error into an answer for programs. The only place that does. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = readError(error, request)
  for (const [name, value] of Object.entries(known.headers)) reply.header(name, value)
  return reply.code(known.status).type('application/json; charset=utf-8').send(errorBody(known))
}

/** Returns what the caller may know of an error. They learn nothing about internal causes, so these are logged here. */
export function readError(error: unknown, request: FastifyRequest): ApiError {
  const known = asApiError(error)
  if (known.type === 'internal_error') request.log.error({ err: error }, 'request failed')
  else if (known.status >= 500 && known !== error) request.log.warn({ reason: String(error) }, 'request failed')
  return known
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseUnavailable) return unavailable()
  if (error instanceof StoreUnavailable) return storeUnavailable()
  if (isDiskFull(error)) return new ApiError('storage_full', 'The disk for files is full.')
  if (error instanceof pg.DatabaseError) return fromDatabase(error)
  if (isFastifyError(error)) return fromFastify(error)
  // The caller has disconnected and reads no answer. This is not a fault of the server.
  if (isCutOff(error)) return new ApiError('invalid_request', 'The request was interrupted.')
  return internalError()
}

const internalError = () =>
  new ApiError('internal_error', 'Something went wrong on the server. Quote the request id when you report it.')

function fromDatabase(error: pg.DatabaseError): ApiError {
  switch (error.code) {
    case '23505':
      return new ApiError('taken', 'Something with this name or id already exists.')
    case '23503':
      return conflict('Something that this request refers to has just been removed.')
    case '40001':
    case '40P01':
      return conflict('Somebody else changed this at the same time. Try again.')
    case '22021':
    case '22P05':
      return new ApiError('invalid_request', 'The request contains characters that are not valid Unicode text.')
    case '53100':
    case '58030':
      return new ApiError('storage_full', 'The disk of the database is full.')
    default:
      return internalError()
  }
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('FST_')
}

function isCutOff(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted'
}

function fromFastify(error: FastifyError): ApiError {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('body_too_large', 'The body is too large.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_media_type', 'Send JSON, with Content-Type: application/json.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('invalid_request', 'The length of the body does not match Content-Length.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('url_too_long', 'The URL is too long.')
    case 'FST_ERR_BAD_URL':
      return new ApiError('invalid_request', 'The path of this URL is not properly encoded.')
    default:
      return error.statusCode !== undefined && error.statusCode < 500
        ? new ApiError('invalid_request', 'The request is malformed.')
        : internalError()
  }
}
