import { createHmac, timingSafeEqual } from 'node:crypto'
import { isObject } from '../../objects.ts'

/** The content of a token from a site's own sign-in, after its signature was checked. */
export interface VisitorToken {
  claims: Record<string, unknown>
  /** Seconds since 1970. */
  expires: number
}

/** About what fits into a cookie. */
const maxTokenLength = 3_800
/** Clocks differ a little. */
export const skewSeconds = 30

/**
 * Verifies a JSON Web Token with the key of a site. Accepts only HS256: what the token itself says about keys and
 * algorithms is ignored, so it cannot choose a weaker check. It must have an expiry.
 */
export function readVisitorToken(token: string, key: string): VisitorToken | undefined {
  if (token.length > maxTokenLength) return undefined
  const [, header, payload, signature] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token) ?? []
  if (header === undefined || payload === undefined || signature === undefined) return undefined
  if (!isSignedWith(key, `${header}.${payload}`, signature)) return undefined

  const { alg, typ, crit } = readPart(header) ?? {}
  const isPlain =
    alg === 'HS256' && (typ === undefined || (typeof typ === 'string' && /^jwt$/i.test(typ))) && crit === undefined
  const claims = readPart(payload)
  if (!isPlain || !claims) return undefined

  const now = Date.now() / 1000
  const { exp, nbf, iat } = claims
  if (!isTime(exp) || exp + skewSeconds <= now) return undefined
  if ([nbf, iat].some((from) => from !== undefined && (!isTime(from) || from - skewSeconds > now))) return undefined
  return { claims, expires: exp }
}

function isSignedWith(key: string, text: string, signature: string): boolean {
  const expected = createHmac('sha256', key).update(text).digest()
  const given = Buffer.from(signature, 'base64url')
  // Several texts decode to the same bytes. Only the canonical one is accepted.
  return (
    given.toString('base64url') === signature && given.length === expected.length && timingSafeEqual(given, expected)
  )
}

function readPart(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
