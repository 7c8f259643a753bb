import { everyBlock } from '../content/blocks.ts'
import { parse } from '../content/parse.ts'

export const isAddressOfSpec = (name: string): boolean => /^https?:\/\//i.test(name)

/**
 * Occurs in every text that shows something from a specification, in the current or the older syntax. Most texts do not
 * contain it.
 */
export const mayShowSpec = /openapi|swagger/

/** Returns the specifications that a text shows, by slug or address. */
export function specsShownIn(body: string): string[] {
  if (!mayShowSpec.test(body)) return []
  return [...everyBlock(parse(body).blocks)].flatMap((block) => {
    if (block.type === 'openapi') return block.src !== undefined && !isFile(block.src) ? block.src : []
    const isOne =
      block.type === 'openapi-operation' || block.type === 'openapi-schemas' || block.type === 'openapi-webhook'
    return isOne ? (block.spec ?? []) : []
  })
}

/** The older syntax may also name a file of its space. */
const isFile = (src: string) => !isAddressOfSpec(src) && /[/.]/.test(src)
