import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Explained, reasonOf } from '../explained.ts'
import { UsageError } from './arguments.ts'
import { undoIfInterrupted } from './interrupted.ts'

/** Writes a file that is complete or does not exist. An existing file is never overwritten. */
export async function writeNewFile(path: string, bytes: Readable): Promise<void> {
  await refuseTaken(path).catch((error) => {
    bytes.destroy()
    throw error
  })
  // Another process may be writing a file of the same name.
  const draft = `${path}.${randomUUID()}.part`
  const isWhole = undoIfInterrupted(() => rm(draft, { force: true }))
  try {
    await pipeline(bytes, createWriteStream(draft, { mode: 0o600 }))
    const file = await open(draft, 'r')
    await file.sync().finally(() => file.close())
    await refuseTaken(path)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    const { syscall, path: place } = error as NodeJS.ErrnoException
    // A missing folder, no permission to write, a full disk. Failures to read the source are rethrown as they are.
    if (place !== draft && syscall !== 'write' && syscall !== 'fsync') throw error
    throw new Explained(`${path} cannot be written: ${reasonOf(error)}.`, { cause: error })
  } finally {
    isWhole()
  }
}

async function refuseTaken(path: string): Promise<void> {
  if (!(await stat(path).catch(() => undefined))) return
  throw new UsageError(`${path} already exists. Choose another file name, or move this file away first.`)
}
