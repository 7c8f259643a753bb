import type { Static } from 'typebox'
import type { Entry } from '../content/merge/entry.ts'
import type { Document } from '../content/parse.ts'
import { toDocument } from '../content/to-document.ts'
import { toHtml } from '../content/to-html.ts'
import { write } from '../content/write.ts'
import type { App } from '../http/routes.ts'
import type { Revision } from '../revisions/revision.ts'
import { pageData, refsOf } from './entry-data.ts'
import { evaluateFor } from './evaluate.ts'
import { referenceTo } from './references.ts'
import type { PageQuery } from './schema.ts'
import { writePageSource } from './source.ts'

type Query = Pick<Static<typeof PageQuery>, 'format' | 'evaluated'>

/** What `format` adds to a page. Only documents have a body. */
export async function presentBody(app: App, at: Revision, entry: Entry, markdown: string, query: Query) {
  const { format } = query
  if (format === undefined || pageData(entry).type !== 'document') return {}
  if (format === 'markdown' && !isEvaluated(query)) return { markdown: writePageSource(pageData(entry), markdown) }

  const document = await readDocument(app, at, entry, query, markdown)
  if (format === 'markdown') return { markdown: writePageSource(pageData(entry), write(document)) }
  if (format === 'html') return { html: toHtml(document.blocks) }
  return { document: presentDocument(document, entry) }
}

/** The body of an entry as a tree, evaluated where that was asked for. */
export async function readDocument(
  app: App,
  at: Revision,
  entry: Entry,
  query: Query,
  markdown?: string,
): Promise<Document> {
  const document = await app.content.document(at.organizationId, entry.doc, markdown)
  if (!isEvaluated(query)) return document
  return evaluateFor(app, at, entry, document, query.evaluated === 'true' ? 'hidden' : 'kept')
}

export const isEvaluated = ({ evaluated = 'false' }: Query) => evaluated !== 'false'

export function presentDocument(document: Document, entry?: Entry) {
  const refs = entry ? refsOf(entry) : {}
  return toDocument(document.blocks, { ref: (href) => referenceTo(href, refs) })
}
