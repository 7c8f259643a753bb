import { type Block, childBlocks } from '../content/blocks.ts'
import { readTag } from '../content/html/tags.ts'
import { links } from '../content/links.ts'
import { writeBlock } from '../content/markdown/write-blocks.ts'
import { parse } from '../content/parse.ts'
import type { Range } from '../content/tree.ts'

interface Frame extends Range {
  /** Its address, as written. */
  raw: string
}

/**
 * Rewrites frames that are written as HTML in Markdown: a frame on its own becomes an embed, and a frame within text
 * becomes a link. A frame whose address is neither on the web nor in the archive stays as it is, and is not shown.
 */
export function withoutFrames(markdown: string): string {
  if (!/<iframe\b/i.test(markdown)) return markdown
  const document = parse(markdown)
  const alone = document.blocks.flatMap((block) => framesIn(block, markdown))
  let text = ''
  let from = 0
  for (const frame of links(document).flatMap(({ start, raw }) => frameAround(markdown, start, raw))) {
    while (alone[0]?.range && alone[0].range.end <= frame.start) alone.shift()
    const embed = alone[0]?.range && alone[0].range.start <= frame.start ? alone[0] : undefined
    const { start, end } = embed?.range ?? frame
    if (start < from) continue
    const label = frame.raw.replaceAll('<', '&lt;')
    const instead = embed ? writeBlock(embed) : `<a href="${frame.raw}">${label}</a>`
    text += markdown.slice(from, start) + instead
    from = end
  }
  return text + markdown.slice(from)
}

/** Returns the frames that are embeds on their own, in source order. */
function framesIn(block: Block, source: string): Block[] {
  const isFrame = block.type === 'embed' && block.range !== undefined && source.startsWith('<', block.range.start)
  return isFrame ? [block] : childBlocks(block).flatMap((child) => framesIn(child, source))
}

/** Returns the frame whose address is at `at`, or nothing if something else has that address. */
function frameAround(markdown: string, at: number, raw: string): Frame[] {
  // Looks back only as far as tags are long, because a page may have many links.
  const near = Math.max(0, at - 4_000)
  const start = near + markdown.slice(near, at).lastIndexOf('<')
  const tag = start < near ? undefined : readTag(markdown, start)
  if (typeof tag !== 'object' || tag.name !== 'iframe' || raw.includes('"')) return []
  const closing = /^[^<]*<\/iframe\s*>/i.exec(markdown.slice(tag.end))?.[0] ?? ''
  return [{ start, end: tag.end + closing.length, raw }]
}
