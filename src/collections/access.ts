import type { Caller } from '../access/caller.ts'
import { type CollectionAccess, accessCollection, findCollectionFor } from '../access/content.ts'
import type { Db } from '../db/connect.ts'
import type { CollectionRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { notFound } from '../http/errors.ts'
import { type CollectionSeen, findDetails, listCollectionsById, lockCollection } from './queries.ts'

/** Returns a collection with everything shown about it. */
export async function seeCollection(db: Db, caller: Caller, id: string): Promise<CollectionSeen> {
  const { collection, role } = await accessCollection(db, caller, id, 'view')
  return { ...collection, role, ...(await findDetails(db, collection, caller.user.id)) }
}

/**
 * Returns a collection that the caller may change, locked: the rights that are checked are the ones in force when it is
 * changed.
 */
export async function accessCollectionToChange(
  tx: Transaction,
  caller: Caller,
  id: string,
): Promise<CollectionAccess & { seen: CollectionSeen }> {
  // Two statements, sent together: the second sees what was committed while waiting for the lock.
  const [, access] = await Promise.all([lockCollection(tx, id), accessCollection(tx, caller, id, 'admin')])
  const { collection, role } = access
  return { ...access, seen: { ...collection, role, ...(await findDetails(tx, collection, caller.user.id)) } }
}

/**
 * Returns a collection that the caller has just changed. If that change removed the caller's own access, the answer
 * still shows the result once.
 */
export async function seeChangedCollection(
  tx: Transaction,
  caller: Caller,
  { organization_id, id }: CollectionRow,
): Promise<CollectionSeen> {
  const [access, collections] = await Promise.all([
    findCollectionFor(tx, caller, id),
    listCollectionsById(tx, organization_id, caller.user.id, [id]),
  ])
  const collection = collections.get(id)
  if (!collection) throw notFound('collection')
  return { ...collection, role: access?.role ?? null }
}
