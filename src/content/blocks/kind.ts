import type { Block } from '../blocks.ts'
import type { ContentReference, DocumentBlock, DocumentFragment, DocumentNode } from '../document/shape.ts'
import type { Html } from '../html/template.ts'
import type { Inline } from '../inlines.ts'

/** What a block can become. Blocks reach other blocks only through the writers that they are handed. */
export interface BlockKind<B extends Block> {
  toMarkdown(block: B, write: MarkdownWriter): string
  toHtml(block: B, draw: HtmlWriter): Html
  toDocument(block: B, to: DocumentWriter): DocumentBlock
}

export interface MarkdownWriter {
  /** Blocks below each other, a blank line between them; `tight` leaves it out where Markdown allows. */
  blocks(blocks: readonly Block[], spacing?: 'loose' | 'tight'): string
  inlines(inlines: readonly Inline[], place?: 'paragraph' | 'line' | 'cell' | 'html'): string
}

export interface HtmlWriter {
  blocks(blocks: readonly Block[]): Html
  inlines(inlines: readonly Inline[]): Html
  /** Raw HTML of the author, sanitized. */
  raw(source: string): Html
  link(href: string): string | undefined
  image(src: string): string | undefined
  /** The address of a heading inside its page. */
  anchor(block: Block): string | undefined
}

export interface DocumentWriter {
  blocks(blocks: readonly Block[]): DocumentBlock[]
  nodes(inlines: readonly Inline[]): DocumentNode[]
  text(text: string): DocumentNode[]
  fragment(type: string, inlines: readonly Inline[], name?: string): DocumentFragment
  ref(href: string): ContentReference
}
