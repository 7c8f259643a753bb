import { isDeepStrictEqual } from 'node:util'

/**
 * Returns which fields have changed, by their names on the wire; `kept` maps each name to its columns. A field that was
 * sent with its old value is not a change: readers of the audit log would look for one.
 */
export function changedFields<Row extends object>(
  now: Row,
  before: Row,
  kept: Readonly<Record<string, readonly (keyof Row)[]>>,
): string[] {
  return Object.keys(kept).filter((name) =>
    kept[name]!.some((column) => !isDeepStrictEqual(now[column], before[column])),
  )
}
