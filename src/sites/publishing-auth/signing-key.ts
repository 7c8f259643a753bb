import type { SiteRow } from '../../db/tables.ts'
import { type Secrets, newSecret } from '../../secrets.ts'

const purpose = 'site signing key'

/** A new key that signs in visitors of a site, as a row keeps it: sealed, since those who manage the site see it again. */
export const newSigningKey = (secrets: Secrets): Buffer => secrets.seal(purpose, newSecret())

export const signingKeyOf = (secrets: Secrets, { auth_key }: Pick<SiteRow, 'auth_key'>): string =>
  secrets.open(purpose, auth_key)
