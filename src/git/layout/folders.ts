import type { Listed } from './shape.ts'
import { folderOf, isReadme, nameOf } from './paths.ts'
import { titleOfPath } from './titles.ts'

/**
 * Builds the table of contents of a repository that has none from its folders. The README of a folder is the page that
 * holds the others in it; a folder without one becomes a group.
 */
export function listFolders(paths: readonly string[], root: string): Listed[] {
  const inFolder = Map.groupBy(paths, folderOf)
  const folders = new Map<string, Set<string>>()
  for (const path of paths) {
    for (let folder = folderOf(path); folder !== root; folder = folderOf(folder)) {
      folders.set(folderOf(folder), (folders.get(folderOf(folder)) ?? new Set()).add(folder))
    }
  }
  const list = (folder: string): { readme: string | undefined; items: Listed[] } => {
    const files = (inFolder.get(folder) ?? []).toSorted(inOrder)
    const readme = files.find(isReadme)
    const rest = files.filter((path) => path !== readme).map((path) => ({ at: path, item: page(path, []) }))
    const below = [...(folders.get(folder) ?? [])].map((path) => ({ at: path, item: section(path) }))
    return { readme, items: [...rest, ...below].toSorted((a, b) => inOrder(a.at, b.at)).map(({ item }) => item) }
  }
  const section = (folder: string): Listed => {
    const { readme, items } = list(folder)
    return readme === undefined ? { title: titleOfPath(folder), items } : page(readme, items)
  }
  const page = (path: string, items: Listed[]): Listed => ({ title: titleOfPath(path), path, items })

  const { readme, items } = list(root)
  return readme === undefined ? items : [page(readme, []), ...items]
}

let names: Intl.Collator | undefined

/** Compares names as people sort them: case does not matter, and 2 comes before 10. */
function inOrder(a: string, b: string): number {
  names ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return names.compare(nameOf(a), nameOf(b)) || (a < b ? -1 : Number(a > b))
}
