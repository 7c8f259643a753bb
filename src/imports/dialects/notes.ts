import { isKind } from '../signs.ts'
import { type DialectReader, dedent, endOf, endOfIndented } from './lines.ts'
import { codeGroup } from './code.ts'
import { details, hint, tabs } from './written.ts'

/** `:::tip[Title]`, `::: details Title`, `::: code-group`: Docusaurus, VitePress, Starlight. */
export const readContainer: DialectReader = (lines, at, inner) => {
  const line = withKind(lines.all[at]!)
  const found = /^\s*(:{3,})\s*([A-Za-z][\w-]*)\s*(.*)$/s.exec(line)
  if (!found) return undefined
  const [, marks = '', kind = '', rest = ''] = found
  const isKnown = isKind(kind.toLowerCase()) || ['details', 'code-group', 'raw', 'v-pre', 'title'].includes(kind)
  const length = (line: string) => /^\s*(:{3,})/.exec(line)?.[1]?.length
  const end = isKnown
    ? endOf(
        lines,
        at + 1,
        (line) => length(line) === marks.length && /[A-Za-z]/.test(line),
        (line) => length(line) === marks.length && /^\s*:+\s*$/.test(line),
      )
    : -1
  if (end === -1) return undefined
  const body = dedent(lines.all.slice(at + 1, end))
  const title = (/^\[(.*)\]/.exec(rest)?.[1] ?? rest.replace(/\{[^{}]*\}\s*$/, '')).trim() || undefined
  const until = end + 1
  // Pandoc adds the default title of a note like this.
  if (kind === 'title') return { lines: [], until }
  if (kind === 'code-group') return { lines: codeGroup(body) ?? inner(body), until }
  if (kind === 'details') return { lines: details(title, inner(body), /\{[^{}]*\bopen\b/.test(rest)), until }
  return { lines: isKind(kind.toLowerCase()) ? hint(kind, title, inner(body)) : inner(body), until }
}

/** `::: {.callout-note title="Title"}` (Quarto), `::: {.note}` (Pandoc). */
function withKind(line: string): string {
  const [, marks, kind = '', rest = ''] =
    /^\s*(:{3,})\s*\{\s*\.(?:callout-)?([a-z-]{1,40})([^{}]*)\}\s*$/.exec(line) ?? []
  const title = /\btitle="([^"]*)"/.exec(rest)?.[1]
  return marks !== undefined && isKind(kind) ? `${marks}${kind} ${title ?? ''}` : line
}

/** `!!! note "Title"`, and `???` for a collapsed one: MkDocs. The content is indented. */
export const readAdmonition: DialectReader = (lines, at, inner) => {
  const found = /^(\s*)(!!!|\?\?\?\+?)\s+([A-Za-z][\w-]*)(?:\s+[a-z]+)*(?:\s+"(.*)")?\s*$/.exec(lines.all[at]!)
  if (!found) return undefined
  const [, indent = '', marks = '', kind = '', title] = found
  const until = endOfIndented(lines, at + 1, indent)
  const body = inner(dedent(lines.all.slice(at + 1, until)))
  if (marks === '!!!') return { lines: hint(kind, title, body), until }
  const words = title ?? kind.charAt(0).toUpperCase() + kind.slice(1)
  return { lines: details(words, body, marks.endsWith('+')), until }
}

