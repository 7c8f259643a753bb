import { conflict } from '../http/errors.ts'

/**
 * One revision of one line, and how to read it: a branch consists of its own rows over the main revision it is based
 * on. History never changes, so any number of statements that name the same revision see the same content.
 */
export interface Revision {
  organizationId: string
  lineId: string
  seq: number
  id: string
  /** Set on a branch: the main line below it, and the revision of that line. */
  base: { lineId: string; seq: number } | undefined
}

export interface RevisionRow {
  organization_id: string
  line_id: string
  seq: number
  id: string
  base_seq: number | null
  main_id: string | null
  space_id: string
  parents: string[]
  type: RevisionType
  author_id: string | null
  merged_from: string | null
  git: unknown
  created_at: Date
}

export type RevisionType = 'edits' | 'merge' | 'rollback' | 'update' | 'computed'

export function asRevision(
  row: Pick<RevisionRow, 'organization_id' | 'line_id' | 'seq' | 'id' | 'base_seq' | 'main_id'>,
): Revision {
  const { organization_id, line_id, seq, id, base_seq, main_id } = row
  return {
    organizationId: organization_id,
    lineId: line_id,
    seq,
    id,
    base: main_id === null ? undefined : { lineId: main_id, seq: base_seq! },
  }
}

/**
 * The line existed a moment ago: since the caller's rights were checked, the space was moved to another organization or
 * deleted for good.
 */
export const movedAway = () => conflict('This space was just moved or removed. Try again.')
