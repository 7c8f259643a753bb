import type { Block } from '../blocks.ts'
import type { ContentReference, WrittenBlock, DocumentNode } from '../document/shape.ts'
import type { Html } from '../html/template.ts'
import type { Inline, InlineImage, Mention } from '../inlines.ts'

/** What a block can become. Blocks reach other blocks only through the writers that they are handed. */
export interface BlockKind<B extends Block> {
  toMarkdown(block: B, write: MarkdownWriter): string
  toHtml(block: B, draw: HtmlWriter): Html
  /** Several nodes where the format has no block that could hold what stands inside. */
  toDocument(block: B, to: DocumentWriter): WrittenBlock | readonly WrittenBlock[]
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
  /** What stands for a picture that has no address here; without it, its words do. */
  unloaded?: (image: InlineImage) => Html
  /** What stands for a mention that leads nowhere here; without it, its words do. */
  unled?: (mention: Mention) => Html
  /** How a formula is seen; without it, as it was written. */
  formula?: (text: string, isBlock: boolean) => Html
  /** The address of a heading inside its page. */
  anchor(block: Block): string | undefined
}

export interface DocumentWriter {
  blocks(blocks: readonly Block[]): WrittenBlock[]
  /** The children of a block that holds parts of one type only. */
  parts(blocks: readonly Block[], type: PartType): WrittenBlock[]
  nodes(inlines: readonly Inline[]): DocumentNode[]
  paragraph(inlines: readonly Inline[]): WrittenBlock
  /** Markdown that the format has no block for, as a paragraph with its text. */
  source(markdown: string, text: string): WrittenBlock
  ref(href: string): ContentReference
  anchor(block: Block): string | undefined
}

/** Blocks that are parts of another one. */
export type PartType = 'tab' | 'step' | 'column' | 'update' | 'list-item'
