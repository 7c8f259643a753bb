import { spaceRights } from '../access/rights.ts'
import type { ChangeRequestAccess } from '../change-requests/access.ts'
import { listConflicts } from '../change-requests/conflicts/conflicts.ts'
import { presentConflict } from '../change-requests/conflicts/conflicts.present.ts'
import { listBroken } from '../change-requests/merging/merge-rules.ts'
import { findMerger, findToMerge } from '../change-requests/merging/merge.queries.ts'
import { baseOf } from '../change-requests/merging/outcome.ts'
import { type ReviewRow, listReviews } from '../change-requests/reviews/reviews.queries.ts'
import { placeOf } from '../comments/access.ts'
import { readPages } from '../comments/pages.ts'
import type { Entry } from '../content/merge/entry.ts'
import type { OrganizationRow } from '../db/tables.ts'
import { downloadUrl } from '../files/download.ts'
import type { Html } from '../http/html.ts'
import type { App } from '../http/routes.ts'
import { type LoadedChanges, changesBetween } from '../pages/changes.ts'
import { listOverlay } from '../revisions/entries.ts'
import { findLine } from '../revisions/lines.ts'
import { findSiteShowing } from '../sites/queries.ts'
import { changesOnPage, fromAgain } from './changes/changes.load.ts'
import { type FreshTexts, freshTexts } from './changes/fresh-texts.ts'
import { type SoughtPages, pagesSought } from './pages/first-pages.ts'
import type { Person } from '../users/present.ts'
import type { Opener } from '../workspace/open.ts'
import type { PartAsked } from '../workspace/paging.ts'
import { isOpen } from './parts.ts'
import { type Reviewers, loadReviewers } from './reviewers.load.ts'
import { findPast } from './comments/past.ts'
import { type Said, everySaying, loadSaid } from './comments/said.load.ts'
import { drawTexts } from './comments/texts.ts'

/** More than anyone reads on one page. The API lists all. */
const mostOthers = 20

/** Which changes, pages and comments of the change request the user wants to see. */
export interface Asked extends PartAsked {
  sought: string
  /** Where the user was in the list of pages. */
  inList?: string | undefined
  /** How many changes precede the ones shown. */
  from?: number
}

const noPages = { shown: [], more: 0, sought: '', all: 0 }

/** What a reviewer sees. */
export interface Reviewed extends Said, Reviewers {
  organization: OrganizationRow
  access: ChangeRequestAccess
  /** Who merged it, if it is merged. */
  merger: Person | undefined
  rights: ReturnType<typeof spaceRights>
  changes: LoadedChanges
  /** Ids of the pages among the shown changes. */
  pagesShown: ReadonlySet<string>
  fresh: FreshTexts
  openFile: (file: Entry) => string
  reviews: ReviewRow[]
  /** Description, comments and replies as rendered HTML, by their Markdown. */
  texts: ReadonlyMap<string, Html>
  /** What is not there any more, by the comments on it. */
  past: ReadonlyMap<string, string>
  /** `areOpen`: updating from main left conflicts that must be resolved first. */
  conflicts: { count: number; titles: string[]; areOpen: boolean }
  /** What is missing for the current user to merge it, by the rules of the space. Empty if they cannot merge at all. */
  lacks: string[]
  /** The pages of the change request. Empty if the user cannot edit them. */
  pages: SoughtPages
  /** Whether a site can show it. */
  isShown: boolean
  /** Whether users are notified by mail when they are mentioned or asked for a review. */
  sendsMail: boolean
}

export async function loadReviewed(
  app: App,
  access: ChangeRequestAccess,
  caller: Opener,
  asked: Asked,
): Promise<Reviewed> {
  const { changeRequest, space } = access
  const { head } = await findLine(app.db, changeRequest.organization_id, changeRequest.line_id)
  const touched = (await listOverlay(app.db, head)).filter(({ state }) => state !== 2)
  const ids = touched.map(({ entry }) => entry)
  const few = { limit: mostOthers, after: undefined }
  const changes = await changesBetween(app.db, baseOf(head), head, ids, changesOnPage, asked.from)
  const pagesShown = new Set(changes.changes.flatMap((change) => ('page' in change ? [change.page.entry] : [])))
  const [reviews, conflicts, said, reviewers, site, lacks, merger] = await Promise.all([
    listReviews(app.db, changeRequest, {}, few),
    listConflicts(app.db, changeRequest, few),
    loadSaid(app, placeOf(access, caller), { ...asked, filter: { from: fromAgain(changes) } }, [...pagesShown]),
    loadReviewers(app, access, caller),
    findSiteShowing(app.db, caller.membership, space.id, undefined),
    lackedBy(app, access, caller),
    changeRequest.status === 'merged' ? findMerger(app.db, changeRequest) : undefined,
  ])
  const comments = everySaying(said).map(({ comment }) => comment)
  const commented = new Set(comments.flatMap(({ page_id }) => page_id ?? []))
  const tree = await readPages(app, app.db, head, [...commented])
  const titles = conflicts.rows.map((row) => presentConflict(row).entry.title)
  return {
    organization: caller.membership.organization,
    access,
    merger,
    rights: spaceRights(access.role),
    changes,
    pagesShown,
    fresh: await freshTexts(app, head.organizationId, changes),
    openFile: (file) => downloadUrl(app, space.id, file),
    reviews: reviews.rows.slice(0, mostOthers),
    ...said,
    past: await findPast(app, space.organization_id, tree, comments),
    ...reviewers,
    texts: await drawTexts([changeRequest.description ?? '', ...comments.map(({ markdown }) => markdown)]),
    conflicts: { count: conflicts.count, titles: [...new Set(titles)], areOpen: conflicts.rows[0]?.state === 'open' },
    lacks,
    pages: spaceRights(access.role).edit
      ? { ...pagesSought(await app.content.tree(head), asked.sought), at: asked.inList }
      : noPages,
    isShown: site !== undefined,
    sendsMail: app.mail.isOn,
  }
}

async function lackedBy(app: App, access: ChangeRequestAccess, { user }: Opener): Promise<string[]> {
  if (!spaceRights(access.role).merge || !isOpen({ access })) return []
  const row = await findToMerge(app.db, access.changeRequest)
  if (!row) return []
  const broken = await listBroken(app.db, row.rules, { row, reviews: row.reviews ?? [], mergerId: user.id })
  return broken.map(({ message }) => message)
}
