import type { Static } from 'typebox'
import type { Entry } from '../content/merge/entry.ts'
import { fileData } from '../pages/entry-data.ts'
import type { File } from './schema.ts'

export function presentFile(entry: Entry, downloadURL: string, withGit = true): Static<typeof File> {
  const { name, contentType, size, width, height, git } = fileData(entry)
  return {
    id: entry.entry,
    name,
    contentType,
    downloadURL,
    size,
    ...(width !== undefined && height !== undefined && { dimensions: { width, height } }),
    ...(withGit && git && { git }),
  }
}
