/**
 * Which redirect an address of a site leads to. Pure: made once from the redirects of a site, then asked often. The
 * longest source wins, one without a wildcard before all others; case does not matter.
 */

export interface Matchable {
  /** As `matchOf` makes it of the source. */
  match: string
  /** Whether what the wildcard stood for goes behind the destination. */
  captureWildcard: boolean
}

export interface Matched<Redirect> {
  redirect: Redirect
  /** The parts of the address that go behind the destination, decoded, as they were asked for. */
  rest: string[]
}

/** Segments of unreserved characters and percent codes; a `*` may stand at the end, alone or behind something. */
const sourcePattern =
  '^/(?:(?:[A-Za-z0-9\\-._~]|%[0-9A-Fa-f]{2})+(?:/(?:[A-Za-z0-9\\-._~]|%[0-9A-Fa-f]{2})+)*(?:/?\\*)?|\\*)$'
const source = new RegExp(sourcePattern)

export const maxSourceLength = 512

/** What a source is matched by, or undefined where it is none. */
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
  /** How long the sources with a wildcard are, the longest first: there are few lengths, whatever their number. */
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

  /** `path` is below the site, percent-encoded as it was asked for; a slash at its beginning or end does not matter. */
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

/** A path that somebody asks for. */
export interface AskedPath {
  segments: string[]
  /** The match of a source that is just this path. */
  exact: string
  /** What the matches of wildcards that stand for it are a beginning of. `/docs/*` is for `/docs` as well. */
  open: string
}

/** Undefined where it is not properly encoded, or leads upwards: that matches nothing. */
export function readPath(path: string): AskedPath | undefined {
  const segments = segmentsOf(path)
  if (!segments || segments.some(isClimbing)) return undefined
  const exact = keyOf(segments)
  return { segments, exact, open: exact === '/' ? exact : `${exact}/` }
}

/** What goes behind the destination of a redirect that matches this path. */
export function capturedBy({ match, captureWildcard }: Matchable, { segments }: AskedPath): string[] {
  return captureWildcard && match.endsWith('*') ? restOf(segments, match) : []
}

/** An external destination with what was captured put behind its path: nothing else of it can change. */
export function externalTarget(destination: string, rest: readonly string[]): string {
  if (rest.length === 0) return destination
  const url = new URL(destination)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${encodePath(rest)}`
  return url.href
}

/** Segments as a part of an address. */
export const encodePath = (segments: readonly string[]) => segments.map(encodeURIComponent).join('/')

/** The decoded segments of a path. Undefined where it is not properly encoded. */
export function segmentsOf(path: string): string[] | undefined {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** A browser takes these as steps upwards, encoded or not: behind a destination they would lead out of it. */
const isClimbing = (segment: string) => segment === '.' || segment === '..'

/** One spelling of all that mean the same. What means something in a source stays encoded where it means only itself. */
function keyOf(segments: readonly string[]): string {
  return `/${segments.map(spellingOf).join('/')}`
}

const spellingOf = (segment: string) =>
  segment
    .normalize('NFC')
    .toLowerCase()
    .replace(/[%/*]/g, (character) => `%${character.codePointAt(0)!.toString(16)}`)

/** What stands where the wildcard is, in the spelling of the one who asks. */
function restOf(segments: readonly string[], match: string): string[] {
  const before = match.slice(1, -1).split('/')
  const whole = segments.slice(before.length - 1)
  const begun = before.at(-1)!
  if (begun === '' || whole.length === 0) return whole
  // Of a segment that the source begins, the end is captured. Spellings may differ in length, so it is looked for.
  const [first = '', ...others] = whole
  const characters = [...first]
  const from = characters.findIndex((_, at) => spellingOf(characters.slice(0, at + 1).join('')).length >= begun.length)
  const end = characters.slice(from + 1).join('')
  // No step as a whole, but one without its beginning: `/a..`, where `/a*` matches. It leads nowhere.
  return [...(end === '' || isClimbing(end) ? [] : [end]), ...others]
}
