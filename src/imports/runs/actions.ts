import { recordChange } from '../../changes/record.ts'
import type { ImportRunRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { lockUploads } from '../../files/uploads.queries.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { isId, newId } from '../../ids.ts'
import { kindOf } from '../files/kinds.ts'
import { limits } from '../limits.ts'
import { type ImportRun, findRun, insertRun, setEnded } from './queries.ts'
import type { CheckedTarget } from '../target.ts'

export interface RunDraft {
  target: CheckedTarget
  source: ImportRunRow['source']
  siteId: string | undefined
  /** The session of a user who starts it in a browser, and so without a token. */
  sessionId?: string
}

/** Starts an import, which runs in the background. */
export async function startRun(tx: Transaction, { target, source, siteId, sessionId }: RunDraft): Promise<ImportRun> {
  const { organization_id, id: space_id } = target.access.space
  if (source.type === 'file') await requireUploads(tx, organization_id, source.files)
  else requireNoSecrets(source.url)
  const id = newId()
  await insertRun(tx, {
    organization_id,
    id,
    space_id,
    change_request_id: target.changeRequest?.id ?? null,
    page_id: target.pageId ?? null,
    site_id: siteId ?? null,
    source,
    session_id: sessionId ?? null,
  })
  recordChange(tx, { ...about({ organization_id, id }), action: 'import-run.started' })
  tx.leaveRights()
  return (await findRun(tx, organization_id, id))!
}

/** Credentials are not used for fetching anyway, and everyone who can read the space would see them here. */
function requireNoSecrets(address: string): void {
  const { username, password } = new URL(address)
  if (username || password) throw invalid('body.source.url', 'address', 'must have no user name and no password')
}

/** Checks that all uploads exist, and are files that can be read. */
async function requireUploads(tx: Transaction, organizationId: string, keys: readonly string[]): Promise<void> {
  const found = new Map((await lockUploads(tx, organizationId, keys.filter(isId))).map((each) => [each.key, each]))
  const bytes = [...found.values()].reduce((sum, { size }) => sum + size, 0)
  if (bytes > limits.filesBytes)
    throw invalid('body.source.files', 'maxBytes', `at most ${limits.filesBytes} bytes together`)
  for (const [index, key] of keys.entries()) {
    const path = `body.source.files.${index}`
    const upload = found.get(key)
    if (!upload?.bytes) throw invalid(path, 'exists', 'is not a file that was uploaded in the last day')
    if (upload.kind !== 'import_file') throw invalid(path, 'kind', 'was uploaded for something other than an import')
    if (upload.used_at !== null) throw invalid(path, 'used', 'was imported already: upload it again')
    if (keys.indexOf(key) !== index) throw invalid(path, 'unique', 'is named twice')
    if (kindOf({ name: upload.name, bytes: Buffer.alloc(0) }) === undefined)
      throw invalid(path, 'type', `${upload.name} is not a .md, .html, .docx or .zip file`)
  }
}

/** Cancels a run. If it is under way, it stops soon and writes nothing. */
export async function cancelRun(tx: Transaction, run: ImportRun): Promise<ImportRun> {
  const { organization_id, id, status } = run
  if (status !== 'pending' && status !== 'in-progress')
    throw new ApiError('invalid_request', `This import has already ended: it is ${status}.`)
  await setEnded(tx, run, 'cancelled', null)
  recordChange(tx, { ...about(run), action: 'import-run.cancelled' })
  tx.leaveRights()
  return (await findRun(tx, organization_id, id))!
}

export const about = ({ organization_id, id }: Pick<ImportRunRow, 'organization_id' | 'id'>) => ({
  organizationId: organization_id,
  target: { type: 'import-run', id },
})
