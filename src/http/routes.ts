import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Static, TSchema } from 'typebox'
import type { Scope } from '../access/scopes.ts'
import type { Caller } from '../access/caller.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import type { ContentCache } from '../pages/content-cache.ts'
import type { Secrets } from '../secrets.ts'
import type { Hosts } from '../sites/addresses.ts'
import type { RateLimit } from './rate-limit.ts'
import type { BlobStore } from '../storage/store.ts'

/**
 * Who may call a route, stated on it and shown in the API reference. `public`: anyone. Otherwise a token is needed,
 * and `scope` is the one a narrowed token must have (null: only a token that was never narrowed).
 */
export type Policy = { access: 'public' } | { access: 'token'; scope: Scope | null; needs: string }

export const anyone: Policy = { access: 'public' }

/** `needs` completes the sentence "The caller needs …". */
export const token = (scope: Scope | null, needs: string): Policy => ({ access: 'token', scope, needs })

interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxProvider>

/** A feature's endpoints. */
export type Routes = (app: App) => Promise<void>

declare module 'fastify' {
  interface FastifyInstance {
    db: Database
    config: Config
    secrets: Secrets
    store: BlobStore
    fetcher: Fetcher
    content: ContentCache
    /** The base of all `urls`, without a slash at its end. */
    url: string
    /** Limits how often a caller may call; undefined if calls are not counted. */
    limit: RateLimit | undefined
    /** The address in `url`, and the host whose subdomains show sites. */
    hosts: Hosts
  }

  interface FastifyRequest {
    /** Set on every route that needs a token. */
    caller: Caller
    /** Set if a repeated request gets the answer of the first one. */
    replayedStatus: number | undefined
    /** Whether the host of a site is asked, which has no routes: its paths are those of pages. */
    isToSite: boolean
  }

  interface FastifyContextConfig {
    policy?: Policy
    /** Not an operation of the API: a page, a file. */
    hidden?: boolean
    /** The page that contains the form for this route, if it is not above it: its path as declared. */
    page?: string
    /** Answers requests with wrong methods itself. */
    refusesMethods?: boolean
    /** Accepts any query: it does no harm to a page. */
    takesAnyQuery?: boolean
    /** Accepts an `Idempotency-Key` although it is not a POST. */
    idempotent?: boolean
    /** `Prefer: return=minimal` is answered with 204 and no body. */
    minimal?: boolean
    /** How deep its body may be nested, if that is more than usual. */
    bodyDepth?: number
    /** Also available to visitors of a published site, with a content token. */
    readers?: boolean
    /** Not counted against the rate limit. */
    uncounted?: boolean
    /** Called by machines every few seconds: not worth a line in the log while all is well. */
    quiet?: boolean
  }

  interface FastifySchema {
    operationId?: string
    summary?: string
    description?: string
    tags?: string[]
    deprecated?: boolean
  }
}

/** Returns the success status that a route's schema declares, so that handlers never have to repeat it. */
export function successStatus(request: FastifyRequest): number {
  const statuses = Object.keys((request.routeOptions.schema?.response as object | undefined) ?? {})
  return Number(statuses.find((status) => status.startsWith('2')) ?? 200)
}

/** Sets `Location` on an answer about something new, so that clients need not look into its body for that. */
export function pointAtNew(request: FastifyRequest, reply: FastifyReply, answer: unknown): void {
  if (reply.statusCode !== 200 || successStatus(request) !== 201 || reply.hasHeader('location')) return
  const made = answer as { id?: unknown; urls?: { location?: string } } | undefined
  const location = made?.urls?.location ?? addressBelow(request, made?.id)
  if (location !== undefined) reply.header('location', location)
}

/**
 * A resource whose answer does not contain its address is below the one that it was created at. A copy is beside its
 * original.
 */
function addressBelow({ server, url }: FastifyRequest, id: unknown): string | undefined {
  if (typeof id !== 'string') return undefined
  const path = url.split('?')[0]!
  const all = [`${path}/${id}`, path.replace(/[^/]+\/duplicate$/, id)]
  const address = all.find((each) => each !== path && server.routeAt(each) !== undefined)
  return address && server.url + address
}

/** RFC 9745: since when there is a better way. There is no plan to remove operations that are marked like this. */
export function markDeprecated(reply: FastifyReply): void {
  reply.header('deprecation', '@1751328000')
}

/** Returns the caller of a public route; undefined if nobody is identified. */
export function maybeCaller(request: FastifyRequest): Caller | undefined {
  return request.caller
}
