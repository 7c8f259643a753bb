import { type FileHandle, chown, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Explained } from '../explained.ts'

const tries = 40
const waitMs = 50

/**
 * Creates a folder that only its owner can read, with its missing parents. Each gets the owner of the folder that it is
 * in. Not `mkdir` with `recursive`: it never returns if the system reports that nothing can be created in a folder that
 * exists (/proc).
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

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/**
 * If root creates something in the folder of another user (sudo lectern …), it is given to that user. Otherwise their
 * server could not read it.
 */
export async function giveToOwner(path: string): Promise<void> {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(path))
  await chown(path, uid, gid)
}

/**
 * Returns a value that is created once and then stays the same, even if two processes ask for it for the first time at
 * once.
 */
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
    // The other process has created the file but not written to it yet.
    await sleep(waitMs)
  }
  throw new Explained(`${file} is empty. Put back what was in it; if this is a first start, delete it.`)
}

/**
 * Writes the value. On a full disk, a file is created but stays empty. It is removed, because it would prevent the next
 * start.
 */
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