/** `=== "Title"`, one after the other: MkDocs. */
export const readTabbed: DialectReader = (lines, at, inner) => {
  const opening = /^(\s*)===[!+]*\s+(["'])(.*)\2\s*$/
  const indent = opening.exec(lines.all[at]!)?.[1]
  if (indent === undefined) return undefined
  const found: { title: string; lines: string[] }[] = []
  let until = at
  for (let next = at; next < lines.all.length;) {
    const tab = opening.exec(lines.all[next]!)
    if (tab?.[1] !== indent) break
    until = endOfIndented(lines, next + 1, indent)
    found.push({ title: tab[3]!, lines: inner(dedent(lines.all.slice(next + 1, until))) })
    next = until
    while (lines.all[next]?.trim() === '') next += 1
  }
  return { lines: tabs(found), until }
}

/** `{: .note }` above a paragraph or a quote: themes of Jekyll. Other classes only affect the appearance. */
export const readKramdown: DialectReader = (lines, at, inner) => {
  const found = /^\s*\{:([^{}]*)\}\s*$/.exec(lines.all[at]!)
  if (!found) return undefined
  const kind = /\.([a-z]+)(?:-title)?(?=[\s.#]|$)/.exec(found[1]!)?.[1] ?? ''
  const next = lines.all[at + 1]?.trim() ?? ''
  if (!isKind(kind) || next === '') return { lines: [], until: at + 1 }
  let until = at + 1
  while ((lines.all[until]?.trim() ?? '') !== '') until += 1
  const body = dedent(lines.all.slice(at + 1, until))
  const isQuote = body.every((line) => /^\s*>/.test(line))
  return {
    lines: hint(kind, undefined, inner(isQuote ? body.map((line) => line.replace(/^\s*> ?/, '')) : body)),
    until,
  }
}

/** A quote with `{.is-info}` below it (Wiki.js). */
export const readQuote: DialectReader = ({ all }, at, inner) => {
  // Only from its first line: otherwise each line of the quote would examine all lines after it.
  if (!/^\s*>/.test(all[at]!) || /^\s*>/.test(all[at - 1] ?? '')) return undefined
  let until = at
  while (/^\s*>/.test(all[until] ?? '')) until += 1
  const [, kind = ''] = /^\s*\{\.is-([a-z]+)\}\s*$/.exec(all[until] ?? '') ?? []
  if (!isKind(kind)) return undefined
  const body = all.slice(at, until).map((line) => line.replace(/^\s*> ?/, ''))
  return { lines: hint(kind, undefined, inner(body)), until: until + 1 }
}

/** `+++` around a collapsed part, whose first line is its title; and a backslash for an empty line (Outline). */
export const readToggle: DialectReader = (lines, at, inner) => {
  const line = lines.all[at]!
  if (line === '\\' && (lines.all[at - 1] ?? '').trim() === '') return { lines: [], until: at + 1 }
  if (line !== '+++' || (lines.all[at + 1] ?? '').trim() === '') return undefined
  const isMark = (each: string) => each === '+++'
  const end = endOf(lines, at + 1, () => false, isMark)
  if (end === -1) return undefined
  const [title = '', ...body] = lines.all.slice(at + 1, end)
  return { lines: details(title.replace(/^#+\s+/, ''), inner(dedent(body))), until: end + 1 }
}

/** `{ .annotate }` alone on a line (MkDocs, Wiki.js): controls how the block above it looks or is shown. */
export const isAttributes = (line: string) => /^\s*\{\s*[.#][\w-]+(?:\s+[.#][\w-]+)*\s*\}\s*$/.test(line)

const meaning = /^:[ \t]+(?=\S)/
/** A line that begins something else is not a term. */
const noTerm = /^(?:[\s>#|:=~<{}]|[-*+]\s|\d+[.)]\s|```|!!!|\?\?\?)/

/** A term, and below it `: what it means`: MkDocs, Hugo, Jekyll. */
export const readTerm: DialectReader = (lines, at, inner) => {
  const [before = '', term = '', ...next] = [lines.all[at - 1], ...lines.all.slice(at, at + 3)]
  const first = at + (next[0]?.trim() === '' ? 2 : 1)
  if (before.trim() !== '' || term === '' || noTerm.test(term) || !meaning.test(lines.all[first] ?? ''))
    return undefined
  const written = [`**${term.trim()}**`]
  let until = first
  for (let from = first; meaning.test(lines.all[from] ?? '');) {
    until = endOfIndented(lines, from + 1, '')
    const [head = '', ...more] = lines.all.slice(from, until)
    const isApart = more[0]?.trim() === ''
    written.push('', head.replace(meaning, ''), ...(isApart ? [''] : []), ...dedent(more))
    from = until
    while (lines.all[from]?.trim() === '') from += 1
  }
  return { lines: [written[0]!, ...inner(written.slice(1))], until }
}
