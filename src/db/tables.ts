/** Rows as queries select them. The tables themselves, with their constraints, are in migrations/. */
import type { Role } from '../access/roles.ts'
import type { Scope } from '../access/scopes.ts'

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
  secret_sealed: Buffer
  created_at: Date
  expires_at: Date | null
}

export interface CollectionRow {
  organization_id: string
  id: string
  parent_id: string | null
  title: string
  description: string | null
  inherits: boolean
  level: Role | null
  position: string
  created_at: Date
}

export interface SpaceRow {
  organization_id: string
  id: string
  collection_id: string | null
  title: string
  emoji: string | null
  icon: string | null
  edit_mode: 'live' | 'locked'
  language: string | null
  inherits: boolean
  level: Role | null
  position: string
  merge_rules: MergeRules
  created_by: string | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

/** What must hold before a change request is merged. */
export type MergeRules = { type: 'inherit' | 'none' } | { type: 'rules'; rules: MergeRule[] }

export type MergeRule =
  | { type: 'custom'; expression: string; message?: string }
  | { type: 'require_specific_reviewers' | 'require_one_of_specific_reviewers' | 'allow_bypass'; users: string[] }
  | {
      type:
        | 'require_at_least_one_review'
        | 'require_at_least_one_approved_review'
        | 'require_all_reviews_approved'
        | 'require_up_to_date_change_request'
        | 'require_change_request_subject'
        | 'require_change_request_description'
        | 'require_author_to_merge'
    }

export interface ChangeRequestRow {
  organization_id: string
  id: string
  space_id: string
  number: number
  line_id: string
  status: 'draft' | 'open' | 'archived' | 'merged'
  subject: string
  description: string | null
  created_by: string | null
  created_at: Date
  updated_at: Date
  revision_initial: string
  revision_ancestor: string | null
  revision_merged: string | null
}
