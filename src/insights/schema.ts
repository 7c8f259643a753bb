import { pageQuery } from '../http/paging.ts'
import { Nullable, OneOf } from '../http/schemas.ts'
import Type from '../http/type.ts'

const Day = Type.String({ format: 'date', examples: ['2026-11-17'] })

export const InsightsQuery = Type.Object({
  ...pageQuery,
  from: Type.Optional(
    Type.String({ format: 'date', description: 'The first day, in UTC. Left out: thirty days up to the last one.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date', description: 'The last day. Left out: today.' })),
})

export const SearchInsightsQuery = Type.Object({
  ...InsightsQuery.properties,
  found: Type.Optional(OneOf(['none'] as const, { description: 'Only words for which nothing was found.' })),
})

export const SiteInsightsDay = Type.Object(
  {
    object: Type.Literal('site-insights-day'),
    day: Day,
    views: Type.Integer({ description: 'Of pages in spaces that the caller may read.' }),
    searches: Type.Integer(),
    searchesWithoutResults: Type.Integer(),
    missing: Type.Integer({ description: 'How often somebody came to an address that leads nowhere.' }),
  },
  { $id: 'SiteInsightsDay' },
)

const ofPage = {
  pageId: Type.String(),
  spaceId: Type.String(),
  siteSpaceId: Nullable(Type.String({ description: 'null: the space does not stand in the site any more.' })),
  title: Nullable(Type.String()),
  path: Nullable(Type.String({ description: 'Below the site, as it is now.' })),
  deleted: Type.Boolean({ description: 'The page is gone: then it has neither title nor path.' }),
}

export const SiteInsightsPage = Type.Object(
  { object: Type.Literal('site-insights-page'), ...ofPage, views: Type.Integer() },
  { $id: 'SiteInsightsPage' },
)

export const SiteInsightsRating = Type.Object(
  {
    object: Type.Literal('site-insights-rating'),
    ...ofPage,
    helpful: Type.Integer({ description: 'How many readers said that the page helped them.' }),
    unhelpful: Type.Integer({ description: 'How many said that it did not.' }),
  },
  { $id: 'SiteInsightsRating' },
)

export const SiteInsightsRemark = Type.Object(
  {
    object: Type.Literal('site-insights-remark'),
    id: Type.String(),
    day: Day,
    ...ofPage,
    text: Type.String({ description: 'Plain text, as a reader wrote it, without e-mail addresses.' }),
  },
  { $id: 'SiteInsightsRemark' },
)

export const SiteInsightsSearch = Type.Object(
  {
    object: Type.Literal('site-insights-search'),
    words: Nullable(Type.String({ description: 'In lower case. null: others, which are not told apart.' })),
    searches: Type.Integer(),
    searchesWithoutResults: Type.Integer(),
  },
  { $id: 'SiteInsightsSearch' },
)

export const SiteInsightsMissing = Type.Object(
  {
    object: Type.Literal('site-insights-missing'),
    path: Nullable(
      Type.String({ description: 'As a redirect takes it for its source. null: others, which are not told apart.' }),
    ),
    requests: Type.Integer(),
  },
  { $id: 'SiteInsightsMissing' },
)
