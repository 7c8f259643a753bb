import { text as readText } from 'node:stream/consumers'
import pg from 'pg'
import { recordChange } from '../changes/record.ts'
import { lastPositions, lockTree } from '../collections/tree.ts'
import type { Config } from '../config.ts'
import { isSafeLink } from '../content/html/urls.ts'
import { byPosition } from '../content/positions.ts'
import type { Database } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { type Transaction, nobody, transaction } from '../db/transaction.ts'
import { followMain } from '../derived/follow.ts'
import { Explained } from '../explained.ts'
import { type Incoming, discard, keepBlob, receiveBlob } from '../files/blobs.ts'
import type { Thing } from '../grants/queries.ts'
import { invalid } from '../http/errors.ts'
import { fileData, pageData } from '../pages/entry-data.ts'
import { bodyHash } from '../revisions/bodies.ts'
import { type Row, file, page } from '../revisions/entries.ts'
import { startMainLine } from '../revisions/lines.ts'
import type { Secrets } from '../secrets.ts'
import { about } from '../spaces/actions.ts'
import { insertSpace } from '../spaces/queries.ts'
import type { BlobStore } from '../storage/store.ts'
import { readCollections } from './archived-collections.ts'
import { readEntries } from './archived-entries.ts'
import { type ArchivedSettings, readComments, readPeople, readSettings } from './archived-space.ts'
import { namingFile, readArchived } from './archived.ts'
import { readSites } from './sites/archived-sites.ts'
import type { CommentLine } from './export.ts'
import { type ReadFonts, importFonts, readFonts, withFontsHere } from './sites/fonts.ts'
import { restoreComments } from './import-comments.ts'
import { ArchivedOrganization, GrantsOfOrganization } from './people/archived-people.ts'
import { type GrantsOn, restorePeople } from './people/import-people.ts'
import { importSites, showFirst } from './sites/import-sites.ts'
import { bytesOfSpecs, importSpecs, readSpecs } from './specs/import-specs.ts'
import type { RestoredTeam } from './people/import-teams.ts'
import type { NotMember } from './people/members-here.ts'
import { freeId, withNewIds } from './new-ids.ts'
import type { Archive } from './open-archive.ts'
import { readPictures, withPicturesHere } from './sites/pictures.ts'
import { type ExportedGrants, type ExportedPerson, type JsonRow, insertRows } from './queries.ts'
import { isAddressOfSpec, listMissingSpecs } from './specs/specs-named.ts'
import { importTranslations, readTranslations } from './translations.ts'
import type { EntryLine } from './tree.ts'

export interface ImportContext {
  db: Database
  config: Config
  store: BlobStore
  secrets: Secrets
}

export interface ImportedArchive {
  spaces: { id: string; title: string; pages: number; files: number; comments: number }[]
  collections: number
  sites: number
  specifications: number
  translations: number
  teams: RestoredTeam[]
  /** People of the archive who got nothing here: nobody becomes a member without having said yes. */
  notMembers: NotMember[]
  /** What could not be restored, and why. */
  problems: string[]
}

const maxMs = 600_000

/** A space that was read from an archive, with its bytes on the disk and nothing in the database yet. */
interface ReadSpace {
  folder: string
  settings: ArchivedSettings
  rows: Row[]
  bodies: Map<string, string>
  incoming: Incoming[]
  comments: CommentLine[]
  people: ExportedPerson[]
}

/** Where an archive goes: the old id of everything, and the one it has now. */
interface Restoring {
  organizationId: string
  ids: Map<string, string>
  /** Where those stand that are in no collection of the archive. */
  top: Map<string, string>
  problems: string[]
}

/**
 * Restores what an archive holds, all of it or nothing. Ids stay what they were where nothing else has them. All bytes
 * are read and held against the manifest before anything is written.
 */
