import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedDatabaseError } from './error.ts'
import type { Place } from './place.ts'
import { findProcess } from './processes.ts'

let handles = 0

/**
 * Adds this process to the list of those that use the database. Everything known about it is in the file's name, so
 * that a process of another user (sudo lectern … beside the server) can judge it without being able to read the file.
 */
export async function signIn(place: Place): Promise<string> {
  const me = await findProcess(process.pid)
  if (!me) throw new EmbeddedDatabaseError('Lectern cannot see its own process. Is /proc mounted?')
  const entry = join(place.run, `user-${me.pid}-${me.started}-${++handles}`)
  writeFileSync(entry, '')
  return entry
}

export function signOut(entry: string): void {
  rmSync(entry, { force: true })
}

/** Whether any living process is still on the list. Entries of dead ones are cleared away. */
export async function isInUse(place: Place): Promise<boolean> {
  let inUse = false
  for (const name of readdirSync(place.run)) {
    const [, pid, started] = /^user-(\d+)-([^-]+)-\d+$/.exec(name) ?? []
    if (!pid) continue
    if ((await findProcess(Number(pid)))?.started === started) inUse = true
    else signOut(join(place.run, name))
  }
  return inUse
}
