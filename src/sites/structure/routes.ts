import type { Static } from 'typebox'
import { requireMatchWith } from '../../http/conditional.ts'
import { invalid } from '../../http/errors.ts'
import { type Routes, token } from '../../http/routes.ts'
import { refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessSiteToChange } from '../access.ts'
import { holdStructure, seeStructure } from '../see.ts'
import { itemIn, showItem } from './show.ts'
import { type Neighbour, sortItem } from './sort.ts'
import { presentPublishedSite, presentStructure } from './present.ts'
import { listLooks } from './queries.ts'
import { PublishedSite, SiteItem, SiteStructure, Sorting, WithShareKey } from './schema.ts'

const ofSite = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const tags = ['sites']

export const siteStructureRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/sites/:siteId/structure',
    {
      config: { policy: token('site:read', 'the role read on the site; only what the caller can see is included') },
      schema: {
        operationId: 'getSiteStructure',
        summary: 'Get the structure of a site',
        tags,
        params: ofSite,
        querystring: WithShareKey,
        response: { 200: SiteStructure, ...refusals },
      },
    },
    async (request) => {
      const { shareKey } = request.query
      return presentStructure(
        await seeStructure(app.db, request.caller, request.params.siteId, { shareKey }),
        app.hosts,
      )
    },
  )

  app.patch(
    '/orgs/:organizationId/sites/:siteId/structure/sort',
    {
      config: { policy: token('site:write', 'the role create on the site'), minimal: true },
      schema: {
        operationId: 'sortSiteStructure',
        summary: 'Move an item of the structure of a site on its level',
        tags,
        params: ofSite,
        body: Sorting,
        response: { 200: SiteItem, ...refusals },
      },
    },
    async (request) => {
      const { item: wanted, position } = request.body

      return write(request, async (tx) => {
        const access = await accessSiteToChange(tx, request.caller, request.params.siteId)
        const held = await holdStructure(tx, access)
        await requireMatchWith(request, async () =>
          presentStructure(await seeStructure(tx, request.caller, request.params.siteId, {}), app.hosts),
        )
        const item = itemIn(held.structure, wanted.type, wanted.id)
        await sortItem(tx, held, item, neighbourOf(position))
        return showItem(tx, access, app.hosts, wanted.type, wanted.id)
      })
    },
  )

  app.get(
    '/orgs/:organizationId/sites/:siteId/published',
    {
      config: { policy: token('site:read', 'the role read on the site; only what the caller can see is included') },
      schema: {
        operationId: 'getPublishedContentSite',
        summary: 'Get all published content of a site',
        description: 'Includes conditions, which are evaluated for each visitor, but no drafts.',
        tags,
        params: ofSite,
        querystring: WithShareKey,
        response: { 200: PublishedSite, ...refusals },
      },
    },
    async (request) => {
      const { shareKey } = request.query
      const seen = await seeStructure(app.db, request.caller, request.params.siteId, { shareKey, drafts: false })
      const looks = await listLooks(app.db, seen.site)
      return presentPublishedSite(app, seen, looks, seen.access.membership.organization)
    },
  )
}

function neighbourOf({ before, after }: Static<typeof Sorting>['position']): Neighbour | undefined {
  if (before && after) throw invalid('body.position', 'exclusive', 'name either before or after')
  if (before) return { ...before, side: 'before', field: 'body.position.before.id' }
  return after && { ...after, side: 'after', field: 'body.position.after.id' }
}
