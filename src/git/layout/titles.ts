import { nameOf, folderOf, isReadme, withoutEnding } from './paths.ts'

/** What a file or folder is called where nobody gave it a title: `getting-started.md` is "Getting started". */
export function titleOfPath(path: string): string {
  const named = isReadme(path) ? nameOf(folderOf(path)) || 'Readme' : withoutEnding(nameOf(path))
  const words = named.replace(/[-_\s]+/g, ' ').trim()
  return words === '' ? named || 'Untitled' : words.charAt(0).toUpperCase() + words.slice(1)
}
