import type { Entry, Row } from '../../content/merge/entry.ts'
import type { MergeOutcome } from '../../content/merge/merge.ts'
import type { Db } from '../../db/connect.ts'
import { Draft } from '../../editing/draft.ts'
import { behindAny } from '../../links/app-address.ts'
import { bindAddresses, keyOf } from '../../links/bind.ts'
import { refsOf } from '../../pages/entry-data.ts'
import { findLine } from '../../revisions/lines.ts'
import type { Revision } from '../../revisions/revision.ts'

/**
 * Binds link texts again that the two sides of a merge had bound differently, as if they were written now. So they
 * refer to what they mean in the merged content.
 */
export async function rebind(db: Db, main: Revision, outcome: MergeOutcome): Promise<Row[]> {
  if (outcome.unbound.size === 0) return outcome.rows
  const draft = new Draft(db, main)
  for (const row of outcome.rows) {
    if (row.state === 0) draft.put(row)
    else draft.remove(row.entry)
  }
  const entries = outcome.rows.filter((row): row is Entry => row.state === 0 && outcome.unbound.has(row.entry))
  const asked = entries.flatMap((entry) => outcome.unbound.get(entry.entry)!.map((address) => ({ entry, address })))
  const { organizationId } = main
  const { spaceId } = await findLine(db, organizationId, main.lineId)
  const bindings = await bindAddresses({ content: draft, db, organizationId, spaceId, behindOurs: behindAny }, asked)
  const refs = new Map(entries.map((entry) => [entry.entry, { ...refsOf(entry) }]))
  for (const { entry, address } of asked) {
    const binding = bindings.get(keyOf(entry.entry, address))
    if (binding !== undefined) refs.get(entry.entry)![address] = binding
  }
  return outcome.rows.map((row) => (refs.has(row.entry) ? ({ ...row, refs: refs.get(row.entry)! } as Entry) : row))
}
