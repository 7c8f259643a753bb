import { slugFrom } from '../editing/slugs.ts'
import { invalid } from '../http/errors.ts'
import { firstCharacters } from '../shortened.ts'

const maxCharacters = 100

/** Checks a path segment that a user chose for a site, a section or a space. */
export function checkPath(path: string, field: string): void {
  // oxlint-disable-next-line no-control-regex
  if (/[\s/\\?#%\u0000-\u001f\u007f]/u.test(path)) {
    throw invalid(field, 'path', 'must be one part of an address: no spaces, slashes, ?, # and %')
  }
  if (isReserved(path)) throw invalid(field, 'reserved', 'is kept for addresses that every site has')
}

/** Feeds, Markdown versions of pages and everything that begins with a tilde belong to the site itself. */
export function isReserved(path: string): boolean {
  return /^~|^\.|\.(md|txt|xml|ico)$/i.test(path)
}

export function checkBasename(basename: string, field: string): void {
  checkPath(basename, field)
  if (reservedBasenames.has(basename.toLowerCase())) throw invalid(field, 'reserved', 'is a reserved word')
}

const reservedBasenames = new Set(['app', 'assets', 'auth', 'health', 'login', 'logout', 'sites', 'static', 'v1'])

/** Yields basenames to try for a title, best first. */
export function* basenamesFor(title: string): Generator<string> {
  for (const name of namesFor(title)) if (!reservedBasenames.has(name)) yield name
}

/** Returns the first path for this title that is not taken. */
export function freePath(title: string, taken: readonly { path: string }[]): string {
  const paths = new Set(taken.map(({ path }) => path))
  for (const name of namesFor(title)) if (!paths.has(name)) return name
  throw new Error('There is always another number')
}

/** Yields the title as a path segment, then the same with a number appended. */
function* namesFor(title: string): Generator<string> {
  const stem = slugFrom(title)
  yield stem
  for (let number = 1; ; number++) {
    const suffix = `-${number}`
    yield firstCharacters(stem, maxCharacters - suffix.length) + suffix
  }
}
