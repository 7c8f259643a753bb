import { requireMatchWith } from '../../http/conditional.ts'
import { type Routes, token } from '../../http/routes.ts'
import { Nothing, refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessSite, accessSiteToChange } from '../access.ts'
import { holdStructure } from '../see.ts'
import { addLink, changeLink, removeLink } from './external-links.actions.ts'
import { ExternalLinkChanges, NewExternalLink, SiteExternalLink } from './schema.ts'
import { linkIn, showLink } from './show.ts'

const ofSite = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const ofLink = Type.Object({ ...ofSite.properties, siteExternalLinkId: Type.String() })
const tags = ['site-external-links']
const writing = { policy: token('site:write', 'the role create on the site') }

/** Endpoints for external links among the sections of a site. They are read with its structure. */
export const siteExternalLinkRoutes: Routes = async (app) => {
  app.post(
    '/orgs/:organizationId/sites/:siteId/external-links',
    {
      config: writing,
      schema: {
        operationId: 'addExternalLinkToSite',
        summary: 'Add an external link to the sections of a site',
        description:
          'Added as the last item of the section group `parent`, or of the site. Spaces at the root of the site become the first section.',
        tags,
        params: ofSite,
        body: NewExternalLink,
        response: { 201: SiteExternalLink, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { siteId } = request.params
      await accessSite(app.db, caller, siteId, 'edit')

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, caller, siteId)
        const id = await addLink(tx, await holdStructure(tx, access), request.body)
        return showLink(tx, access, id)
      })
    },
  )

  app.patch(
    '/orgs/:organizationId/sites/:siteId/external-links/:siteExternalLinkId',
    {
      config: { ...writing, minimal: true },
      schema: {
        operationId: 'updateSiteExternalLinkById',
        summary: 'Update an external link of a site',
        description:
          'With another `parent` it moves to the end of that section group; with null, to right after the group it was in.',
        tags,
        params: ofLink,
        body: ExternalLinkChanges,
        response: { 200: SiteExternalLink, ...refusals },
      },
    },
    async (request) => {
      const { siteId, siteExternalLinkId } = request.params

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, request.caller, siteId)
        const held = await holdStructure(tx, access)
        const link = linkIn(held.structure, siteExternalLinkId)
        await requireMatchWith(request, () => showLink(tx, access, link.id))
        await changeLink(tx, held, link, request.body)
        return showLink(tx, access, link.id)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/sites/:siteId/external-links/:siteExternalLinkId',
    {
      config: writing,
      schema: {
        operationId: 'deleteSiteExternalLinkById',
        summary: 'Remove an external link from a site',
        tags,
        params: ofLink,
        response: { 205: Nothing('The link was removed'), ...refusals },
      },
    },
    async (request) => {
      const { siteId, siteExternalLinkId } = request.params

      await write(request, async (tx) => {
        const access = await accessSiteToChange(tx, request.caller, siteId)
        const held = await holdStructure(tx, access)
        const link = linkIn(held.structure, siteExternalLinkId)
        await requireMatchWith(request, () => showLink(tx, access, link.id))
        await removeLink(tx, held, link)
      })
    },
  )
}