export async function importArchive(
  context: ImportContext,
  archive: Archive,
  organizationId: string,
  say: (where: string) => void = () => {},
): Promise<ImportedArchive> {
  const isWhole = archive.manifest.kind === 'organization'
  const folders = isWhole ? foldersIn(archive) : ['']
  const spaces: ReadSpace[] = []
  const problems: string[] = []
  const specs = isWhole ? await readSpecs(context.config, archive) : []
  const pictures: Incoming[] = []
  let fonts: ReadFonts = { tables: {}, incoming: [] }
  try {
    if (isWhole) pictures.push(...(await readPictures(context.config, archive)))
    if (isWhole) fonts = await readFonts(context.config, archive)
    for (const folder of folders) spaces.push(await readSpace(context.config, archive, folder, problems))
    const collections = isWhole ? await readCollections(archive) : []
    const sites = isWhole ? await readSites(archive) : undefined
    const organization = isWhole ? await readArchived(archive, 'organization.json', ArchivedOrganization) : {}
    const { members = [], teams = [] } = organization
    const grants = archive.has('grants.json')
      ? await readArchived(archive, 'grants.json', GrantsOfOrganization)
      : { collections: {}, sites: {} }
    const translations = await readTranslations(archive)
    return await transaction(context.db, nobody, async (tx) => {
      await tx.allow(maxMs)
      const to: Restoring = { organizationId, ids: new Map(), top: new Map(), problems: [...problems] }
      await lockTree(tx, organizationId)
      for (const { id } of collections) to.ids.set(id as string, await freeId(tx, sql`collections`, id as string))
      // They have links to each other: all are named before one is written, and all are there before links are looked up.
      for (const { settings } of spaces) to.ids.set(settings.id, await freeId(tx, sql`spaces`, settings.id))
      to.top = await placesAtTop(tx, to, collections, spaces)
      await restoreCollections(tx, to, collections)
      const restored = []
      for (const [index, space] of spaces.entries()) {
        say(`writing space ${index + 1} of ${spaces.length}, ${space.rows.length} entries`)
        restored.push(await restoreSpace(tx, context.store, to, renamed(space, to.ids)))
      }
      const heads = new Map(restored.map(({ space, written }) => [space.id, written.after.head]))
      const restoredTranslations = await importTranslations(tx, to, translations, heads)
      const restoredSpecs = await importSpecs(tx, context.store, to, specs)
      const missing = await listMissingSpecs(tx, organizationId, spaces)
      to.problems.push(...missing.map(missingSpec))
      for (const { written } of restored) await followMain(tx, written)
      for (const each of pictures) await keepBlob(tx, context.store, organizationId, each)
      const hashes = new Set(pictures.map(({ blob }) => blob.hash))
      const restoredFonts = await importFonts(tx, context.store, to, fonts)
      const shown = sites && withPicturesHere(context.config, withFontsHere(sites, restoredFonts, to.problems))
      const restoredSites = shown ? await importSites(tx, context.secrets, to, shown, hashes) : []
      const shownFirst = restoredSites.find(({ was }) => was === organization.defaultSite)
      await showFirst(tx, to, shownFirst, organization.id)
      const granted = [
        ...spaces.map(({ settings: { id, title, permissions } }) => grantsOn('space', to, id, title, permissions)),
        ...collections.map((row) => {
          const id = row['id'] as string
          return grantsOn('collection', to, id, row['title'] as string, grants.collections[id])
        }),
        ...restoredSites.map(({ was, id, title }) => grantsOn('site', to, id, title, grants.sites[was])),
      ]
      const ruled = spaces.map(({ settings: { id, title, mergeRules } }) => ({
        id: to.ids.get(id)!,
        title,
        mergeRules,
      }))
      const named = spaces.flatMap((space) => space.people)
      const archived = { members, teams, grants: granted, ruled, named }
      // Last: while it is being done, members can neither leave nor be removed.
      const people = await restorePeople(tx, organizationId, archived, to.problems)
      return {
        spaces: restored.map(({ space }) => space),
        collections: collections.length,
        sites: restoredSites.length,
        specifications: restoredSpecs,
        translations: restoredTranslations,
        ...people,
        problems: to.problems,
      }
    })
  } catch (error) {
    throw explained(error)
  } finally {
    await discard([
      ...spaces.flatMap(({ incoming }) => incoming),
      ...bytesOfSpecs(specs),
      ...pictures,
      ...fonts.incoming,
    ])
  }
}

