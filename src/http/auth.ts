import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, findCaller } from '../access/caller.ts'
import { narrowed } from '../access/narrowed.ts'
import { isId } from '../ids.ts'
import { ApiError, notFound, unauthenticated } from './errors.ts'
import type { RateLimit } from './rate-limit.ts'

/**
 * Runs before every call of the API: identifies the caller, counts the call, and checks that the token has the required
 * scope. Nothing else identifies a caller: no cookie, no other header. A route whose policy is not `public` needs a
 * token.
 */
export function identifyCaller(limit: RateLimit | undefined) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { policy, uncounted } = request.routeOptions.config
    const needsToken = !request.is404 && policy?.access !== 'public'
    const header = request.headers.authorization
    const caller = header === undefined ? undefined : await findBearer(request, header)
    if (caller) request.caller = caller
    if (caller && !caller.reader) request.server.tokenUses.note(caller.token.id)

    // A call with invalid credentials counts for its address, so guessing is slow.
    if (!uncounted) limit?.count(request, reply)
    if (!caller && (header !== undefined || needsToken)) throw unauthenticated()
    // A content token is valid for a few operations. All others refuse it, even those that need no token.
    if (caller && (needsToken || (caller.reader && !request.is404))) checkScope(request, caller)
  }
}

/**
 * Returns an answer as its caller gets it: with a narrowed token, it reports only the permissions that the token has.
 */
export function asSeenBy<Answer>({ caller }: FastifyRequest, answer: Answer): Answer {
  const scopes = caller && !caller.reader ? caller.token.scopes : null
  return scopes === null ? answer : narrowed(answer, scopes)
}

/** Answers a malformed id with 404, like an id that does not exist. */
export async function requireIds(request: FastifyRequest): Promise<void> {
  const wrong = wrongId(request.params as Record<string, string>)
  if (wrong) throw wrong
}

export function wrongId(params: Record<string, string>): ApiError | undefined {
  for (const [name, value] of Object.entries(params)) {
    if (name.endsWith('Id') && !isId(value) && !isOtherName(name, value)) return notFound(nounOf(name))
    if (name.endsWith('Slug') && !isSlug(value)) return notFound(nounOf(name))
  }
  return undefined
}

/** A change request can also be named by its number in the space, and a document by the hash of its text. */
const isOtherName = (name: string, value: string) =>
  (name === 'changeRequestId' && /^\d{1,9}$/.test(value)) || (name === 'documentId' && /^[\w-]{43}$/.test(value))

/** A name that people chose. */
const isSlug = (text: string) => text.length <= 100 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)

/** `changeRequestId` → "change request". */
function nounOf(parameter: string): string {
  return parameter.replace(/(Id|Slug)$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

async function findBearer(request: FastifyRequest, header: string): Promise<Caller | undefined> {
  const secret = /^bearer +([\x21-\x7e]{8,1024})$/i.exec(header)?.[1]
  const { organizationId } = request.params as { organizationId?: string }
  const ofContent = /^bearer +(lcc_[\w.-]{8,8000})$/i.exec(header)?.[1]
  if (ofContent !== undefined) return request.server.audience.findReader(ofContent)
  return secret === undefined
    ? undefined
    : findCaller(request.server.db, secret, organizationId && isId(organizationId) ? organizationId : null)
}

function checkScope(request: FastifyRequest, { token, reader }: Caller): void {
  const { policy, readers } = request.routeOptions.config
  if (token.scopes === null || (reader && readers)) return
  const scope = policy?.access === 'token' ? policy.scope : null
  if (scope !== null && token.scopes.includes(scope)) return
  throw new ApiError(
    'insufficient_scope',
    scope ? `This token does not have the scope ${scope}.` : 'This requires a token without restricted scopes.',
  )
}
