import { buffer } from 'node:stream/consumers'
import type { FastifyBaseLogger } from 'fastify'
import { findCallerOfToken } from '../../access/caller.ts'
import { recordChange } from '../../changes/record.ts'
import type { Config } from '../../config.ts'
import { type Database, DatabaseUnavailable } from '../../db/connect.ts'
import type { ImportRunRow } from '../../db/tables.ts'
import { type Transaction, nobody, transaction } from '../../db/transaction.ts'
import { failpoint } from '../../failpoints.ts'
import type { Fetcher } from '../../fetch/fetcher.ts'
import { lockUploads, useUploads } from '../../files/uploads.queries.ts'
import { ApiError } from '../../http/errors.ts'
import { findCallerOfSession } from '../../sessions/caller.ts'
import { LineMoved } from '../../revisions/lines.ts'
import { shortened } from '../../shortened.ts'
import { type BlobStore, StoreUnavailable } from '../../storage/store.ts'
import { about } from './actions.ts'
import { adviceFor } from './advice.ts'
import { ImportFailure, reasonOf } from '../failure.ts'
import type { GivenFile } from '../files/collect.ts'
import { type FileKind, kindOf } from '../files/kinds.ts'
import { inRun, limits } from '../limits.ts'
import type { PreparedImport, Source } from '../prepare.ts'
import { type RunPages, giveBack, holdRun, noteProgress, setCompleted, setEnded, takeDueRun } from './queries.ts'
import { accessTarget } from '../target.ts'
import { holdLine, workOut } from '../write.ts'

export interface Running {
  db: Database
  config: Config
  store: BlobStore
  fetcher: Fetcher
  log: FastifyBaseLogger
  /** The address of this installation. */
  url: string
  stopping: AbortSignal
}

const mostAttempts = 3
const noteEveryMs = 2_000

/**
 * Runs due imports, one after the other, until none is left. Several callers may do this at once, here and on other
 * nodes.
 */
export async function runDueImports(running: Running): Promise<number> {
  let count = 0
  while (!running.stopping.aborted) {
    const run = await takeDueRun(running.db)
    if (!run) break
    await runImport(running, run)
    count += 1
  }
  return count
}

/** The run was cancelled, or another process has taken it: nothing is left to do. */
class Lost extends Error {}

async function runImport(running: Running, run: ImportRunRow): Promise<void> {
  const { db, log, stopping } = running
  const watch = new Watch(db, run)
  try {
    if (run.attempts > mostAttempts) throw new ImportFailure('interrupted', 'The import was interrupted too often.')
    const signal = AbortSignal.any([stopping, watch.signal])
    await importAll(running, run, watch, signal)
  } catch (error) {
    watch.stop()
    if (watch.isLost || error instanceof Lost) return
    if (stopping.aborted) return giveBack(db, run)
    // The database or the store will come back. The run is then due again, and starts anew.
    if (error instanceof DatabaseUnavailable || error instanceof StoreUnavailable) throw error
    await fail(running, run, sayWhy(error, run, log))
  } finally {
    watch.stop()
  }
}

function sayWhy(error: unknown, run: ImportRunRow, log: FastifyBaseLogger): string {
  const known = reasonOf(error)
  if (known?.rule === 'interrupted') return known.message
  if (known && run.source.type === 'website') return `${run.source.url} ${known.message}. ${adviceFor(known.rule)}`
  if (known) return `What was uploaded ${known.message}.`
  if (error instanceof ApiError) return error.message
  log.error({ err: error, importRunId: run.id }, 'an import failed')
  return 'Something went wrong on the server. Try again; its log has the details.'
}

async function fail({ db }: Running, run: ImportRunRow, reason: string): Promise<void> {
  await transaction(db, nobody, async (tx) => {
    if (!(await holdRun(tx, run))) return
    await setEnded(tx, run, 'failed', shortened(reason, 1_000))
    recordChange(tx, { ...about(run), action: 'import-run.failed' })
    tx.leaveRights()
  })
}

async function importAll(running: Running, run: ImportRunRow, watch: Watch, stopping: AbortSignal): Promise<void> {
  const { db, config, fetcher } = running
  const target = targetOf(run)
  // Checks rights first: nothing is fetched for a user who has lost them.
  const { access } = await accessTarget(db, await callerOf(db, run), target, 'page')
  const { language } = access.space
  const limits = inRun(config.limits.importPages)
  const preparing = { fetcher, config, limits, language, progress: watch, stopping }
  // Loaded on demand: most servers import nothing for weeks.
  const { prepareImport } = await import('../prepare.ts')
  const prepared = await prepareImport(sourceOf(running, run), preparing)
  try {
    stopping.throwIfAborted()
    await writeRun(running, run, prepared)
  } finally {
    await prepared.cleanUp()
  }
}

