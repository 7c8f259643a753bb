/** An entry in the record of changes. */
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

/** The spaces and sites that a webhook is limited to. Without a filter, it covers the whole organization. */
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

/** One attempt: the status of the answer, or why there was none. */
export interface WebhookAttempt {
  at: string
  ms: number
  status?: number
  error?: string
}
