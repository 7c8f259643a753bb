import type { Static } from 'typebox'
import { english } from '../published/words/english.ts'
import { type Words, fill } from '../published/words/words.ts'
import type { Making } from './pdfs.ts'
import type { PdfLink } from './schema.ts'

/** How far a file is, on this node. */
export function presentMaking(made: 'ready' | 'absent' | 'failed' | Making): Omit<Static<typeof PdfLink>, 'url'> {
  // What failed is not there: whoever fetches it has it tried once more.
  if (typeof made === 'string') return { status: made === 'failed' ? 'absent' : made }
  const { stage, pages, totalPages } = made
  return { status: stage, progress: { pages, ...(totalPages !== undefined && { totalPages }) } }
}

/** The same for people. */
export function stageOf({ stage, pages, totalPages }: Making, words: Words = english): string {
  if (stage === 'waiting') return words.pdfWaiting
  if (stage === 'typesetting') return words.pdfSetting
  if (totalPages === undefined) return words.pdfLooking
  return fill(fill(words.pdfRead, pages), totalPages)
}
