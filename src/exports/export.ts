import { Readable } from 'node:stream'
import type { Db } from '../db/connect.ts'
import type { SpaceRow } from '../db/tables.ts'
import { listContent } from '../git/queries.ts'
import { nilId } from '../ids.ts'
import { findMainLine } from '../revisions/lines.ts'
import type { BlobStore } from '../storage/store.ts'
import { type Item, type Progress, packArchive } from './archive.ts'
import { specItems } from './specs/export-specs.ts'
import { fontItems, fontsPath } from './sites/fonts.ts'
import {
  type ExportedGrants,
  type JsonRow,
  findOrganizationToExport,
  findNextSpaceToExport,
  listCollectionsToExport,
  listCommentsToExport,
  listFontRows,
  listFormerPaths,
  listGrants,
  listPeople,
  listReactionsToExport,
  listSiteRows,
} from './queries.ts'
import { pictureItems } from './sites/pictures.ts'
import { listTranslationsToExport, translationsPath } from './translations.ts'
import { entryLines, placesOf, treeItems } from './tree.ts'

export interface ExportContext {
  db: Db
  store: BlobStore
}

/** A space as a zip: its main content as Markdown and as it is stored, its comments and settings. */
export function exportSpaceArchive(context: ExportContext, space: SpaceRow, progress?: Progress): Readable {
  // The archive can be restored anywhere by itself, and the person who exports it may not be allowed to see the
  // collection around the space.
  return packArchive('space', spaceItems(context, { ...space, collection_id: null }, ''), progress)
}

/** All spaces of an organization, with its collections, sites, fonts, specifications, translations, members and teams. */
export function exportOrganizationArchive(
  context: ExportContext,
  organizationId: string,
  progress?: Progress,
): Readable {
  return packArchive('organization', organizationItems(context, organizationId), progress)
}

async function* organizationItems(context: ExportContext, organizationId: string): AsyncGenerator<Item> {
  const { db } = context
  yield asJson('organization.json', await findOrganizationToExport(db, organizationId))
  yield asJson('collections.json', await listCollectionsToExport(db, organizationId))
  yield asJson('sites.json', await listSiteRows(db, organizationId))
  yield* pictureItems(db, context.store, organizationId)
  yield asJson(fontsPath, await listFontRows(db, organizationId))
  yield* fontItems(db, context.store, organizationId)
  yield asJson('grants.json', {
    collections: await listGrants(db, organizationId, 'collection'),
    sites: await listGrants(db, organizationId, 'site'),
  } satisfies GrantsOfOrganization)
  yield asJson(translationsPath, await listTranslationsToExport(db, organizationId))
  yield* specItems(db, context.store, organizationId)
  for (let after = nilId; ;) {
    // Each space is looked up when its turn comes: before that, it may leave the organization, or be deleted for good.
    const space = await findNextSpaceToExport(db, organizationId, after)
    if (!space) return
    yield* spaceItems(context, space, `spaces/${space.id}/`)
    after = space.id
  }
}

/** Roles granted on collections and sites, by id. Those granted on a space are stored with the space. */
export type GrantsOfOrganization = Record<'collections' | 'sites', Record<string, ExportedGrants>>

/**
 * The files of a space, below `folder`. The revision is the newest one at the beginning, whatever is edited meanwhile.
 */
async function* spaceItems({ db, store }: ExportContext, space: SpaceRow, folder: string): AsyncGenerator<Item> {
  const { organization_id: organizationId } = space
  const { head } = await findMainLine(db, organizationId, space.id)
  const entries = await listContent(db, head)
  const places = placesOf(entries)
  const from = { db, store, organizationId }
  const content = `${folder}content/`
  yield asJson(`${folder}space.json`, {
    ...settingsOf(space),
    revision: head.id,
    permissions: (await listGrants(db, organizationId, 'space', space.id))[space.id] ?? { members: [], teams: [] },
    formerPaths: await listFormerPaths(db, space),
  })
  yield* treeItems(from, entries, places, content)
  yield { path: `${folder}entries.jsonl`, content: entryLines(from, entries, places, content) }
  yield { path: `${folder}comments.jsonl`, content: Readable.from(commentLines(db, space), { objectMode: false }) }
  yield asJson(`${folder}people.json`, await listPeople(db, space))
}

/** The settings of a space, as stored in an archive. */
export type SpaceSettings = ReturnType<typeof settingsOf>

const settingsOf = (space: SpaceRow) => ({
  id: space.id,
  collection: space.collection_id,
  title: space.title,
  emoji: space.emoji,
  icon: space.icon,
  editMode: space.edit_mode,
  language: space.language,
  inherits: space.inherits,
  level: space.level,
  position: space.position,
  mergeRules: space.merge_rules,
})

/** A comment in an archive, with its reactions. */
export interface CommentLine {
  comment: JsonRow
  reactions: JsonRow[]
}

async function* commentLines(db: Db, space: SpaceRow): AsyncGenerator<string> {
  for (let after = nilId; ;) {
    const comments = await listCommentsToExport(db, space, after, batch)
    const ids = comments.map(({ id }) => id as string)
    const reactions = Map.groupBy(
      await listReactionsToExport(db, space.organization_id, ids),
      ({ comment_id }) => comment_id as string,
    )
    const lines = comments.map((comment): CommentLine => ({
      comment,
      reactions: reactions.get(comment['id'] as string) ?? [],
    }))
    if (lines.length > 0) yield lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    if (comments.length < batch) return
    after = ids.at(-1)!
  }
}

const batch = 200

const asJson = (path: string, value: unknown): Item => ({ path, content: `${JSON.stringify(value, null, 2)}\n` })
