import { type DialectReader, type Lines, dedent, endOf, fenceAfter, outdented } from './lines.ts'
import { isKind } from '../signs.ts'
import { type Tab, details, fenced, hint, tabs } from './written.ts'

const notes = ['hint', 'notice', 'alert', 'callout', 'admonition', 'pageinfo']

/** What themes of Hugo have for notes, tabs and code: `{{< name "value" key="value" >}}`. */
export const readShortcode: DialectReader = (lines, at, inner) => {
  const { name, isEnd, rest } = shortcodeAt(lines.all[at]!) ?? { isEnd: true }
  if (isEnd || name === undefined) return undefined
  const { named, listed } = readArguments(rest)
  const alone = writeAlone(name, named, listed)
  if (alone) return { lines: alone, until: at + 1 }
  const isNote = notes.includes(name) || isKind(name)
  if (!isNote && !['details', 'expand', 'tabs', 'tabpane', 'highlight'].includes(name)) return undefined
  const end = endOfCode(lines, at, name)
  if (end === -1) return undefined
  const body = lines.all.slice(at + 1, end)
  const until = end + 1
  if (name === 'highlight') {
    const indent = /^\s*/.exec(lines.all[at]!)![0]
    return { lines: fenced(listed[0] ?? '', outdented(body, indent)), until }
  }
  if (name === 'tabs' || name === 'tabpane') {
    const isCode = name === 'tabpane' && named['text'] !== 'true'
    const found = tabsIn({ ...lines, all: body }, isCode ? named : undefined, inner)
    return found && { lines: tabs(found), until }
  }
  const said = notes.includes(name) || !isKind(name) ? listed : [name, ...listed]
  const kind = named['type'] ?? named['kind'] ?? named['style'] ?? named['color'] ?? said[0]
  const isFolded = name === 'details' || name === 'expand'
  const title = named['title'] ?? named['summary'] ?? (isFolded ? said[0] : said[1])
  const text = inner(dedent(body))
  return { lines: isFolded ? details(title, text) : hint(kind ?? 'note', title ?? '', text), until }
}

/** Those that hold nothing. */
function writeAlone(name: string, named: Arguments['named'], [first]: readonly string[]): string[] | undefined {
  if (name === 'youtube' || name === 'vimeo') {
    const id = named['id'] ?? first
    const host = name === 'youtube' ? 'https://www.youtube.com/watch?v=' : 'https://vimeo.com/'
    return id === undefined ? undefined : [`{% embed url="${host}${encodeURIComponent(id)}" %}`]
  }
  const src = name === 'figure' || name === 'img' ? (named['src'] ?? first) : undefined
  if (src === undefined) return undefined
  const caption = named['caption'] ?? named['title']
  const alt = named['alt'] ?? caption ?? ''
  return [`![${alt.replace(/[[\]]/g, '\\$&')}](<${src}>${caption ? ` "${caption.replaceAll('"', "'")}"` : ''})`]
}

/** What `ofCode` says holds for all of them: in Docsy tabs are code, where they do not say otherwise. */
function tabsIn(
  lines: Lines,
  ofCode: Arguments['named'] | undefined,
  inner: (lines: readonly string[]) => string[],
): Tab[] | undefined {
  const all: Tab[] = []
  for (let at = 0; at < lines.all.length;) {
    const found = shortcodeAt(lines.all[at]!)
    if (found?.name !== 'tab' || found.isEnd) {
      if (lines.all[at]!.trim() !== '') return undefined
      at += 1
      continue
    }
    if (found.isEmpty) {
      at += 1
      continue
    }
    const end = endOfCode(lines, at, found.name)
    if (end === -1) return undefined
    const { named, listed } = readArguments(found.rest)
    const title = named['header'] ?? named['name'] ?? named['title'] ?? listed[0] ?? 'Tab'
    const body = dedent(lines.all.slice(at + 1, end))
    const isText = !ofCode || found.isMarkdown || named['text'] === 'true' || fenceAfter(body[0] ?? '', '') !== ''
    const byTitle = ofCode?.['langEqualsHeader'] === 'true' ? title.toLowerCase() : ''
    const language = named['lang'] ?? ofCode?.['lang'] ?? byTitle
    all.push({ title, lines: isText ? inner(body) : fenced(language, body) })
    at = end + 1
  }
  return all.length > 0 ? all : undefined
}

function endOfCode(lines: Lines, at: number, name: string): number {
  const is = (line: string, isEnd: boolean) => {
    const found = shortcodeAt(line)
    return found?.name === name && found.isEnd === isEnd && !found.isEmpty
  }
  return endOf(
    lines,
    at + 1,
    (line) => is(line, false),
    (line) => is(line, true),
  )
}

interface Shortcode {
  name: string
  isEnd: boolean
  /** It holds nothing, and nothing ends it. */
  isEmpty: boolean
  /** What it holds is read as Markdown. */
  isMarkdown: boolean
  rest: string
}

/** One that stands alone on its line. */
function shortcodeAt(line: string): Shortcode | undefined {
  const text = line.trim()
  if (!/^\{\{[<%]/.test(text) || !/[>%]\}\}$/.test(text)) return undefined
  const inside = text.slice(3, -3).trim()
  const name = /^\/?\s*([\w-]+)/.exec(inside)
  if (!name) return undefined
  const [isEnd, isMarkdown] = [inside.startsWith('/'), text.startsWith('{{%')]
  const rest = inside.slice(name[0].length)
  return { name: name[1]!, isEnd, isEmpty: rest.endsWith('/'), isMarkdown, rest: rest.replace(/\/$/, '') }
}

interface Arguments {
  named: Record<string, string | undefined>
  listed: string[]
}

/** `"value" key="value"`. */
export function readArguments(rest: string): Arguments {
  const named: Arguments['named'] = {}
  const listed: string[] = []
  for (const [, name, double, single, plain] of rest.matchAll(/(?:([\w-]+)=)?(?:"([^"]*)"|`([^`]*)`|([^\s"`=]+))/g)) {
    const value = double ?? single ?? plain ?? ''
    if (name === undefined) listed.push(value)
    else named[name] = value
  }
  return { named, listed }
}
