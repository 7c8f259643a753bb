import { parse } from '../../content/parse.ts'
import { isId } from '../../ids.ts'
import {
  type Entry,
  findEntry,
  listEntries,
  listSubtrees,
  listWithAncestors,
  page,
  top,
} from '../../revisions/entries.ts'
import { findRevision } from '../../revisions/lines.ts'
import { type Revision, asRevision } from '../../revisions/revision.ts'
import { type Step, touch } from '../batch.ts'
import { readPiece } from '../documents.ts'
import { checkLevels } from '../places.ts'
import { revertBlocks } from '../revert-blocks.ts'
import type { ChangeOf } from '../schema.ts'
import { freeSlug } from '../slugs.ts'
import { textNow, textOf } from '../texts.ts'

/**
 * Reverts a page to how a revision had it. A page that is new since then is removed, and one that was deleted comes
 * back, each with all pages below it.
 */
export async function revertPage(change: ChangeOf<'revert_page'>, step: Step): Promise<void> {
  const { batch, path } = step
  const { draft, db } = batch
  const at = await revisionOf(step, change.revision)
  const named = batch.refs.get(change.page)
  const id = named?.kind === page ? named.id : change.page
  const [now, then] = isId(id) ? await Promise.all([draft.find(id, page), findEntry(db, at, id)]) : []
  const old = then?.kind === page ? then : undefined
  if (!now && !old) throw path.invalid('page', 'exists', 'is not a page of this space, now or in that revision')

  if (change.block) return revertSome(step, now, old, change.block)
  if (!old) return removeNew(step, now!, at)
  if (!now) return restoreAll(step, old, at)
  const place = await placeOf(step, now, old)
  if (place.parent !== now.parent) await checkLevels(step, place.parent, now, 'page')
  draft.written.delete(old.entry)
  draft.put({ ...old, ...place })
  touch(batch, old).reverted = true
}

async function revisionOf({ batch, path }: Step, id: string | undefined): Promise<Revision> {
  if (id === undefined) {
    if (batch.base) return batch.base
    throw path.invalid('revision', 'required', 'is required outside of change requests')
  }
  const row = isId(id) ? await findRevision(batch.db, batch.organizationId, batch.spaceId, id) : undefined
  if (!row) throw path.invalid('revision', 'exists', 'is not a revision of this space')
  return asRevision(row)
}

/**
 * All new pages below it are removed, too. A page that was moved there is older: it goes back to its place, with all
 * pages below it.
 */
async function removeNew(step: Step, root: Entry, at: Revision): Promise<void> {
  const { batch } = step
  const { draft, db } = batch
  const subtree = await draft.subtree(root)
  const ids = subtree.map(({ entry }) => entry)
  const then = new Map((await listEntries(db, at, ids)).map((each) => [each.entry, each]))
  const gone = new Set<string>()
  const moved: Entry[] = []
  for (const entry of subtree) {
    if (entry !== root && !gone.has(entry.parent)) continue
    if (then.has(entry.entry)) moved.push(entry)
    else gone.add(entry.entry)
  }

  for (const entry of subtree.filter((each) => gone.has(each.entry))) {
    draft.remove(entry.entry)
    touch(batch, entry).reverted = true
  }
  for (const entry of moved) {
    const { parent, position } = root
    const place = await placeOf(step, { ...entry, parent, position }, { ...then.get(entry.entry)!, slug: entry.slug })
    if (place.parent !== parent) await checkLevels(step, place.parent, entry, 'page')
    draft.put({ ...entry, ...place })
    touch(batch, entry, ['place'])
  }
}

/** Pages that were below it and are somewhere else in the meantime stay there. */
async function restoreAll(step: Step, root: Entry, at: Revision): Promise<void> {
  const { batch } = step
  const { draft } = batch
  const subtree = await listSubtrees(batch.db, at, [root.entry])
  await draft.load(subtree.map(({ entry }) => entry))
  const parent = await survivingParent(step, root, at)
  for (const entry of subtree) {
    if (await draft.find(entry.entry, page)) continue
    const home = entry.entry === root.entry ? parent : entry.parent
    await checkLevels(step, home, undefined, 'page')
    const slug = await freeSlug(draft, entry.entry, home, entry.slug!)
    draft.put({ ...entry, parent: home, slug })
    touch(batch, entry).reverted = true
  }
}

/** The nearest ancestor that still exists, or the top. */
async function survivingParent({ batch }: Step, { entry, parent }: Entry, at: Revision): Promise<string> {
  const above = new Map((await listWithAncestors(batch.db, at, [entry])).map((each) => [each.entry, each]))
  for (let up = parent; up !== top; up = above.get(up)?.parent ?? top) {
    if (await batch.draft.find(up, page)) return up
  }
  return top
}

/** The former place of the page, unless that is gone, or is below the page itself in the meantime. */
async function placeOf({ batch }: Step, now: Entry, old: Entry): Promise<Pick<Entry, 'parent' | 'position' | 'slug'>> {
  const { draft } = batch
  const isThere = old.parent === top || (await draft.find(old.parent, page)) !== undefined
  const fits = isThere && !(await draft.isWithin(old.parent, old.entry))
  const { parent, position } = fits ? old : now
  return { parent, position, slug: await freeSlug(draft, old.entry, parent, old.slug!) }
}

async function revertSome(step: Step, now: Entry | undefined, old: Entry | undefined, keys: string[]): Promise<void> {
  const { batch, path } = step
  if (!now || !old) throw path.invalid('block', 'exists', 'needs a page that exists now and in that revision')
  const [before, current] = await Promise.all([textOf(batch, old.doc), textNow(batch, now)])
  const { body, unknown } = revertBlocks(parse(before), parse(current), new Set(keys))
  if (unknown.length > 0) {
    throw path.invalid(
      `block.${keys.indexOf(unknown[0]!)}`,
      'exists',
      'is not a block of this page, now or in that revision',
    )
  }
  batch.draft.written.set(now.entry, { ...readPiece({ markdown: body }, path)! })
  batch.draft.put(now)
  touch(batch, now)
}
