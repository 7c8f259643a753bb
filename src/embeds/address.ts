import { type Block, everyBlock } from '../content/blocks.ts'
import { shownOf } from '../content/blocks/integration.ts'
import { isWebAddress } from '../content/html/frames.ts'
import { hashOf } from '../secrets.ts'

const mostCharacters = 2_048

/**
 * Normalizes an address to the form in which it is requested, without the fragment. Undefined for addresses that are
 * never requested.
 */
export function askedAs(url: string): string | undefined {
  if (!isWebAddress(url)) return undefined
  const address = new URL(url)
  if (address.username !== '' || address.password !== '') return undefined
  address.hash = ''
  return address.href.length <= mostCharacters ? address.href : undefined
}

export const hashOfAddress = (address: string): Buffer => hashOf(address)

export const hostOf = (address: string): string => new URL(address).host.replace(/^www\./, '')

/** The embeds among the blocks of a page, in order. */
export function* embedsIn(blocks: readonly Block[]): Generator<Extract<Block, { type: 'embed' }>> {
  for (const block of everyBlock(blocks)) {
    if (block.type === 'embed') yield block
    else if (block.type === 'integration' && block.blocks.length === 0)
      for (const shown of shownOf(block)) if (shown.type === 'embed') yield shown
  }
}
