import type { SyncedSpace } from '../git/plan-import.ts'
import type { OpenInstance } from './command.ts'
import { spaceNamed } from './named.ts'

/** Returns the space that a command names, in the form that the import and export of repositories need. */
export async function syncedSpace({ db, url }: OpenInstance, spaceId: string): Promise<SyncedSpace> {
  const { organization_id: organizationId } = await spaceNamed(db, spaceId)
  return { organizationId, spaceId, url }
}
