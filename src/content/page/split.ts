import { isDeepStrictEqual } from 'node:util'
import { decodeEntities } from '../html/attributes.ts'
import { plainText } from '../inlines/text.ts'
import { escapeText } from '../markdown/escape.ts'
import { afterBreak, lineBreakOf, lineEndAt } from '../markdown/lines.ts'
import { readInlines } from '../markdown/read-inlines.ts'
import { readSource } from '../markdown/source.ts'
import { byteOrderMark } from '../parse.ts'
import type { Range } from '../tree.ts'
import { picturesBehind } from './heading-pictures.ts'
import { editYaml, readFrontMatter } from './front-matter.ts'

/** The fields of a page, from its front matter and a leading heading. Names beyond these are kept as they are. */
export interface PageFields {
  readonly title?: string
  readonly description?: string
  readonly icon?: string
  readonly emoji?: string
  readonly hidden?: boolean
  readonly noIndex?: boolean
  readonly noRobotsIndex?: boolean
  readonly layout?: unknown
  readonly cover?: string
  readonly coverY?: number
  readonly vars?: unknown
  /** The condition under which the page is shown. */
  readonly if?: string
  readonly [name: string]: unknown
}

export interface PageParts {
  readonly fields: PageFields
  readonly body: string
  /** Everything above the body, as written: `original + body` is the source. */
  readonly original: string
}

/** Splits a page's source into fields and body. A title in the front matter wins over the heading. */
export function splitPage(source: string): PageParts {
  return partsOf(source, readHead(source, 'page'))
}

/**
 * Splits what is above the body of a page (`original`). Pages that were read before pictures behind a title became part
 * of the body have them in here. Their title contains the words of these pictures, or no longer does: then it is
 * `title`.
 */
export function splitHead(original: string, title?: string): PageParts {
  const parts = partsOf(original, readHead(original, 'head'))
  if (title === undefined || title === parts.fields.title) return parts
  const plain = splitPage(original).fields.title
  return plain === title ? { ...parts, fields: { ...parts.fields, title } } : parts
}

function partsOf(source: string, { values, heading, bodyStart }: Head): PageParts {
  const title = typeof values['title'] === 'string' ? values['title'] : heading?.title
  return {
    fields: { ...values, ...(title === undefined ? {} : { title }) },
    body: source.slice(bodyStart),
    original: source.slice(0, bodyStart),
  }
}

/**
 * Joins the parts of a page. If the fields equal those of `original`, its exact bytes are returned. Otherwise only what
 * changed is written anew: a rename touches the heading, or the front matter if the title came from there.
 */
export function joinPage(fields: PageFields, body: string, original = ''): string {
  const head = readHead(original, 'head')
  const before = splitHead(original, fields.title).fields
  const changes = Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(fields)])]
      .filter((name) => !isDeepStrictEqual(before[name], fields[name]))
      .map((name) => [name, fields[name]]),
  )
  const inYaml = Object.hasOwn(head.values, 'title')
  const { title: _, ...others } = changes
  const yamlChanges = inYaml ? changes : others
  const lineBreak = lineBreakOf(original || body)
  let text =
    head.heading && Object.hasOwn(changes, 'title') ? withHeading(original, head.heading, fields.title) : original
  text = withYaml(text, head, yamlChanges, lineBreak)
  if (!head.heading && !inYaml && fields.title !== undefined)
    text = closed(text, lineBreak) + headingLine(fields.title) + lineBreak.repeat(2)
  if (text === original) return putBelow(original, body)
  return body === '' || areOneLine(text, body) ? text + body : closed(text, lineBreak) + body
}

/**
 * Puts a body below `original`. After a merge they may come from different sides, and `original` may lack its last line
 * break, but a title must not run into a text.
 */
export function putBelow(original: string, body: string): string {
  const isOwnLine = body === '' || original === '' || original === '\uFEFF' || /[\r\n]$/.test(original)
  return isOwnLine || areOneLine(original, body)
    ? original + body
    : closed(original, lineBreakOf(original + body)) + body
}

/** Whether a body begins with pictures that are behind the title, on the same line. */
function areOneLine(original: string, body: string): boolean {
  return /[ \t]$/.test(original) && splitPage(original + body).original === original
}

interface Head {
  readonly values: Readonly<Record<string, unknown>>
  readonly yaml?: Range
  readonly heading?: HeadingPlace
  readonly matterEnd: number
  readonly bodyStart: number
}

interface HeadingPlace extends Range {
  readonly title: string
  /** Where the pictures behind the title begin, with which the body begins. */
  readonly pictures?: number
}

/** Reads a whole page, or only what is above its body. */
function readHead(source: string, what: 'page' | 'head'): Head {
  const matter = readFrontMatter(source)
  const start = matter?.range.end ?? byteOrderMark(source)
  const heading = leadingHeading(source, start, what)
  const bodyStart = heading
    ? (heading.pictures ?? skipBlankLines(source, heading.end))
    : matter
      ? skipBlankLines(source, start)
      : start
  if (!matter) return { values: {}, matterEnd: start, bodyStart, ...(heading ? { heading } : {}) }
  const yamlStart = afterBreak(source, lineEndAt(source, 0))
  const yaml = { start: yamlStart, end: yamlStart + matter.raw.length }
  return { values: matter.values, yaml, matterEnd: start, bodyStart, ...(heading ? { heading } : {}) }
}

const atx = /^ {0,3}#(?:[ \t]|$)/
const setext = /^ {0,3}=+[ \t]*$/

