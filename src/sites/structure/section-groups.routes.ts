import { requireMatchWith } from '../../http/conditional.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { listOf, pageOf, pageQuery, presentPage } from '../../http/paging.ts'
import { type Routes, token } from '../../http/routes.ts'
import { Nothing, refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessSite, accessSiteToChange } from '../access.ts'
import { pageThrough, placeOfGroup } from './lists.ts'
import { addGroup, changeGroup, putIntoGroup, removeGroup, takeOutOfGroup } from './section-groups.actions.ts'
import { holdStructure, seePart } from '../see.ts'
import { groupIn, sectionIn, showGroup } from './show.ts'
import type { ShownSection, Structure } from './structure.ts'
import { presentGroup } from './present.ts'
import { GroupChanges, NewGroup, SectionForGroup, SiteSectionGroup } from './schema.ts'

const ofSite = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const ofGroup = Type.Object({ ...ofSite.properties, siteSectionGroupId: Type.String() })
const ofSection = Type.Object({ ...ofGroup.properties, siteSectionId: Type.String() })
const tags = ['site-section-groups']
const writing = { policy: token('site:write', 'the role create on the site') }

export const siteSectionGroupRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/sites/:siteId/section-groups',
    {
      config: {
        policy: token('site:read', 'the role read on the site; sections that the caller cannot see are omitted'),
      },
      schema: {
        operationId: 'listSiteSectionGroups',
        summary: 'List the section groups of a site',
        tags,
        params: ofSite,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(SiteSectionGroup), ...refusals },
      },
    },
    async (request) => {
      const access = await accessSite(app.db, request.caller, request.params.siteId, 'view')
      const page = pageOf(request)
      const listed = ({ groups }: Structure) => pageThrough(groups, page, placeOfGroup)
      const spaces = (structure: Structure) =>
        listed(structure).rows.flatMap(({ sections }) => sections.flatMap(({ siteSpaces }) => siteSpaces))
      const seen = await seePart(app.db, access, spaces)
      return presentPage(request, page, listed(seen.structure), placeOfGroup, (row) =>
        presentGroup(row, seen, app.hosts),
      )
    },
  )

  app.post(
    '/orgs/:organizationId/sites/:siteId/section-groups',
    {
      config: writing,
      schema: {
        operationId: 'addSectionGroupToSite',
        summary: 'Add a section group to a site',
        tags,
        params: ofSite,
        body: NewGroup,
        response: { 201: SiteSectionGroup, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { siteId } = request.params
      const { title, icon, sections: ids = [] } = request.body
      await accessSite(app.db, caller, siteId, 'edit')

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, caller, siteId)
        const held = await holdStructure(tx, access)
        const sections = namedSections(held.structure, ids)
        const id = await addGroup(tx, held, { title, icon: icon || null, children: sections })
        return showGroup(tx, access, app.hosts, id)
      })
    },
  )

  app.patch(
    '/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId',
    {
      config: { ...writing, minimal: true },
      schema: {
        operationId: 'updateSiteSectionGroupById',
        summary: 'Update a section group of a site',
        tags,
        params: ofGroup,
        body: GroupChanges,
        response: { 200: SiteSectionGroup, ...refusals },
      },
    },
    async (request) => {
      const { siteId, siteSectionGroupId } = request.params

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, request.caller, siteId)
        const held = await holdStructure(tx, access)
        const group = groupIn(held.structure, siteSectionGroupId)
        await requireMatchWith(request, () => showGroup(tx, access, app.hosts, group.id))
        await changeGroup(tx, held, group, request.body)
        return showGroup(tx, access, app.hosts, group.id)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId',
    {
      config: writing,
      schema: {
        operationId: 'deleteSiteSectionGroupById',
        summary: 'Remove a section group from a site',
        description: 'Its sections are kept, in the place of the group.',
        tags,
        params: ofGroup,
        response: { 205: Nothing('The section group was removed'), ...refusals },
      },
    },
    async (request) => {
      const { siteId, siteSectionGroupId } = request.params

      await write(request, async (tx) => {
        const access = await accessSiteToChange(tx, request.caller, siteId)
        const held = await holdStructure(tx, access)
        const group = groupIn(held.structure, siteSectionGroupId)
        await requireMatchWith(request, () => showGroup(tx, access, app.hosts, group.id))
        await removeGroup(tx, held, group)
      })
    },
  )

  app.post(
    '/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId/sections',
    {
      config: writing,
      schema: {
        operationId: 'addSectionToGroup',
        summary: 'Add a section to a section group',
        description: 'Added as the last item, and removed from its previous group.',
        tags,
        params: ofGroup,
        body: SectionForGroup,
        response: { 201: SiteSectionGroup, ...refusals },
      },
    },
    async (request, reply) => {
      const { caller } = request
      const { organizationId, siteId, siteSectionGroupId } = request.params
      const { sectionId } = request.body
      await accessSite(app.db, caller, siteId, 'edit')

      const shown = await write(request, async (tx) => {
        const access = await accessSiteToChange(tx, caller, siteId)
        const held = await holdStructure(tx, access)
        const group = groupIn(held.structure, siteSectionGroupId)
        await putIntoGroup(tx, held, group, namedSection(held.structure, sectionId, 'body.sectionId'))
        return showGroup(tx, access, app.hosts, group.id)
      })
      // The answer is the group, but what is new is the section in it.
      const group = `${app.url}/v1/orgs/${organizationId}/sites/${siteId}/section-groups/${siteSectionGroupId}`
      reply.header('location', `${group}/sections/${sectionId}`)
      return shown
    },
  )

  app.delete(
    '/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId/sections/:siteSectionId',
    {
      config: writing,
      schema: {
        operationId: 'removeSectionFromGroup',
        summary: 'Remove a section from its group',
        description: 'It stays in the site, right after the group.',
        tags,
        params: ofSection,
        response: { 205: Nothing('The section was removed from the group'), ...refusals },
      },
    },
    async (request) => {
      const { siteId, siteSectionGroupId, siteSectionId } = request.params

      await write(request, async (tx) => {
        const access = await accessSiteToChange(tx, request.caller, siteId)
        const held = await holdStructure(tx, access)
        const group = groupIn(held.structure, siteSectionGroupId)
        const section = sectionIn(held.structure, siteSectionId)
        if (section.group_id !== group.id) throw notFound('site section')
        await requireMatchWith(request, () => showGroup(tx, access, app.hosts, group.id))
        await takeOutOfGroup(tx, held, group, section)
      })
    },
  )
}

/** Returns the sections with these ids, in the order of the list. Refuses an id that is in the list twice. */
function namedSections(structure: Structure, ids: string[]): ShownSection[] {
  return ids.map((id, i) => {
    if (ids.indexOf(id) < i) throw invalid(`body.sections.${i}`, 'unique', 'is in this list already')
    return namedSection(structure, id, `body.sections.${i}`)
  })
}

function namedSection({ sections }: Structure, id: string, field: string): ShownSection {
  const section = sections.find((each) => each.id === id)
  if (!section) throw invalid(field, 'exists', 'there is no such section in this site, or you may not see it')
  return section
}
