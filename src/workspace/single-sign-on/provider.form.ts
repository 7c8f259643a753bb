import type { Static } from 'typebox'
import { type Fields, withLineFeeds } from '../../account/forms.ts'
import type { Transaction } from '../../db/transaction.ts'
import { asBody } from '../../http/validation.ts'
import { readMetadata } from '../../saml/provider-metadata.ts'
import type { SamlProviderRow } from '../../saml/queries.ts'
import { SamlProviderChanges } from '../../saml/schema.ts'
import { type Sent, marking } from '../marks.ts'
import { roleIn, roleName } from '../roles.ts'
import { teamIn } from '../team-named.ts'

/** What each setting of an identity provider is called, in a sentence. */
export const names = {
  label: 'the name',
  entity: 'the entity ID',
  address: 'the address for logins',
  certificate: 'the certificate',
  role: 'the role of new members',
  team: 'the team of new members',
  name: 'the team of new members',
  signing: 'whether requests are signed',
}

export type Name = keyof typeof names

/**
 * The settings as the form contains them. The team is given by its id, or by its name if there are too many to choose
 * from.
 */
export type ProviderForm = Record<Name, string>

export type SentProvider = Sent<ProviderForm>

const all = Object.keys(names) as Name[]

const { marksOf, changedIn, overtakenIn } = marking<ProviderForm, Name>(all, (form, name) => form[name])

export { marksOf, overtakenIn }

/** Returns the current settings of a provider. `team` is the name of the team for new members. */
export const formOf = (row: SamlProviderRow, team: string): ProviderForm => ({
  label: row.label,
  entity: row.entity_id ?? '',
  address: row.sso_url ?? '',
  certificate: asLines(row.certificate ?? ''),
  role: roleName(row.default_role),
  team: row.default_team_id ?? '',
  name: team,
  signing: row.sign_requests ? 'yes' : 'no',
})

/**
 * Reads the form that was sent. A page has only one of the two fields for a team. The other keeps its current value.
 */
export function readForm(fields: Fields, now: ProviderForm): ProviderForm {
  const typed = all.map((name) => [name, asLines(fields[name] ?? now[name])])
  return Object.fromEntries(typed) as ProviderForm
}

/** If metadata was pasted, takes the fields from it, as if they had been typed. */
export function withMetadata(fields: Fields): Fields {
  if (!fields.metadata?.trim()) return fields
  const { entityID: entity, ssoURL: address, certificate, signRequests } = readMetadata(fields.metadata)
  return { ...fields, entity, address, certificate, ...(signRequests && { signing: 'yes' }) }
}

const asLines = (text: string) => withLineFeeds(text).trim()

/** Returns the current settings, with those that were changed in the form. */
export const withSent = (now: ProviderForm, sent: SentProvider): ProviderForm => ({
  ...now,
  ...Object.fromEntries(changedIn(sent).map((name) => [name, sent.form[name]])),
})

/** Returns the requested changes in the format of the API. */
export async function changesIn(
  tx: Transaction,
  { organization_id }: SamlProviderRow,
  now: ProviderForm,
  wanted: ProviderForm,
): Promise<Static<typeof SamlProviderChanges>> {
  const isNew = (name: Name) => wanted[name] !== now[name]
  const { label, entity, address, certificate, role, team, name, signing } = wanted
  const defaultTeam = async () => {
    const chosen = isNew('team') ? { team } : { name }
    return Object.values(chosen)[0] === '' ? null : teamIn(tx, organization_id, chosen)
  }
  return asBody(SamlProviderChanges, {
    ...(isNew('label') && { label }),
    ...(isNew('entity') && { entityID: entity }),
    ...(isNew('address') && { ssoURL: address }),
    ...(isNew('certificate') && { certificate }),
    ...(isNew('role') && { defaultRole: roleIn(role) }),
    ...(isNew('signing') && { signRequests: signing === 'yes' }),
    ...((isNew('team') || isNew('name')) && { defaultTeam: await defaultTeam() }),
  })
}
