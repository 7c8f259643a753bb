import { requireMatchWith } from '../http/conditional.ts'
import { listOf, pageOf, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { accessSite, accessSiteToChange } from '../sites/access.ts'
import { describePages } from './pages-read.ts'
import {
  presentDay,
  presentMissing,
  presentPageReads,
  presentRatings,
  presentRemark,
  presentSearch,
} from './present.ts'
import {
  listDays,
  listMissing,
  listPageViews,
  listRatings,
  listRemarks,
  listSearches,
  positionOfDay,
  positionOfMissing,
  positionOfPage,
  positionOfRatings,
  positionOfRemark,
  positionOfSearch,
} from './queries.ts'
import {
  InsightsQuery,
  SearchInsightsQuery,
  SiteInsightsDay,
  SiteInsightsMissing,
  SiteInsightsPage,
  SiteInsightsRating,
  SiteInsightsRemark,
  SiteInsightsSearch,
} from './schema.ts'
import { accessRemark, removeRemark } from './remarks.actions.ts'
import { spanOf } from './span.ts'

const params = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const tags = ['site-insights']
const config = { policy: token('site:insights:read', 'the role create on the site') }

/** Statistics of a site: page views, ratings and remarks, searches, and missing pages. */
export const insightRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/sites/:siteId/insights/days',
    {
      config,
      schema: {
        operationId: 'listSiteInsightsDays',
        summary: 'List the daily views and searches of a site',
        description:
          'Counted on the server, with a delay of a few seconds, and kept for 400 days. Nothing is stored about individual readers.',
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
        summary: 'List the most viewed pages of a site',
        description: 'Pages of spaces that the caller cannot read are omitted.',
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
    '/orgs/:organizationId/sites/:siteId/insights/ratings',
    {
      config,
      schema: {
        operationId: 'listSiteInsightsRatings',
        summary: 'List the pages of a site that readers found least helpful',
        description:
          'Answers of readers to “Was this helpful?” (`feedback` in the customization of the site). Pages of spaces that the caller cannot read are omitted.',
        tags,
        params,
        querystring: InsightsQuery,
        response: { 200: listOf(SiteInsightsRating), ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { site, membership } = await accessSite(app.db, caller, request.params.siteId, 'admin')
      const span = spanOf(request.query)
      const page = pageOf(request)
      const { rows, count } = await listRatings(app.db, membership, site, span, page)
      const list = { rows: await describePages(app, caller, site, rows), count }
      return presentPage(request, page, list, positionOfRatings, presentRatings)
    },
  )

  app.get(
    '/orgs/:organizationId/sites/:siteId/insights/remarks',
    {
      config,
      schema: {
        operationId: 'listSiteInsightsRemarks',
        summary: 'List the comments of readers on pages of a site, newest first',
        description:
          'At most 100 a day. Anybody who can read a page can comment on it: treat it as untrusted plain text.',
        tags,
        params,
        querystring: InsightsQuery,
        response: { 200: listOf(SiteInsightsRemark), ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { site, membership } = await accessSite(app.db, caller, request.params.siteId, 'admin')
      const span = spanOf(request.query)
      const page = pageOf(request)
      const { rows, count } = await listRemarks(app.db, membership, site, span, page)
      const list = { rows: await describePages(app, caller, site, rows), count }
      return presentPage(request, page, list, positionOfRemark, presentRemark)
    },
  )

  app.delete(
    '/orgs/:organizationId/sites/:siteId/insights/remarks/:remarkId',
    {
      config: { policy: token('site:write', 'the role create on the site') },
      schema: {
        operationId: 'deleteSiteInsightsRemarkById',
        summary: 'Delete the comment of a reader',
        tags,
        params: Type.Object({ ...params.properties, remarkId: Type.String() }),
        response: { 204: Nothing('The comment was deleted'), ...refusals },
      },
    },
    async (request) => {
      const { caller, params } = request

      await write(request, async (tx) => {
        const access = await accessSiteToChange(tx, caller, params.siteId)
        const row = await accessRemark(tx, access, params.remarkId)
        await requireMatchWith(request, async () => {
          const [remark] = await describePages(app, caller, access.site, [row])
          return presentRemark(remark!)
        })
        await removeRemark(tx, access, row)
      })
    },
  )

  app.get(
    '/orgs/:organizationId/sites/:siteId/insights/searches',
    {
      config,
      schema: {
        operationId: 'listSiteInsightsSearches',
        summary: 'List the most frequent searches of a site',
        description:
          'A search is counted once while somebody is typing. Searches beyond 1,000 different ones a day, and those that contain an e-mail address, are counted as one item without text.',
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
        summary: 'List the most requested missing pages of a site',
        description: 'Paths beyond 1,000 different ones a day are counted as one item without a path.',
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
