import { readComponent } from './components.ts'
import { readFence } from './code.ts'
import { readDirective, readTarget } from './directives.ts'
import { isFormula, withoutAttributes } from './inline.ts'
import { type DialectReader, type Lines, type Translated, codeByIndent, dedent, endOf, indented } from './lines.ts'
import { readContents, readLiquid } from './liquid.ts'
import { withoutModules } from './modules.ts'
import { readAdmonition, readContainer, readKramdown, readQuote, readTabbed, readTerm, readToggle } from './notes.ts'
import { readCaption, readFigure, readImage, readPictures } from './pictures.ts'
import { withShortcodesApart } from './shortcode.ts'
import { readShortcode } from './shortcodes.ts'

/** Formulas are kept as they are. */
const readFormula: DialectReader = (lines, at) => {
  const bracketed = bracketedFormula(lines.all, at)
  if (bracketed) return bracketed
  if (!/^\s*\$\$(?!.*\$\$)/.test(lines.all[at]!)) return undefined
  const end = endOf(
    lines,
    at + 1,
    () => false,
    (line) => line.trimEnd().endsWith('$$'),
  )
  return end === -1 ? undefined : { lines: lines.all.slice(at, end + 1), until: end + 1 }
}

const longestFormula = 60

/** Reads a formula from `\\[` to `\\]` (MkDocs), if it fills all of its lines. */
function bracketedFormula(all: readonly string[], at: number): Translated | undefined {
  const [, first] = /^\s*\\\[(?!.*\\\].*\S)(.*)$/.exec(all[at]!) ?? []
  if (first === undefined) return undefined
  const rows = [first, ...all.slice(at + 1, at + longestFormula)]
  const last = rows.findIndex((row) => /\\\]\s*$/.test(row))
  const formula = rows.slice(0, last + 1).map((row, index) => (index === last ? row.replace(/\\\]\s*$/, '') : row))
  const said = dedent(formula)
  if (last === -1 || formula.slice(1, -1).some((row) => row.trim() === '') || !isFormula(said.join('\n')))
    return undefined
  return { lines: ['$$', ...said, '$$'], until: at + last + 1 }
}

const readers: readonly DialectReader[] = [
  readDirective,
  readTarget,
  readToggle,
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
  readQuote,
  readTerm,
  readPictures,
  readImage,
  readFigure,
  readCaption,
]

const mostDepth = 20
/** How often a line may be examined on average, so that an end that does not exist is searched for a few times only. */
const mostLooks = 50

/** Matches anything that may have a meaning in a tool other than GitBook. */
const mayBeForeign =
  /^[ \t]*(:::|\/\/\/ caption|<figure\b[^<>\n]*\smarkdown\b|!!!|\?\?\?|===|```|~~~|import |export |\{%|\{:|\[\[?_?(?:TOC|toc)|:[ \t]|\*\[)|\+\+|==|\^\^|\{\{|[)\]*_>`]\{|\{[:#. ]|\{\/\*|=\{|\bdark:|-(?:light|dark)\b|\$\S|\{['"]|<[A-Z]|`#!|\w[~^][\w+-]|\\[([]|^>|[\s"]=\d*x\d*[")]|^\\$|^\+\+\+|^\(|\}`|mention:|\]\(uploads\/|:(material|fontawesome|octicons|simple)-/m

/**
 * Translates the Markdown of Docusaurus, MkDocs, VitePress, Starlight, Hugo, Jekyll and Mintlify to the Markdown used
 * here. It is translated once, when it is imported, so that readers see notes, tabs and titles instead of markup.
 * Unknown syntax stays as it is.
 */
export function translated(markdown: string, { isMdx }: { isMdx: boolean }): string {
  if (!mayBeForeign.test(markdown)) return markdown
  const source = markdown.replaceAll('\r\n', '\n')
  const apart = /\{\{[<%]/.test(source) ? withShortcodesApart(source.split('\n')) : source.split('\n')
  const lines = withoutModules(apart, isMdx)
  const budget = { left: mostLooks * lines.length }
  const text = withoutEscapes(translateLines({ all: lines, budget, depth: 0, isMdx }).join('\n'))
  return text === source ? markdown : text
}

/** Unescapes Hugo shortcodes that are only shown to the reader, in code and elsewhere. */
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
    // This is a block of its own. Without a blank line, the paragraph before it would continue in it.
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
