export interface SiteRow {
  organization_id: string
  id: string
  type: string
  title: string
  visibility: 'public' | 'unlisted' | 'share-link' | 'visitor-auth'
  published: boolean
  published_at: Date | null
  basename: string
  hostname: string | null
  proxy: string | null
  agents_context: 'excluded' | 'included'
  adaptive_enabled: boolean
  adaptive_schema: unknown
  adaptive_updated_at: Date | null
  auth_backend: 'custom' | 'integration'
  auth_key: Buffer
  auth_fallback_url: string | null
  auth_logout_url: string | null
  customization: Record<string, unknown>
  customization_updated_at: Date | null
  version: number
  created_by: string | null
  created_at: Date
  updated_at: Date
}

export interface SiteSectionGroupRow {
  organization_id: string
  site_id: string
  id: string
  title: string
  icon: string | null
  position: string
  created_at: Date
}

export interface SiteSectionRow {
  organization_id: string
  site_id: string
  id: string
  group_id: string | null
  title: string
  description: string | null
  icon: string | null
  path: string
  condition: string | null
  draft: boolean
  position: string
  is_default: boolean
  created_at: Date
}

/** A plain link among the sections that leads out of the site. */
export interface SiteExternalLinkRow {
  organization_id: string
  site_id: string
  id: string
  group_id: string | null
  title: string
  url: string
  description: string | null
  icon: string | null
  condition: string | null
  draft: boolean
  position: string
  created_at: Date
}

export interface SiteSpaceRow {
  organization_id: string
  site_id: string
  id: string
  section_id: string | null
  space_id: string
  title: string | null
  path: string
  condition: string | null
  draft: boolean
  position: string
  is_default: boolean
  customization: Record<string, unknown> | null
  created_at: Date
}

export interface ShareLinkRow {
  organization_id: string
  site_id: string
  id: string
  name: string
  active: boolean
  /** When the link expires, unless it is deactivated before. */
  expires_at: Date | null
  key_sealed: Buffer
  has_password: boolean
  created_at: Date
}

/** Where a redirect leads: to a part of the site, or out of it. */
export type RedirectDestination =
  | { kind: 'site-section'; siteSectionId: string }
  | { kind: 'site-space'; siteSpaceId: string }
  | { kind: 'site-page'; siteSpaceId: string; pageId: string }
  | { kind: 'external'; url: string }

export interface SiteRedirectRow {
  organization_id: string
  site_id: string
  id: string
  source: string
  match: string
  destination: RedirectDestination
  capture_wildcard: boolean
  permanent: boolean
  draft: boolean
  created_at: Date
  updated_at: Date
}
