import { findCallerOfToken } from '../../access/caller.ts'
import { accessChangeRequest } from '../../change-requests/access.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { type Routes, token } from '../../http/routes.ts'
import { refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { accessSite } from '../../sites/access.ts'
import type { ClaimValues } from '../../sites/adaptive/claims.ts'
import { listRolesIn } from '../../sites/queries.ts'
import { addressOfChange } from './change-preview.ts'
import { pathOfPreview, previewAddress } from './preview.ts'
import { RisonError, readRison } from './rison.ts'

/** A preview is passed in a cookie, which limits its size. */
const maxClaimsBytes = 2_000

const Claims = Type.String({
  maxLength: 4096,
  description: 'Claims of the visitor, as Rison, (plan:pro,beta:!t), or as JSON',
})

export const previewRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/sites/:siteId/publishing/preview',
    {
      config: { policy: token('site:auth:read', 'the role create on the site') },
      schema: {
        operationId: 'getSitePublishingPreviewById',
        summary: 'Get a preview URL of a site',
        description:
          'Valid for one hour, for as long as the caller keeps their role. Shows only the spaces that the caller can see.',
        tags: ['site-preview'],
        params: Type.Object({ organizationId: Type.String(), siteId: Type.String() }),
        querystring: Type.Object({
          siteSpace: Type.Optional(Type.String({ description: 'Where the preview opens. Default: the root.' })),
          claims: Type.Optional(Claims),
          draft: Type.Optional(
            Type.Boolean({
              default: true,
              description: 'Include draft sections, variants, links and redirects.',
            }),
          ),
          target: Type.Optional(Type.String({ maxLength: 2048, description: 'The path of the page to open.' })),
        }),
        response: { 200: Type.Object({ url: Type.String() }), ...refusals },
      },
    },
    async (request) => {
      const { siteSpace, claims, draft = true, target = '' } = request.query
      const { site, membership } = await accessSite(app.db, request.caller, request.params.siteId, 'secrets')
      const [snapshot, roles] = await Promise.all([
        app.audience.snapshots.get(site.id),
        listRolesIn(app.db, membership, site.id),
      ])
      if (!snapshot) throw notFound('site')
      const path = pathOfPreview(snapshot, siteSpace, target, roles)
      const preview = { site: site.id, organization: site.organization_id, claims: readClaims(claims), draft }
      return { url: previewAddress(app, snapshot, path, preview, request.caller) }
    },
  )

  app.get(
    '/spaces/:spaceId/change-requests/:changeRequestId/preview',
    {
      config: { policy: token('space:read', 'the role read in the space') },
      schema: {
        operationId: 'getChangeRequestPreview',
        summary: 'Get a preview URL of a change request',
        description:
          'Shows the change request as the site would after a merge. Valid for one hour, for as long as the caller can read the change request; always shows its latest content. The site does not have to be published. Answers 409 if no site that the caller can see contains the space.',
        tags: ['change-requests'],
        params: Type.Object({ spaceId: Type.String(), changeRequestId: Type.String() }),
        querystring: Type.Object({
          site: Type.Optional(
            Type.String({ description: 'The site to preview. Default: the first one that contains the space.' }),
          ),
          page: Type.Optional(Type.String({ description: 'The id of the page to open.' })),
          claims: Type.Optional(Claims),
        }),
        response: { 200: Type.Object({ url: Type.String() }), ...refusals },
      },
    },
    async (request) => {
      const { claims, ...wanted } = request.query
      const { space } = await accessChangeRequest(app.db, request.caller, request.params, 'view')
      const caller = await findCallerOfToken(app.db, request.caller.token.id, space.organization_id)
      if (!caller) throw notFound('space')
      return { url: await addressOfChange(app, caller, request.params, { ...wanted, claims: readClaims(claims) }) }
    },
  )
}

function readClaims(text: string | undefined): ClaimValues {
  if (text === undefined || text === '') return {}
  const claims = parsed(text)
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) {
    throw invalid('query.claims', 'type', 'must be an object in Rison, such as (plan:pro,beta:!t), or as JSON')
  }
  if (Buffer.byteLength(JSON.stringify(claims)) > maxClaimsBytes) {
    throw invalid('query.claims', 'maxLength', `at most ${maxClaimsBytes} bytes as JSON`)
  }
  return claims as ClaimValues
}

/** Parses claims. Rison never begins with a brace, so a text that does is JSON. */
function parsed(text: string): unknown {
  const isJson = text.trimStart().startsWith('{')
  try {
    return isJson ? JSON.parse(text) : readRison(text)
  } catch (error) {
    if (error instanceof RisonError) throw invalid('query.claims', 'rison', error.message)
    if (isJson) throw invalid('query.claims', 'json', 'is not valid JSON')
    throw error
  }
}
