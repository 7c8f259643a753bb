import type { Membership } from '../../access/caller.ts'
import type { Db } from '../../db/connect.ts'
import { type Statement, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { BlobRow } from '../../files/blobs.queries.ts'
import { type Page, behind } from '../../http/paging.ts'
import { mayView } from '../access.ts'

/** A file of a font: its characters in one weight. */
export interface FaceRow {
  weight: number
  /** The name of the uploaded file. */
  name: string
  bytes: BlobRow
}

export interface FontRow {
  organization_id: string
  id: string
  family: string
  created_at: Date
  /** The lightest first. */
  faces: FaceRow[]
}

export type FontKey = Pick<FontRow, 'organization_id' | 'id'>

/** Selects the faces of font `f`. */
const facesOfFont = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('weight', c.weight, 'name', c.name, 'bytes', to_jsonb(b)) order by c.weight), '[]')
  from font_faces c join blobs b on b.organization_id = c.organization_id and b.hash = c.blob
  where c.organization_id = f.organization_id and c.font_id = f.id)`

const columns = sql`f.organization_id, f.id, f.family, f.created_at, ${facesOfFont} as faces`

/** Lists the fonts, newest first. */
export async function listFonts(db: Db, organizationId: string, page: Page) {
  const [rows, count] = await Promise.all([
    db.all(sql<FontRow>`
      select ${columns} from fonts f where f.organization_id = ${organizationId}
        ${behind(page, sql`f.created_at, f.id`, 'desc')}
      order by f.created_at desc, f.id desc limit ${page.limit + 1}`),
    countFonts(db, organizationId),
  ])
  return { rows, count }
}

/** Lists all fonts. An organization never has more. */
export async function listAllFonts(db: Db, organizationId: string): Promise<FontRow[]> {
  return (await listFonts(db, organizationId, { limit: 1000, after: undefined })).rows
}

export async function countFonts(db: Db, organizationId: string): Promise<number> {
  return (await db.one(sql<{ count: number }>`select count(*) from fonts where organization_id = ${organizationId}`))
    .count
}

export async function findFont(db: Db, organizationId: string, id: string): Promise<FontRow | undefined> {
  return db.find(sql<FontRow>`
    select ${columns} from fonts f where f.organization_id = ${organizationId} and f.id = ${id}`)
}

/** Returns the fonts among these ids that exist. */
export async function findFonts(db: Db, organizationId: string, ids: string[]): Promise<FontRow[]> {
  if (ids.length === 0) return []
  return db.all(sql<FontRow>`
    select ${columns} from fonts f where f.organization_id = ${organizationId} and f.id = any (${ids}::uuid[])`)
}

/** Finds a face by its address, without checking access. */
export async function findFaceByAddress(db: Db, fontId: string, hash: string): Promise<FaceRow | undefined> {
  return db.find(sql<FaceRow>`
    select c.weight, c.name, to_jsonb(b) as bytes from fonts f
    join font_faces c on c.organization_id = f.organization_id and c.font_id = f.id
    join blobs b on b.organization_id = c.organization_id and b.hash = c.blob
    where f.id = ${fontId} and c.blob = ${hash} limit 1`)
}

/**
 * Locks the font until the transaction ends, so that nobody else changes it. With `for update`, no site can start to
 * use it either.
 */
export async function lockFont(
  tx: Transaction,
  { organization_id, id }: FontKey,
  how: 'change' | 'delete',
): Promise<void> {
  await tx.run(sql`
    select from fonts where organization_id = ${organization_id} and id = ${id}
    ${how === 'delete' ? sql`for update` : sql`for no key update`}`)
}

/** Returns which of these fonts exist, and locks them so that none is deleted before a look refers to it. */
export async function holdFonts(tx: Transaction, organizationId: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.all(sql<{ id: string }>`
    select id from fonts where organization_id = ${organizationId} and id = any (${ids}::uuid[])
    order by id for key share`)
  return new Set(rows.map(({ id }) => id))
}

export async function insertFont(tx: Transaction, { organization_id, id }: FontKey, family: string): Promise<void> {
  await tx.run(sql`
    insert into fonts (organization_id, id, family, created_by)
    values (${organization_id}, ${id}, ${family}, ${tx.by.actorId})`)
}

export async function renameFont(tx: Transaction, { organization_id, id }: FontKey, family: string): Promise<void> {
  await tx.run(sql`update fonts set family = ${family} where organization_id = ${organization_id} and id = ${id}`)
}

export interface NewFace {
  weight: number
  name: string
  /** The hash of bytes that are already stored and are a font. */
  hash: string
}

/** Replaces the face of the same weight. */
export async function upsertFace(tx: Transaction, font: FontKey, { weight, name, hash }: NewFace): Promise<void> {
  await tx.run(sql`
    insert into font_faces (organization_id, font_id, weight, name, blob)
    values (${font.organization_id}, ${font.id}, ${weight}, ${name}, ${hash})
    on conflict (organization_id, font_id, weight) do update set name = excluded.name, blob = excluded.blob`)
}

export async function deleteFaces(tx: Transaction, font: FontKey, weights: number[]): Promise<void> {
  if (weights.length === 0) return
  await tx.run(sql`
    delete from font_faces where organization_id = ${font.organization_id} and font_id = ${font.id}
      and weight = any (${weights}::int[])`)
}

export async function deleteFont(tx: Transaction, { organization_id, id }: FontKey): Promise<void> {
  await tx.run(sql`delete from fonts where organization_id = ${organization_id} and id = ${id}`)
}

/** The places where a look refers to a font. */
export const fontPlaces = ['font', 'headingFont', 'monospaceFont'] as const

const namedIn = (look: Statement, id: string) =>
  sql`${id} in (${look} #>> '{styling,font,id}', ${look} #>> '{styling,headingFont,id}',
    ${look} #>> '{styling,monospaceFont,id}')`

/** Condition for sites (`s`) that use a font, for the whole site or one of its spaces. */
const isSetIn = ({ organization_id, id }: FontKey) => sql`s.organization_id = ${organization_id} and (
  ${namedIn(sql`s.customization`, id)} or exists (select from site_spaces x
    where x.organization_id = s.organization_id and x.site_id = s.id and ${namedIn(sql`x.customization`, id)}))`

export interface SitesSetIn {
  /** The titles of the sites that the member may see. */
  titles: string[]
  others: number
}

export async function findSitesSetIn(db: Db, font: FontKey, membership: Membership): Promise<SitesSetIn> {
  const rows = await db.all(sql<{ title: string; seen: boolean }>`
    select s.title, ${mayView(membership)} as seen from sites s where ${isSetIn(font)} order by s.created_at, s.id`)
  const titles = rows.flatMap(({ title, seen }) => (seen ? title : []))
  return { titles, others: rows.length - titles.length }
}

export async function listSitesSetIn(db: Db, font: FontKey): Promise<string[]> {
  return (await db.all(sql<{ id: string }>`select s.id from sites s where ${isSetIn(font)}`)).map(({ id }) => id)
}

/** The fonts used by the look of a site (`s`) or of one of its spaces. */
export const fontsOfSite = sql`
  select f.id, f.family, ${facesOfFont} as faces from fonts f
  where f.organization_id = s.organization_id and f.id::text in (
    select jsonb_path_query(s.customization, '$.styling.*.id') #>> '{}'
    union all
    select jsonb_path_query(x.customization, '$.styling.*.id') #>> '{}' from site_spaces x
    where x.organization_id = s.organization_id and x.site_id = s.id)`
