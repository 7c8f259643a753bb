import { recordChange } from '../changes/record.ts'
import type { OpenAPISpecRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { conflict } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { touchSitesOf } from '../sites/touch.ts'
import {
  type StoredSource,
  deleteSpec,
  findSpec,
  insertSpec,
  lockSpec,
  updateSource,
  updateVisibility,
} from './queries.ts'
import type { SpecVisibility } from './schema.ts'

export interface SpecDraft {
  organizationId: string
  slug: string
  source: StoredSource
}

/** Creates a specification. Returns undefined if its slug is taken. Its source is read after the commit. */
export async function createSpec(
  tx: Transaction,
  { organizationId, slug, source }: SpecDraft,
): Promise<OpenAPISpecRow | undefined> {
  const id = newId()
  if (!(await insertSpec(tx, { organizationId, id, slug, source }))) return undefined
  recordChange(tx, { ...about({ organization_id: organizationId, id }), action: 'openapi-spec.created' })
  tx.leaveRights()
  return findSpec(tx, organizationId, slug)
}

/** Creates the specification or changes the existing one, even if another request creates it at the same moment. */
export async function putSpec(
  tx: Transaction,
  draft: SpecDraft,
  check: (known: OpenAPISpecRow | undefined) => void,
): Promise<OpenAPISpecRow> {
  const known = await lockSpec(tx, draft.organizationId, draft.slug)
  check(known)
  const made = known ? undefined : await createSpec(tx, draft)
  if (made) return made
  const other = known ?? (await lockSpec(tx, draft.organizationId, draft.slug))
  if (!other) throw conflict('Somebody else created and deleted it at the same time. Try again.')
  return replaceSource(tx, other, draft.source)
}

/**
 * Sets another source, or the same one to be read again. The last version stays until the new source has been read.
 * Requires the specification to be locked.
 */
export async function replaceSource(
  tx: Transaction,
  spec: OpenAPISpecRow,
  source: StoredSource,
): Promise<OpenAPISpecRow> {
  await updateSource(tx, spec, source)
  recordChange(tx, { ...about(spec), action: 'openapi-spec.updated', fields: ['source'] })
  tx.leaveRights()
  return (await findSpec(tx, spec.organization_id, spec.slug))!
}

export async function changeVisibility(
  tx: Transaction,
  spec: OpenAPISpecRow,
  visibility: SpecVisibility,
): Promise<OpenAPISpecRow> {
  if (visibility === spec.visibility) return spec
  await updateVisibility(tx, spec, visibility)
  recordChange(tx, { ...about(spec), action: 'openapi-spec.updated', fields: ['visibility'] })
  tx.leaveRights()
  return (await findSpec(tx, spec.organization_id, spec.slug))!
}

export async function removeSpec(tx: Transaction, spec: OpenAPISpecRow): Promise<void> {
  await deleteSpec(tx, spec)
  recordChange(tx, { ...about(spec), action: 'openapi-spec.removed' })
  touchSitesOf(tx, spec.organization_id)
  tx.leaveRights()
}

export const about = ({ organization_id, id }: Pick<OpenAPISpecRow, 'organization_id' | 'id'>) => ({
  organizationId: organization_id,
  target: { type: 'openapi-spec', id },
})
