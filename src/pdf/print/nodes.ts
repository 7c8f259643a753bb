import type { IconName } from '../../published/icons/icons.ts'
import type { MathNode } from './formulas.ts'
import type { FittedTitle } from './titles.ts'

/** What the template draws: plain data, passed as JSON. Text is only ever data there, never source. */
export type Words = (string | WordNode)[]

export type WordNode =
  | { t: 'b' | 'i' | 's' | 'u' | 'sup' | 'sub' | 'kbd'; c: Words }
  /** Words with a text colour, a background colour, or both. */
  | { t: 'toned'; tone: string | null; on: string | null; c: Words }
  /** From left to right, whatever the direction of the text around it. */
  | { t: 'ltr'; c: Words }
  | { t: 'icon'; name: IconName }
  | { t: 'mono'; text: string }
  /** A wide formula needs a line of its own. */
  | { t: 'math'; c: MathNode; isWide: boolean }
  | { t: 'br' }
  | LinkNode
  /** `fits`: on a line of its own, at most as wide as the available room. Other pictures stand among the words. */
  | { t: 'picture'; file: string; alt: string; isLine: boolean; width: number | null; fits: boolean }
  /** A place to link to. */
  | { t: 'at'; id: string }

/** A link to a place inside the file or outside of it. A link that leads nowhere is printed as plain words. */
export interface LinkNode {
  t: 'a'
  /** A label that exists in the file. */
  to: string | null
  /** A page, and an anchor on it. The link leads there if the file contains them. */
  page: string | null
  anchor: string | null
  url: string | null
  c: Words
}

export type Node =
  /** `turned`: its text runs against the direction of the book. */
  | { t: 'par'; align: string; turned: boolean; c: Words }
  | { t: 'head'; level: number; id: string; turned: boolean; c: Words }
  /** `numbered`: with line numbers. `whole`: short enough to be kept on one sheet. */
  | { t: 'code'; text: string; lang: string | null; title: string | null; numbered: boolean; whole: boolean }
  /** As mathematics (`equation`), or as it was written if that is not possible (`formula`). */
  | { t: 'equation'; c: MathNode; isWide: boolean }
  | { t: 'formula'; text: string }
  | { t: 'list'; tight: boolean; items: Node[][] }
  | { t: 'numbers'; tight: boolean; start: number; items: Node[][] }
  | { t: 'task'; isDone: boolean; c: Node[] }
  | { t: 'hint'; tone: string; icon: IconName | null; title: string | null; c: Node[] }
  | { t: 'quote'; c: Node[] }
  /** A title with the content that belongs to it: a tab, a fold, an update. */
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
      /** Which rows are short enough to be kept on one sheet. */
      whole: boolean[]
    }
  /** A table whose cells contain their position and their span. */
  | { t: 'grid'; columns: number; widths: number[] | null; cells: GridCell[] }
  | { t: 'card'; cover: string | null; title: Words; texts: Words[] }
  | { t: 'figure'; file: string; alt: string; width: number | null; share: number | null; caption: Words | null }
  | { t: 'rule' }
  | { t: 'note'; number: number; id: string; c: Node[] }

export interface GridCell {
  x: number
  y: number
  /** The span in columns (`w`) and rows (`h`). */
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

/** A picture above the title, of which only a strip is visible. */
export interface PrintedCover {
  file: string
  /** How far down in the picture the strip is, in percent. */
  place: number
}

export interface PrintedBook {
  title: string
  /** The title as it is set on the cover. */
  cover: FittedTitle
  subtitle: string | null
  lang: string
  /** The region of the language: `TW` for `zh-tw`. */
  region: string | null
  isRightToLeft: boolean
  /** Which regional form of Chinese characters to use: SC, TC, HK, JP or KR. */
  han: string
  /** False for a single page, which has no cover and no contents. */
  isWhole: boolean
  chapters: PrintedChapter[]
  /** By chapter: the scale of titles that fit on a sheet only if they are smaller than others. */
  scales: Record<string, number>
  /** The chapter of each page. */
  pages: Record<string, string>
  /** The strokes of each icon that the book uses. */
  icons: Record<string, string>
  /** The places that links may lead to. A link to any other place would make typesetting fail. */
  places: Record<string, true>
}
