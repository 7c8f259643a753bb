import type { Static } from 'typebox'
import type { Making } from './pdfs.ts'
import type { PdfLink } from './schema.ts'

/** How far a file is, on this node. */
export function presentMaking(made: 'ready' | 'absent' | 'failed' | Making): Omit<Static<typeof PdfLink>, 'url'> {
  // What failed is not there: whoever fetches it has it tried once more.
  if (typeof made === 'string') return { status: made === 'failed' ? 'absent' : made }
  const { stage, pages, totalPages } = made
  return { status: stage, progress: { pages, ...(totalPages !== undefined && { totalPages }) } }
}
