import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { OpenAPISpecRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { firstByTurns, turnsIn } from '../jobs/by-turns.ts'
import type { SpecErrorCode } from './schema.ts'

/** A specification that is to be read, and for which request that is. */
export type DueSpec = Pick<OpenAPISpecRow, 'organization_id' | 'id' | 'slug' | 'source_url' | 'source_blob' | 'asked'>

/** Until then nobody else takes it. Whoever reads it says so again and again. */
const claimed = sql`now() + interval '2 minutes'`

/**
 * Takes one of the organization whose turn it is, that which waited longest. If whoever took it never comes back, it is
 * due again after a while.
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

/** For somebody else to take, at once. */
export async function giveBack(db: Db, due: DueSpec): Promise<void> {
  await db.run(sql`
    update openapi_specs set state = 'pending', due_at = now()
    where organization_id = ${due.organization_id} and id = ${due.id} and asked = ${due.asked}`)
}

/** The same, unless somebody asked for something else meanwhile: then what was read is worth nothing. */
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

/** What comes from an address is looked at again, a text never changes by itself. */
const nextRead = sql`case when source_url is null then null else ${later} end`

/**
 * What could not be fetched may be there soon: a text, too, may refer to what is elsewhere. Each time it is left alone for
 * twice as long as before.
 */
const nextTry = sql`now() + case when last_error is null then interval '5 minutes'
  else greatest(interval '5 minutes', least(interval '6 hours', 2 * (now() - last_processed_at))) end`