const targetOf = ({ space_id, change_request_id, page_id }: ImportRunRow) => ({
  spaceId: space_id,
  changeRequestId: change_request_id ?? undefined,
  pageId: page_id ?? undefined,
})

/** Returns the user who started the run, with their current rights. */
async function callerOf(db: Database, run: ImportRunRow) {
  const { token_id, session_id, organization_id } = run
  const caller = token_id
    ? await findCallerOfToken(db, token_id, organization_id)
    : await findCallerOfSession(db, session_id!, organization_id)
  if (!caller) throw new ApiError('forbidden', 'The person who started this import is no longer allowed to.')
  return caller
}

function sourceOf(running: Running, { organization_id, source }: ImportRunRow): Source {
  if (source.type === 'website') return source
  return { type: 'files', read: () => readUploads(running, organization_id, source.files) }
}

async function readUploads({ db, store }: Running, organizationId: string, keys: string[]) {
  const uploads = await transaction(db, nobody, (tx) => {
    tx.leaveMain()
    return lockUploads(tx, organizationId, keys)
  })
  const byKey = new Map(uploads.map((each) => [each.key, each]))
  const files: (GivenFile & { kind: FileKind })[] = []
  for (const key of keys) {
    const upload = byKey.get(key)
    if (!upload?.blob) throw new ImportFailure('missing', 'no longer exists: upload it again')
    const bytes = await buffer(await store.get({ organizationId, hash: upload.blob }))
    const kind = kindOf({ name: upload.name, bytes })
    if (!kind) throw new ImportFailure('type', `has ${upload.name}, which is not a .md, .html, .docx or .zip file`)
    files.push({ name: upload.name, bytes, kind })
  }
  return files
}

/** Writes everything, including the end of the run, in one transaction. */
async function writeRun(running: Running, run: ImportRunRow, prepared: PreparedImport): Promise<void> {
  const { db, store, url } = running
  const author = { actorId: run.created_by, tokenId: run.token_id, requestId: null, address: null }
  const importing = { caller: await callerOf(db, run), url, requireHead: () => {} }
  const target = targetOf(run)
  const finish = async (tx: Transaction, writeIt: (tx: Transaction) => Promise<{ revision: string }>) => {
    if (!(await holdRun(tx, run))) throw new Lost()
    const { revision } = await writeIt(tx)
    await setCompleted(tx, run, { ...outcomeOf(prepared), revision })
    if (run.source.type === 'file') useUploads(tx, run.organization_id, run.source.files)
    recordChange(tx, { ...about(run), action: 'import-run.completed' })
    failpoint('import.before-commit')
  }
  await prepared.keepFiles(db, store, run.organization_id)
  try {
    const writeIt = await workOut(db, target, prepared, importing)
    return await transaction(db, author, (tx) => finish(tx, writeIt))
  } catch (error) {
    if (!(error instanceof LineMoved)) throw error
  }
  // The line has moved in the meantime. It is locked while the changes are worked out again.
  await transaction(db, author, async (tx) => {
    if (!(await holdRun(tx, run))) throw new Lost()
    await holdLine(tx, await accessTarget(tx, importing.caller, target, 'page'))
    return finish(tx, await workOut(tx, target, prepared, importing))
  })
}

function outcomeOf({ pages, skipped, total }: PreparedImport) {
  return {
    imported: pages.length,
    total: Math.max(total, pages.length),
    pages: pages.map(({ id, source }) => ({ id, source, status: 'complete' as const })),
    skipped: skipped.slice(0, limits.skipped),
  }
}

/** Records the progress of a run, and notices when the run is no longer wanted. */
class Watch {
  readonly #db: Database
  readonly #run: ImportRunRow
  readonly #pages = new Map<string, RunPages[number]>()
  readonly #lost = new AbortController()
  readonly #timer: NodeJS.Timeout
  #isTelling = false
  #done = 0

  constructor(db: Database, run: ImportRunRow) {
    this.#db = db
    this.#run = run
    this.#timer = setInterval(() => void this.#tell(), noteEveryMs)
  }

  get signal(): AbortSignal {
    return this.#lost.signal
  }

  get isLost(): boolean {
    return this.#lost.signal.aborted
  }

  found({ id, source }: { id: string; source: string }): void {
    this.#pages.set(id, { id, source, status: 'pending' })
  }

  done(id: string): void {
    const page = this.#pages.get(id)
    if (page) this.#pages.set(id, { ...page, status: 'complete' })
    this.#done += 1
  }

  dropped(id: string): void {
    this.#pages.delete(id)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #tell(): Promise<void> {
    if (this.#isTelling) return
    this.#isTelling = true
    // A short outage of the database is no reason to stop: the lease lasts longer than that.
    const isMine = await noteProgress(this.#db, this.#run, [...this.#pages.values()], this.#done).catch(() => true)
    this.#isTelling = false
    if (!isMine) this.#lost.abort()
  }
}
