import type { Static } from 'typebox'
import { type Membership, accessOrganization } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import { requireMatch } from '../http/conditional.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { listTeamsById } from '../teams/queries.ts'
import { accessProvider, accessProviderToChange } from './access.ts'
import { changeProvider, createProvider, removeProvider } from './actions.ts'
import { keyPairToSign } from './keys/keys.actions.ts'
import { listKeysByProvider } from './keys/keys.queries.ts'
import { presentProvider } from './present.ts'
import { readMetadata } from './provider-metadata.ts'
import { providersOf } from './providers.ts'
import { type SamlProviderRow, listProviders } from './queries.ts'
import { NewSamlProvider, SamlProvider, SamlProviderChanges, SsoLogin } from './schema.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofProvider = Type.Object({ organizationId: Type.String(), samlProviderId: Type.String() })
const tags = ['sso']

export const samlRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/saml',
    {
      config: { policy: token(null, 'the role admin') },
      schema: {
        operationId: 'listSAMLProvidersInOrganizationById',
        summary: 'List the SAML providers of an organization',
        tags,
        params: inOrganization,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(SamlProvider), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      const page = pageOf(request)
      const list = await listProviders(app.db, membership.organization.id, page)
      const show = await showing(app.db, membership, list.rows)
      return presentPage(request, page, list, byAge, show)
    },
  )

  app.post(
    '/orgs/:organizationId/saml',
    {
      config: { policy: token(null, 'the role admin') },
      schema: {
        operationId: 'createOrganizationSAMLProvider',
        summary: 'Create a SAML provider',
        description: 'Without `defaultRole`, new members get the default role of the organization.',
        tags,
        params: inOrganization,
        body: NewSamlProvider,
        response: { 201: SamlProvider, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      const draft = { ...settingsOf(request.body), label: request.body.label }
      const newKey = await keyPairToSign(app.db, app.url, draft.signRequests)

      return write(request, async (tx) => {
        return showOne(tx, membership, await createProvider(tx, app.secrets, membership, draft, newKey))
      })
    },
  )

  app.get(
    '/orgs/:organizationId/saml/:samlProviderId',
    {
      config: { policy: token(null, 'the role admin') },
      schema: {
        operationId: 'getOrganizationSAMLProviderById',
        summary: 'Get a SAML provider',
        tags,
        params: ofProvider,
        response: { 200: SamlProvider, ...refusals },
      },
    },
    async (request) => {
      const { membership, provider } = await accessProvider(app.db, request.caller, request.params.samlProviderId)
      return showOne(app.db, membership, provider)
    },
  )

  app.patch(
    '/orgs/:organizationId/saml/:samlProviderId',
    {
      config: { policy: token(null, 'the role admin') },
      schema: {
        operationId: 'updateOrganizationSAMLProvider',
        summary: 'Change a SAML provider',
        tags,
        params: ofProvider,
        body: SamlProviderChanges,
        response: { 200: SamlProvider, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      const changes = settingsOf(request.body)
      const key = { organization_id: membership.organization.id, id: request.params.samlProviderId }
      const newKey = await keyPairToSign(app.db, app.url, changes.signRequests, key)

      return write(request, async (tx) => {
        const provider = await accessProviderToChange(tx, membership, key.id)
        requireMatch(request, await showOne(tx, membership, provider))
        return showOne(tx, membership, await changeProvider(tx, app.secrets, provider, changes, newKey))
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/saml/:samlProviderId',
    {
      config: { policy: token(null, 'the role admin') },
      schema: {
        operationId: 'deleteOrganizationSAMLProvider',
        summary: 'Delete a SAML provider',
        description: 'People who signed in through it are signed out, but stay members.',
        tags,
        params: ofProvider,
        response: { 204: Nothing('The provider was deleted'), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')

      await write(request, async (tx) => {
        const provider = await accessProviderToChange(tx, membership, request.params.samlProviderId)
        requireMatch(request, await showOne(tx, membership, provider))
        await removeProvider(tx, provider)
      })
    },
  )

  app.get(
    '/orgs/:organizationId/sso',
    {
      config: { policy: token(null, 'to be a member') },
      schema: {
        operationId: 'listSSOProviderLoginsInOrganization',
        summary: 'List the sign-in pages of an organization',
        description: 'Only active providers.',
        tags,
        params: inOrganization,
        response: { 200: Type.Object({ items: Type.Array(SsoLogin) }), ...refusals },
      },
    },
    async (request) => {
      const { organization } = accessOrganization(request.caller, 'view')
      const providers = await providersOf(app.db, organization.id, app.url)
      return { items: providers.map(({ id, label, startUrl }) => ({ id, label, startURL: startUrl })) }
    },
  )

  async function showOne(db: Db, membership: Membership, row: SamlProviderRow) {
    return (await showing(db, membership, [row]))(row)
  }

  /** Returns a function that presents one of these providers, with the team it names. */
  async function showing(db: Db, membership: Membership, rows: SamlProviderRow[]) {
    const ids = rows.flatMap(({ default_team_id }) => default_team_id ?? [])
    const { organization, userId } = membership
    const teams = await listTeamsById(db, organization.id, userId, ids)
    const providerIds = rows.map(({ id }) => id)
    const keys = await listKeysByProvider(db, organization.id, providerIds)
    return (row: SamlProviderRow) =>
      presentProvider(row, keys.get(row.id) ?? [], teams.get(row.default_team_id ?? ''), membership, app.url)
  }
}

/**
 * Returns the settings in a body; everything else in it has no effect. A setting on its own takes precedence over the
 * metadata.
 */
function settingsOf(body: Static<typeof SamlProviderChanges>): Static<typeof SamlProviderChanges> {
  const { label, metadata, entityID, certificate, ssoURL, defaultTeam, defaultRole, signRequests } = body
  return {
    ...(metadata !== undefined && readMetadata(metadata)),
    ...(label !== undefined && { label }),
    ...(entityID !== undefined && { entityID }),
    ...(certificate !== undefined && { certificate }),
    ...(ssoURL !== undefined && { ssoURL }),
    ...(defaultTeam !== undefined && { defaultTeam }),
    ...(defaultRole !== undefined && { defaultRole }),
    ...(signRequests !== undefined && { signRequests }),
  }
}
