import type { Block } from '../../content/blocks.ts'
import type { Inline } from '../../content/inlines.ts'
import type { Element, Node } from './elements.ts'

/** Shared while one page is read. */
export interface Context {
  /** Returns the absolute address for an address on the page, or undefined if it cannot be followed. */
  resolve(href: string): string | undefined
  /** Returns an address for data that is embedded in the page (`data:`). */
  keep(dataUrl: string): string | undefined
  /** The labels of footnotes by the ids of their texts. */
  footnotes: ReadonlyMap<string, string>
  inlines(nodes: readonly Node[]): Inline[]
  blocks(nodes: readonly Node[]): Block[]
}

/** Reads an element as blocks. Returns undefined if the reader does not handle the element. */
export type BlockReader = (element: Element, context: Context) => Block[] | undefined
