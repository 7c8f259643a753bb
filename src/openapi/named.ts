import { everyBlock } from '../content/blocks.ts'
import { parse } from '../content/parse.ts'

export const isAddressOfSpec = (name: string): boolean => /^https?:\/\//i.test(name)

/** What stands in every text that shows something of a specification, today or in the older form: most are none of these. */
export const mayShowSpec = /openapi|swagger/

/** The specifications that a text shows, by their slugs or their addresses. */
export function specsShownIn(body: string): string[] {
  if (!mayShowSpec.test(body)) return []
  return [...everyBlock(parse(body).blocks)].flatMap((block) => {
    if (block.type === 'openapi') return block.src !== undefined && !isFile(block.src) ? block.src : []
    const isOne =
      block.type === 'openapi-operation' || block.type === 'openapi-schemas' || block.type === 'openapi-webhook'
    return isOne ? (block.spec ?? []) : []
  })
}

/** The older form may also name a file of its space. */
const isFile = (src: string) => !isAddressOfSpec(src) && /[/.]/.test(src)
