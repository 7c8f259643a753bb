import type { Task } from '../jobs/task.ts'
import { pdfFolder } from './pdfs.ts'
import { clear, limits } from './shelf.ts'

/** Removes PDF files that nobody requested within a day, including those of deleted content. */
export const sweepPdfs: Task = {
  name: 'sweep-pdfs',
  schedule: '52 * * * *',
  run: ({ config }) => clear(pdfFolder(config), limits),
}
