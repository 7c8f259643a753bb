import { childBlocks, type Block } from './blocks.ts'
import { labelOf } from './blocks/api-method.ts'
import { textOfHtml } from './html/text.ts'
import { hasWords } from './blocks/content-ref.ts'
import type { TableColumn } from './blocks/table.ts'
import type { Inline } from './inlines.ts'
import { plainText } from './inlines/text.ts'
import { inlinesWithout, isStandIn } from './lost.ts'

/** Returns the text that a reader would see, one line per block: for search, previews and the description of a page. */
export function toPlainText(blocks: readonly Block[]): string {
  return linesOf(blocks, toPlainText)
}

/** Does the same with the numbers of ordered lists, which people search for: error 28, step 3, rule 5. */
export function toNumberedText(blocks: readonly Block[]): string {
  return linesOf(blocks, (inside, block) => {
    if (block.type !== 'list' || block.kind !== 'ordered') return toNumberedText(inside)
    const first = block.start ?? 1
    return inside.map((item, i) => `${first + i}. ${toNumberedText([item])}`).join('\n')
  })
}

function linesOf(blocks: readonly Block[], textInside: (inside: readonly Block[], block: Block) => string): string {
  return blocks
    .map((block) => {
      if (block.type === 'content-ref' && !hasWords(block)) return ''
      const own = textOf(block, wordsRead)
      const inside = textInside(childBlocks(block), block)
      return own === '' || inside === '' ? own + inside : `${own}\n${inside}`
    })
    .filter((text) => text !== '')
    .join('\n')
}

/** Returns what distinguishes a block from others of its type: its own text, or its target if it has none. */
export function ownText(block: Block): string {
  switch (block.type) {
    case 'definition':
      return `${block.label} ${block.href}`
    case 'embed':
    case 'content-ref':
      return block.url
    case 'file':
      return block.src
    case 'footnote':
      return block.label
    case 'html':
      return block.html
    case 'if':
      return block.expression
    case 'include':
      return block.ref
    case 'openapi':
      return [block.src, block.method, block.path].join(' ')
    case 'openapi-operation':
      return [block.spec, block.method, block.path].join(' ')
    case 'openapi-webhook':
      return [block.spec, block.method, block.name].join(' ')
    case 'integration':
      return `@${block.name}/${block.block} ${JSON.stringify(block.props)}`
    case 'openapi-schemas':
      return [block.spec, block.schemas].join(' ')
    case 'unknown':
      return `${block.name} ${block.rest}`
    case 'images':
      return block.images.map((image) => image.src).join(' ') + textOf(block, plainText)
    default:
      return textOf(block, plainText)
  }
}

/** Returns the words of inlines. `column` is the table column that they are in, if any. */
type Words = (inlines: readonly Inline[], column?: TableColumn) => string

/**
 * Returns the words without those that stand for a page and are shown as its title or not at all, such as the name of a
 * file.
 */
export function wordsRead(inlines: readonly Inline[], column?: TableColumn): string {
  return plainText(inlinesWithout(inlines, isStandIn, column))
}

function textOf(block: Block, words: Words): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return words(block.inlines).trim()
    case 'code':
      return block.title === undefined ? block.text : `${block.title}\n${block.text}`
    case 'math':
    case 'raw':
      return block.text
    case 'details':
      return words(block.summary).trim()
    case 'hint':
    case 'tab':
      return block.title ?? ''
    case 'update':
      return block.date ?? ''
    case 'prompt':
      return block.description ?? ''
    case 'file':
      return block.name ?? ''
    case 'error':
      return block.message
    case 'unknown':
      return labelOf(block)
        .map(({ inlines }) => words(inlines))
        .join('\n')
    case 'html':
      return textOfHtml(block.html)
    case 'images':
      return block.images
        .flatMap(({ alt, caption = [] }) => [alt, words(caption).trim()])
        .filter(Boolean)
        .join('\n')
    case 'table':
      return [block.columns.map((column) => column.inlines), ...block.rows]
        .map((row) =>
          row
            .map((cell, at) => words(cell, block.columns[at]).trim())
            .filter(Boolean)
            .join(' '),
        )
        .filter((line) => line !== '')
        .join('\n')
    default:
      return ''
  }
}
