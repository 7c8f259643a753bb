import type { Static } from 'typebox'
import type { Entry } from '../content/merge/entry.ts'
import { type Document, parse } from '../content/parse.ts'
import { toDocument } from '../content/to-document.ts'
import { write } from '../content/write.ts'
import type { App } from '../http/routes.ts'
import { listEntries, page } from '../revisions/entries.ts'
import type { Content } from './access.ts'
import { pageData, refsOf } from './entry-data.ts'
import { dereference, evaluateFor } from './evaluate.ts'
import { writeHtml } from './html-links.ts'
import { referenceTo } from './references.ts'
import type { PageQuery } from './schema.ts'
import { writePageSource } from './source.ts'
import { boundIds, withStableLinks } from './stable-links.ts'

type Where = Pick<Content, 'at' | 'shown'>
type Placed = Where & Pick<Content, 'space' | 'appUrl'>

type Query = Pick<Static<typeof PageQuery>, 'format' | 'format.markdown.refs' | 'evaluated' | 'dereferenced'>

/** What `format` adds to a page. Only documents have a body. */
export async function presentBody(app: App, content: Placed, entry: Entry, markdown: string, query: Query) {
  const { format } = query
  if (format === undefined || pageData(entry).type !== 'document') return {}
  if (format === 'document') {
    return { document: presentDocument(await readDocument(app, content, entry, query, markdown), entry) }
  }
  const body = await presentText(app, content, entry, markdown, query, format)
  return 'markdown' in body ? { markdown: writePageSource(pageData(entry), body.markdown) } : body
}

/** A body as text. What nobody asked to change is what was written, byte for byte. */
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

/** The body of an entry as a tree, evaluated where that was asked for. */
export async function readDocument(
  app: App,
  { at, shown }: Where,
  entry: Entry,
  query: Query,
  markdown?: string,
): Promise<Document> {
  const document = await readSource(app, { at, shown }, entry, query, markdown)
  // A visitor is never told what a condition hides from them: theirs is always evaluated.
  if (shown) return evaluateFor(app, at, entry, document, { ...shown, seesPage: (id) => shown.tree.byId.has(id) })
  const { evaluated, dereferenced } = query
  if (isEvaluated(query)) return evaluateFor(app, at, entry, document, evaluated === 'true' ? 'hidden' : 'kept')
  if (!isChanged(query)) return document
  return dereference(app, at, entry, document, dereferenced === 'true' ? 'all' : 'reusable-contents')
}

/** As it was written; where links by id were asked for, with those. */
async function readSource(app: App, { at, shown }: Where, entry: Entry, query: Query, markdown?: string) {
  const document = await app.content.document(at.organizationId, entry.doc, markdown)
  if (query.format !== 'markdown' || query['format.markdown.refs'] !== 'stable') return document
  const refs = refsOf(entry)
  const targets = await listEntries(app.db, at, boundIds(refs))
  const here = targets.filter(({ kind, entry }) => kind !== page || !shown || shown.tree.byId.has(entry))
  const text = withStableLinks(document, refs, new Set(here.map(({ entry }) => entry)))
  return text === document.source ? document : parse(text)
}

export const isEvaluated = ({ evaluated = 'false' }: Query) => evaluated !== 'false'

const isChanged = (query: Query) => isEvaluated(query) || (query.dereferenced ?? 'false') !== 'false'

export function presentDocument(document: Document, entry?: Entry) {
  const refs = entry ? refsOf(entry) : {}
  return toDocument(document.blocks, { ref: (href) => referenceTo(href, refs) })
}
