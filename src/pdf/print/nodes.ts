import type { MathNode } from './formulas.ts'
import type { FittedTitle } from './titles.ts'

/** What the template draws: plain data, handed over as JSON. Text is only ever data there, never source. */
export type Words = (string | WordNode)[]

export type WordNode =
  | { t: 'b' | 'i' | 's' | 'u' | 'sup' | 'sub' | 'kbd'; c: Words }
  | { t: 'mono'; text: string }
  /** A wide one needs a line of its own. */
  | { t: 'math'; c: MathNode; isWide: boolean }
  | { t: 'br' }
  | LinkNode
  | { t: 'picture'; file: string; alt: string; isLine: boolean; width: number | null }
  /** A place to link to. */
  | { t: 'at'; id: string }

/** Inside the file, out of it, or, where it leads nowhere, plain words. */
export interface LinkNode {
  t: 'a'
  /** A label that is there. */
  to: string | null
  /** A page, and a place on it: where the file has them, it leads there. */
  page: string | null
  anchor: string | null
  url: string | null
  c: Words
}

export type Node =
  | { t: 'par'; align: string; c: Words }
  | { t: 'head'; level: number; id: string; c: Words }
  | { t: 'code'; text: string; lang: string | null; title: string | null }
  /** As mathematics, or where that could not be made of it, as it was written. */
  | { t: 'equation'; c: MathNode; isWide: boolean }
  | { t: 'formula'; text: string }
  | { t: 'list'; tight: boolean; items: Node[][] }
  | { t: 'numbers'; tight: boolean; start: number; items: Node[][] }
  | { t: 'task'; isDone: boolean; c: Node[] }
  | { t: 'hint'; tone: string; title: string | null; c: Node[] }
  | { t: 'quote'; c: Node[] }
  /** A panel of tabs, what was folded, an update: a title, and what belongs to it. */
  | { t: 'panel'; title: Words; c: Node[] }
  | { t: 'steps'; items: Node[][] }
  | { t: 'table'; columns: number; align: string[]; head: Words[] | null; rows: Words[][] }
  /** A table whose cells say where they stand, and how far they reach. */
  | { t: 'grid'; columns: number; cells: GridCell[] }
  | { t: 'card'; title: Words; texts: Words[] }
  | { t: 'figure'; file: string; alt: string; width: number | null; share: number | null; caption: Words | null }
  | { t: 'rule' }
  | { t: 'note'; number: number; id: string; c: Node[] }

export interface GridCell {
  x: number
  y: number
  /** Columns and rows. */
  w: number
  h: number
  isHead: boolean
  align: string
  c: Words
}

/** A page of the documentation, or a group of them. */
export interface PrintedChapter {
  id: string
  depth: number
  title: string
  description: string | null
  /** Whether it begins on a new sheet. */
  breaks: boolean
  c: Node[]
}

export interface PrintedBook {
  title: string
  /** The title where it is large. */
  cover: FittedTitle
  subtitle: string | null
  lang: string
  /** Whose form of the Chinese signs: SC, TC, HK, JP or KR. */
  han: string
  /** A single page has no cover and no contents. */
  isWhole: boolean
  chapters: PrintedChapter[]
  /** By chapter: titles that fit on a sheet only when they are smaller than others. */
  scales: Record<string, number>
  /** Which chapter each page is. */
  pages: Record<string, string>
  /** The places that links may lead to, beside chapters. A link to any other would end the work. */
  places: Record<string, true>
}
