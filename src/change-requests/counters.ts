import { sql } from '../db/sql.ts'
import type { ChangeRequestRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'

type Status = ChangeRequestRow['status']

/**
 * Counts the open change requests and the drafts that a space shows. Each connection adds to one of sixteen rows, and a
 * reader sums them up: the total is exact at every moment, and writers hardly wait for each other. A single row may be
 * negative.
 */
export function countMove(
  tx: Transaction,
  { organization_id, space_id }: Pick<ChangeRequestRow, 'organization_id' | 'space_id'>,
  before: Status | undefined,
  after: Status,
): void {
  const step = (status: Status) => Number(after === status) - Number(before === status)
  const [open, draft] = [step('open'), step('draft')]
  if (open === 0 && draft === 0) return
  tx.runLater(sql`
    insert into counter_slots (organization_id, space_id, slot, requests_open, requests_draft)
    values (${organization_id}, ${space_id}, pg_backend_pid() % 16, ${open}, ${draft})
    on conflict (organization_id, space_id, slot) do update set
      requests_open = counter_slots.requests_open + excluded.requests_open,
      requests_draft = counter_slots.requests_draft + excluded.requests_draft`)
}
