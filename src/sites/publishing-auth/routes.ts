import { requireMatch } from '../../http/conditional.ts'
import { invalid } from '../../http/errors.ts'
import { type Routes, token } from '../../http/routes.ts'
import { refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessSite, accessSiteToChange } from '../access.ts'
import { changePublishingAuth, regeneratePublishingAuth } from './actions.ts'
import { presentPublishingAuth } from './present.ts'
import { PublishingAuth, PublishingAuthChanges } from './schema.ts'

const ofSite = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const tags = ['site-publishing-auth']
const writing = { policy: token('site:auth:write', 'the role create on the site') }

/** Endpoints for how visitors of a site with the visibility `visitor-auth` sign in. */
export const publishingAuthRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/sites/:siteId/publishing/auth',
    {
      config: { policy: token('site:auth:read', 'the role create on the site') },
      schema: {
        operationId: 'getSitePublishingAuthById',
        summary: 'Get the visitor sign-in of a site',
        tags,
        params: ofSite,
        response: { 200: PublishingAuth, ...refusals },
      },
    },
    async (request) => {
      const { site } = await accessSite(app.db, request.caller, request.params.siteId, 'secrets')
      return presentPublishingAuth(app.secrets, site)
    },
  )

  app.patch(
    '/orgs/:organizationId/sites/:siteId/publishing/auth',
    {
      config: writing,
      schema: {
        operationId: 'updateSitePublishingAuthById',
        summary: 'Update the visitor sign-in of a site',
        tags,
        params: ofSite,
        body: PublishingAuthChanges,
        response: { 200: PublishingAuth, ...refusals },
      },
    },
    async (request) => {
      const { backend, fallbackURL, logoutURL } = request.body
      if (backend === 'integration') {
        throw invalid('body.backend', 'unsupported', 'there are no integrations here: a service of yours signs tokens')
      }

      return write(request, async (tx) => {
        const { site } = await accessSiteToChange(tx, request.caller, request.params.siteId, 'secrets')
        requireMatch(request, presentPublishingAuth(app.secrets, site))
        return presentPublishingAuth(app.secrets, await changePublishingAuth(tx, site, { fallbackURL, logoutURL }))
      })
    },
  )

  app.post(
    '/orgs/:organizationId/sites/:siteId/publishing/auth/regenerate',
    {
      config: writing,
      schema: {
        operationId: 'regenerateSitePublishingAuthById',
        summary: 'Create a new signing key for visitors',
        description: 'Tokens signed with the previous key are refused from now on: all visitors have to sign in again.',
        tags,
        params: ofSite,
        response: { 200: PublishingAuth, ...refusals },
      },
    },
    async (request) => {
      await accessSite(app.db, request.caller, request.params.siteId, 'secrets')

      return write(request, async (tx) => {
        const { site } = await accessSiteToChange(tx, request.caller, request.params.siteId, 'secrets')
        return presentPublishingAuth(app.secrets, await regeneratePublishingAuth(tx, app.secrets, site))
      })
    },
  )
}
