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

/** The same for people. */
export function stageOf({ stage, pages, totalPages }: Making): string {
  if (stage === 'waiting') return 'All pages have been read. Waiting for other PDFs.'
  if (stage === 'typesetting') return 'All pages have been read. Laying out the pages.'
  if (totalPages === undefined) return 'Looking for pages.'
  return `${pages} of ${totalPages} ${totalPages === 1 ? 'page' : 'pages'} read.`
}
