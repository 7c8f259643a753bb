import type { Role } from '../../access/roles.ts'
import type { Scope } from '../../access/scopes.ts'
import type { MergeRules } from './content.ts'

export interface UserRow {
  id: string
  email: string
  email_verified: boolean
  display_name: string
  photo_url: string | null
  instance_admin: boolean
  disabled: boolean
  created_at: Date
}

export interface TokenRow {
  id: string
  user_id: string
  label: string
  scopes: Scope[] | null
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
  used_at: Date | null
}

export interface OrganizationRow {
  id: string
  title: string
  hostname: string
  use_case: string | null
  community_type: string | null
  default_role: Role | null
  logo: string | null
  sso: boolean
  ai: boolean
  invite_links: boolean
  merge_rules: MergeRules
  default_site_id: string | null
  created_at: Date
  email_domains: string[]
}

export interface MemberRow {
  organization_id: string
  user_id: string
  role: Role | null
  disabled: boolean
  sso: boolean
  joined_at: Date
  last_seen_at: Date | null
}

export interface TeamRow {
  id: string
  organization_id: string
  title: string
  created_at: Date
}

export interface InviteRow {
  id: string
  organization_id: string
  email: string | null
  role: Role | null
  sso: boolean
  /**
   * The space or collection that the invite leads to, unless it is the organization as a whole. `role` is then the role
   * there.
   */
  space_id: string | null
  collection_id: string | null
  secret_sealed: Buffer
  created_at: Date
  expires_at: Date | null
}
