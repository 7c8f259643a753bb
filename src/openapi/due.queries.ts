import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { OpenAPISpecRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { firstByTurns, turnsIn } from '../jobs/by-turns.ts'
import type { SpecErrorCode } from './schema.ts'

/** A specification that is due to be read, and the number of the request (`asked`) to read it. */
export type DueSpec = Pick<OpenAPISpecRow, 'organization_id' | 'id' | 'slug' | 'source_url' | 'source_blob' | 'asked'>

/** No other worker takes it until then. The worker that reads it extends this regularly. */
const claimed = sql`now() + interval '2 minutes'`

/**
 * Takes a due specification: organizations take turns, and the one that has waited longest goes first. If the worker
 * never comes back, it is due again after a while.
 */
export async function takeDueSpec(db: Db): Promise<DueSpec | undefined> {
  return db.find(sql<DueSpec>`
    update openapi_specs s set state = 'progress', due_at = ${claimed}
    where (s.organization_id, s.id) = (
      with ${turnsIn(sql`openapi_specs`, sql`state = 'progress'`, sql`last_processed_at`)}
      select w.organization_id, w.id from openapi_specs w join turns on turns.organization_id = w.organization_id
      where w.due_at <= now()
      order by ${firstByTurns}, w.due_at limit 1 for update of w skip locked)
    returning s.organization_id, s.id, s.slug, s.source_url, s.source_blob, s.asked`)
}

export async function claimLonger(db: Db, due: DueSpec): Promise<void> {
  await db.run(sql`
    update openapi_specs set due_at = ${claimed} where organization_id = ${due.organization_id} and id = ${due.id}
      and asked = ${due.asked} and state = 'progress'`)
}

/** Returns it, so that another worker can take it at once. */
export async function giveBack(db: Db, due: DueSpec): Promise<void> {
  await db.run(sql`
    update openapi_specs set state = 'pending', due_at = now()
    where organization_id = ${due.organization_id} and id = ${due.id} and asked = ${due.asked}`)
}

/** Locks the row. Returns undefined if another read was requested in the meantime: the result is then worthless. */
export async function lockAsked(tx: Transaction, due: DueSpec): Promise<{ last_version: string | null } | undefined> {
  return tx.find(sql<{ last_version: string | null }>`
    select last_version from openapi_specs
    where organization_id = ${due.organization_id} and id = ${due.id} and asked = ${due.asked} for update`)
}

export async function setRead(db: Db, due: DueSpec, version: string, isNew: boolean): Promise<void> {
  await db.run(sql`
    update openapi_specs set state = 'complete', last_version = ${version}, last_processed_at = now(), last_error = null,
      last_error_message = null, due_at = ${nextRead}, updated_at = case when ${isNew} then now() else updated_at end
    where organization_id = ${due.organization_id} and id = ${due.id}`)
}

export async function setFailed(db: Db, due: DueSpec, code: SpecErrorCode, message: string): Promise<void> {
  await db.run(sql`
    update openapi_specs set state = 'complete', last_processed_at = now(), last_error = ${code},
      last_error_message = ${message}, due_at = ${code === 'PARSE_ERROR' ? nextRead : nextTry}
    where organization_id = ${due.organization_id} and id = ${due.id}`)
}

const later = sql`now() + interval '6 hours'`

/** A source with an address is read again later. A text never changes, so it is not. */
const nextRead = sql`case when source_url is null then null else ${later} end`

/**
 * A source that could not be fetched may be available soon. This includes texts, which may refer to other documents.
 * The delay doubles with each attempt.
 */
const nextTry = sql`now() + case when last_error is null then interval '5 minutes'
  else greatest(interval '5 minutes', least(interval '6 hours', 2 * (now() - last_processed_at))) end`
