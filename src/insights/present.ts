import type { Static } from 'typebox'
import type { OfPage } from './pages-read.ts'
import type { DayRow, MissingRow, PageViewsRow, RatingsRow, RemarkRow, SearchesRow } from './queries.ts'
import type {
  SiteInsightsDay,
  SiteInsightsMissing,
  SiteInsightsPage,
  SiteInsightsRating,
  SiteInsightsRemark,
  SiteInsightsSearch,
} from './schema.ts'
import { others } from './texts.ts'

export const presentDay = (row: DayRow): Static<typeof SiteInsightsDay> => ({
  object: 'site-insights-day',
  day: row.day,
  views: row.views,
  searches: row.searches,
  searchesWithoutResults: row.unfound,
  missing: row.missing,
})

export const presentPageReads = (row: OfPage<PageViewsRow>): Static<typeof SiteInsightsPage> => ({
  object: 'site-insights-page',
  ...presentOfPage(row),
  views: row.views,
})

export const presentRatings = (row: OfPage<RatingsRow>): Static<typeof SiteInsightsRating> => ({
  object: 'site-insights-rating',
  ...presentOfPage(row),
  helpful: row.helpful,
  unhelpful: row.unhelpful,
})

export const presentRemark = (row: OfPage<RemarkRow>): Static<typeof SiteInsightsRemark> => ({
  object: 'site-insights-remark',
  id: row.id,
  day: row.day,
  ...presentOfPage(row),
  text: row.text,
})

const presentOfPage = (row: OfPage<{ space_id: string; page_id: string }>) => ({
  pageId: row.page_id,
  spaceId: row.space_id,
  siteSpaceId: row.siteSpaceId ?? null,
  title: row.title ?? null,
  path: row.path ?? null,
  deleted: row.title === undefined,
})

export const presentSearch = (row: SearchesRow): Static<typeof SiteInsightsSearch> => ({
  object: 'site-insights-search',
  words: row.words === others ? null : row.words,
  searches: row.searches,
  searchesWithoutResults: row.unfound,
})

export const presentMissing = (row: MissingRow): Static<typeof SiteInsightsMissing> => ({
  object: 'site-insights-missing',
  path: row.path === others ? null : row.path,
  requests: row.requests,
})
