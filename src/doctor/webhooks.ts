import { sql } from '../db/sql.ts'
import { invariant } from './invariant.ts'

export const webhookInvariants = [
  invariant(
    'Of the pending webhook deliveries about one object, one is due and the others wait for it',
    sql`
      select count(*) from (
        select organization_id, webhook_id, subject,
          (array_agg(due_at order by seq))[1] is null or count(due_at) > 1 as is_stuck
        from webhook_deliveries where state = 'pending' group by 1, 2, 3) x where is_stuck`,
  ),
]
