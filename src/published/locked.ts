import type { FastifyReply, FastifyRequest } from 'fastify'
import { readReturnPath, readUntidyPath } from '../audience/addresses.ts'
import { answersReaders } from '../audience/snapshots/snapshot.ts'
import { writeCookie } from '../audience/visitors/cookies.ts'
import { lockedLink, opens } from '../audience/visitors/visitor.ts'
import { ApiError, asApiError } from '../http/errors.ts'
import { networkOf } from '../http/network.ts'
import type { App } from '../http/routes.ts'
import { inTurn } from '../in-turn.ts'
import { asAddress } from '../percent.ts'
import { hashOf } from '../secrets.ts'
import { countOnce, findCount } from '../sessions/codes.queries.ts'
import { longestPassword, openLock } from '../sites/share-links/password.ts'
import { findLock } from '../sites/share-links/queries.ts'
import { type Asking, showPasswordForm } from './notices/password-form.ts'
import { takesRatings } from './ratings/address.ts'
import { readSent, requireOurs } from './sent.ts'
import { leadTo } from './sign-in.ts'
import { type Visit, keyInPath, publicBase, queryWithout, shareCookie } from './visit.ts'
import { preferredLanguage } from './words/preferred.ts'
import { type Words, fill, wordsFor } from './words/words.ts'

/** Where the password for a share link is sent: after its key in the address. */
const passwordPath = /(?:^|\/)(?:~|%7e)\/open$/i
export const takesPassword = (path: string) => passwordPath.test(path)

const monthSeconds = 30 * 24 * 3_600

/** Wrong passwords per hour, for one link from one network. */
const mostWrong = 20

/** A share link that a visitor has, but has not given the password for. */
export interface Locked {
  key: string
  linkId: string
  /** The path that the visitor wants to read. */
  path: string
}

/**
 * Returns the share link for which the visitor must enter a password: they came by its address, or came by it before
 * and the password has changed since.
 */
export function lockedFor(visit: Visit, method: string): Locked | undefined {
  const { snapshot, presented } = visit
  if (!answersReaders(snapshot) || snapshot.site.visibility !== 'share-link') return undefined
  // A visitor who is already in may send a password anyway: that of another link, or from another tab.
  const isSending = method === 'POST' && takesPassword(visit.path)
  if (!isSending && opens(snapshot, presented.shareKey)) return undefined
  const path = readUntidyPath(visit.path)?.tidy ?? visit.path
  const inPath = keyInPath({ ...visit, path })
  const [kept] = visit.cookie('share')?.split('.') ?? []
  const { key, path: wanted } = inPath ?? { key: kept, path }
  const linkId = lockedLink(snapshot, key)
  // The assets of pages are not pages.
  if (key === undefined || linkId === undefined || wanted.startsWith('~/assets/')) return undefined
  // A visitor who sends something wants to read as well, and the address to which it is sent has nothing to read.
  return { key, linkId, path: takesPassword(wanted) || takesRatings(wanted) ? '' : wanted }
}

/** Asks for the password, checks the one that was sent, and lets the visitor in. */
export async function answerLocked(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  { key, linkId, path }: Locked,
): Promise<FastifyReply> {
  const { snapshot, jar } = visit
  const base = publicBase(visit, false)
  let wanted = path + queryWithout(visit)
  const ask = (asking: Partial<Asking> = {}) =>
    showPasswordForm(reply, { action: `${base}${key}/~/open`, location: wanted, ...asking })
  if (request.method !== 'POST' || !takesPassword(visit.path)) return ask()

  try {
    app.limit?.count(request, reply)
    requireOurs(app, request, snapshot.site.proxy)
    const { password, location } = await readForm(request)
    wanted = location
    const opened = await tryPassword(app, request, visit, linkId, password)
    if (opened === undefined) return ask({ refused: wordsFor(preferredLanguage(request)).wrongPassword })
    reply.header('set-cookie', writeCookie(jar, 'share', shareCookie(key, opened), monthSeconds))
    return leadTo(reply, base + location, 303)
  } catch (error) {
    const { status, headers, message } = asApiError(error)
    if (status >= 500) throw error
    reply.headers(headers)
    return ask({ refused: message, status })
  }
}

/** Tries passwords one by one: of many that arrive at once, none is tried before those ahead of it are counted. */
function tryPassword(
  app: App,
  request: FastifyRequest,
  { snapshot }: Visit,
  linkId: string,
  password: string,
): Promise<string | undefined> {
  const guesser = hashOf(`${linkId} ${networkOf(request.ip)}`)
  return inTurn(`password ${guesser.toString('base64')}`, async () => {
    await requireFewWrong(app, guesser, wordsFor(preferredLanguage(request)))
    const lock = await findLock(app.db, snapshot.site, linkId)
    const opened = lock && (await openLock(app.secrets, lock, password))
    if (opened === undefined) await countOnce(app.db, 'wrong-password-by', guesser)
    return opened
  })
}

async function requireFewWrong(app: App, guesser: Buffer, words: Words): Promise<void> {
  const wrong = await findCount(app.db, 'wrong-password-by', guesser)
  if (!wrong || wrong.times < mostWrong) return
  const minutes = Math.max(1, Math.ceil(wrong.seconds_left / 60))
  const text = minutes === 1 ? words.wrongPasswordsMinute : fill(words.wrongPasswords, minutes)
  throw new ApiError('rate_limited', text, { headers: { 'retry-after': String(minutes * 60) } })
}

/** A password of the maximum length, with each letter written in twelve characters, and an address. */
const longestForm = longestPassword * 12 + 8_000

export async function readForm(request: FastifyRequest): Promise<{ password: string; location: string }> {
  const type = 'application/x-www-form-urlencoded'
  const fields = new URLSearchParams(await readSent(request, { name: 'the form', type, longest: longestForm }))
  return { password: fields.get('password') ?? '', location: asAddress(readReturnPath(fields.get('location') ?? '')) }
}
