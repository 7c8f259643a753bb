import { buffer } from 'node:stream/consumers'
import type { FastifyBaseLogger } from 'fastify'
import { recordChange } from '../changes/record.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import { type Transaction, nobody, transaction } from '../db/transaction.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { type Incoming, discard, keepBlob, receiveBlob } from '../files/blobs.ts'
import { newId } from '../ids.ts'
import { whileAlive } from '../jobs/while-alive.ts'
import { touchSitesOf } from '../sites/touch.ts'
import type { BlobStore } from '../storage/store.ts'
import { about } from './actions.ts'
import { type DueSpec, claimLonger, giveBack, lockAsked, setFailed, setRead, takeDueSpec } from './due.queries.ts'
import { SpecFailure } from './reading/failure.ts'
import type { ReadSpec } from './reading/messages.ts'
import { type TextOrAddress, readSpec } from './reading/read.ts'
import { findVersionById, insertVersion } from './versions.queries.ts'

export interface Processing {
  db: Database
  config: Config
  store: BlobStore
  fetcher: Fetcher
  log: FastifyBaseLogger
  stopping?: AbortSignal | undefined
}

/** Reads all due specifications, one after the other. Several workers may do this at once, here and on other nodes. */
export async function processDueSpecs(processing: Processing, isEnough = () => false): Promise<number> {
  let count = 0
  while (!isEnough() && !processing.stopping?.aborted) {
    const due = await takeDueSpec(processing.db)
    if (!due) break
    await processSpec(processing, due)
    count += 1
  }
  return count
}

/** Reads one specification. If it cannot be read, the previous version stays in place, and the reason is stored. */
async function processSpec(processing: Processing, due: DueSpec): Promise<void> {
  const { db, config, fetcher, log, stopping } = processing
  try {
    const maxBytes = config.limits.specificationBytes
    await whileAlive(
      () => claimLonger(db, due),
      async () => {
        const read = await readSpec(await sourceOf(processing, due), { fetcher, maxBytes, stopping })
        await keepRead(processing, due, read)
      },
    )
  } catch (error) {
    if (stopping?.aborted) return giveBack(db, due)
    if (!(error instanceof SpecFailure)) throw error
    if (error.cause !== undefined) log.error({ err: error.cause, specId: due.id }, 'a specification failed to be read')
    const { code, message } = error
    await transaction(db, nobody, async (tx) => {
      if (!(await lockAsked(tx, due))) return
      await setFailed(tx, due, code, message)
      recordChange(tx, { ...asTarget(due), action: 'openapi-spec.failed' })
      tx.leaveRights()
    })
  }
}

async function sourceOf({ store }: Processing, due: DueSpec): Promise<TextOrAddress> {
  if (due.source_url !== null) return { url: due.source_url }
  return { bytes: await buffer(await store.get({ organizationId: due.organization_id, hash: due.source_blob! })) }
}

type Read = ReadSpec & { source: Buffer }

/** The bytes are received first: hashing and writing them takes a while, and nobody should wait for a lock that long. */
async function keepRead(processing: Processing, due: DueSpec, read: Read): Promise<void> {
  const { db, config } = processing
  const incoming = await receiveAll(config, read)
  try {
    await transaction(db, nobody, async (tx) => {
      const spec = await lockAsked(tx, due)
      if (!spec) return
      const version = await keepVersion(tx, processing.store, due, spec.last_version, read, incoming)
      const isNew = version !== spec.last_version
      await setRead(tx, due, version, isNew)
      if (isNew) {
        recordChange(tx, { ...asTarget(due), action: 'openapi-spec.read', fields: ['lastVersion'] })
        // Their readers see pages drawn from it.
        touchSitesOf(tx, due.organization_id)
      }
      tx.leaveRights()
    })
  } finally {
    await discard(Object.values(incoming).filter((each) => each !== undefined))
  }
}

interface ReadFiles {
  document: Incoming
  externals: Incoming | undefined
  source: Incoming
}

async function receiveAll(config: Config, { document, externals, source, format }: Read): Promise<ReadFiles> {
  const receive = (bytes: Uint8Array, name: string) =>
    receiveBlob(config, [bytes], { name, declared: 'application/json', maxBytes: bytes.length })
  return {
    document: await receive(document, 'openapi.json'),
    externals: externals && (await receive(externals.json, 'externals.json')),
    source: await receive(source, `source.${format}`),
  }
}

/**
 * Stores a new version only if something differs from the last one. Returns the id of the version with this content.
 */
async function keepVersion(
  tx: Transaction,
  store: BlobStore,
  due: DueSpec,
  lastVersion: string | null,
  { externals, format }: Read,
  files: ReadFiles,
): Promise<string> {
  const { organization_id: organizationId } = due
  const last = lastVersion === null ? undefined : await findVersionById(tx, organizationId, lastVersion)
  const externalsHash = files.externals?.blob.hash ?? null
  if (last?.document_blob === files.document.blob.hash && last.externals_blob === externalsHash) return last.id

  for (const each of [files.document, files.externals, files.source]) {
    if (each) await keepBlob(tx, store, organizationId, each)
  }
  const id = newId()
  await insertVersion(tx, {
    organization_id: organizationId,
    spec_id: due.id,
    id,
    document_blob: files.document.blob.hash,
    externals_blob: externalsHash,
    externals: externals?.names ?? [],
    source_blob: files.source.blob.hash,
    format,
  })
  return id
}

const asTarget = ({ organization_id, id }: DueSpec) => about({ organization_id, id })
