import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/connect.ts'
import type { Author } from '../db/transaction.ts'
import { authorOf } from '../http/write.ts'
import { maybeCaller } from '../http/routes.ts'
import { isId, newId } from '../ids.ts'
import { WrittenLater } from '../written-later.ts'
import { type Note, insertNotes } from './notes.queries.ts'

declare module 'fastify' {
  interface FastifyInstance {
    audit: AuditTrail
  }
}

/** An event for the audit log that is not a change, so there is no transaction to write it with. */
export interface Happening {
  action: `${string}.${string}`
  by: Author
  /** Where it happened; null if it belongs to no organization, such as an event of an account. */
  in: { organizationId: string } | { spaceId: string } | { collectionId: string } | null
  target: { type: string; id: string }
  details?: Record<string, string>
}

const gatherMs = 1_000
const mostWaiting = 1_000
const mostPerMinute = 60
const minuteMs = 60_000

/**
 * Records events other than changes: denied access, sign-ins. Nothing waits for it. Events are gathered and written at
 * most once a second. There is a limit per person and minute, and if the database is unavailable for long, further
 * events are lost. So nobody can flood the log, or slow anything down, by being refused.
 */
export class AuditTrail {
  readonly #db: Database
  readonly #log: FastifyBaseLogger
  #waiting: Note[] = []
  #counts = new Map<string, number>()
  #countedSince = 0
  readonly #writing = new WrittenLater(gatherMs, () => this.#write())

  constructor(db: Database, log: FastifyBaseLogger) {
    this.#db = db
    this.#log = log
  }

  note({ action, by, in: place, target, details }: Happening): void {
    if (this.#waiting.length >= mostWaiting || !this.#mayMore(by)) return
    this.#waiting.push({
      id: newId(),
      at: new Date().toISOString(),
      action,
      ...by,
      targetType: target.type,
      targetId: target.id,
      details: details ?? null,
      hasOrganization: place !== null,
      ...place,
    })
    this.#writing.soon()
  }

  /** Resolves once everything noted so far is written. */
  flush(): Promise<void> {
    return this.#writing.now()
  }

  async #write(): Promise<void> {
    const notes = this.#waiting
    this.#waiting = []
    if (notes.length === 0) return
    try {
      await insertNotes(this.#db, notes)
    } catch (error) {
      this.#log.warn({ err: error, lost: notes.length }, 'what happened could not be recorded')
    }
  }

  #mayMore({ actorId, address }: Author): boolean {
    const now = Date.now()
    if (now - this.#countedSince >= minuteMs) {
      this.#countedSince = now
      this.#counts.clear()
    }
    const who = actorId ?? address ?? ''
    const count = (this.#counts.get(who) ?? 0) + 1
    this.#counts.set(who, count)
    return count <= mostPerMinute
  }
}

/** Runs after an answer was sent: if it was a refusal and the caller is a known user, records that. */
export async function noteRefusal(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const caller = maybeCaller(request)
  if (reply.statusCode !== 403 || !caller || caller.reader) return
  const place = placeOf(request)
  if (!place) return
  const operation = request.routeOptions.schema?.operationId
  request.server.audit.note({
    action: 'access.denied',
    by: authorOf(request),
    in: place,
    target: targetOf(request),
    ...(operation !== undefined && { details: { operation } }),
  })
}

type Params = Partial<Record<string, string>>

function placeOf(request: FastifyRequest): Exclude<Happening['in'], null> | undefined {
  const { organizationId, spaceId, collectionId } = request.params as Params
  if (organizationId !== undefined && isId(organizationId)) return { organizationId }
  if (spaceId !== undefined && isId(spaceId)) return { spaceId }
  return collectionId !== undefined && isId(collectionId) ? { collectionId } : undefined
}

/**
 * Returns the last id in the address. A caller who is refused early may have put anything there, so only valid ids
 * count.
 */
function targetOf(request: FastifyRequest): Happening['target'] {
  const ids = Object.entries(request.params as Params).filter(([name, id]) => name.endsWith('Id') && isId(id ?? ''))
  const [name, id] = ids.at(-1)!
  return { type: name.slice(0, -2).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), id: id! }
}
