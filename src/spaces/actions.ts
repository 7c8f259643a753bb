import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import type { Role } from '../access/roles.ts'
import { changedFields } from '../changes/changed-fields.ts'
import { recordChange } from '../changes/record.ts'
import { levelFrom, levelSaid, untitled } from '../collections/actions.ts'
import { type Move, type Parent, lastPosition, positionAt } from '../collections/tree.ts'
import { keyBetween } from '../content/positions.ts'
import { followMain } from '../derived/follow.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { failpoint } from '../failpoints.ts'
import { upsertMemberGrants } from '../grants/queries.ts'
import { invalid } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { asData } from '../pages/entry-data.ts'
import { bodyHash } from '../revisions/bodies.ts'
import { type Row, page, top } from '../revisions/entries.ts'
import { findMainLine, lockLine, startMainLine } from '../revisions/lines.ts'
import { touchSitesWith } from '../sites/touch.ts'
import { checkMergeRules } from './merge-rules.ts'
import { shownEmoji } from './present.ts'
import { insertSpace, listUntitled, putIntoTrash, updateSpace } from './queries.ts'
import type { SpaceChanges } from './schema.ts'

export interface SpaceDraft {
  parent: Parent
  title?: string
  emoji?: string
  language?: string
  editMode?: SpaceRow['edit_mode']
  /** Whether to leave out the page that a space starts with. */
  empty?: boolean
  /** The content of that page. Without it, the page is empty. */
  firstPage?: FirstPage
  creatorId: string
}

interface FirstPage {
  title: string
  slug: string
  markdown: string
}

/** Creates a space in the last place, with its first revision, and makes its creator its administrator. */
export async function createSpace(tx: Transaction, draft: SpaceDraft): Promise<string> {
  const { parent, creatorId } = draft
  const { organizationId } = parent
  const id = newId()
  await insertSpace(tx, {
    organization_id: organizationId,
    id,
    collection_id: parent.id,
    title: draft.title ?? untitled(await listUntitled(tx, organizationId, parent.id)),
    emoji: draft.emoji ?? null,
    icon: null,
    edit_mode: draft.editMode ?? 'locked',
    language: draft.language ?? null,
    inherits: true,
    level: null,
    position: await lastPosition(tx, parent, id),
    merge_rules: { type: 'inherit' },
    created_by: creatorId,
  })
  await startMain(tx, organizationId, id, draft.empty ? undefined : (draft.firstPage ?? emptyPage))
  await upsertMemberGrants(tx, { organizationId, type: 'space', id }, [creatorId], 'admin')
  recordChange(tx, { ...about(organizationId, id), action: 'space.created' })
  return id
}

const emptyPage: FirstPage = { title: 'Untitled', slug: 'untitled', markdown: '' }

async function startMain(
  tx: Transaction,
  organizationId: string,
  spaceId: string,
  first: FirstPage | undefined,
): Promise<void> {
  const markdown = first?.markdown ?? ''
  const bodies = new Map([[bodyHash(markdown), markdown]])
  const rows = first ? [rowOf(first)] : []
  const line = await startMainLine(tx, organizationId, spaceId, rows, bodies)
  const before = { ...line, head: { ...line.head, seq: 0 } }
  await followMain(tx, { before, after: line, rows, bodies })
}

function rowOf({ title, slug, markdown }: FirstPage): Row {
  const entry = newId()
  const now = new Date().toISOString()
  return {
    entry,
    kind: page,
    state: 0,
    parent: top,
    slug,
    position: keyBetween(entry, null, null),
    doc: bodyHash(markdown),
    refs: null,
    data: asData({ type: 'document', title, createdAt: now, updatedAt: now }),
  }
}

