import { type Caller, type Membership, accessOrganization } from '../access/caller.ts'
import { specRights } from '../access/rights.ts'
import type { Db } from '../db/connect.ts'
import type { OpenAPISpecRow, OpenAPIVersionRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { forbidden, notFound } from '../http/errors.ts'
import { findSpec, lockSpec } from './queries.ts'
import { findVersion } from './versions.queries.ts'

/** Finds a specification that the caller may read. Guests cannot read any. */
export async function accessSpec(
  db: Db,
  caller: Caller,
  slug: string,
): Promise<{ spec: OpenAPISpecRow; membership: Membership }> {
  const membership = accessOrganization(caller, 'view')
  const spec = await findSpec(db, membership.organization.id, slug)
  if (!spec || !specRights(membership.role).view) throw notFound('specification')
  return { spec, membership }
}

/** Finds and locks a specification that the caller may change. */
export async function accessSpecToChange(
  tx: Transaction,
  membership: Membership,
  slug: string,
): Promise<OpenAPISpecRow> {
  const { view, edit } = specRights(membership.role)
  const spec = await lockSpec(tx, membership.organization.id, slug)
  if (!spec || !view) throw notFound('specification')
  if (!edit) throw forbidden('manage OpenAPI specifications here')
  return spec
}

/** Finds a version of a specification: the one with this id, or the newest. */
export async function accessVersion(
  db: Db,
  caller: Caller,
  { specSlug, versionId }: { specSlug: string; versionId?: string },
): Promise<{ spec: OpenAPISpecRow; version: OpenAPIVersionRow }> {
  const { spec } = await accessSpec(db, caller, specSlug)
  const id = versionId ?? spec.last_version
  const version = id === null ? undefined : await findVersion(db, spec, id)
  if (!version) throw notFound('version')
  return { spec, version }
}
