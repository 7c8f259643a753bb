import type { Block, BlockOf } from '../../content/blocks.ts'
import type { Html } from '../../content/html/template.ts'
import type { Inline } from '../../content/inlines.ts'
import type { Lines } from './highlight.ts'
import type { Icons } from '../icons/icons.ts'
import type { Words } from '../words/words.ts'

/** Where a link of a page leads, and what is known about its target. */
export interface Target {
  href: string
  /** Whether it leads away from this site. */
  external: boolean
  /** Whether the site opens such links in a new tab. */
  newTab?: boolean
  title?: string
  description?: string
  emoji?: string
  icon?: string
}

/** The attributes of an element that links to the target. */
export const leadsTo = ({ href, external, newTab }: Target) => ({
  href,
  rel: external && 'noopener',
  target: newTab && '_blank',
})

export interface Picture {
  src: string
  width?: number
  height?: number
}

export interface FileTarget {
  href: string
  name: string
  size?: number
}

export interface EmbedTarget {
  title: string | null
  /** What the page calls its website. */
  site: string | null
  description: string | null
}

/** What a page asks the site around it for. Undefined: it does not exist, or not for this reader. */
export interface Surroundings {
  link(href: string): Target | undefined
  image(src: string): Picture | undefined
  file(src: string): FileTarget | undefined
  /** What a page elsewhere says about itself, if known. */
  embed?(url: string): EmbedTarget | undefined
  /** The phrases around the text; English by default. */
  words?: Words
  /** The language of the page. */
  language?: string
  /** Returns the address of the search results for a question. */
  search?(question: string): string
  /** Blocks that belong to another feature, drawn beforehand. */
  drawn?(block: Block): Html | undefined
}

/** What a block needs to draw itself. */
export interface Drawing extends Surroundings {
  words: Words
  blocks(blocks: readonly Block[]): Html
  inlines(inlines: readonly Inline[]): Html
  /** Draws HTML of an author, sanitized. */
  raw(source: string): Html
  anchor(block: Block): string | undefined
  /** The other anchor under which a heading is known. */
  otherAnchor(block: Block): string | undefined
  /** Returns the id for a place that the author named. */
  place(id: string): string
  /** Called for each heading, in order. */
  passed(level: number, title: string): void
  /** The title of the part of the page that is being drawn. */
  partTitle(): string | undefined
  /** The level for a heading below the last one: levels are never skipped. */
  nextLevel(): number
  code(block: BlockOf<'code'>): Lines
  formula(text: string, display: boolean): Html
  icons: Icons
  /** Returns a number that is unique on the page. */
  number(): number
  /** Returns the number of a footnote, counted by first mention. */
  note(label: string): { number: number; isFirst: boolean }
  /** What the page needs beyond plain HTML. */
  needs: Set<'diagrams' | 'math'>
}

export type DrawBlock<Type extends Block['type']> = (block: BlockOf<Type>, draw: Drawing) => Html
