import { createReadStream } from 'node:fs'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { giveToOwner, keepOnce, makeFolder } from './ours.ts'
import {
  BlobMissing,
  type BlobName,
  type BlobStore,
  type ByteRange,
  StoreUnavailable,
  type StoredFile,
  onDisk,
} from './store.ts'

/** Files are at `<folder>/<organization>/<first two letters>/<hash>`. */
export class DiskStore implements BlobStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  id(): Promise<string> {
    return keepOnce(this.#folder, 'store-id', randomUUID)
  }

  put(name: BlobName, file: StoredFile): Promise<void> {
    return onDisk(this.#put(name, file))
  }

  async #put(name: BlobName, file: StoredFile): Promise<void> {
    const target = this.#path(name)
    // A file that lost its end, for example in a power cut of the disk itself, is replaced.
    if (await this.isWhole(name, file.size)) return rm(file.path, { force: true })
    const folder = dirname(target)
    await makeFolder(folder)
    await rename(file.path, target)
    await giveToOwner(target)
    // The name has to survive a power cut like the bytes do. The same goes for the folders above it, which may be new.
    for (const each of [folder, dirname(folder), this.#folder]) await syncFolder(each)
  }

  async get(name: BlobName, range?: ByteRange): Promise<Readable> {
    const stream = createReadStream(this.#path(name), range)
    try {
      await once(stream, 'open')
    } catch (error) {
      throw isMissing(error) ? new BlobMissing() : unreadable(error)
    }
    return stream
  }

  async has(name: BlobName): Promise<boolean> {
    return (await this.#sizeOf(name)) !== undefined
  }

  async isWhole(name: BlobName, size: number): Promise<boolean> {
    return (await this.#sizeOf(name)) === size
  }

  async #sizeOf(name: BlobName): Promise<number | undefined> {
    try {
      return (await stat(this.#path(name))).size
    } catch (error) {
      if (isMissing(error)) return undefined
      throw unreadable(error)
    }
  }

  async delete(name: BlobName): Promise<void> {
    await onDisk(rm(this.#path(name), { force: true }))
  }

  copy(name: BlobName, toOrganizationId: string): Promise<void> {
    return onDisk(this.#copy(name, toOrganizationId))
  }

  async #copy(name: BlobName, toOrganizationId: string): Promise<void> {
    const target = this.#path({ ...name, organizationId: toOrganizationId })
    await makeFolder(dirname(target))
    // Bytes never change, so two names can share them.
    await link(this.#path(name), target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw isMissing(error) ? new BlobMissing() : error
    })
    for (const each of [dirname(target), dirname(dirname(target)), this.#folder]) await syncFolder(each)
  }

  placeOf(name: BlobName): string {
    return this.#path(name)
  }

  #path({ organizationId, hash }: BlobName): string {
    return join(this.#folder, organizationId, hash.slice(0, 2), hash)
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Too many open files or a failing disk: that does not mean that the bytes are missing. */
const unreadable = (cause: unknown) => new StoreUnavailable('A file cannot be read', { cause })
