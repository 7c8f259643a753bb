import { readComponent } from './components.ts'
import { readFence } from './code.ts'
import { withoutAttributes } from './inline.ts'
import { type DialectReader, type Lines, indented } from './lines.ts'
import { withoutModules } from './modules.ts'
import { readAdmonition, readContainer, readKramdown, readTabbed } from './notes.ts'
import { readShortcode } from './shortcodes.ts'

const readers: readonly DialectReader[] = [
  readFence,
  readContainer,
  readAdmonition,
  readTabbed,
  readComponent,
  readShortcode,
  readKramdown,
]

const mostDepth = 20
/** How often a line is looked at, all in all: an end that never comes is looked for a few times only. */
const mostLooks = 50

/** Anything that another tool than GitBook may mean something by. */
const mayBeForeign =
  /^[ \t]*(:::|!!!|\?\?\?|===|<[A-Z]|```|~~~|import |export |\{%|\{:)|\{\{|[)\]*_>`]\{|\{[:#. ]|\{\/\*|:(material|fontawesome|octicons|simple)-/m

/**
 * Markdown of Docusaurus, MkDocs, VitePress, Starlight, Hugo, Jekyll and Mintlify as it is written here. What is brought in
 * once is translated, so that readers see notes, tabs and titles instead of signs. What is not known stays as it is.
 */
export function translated(markdown: string, { isMdx }: { isMdx: boolean }): string {
  if (!mayBeForeign.test(markdown)) return markdown
  const source = markdown.replaceAll('\r\n', '\n')
  const lines = withoutModules(source.split('\n'), isMdx)
  const text = translateLines({ all: lines, budget: { left: mostLooks * lines.length }, depth: 0 }).join('\n')
  return text === source ? markdown : text
}

function translateLines(lines: Lines): string[] {
  const written: string[] = []
  const inner = (all: readonly string[]) =>
    lines.depth >= mostDepth ? [...all] : translateLines({ ...lines, all, depth: lines.depth + 1 })
  for (let at = 0; at < lines.all.length;) {
    const found = firstThat(readers, (read) => read(lines, at, inner))
    if (!found) {
      written.push(withoutAttributes(lines.all[at]!))
      at += 1
      continue
    }
    const indent = /^\s*/.exec(lines.all[at]!)![0]
    const isAsItWas = found.lines[0] === lines.all[at]
    // Of a block of its own: a paragraph before it would go on in it.
    if (!isAsItWas && found.lines.length > 0 && (written.at(-1) ?? '').trim() !== '') written.push('')
    written.push(
      ...(isAsItWas
        ? found.lines
        : indented(
            found.lines.map((line) => stripped(line, indent)),
            indent,
          )),
    )
    at = found.until
    if (!isAsItWas && (lines.all[at] ?? '').trim() !== '') written.push('')
  }
  return written
}

/** What a reader left at its place is there already. */
const stripped = (line: string, indent: string) => (line.startsWith(indent) ? line.slice(indent.length) : line)

function firstThat<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
