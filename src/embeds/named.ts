import { type Block, everyBlock, exchangeBlocks } from '../content/blocks.ts'
import type { Document } from '../content/parse.ts'
import type { App } from '../http/routes.ts'
import { embedsIn } from './address.ts'

/**
 * Embeds without a caption, with the title of the embedded page as their caption: for code that renders a page in
 * another way than a site does.
 */
export async function nameEmbeds(
  app: App,
  organizationId: string,
  blocks: readonly Block[],
): Promise<Map<Block, readonly Block[]>> {
  const bare = [...everyBlock(blocks)].flatMap((block) => {
    const [embed] = block.type === 'embed' || block.type === 'integration' ? [...embedsIn([block])] : []
    return embed && embed.blocks.length === 0 ? [{ block, embed }] : []
  })
  const known = await app.embeds.known(
    organizationId,
    bare.map(({ embed }) => embed.url),
  )
  return new Map(
    bare.flatMap(({ block, embed }): [Block, Block[]][] => {
      const title = known(embed.url)?.title ?? undefined
      if (title === undefined) return []
      const caption: Block = { type: 'paragraph', inlines: [{ type: 'text', text: title }] }
      return [[block, [{ ...embed, blocks: [caption] }]]]
    }),
  )
}

export async function withEmbedsNamed(app: App, organizationId: string, document: Document): Promise<Document> {
  const named = await nameEmbeds(app, organizationId, document.blocks)
  return named.size === 0 ? document : { ...document, blocks: exchangeBlocks(document.blocks, named) }
}
