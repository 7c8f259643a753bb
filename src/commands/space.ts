import type { SyncedSpace } from '../git/plan-import.ts'
import type { OpenInstance } from './command.ts'
import { spaceNamed } from './named.ts'

/** The space that a command names, as repositories know it. */
export async function syncedSpace({ db, url }: OpenInstance, spaceId: string): Promise<SyncedSpace> {
  const { organization_id: organizationId } = await spaceNamed(db, spaceId)
  return { organizationId, spaceId, url }
}
