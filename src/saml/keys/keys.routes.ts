import { accessOrganization } from '../../access/caller.ts'
import { type Routes, token } from '../../http/routes.ts'
import { Nothing, refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessProvider, accessProviderToChange } from '../access.ts'
import { addKey, newKeyPair, removeKey } from './keys.actions.ts'
import { listKeys } from './keys.queries.ts'
import { presentKey } from '../present.ts'
import { SamlKey } from '../schema.ts'

const ofProvider = Type.Object({ organizationId: Type.String(), samlProviderId: Type.String() })
const ofKey = Type.Object({ ...ofProvider.properties, samlKeyId: Type.String() })
const tags = ['sso']

/** Our keys, by which a provider recognizes us. */
export const samlKeyRoutes: Routes = async (app) => {
  app.post(
    '/orgs/:organizationId/saml/:samlProviderId/keys',
    {
      config: { policy: token(null, 'the role admin') },
      schema: {
        operationId: 'createOrganizationSAMLProviderKey',
        summary: 'Create a key for a SAML provider',
        description:
          'Signs requests (`signRequests`) and decrypts what the provider encrypts. A second key is ' +
          'meant to replace the first: it decrypts from now on, and signs once the first is removed.',
        tags,
        params: ofProvider,
        response: { 201: SamlKey, ...refusals },
      },
    },
    async (request) => {
      const { membership, provider: seen } = await accessProvider(app.db, request.caller, request.params.samlProviderId)
      const made = await newKeyPair(app.db, app.url, seen)

      return write(request, async (tx) => {
        const provider = await accessProviderToChange(tx, membership, seen.id)
        const key = await addKey(tx, app.secrets, provider, made)
        return presentKey(key, (await listKeys(tx, provider)).length === 1)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/saml/:samlProviderId/keys/:samlKeyId',
    {
      config: { policy: token(null, 'the role admin') },
      schema: {
        operationId: 'deleteOrganizationSAMLProviderKey',
        summary: 'Remove a key of a SAML provider',
        description:
          'What the provider encrypts for it can no longer be read. The other key, if there is one, signs from now on; ' +
          'the last one cannot be removed while requests are signed (409).',
        tags,
        params: ofKey,
        response: { 204: Nothing('The key was removed'), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')

      await write(request, async (tx) => {
        const provider = await accessProviderToChange(tx, membership, request.params.samlProviderId)
        await removeKey(tx, provider, request.params.samlKeyId)
      })
    },
  )
}
