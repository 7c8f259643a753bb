import { type Routes, markDeprecated, token } from '../../http/routes.ts'
import { refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessSite, accessSiteToChange } from '../access.ts'
import { holdStructure } from '../see.ts'
import { groupIn, sectionIn, showGroup, showSection, showSiteSpace, siteSpaceIn } from './show.ts'
import { type Neighbour, sortItem } from './sort.ts'
import type { ItemType } from './queries.ts'
import { GroupMove, SectionMove, SiteSection, SiteSectionGroup, SiteSpace, SiteSpaceMove } from './schema.ts'

const ofSite = { organizationId: Type.String(), siteId: Type.String() }
const config = { policy: token('site:write', 'the role create on the site') }
const description = 'sortSiteStructure does the same for any item.'

/** The deprecated endpoints that `sortSiteStructure` replaces. */
export const siteMoveRoutes: Routes = async (app) => {
  app.addHook('onSend', async (_request, reply, payload) => {
    markDeprecated(reply)
    return payload
  })

  app.post(
    '/orgs/:organizationId/sites/:siteId/sections/:siteSectionId/move',
    {
      config,
      schema: {
        operationId: 'moveSiteSection',
        summary: 'Move a section of a site',
        description,
        deprecated: true,
        tags: ['site-sections'],
        params: Type.Object({ ...ofSite, siteSectionId: Type.String() }),
        body: SectionMove,
        response: { 200: SiteSection, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { siteId, siteSectionId } = request.params
      const neighbours = neighboursOf(request.body.position, 'siteSection')
      await accessSite(app.db, caller, siteId, 'edit')

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, caller, siteId)
        const held = await holdStructure(tx, access)
        const row = sectionIn(held.structure, siteSectionId)
        await sortItem(tx, held, { type: 'site-section', row }, ...neighbours)
        return showSection(tx, access, app.hosts, row.id)
      })
    },
  )

  app.post(
    '/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId/move',
    {
      config,
      schema: {
        operationId: 'moveSiteSectionGroup',
        summary: 'Move a section group of a site',
        description,
        deprecated: true,
        tags: ['site-section-groups'],
        params: Type.Object({ ...ofSite, siteSectionGroupId: Type.String() }),
        body: GroupMove,
        response: { 200: SiteSectionGroup, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { siteId, siteSectionGroupId } = request.params
      const neighbours = neighboursOf(request.body.position, 'id')
      await accessSite(app.db, caller, siteId, 'edit')

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, caller, siteId)
        const held = await holdStructure(tx, access)
        const row = groupIn(held.structure, siteSectionGroupId)
        await sortItem(tx, held, { type: 'site-section-group', row }, ...neighbours)
        return showGroup(tx, access, app.hosts, row.id)
      })
    },
  )

  app.post(
    '/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/move',
    {
      config,
      schema: {
        operationId: 'moveSiteSpace',
        summary: 'Move a space of a site',
        description,
        deprecated: true,
        tags: ['site-spaces'],
        params: Type.Object({ ...ofSite, siteSpaceId: Type.String() }),
        body: SiteSpaceMove,
        response: { 200: SiteSpace, ...refusals },
      },
    },
    async (request) => {
      const { caller } = request
      const { siteId, siteSpaceId } = request.params
      const neighbours = neighboursOf(request.body.position, 'siteSpace')
      await accessSite(app.db, caller, siteId, 'edit')

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, caller, siteId)
        const held = await holdStructure(tx, access)
        const row = siteSpaceIn(held.structure, siteSpaceId)
        await sortItem(tx, held, { type: 'site-space', row }, ...neighbours)
        return showSiteSpace(tx, access, app.hosts, row.id)
      })
    },
  )
}

/** Reads the neighbours of an item. Each endpoint names their ids differently. */
function neighboursOf<Name extends string>(
  position: { before?: Pointer<Name>; after?: Pointer<Name> } | undefined,
  name: Name,
): Neighbour[] {
  return (['after', 'before'] as const).flatMap((side) => {
    const pointer = position?.[side]
    return pointer ? [{ type: pointer.type, id: pointer[name], side, field: `body.position.${side}.${name}` }] : []
  })
}

type Pointer<Name extends string> = { type: ItemType } & Record<Name, string>
