import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'

export interface MailCount {
  /** Empty for the total of all addresses. */
  address_hash: Buffer
  times: number
  seconds_left: number
}

/**
 * Adds these mails to the counts, by the database's clock. A day begins with the first mail after the previous day
 * ended.
 */
export async function countMails(
  tx: Transaction,
  organizationId: string,
  more: readonly { addressHash: Buffer; times: number }[],
): Promise<MailCount[]> {
  return tx.all(sql<MailCount>`
    insert into invite_mail_counts as n (organization_id, address_hash, since, times)
    select ${organizationId}::uuid, address_hash, now(), sum(times)
    from unnest(${more.map(({ addressHash }) => addressHash)}::bytea[], ${more.map(({ times }) => times)}::int[])
      given (address_hash, times)
    group by address_hash order by address_hash
    on conflict (organization_id, address_hash) do update set
      times = case when now() < n.since + interval '1 day' then n.times + excluded.times else excluded.times end,
      since = case when now() < n.since + interval '1 day' then n.since else now() end
    returning n.address_hash, n.times, ceil(extract(epoch from n.since + interval '1 day' - now()))::int as seconds_left`)
}
