import { lockTree } from '../collections/tree.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import { isRefusedValue } from '../db/refused.ts'
import { type Transaction, nobody, transaction } from '../db/transaction.ts'
import { followMain } from '../derived/follow.ts'
import { Explained } from '../explained.ts'
import { type Incoming, discard, keepBlob } from '../files/blobs.ts'
import type { Thing } from '../grants/queries.ts'
import { isAddressOfSpec } from '../openapi/named.ts'
import type { Secrets } from '../secrets.ts'
import type { BlobStore } from '../storage/store.ts'
import { type RestoredSpace, type Restoring, findRoom, restoreCollections, restoreSpace } from './import-spaces.ts'
import type { Archive } from './open-archive.ts'
import { type ArchivedPeople, type GrantsOn, restorePeople } from './people/import-people.ts'
import type { RestoredTeam } from './people/import-teams.ts'
import type { NotMember } from './people/members-here.ts'
import type { ExportedGrants } from './queries.ts'
import { type ReadArchive, readArchive } from './read-archive.ts'
import { importFonts, withFontsHere } from './sites/fonts.ts'
import { importSites, showFirst } from './sites/import-sites.ts'
import { withPicturesHere } from './sites/pictures.ts'
import { importSpecs } from './specs/import-specs.ts'
import { listMissingSpecs } from './specs/specs-named.ts'
import { importTranslations } from './translations.ts'

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
  /** People of the archive who got nothing here: nobody becomes a member without having agreed to it. */
  notMembers: NotMember[]
  /** What could not be restored, and why. */
  problems: string[]
}

const maxMs = 600_000

/**
 * Restores an archive, all of it or nothing. Ids stay the same unless they are taken. All bytes are read and checked
 * against the manifest before anything is written.
 */
export async function importArchive(
  context: ImportContext,
  archive: Archive,
  organizationId: string,
  say: (where: string) => void = () => {},
): Promise<ImportedArchive> {
  const received: Incoming[] = []
  try {
    const read = await readArchive(context.config, archive, received)
    return await transaction(context.db, nobody, async (tx) => {
      await tx.allow(maxMs)
      return restore(tx, context, read, organizationId, say)
    })
  } catch (error) {
    throw explained(error)
  } finally {
    await discard(received)
  }
}

async function restore(
  tx: Transaction,
  context: ImportContext,
  read: ReadArchive,
  organizationId: string,
  say: (where: string) => void,
): Promise<ImportedArchive> {
  const to: Restoring = { organizationId, ids: new Map(), top: new Map(), problems: [...read.problems] }
  await lockTree(tx, organizationId)
  await findRoom(tx, to, read.collections, read.spaces)
  await restoreCollections(tx, to, read.collections)
  const spaces: RestoredSpace[] = []
  for (const [index, space] of read.spaces.entries()) {
    say(`writing space ${index + 1} of ${read.spaces.length}, ${space.rows.length} entries`)
    spaces.push(await restoreSpace(tx, context.store, to, space))
  }
  const heads = new Map(spaces.map(({ space, written }) => [space.id, written.after.head]))
  const translations = await importTranslations(tx, to, read.translations, heads)
  const specifications = await importSpecs(tx, context.store, to, read.specs)
  to.problems.push(...(await listMissingSpecs(tx, organizationId, read.spaces)).map(missingSpec))
  // After all spaces exist, because links between them are looked up here.
  for (const { written } of spaces) await followMain(tx, written)
  const sites = await restoreSites(tx, context, to, read)
  // Last, because members can neither leave nor be removed while this is being done.
  const people = await restorePeople(tx, organizationId, peopleIn(read, to, sites), to.problems)
  return {
    spaces: spaces.map(({ space }) => space),
    collections: read.collections.length,
    sites: sites.length,
    specifications,
    translations,
    ...people,
    problems: to.problems,
  }
}

const missingSpec = (name: string) =>
  isAddressOfSpec(name)
    ? `Pages show the OpenAPI specification at ${JSON.stringify(name)}, which does not exist here: add one with that URL.`
    : `Pages show the OpenAPI specification ${JSON.stringify(name)}, which does not exist here: add one with that name.`

interface RestoredSite {
  /** The id that it had in the archive. */
  was: string
  id: string
  title: string
}

/** Restores the sites with the pictures and fonts of their looks, and the choice of the default site. */
async function restoreSites(
  tx: Transaction,
  { config, store, secrets }: ImportContext,
  to: Restoring,
  { organization, sites, pictures, fonts }: ReadArchive,
): Promise<RestoredSite[]> {
  for (const each of pictures) await keepBlob(tx, store, to.organizationId, each)
  const hashes = new Set(pictures.map(({ blob }) => blob.hash))
  const restoredFonts = await importFonts(tx, store, to, fonts)
  const shown = sites && withPicturesHere(config, withFontsHere(sites, restoredFonts, to.problems))
  const restored = shown ? await importSites(tx, secrets, to, shown, hashes) : []
  const first = restored.find(({ was }) => was === organization.defaultSite)
  await showFirst(tx, to, first, organization.id)
  return restored
}

/** The people of the archive, and the roles they had on what has been restored. */
function peopleIn(
  { organization, spaces, collections, grants }: ReadArchive,
  to: Restoring,
  sites: readonly RestoredSite[],
): ArchivedPeople {
  const { members = [], teams = [] } = organization
  const granted = [
    ...spaces.map(({ settings: { id, title, permissions } }) => grantsOn('space', to, id, title, permissions)),
    ...collections.map((row) => {
      const id = row['id'] as string
      return grantsOn('collection', to, id, row['title'] as string, grants.collections[id])
    }),
    ...sites.map(({ was, id, title }) => grantsOn('site', to, id, title, grants.sites[was])),
  ]
  const ruled = spaces.map(({ settings: { id, title, mergeRules } }) => ({ id: to.ids.get(id)!, title, mergeRules }))
  return { members, teams, grants: granted, ruled, named: spaces.flatMap(({ people }) => people) }
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

/** Explains errors that no check of a single file can find: rows that contradict each other, or existing data. */
function explained(error: unknown): unknown {
  if (!isRefusedValue(error)) return error
  const where = [error.table, error.constraint].filter((each) => each !== undefined).join(', ')
  return new Explained(
    `The archive cannot be restored: it contradicts itself, or existing data, in ${where || 'its content'}. ` +
      'Nothing was changed.',
    { cause: error },
  )
}
