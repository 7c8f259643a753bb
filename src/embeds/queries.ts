import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { EmbedRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import type { FetchReason } from '../fetch/failure.ts'
import { hashOfAddress } from './address.ts'
import type { Said } from './said.ts'

/** More than anybody shows. Embeds beyond this limit show only their address, until others are removed. */
export const mostOfOrganization = 5_000

/** What is known about an address. */
export type Known = Pick<EmbedRow, 'address' | 'title' | 'site' | 'description' | 'icon'>

/** `old`: whether it is time to request it again, or to note that it is still wanted. */
export async function listKnown(
  db: Db,
  organizationId: string,
  addresses: readonly string[],
): Promise<(Known & { read: boolean; old: boolean })[]> {
  if (addresses.length === 0) return []
  return db.all(sql<Known & { read: boolean; old: boolean }>`
    select address, title, site, description, icon, read_at is not null as read,
      asked_at < now() - interval '1 day' or ${isOld} as old
    from embeds where organization_id = ${organizationId} and address_hash = any (${addresses.map(hashOfAddress)}::bytea[])`)
}

/** Pages change their titles, though not often. */
const isOld = sql`(due_at is null and read_at < now() - interval '7 days')`

/**
 * Marks addresses as wanted: unknown ones are due at once, old ones are due again. Rows are locked in one order, the
 * same as when results are written.
 */
export async function askFor(db: Db, organizationId: string, addresses: readonly string[]): Promise<void> {
  await db.run(sql`
    with held as (
      select address_hash as hash from embeds
      where organization_id = ${organizationId} and address_hash = any (${addresses.map(hashOfAddress)}::bytea[])
      order by address_hash for update)
    update embeds set asked_at = now(), due_at = case when ${isOld} then now() else due_at end
    from held where organization_id = ${organizationId} and address_hash = held.hash`)
  await db.run(insertion(organizationId, addresses))
}

/** The same for a text that is just being written. Nothing waits for it. */
export function askLater(tx: Transaction, organizationId: string, addresses: readonly string[]): void {
  if (addresses.length > 0) tx.runLater(insertion(organizationId, addresses))
}

/** In one order, so that two transactions that insert the same addresses do not deadlock. */
function insertion(organizationId: string, addresses: readonly string[]): Statement {
  return sql`
    insert into embeds (organization_id, address_hash, address)
    select o.id, wanted.* from organizations o,
      unnest(${addresses.map(hashOfAddress)}::bytea[], ${[...addresses]}::text[]) wanted (address_hash, address)
    where o.id = ${organizationId}
    order by wanted.address_hash
    limit greatest(0, ${mostOfOrganization} - (select count(*) from embeds where organization_id = ${organizationId}))
    on conflict (organization_id, address_hash) do nothing`
}

export type DueEmbed = Pick<EmbedRow, 'organization_id' | 'address_hash' | 'address'>

/**
 * Takes some embeds that are due, of each organization in turn: one with very many does not keep the others waiting. If
 * the process that took them never returns, they are due again after a while.
 */
export async function takeDue(db: Db, most: number): Promise<DueEmbed[]> {
  return db.all(
    sql<DueEmbed>`
    update embeds e set due_at = now() + interval '2 minutes' from (
      select organization_id, address_hash from embeds
      where due_at <= now() and (organization_id, address_hash) in (
        select organization_id, address_hash from (
          select organization_id, address_hash, due_at,
            row_number() over (partition by organization_id order by due_at) as turn
          from embeds where due_at <= now()) waiting
        order by turn, due_at limit ${most})
      for update skip locked) taken
    where e.organization_id = taken.organization_id and e.address_hash = taken.address_hash
    returning e.organization_id, e.address_hash, e.address`.asSlow(),
  )
}

/** Makes embeds due again at once, for another process to take. */
export async function giveBack(db: Db, due: readonly DueEmbed[]): Promise<void> {
  for (const each of due) await db.run(sql`update embeds set due_at = now() where ${isThat(each)}`)
}

/** Returns whether the result differs from the previous one. */
export async function setRead(tx: Transaction, due: DueEmbed, said: Said): Promise<boolean> {
  const { title = null, site = null, description = null, icon = null } = said
  const now = sql`(${title}::text, ${site}::text, ${description}::text, ${icon}::text)`
  const written = await tx.find(sql<{ changed: boolean }>`
    with before as (select (title, site, description, icon) is distinct from ${now} as changed
      from embeds where ${isThat(due)} for update)
    update embeds set title = ${title}, site = ${site}, description = ${description}, icon = ${icon}, error = null,
      read_at = now(), due_at = null, changed_at = case when before.changed then now() else changed_at end
    from before where ${isThat(due)} returning before.changed`)
  return written?.changed ?? false
}

/**
 * Keeps what was read before. A failure that may be temporary is retried, after twice as long each time, for as long as
 * the embed is wanted.
 */
export async function setFailed(tx: Transaction, due: DueEmbed, reason: FetchReason): Promise<void> {
  const mayPass = reason !== 'private-address' && reason !== 'bad-address'
  await tx.run(sql`
    update embeds set error = ${reason}, read_at = now(),
      due_at = case when ${mayPass} and asked_at > now() - interval '7 days' then now() +
        coalesce(greatest(interval '10 minutes', least(interval '1 day', 2 * (now() - read_at))), interval '10 minutes') end
    where ${isThat(due)}`)
}

const isThat = ({ organization_id, address_hash }: DueEmbed) =>
  sql`organization_id = ${organization_id} and address_hash = ${address_hash}`

/** A value that changes whenever a page of this organization may show another title for an embed. */
export async function findStamp(db: Db, organizationId: string): Promise<string> {
  const { stamp } = await db.one(sql<{ stamp: Date | null }>`
    select max(changed_at) as stamp from embeds where organization_id = ${organizationId}`)
  return stamp?.toISOString() ?? ''
}
