import { bodyHash } from '../revisions/bodies.ts'
import { type Entry, page } from '../revisions/entries.ts'
import { pageData } from './entry-data.ts'

/** The page that a space starts with, as long as nobody has written on it. */
export const isStartPage = (entry: Entry): boolean =>
  entry.kind === page && entry.doc === bodyHash('') && pageData(entry).title === 'Untitled'
