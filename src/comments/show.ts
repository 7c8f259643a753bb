import type { Static } from 'typebox'
import type { Db } from '../db/connect.ts'
import type { App } from '../http/routes.ts'
import type { Place } from './place.ts'
import { type TargetPage, presentComment, presentReply } from './present.ts'
import { findOutdated, readPages } from './pages.ts'
import type { Comment as Row } from './queries.ts'
import { type Reaction, listReactions } from './reactions.queries.ts'
import type { Comment, CommentReply, Format } from './schema.ts'
import { describe } from './target.ts'

/** Returns a comment as its reader sees it. */
export async function showComment(app: App, db: Db, place: Place, row: Row, format?: Format) {
  return (await commentPresenter(app, db, place, [row], format))(row)
}

/**
 * Returns a function that presents these comments, with the reactions to them and the current state of the pages they
 * are about.
 */
export async function commentPresenter(
  app: App,
  db: Db,
  place: Place,
  rows: Row[],
  format: Format = 'markdown',
): Promise<(row: Row) => Static<typeof Comment>> {
  const [reactions, pages] = await Promise.all([reactionsTo(db, place, rows), pagesOf(app, db, place, rows)])
  return (row) => presentComment(row, pages.get(row.id), { place, format, url: app.url, reactions: reactions(row) })
}

export async function showReply(app: App, db: Db, place: Place, row: Row, format?: Format) {
  return (await replyPresenter(app, db, place, [row], format))(row)
}

export async function replyPresenter(
  app: App,
  db: Db,
  place: Place,
  rows: Row[],
  format: Format = 'markdown',
): Promise<(row: Row) => Static<typeof CommentReply>> {
  const reactions = await reactionsTo(db, place, rows)
  return (row) => presentReply(row, { place, format, url: app.url, reactions: reactions(row) })
}

async function reactionsTo(db: Db, { organizationId }: Place, rows: Row[]): Promise<(row: Row) => Reaction[]> {
  const ids = rows.map(({ id }) => id)
  const byComment = Map.groupBy(await listReactions(db, organizationId, ids), ({ comment_id }) => comment_id)
  return ({ id }) => byComment.get(id) ?? []
}

/** Returns the page that each comment is about. A page that is gone is described as it was. */
async function pagesOf(app: App, db: Db, { at }: Place, rows: Row[]): Promise<ReadonlyMap<string, TargetPage>> {
  const tree = await readPages(app, db, at, [...new Set(rows.flatMap(({ page_id }) => page_id ?? []))])
  const outdated = await findOutdated(app, tree, rows)
  const pages = new Map<string, TargetPage>()
  for (const { id, page_id, page } of rows) {
    if (page_id === null || !page) continue
    const entry = tree.byId.get(page_id)
    pages.set(
      id,
      entry
        ? { id: page_id, ...describe(tree, entry), outdated: outdated.has(id) }
        : { id: page_id, ...page, outdated: true },
    )
  }
  return pages
}
