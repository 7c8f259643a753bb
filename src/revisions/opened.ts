import { type Statement, sql } from '../db/sql.ts'
import { type Entry, type Row, columns, isHere } from './entries.ts'
import type { Line } from './lines.ts'

/**
 * A line as a write finds it: where it stands, and all that nearly every write asks for next. It comes with the line in
 * one statement, so that a write begins with one round trip, and all of it is of the same revision.
 */
export interface Opened {
  line: Line
  /** Those entries that the write names. */
  asked: readonly string[]
  /** How they are on the line, as far as they are there. */
  entries: readonly Entry[]
  /** Of a branch: how they are on main, where the branch stands on it. */
  onMain: readonly Entry[]
  /** Whether somebody has conflicts to settle there. */
  hasConflicts: boolean
}

export interface OpenedRow {
  own_rows: Row[] | null
  main_rows: Row[] | null
  has_conflicts: boolean
}

/** The columns of an `OpenedRow`, for a statement that has a line under this name. */
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
