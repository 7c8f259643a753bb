import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, addressOf } from '../config.ts'
import { giveToOwner } from '../storage/ours.ts'

const fileIn = ({ dataFolder }: Pick<Config, 'dataFolder'>) => join(dataFolder, 'address')

/** A server leaves its address in the data folder, for commands that are called without its settings. */
export async function leaveAddress(config: Config, url: string): Promise<void> {
  const file = fileIn(config)
  try {
    await writeFile(file, `${url}\n`)
    await giveToOwner(file)
  } catch {
    // A node that keeps all it has elsewhere needs no such folder, and nothing but the words of commands hangs on it.
  }
}

/** For links: as the environment says, or else where the server of this data folder was last. */
export async function knownAddress(config: Config): Promise<string> {
  if (config.saysAddress) return addressOf(config)
  const left = (await readFile(fileIn(config), 'utf8').catch(() => '')).trim()
  return /^https?:/.test(left) && URL.canParse(left) ? left : addressOf(config)
}
