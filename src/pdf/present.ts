import type { Static } from 'typebox'
import { english } from '../published/words/english.ts'
import { type Words, fill } from '../published/words/words.ts'
import type { Making } from './pdfs.ts'
import type { PdfLink } from './schema.ts'

/** Returns the progress of a file on this node, as the API reports it. */
export function presentMaking(made: 'ready' | 'absent' | 'failed' | Making): Omit<Static<typeof PdfLink>, 'url'> {
  // A failed file does not exist. Fetching it tries again, unless it failed only a short while ago.
  if (typeof made === 'string') return { status: made === 'failed' ? 'absent' : made }
  const { stage, pages, totalPages } = made
  return { status: stage, progress: { pages, ...(totalPages !== undefined && { totalPages }) } }
}

/** The same as text for people. */
export function stageOf({ stage, pages, totalPages }: Making, words: Words = english): string {
  if (stage === 'waiting') return words.pdfWaiting
  if (stage === 'typesetting') return words.pdfSetting
  if (totalPages === undefined) return words.pdfLooking
  return fill(fill(words.pdfRead, pages), totalPages)
}
