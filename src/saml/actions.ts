import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import type { Membership } from '../access/caller.ts'
import { recordChange } from '../changes/record.ts'
import { constraintBroken } from '../db/constraints.ts'
import type { Transaction } from '../db/transaction.ts'
import { conflict, invalid } from '../http/errors.ts'
import { formats } from '../http/formats.ts'
import { isId, newId } from '../ids.ts'
import { readCertificate } from './certificate.ts'
import { endSessionsThrough } from './identities.queries.ts'
import {
  type SamlProviderRow,
  countProviders,
  deleteProvider,
  findProvider,
  insertProvider,
  updateProvider,
} from './queries.ts'
import type { NewSamlProvider, SamlProviderChanges } from './schema.ts'

const mostProviders = 20

export async function createProvider(
  tx: Transaction,
  { organization }: Membership,
  draft: Static<typeof NewSamlProvider>,
): Promise<SamlProviderRow> {
  if ((await countProviders(tx, organization.id)) >= mostProviders) {
    throw conflict(`There are ${mostProviders} SAML providers already. Delete one first.`)
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
    },
    draft,
  )
  await knownTeam(insertProvider(tx, row))
  recordChange(tx, { ...about(row), action: 'saml-provider.created' })
  return (await findProvider(tx, row.organization_id, row.id))!
}

/** Of one that is locked. Whoever signed in through it before stays who they are. */
export async function changeProvider(
  tx: Transaction,
  row: SamlProviderRow,
  changes: Static<typeof SamlProviderChanges>,
): Promise<SamlProviderRow> {
  const next = { ...row, ...changed(row, changes) }
  if (isDeepStrictEqual(next, row)) return row
  await knownTeam(updateProvider(tx, next))
  recordChange(tx, { ...about(row), action: 'saml-provider.updated', fields: Object.keys(changes).toSorted() })
  return next
}

/** Nobody comes in through it any more, and whoever did is signed out. They stay members. */
export async function removeProvider(tx: Transaction, row: SamlProviderRow): Promise<void> {
  await endSessionsThrough(tx, row)
  await deleteProvider(tx, row)
  recordChange(tx, { ...about(row), action: 'saml-provider.removed' })
}

type Settings = Omit<SamlProviderRow, 'created_at'>

/** What is left out stays, what is empty goes. */
function changed(row: Settings, changes: Static<typeof SamlProviderChanges>): Settings {
  const { label, entityID, certificate, ssoURL, defaultTeam, defaultRole } = changes
  return {
    ...row,
    ...(label !== undefined && { label }),
    ...(entityID !== undefined && { entity_id: entityID.trim() || null }),
    ...(certificate !== undefined && certified(certificate.trim())),
    ...(ssoURL !== undefined && { sso_url: checkedUrl(ssoURL) }),
    ...(defaultTeam !== undefined && { default_team_id: checkedTeam(defaultTeam) }),
    ...(defaultRole !== undefined && { default_role: defaultRole }),
  }
}

function certified(certificate: string): Pick<SamlProviderRow, 'certificate' | 'certificate_expires_at'> {
  if (certificate === '') return { certificate: null, certificate_expires_at: null }
  return { certificate, certificate_expires_at: readCertificate(certificate).expiresAt }
}

function checkedUrl(text: string): string | null {
  if (text.trim() === '') return null
  if (!formats['http-url']!(text)) throw invalid('body.ssoURL', 'format', 'must be an http or https address')
  const { username, password, href } = new URL(text)
  if (username !== '' || password !== '') throw invalid('body.ssoURL', 'format', 'must not hold a user or a password')
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
