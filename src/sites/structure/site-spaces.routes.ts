import { lockTree } from '../../collections/tree.ts'
import { requireMatchWith } from '../../http/conditional.ts'
import { listOf, pageOf, presentPage } from '../../http/paging.ts'
import { type Routes, token } from '../../http/routes.ts'
import { Nothing, refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessSite, accessSiteToChange } from '../access.ts'
import { pageThrough, placeOfSpace } from './lists.ts'
import { holdStructure, seePart } from '../see.ts'
import { showSiteSpace, siteSpaceIn } from './show.ts'
import {
  addSiteSpace,
  changeSiteSpace,
  duplicateSiteSpace,
  removeSiteSpace,
  sectionFor,
} from './site-spaces.actions.ts'
import { takeOutOfSections } from './moving.ts'
import { accessSpaceToShow } from './space-access.ts'
import type { Structure } from './structure.ts'
import { presentSiteSpace } from './present.ts'
import { NewSiteSpace, SiteSpace, SiteSpaceChanges, SiteSpaceCopy, SiteSpaceQuery } from './schema.ts'

const ofSite = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const ofSiteSpace = Type.Object({ ...ofSite.properties, siteSpaceId: Type.String() })
const tags = ['site-spaces']

export const siteSpaceRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/sites/:siteId/site-spaces',
    {
      config: { policy: token('site:read', 'the role read on the site; only what the caller can see is listed') },
      schema: {
        operationId: 'listSiteSpaces',
        summary: 'List the spaces of a site',
        description: 'In their order, section by section.',
        tags,
        params: ofSite,
        querystring: SiteSpaceQuery,
        response: { 200: listOf(SiteSpace), ...refusals },
      },
    },
    async (request) => {
      const access = await accessSite(app.db, request.caller, request.params.siteId, 'view')
      const { shareKey, default: isDefault } = request.query
      const page = pageOf(request)
      const listed = (structure: Structure) => {
        const all = structure.siteSpaces.filter((row) => isDefault === undefined || row.isDefault === isDefault)
        return pageThrough(all, page, placeOfSpace(structure))
      }
      const seen = await seePart(app.db, access, (structure) => listed(structure).rows, shareKey)
      const { structure } = seen
      return presentPage(request, page, listed(structure), placeOfSpace(structure), (row) =>
        presentSiteSpace(row, seen, app.hosts),
      )
    },
  )

  app.post(
    '/orgs/:organizationId/sites/:siteId/site-spaces',
    {
      config: { policy: token('site:write', 'the role create, on the site and on the space'), minimal: true },
      schema: {
        operationId: 'addSpaceToSite',
        summary: 'Add a space to a site',
        tags,
        params: ofSite,
        body: NewSiteSpace,
        response: { 201: SiteSpace, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { siteId, organizationId } = request.params
      const { spaceId, sectionId, draft = false } = request.body
      await accessSite(app.db, caller, siteId, 'edit')

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, caller, siteId)
        const held = await holdStructure(tx, access)
        const section = sectionFor(held, sectionId)
        const space = await accessSpaceToShow(tx, caller, organizationId, spaceId, 'body.spaceId')
        const id = await addSiteSpace(tx, held, space, section, { draft })
        return showSiteSpace(tx, access, app.hosts, id)
      })
    },
  )

  app.patch(
    '/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId',
    {
      config: {
        policy: token('site:write', 'the role create, on the site and on another space that it is to show'),
        minimal: true,
      },
      schema: {
        operationId: 'updateSiteSpaceById',
        summary: 'Update a space of a site',
        description:
          'In another section it keeps its title, path, customization and condition, and becomes the last item. Its old URLs ' +
          'redirect to the new ones, unless something else is there. Answers 409 if a space of that section has the same ' +
          'path: send another `path` as well.',
        tags,
        params: ofSiteSpace,
        body: SiteSpaceChanges,
        response: { 200: SiteSpace, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { siteId, siteSpaceId, organizationId } = request.params
      const { spaceId, sectionId, ...changes } = request.body

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, caller, siteId)
        const held = await holdStructure(tx, access)
        const row = siteSpaceIn(held.structure, siteSpaceId)
        await requireMatchWith(request, () => showSiteSpace(tx, access, app.hosts, row.id))
        const isOther = spaceId !== undefined && spaceId !== row.space_id
        const space = isOther ? await accessSpaceToShow(tx, caller, organizationId, spaceId, 'body.spaceId') : undefined
        const section = typeof sectionId === 'string' ? sectionFor(held, sectionId) : undefined
        await changeSiteSpace(tx, held, row, { ...changes, space, ...(section && { sectionId: section }) })
        if (sectionId === null) await takeOutOfSections(tx, await holdStructure(tx, access))
        return showSiteSpace(tx, access, app.hosts, row.id)
      })
    },
  )

  app.post(
    '/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/duplicate',
    {
      config: {
        policy: token(
          'site:write',
          'the role create on the site, read on the space, and create in the collection or organization around it',
        ),
      },
      schema: {
        operationId: 'duplicateSiteSpace',
        summary: 'Duplicate a space of a site as a new variant',
        description:
          'The copy has the content, files and settings of the space, and the same customization and condition in the site. As a draft, it is not visible to readers until it is ready.',
        tags,
        params: ofSiteSpace,
        body: SiteSpaceCopy,
        response: { 201: SiteSpace, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { siteId, siteSpaceId, organizationId } = request.params
      const { draft = false } = request.body
      await accessSite(app.db, caller, siteId, 'edit')

      return write(request, async (tx) => {
        // Takes these locks in the same order as writers that move spaces and then touch sites.
        await lockTree(tx, organizationId)
        const access = await accessSiteToChange(tx, caller, siteId)
        const held = await holdStructure(tx, access)
        const id = await duplicateSiteSpace(tx, caller, held, siteSpaceIn(held.structure, siteSpaceId), { draft })
        return showSiteSpace(tx, access, app.hosts, id)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId',
    {
      config: { policy: token('site:write', 'the role create on the site') },
      schema: {
        operationId: 'deleteSiteSpaceById',
        summary: 'Remove a space from a site',
        description: 'The space itself is kept. A section without spaces is removed.',
        tags,
        params: ofSiteSpace,
        response: { 205: Nothing('The space was removed from the site'), ...refusals },
      },
    },
    async (request) => {
      const { siteId, siteSpaceId } = request.params

      await write(request, async (tx) => {
        const access = await accessSiteToChange(tx, request.caller, siteId)
        const held = await holdStructure(tx, access)
        const row = siteSpaceIn(held.structure, siteSpaceId)
        await requireMatchWith(request, () => showSiteSpace(tx, access, app.hosts, row.id))
        await removeSiteSpace(tx, held, row)
      })
    },
  )
}
