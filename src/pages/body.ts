import type { Static } from 'typebox'
import { pageWithId } from '../audience/pages.ts'
import type { Entry } from '../content/merge/entry.ts'
import { exchangeAddresses, linksWithRepeated } from '../content/links.ts'
import { withoutLost } from '../content/lost.ts'
import { type Document, parse } from '../content/parse.ts'
import { toDocument } from '../content/to-document.ts'
import { write } from '../content/write.ts'
import type { App } from '../http/routes.ts'
import { listEntries, page, reusable } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Content } from './access.ts'
import { type Refs, pageData, refsOf } from './entry-data.ts'
import { dereference, evaluateFor } from './evaluate.ts'
import { writeHtml } from './html-links.ts'
import { bindingIn, namedIn, partsOf, referenceTo } from './references.ts'
import { refsNow } from './refs-now.ts'
import type { PageQuery } from './schema.ts'
import { writePageSource } from './source.ts'
import { boundIds, withStableLinks } from './stable-links.ts'

type Where = Pick<Content, 'at' | 'shown'>
type Placed = Where & Pick<Content, 'space' | 'appUrl'>

type Query = Pick<Static<typeof PageQuery>, 'format' | 'format.markdown.refs' | 'evaluated' | 'dereferenced'>

/** Returns what `format` adds to a page. Only documents have a body. */
export async function presentBody(app: App, content: Placed, entry: Entry, markdown: string, query: Query) {
  const { format } = query
  if (format === undefined || pageData(entry).type !== 'document') return {}
  if (format === 'document') {
    return { document: await readBlocks(app, content, entry, query, markdown) }
  }
  const body = await presentText(app, content, entry, markdown, query, format)
  return 'markdown' in body ? { markdown: writePageSource(headFor(content, entry), body.markdown) } : body
}

/** Returns the fields above a body. A visitor gets neither variables nor what else the authors wrote there. */
function headFor({ shown }: Where, entry: Entry): Parameters<typeof writePageSource>[0] {
  if (!shown) return pageData(entry)
  const { source: _source, variables: _variables, ...head } = pageData(entry)
  return head
}

/** Returns a body as text. Unless the query asks for changes, it is returned as written, byte for byte. */
export async function presentText(
  app: App,
  content: Placed,
  entry: Entry,
  markdown: string,
  query: Query,
  format: 'markdown' | 'html',
): Promise<{ markdown: string } | { html: string }> {
  const isStable = query['format.markdown.refs'] === 'stable'
  if (format === 'markdown' && !isStable && !isChanged(query) && !content.shown) return { markdown }

  const document = await readDocument(app, content, entry, query, markdown)
  if (format === 'html') return { html: await writeHtml(app, content, entry, document.blocks) }
  return { markdown: write(document) }
}

/** Returns the body of an entry in the `document` format. */
export async function readBlocks(app: App, content: Where, entry: Entry, query: Query, markdown?: string) {
  const [document, refs] = await Promise.all([
    readDocument(app, content, entry, query, markdown),
    refsIn(app, content, entry),
  ])
  return presentDocument(document, refs)
}

const refsIn = (app: App, { at, shown }: Where, entry: Entry) =>
  refsNow(app.db, at, refsOf(entry), (id) => !shown || shown.tree.byId.has(id))

/** Returns the body of an entry as a tree, evaluated if the query asks for it. */
async function readDocument(
  app: App,
  { at, shown }: Where,
  entry: Entry,
  query: Query,
  markdown?: string,
): Promise<Document> {
  const document = await readSource(app, { at, shown }, entry, query, markdown)
  // For a visitor it is always evaluated, so that they never see what a condition hides from them.
  if (shown) {
    const reader = { ...shown, seesPage: (id: string) => shown.tree.byId.has(id) }
    const evaluated = await evaluateFor(app, at, entry, document, reader)
    const isLost = await lostFor(app, at, shown, entry)
    return withoutAddresses(withoutLost(evaluated, isLost), isLost)
  }
  const { evaluated, dereferenced } = query
  if (isEvaluated(query)) return evaluateFor(app, at, entry, document, evaluated === 'true' ? 'hidden' : 'kept')
  if (!isChanged(query)) return document
  return dereference(app, at, entry, document, dereferenced === 'true' ? 'all' : 'reusable-contents')
}

/**
 * Returns a function that checks whether an address in a text leads to something that the visitor may not see, in this
 * or another space of the site.
 */
async function lostFor(app: App, at: Revision, { tree, spaces, scope }: NonNullable<Content['shown']>, entry: Entry) {
  const contents = await app.content.entries(at, reusable)
  const refs: Refs = Object.assign({}, ...contents.map(refsOf), refsOf(entry))
  const named = new Set(Object.keys(refs).flatMap((address) => bindingIn(refs, address)?.space ?? []))
  const shown = [...spaces].filter(([space, { lineId }]) => named.has(space) && lineId !== at.lineId)
  const others = new Map(
    await Promise.all(shown.map(async ([space, head]) => [space, await app.audience.pages(head)] as const)),
  )
  return (href: string): boolean => {
    const { address } = partsOf(href)
    const { kind, id, space } = bindingIn(refs, address) ?? namedIn(address) ?? {}
    const head = space === undefined ? at : spaces.get(space)
    if (!head) return true
    if (kind !== 'page' || id === undefined) return false
    if (head.lineId === at.lineId) return !tree.byId.has(id)
    const pages = others.get(space!)
    return pages !== undefined && !pageWithId(pages, { scope, isKnown: false }, id)
  }
}

/** Keeps the text of links whose target this reader may not see, but removes their address. */
function withoutAddresses(document: Document, isLost: (href: string) => boolean): Document {
  const whole = document.blocks === document.parsed ? document : parse(write(document))
  const places = linksWithRepeated(whole)
  if (!places.some(({ href }) => isLost(href))) return document
  return parse(exchangeAddresses(whole, places, ({ href }) => (isLost(href) ? '#' : undefined)))
}

/** Returns the body as written, or with links by id if the query asks for them. */
async function readSource(app: App, { at, shown }: Where, entry: Entry, query: Query, markdown?: string) {
  const document = await app.content.document(at.organizationId, entry.doc, markdown)
  if (query.format !== 'markdown' || query['format.markdown.refs'] !== 'stable') return document
  const refs = await refsIn(app, { at, shown }, entry)
  const targets = await listEntries(app.db, at, boundIds(refs))
  const here = targets.filter(({ kind, entry }) => kind !== page || !shown || shown.tree.byId.has(entry))
  const text = withStableLinks(document, refs, new Set(here.map(({ entry }) => entry)))
  return text === document.source ? document : parse(text)
}

export const isEvaluated = ({ evaluated = 'false' }: Query) => evaluated !== 'false'

const isChanged = (query: Query) => isEvaluated(query) || (query.dereferenced ?? 'false') !== 'false'

export function presentDocument(document: Document, refs: Refs = {}) {
  return toDocument(document.blocks, { ref: (href) => referenceTo(href, refs) })
}
