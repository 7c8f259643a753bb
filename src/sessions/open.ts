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
  /** Set: the session gives rights in that organization only. */
  organizationId: string | null
  method: SessionRow['method']
  /** Of the network, as the request has it. */
  address: string
  userAgent: string
  /** Otherwise a new one. */
  secret?: string
}

export interface OpenedSession {
  id: string
  /** Goes into the cookie, and is kept nowhere. */
  secret: string
}

/** A new session, with a secret of its own: whatever the browser had before is worth nothing for it. */
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

/** Whoever comes with a browser was seen in all organizations that it opens for them. */
export async function noteSeen(db: Db, row: Pick<SessionRow, 'id' | 'user_id' | 'organization_id'>): Promise<void> {
  await markSeen(db, row.id)
  await touchMemberships(db, row.user_id, await placesOf(db, row))
}

/** From the next request on it opens nothing. */
export async function endSession(tx: Transaction, userId: string, id: string): Promise<boolean> {
  const row = await deleteSession(tx, userId, id)
  if (row) await record(tx, row, 'session.ended')
  return row !== undefined
}

/** All of somebody's, `but` one, where that is the one they are asking with. */
export async function endSessions(tx: Transaction, userId: string, but: string | null): Promise<number> {
  const rows = await deleteSessionsOf(tx, userId, but)
  for (const row of rows) await record(tx, row, 'session.ended')
  return rows.length
}

const placesOf = async (db: Db, row: Pick<SessionRow, 'user_id' | 'organization_id'>): Promise<string[]> =>
  row.organization_id === null ? listPlacesOf(db, row.user_id) : [row.organization_id]

/** It stands in the record of every organization that it opens: their administrators want to know. */
async function record(tx: Transaction, row: SessionRow, action: 'session.opened' | 'session.ended'): Promise<void> {
  const places = await placesOf(tx, row)
  for (const organizationId of places.length > 0 ? places : [null]) {
    const about = { organizationId, actorId: row.user_id, target: { type: 'session', id: row.id } }
    if (action === 'session.opened')
      recordChange(tx, { ...about, action: 'session.opened', details: { method: row.method } })
    else recordChange(tx, { ...about, action: 'session.ended' })
  }
}

/** Whatever a browser calls itself, as text that can be kept and shown. */
function shortened(userAgent: string): string {
  return firstCharacters(userAgent.toWellFormed().replace(/\p{Cc}/gu, ' '), 300)
}
