import { recordChange } from '../../changes/record.ts'
import { readClock } from '../../db/clock.ts'
import type { ShareLinkRow, SiteRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { conflict, invalid } from '../../http/errors.ts'
import { newId } from '../../ids.ts'
import { type Secrets, newSecret } from '../../secrets.ts'
import { shareKeyHash } from './keys.ts'
import type { Lock } from './password.ts'
import { countShareLinks, deleteShareLink, insertShareLink, updateLock, updateShareLink } from './queries.ts'
import { touchSite } from '../touch.ts'

/** Limited because all of them are in memory while the site is served. */
const mostShareLinks = 200

/** The purpose for which keys are sealed. */
export const keyPurpose = 'share link'

export async function createShareLink(
  tx: Transaction,
  secrets: Secrets,
  site: SiteRow,
  { name, expiresAt, lock }: { name: string; expiresAt: Date | null; lock?: Lock | undefined },
): Promise<ShareLinkRow> {
  if ((await countShareLinks(tx, site)) >= mostShareLinks) {
    throw conflict(`There are already ${mostShareLinks} share links. Delete one first.`)
  }
  await requireFuture(tx, expiresAt)
  const key = newSecret()
  const drafted = {
    organization_id: site.organization_id,
    site_id: site.id,
    id: newId(),
    name,
    expires_at: expiresAt,
    key_hash: shareKeyHash(key),
    key_sealed: secrets.seal(keyPurpose, key),
  }
  const row = await insertShareLink(tx, drafted, lock)
  recordChange(tx, { ...about(row), action: 'share-link.created' })
  touchSite(tx, site)
  return row
}

export interface ShareLinkChange {
  name?: string | undefined
  active?: boolean | undefined
  expiresAt?: Date | null | undefined
  /** A new password, which everybody has to enter again. null removes the password. */
  lock?: Lock | null | undefined
}

export async function changeShareLink(
  tx: Transaction,
  site: SiteRow,
  row: ShareLinkRow,
  changes: ShareLinkChange,
): Promise<ShareLinkRow> {
  const { name = row.name, active = row.active, expiresAt = row.expires_at, lock } = changes
  const isMoved = expiresAt?.getTime() !== row.expires_at?.getTime()
  const isLocked = lock !== undefined && (lock !== null || row.has_password)
  const fields = [
    ...(name === row.name ? [] : ['name']),
    ...(active === row.active ? [] : ['active']),
    ...(isMoved ? ['expiresAt'] : []),
    ...(isLocked ? ['password'] : []),
  ]
  if (fields.length === 0) return row
  if (isMoved) await requireFuture(tx, expiresAt)
  const changed = { ...row, name, active, expires_at: expiresAt }
  await updateShareLink(tx, changed)
  if (isLocked) {
    await updateLock(tx, row, lock)
    changed.has_password = lock !== null
  }
  recordChange(tx, { ...about(row), action: 'share-link.updated', fields })
  touchSite(tx, site)
  return changed
}

export async function removeShareLink(tx: Transaction, site: SiteRow, row: ShareLinkRow): Promise<void> {
  await deleteShareLink(tx, row)
  recordChange(tx, { ...about(row), action: 'share-link.removed' })
  touchSite(tx, site)
}

async function requireFuture(tx: Transaction, end: Date | null): Promise<void> {
  if (end && end <= (await readClock(tx))) throw invalid('body.expiresAt', 'future', 'must be in the future')
}

const about = ({ organization_id, site_id, id }: ShareLinkRow) => ({
  organizationId: organization_id,
  details: { site: site_id },
  target: { type: 'share-link', id },
})