/** Finds `# Title`, a line with `===` below it, or `<h1>`, as the first visible thing on a page. */
function leadingHeading(source: string, start: number, what: 'page' | 'head'): HeadingPlace | undefined {
  const from = skipComments(source, skipBlankLines(source, start))
  const html = htmlHeading(source, from)
  if (html) return html
  const lineEnd = lineEndAt(source, from)
  const line = source.slice(from, lineEnd)
  if (atx.test(line)) {
    const pictures = what === 'page' ? picturesBehind(source, from, lineEnd) : undefined
    const titled = pictures === undefined ? undefined : placeOf(source, from, pictures)
    return titled ? { ...titled, pictures } : placeOf(source, from, lineEnd)
  }
  const below = afterBreak(source, lineEnd)
  const belowEnd = lineEndAt(source, below)
  if (line.trim() === '' || !setext.test(source.slice(below, belowEnd))) return undefined
  return placeOf(source, from, belowEnd)
}

/** Returns the place of a heading. An empty heading is not a title and stays in the body. */
function placeOf(text: string, start: number, end: number): HeadingPlace | undefined {
  const source = readSource(text.slice(start, end), 0)
  const [heading, ...more] = source.root.children
  if (heading?.type !== 'heading' || more.length > 0) return undefined
  const title = plainText(readInlines(heading.children, source)).replace(/\s+/g, ' ').trim()
  return title === '' ? undefined : { start, end, title }
}

const mostComments = 20

/** Skips comments. They are for tools and other authors: readers do not see them. */
function skipComments(source: string, start: number): number {
  let at = start
  for (let count = 0; count < mostComments; count++) {
    if (!/^ {0,3}<!--/.test(source.slice(at, at + 7))) return at
    const end = source.indexOf('-->', source.indexOf('<!--', at) + 4)
    if (end === -1) return at
    const lineEnd = lineEndAt(source, end)
    if (lineEnd === source.length || source.slice(end + 3, lineEnd).trim() !== '') return at
    at = skipBlankLines(source, lineEnd)
  }
  return at
}

/** Returns the comments in front of the title of a page. */
export function remarksOf(original: string): string {
  const { heading, matterEnd } = readHead(original, 'head')
  return heading ? original.slice(matterEnd, heading.start).trim() : ''
}

/** Returns the heading with the title of a page as it is written, with all its marks. */
export function headingOf(original: string): string {
  const { heading } = readHead(original, 'head')
  return heading ? original.slice(heading.start, heading.end) : ''
}

/** Replaces that heading, if there is one. */
export function putHeading(original: string, written: string): string {
  const { heading } = readHead(original, 'head')
  return heading ? original.slice(0, heading.start) + written + original.slice(heading.end) : original
}

const longestHeading = 2000
const htmlTitle = /^ {0,3}<h1(?:\s[^<>]*)?>([^]*?)<\/h1>[ \t]*(?=[\r\n]|$)/i
/** After a blank line, the content may be Markdown again. */
const markdownOfMore = /!\[|\]\(|\]\[/
/** Elements that a title can contain, since only their look is lost. Pictures cannot be part of a title. */
const htmlOfText = /<\/?(?:a|abbr|b|br|code|em|font|i|kbd|mark|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]*)?\/?>/gi

function htmlHeading(source: string, start: number): HeadingPlace | undefined {
  const found = htmlTitle.exec(source.slice(start, start + longestHeading))
  const words = found?.[1]!.replace(htmlOfText, (tag) => (/^<(?:br|wbr)/i.test(tag) ? ' ' : ''))
  if (!found || words === undefined || /[<>]/.test(words) || markdownOfMore.test(words)) return undefined
  const end = start + found[0].length
  if (source.slice(end, lineEndAt(source, end)).trim() !== '') return undefined
  const title = decodeEntities(words).replace(/\s+/g, ' ').trim()
  return title === '' ? undefined : { start, end, title }
}

function skipBlankLines(source: string, start: number): number {
  let at = start
  for (;;) {
    const end = lineEndAt(source, at)
    if (end === source.length || source.slice(at, end).trim() !== '')
      return source.slice(at, end).trim() === '' ? end : at
    at = afterBreak(source, end)
  }
}

function withHeading(original: string, place: HeadingPlace, title: string | undefined): string {
  if (title === undefined) return original.slice(0, place.start)
  return original.slice(0, place.start) + headingLine(title) + original.slice(place.end)
}

const headingLine = (title: string): string =>
  `# ${escapeText(title.replace(/\s+/g, ' ').trim(), true).replace(/(^|[ \t])(#+)$/, '$1\\$2')}`.trimEnd()

function withYaml(text: string, head: Head, changes: Record<string, unknown>, lineBreak: string): string {
  if (Object.keys(changes).length === 0) return text
  const raw = head.yaml ? text.slice(head.yaml.start, head.yaml.end) : ''
  const edited = editYaml(raw, changes)
  if (head.yaml) return text.slice(0, head.yaml.start) + closed(edited, lineBreak, 1) + text.slice(head.yaml.end)
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const block = `${mark}---${lineBreak}${edited.replaceAll('\n', lineBreak)}---${lineBreak.repeat(2)}`
  return block + text.slice(mark.length)
}

/** Adds line breaks until a text ends with a line break, or with a blank line if `breaks` is 2. */
function closed(text: string, lineBreak: string, breaks = 2): string {
  if (
    text === '' ||
    text === '\uFEFF' ||
    (breaks === 2 ? /(?:\r\n|\r(?!\n)|\n)[ \t]*(?:\r\n|\r|\n)$/ : /[\r\n]$/).test(text)
  )
    return text
  return closed(text + lineBreak, lineBreak, breaks)
}
