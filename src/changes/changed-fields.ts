import { isDeepStrictEqual } from 'node:util'

/**
 * What is otherwise now, by the names that it has on the wire; `kept` says in which columns each is. What somebody sent as it
 * was is no change: whoever reads the record would look for one.
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
