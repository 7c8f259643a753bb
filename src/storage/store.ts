import type { Readable } from 'node:stream'
import { Explained } from '../explained.ts'

/** Names the bytes of an organization by their SHA-256 in hex. The same bytes are stored once. */
export interface BlobName {
  organizationId: string
  hash: string
}

/** Both ends are inclusive, as in HTTP. */
export interface ByteRange {
  start: number
  end: number
}

/** Where the bytes of files are stored. Stored bytes never change; putting them again does nothing. */
export interface BlobStore {
  /** Identifies the store, created on first use: a database and its store belong together. */
  id(): Promise<string>
  /** Once it has returned, the bytes survive a power cut. `file` may be moved away. */
  put(name: BlobName, file: StoredFile): Promise<void>
  /** Throws BlobMissing if the bytes do not exist. */
  get(name: BlobName, range?: ByteRange): Promise<Readable>
  has(name: BlobName): Promise<boolean>
  /** Whether it exists with all its bytes. */
  isWhole(name: BlobName, size: number): Promise<boolean>
  delete(name: BlobName): Promise<void>
  /** Where the bytes are, or were. For people. */
  placeOf(name: BlobName): string
  /** For a space that is transferred to another organization. Throws BlobMissing if the bytes do not exist. */
  copy(name: BlobName, toOrganizationId: string): Promise<void>
}

/** Bytes on their way into a store: a file in the folder for incoming files. */
export interface StoredFile {
  path: string
  hash: string
  size: number
}

export class BlobMissing extends Error {}

/** Returns the bytes, or undefined if they do not exist. */
export async function getIfThere(store: BlobStore, name: BlobName): Promise<Readable | undefined> {
  try {
    return await store.get(name)
  } catch (error) {
    if (error instanceof BlobMissing) return undefined
    throw error
  }
}

/** The store does not answer, or not correctly. Answered with 503. */
export class StoreUnavailable extends Explained {}

/**
 * Turns errors of the disk (it is read-only, it fails, there are too many open files) into StoreUnavailable, because
 * they say nothing about what was requested. That the disk is full is passed on to the caller.
 */
export function onDisk<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined || isFull.has(error.code)) throw error
    throw new StoreUnavailable(`The disk refuses to ${error.syscall} a file (${error.code})`, { cause: error })
  })
}

const isFull = new Set<string | undefined>(['ENOSPC', 'EDQUOT', 'EFBIG'])
