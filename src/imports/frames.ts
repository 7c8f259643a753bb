import { type Block, childBlocks } from '../content/blocks.ts'
import type { HtmlBlock } from '../content/blocks/html.ts'
import { decodeEntities } from '../content/html/attributes.ts'
import { readTag, scanTags } from '../content/html/tags.ts'
import { textOfHtml } from '../content/html/text.ts'
import { links } from '../content/links.ts'
import { writeTag } from '../content/markdown/tag.ts'
import { parse } from '../content/parse.ts'
import type { Range } from '../content/tree.ts'

interface Frame extends Range {
  /** Its address, as written. */
  raw: string
}

/**
 * Frames that stand in Markdown as HTML show nothing on a page, and what is in them is no file of it. One that stands
 * by itself is embedded; within other text it is a link.
 */
export function withoutFrames(markdown: string): string {
  if (!/<iframe\b/i.test(markdown)) return markdown
  const document = parse(markdown)
  const alone = document.blocks.flatMap(htmlIn).filter(holdsOneFrame)
  let text = ''
  let from = 0
  for (const frame of links(document).flatMap(({ start, raw }) => frameAround(markdown, start, raw))) {
    while (alone[0]?.range && alone[0].range.end <= frame.start) alone.shift()
    const url = webAddress(frame.raw)
    const block = alone[0]?.range && alone[0].range.start <= frame.start ? alone[0].range : undefined
    const { start, end } = url && block ? block : frame
    if (start < from) continue
    const label = frame.raw.replaceAll('<', '&lt;')
    const instead = url && block ? writeTag('embed', { url }) : `<a href="${frame.raw}">${label}</a>`
    text += markdown.slice(from, start) + instead
    from = end
  }
  return text + markdown.slice(from)
}

/** All HTML that is a block of its own, in the order of the source. */
function htmlIn(block: Block): HtmlBlock[] {
  return block.type === 'html' ? [block] : childBlocks(block).flatMap(htmlIn)
}

/** Whether it says nothing but the frame; what goes around it only gives it its place. */
function holdsOneFrame({ html }: HtmlBlock): boolean {
  const tags = [...scanTags(html)].filter(({ closing }) => !closing)
  return (
    tags.filter(({ name }) => name === 'iframe').length === 1 &&
    tags.every(({ name }) => /^(iframe|div|p|center|figure|span|section)$/.test(name)) &&
    textOfHtml(html).trim() === ''
  )
}

/** The frame whose address stands at `at`; none where that is the address of something else. */
function frameAround(markdown: string, at: number, raw: string): Frame[] {
  // No further back than tags are long: a page may have many links.
  const near = Math.max(0, at - 4_000)
  const start = near + markdown.slice(near, at).lastIndexOf('<')
  const tag = start < near ? undefined : readTag(markdown, start)
  if (typeof tag !== 'object' || tag.name !== 'iframe' || raw.includes('"')) return []
  // What is no address of the web or of the archive stays as it is, and is shown to nobody.
  if (/^\s*[a-z][a-z0-9+.-]*:/i.test(raw) && !webAddress(raw)) return []
  const closing = /^[^<]*<\/iframe\s*>/i.exec(markdown.slice(tag.end))?.[0] ?? ''
  return [{ start, end: tag.end + closing.length, raw }]
}

function webAddress(raw: string): string | undefined {
  const address = decodeEntities(raw).trim()
  const whole = address.startsWith('//') ? `https:${address}` : address
  return /^https?:/i.test(whole) && URL.canParse(whole) ? whole : undefined
}
