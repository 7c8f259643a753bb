import type { IconName } from '../../published/icons/icons.ts'
import type { MathNode } from './formulas.ts'
import type { FittedTitle } from './titles.ts'

/** What the template draws: plain data, handed over as JSON. Text is only ever data there, never source. */
export type Words = (string | WordNode)[]

export type WordNode =
  | { t: 'b' | 'i' | 's' | 'u' | 'sup' | 'sub' | 'kbd'; c: Words }
  /** Words in a colour, on one, or both. */
  | { t: 'toned'; tone: string | null; on: string | null; c: Words }
  /** From left to right, whatever stands around it. */
  | { t: 'ltr'; c: Words }
  | { t: 'icon'; name: IconName }
  | { t: 'mono'; text: string }
  /** A wide one needs a line of its own. */
  | { t: 'math'; c: MathNode; isWide: boolean }
  | { t: 'br' }
  | LinkNode
  /** `fits`: on a line of its own, as wide as there is room at most. Others stand among the words. */
  | { t: 'picture'; file: string; alt: string; isLine: boolean; width: number | null; fits: boolean }
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
  /** `turned`: it runs against the direction of the book. */
  | { t: 'par'; align: string; turned: boolean; c: Words }
  | { t: 'head'; level: number; id: string; turned: boolean; c: Words }
  /** `numbered`: with the number of each line. `whole`: so short that it stands on one sheet. */
  | { t: 'code'; text: string; lang: string | null; title: string | null; numbered: boolean; whole: boolean }
  /** As mathematics, or where that could not be made of it, as it was written. */
  | { t: 'equation'; c: MathNode; isWide: boolean }
  | { t: 'formula'; text: string }
  | { t: 'list'; tight: boolean; items: Node[][] }
  | { t: 'numbers'; tight: boolean; start: number; items: Node[][] }
  | { t: 'task'; isDone: boolean; c: Node[] }
  | { t: 'hint'; tone: string; icon: IconName | null; title: string | null; c: Node[] }
  | { t: 'quote'; c: Node[] }
  /** A panel of tabs, what was folded, an update: a title, and what belongs to it. */
  | { t: 'panel'; title: Words; c: Node[] }
  | { t: 'steps'; items: Node[][] }
  /** Side by side. */
  | { t: 'columns'; widths: number[]; items: Node[][] }
  | {
      t: 'table'
      columns: number
      widths: number[] | null
      align: string[]
      head: Words[] | null
      rows: Words[][]
      /** Which rows are so short that they stand on one sheet. */
      whole: boolean[]
    }
  /** A table whose cells say where they stand, and how far they reach. */
  | { t: 'grid'; columns: number; widths: number[] | null; cells: GridCell[] }
  | { t: 'card'; cover: string | null; title: Words; texts: Words[] }
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
  cover: PrintedCover | null
  title: string
  description: string | null
  /** Whether it begins on a new sheet. */
  breaks: boolean
  c: Node[]
}

/** A picture above the title, of which a strip is seen. */
export interface PrintedCover {
  file: string
  /** How far down in the picture the strip is, in percent. */
  place: number
}

export interface PrintedBook {
  title: string
  /** The title where it is large. */
  cover: FittedTitle
  subtitle: string | null
  lang: string
  /** Where it is written so: `TW` of `zh-tw`. */
  region: string | null
  isRightToLeft: boolean
  /** Whose form of the Chinese signs: SC, TC, HK, JP or KR. */
  han: string
  /** A single page has no cover and no contents. */
  isWhole: boolean
  chapters: PrintedChapter[]
  /** By chapter: titles that fit on a sheet only when they are smaller than others. */
  scales: Record<string, number>
  /** Which chapter each page is. */
  pages: Record<string, string>
  /** The strokes of each icon that is in it. */
  icons: Record<string, string>
  /** The places that links may lead to, beside chapters. A link to any other would end the work. */
  places: Record<string, true>
}
