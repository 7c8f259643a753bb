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
  pushed: GitPush | null
  updated_at: Date
}

/** A commit that is being pushed: the revision that it contains, and the project directory. */
export interface GitPush {
  oid: string
  line: string
  seq: number
  project_directory: string
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

/** A request to do something with the repository of a space, and who asked for it. */
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
  token_id: string | null
  session_id: string | null
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
  hook_id: string | null
  hook_secret: Buffer | null
  hook_set_at: Date | null
  hook_called_at: Date | null
  hook_result: 'look' | 'other-branch' | 'no-push' | 'stopped' | null
  hook_refused_at: Date | null
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
  /** The session of the person who started it in a browser. */
  session_id: string | null
  attempts: number
  due_at: Date | null
  found: number
  done: number
  /** Not loaded for lists. */
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
