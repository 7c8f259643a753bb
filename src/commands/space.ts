import type { SyncedSpace } from '../git/plan-import.ts'
import { findOrganizationOfSpace } from '../git/queries.ts'
import { isId } from '../ids.ts'
import { UsageError } from './arguments.ts'
import type { OpenInstance } from './command.ts'

/** The space that a command names. */
export async function spaceNamed({ db, url }: OpenInstance, spaceId: string): Promise<SyncedSpace> {
  const organizationId = isId(spaceId) ? await findOrganizationOfSpace(db, spaceId) : undefined
  if (organizationId === undefined) throw new UsageError(`There is no space ${spaceId}.`)
  return { organizationId, spaceId, url }
}
