import { writeOpenTag } from '../../content/html/attributes.ts'
import { isKind } from '../signs.ts'
import { type DialectReader, type Lines, dedent, endOf } from './lines.ts'
import { type Tab, card, code, details, fenced, figure, hint, tabs } from './written.ts'

type Inner = (lines: readonly string[]) => string[]

interface Directive {
  name: string
  /** The text after its name. */
  words: string
  /** `:key: value`. */
  options: Record<string, string | undefined>
  body: string[]
}

const codes = ['code', 'code-block', 'code-cell', 'sourcecode', 'prompt']
const titled = ['admonition', 'topic', 'sidebar', 'card', 'grid-item-card']
/** Directives that control how other things are shown or found. They are left out. */
const silent = ['toctree', 'contents', 'highlight', 'index', 'currentmodule', 'module', 'meta', 'tableofcontents']
const versions: Record<string, string> = {
  versionadded: 'Added in',
  versionchanged: 'Changed in',
  deprecated: 'Deprecated since',
}

/** Reads the directives of Sphinx in Markdown: a fence, or a row of colons, with a name in braces. */
export const readDirective: DialectReader = (lines, at, inner) => {
  const found = /^\s*(`{3,}|~{3,}|:{3,})\{([A-Za-z][\w:.+-]*)\}\s*(.*)$/s.exec(lines.all[at]!)
  if (!found) return undefined
  const [, marks = '', name = '', words = ''] = found
  const end = endOfDirective(lines, at, marks)
  if (end === -1) return undefined
  const { options, body } = optionsOf(dedent(lines.all.slice(at + 1, end)))
  const written = write({ name: name.toLowerCase(), words: words.trim(), options, body }, lines, inner)
  // The directive shows a file, whose content is not available here.
  if (!written && body.length === 0) return { lines: words === '' ? [] : [`\`${words.trim()}\``], until: end + 1 }
  // Executable code gives its language in the same way.
  return { lines: written ?? (marks.startsWith(':') ? inner(body) : fenced(name, body)), until: end + 1 }
}

