import { readPages } from '../../comments/pages.ts'
import type { Place } from '../../comments/place.ts'
import type { Comment } from '../../comments/queries.ts'
import type { App } from '../../http/routes.ts'
import { listBodies } from '../../revisions/bodies.ts'
import { quoteOf, wordsIn } from './changed-lines.ts'

/**
 * Returns the ids of comments whose quoted line has changed since. The quote itself stays, because that is what its
 * author commented on.
 */
export async function findPastLines(
  app: App,
  place: Place,
  comments: readonly Comment[],
): Promise<ReadonlySet<string>> {
  const quoting = comments.filter(({ node, page_id, markdown }) => node && page_id && markdown.startsWith('> `'))
  const tree = await readPages(app, app.db, place.at, [...new Set(quoting.map(({ page_id }) => page_id!))])
  const doubtful = quoting.flatMap(({ id, page_id, node_doc, markdown }) => {
    const doc = tree.byId.get(page_id!)?.doc
    return doc && doc !== node_doc ? [{ id, doc, quote: markdown.split('\n', 1)[0]! }] : []
  })
  const bodies = await listBodies(app.db, place.organizationId, [...new Set(doubtful.map(({ doc }) => doc))])
  const lines = new Map(bodies.map(({ hash, markdown }) => [hash, markdown.split('\n').map(wordsIn)]))
  const isPast = ({ doc, quote }: { doc: string; quote: string }) =>
    !lines.get(doc)?.some((text) => text !== '' && quote.includes(text) && quoteOf({ text }) === quote)
  return new Set(doubtful.filter(isPast).map(({ id }) => id))
}
