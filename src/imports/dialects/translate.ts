import { readComponent } from './components.ts'
import { readFence } from './code.ts'
import { withoutAttributes } from './inline.ts'
import { type DialectReader, type Lines, codeByIndent, endOf, indented } from './lines.ts'
import { readContents, readLiquid } from './liquid.ts'
import { withoutModules } from './modules.ts'
import { readAdmonition, readContainer, readKramdown, readTabbed, readTerm } from './notes.ts'
import { readCaption, readFigure, readImage, readPictures } from './pictures.ts'
import { readShortcode } from './shortcodes.ts'

/** Formulas say what they say. */
const readFormula: DialectReader = (lines, at) => {
  if (!/^\s*\$\$(?!.*\$\$)/.test(lines.all[at]!)) return undefined
  const end = endOf(
    lines,
    at + 1,
    () => false,
    (line) => line.trimEnd().endsWith('$$'),
  )
  return end === -1 ? undefined : { lines: lines.all.slice(at, end + 1), until: end + 1 }
}

const readers: readonly DialectReader[] = [
  readFence,
  readFormula,
  readContainer,
  readAdmonition,
  readTabbed,
  readComponent,
  readShortcode,
  readLiquid,
  readContents,
  readKramdown,
  readTerm,
  readPictures,
  readImage,
  readFigure,
  readCaption,
]

const mostDepth = 20
/** How often a line is looked at, all in all: an end that never comes is looked for a few times only. */
const mostLooks = 50

/** Anything that another tool than GitBook may mean something by. */
const mayBeForeign =
  /^[ \t]*(:::|\/\/\/ caption|<figure\b[^<>\n]*\smarkdown\b|!!!|\?\?\?|===|```|~~~|import |export |\{%|\{:|\[\[?_?(?:TOC|toc)|:[ \t]|\*\[)|\+\+|==|\^\^|\{\{|[)\]*_>`]\{|\{[:#. ]|\{\/\*|=\{|\bdark:|-(?:light|dark)\b|\$\S|\{['"]|<[A-Z]|`#!|:(material|fontawesome|octicons|simple)-/m

/**
 * Markdown of Docusaurus, MkDocs, VitePress, Starlight, Hugo, Jekyll and Mintlify as it is written here. What is brought in
 * once is translated, so that readers see notes, tabs and titles instead of signs. What is not known stays as it is.
 */
export function translated(markdown: string, { isMdx }: { isMdx: boolean }): string {
  if (!mayBeForeign.test(markdown)) return markdown
  const source = markdown.replaceAll('\r\n', '\n')
  const lines = withoutModules(source.split('\n'), isMdx)
  const budget = { left: mostLooks * lines.length }
  const text = withoutEscapes(translateLines({ all: lines, budget, depth: 0, isMdx }).join('\n'))
  return text === source ? markdown : text
}

/** Shortcodes that are only shown, in code as elsewhere (Hugo). */
const withoutEscapes = (text: string) => text.replace(/\{\{([<%])\/\*([^*\n]{0,500})\*\/([>%])\}\}/g, '{{$1$2$3}}')

function translateLines(lines: Lines): string[] {
  const all = [...lines.all]
  const here = { ...lines, all }
  const written: string[] = []
  const isCode = codeByIndent()
  const inner = (within: readonly string[]) =>
    lines.depth >= mostDepth ? [...within] : translateLines({ ...lines, all: within, depth: lines.depth + 1 })
  for (let at = 0; at < all.length;) {
    const line = all[at]!
    if (isCode(line) && !lines.isMdx) {
      written.push(line)
      at += 1
      continue
    }
    const found = firstThat(readers, (read) => read(here, at, inner))
    if (!found) {
      written.push(withoutAttributes(line))
      at += 1
      continue
    }
    const indent = /^\s*/.exec(line)![0]
    const isAsItWas = found.lines[0] === line
    // Of a block of its own: a paragraph before it would go on in it.
    if (!isAsItWas && found.lines.length > 0 && (written.at(-1) ?? '').trim() !== '') written.push('')
    written.push(...(isAsItWas ? found.lines : indented(found.lines, indent)))
    isCode('')
    at = found.until
    if (found.rest !== undefined) all[--at] = indent + found.rest
    if (!isAsItWas && (all[at] ?? '').trim() !== '' && (written.at(-1) ?? '').trim() !== '') written.push('')
  }
  return written
}

function firstThat<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
