import type { Block, BlockOf } from '../../content/blocks.ts'
import type { Html } from '../../content/html/template.ts'
import type { Inline } from '../../content/inlines.ts'
import type { Lines } from './highlight.ts'
import type { Icons } from '../icons/icons.ts'
import type { Words } from '../words/words.ts'

/** Where a link of a page leads, and what is known of that place. */
export interface Target {
  href: string
  /** Away from this site. */
  external: boolean
  /** Where the site wants such links beside itself. */
  newTab?: boolean
  title?: string
  description?: string
  emoji?: string
  icon?: string
}

/** What an element says that leads there. */
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
  /** What it calls its website. */
  site: string | null
  description: string | null
}

/** What a page asks of the site around it. Undefined: it is not there, or not for this reader. */
export interface Surroundings {
  link(href: string): Target | undefined
  image(src: string): Picture | undefined
  file(src: string): FileTarget | undefined
  /** What a page elsewhere says of itself, where that is known. */
  embed?(url: string): EmbedTarget | undefined
  /** Of what is around the text; English without them. */
  words?: Words
  /** The language of the page. */
  language?: string
  /** Where the answers to a question are. */
  search?(question: string): string
  /** Blocks that belong to another feature, drawn beforehand. */
  drawn?(block: Block): Html | undefined
}

/** What a block has at hand to draw itself. */
export interface Drawing extends Surroundings {
  words: Words
  blocks(blocks: readonly Block[]): Html
  inlines(inlines: readonly Inline[]): Html
  /** HTML of an author, sanitized. */
  raw(source: string): Html
  anchor(block: Block): string | undefined
  /** By what else a heading is known. */
  otherAnchor(block: Block): string | undefined
  /** The id that a place gets which the author named. */
  place(id: string): string
  /** Told of each heading, in its order. */
  passed(level: number, title: string): void
  /** What the part of the page is called that is being drawn. */
  partTitle(): string | undefined
  /** The level of one that comes below the last: levels are never jumped. */
  nextLevel(): number
  code(block: BlockOf<'code'>): Lines
  icons: Icons
  /** A number that no other part of the page has. */
  number(): number
  /** How a footnote is counted: by its first mention. */
  note(label: string): { number: number; isFirst: boolean }
  /** What the page needs beyond plain HTML. */
  needs: Set<'diagrams' | 'math'>
}

export type DrawBlock<Type extends Block['type']> = (block: BlockOf<Type>, draw: Drawing) => Html
