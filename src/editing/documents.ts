import { fromDocument } from '../content/from-document.ts'
import { limits } from '../content/limits.ts'
import type { LinkPlace } from '../content/links.ts'
import { derive } from '../derived/derive.ts'
import { type PageSource, readPageSource } from '../pages/source.ts'
import type { ChangePath } from './refusals.ts'

/** The text of a change, as it was sent. */
export type SentDocument = { markdown?: string; document?: object }

/** A text that was sent, parsed once and before anything is locked: parsing takes longer than writing. */
export interface WrittenDocument {
  /** What the text says about its page. Empty if it was sent as blocks. */
  fields: PageSource['fields']
  body: string
  /** The part above the body. Undefined keeps the stored one. */
  source: string | undefined
  links: LinkPlace[]
  /** Set if it was sent as blocks: the Markdown was generated from them, not written by the sender. */
  isBlocks?: true
}

/** Reads the document of a page: the part above its body becomes fields. Returns undefined for `{}`. */
export function readPage(sent: SentDocument, path: ChangePath): WrittenDocument | undefined {
  const text = textOf(sent, path)
  if (text === undefined) return undefined
  if (sent.markdown === undefined) return asBlocks(text)
  const { fields, body, source } = readPageSource(text)
  return { fields, body, source, links: linksOf(body) }
}

/** Reads the document of a reusable content: a heading at the top is a part of the text. */
export function readPiece(sent: SentDocument, path: ChangePath): WrittenDocument | undefined {
  const body = textOf(sent, path)
  if (body === undefined) return undefined
  return sent.markdown === undefined ? asBlocks(body) : asWritten(body)
}

/** A text that says nothing about a page. */
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

/**
 * The links that may lead to content of this installation: without a scheme and a host, or with a path that this
 * installation has. Links to an anchor alone are left out.
 */
export function linksOf(body: string): LinkPlace[] {
  if (!mayHoldLinks(body)) return []
  return derive(body).links.filter(({ href, kind }) => kind !== 'embed' && kind !== 'openapi' && mayBeInside(href))
}

/**
 * Every way to write a link, or a block that leads somewhere, contains one of these. A text without them is not parsed
 * for links.
 */
const mayHoldLinks = (body: string) => /[[<]|\{%|:\/\//.test(body)

const mayBeInside = (href: string) =>
  !/^([a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(href) || /^https?:\/\/[^?#]+\/(app|v1|files)\//i.test(href)
