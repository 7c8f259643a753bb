import { type Caller, type Membership, accessOrganization } from '../../access/caller.ts'
import type { Db } from '../../db/connect.ts'
import type { Transaction } from '../../db/transaction.ts'
import { notFound } from '../../http/errors.ts'
import { isId } from '../../ids.ts'
import { type FontRow, findFont, lockFont } from './queries.ts'

export interface FontAccess {
  font: FontRow
  membership: Membership
}

/** Returns a font of the organization. All members may see it, since they choose from them when they set up a site. */
export async function accessFont(db: Db, caller: Caller, fontId: string): Promise<FontAccess> {
  const membership = accessOrganization(caller, 'view')
  const font = isId(fontId) ? await findFont(db, membership.organization.id, fontId) : undefined
  if (!font) throw notFound('font')
  return { font, membership }
}

/** The same, locked, for members who may set up sites. */
export async function accessFontToChange(
  tx: Transaction,
  caller: Caller,
  fontId: string,
  how: 'change' | 'delete' = 'change',
): Promise<FontAccess> {
  const { organization } = accessOrganization(caller, 'createContent')
  // Two statements, sent together: the second sees what was committed while the first waited for the lock.
  const locked = isId(fontId) ? lockFont(tx, { organization_id: organization.id, id: fontId }, how) : undefined
  const [, access] = await Promise.all([locked, accessFont(tx, caller, fontId)])
  return access
}
