import { listOf, pageOf, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { accessSite } from '../sites/access.ts'
import { describePages } from './pages-read.ts'
import { presentDay, presentMissing, presentPageReads, presentSearch } from './present.ts'
import {
  listDays,
  listMissing,
  listPageViews,
  listSearches,
  positionOfDay,
  positionOfMissing,
  positionOfPage,
  positionOfSearch,
} from './queries.ts'
import {
  InsightsQuery,
  SearchInsightsQuery,
  SiteInsightsDay,
  SiteInsightsMissing,
  SiteInsightsPage,
  SiteInsightsSearch,
} from './schema.ts'
import { spanOf } from './span.ts'

const params = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const tags = ['site-insights']
const config = { policy: token('site:insights:read', 'the role create on the site') }

/** What is read of a site, what is looked for there, and what is not found. */
export const insightRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/sites/:siteId/insights/days',
    {
      config,
      schema: {
        operationId: 'listSiteInsightsDays',
        summary: 'List how much was read and looked for on a site, day by day',
        description: 'Counted on the server, a few seconds late, for 400 days. Nothing is kept about who reads.',
        tags,
        params,
        querystring: InsightsQuery,
        response: { 200: listOf(SiteInsightsDay), ...refusals },
      },
    },
    async (request) => {
      const { site, membership } = await accessSite(app.db, request.caller, request.params.siteId, 'admin')
      const span = spanOf(request.query)
      const page = pageOf(request)
      const list = await listDays(app.db, membership, site, span, page)
      return presentPage(request, page, list, positionOfDay, presentDay)
    },
  )

  app.get(
    '/orgs/:organizationId/sites/:siteId/insights/pages',
    {
      config,
      schema: {
        operationId: 'listSiteInsightsPages',
        summary: 'List the pages of a site by how often they were read',
        description: 'Pages of spaces that the caller may not read are left out.',
        tags,
        params,
        querystring: InsightsQuery,
        response: { 200: listOf(SiteInsightsPage), ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { site, membership } = await accessSite(app.db, caller, request.params.siteId, 'admin')
      const span = spanOf(request.query)
      const page = pageOf(request)
      const { rows, count } = await listPageViews(app.db, membership, site, span, page)
      const list = { rows: await describePages(app, caller, site, rows), count }
      return presentPage(request, page, list, positionOfPage, presentPageReads)
    },
  )

  app.get(
    '/orgs/:organizationId/sites/:siteId/insights/searches',
    {
      config,
      schema: {
        operationId: 'listSiteInsightsSearches',
        summary: 'List what was looked for on a site by how often',
        description:
          'What somebody asks while they type is counted once. Beyond a thousand different words a day, and for what has an e-mail address in it, there is one item without words.',
        tags,
        params,
        querystring: SearchInsightsQuery,
        response: { 200: listOf(SiteInsightsSearch), ...refusals },
      },
    },
    async (request) => {
      const { site } = await accessSite(app.db, request.caller, request.params.siteId, 'admin')
      const span = spanOf(request.query)
      const inVain = request.query.found === 'none'
      const page = pageOf(request)
      const list = await listSearches(app.db, site, span, inVain, page)
      return presentPage(request, page, list, positionOfSearch(inVain), presentSearch)
    },
  )

  app.get(
    '/orgs/:organizationId/sites/:siteId/insights/missing',
    {
      config,
      schema: {
        operationId: 'listSiteInsightsMissing',
        summary: 'List the addresses of a site that led nowhere by how often they were asked for',
        description: 'Beyond a thousand different ones a day, there is one item without a path.',
        tags,
        params,
        querystring: InsightsQuery,
        response: { 200: listOf(SiteInsightsMissing), ...refusals },
      },
    },
    async (request) => {
      const { site } = await accessSite(app.db, request.caller, request.params.siteId, 'admin')
      const span = spanOf(request.query)
      const page = pageOf(request)
      const list = await listMissing(app.db, site, span, page)
      return presentPage(request, page, list, positionOfMissing, presentMissing)
    },
  )
}
