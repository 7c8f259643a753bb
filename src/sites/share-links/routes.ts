import { requireMatch } from '../../http/conditional.ts'
import { notFound } from '../../http/errors.ts'
import { byAge, listOf, pageOf, presentPage } from '../../http/paging.ts'
import { type App, type Routes, token } from '../../http/routes.ts'
import { Nothing, refusals } from '../../http/schemas.ts'
import { write } from '../../http/write.ts'
import type { ShareLinkRow } from '../../db/tables.ts'
import Type from '../../http/type.ts'
import { type SiteAccess, accessSite, accessSiteToChange } from '../access.ts'
import { changeShareLink, createShareLink, removeShareLink } from './actions.ts'
import { lockWith } from './password.ts'
import { presentShareLink } from './present.ts'
import { findShareLink, listShareLinks } from './queries.ts'
import { NewShareLink, ShareLink, ShareLinkChanges, ShareLinkQuery } from './schema.ts'

const ofSite = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const ofLink = Type.Object({ organizationId: Type.String(), siteId: Type.String(), shareLinkId: Type.String() })
const tags = ['site-share-links']
const reading = { policy: token('site:auth:read', 'the role create on the site') }
const writing = { policy: token('site:auth:write', 'the role create on the site') }

export const shareLinkRoutes: Routes = async (app) => {
  const present = (row: ShareLinkRow, access: SiteAccess) => presentShareLink(row, access, app)

  app.get(
    '/orgs/:organizationId/sites/:siteId/share-links',
    {
      config: reading,
      schema: {
        operationId: 'listSiteShareLinks',
        summary: 'List the share links of a site',
        tags,
        params: ofSite,
        querystring: ShareLinkQuery,
        response: { 200: listOf(ShareLink), ...refusals },
      },
    },
    async (request) => {
      const access = await accessSite(app.db, request.caller, request.params.siteId, 'secrets')
      const page = pageOf(request)
      const list = await listShareLinks(app.db, access.site, request.query.search, page)
      return presentPage(request, page, list, byAge, (row) => present(row, access))
    },
  )

  app.post(
    '/orgs/:organizationId/sites/:siteId/share-links',
    {
      config: writing,
      schema: {
        operationId: 'createSiteShareLink',
        summary: 'Create a share link',
        description:
          'Its URL contains a key: anybody who has it can read a site whose visibility is `share-link`, until the link is turned off or expires. With a `password`, readers have to enter it first.',
        tags,
        params: ofSite,
        body: NewShareLink,
        response: { 201: ShareLink, ...refusals },
      },
    },
    async (request) => {
      await accessSite(app.db, request.caller, request.params.siteId, 'secrets')
      const { name, expiresAt, password } = request.body
      const lock = await lockFrom(app, password)

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, request.caller, request.params.siteId, 'secrets')
        const drafted = { name, expiresAt: endIn(expiresAt) ?? null, lock: lock ?? undefined }
        return present(await createShareLink(tx, app.secrets, access.site, drafted), access)
      })
    },
  )

  app.patch(
    '/orgs/:organizationId/sites/:siteId/share-links/:shareLinkId',
    {
      config: writing,
      schema: {
        operationId: 'updateSiteShareLinkById',
        summary: 'Update a share link',
        tags,
        params: ofLink,
        body: ShareLinkChanges,
        response: { 200: ShareLink, ...refusals },
      },
    },
    async (request) => {
      const { siteId, shareLinkId } = request.params
      const { name, active, expiresAt, password } = request.body
      // Checked first, so that callers without the right cannot make us compute expensive hashes.
      if (typeof password === 'string') await accessSite(app.db, request.caller, siteId, 'secrets')
      const lock = await lockFrom(app, password)

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, request.caller, siteId, 'secrets')
        const row = await findShareLink(tx, access.site, shareLinkId)
        if (!row) throw notFound('share link')
        requireMatch(request, present(row, access))
        const changes = { name, active, expiresAt: endIn(expiresAt), lock }
        return present(await changeShareLink(tx, access.site, row, changes), access)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/sites/:siteId/share-links/:shareLinkId',
    {
      config: writing,
      schema: {
        operationId: 'deleteSiteShareLinkById',
        summary: 'Delete a share link',
        tags,
        params: ofLink,
        response: { 205: Nothing('The share link was deleted'), ...refusals },
      },
    },
    async (request) => {
      const { siteId, shareLinkId } = request.params

      await write(request, async (tx) => {
        const access = await accessSiteToChange(tx, request.caller, siteId, 'secrets')
        const row = await findShareLink(tx, access.site, shareLinkId)
        if (!row) throw notFound('share link')
        requireMatch(request, present(row, access))
        await removeShareLink(tx, access.site, row)
      })
    },
  )
}

const lockFrom = async ({ secrets }: App, password: string | null | undefined) =>
  typeof password === 'string' ? lockWith(secrets, password) : password

const endIn = (text: string | null | undefined) => (typeof text === 'string' ? new Date(text) : text)
