import type { Static } from 'typebox'
import type { Making } from './pdfs.ts'
import type { PdfLink } from './schema.ts'

/** How far a file is, on this node. */
export function presentMaking(made: 'ready' | 'absent' | Making): Omit<Static<typeof PdfLink>, 'url'> {
  if (typeof made === 'string') return { status: made }
  const { stage, pages, totalPages } = made
  return { status: stage, progress: { pages, ...(totalPages !== undefined && { totalPages }) } }
}
