import type { Block } from '../blocks.ts'
import type { ContentReference, WrittenBlock, DocumentNode } from '../document/shape.ts'
import type { Html } from '../html/template.ts'
import type { Inline, InlineImage, Mention } from '../inlines.ts'

/** The outputs of a block. Blocks reach other blocks only through the writers passed to them. */
export interface BlockKind<B extends Block> {
  toMarkdown(block: B, write: MarkdownWriter): string
  toHtml(block: B, draw: HtmlWriter): Html
  /** Returns several nodes if the format has no block that could contain the content. */
  toDocument(block: B, to: DocumentWriter): WrittenBlock | readonly WrittenBlock[]
}

export interface MarkdownWriter {
  /** Writes blocks one below the other, separated by a blank line; `tight` omits it where Markdown allows. */
  blocks(blocks: readonly Block[], spacing?: 'loose' | 'tight'): string
  inlines(inlines: readonly Inline[], place?: 'paragraph' | 'line' | 'cell' | 'html'): string
}

export interface HtmlWriter {
  blocks(blocks: readonly Block[]): Html
  inlines(inlines: readonly Inline[]): Html
  /** Sanitizes raw HTML of the author. */
  raw(source: string): Html
  link(href: string): string | undefined
  image(src: string): string | undefined
  /** Draws a picture that has no address here; without this function, its alternative text is shown. */
  unloaded?: (image: InlineImage) => Html
  /** Draws a mention without a link target here; without this function, its text is shown. */
  unled?: (mention: Mention) => Html
  /** Draws a formula; without this function, it is shown as written. */
  formula?: (text: string, isBlock: boolean) => Html
  /** Returns the anchor of a heading within its page. */
  anchor(block: Block): string | undefined
}

export interface DocumentWriter {
  blocks(blocks: readonly Block[]): WrittenBlock[]
  /** Writes the children of a block that contains only parts of one type. */
  parts(blocks: readonly Block[], type: PartType): WrittenBlock[]
  nodes(inlines: readonly Inline[]): DocumentNode[]
  paragraph(inlines: readonly Inline[]): WrittenBlock
  /** Writes Markdown that the format has no block for, as a paragraph with its text. */
  source(markdown: string, text: string): WrittenBlock
  ref(href: string): ContentReference
  anchor(block: Block): string | undefined
}

/** Blocks that are parts of another one. */
export type PartType = 'tab' | 'step' | 'column' | 'update' | 'list-item'
