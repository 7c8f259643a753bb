import { sql } from '../db/sql.ts'
import { batch, removeInBatches } from './in-batches.ts'
import type { Task } from './task.ts'

/**
 * Removes expired data, such as tokens and invites past their time, remembered responses older than a day, and logins
 * that were never completed. Revoked tokens are kept, so that their values can never become valid again.
 */
export const purge: Task = {
  name: 'purge',
  schedule: '17 * * * *',
  async run({ db, log, stopping }) {
    const removers = statements.map((statement) => () => db.run(statement))
    const removed = await removeInBatches(removers, stopping)
    if (removed > 0) log.info({ removed }, 'purged what has expired')
  },
}

const statements = [
  sql`delete from saml_logins where (organization_id, provider_id, id) in (select organization_id, provider_id, id
    from saml_logins where created_at < now() - interval '1 hour' limit ${batch})`.asSlow(),
  sql`delete from saml_assertions where (organization_id, provider_id, id_hash) in (
    select organization_id, provider_id, id_hash from saml_assertions where expires_at < now() limit ${batch})`.asSlow(),
  sql`delete from tokens where id in (select id from tokens
    where expires_at < now() - interval '30 days' and revoked_at is null limit ${batch})`.asSlow(),
  sql`delete from invites where id in (select id from invites where expires_at < now() limit ${batch})`.asSlow(),
  sql`delete from idempotency where (user_id, key_hash) in (select user_id, key_hash from idempotency
    where created_at < now() - interval '1 day' limit ${batch})`.asSlow(),
  sql`delete from sessions where id in (select id from sessions where expires_at < now() limit ${batch})`.asSlow(),
  sql`delete from sign_in_codes where (address_hash, kind, browser_hash) in (select address_hash, kind, browser_hash
    from sign_in_codes where expires_at < now() limit ${batch})`.asSlow(),
  sql`delete from sign_in_counts where (what, key_hash) in (select what, key_hash from sign_in_counts
    where since < now() - interval '1 hour' limit ${batch})`.asSlow(),
  sql`delete from invite_mail_counts where (organization_id, address_hash) in (select organization_id, address_hash
    from invite_mail_counts where since < now() - interval '1 day' limit ${batch})`.asSlow(),
  // Mails that were written while a mail server was configured, but never sent. They are too old to be of interest.
  sql`delete from mails where id in (select id from mails where due_at < now() - interval '7 days' limit ${batch})`.asSlow(),
  sql`delete from import_runs where (organization_id, id) in (select organization_id, id from import_runs
    where completed_at < now() - interval '90 days' limit ${batch})`.asSlow(),
  // Keeps the newest twenty versions of a specification, and those of the last 90 days. Readers see the newest one.
  sql`delete from openapi_spec_versions where (organization_id, spec_id, id) in (
    select v.organization_id, v.spec_id, v.id from openapi_spec_versions v join openapi_specs s
      on s.organization_id = v.organization_id and s.id = v.spec_id
    where v.created_at < now() - interval '90 days' and v.id is distinct from s.last_version
      and (select count(*) from (select from openapi_spec_versions n where n.organization_id = v.organization_id
        and n.spec_id = v.spec_id and (n.created_at, n.id) > (v.created_at, v.id) limit 20) newer) = 20
    limit ${batch})`.asSlow(),
  sql`delete from export_runs where (organization_id, id) in (select organization_id, id from export_runs
    where created_at < now() - interval '7 days' limit ${batch})`.asSlow(),
]
