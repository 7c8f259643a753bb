import { type Caller, type Membership, accessOrganization } from '../access/caller.ts'
import { specRights as translationRights } from '../access/rights.ts'
import type { Db } from '../db/connect.ts'
import type { Transaction } from '../db/transaction.ts'
import { forbidden, notFound } from '../http/errors.ts'
import { type Translation, type VisibleSpaces, findTranslation, listVisibleSpaces, lockTranslation } from './queries.ts'

export { translationRights }

/** A translation as a member sees it: without the spaces that they may not see. */
export interface SeenTranslation {
  translation: Translation
  membership: Membership
  visible: VisibleSpaces
}

/** Returns a translation that the caller may read. Guests see none. */
export async function accessTranslation(db: Db, caller: Caller, id: string): Promise<SeenTranslation> {
  const membership = accessOrganization(caller, 'view')
  const { view } = translationRights(membership.role)
  return seen(db, membership, view ? await findTranslation(db, membership.organization.id, id) : undefined)
}

/** Returns a translation that the caller may change, locked. */
export async function accessTranslationToChange(tx: Transaction, caller: Caller, id: string): Promise<SeenTranslation> {
  const membership = accessOrganization(caller, 'view')
  const { view, edit } = translationRights(membership.role)
  const found = await seen(tx, membership, view ? await lockTranslation(tx, membership.organization.id, id) : undefined)
  if (!edit) throw forbidden('manage translations here')
  return found
}

async function seen(db: Db, membership: Membership, translation: Translation | undefined): Promise<SeenTranslation> {
  if (!translation) throw notFound('translation')
  const { organization, userId } = membership
  const visible = await listVisibleSpaces(db, organization.id, userId, [translation])
  return { translation, membership, visible }
}
