import type { Readable } from 'node:stream'
import { Explained } from '../explained.ts'

/** Bytes of one organization, named by their SHA-256 in hex: the same bytes are kept once. */
export interface BlobName {
  organizationId: string
  hash: string
}

/** Both ends count, as in HTTP. */
export interface ByteRange {
  start: number
  end: number
}

/** Where the bytes of files are. What is put is never changed; putting it again does nothing. */
export interface BlobStore {
  /** Which store this is, made up when it is first used: a database and its store belong together. */
  id(): Promise<string>
  /** When it answers, the bytes survive a power cut. `file` may be moved away. */
  put(name: BlobName, file: StoredFile): Promise<void>
  /** Fails with BlobMissing where there is nothing. */
  get(name: BlobName, range?: ByteRange): Promise<Readable>
  has(name: BlobName): Promise<boolean>
  /** Whether it is there with all its bytes. */
  isWhole(name: BlobName, size: number): Promise<boolean>
  delete(name: BlobName): Promise<void>
  /** For people: where it is, or was. */
  placeOf(name: BlobName): string
  /** For a space that moves to another organization. Fails with BlobMissing where there is nothing. */
  copy(name: BlobName, toOrganizationId: string): Promise<void>
}

/** Bytes on their way into a store: a file in the store's folder for such files. */
export interface StoredFile {
  path: string
  hash: string
  size: number
}

export class BlobMissing extends Error {}

/** What `get` gives, where there is something. */
export async function getIfThere(store: BlobStore, name: BlobName): Promise<Readable | undefined> {
  try {
    return await store.get(name)
  } catch (error) {
    if (error instanceof BlobMissing) return undefined
    throw error
  }
}

/** The store does not answer, or not as it should: answered with 503. */
export class StoreUnavailable extends Explained {}

/**
 * What a disk refuses (it can only be read, it fails, there are too many open files) says nothing about what is asked of
 * it. That it is full, whoever asks is told.
 */
export function onDisk<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined || isFull.has(error.code)) throw error
    throw new StoreUnavailable(`The disk refuses to ${error.syscall} a file (${error.code})`, { cause: error })
  })
}

const isFull = new Set<string | undefined>(['ENOSPC', 'EDQUOT', 'EFBIG'])
