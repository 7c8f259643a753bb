import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { type Secrets, newSecret } from '../../secrets.ts'
import { shareKeyHash } from './keys.ts'

export const shortestPassword = 8
export const longestPassword = 200

/** The additional fields of a share link with a password. */
export interface Lock {
  password_hash: string
  /** The hash of the secret that opens the site in place of the key. */
  opened_hash: string
  opened_sealed: Buffer
}

/** The purpose for which secrets are sealed that are handed out for a password. */
const openedPurpose = 'share link opened'

/** Takes a tenth of a second, and 32 MB. */
export async function lockWith(secrets: Secrets, password: string): Promise<Lock> {
  const salt = randomBytes(16)
  const opened = newSecret()
  return {
    password_hash: [salt, await derived(password, salt)].map((part) => part.toString('base64url')).join('.'),
    opened_hash: shareKeyHash(opened),
    opened_sealed: secrets.seal(openedPurpose, opened),
  }
}

/** Returns the secret that opens the site if the password is right. */
export async function openLock(secrets: Secrets, lock: Lock, password: string): Promise<string | undefined> {
  const [salt, expected] = lock.password_hash.split('.').map((part) => Buffer.from(part, 'base64url'))
  if (!timingSafeEqual(await derived(password, salt!), expected!)) return undefined
  return secrets.open(openedPurpose, lock.opened_sealed)
}

/** People choose passwords that can be guessed, so each guess must be expensive. */
function derived(password: string, salt: Buffer): Promise<Buffer> {
  // Depending on the keyboard, the same letter is typed as one character or as two.
  const text = password.normalize('NFKC')
  return new Promise((resolve, reject) =>
    scrypt(text, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}
