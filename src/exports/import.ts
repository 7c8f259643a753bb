import { text as readText } from 'node:stream/consumers'
import { recordChange } from '../changes/record.ts'
import { lastPosition, lockTree } from '../collections/tree.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { type Transaction, nobody, transaction } from '../db/transaction.ts'
import { followMain } from '../derived/follow.ts'
import { Explained } from '../explained.ts'
import { type Incoming, discard, keepBlob, receiveBlob } from '../files/blobs.ts'
import type { Thing } from '../grants/queries.ts'
import { newId } from '../ids.ts'
import { fileData } from '../pages/entry-data.ts'
import { bodyHash } from '../revisions/bodies.ts'
import { type Row, file, page } from '../revisions/entries.ts'
import { startMainLine } from '../revisions/lines.ts'
import type { Secrets } from '../secrets.ts'
import { about } from '../spaces/actions.ts'
import { insertSpace } from '../spaces/queries.ts'
import type { BlobStore } from '../storage/store.ts'
import type { CommentLine, GrantsOfOrganization, SpaceSettings } from './export.ts'
import { restoreComments } from './import-comments.ts'
import { type ArchivedPeople, type GrantsOn, restorePeople } from './import-people.ts'
import { importSites } from './import-sites.ts'
import type { RestoredTeam } from './import-teams.ts'
import type { NotMember } from './members-here.ts'
import { withNewIds } from './new-ids.ts'
import type { Archive } from './open-archive.ts'
import { type ExportedGrants, type ExportedPerson, type JsonRow, insertRows } from './queries.ts'
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
  settings: SpaceSettings & { permissions: ExportedGrants; formerPaths: JsonRow[] }
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
  try {
    for (const folder of folders) spaces.push(await readSpace(context.config, archive, folder, problems))
    const collections = isWhole ? await archive.json<JsonRow[]>('collections.json') : []
    const sites = isWhole ? await archive.json<Record<string, JsonRow[]>>('sites.json') : undefined
    const { members = [], teams = [] } = isWhole ? await archive.json<OrganizationFile>('organization.json') : {}
    const grants: GrantsOfOrganization = archive.has('grants.json')
      ? await archive.json('grants.json')
      : { collections: {}, sites: {} }
    return await transaction(context.db, nobody, async (tx) => {
      await tx.allow(maxMs)
      const to: Restoring = { organizationId, ids: new Map(), problems: [...problems] }
      await lockTree(tx, organizationId)
      await restoreCollections(tx, to, collections)
      // They have links to each other: all are named before one is written, and all are there before links are looked up.
      for (const { settings } of spaces) to.ids.set(settings.id, await freeId(tx, 'spaces', settings.id))
      const restored = []
      for (const [index, space] of spaces.entries()) {
        say(`writing space ${index + 1} of ${spaces.length}, ${space.rows.length} entries`)
        restored.push(await restoreSpace(tx, context.store, to, renamed(space, to.ids)))
      }
      for (const { written } of restored) await followMain(tx, written)
      const restoredSites = sites ? await importSites(tx, context.secrets, to, sites) : []
      const granted = [
        ...spaces.map(({ settings: { id, title, permissions } }) => grantsOn('space', to, id, title, permissions)),
        ...collections.map((row) => {
          const id = row['id'] as string
          return grantsOn('collection', to, id, row['title'] as string, grants.collections[id])
        }),
        ...restoredSites.map(({ was, id, title }) => grantsOn('site', to, id, title, grants.sites[was])),
      ]
      // Last: while it is being done, members can neither leave nor be removed.
      const people = await restorePeople(tx, organizationId, { members, teams, grants: granted }, to.problems)
      return {
        spaces: restored.map(({ space }) => space),
        collections: collections.length,
        sites: restoredSites.length,
        ...people,
        problems: to.problems,
      }
    })
  } finally {
    await discard(spaces.flatMap(({ incoming }) => incoming))
  }
}

/** What `organization.json` says about people. */
type OrganizationFile = Partial<Pick<ArchivedPeople, 'members' | 'teams'>>

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
  const settings = await archive.json<ReadSpace['settings']>(`${folder}space.json`)
  const space: ReadSpace = { folder, settings, rows: [], bodies: new Map(), incoming: [], comments: [], people: [] }
  try {
    for await (const line of archive.lines<EntryLine>(`${folder}entries.jsonl`)) {
      if (line.kind === file && !(await readFile(config, archive, line, space.incoming))) {
        problems.push(`${settings.title}: the bytes of the file ${fileData(line).name} are not in the archive.`)
        continue
      }
      space.rows.push(rowOf(line, space.bodies))
    }
    for await (const line of archive.lines<CommentLine>(`${folder}comments.jsonl`)) space.comments.push(line)
    space.people = await archive.json(`${folder}people.json`)
    await checkTexts(archive, folder)
    return space
  } catch (error) {
    await discard(space.incoming)
    throw error
  }
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

/** Those around others first; what stands in nothing that is here goes to the top. */
async function restoreCollections(tx: Transaction, to: Restoring, collections: JsonRow[]): Promise<void> {
  for (const { id } of collections) to.ids.set(id as string, await freeId(tx, 'collections', id as string))
  const rows = collections.map((row) => ({
    ...row,
    id: to.ids.get(row['id'] as string),
    parent_id: to.ids.get(row['parent_id'] as string) ?? null,
  }))
  await insertRows(tx, 'collections', to.organizationId, rows)
  for (const { id } of rows) {
    recordChange(tx, {
      action: 'collection.created',
      organizationId: to.organizationId,
      target: { type: 'collection', id: id! },
    })
  }
}

/** The id it had, unless something has it by now. */
async function freeId(tx: Transaction, table: 'collections' | 'spaces', id: string): Promise<string> {
  const found = await tx.find(
    table === 'spaces' ? sql`select from spaces where id = ${id}` : sql`select from collections where id = ${id}`,
  )
  return found ? newId() : id
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
    // In its collection it stands where it stood; at the top of somewhere else, behind all others.
    position: collectionId ? settings.position : await lastPosition(tx, { organizationId, id: null }, id),
    merge_rules: await knownRules(tx, organizationId, settings.mergeRules),
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

/** Rules that name people who are not members here would wait for ever. */
async function knownRules(tx: Transaction, organizationId: string, rules: SpaceSettings['mergeRules']) {
  const named = rules.type === 'rules' ? rules.rules.flatMap((rule) => ('users' in rule ? rule.users : [])) : []
  if (named.length === 0) return rules
  const { count } = await tx.one(sql<{ count: number }>`
    select count(distinct user_id) from members where organization_id = ${organizationId} and user_id = any (${named}::uuid[])`)
  return count === new Set(named).size ? rules : ({ type: 'inherit' } as const)
}
