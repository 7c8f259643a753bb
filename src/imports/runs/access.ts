import { type Caller, accessOrganization } from '../../access/caller.ts'
import { accessSpace } from '../../access/content.ts'
import type { Db } from '../../db/connect.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { type ImportRun, findRun } from './queries.ts'

/** Returns an import run into a space on which the caller has `right`. */
export async function accessRun(db: Db, caller: Caller, id: string, right: 'view' | 'edit'): Promise<ImportRun> {
  const { organization } = accessOrganization(caller, 'view')
  const run = await findRun(db, organization.id, id)
  if (!run) throw notFound('import')
  await accessSpace(db, caller, run.space_id, right).catch((error: unknown) => {
    // A 404 about the space would refer to something that the path does not name.
    throw error instanceof ApiError && error.status === 404 ? notFound('import') : error
  })
  return run
}