const missingSpec = (name: string) =>
  isAddressOfSpec(name)
    ? `Pages show the OpenAPI specification at ${JSON.stringify(name)}, which is not here: add one with that address.`
    : `Pages show the OpenAPI specification ${JSON.stringify(name)}, which is not here: add one of that name.`

/** What no look at one file tells: two rows that cannot both be, or something that is here already. */
function explained(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? '')) return error
  const where = [error.table, error.constraint].filter((each) => each !== undefined).join(', ')
  return new Explained(
    `The archive cannot be restored: it contradicts itself, or what is here, in what it says of ${where || 'its content'}. ` +
      'Nothing was changed.',
    { cause: error },
  )
}

function grantsOn(
  type: Thing['type'],
  { organizationId, ids }: Restoring,
  id: string,
  title: string,
  { members, teams }: ExportedGrants = { members: [], teams: [] },
): GrantsOn {
  return { thing: { organizationId, type, id: ids.get(id) ?? id }, title, members, teams }
}

function foldersIn(archive: Archive): string[] {
  return archive.paths().flatMap((path) => /^(spaces\/[^/]+\/)space\.json$/.exec(path)?.[1] ?? [])
}

async function readSpace(config: Config, archive: Archive, folder: string, problems: string[]): Promise<ReadSpace> {
  const settings = await readSettings(archive, `${folder}space.json`)
  const space: ReadSpace = { folder, settings, rows: [], bodies: new Map(), incoming: [], comments: [], people: [] }
  try {
    for await (const line of readEntries(archive, `${folder}entries.jsonl`)) {
      const leads = namingFile(`${folder}entries.jsonl`, () => addressIn(line))
      if (!isSafeLink(leads)) {
        const title = JSON.stringify(pageData(line).title)
        problems.push(
          `${settings.title}: the page ${title} leads to what is no address of the web, of mail or a telephone: nobody is led there.`,
        )
      }
      if (line.kind === file && !(await readFile(config, archive, line, space.incoming))) {
        problems.push(`${settings.title}: the bytes of the file ${fileData(line).name} are not in the archive.`)
        continue
      }
      space.rows.push(rowOf(line, space.bodies))
    }
    space.comments = await readComments(archive, `${folder}comments.jsonl`)
    space.people = await readPeople(archive, `${folder}people.json`)
    await checkTexts(archive, folder)
    return space
  } catch (error) {
    await discard(space.incoming)
    throw error
  }
}

/** Where a page that is a link leads to. What a repository lists is kept as it is, and looked at when it is drawn. */
function addressIn(line: EntryLine): string {
  const { title, target } = line.kind === page ? pageData(line) : {}
  if (target?.kind !== 'url') return ''
  if (typeof target['url'] === 'string') return target['url']
  throw invalid('body.data.target.url', 'format', `of the page ${JSON.stringify(title)} must be an address`)
}

/** What people read is not what is restored; that it is whole is checked all the same. */
async function checkTexts(archive: Archive, folder: string): Promise<void> {
  for (const path of archive.paths()) {
    if (path.startsWith(`${folder}content/`) && path.endsWith('.md')) await readText(archive.read(path))
  }
}

async function readFile(config: Config, archive: Archive, line: EntryLine, incoming: Incoming[]): Promise<boolean> {
  if (line.file === undefined || !archive.has(line.file)) return false
  const { name, blob, contentType } = fileData(line)
  const maxBytes = archive.manifest.files[line.file]!.size
  const received = await receiveBlob(config, archive.read(line.file), { name, declared: contentType, maxBytes })
  incoming.push(received)
  if (received.file.hash !== blob) throw new Explained(`The archive is damaged: ${line.file} is not the file ${name}.`)
  return true
}

