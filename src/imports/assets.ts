import type { Config } from '../config.ts'
import { FetchFailure } from '../fetch/failure.ts'
import { type Incoming, discard, receiveBlob } from '../files/blobs.ts'
import { hasTooManyPixels } from '../files/inspect.ts'
import { newId } from '../ids.ts'
import { TooManyBytes } from '../storage/receive.ts'
import { shortened } from '../shortened.ts'
import type { Collected, Skipped } from './collected.ts'
import { ImportFailure } from './failure.ts'
import { type ImportLimits, limits } from './limits.ts'
import { pauses } from '../pauses.ts'
import { pathOf } from './web/addresses.ts'

/** A file that is imported along with the pages. */
export interface Asset {
  id: string
  name: string
  incoming: Incoming
}

export interface Assets {
  byAddress: ReadonlyMap<string, Asset>
  skipped: Skipped[]
}

interface Gathering {
  config: Config
  limits: ImportLimits
  until: number
  stopping: AbortSignal
}

/**
 * Loads the files that pages show and link to, each once. Links to files that cannot be loaded keep their original
 * address.
 */
export async function gatherAssets(
  addresses: readonly string[],
  collected: Collected,
  gathering: Gathering,
): Promise<Assets> {
  const byAddress = new Map<string, Asset>()
  const skipped: Skipped[] = []
  // Shared: each address is taken once. There may be very many, and nothing may be there at any of them.
  const queue = addresses.values()
  const pause = pauses()
  let bytes = 0
  const take = async () => {
    for (const address of queue) {
      await pause()
      gathering.stopping.throwIfAborted()
      try {
        refuseTooMuch(gathering, byAddress.size, bytes)
        const asset = await receive(await collected.load(address), gathering.config)
        bytes += asset.incoming.blob.size
        byAddress.set(address, asset)
      } catch (error) {
        if (!(error instanceof ImportFailure || error instanceof FetchFailure)) throw error
        skipped.push({ source: nameFor(address), reason: error.message })
      }
    }
  }
  const done = await Promise.allSettled(Array.from({ length: limits.atOnce }, take))
  const failed = done.find((each) => each.status === 'rejected')
  if (!failed) return { byAddress, skipped }
  await discard([...byAddress.values()].map(({ incoming }) => incoming))
  throw failed.reason
}

function refuseTooMuch({ limits, until }: Gathering, count: number, bytes: number): void {
  if (count >= limits.assets) throw new ImportFailure('too-many', `is one of more than ${limits.assets} files`)
  if (bytes > limits.assetBytes) throw new ImportFailure('too-large', 'is too much: the files are too large together')
  if (performance.now() > until) throw new ImportFailure('timeout', 'was not fetched: there was no time left')
}

async function receive(
  { name, contentType, bytes }: { name: string; contentType: string | undefined; bytes: Uint8Array },
  config: Config,
): Promise<Asset> {
  const maxBytes = config.limits.uploadBytes
  const incoming = await receiveBlob(config, [bytes], { name, declared: contentType, maxBytes }).catch(
    (error: unknown) => {
      throw error instanceof TooManyBytes
        ? new ImportFailure('too-large', `is too large: at most ${maxBytes} bytes`)
        : error
    },
  )
  if (!hasTooManyPixels(incoming.blob)) return { id: newId(), name: fileName(name), incoming }
  await discard([incoming])
  throw new ImportFailure('pixels', 'is a picture of more than 50 megapixels')
}

/** Makes a name safe to use in addresses, because it becomes part of them. */
function fileName(name: string): string {
  const plain = name
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[/\\\u0000-\u001f\u007f]/g, '-')
    .replace(/^\.+/, '')
  return [...plain].slice(-100).join('') || 'file'
}

/** The address as shown to users: for a file in an archive, its path. */
const nameFor = (address: string) => shortened(address.startsWith('archive:') ? pathOf(address) : address, 300)