function endOfDirective(lines: Lines, at: number, marks: string): number {
  if (!marks.startsWith(':')) {
    const isEnd = (line: string) => /^\s*(`{3,}|~{3,})\s*$/.test(line) && line.trim().startsWith(marks)
    let end = at + 1
    while (end < lines.all.length && !isEnd(lines.all[end]!)) end += 1
    return end < lines.all.length ? end : -1
  }
  const length = (line: string) => /^\s*(:{3,})/.exec(line)?.[1]?.length
  return endOf(
    lines,
    at + 1,
    (line) => length(line) === marks.length && /\{/.test(line),
    (line) => length(line) === marks.length && /^\s*:+\s*$/.test(line),
  )
}

function optionsOf(lines: readonly string[]): Pick<Directive, 'options' | 'body'> {
  const options: Directive['options'] = {}
  let at = 0
  for (; at < lines.length; at++) {
    const [, key, value = ''] = /^:([\w-]+):\s*(.*)$/s.exec(lines[at]!) ?? []
    if (key === undefined) break
    options[key] = value.trim()
  }
  return { options, body: dedent(lines.slice(at)) }
}

/** Writes the directive in the Markdown used here. Returns undefined if the directive is unknown. */
function write({ name, words, options, body }: Directive, lines: Lines, inner: Inner): string[] | undefined {
  if (silent.includes(name)) return []
  if (codes.includes(name)) {
    return code(fenced(words, body), options['caption'], options['linenos'] !== undefined)
  }
  if (name === 'math') return ['$$', ...(words === '' ? [] : [words]), ...body, '$$']
  if (name === 'mermaid') return fenced('mermaid', body)
  if (name === 'figure' || name === 'image') return picture(words, options, inner(body))
  if (name === 'dropdown' || options['class']?.includes('dropdown'))
    return details(words || (name === 'dropdown' ? undefined : name), inner(body))
  if (name === 'tab-set') return tabsIn(lines, body, inner)
  if (name === 'list-table') return listTable(words, options, body)
  const version = Object.hasOwn(versions, name) ? versions[name] : undefined
  if (version !== undefined) {
    const [, number = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(words)!
    return hint(name, `${version} ${number}`.trim(), inner([...(rest === '' ? [] : [rest]), ...body]))
  }
  if (name.endsWith('card')) return card(words || undefined, options['link'], undefined, inner(body))
  if (titled.includes(name)) return hint(options['class'] ?? 'note', words, inner(body))
  // The words after the name of a note are part of its text.
  if (isKind(name)) return hint(name, '', inner([...(words === '' ? [] : [words, '']), ...body]))
  return undefined
}

function picture(src: string, { alt = '', width, target }: Directive['options'], caption: string[]): string[] {
  const pixels = /^\d+(?=(?:px)?$)/.exec(width ?? '')?.[0]
  const image = writeOpenTag('img', { src, alt, ...(pixels !== undefined && { width: pixels }) })
  const words = caption.join(' ').trim()
  if (words !== '') return figure({ src, alt, ...(pixels !== undefined && { width: pixels }) }, words)
  return [target === undefined ? image : `<a href="${target.replaceAll('"', '%22')}">${image}</a>`]
}

function tabsIn(lines: Lines, body: readonly string[], inner: Inner): string[] | undefined {
  const all = { ...lines, all: body }
  const found: Tab[] = []
  for (let at = 0; at < body.length;) {
    if (body[at]!.trim() === '') {
      at += 1
      continue
    }
    const [, marks, title = ''] = /^\s*(`{3,}|~{3,}|:{3,})\{tab-item\}\s*(.*)$/s.exec(body[at]!) ?? []
    const end = marks === undefined ? -1 : endOfDirective(all, at, marks)
    if (end === -1) return undefined
    found.push({ title, lines: inner(optionsOf(dedent(body.slice(at + 1, end))).body) })
    at = end + 1
  }
  return found.length > 0 ? tabs(found) : undefined
}

/** Converts a list of lists to a table. Each inner list is a row. */
function listTable(title: string, options: Directive['options'], body: readonly string[]): string[] | undefined {
  const rows: string[][] = []
  for (const line of body) {
    const [, first, cell, more] = /^(?:([*-])\s+)?(?:\s*[-*](?:\s+(.*))?|\s+(\S.*))$/s.exec(line.trimEnd()) ?? []
    if (line.trim() === '') continue
    if (first !== undefined) rows.push([])
    const row = rows.at(-1)
    if (!row || (cell === undefined && more === undefined && !/^\s*(?:[*-]\s+)?[-*]\s*$/.test(line))) return undefined
    if (more !== undefined && cell === undefined) row.push(`${row.pop() ?? ''}<br>${more}`)
    else row.push(cell ?? '')
  }
  const [head = [], ...others] =
    Number(options['header-rows'] ?? 0) > 0 ? rows : [rows[0]?.map(() => '') ?? [], ...rows]
  if (head.length === 0) return undefined
  const written = (cells: readonly string[]) =>
    `| ${head.map((_, at) => (cells[at] ?? '').replaceAll('|', '\\|')).join(' | ')} |`
  const table = [written(head), `|${' --- |'.repeat(head.length)}`, ...others.map(written)]
  return title === '' ? table : [`**${title}**`, '', ...table]
}

/** Reads `(name)=` above a heading, which defines the anchor of the heading. */
export const readTarget: DialectReader = ({ all }, at) => {
  const [, name] = /^\(([\w.:-]+)\)=\s*$/.exec(all[at]!) ?? []
  if (name === undefined) return undefined
  let next = at + 1
  while (next < at + 3 && all[next]?.trim() === '') next += 1
  const heading = all[next] ?? ''
  if (!/^#{1,6}\s/.test(heading) || /\{#/.test(heading)) return { lines: [], until: at + 1 }
  return { lines: [`${heading.trimEnd()} {#${name}}`], until: next + 1 }
}
