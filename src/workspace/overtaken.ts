import type { Fields } from '../account/forms.ts'
import { type ApiError, conflict } from '../http/errors.ts'

/**
 * What a field is to be from now on; undefined where somebody left it as they saw it, or it is so already. What others
 * wrote there meanwhile is not overwritten by somebody who has not read it.
 */
export function wantedIn(
  typed: string,
  { seen = '', now, isNow }: { seen: string | undefined; now: string; isNow: (now: string) => string },
): string | undefined {
  if (typed === now || typed === seen.trim()) return undefined
  if (now !== seen) throw overtaken(isNow(now))
  return typed
}

/** Whether a form asks for something else than is so already. What others chose meanwhile is not overwritten either. */
export function isNew(
  { seen }: Fields,
  { now, wanted, said = `“${now}”` }: { now: string; wanted: string; said?: string },
): boolean {
  if (wanted === now) return false
  if (seen !== now) throw changedTo(said)
  return true
}

/** Whoever chooses what is shown first has seen what was. */
export function requireFirst(level: readonly { id: string; isDefault: boolean }[], { seen }: Fields): void {
  if (level.find(({ isDefault }) => isDefault)?.id !== seen) throw overtaken('changed what is shown first')
}

/** `what` has happened in the meantime. */
export const overtaken = (what: string): ApiError =>
  conflict(`Somebody has ${what} since you opened this page. Reload it.`)

/** What it is `now`, as people read it. */
export const changedTo = (now: string): ApiError =>
  conflict(`Somebody has changed it since you opened this page: it is ${now} now. Reload the page.`)
