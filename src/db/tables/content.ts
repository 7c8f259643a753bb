import type { Role } from '../../access/roles.ts'

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

/** A comment, or a reply if it has a parent. */
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

/** What a page on another server says about itself. Pages of the organization embed it. */
export interface EmbedRow {
  organization_id: string
  address_hash: Buffer
  address: string
  title: string | null
  site: string | null
  description: string | null
  icon: string | null
}
