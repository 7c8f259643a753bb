import type { Static } from 'typebox'
import type { PageReads } from './pages-read.ts'
import type { DayRow, MissingRow, SearchesRow } from './queries.ts'
import type { SiteInsightsDay, SiteInsightsMissing, SiteInsightsPage, SiteInsightsSearch } from './schema.ts'
import { others } from './texts.ts'

export const presentDay = (row: DayRow): Static<typeof SiteInsightsDay> => ({
  object: 'site-insights-day',
  day: row.day,
  views: row.views,
  searches: row.searches,
  searchesWithoutResults: row.unfound,
  missing: row.missing,
})

export const presentPageReads = (row: PageReads): Static<typeof SiteInsightsPage> => ({
  object: 'site-insights-page',
  pageId: row.page_id,
  spaceId: row.space_id,
  siteSpaceId: row.siteSpaceId ?? null,
  title: row.title ?? null,
  path: row.path ?? null,
  deleted: row.title === undefined,
  views: row.views,
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
