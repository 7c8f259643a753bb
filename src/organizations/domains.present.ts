import type { Static } from 'typebox'
import type { Subdomain } from './domains.schema.ts'

export function presentSubdomain(subdomain: string, organizationId: string): Static<typeof Subdomain> {
  return {
    object: 'subdomain',
    subdomain,
    target: { type: 'organization', organization: organizationId },
    isActive: true,
  }
}
