import type { Block } from '../../content/blocks.ts'
import type { Inline } from '../../content/inlines.ts'
import type { Element, Node } from './elements.ts'

/** What reading one page shares. */
export interface Context {
  /** An address of the page as a whole one; undefined for those that nobody can follow. */
  resolve(href: string): string | undefined
  /** An address for bytes that stand in the page itself (`data:`). */
  keep(dataUrl: string): string | undefined
  /** The labels of footnotes by the ids of their texts. */
  footnotes: ReadonlyMap<string, string>
  inlines(nodes: readonly Node[]): Inline[]
  blocks(nodes: readonly Node[]): Block[]
}

/** Reads an element as a block, or says that it is none of its own. */
export type BlockReader = (element: Element, context: Context) => Block[] | undefined
