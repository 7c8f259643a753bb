import { requireMatch } from '../../http/conditional.ts'
import { type Routes, token } from '../../http/routes.ts'
import { refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessSite, accessSiteToChange } from '../access.ts'
import { changeAdaptiveSchema } from './actions.ts'
import { presentAdaptiveSchema } from './present.ts'
import { AdaptiveSchema, AdaptiveSchemaChanges, TemplateConditions } from './schema.ts'
import { readClaimsSchema } from './read-claims.ts'
import { schemaOf, templateConditions } from './claims.ts'

const ofSite = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const tags = ['sites']
const reading = { policy: token('site:read', 'to see the site') }

export const adaptiveRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/sites/:siteId/adaptive-schema',
    {
      config: reading,
      schema: {
        operationId: 'getSiteAdaptiveSchema',
        summary: 'Get the visitor schema of a site',
        tags,
        params: ofSite,
        response: { 200: AdaptiveSchema, ...refusals },
      },
    },
    async (request) => {
      const { site } = await accessSite(app.db, request.caller, request.params.siteId, 'view')
      return presentAdaptiveSchema(site)
    },
  )

  app.put(
    '/orgs/:organizationId/sites/:siteId/adaptive-schema',
    {
      config: { policy: token('site:write', 'the role create on the site') },
      schema: {
        operationId: 'updateSiteAdaptiveSchema',
        summary: 'Set the visitor schema of a site',
        description:
          'Conditions that use a claim that is no longer declared stay as they are, and hide what they guard: without the claim ' +
          'they are false.',
        tags,
        params: ofSite,
        body: AdaptiveSchemaChanges,
        response: { 200: AdaptiveSchema, ...refusals },
      },
    },
    async (request) => {
      const schema = readClaimsSchema(request.body.jsonSchema, 'body.jsonSchema')

      return write(request, async (tx) => {
        const { site } = await accessSiteToChange(tx, request.caller, request.params.siteId)
        requireMatch(request, presentAdaptiveSchema(site))
        return presentAdaptiveSchema(await changeAdaptiveSchema(tx, site, schema))
      })
    },
  )

  app.get(
    '/orgs/:organizationId/sites/:siteId/adaptive-schema/template-conditions',
    {
      config: reading,
      schema: {
        operationId: 'listSiteAdaptiveTemplateConditions',
        summary: 'List conditions that the visitor schema of a site allows',
        tags,
        params: ofSite,
        response: { 200: TemplateConditions, ...refusals },
      },
    },
    async (request) => {
      const { site } = await accessSite(app.db, request.caller, request.params.siteId, 'view')
      return { items: templateConditions(schemaOf(site)) }
    },
  )
}
