import type { Config } from '../../config.ts'
import type { Remote } from './address.ts'
import { failureOf } from './fetch.ts'
import { Workplace } from './workplace.ts'

/** For a short exchange with the server, of a few kilobytes. */
const askMs = 30_000

/** Returns the id of the newest commit of a branch without fetching it. Undefined if the branch does not exist. */
export async function findNewestCommit(
  config: Config,
  remote: Remote,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const place = await Workplace.openWithout(config, remote, signal)
  try {
    return await askNewest(place)
  } finally {
    await place.close()
  }
}

export async function askNewest(place: Workplace): Promise<string | undefined> {
  const { url, ref } = place.remote
  const answer = await place.goOut(['ls-remote', '--quiet', '--', url, ref], { timeoutMs: askMs })
  if (answer.code !== 0) throw failureOf(answer)
  return idOf(answer.stdout.toString('latin1'), ref)
}

/** `ls-remote` also lists refs whose names merely end like this one. */
function idOf(listed: string, ref: string): string | undefined {
  const lines = listed.split('\n').map((line) => line.split('\t'))
  const id = lines.find(([, name]) => name === ref)?.[0]
  return id !== undefined && /^[0-9a-f]{40,64}$/.test(id) ? id : undefined
}
