import { conflict } from '../http/errors.ts'

/**
 * One revision of one line, and how to read it: a branch is its own rows over the main revision it stands on. History
 * never changes, so any number of statements that name the same revision see the same content.
 */
export interface Revision {
  organizationId: string
  lineId: string
  seq: number
  id: string
  /** Set on a branch: the main line below it, and which revision of that. */
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

/** It was there a moment ago: the space went to another organization, or for good, since the caller's rights were checked. */
export const movedAway = () => conflict('This space was just moved or removed. Try again.')