function rowOf({ entry, kind, parent, slug, position, refs, data, body }: EntryLine, bodies: Map<string, string>): Row {
  const doc = body === null ? null : bodyHash(body)
  if (body !== null) bodies.set(doc!, body)
  return { entry, kind, state: 0, parent, slug, position, doc, refs, data }
}

/** What stands in nothing that is here goes to the top: in the order it had, behind all that is there. */
async function placesAtTop(
  tx: Transaction,
  { organizationId, ids }: Restoring,
  collections: JsonRow[],
  spaces: readonly ReadSpace[],
): Promise<Map<string, string>> {
  const placed = [
    ...collections.map((row) => ({ was: row['id'], parent: row['parent_id'], position: row['position'] })),
    ...spaces.map(({ settings: { id, collection, position } }) => ({ was: id, parent: collection, position })),
  ] as { was: string; parent: string | null; position: string }[]
  const atTop = placed.flatMap(({ was, parent, position }) => (ids.has(parent ?? '') ? [] : { entry: was, position }))
  const ordered = atTop.toSorted(byPosition).map(({ entry }) => ids.get(entry)!)
  return lastPositions(tx, { organizationId, id: null }, ordered)
}

/** Those around others first. */
async function restoreCollections(tx: Transaction, to: Restoring, collections: JsonRow[]): Promise<void> {
  const rows = collections.map((row) => {
    const id = to.ids.get(row['id'] as string)!
    const parent = to.ids.get(row['parent_id'] as string) ?? null
    return { ...row, id, parent_id: parent, position: to.top.get(id) ?? row['position'] }
  })
  await insertRows(tx, 'collections', to.organizationId, rows)
  for (const { id } of rows) {
    recordChange(tx, {
      action: 'collection.created',
      organizationId: to.organizationId,
      target: { type: 'collection', id },
    })
  }
}

async function restoreSpace(tx: Transaction, store: BlobStore, to: Restoring, space: ReadSpace) {
  const { organizationId } = to
  const { settings, rows, bodies, incoming } = space
  const id = to.ids.get(settings.id)!
  const collectionId = to.ids.get(settings.collection ?? '') ?? null
  await insertSpace(tx, {
    organization_id: organizationId,
    id,
    collection_id: collectionId,
    title: settings.title,
    emoji: settings.emoji,
    icon: settings.icon,
    edit_mode: settings.editMode,
    language: settings.language,
    inherits: settings.inherits,
    level: settings.level,
    position: to.top.get(id) ?? settings.position,
    // Rules come once it is known who is who here.
    merge_rules: { type: 'inherit' },
    created_by: null,
  })
  for (const each of incoming) await keepBlob(tx, store, organizationId, each)
  const line = await startMainLine(tx, organizationId, id, rows, bodies)
  await insertRows(
    tx,
    'former_paths',
    organizationId,
    settings.formerPaths.map((each) => ({ ...each, space_id: id })),
  )
  const comments = await restoreComments(tx, { organizationId, spaceId: id, revisionId: line.head.id }, space)
  recordChange(tx, { ...about(organizationId, id), action: 'space.created' })
  const of = (kind: number) => rows.filter((row) => row.kind === kind).length
  return {
    space: { id, title: settings.title, pages: of(page), files: of(file), comments },
    written: { before: { ...line, head: { ...line.head, seq: 0 } }, after: line, rows, bodies },
  }
}

/** What a space says, with the ids that spaces and collections of the archive have here. */
function renamed(space: ReadSpace, ids: ReadonlyMap<string, string>): ReadSpace {
  if ([...ids].every(([before, after]) => before === after)) return space
  const bodies = new Map<string, string>()
  const rows = withNewIds(space.rows, ids).map((row): Row => {
    if (row.doc === null) return row
    const body = withNewIds(space.bodies.get(row.doc)!, ids)
    const doc = bodyHash(body)
    bodies.set(doc, body)
    return { ...row, doc }
  })
  const comments = space.comments.map((line) => ({
    ...line,
    comment: { ...line.comment, markdown: withNewIds(line.comment['markdown'], ids) },
  }))
  return { ...space, rows, bodies, comments }
}
