import type { Static } from 'typebox'
import { recordChange } from '../../changes/record.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Incoming, discard, keepBlob } from '../../files/blobs.ts'
import { readHead } from '../../files/inspect.ts'
import { AnId, Time } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { textWeight } from '../../sites/fonts/actions.ts'
import { headBytes, noFont } from '../../sites/fonts/font-file.ts'
import { fontPlaces } from '../../sites/fonts/queries.ts'
import type { BlobStore } from '../../storage/store.ts'
import type { Item } from '../archive.ts'
import { inSet, readArchived } from '../archived.ts'
import { bytesItems, readBytes } from '../bytes.ts'
import { freeId, withNewIds } from '../new-ids.ts'
import type { Archive } from '../open-archive.ts'
import { type JsonRow, insertRows } from '../queries.ts'

const folder = 'fonts/'
export const fontsPath = 'fonts.json'

/** The bytes of the fonts of an organization. `fonts.json` says which font they belong to. */
export const fontItems = (db: Db, store: BlobStore, organizationId: string): AsyncGenerator<Item> =>
  bytesItems(
    { db, store, organizationId },
    folder,
    sql`select distinct blob as hash from font_faces where organization_id = ${organizationId} order by blob`,
  )

/** The fonts of an archive, with their bytes on the disk. */
export interface ReadFonts {
  tables: Record<string, JsonRow[]>
  incoming: Incoming[]
}

const ArchivedFonts = Type.Object({
  fonts: Type.Optional(
    Type.Array(
      Type.Object({
        id: AnId(),
        family: Type.String({ minLength: 1, maxLength: 50 }),
        created_at: Type.Optional(Time),
      }),
    ),
  ),
  font_faces: Type.Optional(
    Type.Array(
      Type.Object({
        font_id: AnId(),
        weight: Type.Integer({ minimum: 1, maximum: 1000 }),
        name: Type.String({ maxLength: 256 }),
        blob: Type.String(),
      }),
    ),
  ),
})

function checkTwice({ fonts = [], font_faces = [] }: Static<typeof ArchivedFonts>): void {
  inSet(fonts, 'fonts', 'id', ({ id }) => id)
  inSet(font_faces, 'font_faces', 'weight', ({ font_id, weight }) => `${font_id} ${weight}`)
}

/** Files that an archive calls fonts are checked like uploaded ones. */
export async function readFonts(config: Config, archive: Archive): Promise<ReadFonts> {
  if (!archive.has(fontsPath)) return { tables: {}, incoming: [] }
  const tables: ReadFonts['tables'] = await readArchived(archive, fontsPath, ArchivedFonts, checkTwice)
  const received = await readBytes(config, archive, folder)
  try {
    const incoming: Incoming[] = []
    for (const each of received) {
      const why = noFont(await readHead(each.file.path, headBytes), each.blob)
      if (why === undefined) incoming.push(each)
      else await discard([each])
    }
    return { tables, incoming }
  } catch (error) {
    await discard(received)
    throw error
  }
}

/** Restores fonts. Returns the old ids of those that exist here now, and adds their ids here to `ids`. */
export async function importFonts(
  tx: Transaction,
  store: BlobStore,
  { organizationId, ids, problems }: { organizationId: string; ids: Map<string, string>; problems: string[] },
  { tables, incoming }: ReadFonts,
): Promise<ReadonlySet<string>> {
  const came = new Set(incoming.map(({ blob }) => blob.hash))
  const faces = (tables['font_faces'] ?? []).filter(({ blob }) => came.has(blob as string))
  const whole = new Set(faces.filter(({ weight }) => weight === textWeight).map(({ font_id }) => font_id as string))
  const fonts = (tables['fonts'] ?? []).filter(({ id, family }) => {
    if (!whole.has(id as string))
      problems.push(`The font ${JSON.stringify(family)} was left out: its files are not in the archive.`)
    return whole.has(id as string)
  })
  for (const each of incoming) await keepBlob(tx, store, organizationId, each)
  for (const { id } of fonts) ids.set(id as string, await freeId(tx, sql`fonts`, id as string))
  const here = withNewIds({ fonts, faces: faces.filter(({ font_id }) => whole.has(font_id as string)) }, ids)
  const made = here.fonts.map((row) => ({ ...row, created_by: null }))
  await insertRows(tx, 'fonts', organizationId, made)
  await insertRows(tx, 'font_faces', organizationId, here.faces)
  for (const row of here.fonts) {
    const target = { type: 'font', id: row['id'] as string }
    recordChange(tx, { action: 'font.created', organizationId, target })
  }
  return new Set(fonts.map(({ id }) => id as string))
}

/** Replaces fonts that were not restored by the default one. Older archives name fonts that they do not contain. */
export function withFontsHere(
  tables: Record<string, JsonRow[]>,
  fonts: ReadonlySet<string>,
  problems: string[],
): Record<string, JsonRow[]> {
  const isHere = (font: unknown) =>
    typeof font !== 'object' || font === null || fonts.has(String((font as { id?: unknown }).id))
  const cleaned = (row: JsonRow): JsonRow => {
    const look = row['customization'] as { styling?: Record<string, unknown> } | null | undefined
    const missing = fontPlaces.filter((place) => !isHere(look?.styling?.[place]))
    if (missing.length === 0) return row
    const styling = Object.entries(look!.styling!).filter(([name]) => !missing.some((place) => place === name))
    const site = (tables['sites'] ?? []).find(({ id }) => id === (row['site_id'] ?? row['id']))
    problems.push(`The site ${JSON.stringify(site?.['title'])} has the default font: its own is not in the archive.`)
    return { ...row, customization: { ...look, styling: Object.fromEntries(styling) } }
  }
  const [sites = [], spaces = []] = [tables['sites'], tables['site_spaces']]
  return { ...tables, sites: sites.map(cleaned), site_spaces: spaces.map(cleaned) }
}
