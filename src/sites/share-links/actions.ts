import { recordChange } from '../../changes/record.ts'
import type { ShareLinkRow, SiteRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { conflict } from '../../http/errors.ts'
import { newId } from '../../ids.ts'
import { type Secrets, newSecret } from '../../secrets.ts'
import { shareKeyHash } from './keys.ts'
import { countShareLinks, deleteShareLink, insertShareLink, updateShareLink } from './queries.ts'
import { touchSite } from '../touch.ts'

/** All of them are at hand while somebody reads the site. */
const mostShareLinks = 200

/** What keys are sealed for. */
export const keyPurpose = 'share link'

export async function createShareLink(
  tx: Transaction,
  secrets: Secrets,
  site: SiteRow,
  name: string,
): Promise<ShareLinkRow> {
  if ((await countShareLinks(tx, site)) >= mostShareLinks) {
    throw conflict(`There are ${mostShareLinks} share links already. Delete one first.`)
  }
  const key = newSecret()
  const row = await insertShareLink(tx, {
    organization_id: site.organization_id,
    site_id: site.id,
    id: newId(),
    name,
    key_hash: shareKeyHash(key),
    key_sealed: secrets.seal(keyPurpose, key),
  })
  recordChange(tx, { ...about(row), action: 'share-link.created' })
  touchSite(tx, site)
  return row
}

export async function changeShareLink(
  tx: Transaction,
  site: SiteRow,
  row: ShareLinkRow,
  changes: { name?: string | undefined; active?: boolean | undefined },
): Promise<ShareLinkRow> {
  const { name = row.name, active = row.active } = changes
  const fields = [...(name === row.name ? [] : ['name']), ...(active === row.active ? [] : ['active'])]
  if (fields.length === 0) return row
  const changed = { ...row, name, active }
  await updateShareLink(tx, changed)
  recordChange(tx, { ...about(row), action: 'share-link.updated', fields })
  touchSite(tx, site)
  return changed
}

export async function removeShareLink(tx: Transaction, site: SiteRow, row: ShareLinkRow): Promise<void> {
  await deleteShareLink(tx, row)
  recordChange(tx, { ...about(row), action: 'share-link.removed' })
  touchSite(tx, site)
}

const about = ({ organization_id, site_id, id }: ShareLinkRow) => ({
  organizationId: organization_id,
  details: { site: site_id },
  target: { type: 'share-link', id },
})
