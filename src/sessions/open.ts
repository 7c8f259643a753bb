import { recordChange } from '../changes/record.ts'
import type { Db } from '../db/connect.ts'
import type { Transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { touchMemberships } from '../organizations/members.queries.ts'
import { hashOf, newSecret } from '../secrets.ts'
import { firstCharacters } from '../shortened.ts'
import { type SessionRow, deleteSession, deleteSessionsOf, insertSession, listPlacesOf, markSeen } from './queries.ts'

export interface SignIn {
  userId: string
  /** If set, the session gives rights in that organization only. */
  organizationId: string | null
  method: SessionRow['method']
  /** The network address of the request. */
  address: string
  userAgent: string
  /** Generated if omitted. */
  secret?: string
}

export interface OpenedSession {
  id: string
  /** Sent in the cookie and stored nowhere. */
  secret: string
}

/** Opens a new session with a secret of its own. A secret that the browser had before does not work for it. */
export async function openSession(tx: Transaction, signIn: SignIn): Promise<OpenedSession> {
  const { userId, organizationId, method, address, userAgent, secret = newSecret() } = signIn
  const row = await insertSession(tx, {
    id: newId(),
    userId,
    organizationId,
    secretHash: hashOf(secret),
    method,
    address: address.slice(0, 64),
    userAgent: shortened(userAgent),
  })
  await record(tx, row, 'session.opened')
  await noteSeen(tx, row)
  return { id: row.id, secret }
}

/** Marks the user as seen in all organizations that the session gives access to. */
export async function noteSeen(db: Db, row: Pick<SessionRow, 'id' | 'user_id' | 'organization_id'>): Promise<void> {
  await markSeen(db, row.id)
  await touchMemberships(db, row.user_id, await placesOf(db, row))
}

/** Ends the session. It gives no access from the next request on. */
export async function endSession(tx: Transaction, userId: string, id: string): Promise<boolean> {
  const row = await deleteSession(tx, userId, id)
  if (row) await record(tx, row, 'session.ended')
  return row !== undefined
}

/** Ends all sessions of a user, except `but`, if the request was made with that one. */
export async function endSessions(tx: Transaction, userId: string, but: string | null): Promise<number> {
  const rows = await deleteSessionsOf(tx, userId, but)
  for (const row of rows) await record(tx, row, 'session.ended')
  return rows.length
}

const placesOf = async (db: Db, row: Pick<SessionRow, 'user_id' | 'organization_id'>): Promise<string[]> =>
  row.organization_id === null ? listPlacesOf(db, row.user_id) : [row.organization_id]

/** Recorded in every organization that the session gives access to, since their administrators want to know. */
async function record(tx: Transaction, row: SessionRow, action: 'session.opened' | 'session.ended'): Promise<void> {
  const places = await placesOf(tx, row)
  for (const organizationId of places.length > 0 ? places : [null]) {
    const about = { organizationId, actorId: row.user_id, target: { type: 'session', id: row.id } }
    if (action === 'session.opened')
      recordChange(tx, { ...about, action: 'session.opened', details: { method: row.method } })
    else recordChange(tx, { ...about, action: 'session.ended' })
  }
}

/** Shortens the user agent of a browser to text that can be stored and shown. */
function shortened(userAgent: string): string {
  return firstCharacters(userAgent.toWellFormed().replace(/\p{Cc}/gu, ' '), 300)
}
