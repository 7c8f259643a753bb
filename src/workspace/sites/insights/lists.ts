import type { Caller, Membership } from '../../../access/caller.ts'
import { readPath } from '../../../audience/addresses.ts'
import type { Db } from '../../../db/connect.ts'
import type { Page } from '../../../http/paging.ts'
import type { App } from '../../../http/routes.ts'
import { type OfPage, describePages } from '../../../insights/pages-read.ts'
import {
  type MissingRow,
  type PageViewsRow,
  type RatingsRow,
  type RemarkRow,
  type SearchesRow,
  type Span,
  listMissing,
  listPageViews,
  listRatings,
  listRemarks,
  listSearches,
} from '../../../insights/queries.ts'
import type { SiteAccess } from '../../../sites/access.ts'
import { type SiteKey, listRolesIn } from '../../../sites/queries.ts'
import type { MissingPath } from './rows.ts'

type Load<Row> = (page: Page) => Promise<{ rows: Row[]; count: number }>

type ListOfPages<Row> = (
  db: Db,
  member: Membership,
  site: SiteKey,
  span: Span,
  page: Page,
) => Promise<{ rows: Row[]; count: number }>

interface InsightsLists {
  pages: Load<OfPage<PageViewsRow>>
  ratings: Load<OfPage<RatingsRow>>
  remarks: Load<OfPage<RemarkRow>>
  searches: Load<SearchesRow>
  unfound: Load<SearchesRow>
  missing: Load<MissingPath>
}

/** What was counted for a site in this period, as the API lists it, with some additions for people. */
export function listsFor(app: App, caller: Caller, { site, membership }: SiteAccess, span: Span): InsightsLists {
  const described =
    <Row extends { space_id: string; page_id: string }>(list: ListOfPages<Row>): Load<OfPage<Row>> =>
    async (page) => {
      const { rows, count } = await list(app.db, membership, site, span, page)
      return { rows: await describePages(app, caller, site, rows), count }
    }
  return {
    pages: described(listPageViews),
    ratings: described(listRatings),
    remarks: described(listRemarks),
    searches: (page) => listSearches(app.db, site, span, false, page),
    unfound: (page) => listSearches(app.db, site, span, true, page),
    async missing(page) {
      const { rows, count } = await listMissing(app.db, site, span, page)
      return { rows: await asTheyAreNow(app, { site, membership }, rows), count }
    },
  }
}

/** Adds whether each path leads somewhere by now, as far as the current user may see the content there. */
async function asTheyAreNow(
  app: App,
  { site, membership }: Pick<SiteAccess, 'site' | 'membership'>,
  rows: MissingRow[],
): Promise<MissingPath[]> {
  const [snapshot, roles] = await Promise.all([
    app.audience.snapshots.get(site.id),
    listRolesIn(app.db, membership, site.id),
  ])
  const visitor = { scope: undefined, isKnown: false, spaces: new Set(roles.keys()) }
  const now = async (row: MissingRow): Promise<MissingPath> => {
    const asked = readPath(row.path.slice(1))
    const found = snapshot && asked && (await app.audience.resolve(snapshot, visitor, asked))
    return { ...row, leadsOn: found !== undefined && found.kind !== 'missing' }
  }
  return Promise.all(rows.map(now))
}
