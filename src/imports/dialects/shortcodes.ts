import { isKind } from '../signs.ts'
import { type DialectReader, type Lines, dedent, fenceAfter, outdented } from './lines.ts'
import { type Arguments, type Shortcode, endOfShortcode, readArguments, shortcodeAt } from './shortcode.ts'
import { linked } from './link.ts'
import { type Tab, card, details, fenced, figure, hint, stepsOf, tabs } from './written.ts'

type Inner = (lines: readonly string[]) => string[]

const notes = ['hint', 'notice', 'alert', 'callout', 'admonition', 'pageinfo', 'box', 'blockquote-alert']
const folded = ['details', 'expand', 'collapse', 'accordion']
const formulas = ['katex', 'math', 'latex']
const diagrams = ['mermaid']
const cards = ['card', 'blocks/feature', 'hextra/feature-card', 'cards/card', 'hextra/hero-card']
/** Shortcodes that list or show other files, or are only a sign. They are left out. */
const silent = [
  'attachments', 'blocks/link-down', 'br', 'children', 'clear', 'icon', 'notoc', 'resources', 'section', 'section-index', 'toc', 'toc-tree',
] // prettier-ignore

/**
 * Reads the notes, tabs, cards and code of Hugo themes: Docsy, Hextra, Relearn and Book. The content of other
 * shortcodes is kept.
 */
export const readShortcode: DialectReader = (lines, at, inner) => {
  const found = shortcodeAt(lines.all[at]!)
  if (!found || found.isEnd) return undefined
  const { name } = found
  const said = readArguments(found.rest)
  const alone = writeAlone(name, said)
  if (alone) return { lines: alone, until: at + 1 }
  const end = found.isEmpty ? -1 : endOfShortcode(lines, at, name)
  if (end === -1) return silent.includes(name) ? { lines: [], until: at + 1 } : cardAlone(name, said, at)
  const body = lines.all.slice(at + 1, end)
  const until = end + 1
  if (name === 'highlight') {
    const indent = /^\s*/.exec(lines.all[at]!)![0]
    return { lines: fenced(said.listed[0] ?? '', outdented(body, indent)), until }
  }
  const within = writeAround(found, said, { ...lines, all: body }, inner)
  return within && { lines: within, until }
}

/** Writes the content between the two lines of a shortcode, in the Markdown used here. */
function writeAround({ name }: Shortcode, said: Arguments, lines: Lines, inner: Inner): string[] | undefined {
  const { named, listed } = said
  const body = dedent(lines.all)
  if (name === 'comment') return []
  if (diagrams.includes(name)) return fenced(name, body)
  if (formulas.includes(name)) return body[0]?.startsWith('$$') ? body : ['$$', ...body, '$$']
  if (name === 'tabs' || name === 'tabpane') {
    const isCode = name === 'tabpane' && named['text'] !== 'true'
    const found = tabsIn(lines, said, isCode, inner)
    return found && tabs(found)
  }
  if (name === 'filetree/container') return fenced('', fileTree(body))
  const text = inner(name === 'columns' ? body.map((line) => (line.trim() === '<--->' ? '' : line)) : body)
  if (name === 'steps') return stepsOf(text) ?? text
  if (name === 'button') return [linked(text.join(' ').trim(), named['href'] ?? named['relref'] ?? listed[0])]
  if (cards.includes(name)) return cardOf(said, text)
  const isFolded = folded.includes(name)
  if (!isFolded && !notes.includes(name) && !isKind(name)) return framed(name, named, text)
  const words = notes.includes(name) || !isKind(name) ? listed : [name, ...listed]
  const kind = named['type'] ?? named['kind'] ?? named['style'] ?? named['color'] ?? words[0]
  const title = named['title'] ?? named['summary'] ?? (isFolded ? words[0] : words[1])
  return isFolded ? details(title, text) : hint(kind ?? 'note', title ?? '', text)
}

