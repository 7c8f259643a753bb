import { fromDocument } from '../content/from-document.ts'
import { limits } from '../content/limits.ts'
import type { LinkPlace } from '../content/links.ts'
import { derive } from '../derived/derive.ts'
import { type PageSource, readPageSource } from '../pages/source.ts'
import type { ChangePath } from './refusals.ts'

/** Text as a change brings it. */
export type SentDocument = { markdown?: string; document?: object }

/** What was sent, read once and before anything is locked: parsing takes longer than writing. */
export interface WrittenDocument {
  /** What the text says about its page; nothing where it came as blocks. */
  fields: PageSource['fields']
  body: string
  /** What stood above the body; undefined leaves what is kept. */
  source: string | undefined
  links: LinkPlace[]
  /** It came as blocks: how they are written is not what was sent. */
  isBlocks?: true
}

/** A page: what stands above its body becomes fields. `{}` is no document. */
export function readPage(sent: SentDocument, path: ChangePath): WrittenDocument | undefined {
  const text = textOf(sent, path)
  if (text === undefined) return undefined
  if (sent.markdown === undefined) return asBlocks(text)
  const { fields, body, source } = readPageSource(text)
  return { fields, body, source, links: linksOf(body) }
}

/** A reusable content: a heading in it is a part of it. */
export function readPiece(sent: SentDocument, path: ChangePath): WrittenDocument | undefined {
  const body = textOf(sent, path)
  if (body === undefined) return undefined
  return sent.markdown === undefined ? asBlocks(body) : asWritten(body)
}

/** Without a word about a page. */
export const asWritten = (body: string): WrittenDocument => ({
  fields: {},
  body,
  source: undefined,
  links: linksOf(body),
})

const asBlocks = (body: string): WrittenDocument => ({ ...asWritten(body), isBlocks: true })

function textOf({ markdown, document }: SentDocument, path: ChangePath): string | undefined {
  if (markdown !== undefined && document !== undefined) {
    throw path.invalid('document', 'oneOf', 'either Markdown or a document, not both')
  }
  if (markdown !== undefined) return withinLimit(markdown, 'document.markdown', path)
  if (document === undefined) return undefined
  const read = fromDocument(document)
  if ('markdown' in read) return withinLimit(read.markdown, 'document.document', path)
  const [problem] = read.problems
  const place = problem?.path.replace(/\[(\d+)\]/g, '.$1')
  throw path.invalid(
    `document.document${place ? `.${place}` : ''}`,
    'document',
    problem?.message ?? 'is not a document',
  )
}

function withinLimit(text: string, field: string, path: ChangePath): string {
  if (Buffer.byteLength(text) <= limits.sourceBytes) return text
  throw path.invalid(field, 'maxBytes', `at most ${limits.sourceBytes} bytes`)
}

/** Those that may lead to content here: no scheme and no host, or a path that this installation has. Not only an anchor. */
export function linksOf(body: string): LinkPlace[] {
  if (!mayHoldLinks(body)) return []
  return derive(body).links.filter(({ href, kind }) => kind !== 'embed' && kind !== 'openapi' && mayBeInside(href))
}

/** Every way to write a link, or a block that leads somewhere, has one of these: what has none is not parsed for it. */
const mayHoldLinks = (body: string) => /[[<]|\{%|:\/\//.test(body)

const mayBeInside = (href: string) =>
  !/^([a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(href) || /^https?:\/\/[^?#]+\/(app|v1|files)\//i.test(href)
