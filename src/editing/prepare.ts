import { setImmediate as breathe } from 'node:timers/promises'
import { type Incoming, discard } from '../files/blobs.ts'
import type { Inspected } from '../files/inspect.ts'
import type { App } from '../http/routes.ts'
import { type WrittenDocument, readPage, readPiece } from './documents.ts'
import { type IncomingFiles, receiveFiles } from './incoming-files.ts'
import { ChangePath } from './refusals.ts'
import type { Change } from './schema.ts'

/** What a batch brings, prepared before anything is locked: texts are parsed, bytes are received. */
export interface Prepared {
  changes: readonly Change[]
  /** By the index of the change. */
  documents: ReadonlyMap<number, WrittenDocument>
  files: IncomingFiles
  /**
   * Files whose bytes the organization already stores, with the same keys as `files`. There is nothing to store for
   * them.
   */
  kept?: ReadonlyMap<string, Inspected>
  /** To be called once the batch is written or refused: removes what was not stored. */
  cleanUp(): Promise<void>
}

export async function prepareBatch(app: App, changes: readonly Change[]): Promise<Prepared> {
  const documents = new Map<number, WrittenDocument>()
  changes.forEach((change, index) => {
    const document = readDocument(change, new ChangePath(index))
    if (document) documents.set(index, document)
  })
  const files = await receiveFiles(app, changes)
  return { changes, documents, files, cleanUp: () => discard([...files.values()]) }
}

/**
 * The same for a copy of other content: texts, and files that are already stored. There may be many texts, so other
 * requests get their turn in between.
 */
export async function prepareCopy(changes: readonly Change[], kept: ReadonlyMap<string, Inspected>): Promise<Prepared> {
  const documents = new Map<number, WrittenDocument>()
  for (const [index, change] of changes.entries()) {
    const document = readDocument(change, new ChangePath(index))
    if (document) documents.set(index, document)
    await breathe()
  }
  return { changes, documents, files: new Map(), kept, cleanUp: async () => {} }
}

export interface ReceivedFile {
  name: string
  incoming: Incoming
}

/** Prepares new files whose bytes have been received and whose names have been checked. */
export function prepareFiles(received: readonly ReceivedFile[]): Prepared {
  const change: Change = { operation: 'insert_files', files: received.map(({ name }) => ({ name })) }
  const files = new Map(received.map(({ incoming }, at) => [`0.${at}`, incoming]))
  return { changes: [change], documents: new Map(), files, cleanUp: () => discard([...files.values()]) }
}

function readDocument(change: Change, path: ChangePath): WrittenDocument | undefined {
  switch (change.operation) {
    case 'insert_page':
    case 'update_page':
      return change.document && readPage(change.document, path)
    case 'insert_reusable_content':
    case 'update_reusable_content':
      return change.document && readPiece(change.document, path)
    default:
      return undefined
  }
}
