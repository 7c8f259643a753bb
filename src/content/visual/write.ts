import type { Block } from '../blocks.ts'
import { writeBlocks } from '../markdown/write-blocks.ts'
import { lineBreakOf } from '../markdown/lines.ts'
import { byteOrderMark, parse, type Document } from '../parse.ts'
import { toDocument } from '../to-document.ts'
import { write } from '../write.ts'
import { readVisual } from './read.ts'

/** The Markdown of a page after somebody edited what was drawn of it: to the byte as before, but for what they wrote. */
export function writeVisual(document: Document, markup: string): string {
  const blocks = readVisual(document, markup)
  if (blocks === document.blocks) return document.source
  const text = write({ ...document, blocks })
  const meant = says(blocks)
  const isMeant = (markdown: string) => says(parse(markdown).blocks) === meant
  if (isMeant(text)) return text
  // What comes to stand beside each other may read as one: two lists, or a text and a list.
  const anew = writtenAnew(document, blocks)
  if (isMeant(anew)) return anew
  // Not all that somebody makes can be said in Markdown, such as how far apart the items of a list are that has one only.
  const isNear = (markdown: string) => apart(says(parse(markdown).blocks)) === apart(meant)
  return isNear(text) || !isNear(anew) ? text : anew
}

/** The same, however far apart items are. */
const apart = (said: string): string =>
  JSON.stringify(JSON.parse(said), (key, value) => {
    if (key !== 'extra') return value
    const { loose: _, ...others } = value
    return Object.keys(others).length > 0 ? others : undefined
  })

/** Just what blocks say, whatever they look like in Markdown. */
export const says = (blocks: readonly Block[]): string => JSON.stringify(toDocument(blocks, { nameless: true }))

function writtenAnew({ source, frontMatter }: Document, blocks: readonly Block[]): string {
  const head = source.slice(0, frontMatter?.range.end ?? byteOrderMark(source))
  const body = `${writeBlocks(blocks)}\n`.replaceAll('\n', lineBreakOf(source))
  return frontMatter ? `${head}${body}` : head + body
}
