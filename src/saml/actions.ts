import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import type { Membership } from '../access/caller.ts'
import { changedFields } from '../changes/changed-fields.ts'
import { recordChange } from '../changes/record.ts'
import { constraintBroken } from '../db/constraints.ts'
import type { Transaction } from '../db/transaction.ts'
import { conflict, invalid } from '../http/errors.ts'
import { formats } from '../http/formats.ts'
import { isId, newId } from '../ids.ts'
import type { Secrets } from '../secrets.ts'
import { readCertificate } from './keys/certificate.ts'
import { endSessionsThrough } from './login/identities.queries.ts'
import { addKey } from './keys/keys.actions.ts'
import { listKeys } from './keys/keys.queries.ts'
import {
  type SamlProviderRow,
  countProviders,
  deleteProvider,
  findProvider,
  insertProvider,
  updateProvider,
} from './queries.ts'
import type { NewSamlProvider, SamlProviderChanges } from './schema.ts'
import type { KeyPair } from './keys/self-signed.ts'

const mostProviders = 20

/** Creates a provider, with a key if its requests are to be signed from the beginning. */
export async function createProvider(
  tx: Transaction,
  secrets: Secrets,
  { organization }: Membership,
  draft: Static<typeof NewSamlProvider>,
  newKey?: KeyPair,
): Promise<SamlProviderRow> {
  if ((await countProviders(tx, organization.id)) >= mostProviders) {
    throw conflict(`There are already ${mostProviders} SAML providers. Delete one first.`)
  }
  const row = changed(
    {
      organization_id: organization.id,
      id: newId(),
      label: draft.label,
      entity_id: null,
      certificate: null,
      sso_url: null,
      certificate_expires_at: null,
      default_team_id: null,
      default_role: organization.default_role,
      sign_requests: false,
    },
    draft,
  )
  await knownTeam(insertProvider(tx, row))
  recordChange(tx, { ...about(row), action: 'saml-provider.created' })
  await keyToSign(tx, secrets, row, newKey)
  return (await findProvider(tx, row.organization_id, row.id))!
}

/** Changes a provider, which must be locked. Users who signed in through it before keep their accounts. */
export async function changeProvider(
  tx: Transaction,
  secrets: Secrets,
  row: SamlProviderRow,
  changes: Static<typeof SamlProviderChanges>,
  newKey?: KeyPair,
): Promise<SamlProviderRow> {
  const next = { ...row, ...changed(row, changes) }
  if (isDeepStrictEqual(next, row)) return row
  await knownTeam(updateProvider(tx, next))
  const fields = changedFields<SamlProviderRow>(next, row, columns)
  recordChange(tx, { ...about(row), action: 'saml-provider.updated', fields })
  await keyToSign(tx, secrets, next, newKey)
  return next
}

/** The columns of each setting. `metadata` has none: it provides some of the others. */
const columns = {
  certificate: ['certificate'],
  defaultRole: ['default_role'],
  defaultTeam: ['default_team_id'],
  entityID: ['entity_id'],
  label: ['label'],
  signRequests: ['sign_requests'],
  ssoURL: ['sso_url'],
} as const satisfies Record<
  Exclude<keyof Static<typeof SamlProviderChanges>, 'metadata'>,
  readonly (keyof SamlProviderRow)[]
>

/** Makes sure there is a key if requests are signed: adds the one made for that, unless a key exists by now. */
async function keyToSign(tx: Transaction, secrets: Secrets, row: Settings, newKey: KeyPair | undefined): Promise<void> {
  if (!row.sign_requests || (await listKeys(tx, row)).length > 0) return
  if (!newKey) throw conflict('The key was removed in the meantime. Please try again.')
  await addKey(tx, secrets, row, newKey)
}

/** Nobody can sign in through it any more, and users who did are signed out. They stay members. */
export async function removeProvider(tx: Transaction, row: SamlProviderRow): Promise<void> {
  await endSessionsThrough(tx, row)
  await deleteProvider(tx, row)
  recordChange(tx, { ...about(row), action: 'saml-provider.removed' })
}

type Settings = Omit<SamlProviderRow, 'created_at'>

/** Settings that are left out are kept; empty ones are removed. */
function changed(row: Settings, changes: Static<typeof SamlProviderChanges>): Settings {
  const { label, entityID, certificate, ssoURL, defaultTeam, defaultRole, signRequests } = changes
  return {
    ...row,
    ...(label !== undefined && { label }),
    ...(entityID !== undefined && { entity_id: theirs(row, 'entityID', entityID.trim() || null) }),
    ...(certificate !== undefined && certified(certificate)),
    ...(ssoURL !== undefined && { sso_url: theirs(row, 'ssoURL', checkedUrl(ssoURL)) }),
    ...(defaultTeam !== undefined && { default_team_id: checkedTeam(defaultTeam) }),
    ...(defaultRole !== undefined && { default_role: defaultRole }),
    ...(signRequests !== undefined && { sign_requests: signRequests }),
  }
}

/**
 * Refuses our own addresses, which are meant for the provider and easily pasted into the wrong field: each login would
 * lead to another login.
 */
function theirs({ organization_id }: Settings, field: 'entityID' | 'ssoURL', text: string | null): string | null {
  if (!text?.includes(`/saml/${organization_id}/`)) return text
  throw invalid(`body.${field}`, 'format', 'is an address of Lectern itself. Enter what the provider shows')
}

/** A certificate file ends with a line break. The text is kept as it was sent, so that it is returned unchanged. */
function certified(certificate: string): Pick<SamlProviderRow, 'certificate' | 'certificate_expires_at'> {
  if (certificate.trim() === '') return { certificate: null, certificate_expires_at: null }
  return { certificate, certificate_expires_at: readCertificate(certificate).expiresAt }
}

function checkedUrl(given: string): string | null {
  const text = given.trim()
  if (text === '') return null
  if (!formats['http-url']!(text)) throw invalid('body.ssoURL', 'format', 'must be an http or https address')
  const { username, password, href } = new URL(text)
  if (username !== '' || password !== '')
    throw invalid('body.ssoURL', 'format', 'must not contain a user or a password')
  if (href.length > 2048) throw invalid('body.ssoURL', 'maxLength', 'must not be longer than 2048 characters')
  return text
}

function checkedTeam(id: string | null): string | null {
  if (id !== null && !isId(id)) throw noSuchTeam()
  return id
}

const noSuchTeam = () => invalid('body.defaultTeam', 'exists', 'there is no such team in this organization')

const knownTeam = (work: Promise<void>) =>
  constraintBroken(work, 'saml_providers_organization_id_default_team_id_fkey', noSuchTeam)

export const about = ({ organization_id, id }: Pick<SamlProviderRow, 'organization_id' | 'id'>) => ({
  organizationId: organization_id,
  target: { type: 'saml-provider', id },
})
