import { nameOf, folderOf, isReadme, withoutEnding } from './paths.ts'

/** The title of a file or folder that was not given one: `getting-started.md` becomes "Getting started". */
export function titleOfPath(path: string): string {
  const named = isReadme(path) ? nameOf(folderOf(path)) || 'Readme' : withoutEnding(nameOf(path))
  const words = named.replace(/[-_\s]+/g, ' ').trim()
  return words === '' ? named || 'Untitled' : words.charAt(0).toUpperCase() + words.slice(1)
}
