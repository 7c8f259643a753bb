import type { Block } from '../blocks.ts'
import { writeBlocks } from '../markdown/write-blocks.ts'
import { lineBreakOf } from '../markdown/lines.ts'
import { byteOrderMark, parse, type Document } from '../parse.ts'
import { toDocument } from '../to-document.ts'
import { write } from '../write.ts'
import { readVisual } from './read.ts'

/**
 * Returns the Markdown of a page after a user edited its drawn markup. Apart from their changes it is the same to the
 * byte.
 */
export function writeVisual(document: Document, markup: string): string {
  const blocks = readVisual(document, markup)
  if (blocks === document.blocks) return document.source
  const text = write({ ...document, blocks })
  const meant = says(blocks)
  const isMeant = (markdown: string) => says(parse(markdown).blocks) === meant
  if (isMeant(text)) return text
  // Blocks that become neighbours may read as one: two lists, or a text and a list.
  const anew = writtenAnew(document, blocks)
  if (isMeant(anew)) return anew
  // Not every edit can be expressed in Markdown, such as the spacing of the items of a list that has only one.
  const isNear = (markdown: string) => apart(says(parse(markdown).blocks)) === apart(meant)
  return isNear(text) || !isNear(anew) ? text : anew
}

/** Ignores the spacing between list items. */
const apart = (said: string): string =>
  JSON.stringify(JSON.parse(said), (key, value) => {
    if (key !== 'extra') return value
    const { loose: _, ...others } = value
    return Object.keys(others).length > 0 ? others : undefined
  })

/** Returns only the content of blocks, regardless of how they are written in Markdown. */
export const says = (blocks: readonly Block[]): string => JSON.stringify(toDocument(blocks, { nameless: true }))

function writtenAnew({ source, frontMatter }: Document, blocks: readonly Block[]): string {
  const head = source.slice(0, frontMatter?.range.end ?? byteOrderMark(source))
  const body = `${writeBlocks(blocks)}\n`.replaceAll('\n', lineBreakOf(source))
  return frontMatter ? `${head}${body}` : head + body
}
