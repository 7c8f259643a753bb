import type { Caller } from '../../access/caller.ts'
import type { Transaction } from '../../db/transaction.ts'
import { requireMatch } from '../../http/conditional.ts'
import { notFound } from '../../http/errors.ts'
import { listOf, pageOf, presentPage } from '../../http/paging.ts'
import { type Routes, token } from '../../http/routes.ts'
import { Nothing, refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessSite, accessSiteToChange } from '../access.ts'
import { type Redirecting, changeRedirect, createRedirect, removeRedirect } from './actions.ts'
import { upsertRedirects } from './bulk.ts'
import { addressOf, seeDestinations } from './destinations.ts'
import { capturedBy, readPath } from './match.ts'
import { presentRedirect } from './present.ts'
import { findMatching, findRedirect, listRedirects, positionOf } from './queries.ts'
import {
  BulkRedirects,
  BulkResult,
  BySource,
  FoundRedirect,
  NewRedirect,
  RedirectChanges,
  RedirectQuery,
  SiteRedirect,
} from './schema.ts'
import { findActiveKey } from '../share-links/keys.ts'
import { touchSite } from '../touch.ts'

const ofSite = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const ofRedirect = Type.Object({ organizationId: Type.String(), siteId: Type.String(), siteRedirectId: Type.String() })
const tags = ['site-redirects']
const reading = { policy: token('site:read', 'to see the site') }
const writing = { policy: token('site:write', 'the role create on the site') }

export const redirectRoutes: Routes = async (app) => {
  const see = async (caller: Caller, siteId: string) =>
    seeDestinations(app, app.db, caller, await accessSite(app.db, caller, siteId, 'view'))

  const hold = async (tx: Transaction, caller: Caller, siteId: string): Promise<Redirecting> => {
    const seen = await seeDestinations(app, tx, caller, await accessSiteToChange(tx, caller, siteId))
    return { ...seen, tx, at: 'body' }
  }

  app.post(
    '/orgs/:organizationId/sites/:siteId/redirects',
    {
      config: writing,
      schema: {
        operationId: 'createSiteRedirect',
        summary: 'Create a redirect',
        description: 'Existing pages take precedence: redirects only apply to paths without a page.',
        tags,
        params: ofSite,
        body: NewRedirect,
        response: { 201: SiteRedirect, ...refusals },
      },
    },
    async (request) => {
      const { caller, params } = request
      const { source, destination, captureWildcard, permanent, draft } = request.body
      await accessSite(app.db, caller, params.siteId, 'edit')

      return write(request, async (tx) => {
        const work = await hold(tx, caller, params.siteId)
        const row = await createRedirect(work, { source, destination, captureWildcard, permanent, draft })
        touchSite(tx, work.site)
        return presentRedirect(row)
      })
    },
  )

  app.put(
    '/orgs/:organizationId/sites/:siteId/redirects',
    {
      config: writing,
      schema: {
        operationId: 'bulkUpsertSiteRedirects',
        summary: 'Create, change, publish and delete many redirects of a site',
        description: 'Each item has its own result; a refused item changes nothing and does not affect the others.',
        tags,
        params: ofSite,
        body: BulkRedirects,
        response: { 200: BulkResult, ...refusals },
      },
    },
    async (request) => {
      const { caller, params, body } = request

      return write(request, async (tx) => {
        const work = await hold(tx, caller, params.siteId)
        const results = await upsertRedirects(work, body.redirects)
        if (results.some(({ status }) => status !== 'error')) touchSite(tx, work.site)
        return { results }
      })
    },
  )

  app.get(
    '/orgs/:organizationId/sites/:siteId/redirects',
    {
      config: reading,
      schema: {
        operationId: 'listSiteRedirects',
        summary: 'List the redirects of a site',
        tags,
        params: ofSite,
        querystring: RedirectQuery,
        response: { 200: listOf(SiteRedirect), ...refusals },
      },
    },
    async (request) => {
      const seen = await see(request.caller, request.params.siteId)
      const { search, draft = false, orderBy = 'createdAt' } = request.query
      const page = pageOf(request)
      const list = await listRedirects(app.db, seen, { search, draft, orderBy }, page)
      return presentPage(request, page, list, (row) => positionOf(row, orderBy), presentRedirect)
    },
  )

  app.patch(
    '/orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId',
    {
      config: writing,
      schema: {
        operationId: 'updateSiteRedirectById',
        summary: 'Change a redirect of a site',
        tags,
        params: ofRedirect,
        body: RedirectChanges,
        response: { 200: SiteRedirect, ...refusals },
      },
    },
    async (request) => {
      const { caller, params } = request
      const { source, destination, captureWildcard, permanent, draft } = request.body

      return write(request, async (tx) => {
        const work = await hold(tx, caller, params.siteId)
        const row = await findRedirect(tx, work, params.siteRedirectId)
        if (!row) throw notFound('redirect')
        requireMatch(request, presentRedirect(row))
        const changed = await changeRedirect(work, row, {
          ...(source !== undefined && { source }),
          ...(destination !== undefined && { destination }),
          captureWildcard,
          permanent,
          draft,
        })
        if (changed !== row) touchSite(tx, work.site)
        return presentRedirect(changed)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId',
    {
      config: writing,
      schema: {
        operationId: 'deleteSiteRedirectById',
        summary: 'Delete a redirect of a site',
        tags,
        params: ofRedirect,
        response: { 205: Nothing('The redirect was deleted'), ...refusals },
      },
    },
    async (request) => {
      const { caller, params } = request

      await write(request, async (tx) => {
        const work = await hold(tx, caller, params.siteId)
        const row = await findRedirect(tx, work, params.siteRedirectId)
        if (!row) throw notFound('redirect')
        requireMatch(request, presentRedirect(row))
        await removeRedirect(work, row)
        touchSite(tx, work.site)
      })
    },
  )

  app.get(
    '/orgs/:organizationId/sites/:siteId/redirect',
    {
      config: reading,
      schema: {
        operationId: 'getSiteRedirectBySource',
        summary: 'Get the redirect of a path',
        description: 'Includes wildcards, but not drafts. Does not check whether there is a page at this path.',
        tags,
        params: ofSite,
        querystring: BySource,
        response: { 200: FoundRedirect, ...refusals },
      },
    },
    async (request) => {
      const seen = await see(request.caller, request.params.siteId)
      const asked = readPath(request.query.source)
      const matching = asked && (await findMatching(app.db, seen.site, false, asked))
      const row = matching && (await findRedirect(app.db, seen, matching.id))
      if (!asked || !row) throw notFound('redirect')
      const rest = capturedBy({ match: row.match, captureWildcard: row.capture_wildcard }, asked)
      const shareKey = await findActiveKey(app.db, seen.access.site, request.query.shareKey)
      const target = await addressOf(seen, row.destination, rest, shareKey)
      if (target === undefined) throw notFound('redirect')
      return { redirect: presentRedirect(row), target }
    },
  )
}
