import { requireTeams } from '../../grants/access.ts'
import { type Granting, permissionRoutes } from '../../grants/routes.ts'
import { invalid } from '../../http/errors.ts'
import { listOf, pageOf, presentPage } from '../../http/paging.ts'
import { type Routes, token } from '../../http/routes.ts'
import { refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { isId } from '../../ids.ts'
import { accessSite, accessSiteToChange } from '../access.ts'
import { asThing } from './access.ts'
import { presentSitePermission } from './present.ts'
import { type SitePermissionFilter, listSitePermissions, positionIn } from './queries.ts'
import { SitePermission, SitePermissionQuery } from './schema.ts'
import { presentSite } from '../present.ts'
import { seeSite } from '../see.ts'

const granting: Granting = {
  type: 'site',
  Word: 'Site',
  at: '/orgs/:organizationId/sites/:siteId/permissions',
  ids: ['organizationId', 'siteId'],
  reading: token('site:permissions:read', 'the role create on the site'),
  writing: token('site:permissions:write', 'the role create on the site; nobody can grant more than their own role'),
  access: async (app, caller, id) => asThing(await accessSite(app.db, caller, id, 'admin')),
  async accessToChange(tx, app, caller, id) {
    const access = await accessSiteToChange(tx, caller, id, 'admin')
    const { organization } = access.membership
    return { ...asThing(access), shown: presentSite(await seeSite(tx, access), organization, app.hosts) }
  },
}

export const sitePermissionRoutes: Routes = async (app) => {
  await permissionRoutes(granting)(app)

  app.get(
    '/orgs/:organizationId/sites/:siteId/permissions/aggregate',
    {
      config: { policy: granting.reading },
      schema: {
        operationId: 'listPermissionsAggregateInSite',
        summary: 'List everybody who has access to a site, with their role',
        tags: ['site-permissions'],
        params: Type.Object({ organizationId: Type.String(), siteId: Type.String() }),
        querystring: SitePermissionQuery,
        response: { 200: listOf(SitePermission), ...refusals },
      },
    },
    async (request) => {
      const access = await accessSite(app.db, request.caller, request.params.siteId, 'admin')
      const { sort = 'joinedAt', order = 'desc', role, search, team } = request.query
      if (team !== undefined) requireTeams(asThing(access))
      if (team !== undefined && !isId(team)) throw invalid('query.team', 'format', 'must be the id of a team')
      const filter: SitePermissionFilter = { sort, order, role, search, team }
      const page = pageOf(request)
      const list = await listSitePermissions(app.db, access.site, filter, page)
      return presentPage(request, page, list, positionIn(filter), (row) => presentSitePermission(row, access, app.url))
    },
  )
}
