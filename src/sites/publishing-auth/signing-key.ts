import type { SiteRow } from '../../db/tables.ts'
import { type Secrets, newSecret } from '../../secrets.ts'

const purpose = 'site signing key'

/**
 * Creates a key for signing in visitors of a site, sealed as it is stored. It can be read again, because it is shown to
 * the users who manage the site.
 */
export const newSigningKey = (secrets: Secrets): Buffer => secrets.seal(purpose, newSecret())

export const signingKeyOf = (secrets: Secrets, { auth_key }: Pick<SiteRow, 'auth_key'>): string =>
  secrets.open(purpose, auth_key)
