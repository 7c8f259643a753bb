import { timingSafeEqual } from 'node:crypto'
import { type Secrets, hashOf, newSecret } from '../secrets.ts'
import type { Checks } from './provider.ts'

/** A login that was started: where it leads, and the values that identify it. */
export interface Begun extends Checks {
  next: string | undefined
}

const purpose = 'oidc login'
const longestNext = 1_000
const longestMs = 20 * 60_000

/**
 * Starts a login. Nothing is stored: all of its data is sealed in the state that the provider sends back. It is only
 * valid in the browser that it was created for, and for a limited time.
 */
export function begin(secrets: Secrets, browser: string, nextPath: string | undefined): Begun {
  // The state has to fit into the URL of the provider.
  const next = nextPath !== undefined && nextPath.length > longestNext ? undefined : nextPath
  const checks = { nonce: newSecret(), verifier: newSecret() }
  const sealed = secrets.seal(
    purpose,
    JSON.stringify({ ...checks, next, at: Date.now(), browser: hashOf(browser).toString('base64url') }),
  )
  return { ...checks, next, state: sealed.toString('base64url') }
}

/** Returns the login that belongs to this state, if it was started in this browser. */
export function findBegun(secrets: Secrets, browser: string, state: string): Begun | undefined {
  const text = opened(secrets, state)
  if (text === undefined) return undefined
  const { nonce, verifier, next, at, browser: begunIn } = JSON.parse(text)
  const isHere = timingSafeEqual(Buffer.from(begunIn, 'base64url'), hashOf(browser))
  return isHere && Date.now() - at < longestMs ? { state, nonce, verifier, next } : undefined
}

/**
 * Returns where the login with this state was to lead, in any browser. Users who have signed in meanwhile in another
 * tab are sent there.
 */
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
