import type { Fields } from '../account/forms.ts'
import { type ApiError, conflict } from '../http/errors.ts'

/**
 * Returns the new value of a field. Undefined if the user left it as they saw it, or if it already has this value. A
 * value that others have written in the meantime is not overwritten by a user who has not read it.
 */
export function wantedIn(
  typed: string,
  { seen = '', now, isNow }: { seen: string | undefined; now: string; isNow: (now: string) => string },
): string | undefined {
  if (typed === now || typed === seen.trim()) return undefined
  if (now !== seen) throw overtaken(isNow(now))
  return typed
}

/**
 * Whether a form asks for a change of the current value. A value that others have chosen in the meantime is not
 * overwritten either.
 */
export function isNew(
  { seen }: Fields,
  { now, wanted, said = `“${now}”` }: { now: string; wanted: string; said?: string },
): boolean {
  if (wanted === now) return false
  if (seen !== now) throw changedTo(said)
  return true
}

/** Checks that a user who chooses what is shown first has seen the current choice. */
export function requireFirst(level: readonly { id: string; isDefault: boolean }[], { seen }: Fields): void {
  if (level.find(({ isDefault }) => isDefault)?.id !== seen) throw overtaken('changed what is shown first')
}

/** `what` completes “Somebody has …”. */
export const overtaken = (what: string): ApiError =>
  conflict(`Somebody has ${what} since you opened this page. Reload it.`)

/** `now` is the current value, in words. */
export const changedTo = (now: string): ApiError =>
  conflict(`Somebody has changed it since you opened this page: it is ${now} now. Reload the page.`)
