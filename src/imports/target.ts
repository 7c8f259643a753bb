import type { Caller } from '../access/caller.ts'
import { type SpaceAccess, accessSpace } from '../access/content.ts'
import { spaceRights } from '../access/rights.ts'
import { accessChangeRequest, refuseClosed } from '../change-requests/access.ts'
import { requireMergeRules } from '../change-requests/merging/merge-rules.ts'
import { type ChangeRequest, findToEdit } from '../change-requests/queries.ts'
import { limits } from '../content/limits.ts'
import type { Db } from '../db/connect.ts'
import { ApiError, conflict, forbidden, invalid, notFound } from '../http/errors.ts'
import { isId } from '../ids.ts'
import { pageData } from '../pages/entry-data.ts'
import { findEntry, listWithAncestors, page } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { findMergeRules } from '../spaces/queries.ts'

/** Where an import goes. */
export interface Target {
  spaceId: string
  /** The id or number of a change request. If undefined, the import goes into the main content. */
  changeRequestId?: string | undefined
  /** The page to import below. If undefined, the import goes to the end of the top level. */
  pageId?: string | undefined
}

/** A target that the caller may import into. */
export interface CheckedTarget extends Target {
  access: SpaceAccess
  changeRequest: ChangeRequest | undefined
  /** The newest revision of the line that is written. */
  head: Revision
}

/**
 * Checks whether the caller may write there at all, regardless of its current state. Repeated requests are checked
 * against this.
 */
export async function accessPlace(
  db: Db,
  caller: Caller,
  { spaceId, changeRequestId }: Target,
): Promise<Pick<SpaceAccess, 'space'>> {
  return changeRequestId === undefined
    ? accessSpace(db, caller, spaceId, 'edit')
    : accessChangeRequest(db, caller, { spaceId, changeRequestId }, 'edit')
}

/**
 * Checks everything that can be checked before anything is fetched. Importing into main requires the role edit if the
 * space is live. If it is locked, it requires the role review, and the merge rules have to be met.
 */
export async function accessTarget(db: Db, caller: Caller, target: Target, pagePath: string): Promise<CheckedTarget> {
  const { spaceId, changeRequestId, pageId } = target
  const checked =
    changeRequestId === undefined
      ? await accessMain(db, caller, target)
      : await accessBranch(db, caller, { spaceId, changeRequestId })
  if (pageId !== undefined) await requireParent(db, checked.head, pageId, pagePath)
  return { ...target, ...checked }
}

/** Whether an import may go directly into the main content, without a review. It is offered only then. */
export async function mayImportIntoMain(db: Db, caller: Caller, spaceId: string): Promise<boolean> {
  try {
    await accessMain(db, caller, { spaceId })
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

async function accessMain(db: Db, caller: Caller, { spaceId }: Target) {
  const access = await accessSpace(db, caller, spaceId, 'edit')
  if (access.space.edit_mode === 'locked') {
    if (!spaceRights(access.role).merge)
      throw forbidden('import into this space, which is locked: import into a change request')
    await requireRules(db, caller, access)
  }
  return { access, changeRequest: undefined, head: access.main }
}

/**
 * Checks an import against the merge rules, as if it were a change request from this moment that nobody has reviewed.
 */
async function requireRules(db: Db, { user }: Caller, { space, main }: SpaceAccess): Promise<void> {
  const rules = await findMergeRules(db, space)
  const row: ChangeRequest = {
    organization_id: space.organization_id,
    id: space.id,
    space_id: space.id,
    number: 0,
    line_id: main.lineId,
    status: 'open',
    subject: 'Import',
    description: 'Import',
    created_by: user.id,
    created_at: new Date(),
    updated_at: new Date(),
    revision_initial: main.id,
    revision_ancestor: null,
    revision_merged: null,
    creator: user,
    head_id: main.id,
    head_seq: main.seq,
    base_seq: main.seq,
    main_id: main.lineId,
    main_head_id: main.id,
    main_head_seq: main.seq,
    comments: 0,
  }
  await requireMergeRules(db, rules, { row, reviews: [], mergerId: user.id })
}

async function accessBranch(db: Db, caller: Caller, target: { spaceId: string; changeRequestId: string }) {
  const { changeRequest, ...access } = await accessChangeRequest(db, caller, target, 'edit')
  refuseClosed(changeRequest)
  const { organization_id, space_id, id } = changeRequest
  const found = await findToEdit(db, organization_id, space_id, id, [])
  if (!found) throw notFound('change request')
  return { access, changeRequest, head: found.branch.line.head }
}

async function requireParent(db: Db, at: Revision, pageId: string, path: string): Promise<void> {
  const entry = isId(pageId) ? await findEntry(db, at, pageId) : undefined
  if (entry?.kind !== page) {
    throw path.startsWith('body') ? invalid(path, 'exists', 'is not a page of this content') : notFound('page')
  }
  const { type } = pageData(entry)
  if (type !== 'document' && type !== 'group')
    throw path.startsWith('body')
      ? invalid(path, 'type', `is a page of the type ${type}, which cannot contain pages`)
      : conflict(`This page is of type ${type}, which cannot contain pages.`)
  if ((await listWithAncestors(db, at, [pageId])).length >= limits.pageLevels)
    throw path.startsWith('body')
      ? invalid(path, 'levels', `is too deep: pages can be nested at most ${limits.pageLevels} levels deep`)
      : conflict(`This page is too deep: pages can be nested at most ${limits.pageLevels} levels deep.`)
}
