import { createHash, randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { filesFolder } from './open.ts'
import { makeFolder } from './ours.ts'
import { type StoredFile, onDisk } from './store.ts'

export class TooManyBytes extends Error {}

/**
 * Where bytes are written before their hash is known. It is inside the files folder, so that moving a file there is a
 * rename. S3 needs it as well: an upload needs its length beforehand.
 */
export const incomingFolder = (config: Pick<Config, 'dataFolder'>) => join(filesFolder(config), 'incoming')

/** Writes bytes as they arrive, counts and hashes them, and syncs them to the disk. */
export async function receive(
  config: Pick<Config, 'dataFolder'>,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<StoredFile> {
  const folder = incomingFolder(config)
  await onDisk(makeFolder(folder))
  const path = join(folder, randomUUID())
  const hash = createHash('sha256')
  let size = 0
  const file = await onDisk(open(path, 'wx', 0o600))
  try {
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > maxBytes) throw new TooManyBytes()
      hash.update(chunk)
      // Not `write`: on a disk that is nearly full it may write only a part of the bytes without failing.
      await onDisk(file.writeFile(chunk))
    }
    await onDisk(file.sync())
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return { path, hash: hash.digest('hex'), size }
}
