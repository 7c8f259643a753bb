import { everyBlock } from '../content/blocks.ts'
import type { Db } from '../db/connect.ts'
import type { App } from '../http/routes.ts'
import { findMadePages } from '../links/made.ts'
import { isDerived } from '../openapi/generate/expand.ts'
import { PageTree } from '../pages/tree.ts'
import { listWithAncestors, page } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Comment } from './queries.ts'

/** Enough to make full use of the connection to the database, and no more than fits into memory. */
const bodiesAtOnce = 16

/**
 * Returns a tree with those of these pages that exist, and all pages above them. If the whole tree of the revision is
 * cached, returns that, without a statement.
 */
export async function readPages(app: App, db: Db, at: Revision, ids: string[]): Promise<PageTree> {
  if (ids.some(isDerived)) return withMadePages(app, at, ids)
  const known = await app.content.knownTree(at)
  if (known || ids.length === 0) return known ?? PageTree.of([])
  const found = await listWithAncestors(db, at, ids)
  return PageTree.of(found.filter(({ kind }) => kind === page))
}

/**
 * Includes the pages that are generated from specifications. The pages that request them are not part of that tree, so
 * they are added again.
 */
async function withMadePages(app: App, at: Revision, ids: readonly string[]): Promise<PageTree> {
  const [written, made] = await Promise.all([app.content.tree(at), findMadePages(app, at)])
  if (!made) return written
  return made.tree.with(ids.flatMap((id) => (made.tree.byId.has(id) ? [] : (written.byId.get(id) ?? []))))
}

/**
 * Returns the ids of the comments on blocks whose block no longer exists. As long as a page has the body that was
 * commented on, its blocks exist: only bodies that have changed since are examined.
 */
export async function findOutdated(app: App, tree: PageTree, rows: Comment[]): Promise<ReadonlySet<string>> {
  const doubtful = rows.flatMap(({ id, organization_id, page_id, node, node_doc }) => {
    const entry = page_id === null ? undefined : tree.byId.get(page_id)
    return entry && node !== null && entry.doc !== node_doc ? [{ id, organization_id, node, doc: entry.doc }] : []
  })
  const outdated = new Set<string>()
  const bodies = [...Map.groupBy(doubtful, ({ doc }) => doc)]
  while (bodies.length > 0) {
    const some = bodies.splice(0, bodiesAtOnce).map(async ([doc, about]) => {
      const keys = await listKeys(app, about[0]!.organization_id, doc)
      for (const { id, node } of about) if (!keys.has(node)) outdated.add(id)
    })
    await Promise.all(some)
  }
  return outdated
}

async function listKeys(app: App, organizationId: string, doc: string | null): Promise<ReadonlySet<string>> {
  const { blocks } = await app.content.document(organizationId, doc)
  return new Set(everyBlock(blocks).map(({ key = '' }) => key))
}
