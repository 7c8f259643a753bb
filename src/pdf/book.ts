import type { Entry } from '../content/merge/entry.ts'
import type { Document } from '../content/parse.ts'
import type { FileData } from '../pages/entry-data.ts'

/** The target of an address in a text. */
export interface Target {
  /** The id of a page. The link stays inside the file if the file contains that page. */
  page?: string
  anchor?: string
  /** The address if it leads out of the file. */
  url?: string
  title?: string
}

/**
 * Looks up what a text refers to in the content around it. Undefined if it does not exist, or is hidden from this
 * reader.
 */
export interface Surroundings {
  link(href: string): Target | undefined
  file(src: string): FileData | undefined
}

/** A page to be printed, with its text as one reader sees it. Groups have no text. */
export interface Chapter {
  entry: Pick<Entry, 'entry' | 'data'>
  /** The depth in the tree, from 1. */
  depth: number
  document: Document | undefined
  around: Surroundings
}

export interface Book {
  organizationId: string
  title: string
  subtitle: string | undefined
  language: string
  /** A single page: printed without cover and table of contents. */
  isSingle: boolean
  /** Yields one chapter after the other, read on demand, so that they are never all in memory at once. */
  chapters(): AsyncIterable<Chapter>
}

/** Limits for a file. What exceeds them is left out, and the file contains a note about it. */
export const bookLimits = {
  chapters: 3_000,
  characters: 30 * 1024 ** 2,
  /** Limit for content from specifications: nested lists take long to typeset. */
  specCharacters: 1024 ** 2,
  pictureBytes: 128 * 1024 ** 2,
}
