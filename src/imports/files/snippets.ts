import { limits } from '../../content/limits.ts'
import { readFrontMatter } from '../../content/page/front-matter.ts'
import { fenceAfter } from '../dialects/lines.ts'

/** The text of a file, as it is named in another one; undefined where it is not there. */
export type ReadPart = (path: string) => Promise<string | undefined>

/**
 * A page with the texts that it takes from other files in their place: `--8<-- "file"` of MkDocs, and files that MDX imports
 * and shows as `<Name />`. What they take from others in turn stays as it is written there.
 */
export async function withParts(text: string, readPart: ReadPart): Promise<string> {
  if (!/-8<-|^import .*\.mdx?["']/m.test(text)) return text
  const imported = new Map(
    Array.from(text.matchAll(/^import\s+(\w+)\s+from\s+["']([^"']+\.mdx?)["'];?\s*$/gm), ([, name, path]) => [
      name,
      path,
    ]),
  )
  const written: string[] = []
  let fence = ''
  let left: number = limits.sourceBytes
  for (const line of text.split('\n')) {
    fence = fenceAfter(line, fence)
    const [, indent = '', snippet, name] =
      /^(\s*)(?:-+8<-+\s+["']([^"':]+)["']|<(\w+)\s*(?:\/>|><\/\w+>))\s*$/.exec(line) ?? []
    const path = snippet ?? imported.get(name)
    // Snippets stand in code as well: examples are kept in files of their own.
    const isWanted = path !== undefined && (fence === '' || snippet !== undefined) && left > 0
    const part = isWanted ? await readPart(path) : undefined
    // A page that is too long with them is no page: what many of them would take is not put together first.
    left -= part === undefined ? 0 : part.length + 1_000
    if (part === undefined) written.push(line)
    else
      written.push(
        ...withoutFront(part)
          .split('\n')
          .map((each) => (each === '' ? '' : indent + each)),
      )
  }
  return written.join('\n')
}

const withoutFront = (text: string) => text.slice(readFrontMatter(text)?.range.end ?? 0).trim()
