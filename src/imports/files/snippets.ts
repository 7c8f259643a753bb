import { limits } from '../../content/limits.ts'
import { readFrontMatter } from '../../content/page/front-matter.ts'
import { dedent, fenceAfter } from '../dialects/lines.ts'
import { fenced } from '../dialects/written.ts'

/** Returns the text of a file, given the path that another file uses for it. Undefined if the file does not exist. */
export type ReadPart = (path: string) => Promise<string | undefined>

/** What a page includes from another file: all of it, a named part, or some of its lines. */
interface Wanted {
  path: string
  part?: string | undefined
  lines?: readonly [first: number, last: number]
  /** Set if it is shown as code, with this language and title. */
  code?: { language: string; title?: string | undefined }
  /** How many lines of the page the inclusion takes up. */
  span?: number
}

const mayTake =
  /\{\{\s*#|\{\{[<%]\s*(?:include|readfile)\b|-8<-|^<<< |<!--\s*@include:|^import .*(?:\.mdx?|\?raw)["']|!!raw-loader!/m

/**
 * Returns a page with the texts that it includes from other files: `--8<-- "file"` of MkDocs, `<<< file` and `@include`
 * of VitePress, `{{#include file}}` of mdBook, `{{< include >}}` of Hugo, and files that MDX imports and shows as
 * `<Name />` or as code. Inclusions in the included texts stay as they are written.
 */
export async function withParts(text: string, readPart: ReadPart): Promise<string> {
  if (!mayTake.test(text)) return text
  const lines = text.split('\n')
  const imports = new Imports(text)
  const written: string[] = []
  let fence = ''
  let left: number = limits.sourceBytes
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    fence = fenceAfter(line, fence)
    // The title of the browser window (mdBook), which is left out.
    if (fence === '' && /^\s*\{\{\s*#title\s[^{}]*\}\}\s*$/.test(line)) continue
    // Snippets are included in code as well, because examples are often kept in files of their own.
    const wanted = left <= 0 ? undefined : (snippetIn(line) ?? includeIn(line, fence !== '') ?? (fence === '' ? (codeIn(line) ?? fileIn(line) ?? imports.shownAt(lines, at)) : undefined)) // prettier-ignore
    const found = wanted && (await readPart(wanted.path))
    // A page that becomes too long is not imported, so the texts that exceed the limit are not included in the first
    // place.
    left -= found === undefined ? 0 : found.length + 1_000
    const taken = wanted && found !== undefined ? take(found, wanted, fence !== '') : undefined
    if (!taken) {
      written.push(line)
      continue
    }
    const indent = /^\s*/.exec(line)![0]
    written.push(...taken.map((each) => (each === '' ? '' : indent + each)))
    at += (wanted!.span ?? 1) - 1
  }
  return written.join('\n')
}

/** Returns the requested lines of a file, or undefined if it has no such part. Code keeps its front matter. */
function take(text: string, { part, lines, code }: Wanted, isInCode: boolean): string[] | undefined {
  const isCode = isInCode || code !== undefined
  const source = isCode
    ? text.trimEnd().replace(/^\s*\n/, '')
    : text.slice(readFrontMatter(text)?.range.end ?? 0).trim()
  const all = (lines ? text : source).split(/\r?\n/)
  const found = part === undefined ? (lines ? all.slice(lines[0] - 1, lines[1]) : all) : partOf(all, part)
  const plain = found?.filter((line) => !/-8<-+\s*\[(?:start|end):|\bANCHOR(?:_END)?:/.test(line))
  if (!plain || !code) return plain
  return fenced(code.language + (code.title ? ` [${code.title}]` : ''), plain)
}

/** Returns the lines between the comments that mark the beginning and the end of a part. */
function partOf(lines: readonly string[], name: string): string[] | undefined {
  const begins = new RegExp(`(?:#\\s*region\\s+|\\[start:|\\bANCHOR:\\s*)${name}(?![\\w-])`)
  const ends = new RegExp(
    `#\\s*endregion(?:\\s+${name}(?![\\w-])|\\s*$|\\s*(?:-->|\\*/))|\\[end:${name}\\]|\\bANCHOR_END:\\s*${name}(?![\\w-])`,
  )
  const start = lines.findIndex((line) => begins.test(line))
  const end = start === -1 ? -1 : lines.findIndex((line, at) => at > start && ends.test(line))
  return start === -1 ? undefined : dedent(lines.slice(start + 1, end === -1 ? undefined : end))
}

/** `--8<-- "file"`, `--8<-- "file:part"`, `--8<-- "file:2:5"`, and `<!--@include: file#part{2,5}-->`. */
function snippetIn(line: string): Wanted | undefined {
  const [, path, said = ''] = /^\s*-+8<-+\s+["']([^"':]+)(?::([\w:-]*))?["']\s*$/.exec(line) ?? []
  if (path !== undefined) {
    const [, first, last] = /^(\d*)(?::(\d*))?$/.exec(said) ?? []
    if (first === undefined) return { path, part: said }
    return said === '' ? { path } : { path, lines: linesFrom(first, last) }
  }
  const [, file, part, first, last] =
    /^\s*<!--\s*@include:\s*([^\s{}#]+)(?:#([\w-]+))?(?:\{(\d*),(\d*)\})?\s*-->\s*$/.exec(line) ?? []
  if (file === undefined) return undefined
  return { path: file, part, ...(first !== undefined && { lines: linesFrom(first, last) }) }
}

/**
 * `{{#include file}}`, `{{#include file:part}}`, `{{#include file:2:5}}`, and a program that readers can run (mdBook).
 */
function includeIn(line: string, isInCode: boolean): Wanted | undefined {
  const [, word, path, said = ''] =
    /^\s*\{\{\s*#(include|rustdoc_include|playground)\s+([^\s:{}]+)(?=[\s:}])(?::([\w:-]+)(?=[\s}]))?[^{}]*\}\}\s*$/.exec(
      line,
    ) ?? []
  if (path === undefined) return undefined
  if (word === 'playground') return isInCode ? undefined : { path, code: { language: 'rust' } }
  const [, first, hasMore, last] = /^(\d*)(?:(:)(\d*))?$/.exec(said) ?? []
  if (said === '') return { path }
  return first === undefined ? { path, part: said } : { path, lines: linesFrom(first, hasMore ? last : first) }
}

const linesFrom = (first: string, last = '') => [Number(first || 1), last === '' ? Infinity : Number(last)] as const

/** `{{% include "file" %}}`, and `{{< readfile file="file" code="true" lang="go" >}}` (Hugo). */
function fileIn(line: string): Wanted | undefined {
  const [, path, said = ''] =
    /^\s*\{\{[<%]\s*(?:include|readfile)\s+(?:file=|path=)?["'`]([^"'`{}]+)["'`]([^{}]*)[>%]\}\}\s*$/.exec(line) ?? []
  if (path === undefined) return undefined
  const language = /\blang="?([\w+#-]+)/.exec(said)?.[1] ?? ''
  return /\bcode="?true/.test(said) ? { path, code: { language } } : { path }
}

/** `<<< file#part{2,3 language} [name]`. */
function codeIn(line: string): Wanted | undefined {
  const [, path, part, said = '', title] =
    /^\s*<<<\s+([^\s{}#[\]]+)(?:#([\w-]+))?(?:\s*\{([^{}]*)\})?(?:\s*\[([^[\]]*)\])?\s*$/.exec(line) ?? []
  if (path === undefined) return undefined
  const language = /(?:^|\s)([a-z][\w+#-]*)/i.exec(said)?.[1] ?? /\.(\w+)$/.exec(path)?.[1] ?? ''
  return { path, part, code: { language, title } }
}

/** The files that an MDX page imports: texts, and code that is shown as written. */
class Imports {
  readonly #texts = new Map<string, string>()
  readonly #codes = new Map<string, string>()

  constructor(page: string) {
    for (const [, name = '', path = ''] of page.matchAll(/^import\s+(\w+)\s+from\s+["']([^"']+)["'];?\s*$/gm)) {
      const file = path.replace(/^!!raw-loader!|\?raw$/g, '')
      if (file !== path) this.#codes.set(name, file)
      else if (/\.mdx?$/.test(path)) this.#texts.set(name, path)
    }
  }

  shownAt(lines: readonly string[], at: number): Wanted | undefined {
    const line = lines[at]!
    const text = this.#texts.get(/^\s*<(\w+)\s*(?:\/>|><\/\w+>)\s*$/.exec(line)?.[1] ?? '')
    if (text !== undefined) return { path: text }
    if (this.#codes.size === 0 || !/^\s*<Code(?:Block)?\b/.test(line)) return undefined
    const isWhole = /(?:\/>|<\/CodeBlock>)\s*$/.test(line)
    const span = isWhole ? 1 : 3
    const tag = lines.slice(at, at + span).map((each) => each.trim()).join('') // prettier-ignore
    const [, said = '', name = ''] =
      /^<CodeBlock\b([^<>]*)>\{(\w+)\}<\/CodeBlock>$/.exec(tag) ?? /^<Code\b((?=[^<>]*\scode=\{(\w+)\})[^<>]*)\/>$/.exec(tag) ?? [] // prettier-ignore
    const path = this.#codes.get(name)
    if (path === undefined) return undefined
    const named = (key: string) => new RegExp(`\\b${key}=["']([^"']*)["']`).exec(said)?.[1]
    const language = named('language') ?? named('lang') ?? /\blanguage-([\w+#-]+)/.exec(said)?.[1] ?? ''
    return { path, span, code: { language, title: named('title') } }
  }
}
