import type { Config } from '../../config.ts'
import type { Remote } from './address.ts'
import { failureOf } from './fetch.ts'
import { Workplace } from './workplace.ts'

/** A word with the server, of a few kilobytes. */
const askMs = 30_000

/** The id of the newest commit of a branch; nothing of it is fetched. Undefined where there is no such branch. */
export async function findNewestCommit(
  config: Config,
  remote: Remote,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const place = await Workplace.openWithout(config, remote, signal)
  try {
    const answer = await place.goOut(['ls-remote', '--quiet', '--', remote.url, remote.ref], askMs)
    if (answer.code !== 0) throw failureOf(answer)
    return idOf(answer.stdout.toString('latin1'), remote.ref)
  } finally {
    await place.close()
  }
}

/** It lists what ends like it as well. */
function idOf(listed: string, ref: string): string | undefined {
  const lines = listed.split('\n').map((line) => line.split('\t'))
  const id = lines.find(([, name]) => name === ref)?.[0]
  return id !== undefined && /^[0-9a-f]{40,64}$/.test(id) ? id : undefined
}
