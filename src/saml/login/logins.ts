import { randomBytes } from 'node:crypto'
import { recordChange } from '../../changes/record.ts'
import type { Database, Db } from '../../db/connect.ts'
import { type Author, transaction } from '../../db/transaction.ts'
import { isId, newId } from '../../ids.ts'
import { type Secrets, hashOf } from '../../secrets.ts'
import { networkOf } from '../../http/network.ts'
import type { Session } from '../../sessions/cookie.ts'
import { endSession, openSession } from '../../sessions/open.ts'
import { about } from '../actions.ts'
import { privateKeyOf } from '../keys/keys.actions.ts'
import { listKeys } from '../keys/keys.queries.ts'
import {
  type LoginRow,
  countWaiting,
  findLogin,
  finishLogin,
  insertAssertion,
  insertLogin,
  keepAnswer,
  takeTry,
} from './logins.queries.ts'
import { type ReadyProvider, type SamlProviderRow, holdProvider } from '../queries.ts'
import { LoginRefused } from './refusal.ts'
import { requestUrl, verifyResponse } from '../service-provider.ts'
import { findOrMakePerson } from './sign-in.ts'

const mostTries = 5
/** Verifying a response takes time, and anyone can send one. */
const mostTriesNearby = 100
/** A whole office may share one address. */
const mostWaiting = 300

/** What a login needs of this server. */
export interface Service {
  db: Database
  secrets: Secrets
  url: string
}

/**
 * Returns where to send a browser that wants to sign in. What it must bring back is stored here, not in what it carries
 * along.
 */
export async function beginLogin(
  { db, secrets, url }: Service,
  provider: ReadyProvider,
  by: { browserSecret: string; address: string; nextPath: string },
): Promise<string> {
  const address = networkOf(by.address)
  if ((await countWaiting(db, address)) >= mostWaiting) throw new LoginRefused('too-many-logins')
  const login = { id: newId(), request_id: `_${randomBytes(20).toString('hex')}` }
  const [key] = provider.sign_requests ? await listKeys(db, provider) : []
  const request = { id: login.request_id, relayState: login.id }
  const location = await requestUrl(provider, url, request, key && privateKeyOf(secrets, key))
  await insertLogin(db, provider, {
    ...login,
    browser_hash: hashOf(by.browserSecret),
    next_path: by.nextPath,
    address,
  })
  return location
}

/**
 * Handles the provider's response, which another website sends. The person it names is stored until the browser comes
 * with its cookie.
 */
export async function answerLogin(
  { db, secrets, url }: Service,
  provider: ReadyProvider,
  by: Author,
  { relayState, response }: { relayState: string; response: string },
): Promise<LoginRow> {
  const login = isId(relayState) ? await findLogin(db, provider, relayState) : undefined
  if (!login) throw new LoginRefused('unknown-login')
  if (login.tries_nearby >= mostTriesNearby) throw new LoginRefused('too-many-logins')
  if (!(await takeTry(db, login, mostTries))) throw new LoginRefused('too-many-tries')
  try {
    if (login.answer) throw new LoginRefused('repeated')
    const keys = (await listKeys(db, provider)).map((key) => privateKeyOf(secrets, key))
    const { asserted, id, expiresAt } = await verifyResponse(provider, url, login.request_id, response, keys)
    await transaction(db, by, async (tx) => {
      tx.leaveRights()
      const isFirst = await keepAnswer(tx, login, asserted)
      const isNew = await insertAssertion(tx, provider, { idHash: hashOf(id), expiresAt })
      if (!isFirst || !isNew) throw new LoginRefused('repeated')
    })
    return login
  } catch (error) {
    if (error instanceof LoginRefused) await noteRefusal(db, provider, by, error)
    throw error
  }
}

/** Returns where a login was to lead, for a user who has signed in meanwhile in another tab. */
export async function whereItLeads(db: Db, provider: ReadyProvider, loginId: string): Promise<string> {
  const login = isId(loginId) ? await findLogin(db, provider, loginId) : undefined
  return login?.next_path ?? '/account'
}

/** Ends a login for the browser that began it. The session that the browser had until then ends as well. */
export async function endLogin(
  db: Database,
  provider: ReadyProvider,
  by: Author,
  browser: { loginId: string; secret: string | undefined; userAgent: string; former: Session | undefined },
): Promise<{ secret: string; nextPath: string }> {
  const { loginId, secret, userAgent, former } = browser
  if (!isId(loginId)) throw new LoginRefused('unknown-login')
  try {
    if (secret === undefined) throw new LoginRefused('other-browser')
    return await transaction(db, by, async (tx) => {
      // Deleting the provider ends the sessions that it opened. With this lock, the new session exists by then, or is
      // never opened.
      if (!(await holdProvider(tx, provider))) throw new LoginRefused('unknown-login')
      const login = await finishLogin(tx, provider, loginId, hashOf(secret))
      if (!login) throw new LoginRefused('other-browser')
      const userId = await findOrMakePerson(tx, provider, login.answer)
      if (former) await endSession(tx, former.user.id, former.id)
      const session = await openSession(tx, {
        userId,
        organizationId: provider.organization_id,
        method: 'saml',
        address: by.address ?? '',
        userAgent,
      })
      return { secret: session.secret, nextPath: login.next_path }
    })
  } catch (error) {
    const login = error instanceof LoginRefused ? await findLogin(db, provider, loginId) : undefined
    if (login && (await takeTry(db, login, mostTries))) await noteRefusal(db, provider, by, error as LoginRefused)
    throw error
  }
}

/** Recorded because administrators look there when someone cannot sign in. Limited to a few times per login. */
async function noteRefusal(db: Database, provider: SamlProviderRow, by: Author, { reason, userId }: LoginRefused) {
  await transaction(db, by, async (tx) => {
    tx.leaveRights()
    recordChange(tx, {
      ...about(provider),
      action: 'saml-provider.login-refused',
      details: { reason },
      ...(userId !== undefined && { actorId: userId }),
    })
  })
}
