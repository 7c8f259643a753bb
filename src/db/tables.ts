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
  /** What it leads to, where that is not the organization as a whole: `role` is the one there. */
  space_id: string | null
  collection_id: string | null
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

/** A comment; with a parent, a reply. */
export interface CommentRow {
  organization_id: string
  id: string
  space_id: string
  change_request_id: string | null
  parent_id: string | null
  author_id: string
  markdown: string
  posted_at: Date
  edited_at: Date | null
  resolved_at: Date | null
  revision_id: string
  review_id: string | null
  page_id: string | null
  page: CommentedPage | null
  node: string | null
  node_preview: string | null
  node_doc: string | null
  replies: number
}

/** A page as it was when somebody commented on it. */
export interface CommentedPage {
  title: string
  path: string
  emoji?: string
  icon?: string
  createdAt?: string
  updatedAt?: string
}

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
  position: string
  is_default: boolean
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
  key_sealed: Buffer
  created_at: Date
}

/** Where a redirect leads: to something of the site, or out of it. */
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

/** What happened, as it stands in the record. */
export interface ChangeRow {
  organization_id: string
  id: string
  at: Date
  action: string
  actor_id: string | null
  token_id: string | null
  target_type: string
  target_id: string
  fields: string[] | null
  details: Record<string, string> | null
  request_id: string | null
  address: string | null
}

export interface WebhookRow {
  organization_id: string
  id: string
  title: string
  url: string
  events: string[] | null
  filter: WebhookFilter | null
  active: boolean
  secret: Buffer
  former_secret: Buffer | null
  former_until: Date | null
  failing_since: Date | null
  failed_attempts: number
  failed_deliveries: number
  paused_until: Date | null
  disabled_reason: string | null
  created_at: Date
  updated_at: Date
}

/** Ids of what a webhook is about, where that is not the whole organization. */
export interface WebhookFilter {
  spaces: string[]
  sites: string[]
}

export interface WebhookDeliveryRow {
  organization_id: string
  webhook_id: string
  id: string
  event_id: string
  type: string
  subject: string
  body: string
  replay_of: string | null
  state: 'pending' | 'delivered' | 'failed'
  due_at: Date | null
  tries: number
  attempts: WebhookAttempt[]
  created_at: Date
  finished_at: Date | null
}

/** One try: what was answered, or why nothing was. */
export interface WebhookAttempt {
  at: string
  ms: number
  status?: number
  error?: string
}

export interface TranslationRow {
  organization_id: string
  id: string
  title: string
  source_id: string | null
  source_language: string | null
  created_at: Date
  updated_at: Date
}

export interface TranslationVariantRow {
  organization_id: string
  translation_id: string
  language: string
  space_id: string
}

export interface OpenAPISpecRow {
  organization_id: string
  id: string
  slug: string
  source_url: string | null
  source_blob: string | null
  visibility: 'private' | 'public'
  state: 'pending' | 'progress' | 'complete'
  asked: number
  last_version: string | null
  last_processed_at: Date | null
  last_error: 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR' | null
  last_error_message: string | null
  created_at: Date
  updated_at: Date
}

export interface OpenAPIVersionRow {
  organization_id: string
  spec_id: string
  id: string
  document_blob: string
  externals_blob: string | null
  externals: string[]
  source_blob: string
  format: 'json' | 'yaml'
  created_at: Date
}

export interface GitSyncRow {
  organization_id: string
  space_id: string
  url: string | null
  ref: string | null
  project_directory: string
  tree_url: string | null
  commit_url: string | null
  provider: 'github' | 'gitlab' | null
  merged_line: string | null
  merged_seq: number | null
  merged_oid: string | null
  seen_line: string | null
  seen_seq: number | null
  seen_oid: string | null
  change_request_id: string | null
  change_request_head: string | null
  updated_at: Date
}

export interface GitFileRow {
  organization_id: string
  space_id: string
  path: string
  oid: string
  blob: string
  executable: boolean
  of_content: boolean
}

/** Which repository of which space, and who asks for something about it. */
interface GitAskedRow {
  organization_id: string
  space_id: string
  id: string
  url: string
  ref: string
  project_directory: string
  credentials: Buffer | null
  message: string | null
  info: Partial<Pick<GitSyncRow, 'tree_url' | 'commit_url' | 'provider'>>
  asked_by: string | null
  asked_at: Date
}

export interface GitOperationRow extends GitAskedRow {
  direction: 'import' | 'export'
  state: 'waiting' | 'running' | 'success' | 'failure' | 'timeout'
  force: boolean
  standalone: boolean
  phase: string | null
  result: object | null
  error: string | null
  attempts: number
  due_at: Date | null
  started_at: Date | null
  ended_at: Date | null
}

export interface GitFollowingRow extends GitAskedRow {
  direction: 'both' | 'import' | 'export'
  next_look_at: Date | null
  looks: number
  looked_at: Date | null
  branch_oid: string | null
  main_seq: number | null
  operation_id: string | null
  problem: string | null
  failing_since: Date | null
  failures: number
  told_at: Date | null
}

export interface ExportRunRow {
  organization_id: string
  id: string
  space_id: string | null
  created_by: string | null
  status: 'in-progress' | 'completed' | 'failed'
  files: number
  total_files: number
  bytes: number
  created_at: Date
  updated_at: Date
  completed_at: Date | null
}

export interface ImportRunRow {
  organization_id: string
  id: string
  space_id: string
  change_request_id: string | null
  page_id: string | null
  site_id: string | null
  source: { type: 'website'; url: string } | { type: 'file'; files: string[] }
  status: 'pending' | 'in-progress' | 'completed' | 'failed' | 'cancelled'
  reason: string | null
  created_by: string | null
  token_id: string | null
  /** Of whoever started it with a browser. */
  session_id: string | null
  attempts: number
  due_at: Date | null
  found: number
  done: number
  /** Not read for lists. */
  pages: { id: string; source: string; status: 'complete' | 'pending' }[]
  skipped: { source: string; reason: string }[]
  imported: number | null
  total: number | null
  revision: string | null
  created_at: Date
  updated_at: Date
  started_at: Date | null
  completed_at: Date | null
}
