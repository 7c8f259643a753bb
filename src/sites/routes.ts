import { type Caller, accessOrganization } from '../access/caller.ts'
import type { Transaction } from '../db/transaction.ts'
import { requireMatch } from '../http/conditional.ts'
import { invalid } from '../http/errors.ts'
import { byAge, listOf, pageOf, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { accessSite, accessSiteToChange } from './access.ts'
import { changeSite, createSite, publishSite, removeSite, unpublishSite } from './actions.ts'
import { presentSite } from './present.ts'
import { listSites } from './queries.ts'
import { NewSite, Site, SiteChanges, SiteQuery } from './schema.ts'
import { holdStructure, seeSite } from './see.ts'
import { accessSpaceToShow } from './structure/space-access.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofSite = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const tags = ['sites']

export const siteRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/sites',
    {
      config: { policy: token('site:read', 'to be a member; only what the caller can see is listed') },
      schema: {
        operationId: 'listSites',
        summary: 'List the sites of an organization',
        tags,
        params: inOrganization,
        querystring: SiteQuery,
        response: { 200: listOf(Site), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      const { space, title, published, type } = request.query
      const page = pageOf(request)
      const list = await listSites(app.db, membership, { space, title, published, type }, page)
      return presentPage(request, page, list, byAge, (row) => presentSite(row, membership.organization, app.hosts))
    },
  )

  app.post(
    '/orgs/:organizationId/sites',
    {
      config: { policy: token('site:write', 'the role create, in the organization and on the spaces') },
      schema: {
        operationId: 'createSite',
        summary: 'Create a site',
        description: 'It is not published yet.',
        tags,
        params: inOrganization,
        body: NewSite,
        response: { 201: Site, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { organization, userId } = accessOrganization(caller, 'createContent')
      const { type = 'basic', title, visibility = 'public', spaces: wanted = [] } = request.body

      return write(request, async (tx) => {
        const spaces = typeof wanted === 'string' ? wanted : await accessSpaces(tx, caller, organization.id, wanted)
        const draft = { organizationId: organization.id, creatorId: userId, type, title, visibility, spaces }
        const id = await createSite(tx, app.secrets, draft)
        const site = await seeSite(tx, await accessSite(tx, caller, id, 'view'))
        return presentSite(site, organization, app.hosts)
      })
    },
  )

  app.get(
    '/orgs/:organizationId/sites/:siteId',
    {
      config: { policy: token('site:read', 'the role read on the site') },
      schema: {
        operationId: 'getSiteById',
        summary: 'Get a site',
        tags,
        params: ofSite,
        response: { 200: Site, ...refusals },
      },
    },
    async (request) => {
      const access = await accessSite(app.db, request.caller, request.params.siteId, 'view')
      return presentSite(await seeSite(app.db, access), access.membership.organization, app.hosts)
    },
  )

  app.patch(
    '/orgs/:organizationId/sites/:siteId',
    {
      config: { policy: token('site:write', 'the role create on the site') },
      schema: {
        operationId: 'updateSiteById',
        summary: 'Update a site',
        tags,
        params: ofSite,
        body: SiteChanges,
        response: { 200: Site, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { siteId } = request.params

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, caller, siteId)
        const { organization } = access.membership
        requireMatch(request, presentSite(await seeSite(tx, access), organization, app.hosts))
        await changeSite(tx, app.hosts, await holdStructure(tx, access), request.body)
        const site = await seeSite(tx, await accessSite(tx, caller, siteId, 'view'))
        return presentSite(site, organization, app.hosts)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/sites/:siteId',
    {
      config: { policy: token('site:write', 'the role create on the site') },
      schema: {
        operationId: 'deleteSiteById',
        summary: 'Delete a site',
        description: 'Its spaces are kept.',
        tags,
        params: ofSite,
        response: { 205: Nothing('The site was deleted'), ...refusals },
      },
    },
    async (request) => {
      await write(request, async (tx) => {
        const access = await accessSiteToChange(tx, request.caller, request.params.siteId)
        requireMatch(request, presentSite(await seeSite(tx, access), access.membership.organization, app.hosts))
        await removeSite(tx, access.site)
      })
    },
  )

  app.post(
    '/orgs/:organizationId/sites/:siteId/publish',
    {
      config: { policy: token('site:publish', 'the role create on the site') },
      schema: {
        operationId: 'publishSite',
        summary: 'Publish a site',
        description: 'Makes the site available to readers, according to its visibility. It needs at least one space.',
        tags,
        params: ofSite,
        response: { 200: Site, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { siteId } = request.params
      await accessSite(app.db, caller, siteId, 'publish')

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, caller, siteId, 'publish')
        const site = await publishSite(tx, await holdStructure(tx, access))
        return presentSite(await seeSite(tx, { ...access, site }), access.membership.organization, app.hosts)
      })
    },
  )

  app.post(
    '/orgs/:organizationId/sites/:siteId/unpublish',
    {
      config: { policy: token('site:publish', 'the role create on the site') },
      schema: {
        operationId: 'unpublishSite',
        summary: 'Unpublish a site',
        tags,
        params: ofSite,
        response: { 200: Site, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { siteId } = request.params
      await accessSite(app.db, caller, siteId, 'publish')

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, caller, siteId, 'publish')
        const site = await unpublishSite(tx, access.site)
        return presentSite(await seeSite(tx, { ...access, site }), access.membership.organization, app.hosts)
      })
    },
  )
}

/** Returns all of them. No id may occur twice. */
async function accessSpaces(tx: Transaction, caller: Caller, organizationId: string, ids: string[]) {
  ids.forEach((id, i) => {
    if (ids.indexOf(id) < i) throw invalid(`body.spaces.${i}`, 'unique', 'is in this list already')
  })
  return Promise.all(ids.map((id, i) => accessSpaceToShow(tx, caller, organizationId, id, `body.spaces.${i}`)))
}
