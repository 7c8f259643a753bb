import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ApiError, type ErrorType, errorBody, readError } from '../http/errors.ts'

const schema = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The standard's words for some of our error types (RFC 7644, 3.12). */
const words: Partial<Record<ErrorType, string>> = {
  invalid_json: 'invalidSyntax',
  taken: 'uniqueness',
}

const rules: Record<string, string> = { filter: 'invalidFilter', path: 'invalidPath', target: 'noTarget' }

/** Sends an error as identity providers read it, along with the fields that the rest of the API sends. */
export function answerScimError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = readError(error, request)
  const word = wordFor(known)
  for (const [name, value] of Object.entries(known.headers)) reply.header(name, value)
  return reply
    .code(known.status)
    .type('application/scim+json; charset=utf-8')
    .send({
      schemas: [schema],
      status: String(known.status),
      ...(word !== undefined && { scimType: word }),
      detail: known.message,
      ...errorBody(known),
    })
}

function wordFor({ type, details }: ApiError): string | undefined {
  if (type !== 'invalid_request') return words[type]
  return rules[details?.[0]?.rule ?? ''] ?? 'invalidValue'
}
