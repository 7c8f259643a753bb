import type { Caller } from '../access/caller.ts'
import { accessCollection, accessSpace } from '../access/content.ts'
import type { Role } from '../access/roles.ts'
import { accessCollectionToChange } from '../collections/access.ts'
import { presentCollection } from '../collections/present.ts'
import type { Db } from '../db/connect.ts'
import type { Transaction } from '../db/transaction.ts'
import { forbidden } from '../http/errors.ts'
import type { Hosts } from '../sites/addresses.ts'
import { accessSpaceToChange } from '../spaces/access.ts'
import { presentSpace } from '../spaces/present.ts'
import type { Thing } from './queries.ts'

/** What roles are given on, and what the caller is there. */
export interface ThingAccess {
  thing: Thing
  role: Role
  organizationRole: Role | null
}

/** Things that are part of the content tree. */
type Content = Exclude<Thing['type'], 'site'>

/** A space or a collection on which the caller may manage roles. */
export async function accessThing(db: Db, caller: Caller, type: Content, id: string): Promise<ThingAccess> {
  if (type === 'space') {
    const { space, ...access } = await accessSpace(db, caller, id, 'admin')
    return { ...access, thing: { organizationId: space.organization_id, type, id } }
  }
  const { collection, ...access } = await accessCollection(db, caller, id, 'admin')
  return { ...access, thing: { organizationId: collection.organization_id, type, id } }
}

/**
 * The same, locked, with the representation that is shown: a grant has no tag of its own, so `If-Match` takes that of
 * the thing.
 */
export async function accessThingToChange(
  tx: Transaction,
  caller: Caller,
  type: Content,
  id: string,
  hosts: Hosts,
): Promise<ThingAccess & { shown: object }> {
  if (type === 'space') {
    const { space, role, organizationRole, seen } = await accessSpaceToChange(tx, caller, id)
    const thing = { organizationId: space.organization_id, type, id }
    return { thing, role, organizationRole, shown: presentSpace(seen, hosts) }
  }
  const { collection, role, organizationRole, seen } = await accessCollectionToChange(tx, caller, id)
  const thing = { organizationId: collection.organization_id, type, id }
  return { thing, role, organizationRole, shown: presentCollection(seen, hosts.url) }
}

/** Guests see no teams, so they can neither list them nor grant them roles. */
export function requireTeams({ organizationRole }: ThingAccess): void {
  if (organizationRole === null) throw forbidden('see the teams of this organization')
}
