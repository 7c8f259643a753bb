import { spaceRights } from '../access/rights.ts'
import type { ChangeRequestAccess } from '../change-requests/access.ts'
import { listConflicts } from '../change-requests/conflicts.ts'
import { presentConflict } from '../change-requests/conflicts.present.ts'
import { baseOf } from '../change-requests/outcome.ts'
import { type ReviewRow, listReviews } from '../change-requests/reviews.queries.ts'
import { placeOf } from '../comments/access.ts'
import { type Comment, listComments, listRepliesTo } from '../comments/queries.ts'
import { type Hunk, diffLines } from '../content/diff.ts'
import type { Entry } from '../content/merge/entry.ts'
import type { App } from '../http/routes.ts'
import { type LoadedChanges, changesBetween } from '../pages/changes.ts'
import type { PageTree } from '../pages/tree.ts'
import { listBodies } from '../revisions/bodies.ts'
import { listOverlay } from '../revisions/entries.ts'
import { findLine } from '../revisions/lines.ts'
import { findSiteShowing } from '../sites/queries.ts'
import type { Opener } from './open.ts'

/** More than anybody reads on one page; the API lists all. */
const mostChanges = 50
const mostOthers = 20
const longestNew = 64 * 1024
const mostSaid = 50
const mostPages = 300

/** What a reviewer looks at. */
export interface Reviewed {
  access: ChangeRequestAccess
  rights: ReturnType<typeof spaceRights>
  changes: LoadedChanges
  /** The text of a new page, as if each line of it was added to an empty one. */
  fresh: ReadonlyMap<string, Hunk[]>
  reviews: ReviewRow[]
  /** What was said, from the first to the last, each with what was replied. */
  said: { comment: Comment; replies: Comment[] }[]
  /** How much more there is, which the API lists. */
  moreSaid: number
  conflicts: { count: number; titles: string[] }
  /** Those that there are, in their order, with how deep each stands; nothing for whoever cannot write them. */
  pages: { shown: { page: Entry; depth: number }[]; more: number }
  /** Whether some site can show it. */
  isShown: boolean
}

export async function loadReviewed(app: App, access: ChangeRequestAccess, caller: Opener): Promise<Reviewed> {
  const { changeRequest, space } = access
  const { head } = await findLine(app.db, changeRequest.organization_id, changeRequest.line_id)
  const touched = (await listOverlay(app.db, head)).filter(({ state }) => state !== 2)
  const ids = touched.map(({ entry }) => entry)
  const few = { limit: mostOthers, after: undefined }
  const place = placeOf(access, caller)
  const everything = { order: 'asc', status: 'all', pageId: undefined, authors: undefined } as const
  const [changes, reviews, conflicts, comments, site] = await Promise.all([
    changesBetween(app.db, baseOf(head), head, ids, mostChanges),
    listReviews(app.db, changeRequest, {}, few),
    listConflicts(app.db, changeRequest, few),
    listComments(app.db, place, everything, { limit: mostSaid, after: undefined }),
    findSiteShowing(app.db, caller.membership, space.id, undefined),
  ])
  const said = comments.rows.slice(0, mostSaid)
  const answered = said.filter(({ replies }) => replies > 0).map(({ id }) => id)
  const replies = Map.groupBy(await listRepliesTo(app.db, place, answered, mostSaid), ({ parent_id }) => parent_id!)
  const titles = conflicts.rows.map((row) => presentConflict(row).entry.title)
  return {
    access,
    rights: spaceRights(access.role),
    changes,
    fresh: await freshTexts(app, head.organizationId, changes),
    reviews: reviews.rows.slice(0, mostOthers),
    said: said.map((comment) => ({ comment, replies: replies.get(comment.id) ?? [] })),
    moreSaid: Math.max(0, comments.count - said.length),
    conflicts: { count: conflicts.count, titles: [...new Set(titles)] },
    pages: spaceRights(access.role).edit ? firstPages(await app.content.tree(head)) : { shown: [], more: 0 },
    isShown: site !== undefined,
  }
}

async function freshTexts(app: App, organizationId: string, { changes }: LoadedChanges): Promise<Map<string, Hunk[]>> {
  const made = changes.flatMap((change) =>
    change.type === 'page_created' && change.page.doc !== null ? [{ id: change.page.entry, doc: change.page.doc }] : [],
  )
  const docs = made.map(({ doc }) => doc)
  const bodies = new Map((await listBodies(app.db, organizationId, docs)).map((each) => [each.hash, each.markdown]))
  return new Map(made.map(({ id, doc }) => [id, diffLines('', (bodies.get(doc) ?? '').slice(0, longestNew))]))
}

function firstPages(tree: PageTree): Reviewed['pages'] {
  const shown: Reviewed['pages']['shown'] = []
  const walk = (siblings: readonly Entry[], depth: number): void => {
    for (const page of siblings) {
      if (shown.length === mostPages) return
      shown.push({ page, depth })
      walk(tree.childrenOf(page.entry), depth + 1)
    }
  }
  walk(tree.roots, 0)
  return { shown, more: tree.byId.size - shown.length }
}
