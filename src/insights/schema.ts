import { pageQuery } from '../http/paging.ts'
import { Nullable, OneOf } from '../http/schemas.ts'
import Type from '../http/type.ts'

const Day = Type.String({ format: 'date', examples: ['2026-11-17'] })

export const InsightsQuery = Type.Object({
  ...pageQuery,
  from: Type.Optional(
    Type.String({ format: 'date', description: 'The first day, in UTC. Default: 30 days up to the last day.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date', description: 'The last day. Default: today.' })),
})

export const SearchInsightsQuery = Type.Object({
  ...InsightsQuery.properties,
  found: Type.Optional(OneOf(['none'] as const, { description: 'Only searches without results.' })),
})

export const SiteInsightsDay = Type.Object(
  {
    object: Type.Literal('site-insights-day'),
    day: Day,
    views: Type.Integer({ description: 'Only pages in spaces that the caller can read.' }),
    searches: Type.Integer(),
    searchesWithoutResults: Type.Integer(),
    missing: Type.Integer({ description: 'The number of requests for missing pages.' }),
  },
  { $id: 'SiteInsightsDay' },
)

const ofPage = {
  pageId: Type.String(),
  spaceId: Type.String(),
  siteSpaceId: Nullable(Type.String({ description: 'null: the space is no longer part of the site.' })),
  title: Nullable(Type.String()),
  path: Nullable(Type.String({ description: 'The current path below the site.' })),
  deleted: Type.Boolean({ description: 'The page no longer exists, and has neither title nor path.' }),
}

export const SiteInsightsPage = Type.Object(
  { object: Type.Literal('site-insights-page'), ...ofPage, views: Type.Integer() },
  { $id: 'SiteInsightsPage' },
)

export const SiteInsightsRating = Type.Object(
  {
    object: Type.Literal('site-insights-rating'),
    ...ofPage,
    helpful: Type.Integer({ description: 'The number of readers who found the page helpful.' }),
    unhelpful: Type.Integer({ description: 'The number of readers who did not.' }),
  },
  { $id: 'SiteInsightsRating' },
)

export const SiteInsightsRemark = Type.Object(
  {
    object: Type.Literal('site-insights-remark'),
    id: Type.String(),
    day: Day,
    ...ofPage,
    text: Type.String({ description: 'Plain text as the reader wrote it, with e-mail addresses removed.' }),
  },
  { $id: 'SiteInsightsRemark' },
)

export const SiteInsightsSearch = Type.Object(
  {
    object: Type.Literal('site-insights-search'),
    words: Nullable(Type.String({ description: 'In lower case. null: all others.' })),
    searches: Type.Integer(),
    searchesWithoutResults: Type.Integer(),
  },
  { $id: 'SiteInsightsSearch' },
)

export const SiteInsightsMissing = Type.Object(
  {
    object: Type.Literal('site-insights-missing'),
    path: Nullable(Type.String({ description: 'In the form of the source of a redirect. null: all others.' })),
    requests: Type.Integer(),
  },
  { $id: 'SiteInsightsMissing' },
)
