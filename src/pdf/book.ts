import type { Entry } from '../content/merge/entry.ts'
import type { Document } from '../content/parse.ts'
import type { FileData } from '../pages/entry-data.ts'

/** Where an address in a text leads. */
export interface Target {
  /** The id of a page: inside the file, if that page is in it. */
  page?: string
  anchor?: string
  /** Where it is otherwise. */
  url?: string
  title?: string
}

/** What a text asks of the content around it. Undefined: it is not there, or not for this reader. */
export interface Surroundings {
  link(href: string): Target | undefined
  file(src: string): FileData | undefined
}

/** A page that is to be printed, with its text as one reader sees it. Groups have none. */
export interface Chapter {
  entry: Pick<Entry, 'entry' | 'data'>
  /** From 1, as it stands in the tree. */
  depth: number
  document: Document | undefined
  around: Surroundings
}

export interface Book {
  organizationId: string
  title: string
  subtitle: string | undefined
  language: string
  /** One page alone: without cover and contents. */
  isSingle: boolean
  /** One after the other, and read when it is asked for: nobody needs room for all of them at once. */
  chapters(): AsyncIterable<Chapter>
}

/** What a file may hold. What lies behind it is left out, and the file says so. */
export const bookLimits = {
  chapters: 3_000,
  characters: 30 * 1024 ** 2,
  /** Of what is shown of specifications: lists in lists take their time to be set. */
  specCharacters: 1024 ** 2,
  pictureBytes: 128 * 1024 ** 2,
}
