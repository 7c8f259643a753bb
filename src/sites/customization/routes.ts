import type { Caller } from '../../access/caller.ts'
import type { Transaction } from '../../db/transaction.ts'
import { requireMatch } from '../../http/conditional.ts'
import { type Routes, token } from '../../http/routes.ts'
import { Nothing, refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessSite, accessSiteToChange } from '../access.ts'
import { changeCustomization, changeSiteSpaceCustomization, removeSiteSpaceCustomization } from './actions.ts'
import { accessSiteSpaceLook } from './access.ts'
import { asSent } from './customization.ts'
import { presentCustomization, presentSiteSpaceCustomization } from './present.ts'
import { CustomizationAnswer, CustomizationOverride, NewCustomization } from './schema.ts'

const ofSite = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const ofSiteSpace = Type.Object({ organizationId: Type.String(), siteId: Type.String(), siteSpaceId: Type.String() })
const Unmasked = Type.Object({
  unmasked: Type.Optional(Type.Boolean({ description: 'Has no effect: nothing is masked here.' })),
})
const tags = ['site-customization']
const reading = { policy: token('site:read', 'to see the site') }
const writing = { policy: token('site:write', 'the role create on the site') }

export const customizationRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/sites/:siteId/customization',
    {
      config: reading,
      schema: {
        operationId: 'getSiteCustomizationById',
        summary: 'Get the customization of a site',
        tags,
        params: ofSite,
        querystring: Unmasked,
        response: { 200: CustomizationAnswer, ...refusals },
      },
    },
    async (request) => {
      const { site } = await accessSite(app.db, request.caller, request.params.siteId, 'view')
      return presentCustomization(app, site)
    },
  )

  app.put(
    '/orgs/:organizationId/sites/:siteId/customization',
    {
      config: writing,
      schema: {
        operationId: 'updateSiteCustomizationById',
        summary: 'Replace the customization of a site',
        tags,
        params: ofSite,
        body: NewCustomization,
        response: { 200: CustomizationAnswer, ...refusals },
      },
    },
    async (request) => {
      const { caller, params, body } = request

      return write(request, async (tx) => {
        const { site } = await accessSiteToChange(tx, caller, params.siteId)
        const from = { db: tx, url: app.url }
        requireMatch(request, await presentCustomization(from, site))
        return presentCustomization(
          from,
          await changeCustomization({ app, tx, caller, site }, asSent(body, site.customization)),
        )
      })
    },
  )

  app.get(
    '/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/customization',
    {
      config: reading,
      schema: {
        operationId: 'getSiteSpaceCustomizationById',
        summary: 'Get the customization of a space of a site',
        tags,
        params: ofSiteSpace,
        querystring: Unmasked,
        response: { 200: CustomizationAnswer, ...refusals },
      },
    },
    async (request) => {
      const { siteId, siteSpaceId } = request.params
      const { site } = await accessSite(app.db, request.caller, siteId, 'view')
      const row = await accessSiteSpaceLook(app.db, request.caller, site, siteSpaceId)
      return presentSiteSpaceCustomization(app, site, row.customization)
    },
  )

  const accessToChange = async (
    tx: Transaction,
    caller: Caller,
    { siteId, siteSpaceId }: { siteId: string; siteSpaceId: string },
  ) => {
    const { site } = await accessSiteToChange(tx, caller, siteId)
    const row = await accessSiteSpaceLook(tx, caller, site, siteSpaceId)
    const shown = await presentSiteSpaceCustomization({ db: tx, url: app.url }, site, row.customization)
    return { site, row, shown }
  }

  app.patch(
    '/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/customization',
    {
      config: writing,
      schema: {
        operationId: 'overrideSiteSpaceCustomizationById',
        summary: 'Override the customization of a site for one of its spaces',
        tags,
        params: ofSiteSpace,
        body: CustomizationOverride,
        response: { 200: CustomizationAnswer, ...refusals },
      },
    },
    async (request) => {
      const { caller, params, body } = request

      return write(request, async (tx) => {
        const { site, row, shown } = await accessToChange(tx, caller, params)
        requireMatch(request, shown)
        const { customization } = await changeSiteSpaceCustomization({ app, tx, caller, site }, row, body)
        return presentSiteSpaceCustomization({ db: tx, url: app.url }, site, customization)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/customization',
    {
      config: writing,
      schema: {
        operationId: 'deleteSiteSpaceCustomizationById',
        summary: 'Reset the customization of a space of a site',
        tags,
        params: ofSiteSpace,
        response: { 205: Nothing('The space now looks like the site'), ...refusals },
      },
    },
    async (request) => {
      const { caller, params } = request

      await write(request, async (tx) => {
        const { site, row, shown } = await accessToChange(tx, caller, params)
        requireMatch(request, shown)
        await removeSiteSpaceCustomization({ app, tx, caller, site }, row)
      })
    },
  )
}
