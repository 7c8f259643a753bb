import { requireMatchWith } from '../../http/conditional.ts'
import { invalid } from '../../http/errors.ts'
import { listOf, pageOf, presentPage } from '../../http/paging.ts'
import { type Routes, token } from '../../http/routes.ts'
import { Nothing, refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessSite, accessSiteToChange } from '../access.ts'
import { pageThrough, placeOfSection } from './lists.ts'
import { addSection, changeSection, removeSection } from './sections.actions.ts'
import { type HeldSite, holdStructure, seePart } from '../see.ts'
import { moveToNewSection } from './moving.ts'
import { sectionIn, showSection } from './show.ts'
import { accessSpaceToShow } from './space-access.ts'
import type { ShownSpace, Structure } from './structure.ts'
import { presentSection } from './present.ts'
import { NewSection, SectionChanges, SectionQuery, SiteSection } from './schema.ts'

const ofSite = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const ofSection = Type.Object({ organizationId: Type.String(), siteId: Type.String(), siteSectionId: Type.String() })
const tags = ['site-sections']
const writing = { policy: token('site:write', 'the role create on the site') }

/** Returns the site space with this id, if the caller sees it and it shows this space. */
function siteSpaceShowing({ structure }: HeldSite, id: string, spaceId: string): ShownSpace {
  const row = structure.siteSpaces.find((each) => each.id === id && each.space_id === spaceId)
  if (!row)
    throw invalid('body.siteSpaceId', 'exists', 'there is no such site space in this site that shows this space')
  return row
}

export const siteSectionRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/sites/:siteId/sections',
    {
      config: { policy: token('site:read', 'the role read on the site; only what the caller can see is listed') },
      schema: {
        operationId: 'listSiteSections',
        summary: 'List the sections of a site',
        description: 'In their order; sections of a group appear in the place of the group.',
        tags,
        params: ofSite,
        querystring: SectionQuery,
        response: { 200: listOf(SiteSection), ...refusals },
      },
    },
    async (request) => {
      const access = await accessSite(app.db, request.caller, request.params.siteId, 'view')
      const page = pageOf(request)
      const listed = (structure: Structure) => pageThrough(structure.sections, page, placeOfSection(structure))
      const spaces = (structure: Structure) => listed(structure).rows.flatMap(({ siteSpaces }) => siteSpaces)
      const seen = await seePart(app.db, access, spaces, request.query.shareKey)
      const { structure } = seen
      return presentPage(request, page, listed(structure), placeOfSection(structure), (row) =>
        presentSection(row, seen, app.hosts),
      )
    },
  )

  app.post(
    '/orgs/:organizationId/sites/:siteId/sections',
    {
      config: { policy: token('site:write', 'the role create, on the site and on a space that is new in it') },
      schema: {
        operationId: 'addSectionToSite',
        summary: 'Add a section to a site',
        description: 'It starts with one space. Spaces at the root of the site become the first section.',
        tags,
        params: ofSite,
        body: NewSection,
        response: { 201: SiteSection, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { siteId, organizationId } = request.params
      const { spaceId, siteSpaceId, title, icon = null, draft = false } = request.body
      const made = { title, icon, draft }
      await accessSite(app.db, caller, siteId, 'edit')

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, caller, siteId)
        const held = await holdStructure(tx, access)
        if (siteSpaceId !== undefined) {
          const moved = await moveToNewSection(tx, held, siteSpaceShowing(held, siteSpaceId, spaceId), made)
          return showSection(tx, access, app.hosts, moved)
        }
        const space = await accessSpaceToShow(tx, caller, organizationId, spaceId, 'body.spaceId')
        const id = await addSection(tx, held, { space, ...made })
        return showSection(tx, access, app.hosts, id)
      })
    },
  )

  app.patch(
    '/orgs/:organizationId/sites/:siteId/sections/:siteSectionId',
    {
      config: { ...writing, minimal: true },
      schema: {
        operationId: 'updateSiteSectionById',
        summary: 'Update a section of a site',
        tags,
        params: ofSection,
        body: SectionChanges,
        response: { 200: SiteSection, ...refusals },
      },
    },
    async (request) => {
      const { siteId, siteSectionId } = request.params

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, request.caller, siteId)
        const held = await holdStructure(tx, access)
        const section = sectionIn(held.structure, siteSectionId)
        await requireMatchWith(request, () => showSection(tx, access, app.hosts, section.id))
        await changeSection(tx, held, section, request.body)
        return showSection(tx, access, app.hosts, section.id)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/sites/:siteId/sections/:siteSectionId',
    {
      config: writing,
      schema: {
        operationId: 'deleteSiteSectionById',
        summary: 'Remove a section from a site',
        description: 'Its spaces are removed from the site, but not deleted.',
        tags,
        params: ofSection,
        response: { 205: Nothing('The section was removed'), ...refusals },
      },
    },
    async (request) => {
      const { siteId, siteSectionId } = request.params

      await write(request, async (tx) => {
        const access = await accessSiteToChange(tx, request.caller, siteId)
        const held = await holdStructure(tx, access)
        const section = sectionIn(held.structure, siteSectionId)
        await requireMatchWith(request, () => showSection(tx, access, app.hosts, section.id))
        await removeSection(tx, held, section)
      })
    },
  )
}
