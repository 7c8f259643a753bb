import { type Statement, sql } from '../db/sql.ts'
import { type Entry, type Row, columns, isHere } from './entries.ts'
import type { Line } from './lines.ts'

/**
 * A line as a write finds it: its head, and everything that nearly every write needs next. This is read along with the
 * line in one statement, so that a write begins with one round trip, and everything is from the same revision.
 */
export interface Opened {
  line: Line
  /** The ids of the entries that the write names. */
  asked: readonly string[]
  /** Those of these entries that exist on the line. */
  entries: readonly Entry[]
  /** On a branch: those of these entries that exist in the main revision it is based on. */
  onMain: readonly Entry[]
  /** Whether the line has unresolved conflicts. */
  hasConflicts: boolean
}

export interface OpenedRow {
  own_rows: Row[] | null
  main_rows: Row[] | null
  has_conflicts: boolean
}

/** Returns the columns of an `OpenedRow`, for a statement that has a line under this name. */
export function openedColumns(line: Statement, entries: readonly string[]): Statement {
  return sql`(select json_agg(own) from (
      select ${columns} from heads e
      where e.organization_id = ${line}.organization_id and e.line_id = ${line}.id and e.entry = any (${entries}::uuid[])) own) as own_rows,
    (select json_agg(main) from unnest(${entries}::uuid[]) wanted (id) cross join lateral (
      select ${columns} from entries e
      where e.organization_id = ${line}.organization_id and e.line_id = ${line}.main_id and e.entry = wanted.id
        and e.from_seq <= ${line}.base_seq
      order by e.from_seq desc limit 1) main) as main_rows,
    exists (select from conflicts c
      where c.organization_id = ${line}.organization_id and c.line_id = ${line}.id and c.to_seq is null) as has_conflicts`
}

export function asOpened(line: Line, asked: readonly string[], row: OpenedRow): Opened {
  const own = new Map((row.own_rows ?? []).map((each) => [each.entry, each]))
  const onMain = (row.main_rows ?? []).filter(isHere)
  const shining = onMain.filter(({ entry }) => (own.get(entry)?.state ?? 2) === 2)
  const entries = [...[...own.values()].filter(isHere), ...shining]
  return { line, asked, entries, onMain, hasConflicts: row.has_conflicts }
}
