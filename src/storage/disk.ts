import { createReadStream } from 'node:fs'
import { access, link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  BlobMissing,
  type BlobName,
  type BlobStore,
  type ByteRange,
  StoreUnavailable,
  type StoredFile,
} from './store.ts'

/** `<folder>/<organization>/<first two letters>/<hash>`. */
export class DiskStore implements BlobStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async id(): Promise<string> {
    const file = join(this.#folder, 'store-id')
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    // Two processes that start together agree: the second finds the file of the first.
    await writeFile(file, randomUUID(), { mode: 0o600, flag: 'wx' }).catch(unless('EEXIST'))
    return (await readFile(file, 'utf8')).trim()
  }

  async put(name: BlobName, file: StoredFile): Promise<void> {
    const target = this.#path(name)
    if (await this.has(name)) return rm(file.path, { force: true })
    const folder = dirname(target)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await rename(file.path, target)
    // The name has to survive a power cut like the bytes; so do the folders on the way, which may be new.
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
    try {
      await access(this.#path(name))
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw unreadable(error)
    }
  }

  async delete(name: BlobName): Promise<void> {
    await rm(this.#path(name), { force: true })
  }

  async copy(name: BlobName, toOrganizationId: string): Promise<void> {
    const target = this.#path({ ...name, organizationId: toOrganizationId })
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    // Bytes never change, so two names can share them.
    await link(this.#path(name), target).catch(unless('EEXIST'))
    for (const each of [dirname(target), dirname(dirname(target)), this.#folder]) await syncFolder(each)
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

/** Too many open files, a disk that fails: that says nothing about whether the bytes are there. */
const unreadable = (cause: unknown) => new StoreUnavailable('A file cannot be read', { cause })

function unless(code: string) {
  return (error: NodeJS.ErrnoException): void => {
    if (error.code !== code) throw error
  }
}
