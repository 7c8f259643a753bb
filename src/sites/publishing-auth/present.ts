import type { Static } from 'typebox'
import type { SiteRow } from '../../db/tables.ts'
import type { Secrets } from '../../secrets.ts'
import type { PublishingAuth } from './schema.ts'
import { signingKeyOf } from './signing-key.ts'

/** Only for users who manage the site: the key can sign in any visitor. */
export function presentPublishingAuth(secrets: Secrets, site: SiteRow): Static<typeof PublishingAuth> {
  return {
    object: 'publishing-auth',
    backend: 'custom',
    privateKey: signingKeyOf(secrets, site),
    ...(site.auth_fallback_url !== null && { fallbackURL: site.auth_fallback_url }),
    ...(site.auth_logout_url !== null && { logoutURL: site.auth_logout_url }),
  }
}