/** Any other shortcode only affects the layout, so its content is kept. */
function framed(name: string, named: Arguments['named'], text: string[]): string[] {
  const title = name.startsWith('blocks/') ? named['title'] : undefined
  return title ? [`## ${title}`, '', ...text] : text
}

function cardOf({ named }: Arguments, body: readonly string[]): string[] {
  const { title, header, footer } = named
  const href = named['link'] ?? named['url'] ?? named['href']
  const [head = title, ...more] = [header, header ? title : undefined]
  const about = [...more, named['subtitle'], named['description']].filter(Boolean)
  const written = card(head, href, about.join(' '), body)
  return footer ? [...written, '', footer] : written
}

function cardAlone(name: string, said: Arguments, at: number) {
  return cards.includes(name) ? { lines: [...cardOf(said, []), ''], until: at + 1 } : undefined
}

/** Writes shortcodes that have no content. */
function writeAlone(name: string, { named, listed: [first, second] }: Arguments): string[] | undefined {
  if (name === 'youtube' || name === 'vimeo') {
    const id = named['id'] ?? first
    const host = name === 'youtube' ? 'https://www.youtube.com/watch?v=' : 'https://vimeo.com/'
    return id === undefined ? undefined : [`{% embed url="${host}${encodeURIComponent(id)}" %}`]
  }
  if (name === 'gist' && first !== undefined && second !== undefined)
    return [`{% embed url="https://gist.github.com/${encodeURIComponent(first)}/${encodeURIComponent(second)}" %}`]
  if (name === 'pdf' && first !== undefined) return [linked(first, first)]
  if (name === 'hextra/hero-button') return [linked(named['text'] ?? '', named['link'])]
  const src = name === 'figure' || name === 'img' || name === 'image' ? (named['src'] ?? first) : undefined
  if (src === undefined) return undefined
  const [caption = '', pixels] = [
    named['caption'] ?? named['title'],
    /^\d+(?=(?:px)?$)/.exec(named['width'] ?? '')?.[0],
  ]
  const alt = named['alt'] ?? caption
  const width = pixels !== undefined && { width: pixels }
  return caption === '' && !width
    ? [`![${alt.replace(/[[\]]/g, '\\$&')}](<${src}>)`]
    : figure({ src, alt, ...width }, caption)
}

/** Arguments of the group apply to all its tabs. In Docsy, tabs contain code unless they declare otherwise. */
function tabsIn(lines: Lines, { named: ofAll }: Arguments, isCode: boolean, inner: Inner): Tab[] | undefined {
  const all: Tab[] = []
  const names = ofAll['items']?.split(',').map((name) => name.trim())
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
    const end = endOfShortcode(lines, at, found.name)
    if (end === -1) return undefined
    const { named, listed } = readArguments(found.rest)
    const own = named['header'] ?? named['name'] ?? named['title'] ?? listed[0]
    const title = own ?? names?.[all.length] ?? 'Tab'
    const body = dedent(lines.all.slice(at + 1, end))
    const isText = !isCode || found.isMarkdown || named['text'] === 'true' || fenceAfter(body[0] ?? '', '') !== ''
    const byTitle = ofAll['langEqualsHeader'] === 'true' ? title.toLowerCase() : ''
    const language = named['lang'] ?? ofAll['lang'] ?? byTitle
    all.push({ title, lines: isText ? inner(body) : fenced(language, body) })
    at = end + 1
  }
  return all.length > 0 ? all : undefined
}

/** Lists folders and files by their names, indented as they are nested (Hextra). */
function fileTree(lines: readonly string[]): string[] {
  let depth = 0
  return lines.flatMap((line) => {
    const found = shortcodeAt(line)
    if (found?.isEnd) depth = Math.max(0, depth - 1)
    if (!found || found.isEnd) return []
    const isFolder = found.name === 'filetree/folder'
    const { named, listed } = readArguments(found.rest)
    const written = `${'  '.repeat(depth)}${named['name'] ?? listed[0] ?? ''}${isFolder ? '/' : ''}`
    if (isFolder && !found.isEmpty) depth += 1
    return [written]
  })
}
