import { timingSafeEqual } from 'node:crypto'
import { type Secrets, hashOf, newSecret } from '../secrets.ts'
import type { Checks } from './provider.ts'

/** A login that was begun: where it leads, and by what it is known again. */
export interface Begun extends Checks {
  next: string | undefined
}

const purpose = 'oidc login'
const longestNext = 1_000
const longestMs = 20 * 60_000

/**
 * Nothing is kept of a login that was begun: all of it travels along, sealed, as the state that the provider sends back.
 * It is worth something in the browser that it was made for, and for a while.
 */
export function begin(secrets: Secrets, browser: string, nextPath: string | undefined): Begun {
  // It has to fit into the address of the provider.
  const next = nextPath !== undefined && nextPath.length > longestNext ? undefined : nextPath
  const checks = { nonce: newSecret(), verifier: newSecret() }
  const sealed = secrets.seal(
    purpose,
    JSON.stringify({ ...checks, next, at: Date.now(), browser: hashOf(browser).toString('base64url') }),
  )
  return { ...checks, next, state: sealed.toString('base64url') }
}

/** The login that comes back with this state, if it was begun in this browser. */
export function findBegun(secrets: Secrets, browser: string, state: string): Begun | undefined {
  const text = opened(secrets, state)
  if (text === undefined) return undefined
  const { nonce, verifier, next, at, browser: begunIn } = JSON.parse(text)
  const isHere = timingSafeEqual(Buffer.from(begunIn, 'base64url'), hashOf(browser))
  return isHere && Date.now() - at < longestMs ? { state, nonce, verifier, next } : undefined
}

/** Where the login with this state was to lead, in whatever browser: whoever has signed in meanwhile, in another tab, goes there. */
export function nextIn(secrets: Secrets, state: string): string | undefined {
  const text = opened(secrets, state)
  return text === undefined ? undefined : (JSON.parse(text) as Begun).next
}

function opened(secrets: Secrets, state: string): string | undefined {
  try {
    return secrets.open(purpose, Buffer.from(state, 'base64url'))
  } catch {
    return undefined
  }
}