/** Setting a value to what it already is counts as no change. */
export async function changeSpace(
  tx: Transaction,
  row: SpaceRow,
  changes: Static<typeof SpaceChanges>,
  own: Role,
): Promise<void> {
  const { editMode, title, defaultLevel, language, mergeRules } = changes
  const parent = { organizationId: row.organization_id, id: row.collection_id }
  // Direct content writes lock the main line. Locking it here keeps the edit mode constant until they are done.
  if (editMode !== undefined && editMode !== row.edit_mode) await holdMainLine(tx, row)
  const changed = {
    ...row,
    ...appearanceFrom(changes, row),
    edit_mode: editMode ?? row.edit_mode,
    title: title ?? row.title,
    language: language === undefined ? row.language : language,
    merge_rules: mergeRules
      ? await checkMergeRules(tx, row.organization_id, mergeRules, row.merge_rules)
      : row.merge_rules,
    ...(defaultLevel !== undefined && (await levelFrom(tx, defaultLevel, own, parent))),
  }
  if (isDeepStrictEqual(changed, row)) return
  await updateSpace(tx, changed)
  const fields = changedFields<SpaceRow>(changed, row, columns)
  recordChange(tx, {
    ...about(row.organization_id, row.id),
    action: 'space.updated',
    fields,
    ...(fields.includes('defaultLevel') && { details: levelSaid(defaultLevel) }),
  })
  touchSitesWith(tx, row)
}

const columns = {
  editMode: ['edit_mode'],
  title: ['title'],
  defaultLevel: ['inherits', 'level'],
  emoji: ['emoji'],
  icon: ['icon'],
  language: ['language'],
  mergeRules: ['merge_rules'],
} as const satisfies Record<keyof Static<typeof SpaceChanges>, readonly (keyof SpaceRow)[]>

async function holdMainLine(tx: Transaction, { organization_id, id }: SpaceRow): Promise<void> {
  const { id: lineId } = await findMainLine(tx, organization_id, id)
  await lockLine(tx, organization_id, lineId)
}

/** Sets an emoji or an icon. Setting one removes the other. */
function appearanceFrom({ emoji, icon }: Static<typeof SpaceChanges>, row: SpaceRow): Pick<SpaceRow, 'emoji' | 'icon'> {
  if (emoji && icon) throw invalid('body.icon', 'exclusive', 'a space has either an emoji or an icon')
  // A client that sends back what it has read includes the default emoji, which is shown even for a space with an icon.
  if (emoji === shownEmoji(row) && icon === undefined) return { emoji: row.emoji, icon: row.icon }
  if (emoji) return { emoji, icon: null }
  if (icon) return { emoji: null, icon }
  return { emoji: emoji === null ? null : row.emoji, icon: icon === null ? null : row.icon }
}

/** Requires the tree to be locked. Moving a space to its current place is not a move. */
export async function moveSpace(tx: Transaction, row: SpaceRow, move: Move): Promise<void> {
  const collectionId = move.parent === undefined ? row.collection_id : move.parent
  if (collectionId === row.collection_id && !move.position) return
  const parent = { organizationId: row.organization_id, id: collectionId }
  const position = await positionAt(tx, parent, move.position ?? {}, row.id)
  if (collectionId === row.collection_id && position === row.position) return
  await updateSpace(tx, { ...row, collection_id: collectionId, position })
  recordChange(tx, { ...about(row.organization_id, row.id), action: 'space.moved' })
}

/** Moves a space to the trash. It keeps its place and its content. Sites stop showing it. */
export async function deleteSpace(tx: Transaction, row: SpaceRow): Promise<void> {
  await putIntoTrash(tx, row)
  touchSitesWith(tx, row)
  recordChange(tx, { ...about(row.organization_id, row.id), action: 'space.deleted' })
  failpoint('delete-space.before-commit')
  tx.afterCommit(() => failpoint('delete-space.committed'))
}

/**
 * If its collection was deleted in the meantime, the space was moved to the top level then, with the level that held
 * for it.
 */
export async function restoreSpace(tx: Transaction, row: SpaceRow): Promise<void> {
  await updateSpace(tx, { ...row, deleted_at: null })
  touchSitesWith(tx, row)
  recordChange(tx, { ...about(row.organization_id, row.id), action: 'space.restored' })
}

export const about = (organizationId: string, id: string) => ({ organizationId, target: { type: 'space', id } })
