import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, addressOf } from '../config.ts'
import { giveToOwner } from '../storage/ours.ts'

const fileIn = ({ dataFolder }: Pick<Config, 'dataFolder'>) => join(dataFolder, 'address')

/** Writes the address of a server into the data folder, for commands that are called without its settings. */
export async function leaveAddress(config: Config, url: string): Promise<void> {
  const file = fileIn(config)
  try {
    await writeFile(file, `${url}\n`)
    await giveToOwner(file)
  } catch {
    // A node that stores everything elsewhere needs no such folder, and only the messages of commands depend on this
    // file.
  }
}

/**
 * Returns the address for links: the one in the environment, or else the last one of the server of this data folder.
 */
export async function knownAddress(config: Config): Promise<string> {
  if (config.saysAddress) return addressOf(config)
  const left = (await readFile(fileIn(config), 'utf8').catch(() => '')).trim()
  return /^https?:/.test(left) && URL.canParse(left) ? left : addressOf(config)
}
