/**
 * Finds the redirect for an address of a site. Pure: built once from the redirects of a site, then used many times. A
 * source without a wildcard comes first, then the longest source. Case does not matter.
 */

export interface Matchable {
  /** The source as normalized by `matchOf`. */
  match: string
  /** Whether the part matched by the wildcard is appended to the destination. */
  captureWildcard: boolean
}

export interface Matched<Redirect> {
  redirect: Redirect
  /** The segments to append to the destination, decoded, as they were requested. */
  rest: string[]
}

/**
 * Segments of unreserved characters and percent codes. A `*` is allowed at the end, as a segment of its own or after
 * other characters.
 */
const sourcePattern =
  '^/(?:(?:[A-Za-z0-9\\-._~]|%[0-9A-Fa-f]{2})+(?:/(?:[A-Za-z0-9\\-._~]|%[0-9A-Fa-f]{2})+)*(?:/?\\*)?|\\*)$'
const source = new RegExp(sourcePattern)

export const maxSourceLength = 512

/** Returns the normalized form by which a source is matched, or undefined if it is invalid. */
export function matchOf(text: string): string | undefined {
  if (!source.test(text)) return undefined
  const isWild = text.endsWith('*')
  const segments = segmentsOf(isWild ? text.slice(0, -1) : text)
  if (!segments || segments.some(isClimbing)) return undefined
  const wild = isWild ? (text.endsWith('/*') ? '/*' : '*') : ''
  return (keyOf(segments) === '/' && wild === '/*' ? '' : keyOf(segments)) + wild
}

export class RedirectMatcher<Redirect extends Matchable> {
  readonly #exact = new Map<string, Redirect>()
  readonly #wild = new Map<string, Redirect>()
  /**
   * The distinct lengths of the sources with a wildcard, longest first. There are few lengths, no matter how many
   * sources.
   */
  readonly #lengths: number[]

  constructor(redirects: Iterable<Redirect>) {
    for (const redirect of redirects) {
      const { match } = redirect
      if (match.endsWith('*')) this.#wild.set(match.slice(0, -1), redirect)
      else this.#exact.set(match, redirect)
    }
    this.#lengths = [...new Set([...this.#wild.keys()].map(({ length }) => length))].toSorted((a, b) => b - a)
  }

  get isEmpty(): boolean {
    return this.#exact.size === 0 && this.#wild.size === 0
  }

  /** `path` is relative to the site and percent-encoded as requested. A leading or trailing slash does not matter. */
  find(path: string): Matched<Redirect> | undefined {
    const asked = this.isEmpty ? undefined : readPath(path)
    if (!asked) return undefined
    const redirect = this.#exact.get(asked.exact) ?? this.#findWild(asked.open)
    return redirect && { redirect, rest: capturedBy(redirect, asked) }
  }

  #findWild(open: string): Redirect | undefined {
    for (const length of this.#lengths) {
      const redirect = length > open.length ? undefined : this.#wild.get(open.slice(0, length))
      if (redirect) return redirect
    }
    return undefined
  }
}

/** A requested path. */
export interface AskedPath {
  segments: string[]
  /** The match of a source that is exactly this path. */
  exact: string
  /** Wildcard sources that cover this path are prefixes of this. `/docs/*` covers `/docs` as well. */
  open: string
}

/** Returns undefined if the path is not properly encoded or contains steps upwards: such a path matches nothing. */
export function readPath(path: string): AskedPath | undefined {
  const segments = segmentsOf(path)
  if (!segments || segments.some(isClimbing)) return undefined
  const exact = keyOf(segments)
  return { segments, exact, open: exact === '/' ? exact : `${exact}/` }
}

/** Returns the segments to append to the destination of a redirect that matches this path. */
export function capturedBy({ match, captureWildcard }: Matchable, { segments }: AskedPath): string[] {
  return captureWildcard && match.endsWith('*') ? restOf(segments, match) : []
}

/** Returns an external destination with the captured segments appended to its path. Nothing else in it can change. */
export function externalTarget(destination: string, rest: readonly string[]): string {
  if (rest.length === 0) return destination
  const url = new URL(destination)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${encodePath(rest)}`
  return url.href
}

/** Segments as a part of an address. */
export const encodePath = (segments: readonly string[]) => segments.map(encodeURIComponent).join('/')

/** Returns the decoded segments of a path, or undefined if it is not properly encoded. */
export function segmentsOf(path: string): string[] | undefined {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/**
 * Whether browsers treat this segment as a step upwards, encoded or not. After a destination, it would lead out of it.
 */
const isClimbing = (segment: string) => segment === '.' || segment === '..'

/**
 * Returns one form for all spellings of a path. Characters with a special meaning in a source stay encoded where they
 * only stand for themselves.
 */
function keyOf(segments: readonly string[]): string {
  return `/${segments.map(spellingOf).join('/')}`
}

const spellingOf = (segment: string) =>
  segment
    .normalize('NFC')
    .toLowerCase()
    .replace(/[%/*]/g, (character) => `%${character.codePointAt(0)!.toString(16)}`)

/** Returns what the wildcard matches, spelled as in the request. */
function restOf(segments: readonly string[], match: string): string[] {
  const before = match.slice(1, -1).split('/')
  const whole = segments.slice(before.length - 1)
  const begun = before.at(-1)!
  if (begun === '' || whole.length === 0) return whole
  // If the source ends within a segment, the rest of the segment is captured. Spellings may differ in length, so its
  // start is searched for.
  const [first = '', ...others] = whole
  const characters = [...first]
  const from = characters.findIndex((_, at) => spellingOf(characters.slice(0, at + 1).join('')).length >= begun.length)
  const end = characters.slice(from + 1).join('')
  // No whole segment is a step upwards, but the rest of one can be: `/a..`, where `/a*` matches. It is dropped.
  return [...(end === '' || isClimbing(end) ? [] : [end]), ...others]
}
