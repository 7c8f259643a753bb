import { type FileHandle, chown, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Explained } from '../explained.ts'

const tries = 40
const waitMs = 50

/**
 * A folder that nobody else reads, with those above it: each takes after the one it is in. Node would make them all at
 * once, but never comes back where the system says of a folder that is there that nothing can be made in it (/proc).
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isThere(path)) return
  if (dirname(path) !== path) await makeFolder(dirname(path))
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await isThere(path))) return
    throw error
  }
  await giveToOwner(path)
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Made by root in somebody's folder (sudo lectern …), it becomes theirs: else their server could not read it. */
export async function giveToOwner(path: string): Promise<void> {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(path))
  await chown(path, uid, gid)
}

/** A value that is made once and then always the same, also when two processes ask for the first time together. */
export async function keepOnce(folder: string, name: string, make: () => string): Promise<string> {
  const file = join(folder, name)
  await makeFolder(folder)
  const made = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (made) await fill(made, file, make)
  for (let tried = 0; tried < tries; tried++) {
    const text = (await readFile(file, 'utf8')).trim()
    if (text !== '') return text
    // The other process has made the file, and not written it yet.
    await sleep(waitMs)
  }
  throw new Explained(`${file} is empty. Put back what was in it; if this is a first start, delete it.`)
}

/** On a full disk a file is made, and nothing comes into it: left behind, it would be in the way of the next start. */
async function fill(made: FileHandle, file: string, make: () => string): Promise<void> {
  try {
    await made.writeFile(make())
    await giveToOwner(file)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  } finally {
    await made.close()
  }
}
