import { findOutdated } from '../../comments/pages.ts'
import type { Comment } from '../../comments/queries.ts'
import type { PageTree } from '../../pages/tree.ts'
import type { App } from '../../http/routes.ts'
import { listBodies } from '../../revisions/bodies.ts'
import { quoteOf, wordsIn } from './changed-lines.ts'

/**
 * Says of comments, by their id, that what they are about is not there any more. What their author read stays beside
 * them, as a quote or a preview. `tree` has those of their pages that exist.
 */
export async function findPast(
  app: App,
  organizationId: string,
  tree: PageTree,
  comments: readonly Comment[],
): Promise<ReadonlyMap<string, string>> {
  const onPages = comments.filter(({ page_id }) => page_id !== null)
  const [gone, there] = [false, true].map((is) => onPages.filter(({ page_id }) => tree.byId.has(page_id!) === is))
  const [quoting, others] = [true, false].map((is) => there!.filter((comment) => isQuoting(comment) === is))
  const [lines, blocks] = await Promise.all([
    findPastLines(app, organizationId, tree, quoting!),
    findOutdated(app, tree, others!),
  ])
  return new Map([
    ...gone!.map(({ id }) => [id, 'this page has been deleted'] as const),
    ...[...blocks].map((id) => [id, 'this text has changed since'] as const),
    ...lines.map((id) => [id, 'this line has changed since'] as const),
  ])
}

const isQuoting = ({ node, markdown }: Comment) => node !== null && markdown.startsWith('> `')

/** A block may be the same while one of its lines is not, and the other way round: the quoted line is searched for. */
async function findPastLines(
  app: App,
  organizationId: string,
  tree: PageTree,
  quoting: readonly Comment[],
): Promise<string[]> {
  const doubtful = quoting.flatMap(({ id, page_id, node_doc, markdown }) => {
    const doc = tree.byId.get(page_id!)?.doc
    return doc && doc !== node_doc ? [{ id, doc, quote: markdown.split('\n', 1)[0]! }] : []
  })
  const bodies = await listBodies(app.db, organizationId, [...new Set(doubtful.map(({ doc }) => doc))])
  const lines = new Map(bodies.map(({ hash, markdown }) => [hash, markdown.split('\n').map(wordsIn)]))
  const isPast = ({ doc, quote }: { doc: string; quote: string }) =>
    !lines.get(doc)?.some((text) => text !== '' && quote.includes(text) && quoteOf({ text }) === quote)
  return doubtful.filter(isPast).map(({ id }) => id)
}
