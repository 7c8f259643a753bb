import { limits } from '../content/limits.ts'
import { type Placement, type Placed, placeAt } from '../content/positions.ts'
import { isId } from '../ids.ts'
import { type Entry, page, top } from '../revisions/entries.ts'
import { pageData } from '../pages/entry-data.ts'
import { type Step, named } from './batch.ts'
import type { Draft } from './draft.ts'

/** The page below which a change puts something. */
export async function parentOf(step: Step, into: string | null | undefined): Promise<string> {
  if (into === undefined || into === null) return top
  // Reads its ancestors as well, because its level is needed next.
  if (isId(into)) await step.batch.draft.loadWithAncestors(into)
  const parent = await named(step, into, page, 'into')
  const { type } = pageData(parent)
  if (type === 'document' || type === 'group') return parent.entry
  throw step.path.invalid('into', 'type', `is a page of the type ${type}, which cannot contain pages`)
}

/**
 * Refuses places that are too deep. `moved` is the page that goes there with all pages below it; without it, a single
 * new page.
 */
export async function checkLevels(
  { batch: { draft }, path }: Step,
  parent: string,
  moved?: Entry,
  field = 'into',
): Promise<void> {
  if (parent === top) return
  const room = limits.pageLevels - (await draft.levelOf(parent))
  if (room >= 1 && (!moved || (await draft.levelsIn(moved, room)) <= room)) return
  throw path.invalid(field, 'levels', `is too deep: pages can be nested at most ${limits.pageLevels} levels deep`)
}

/** The position that makes `id` the `at`-th page below `parent`, or the last. */
export async function positionFor(draft: Draft, id: string, parent: string, at: number | undefined): Promise<string> {
  if (at === undefined) {
    const last = await draft.lastSibling(parent, id)
    return placeAt(last ? [last] : [], last ? 1 : 0, id).position
  }
  const siblings = await draft.siblings(parent)
  const others = siblings.filter(({ entry }) => entry !== id)
  const index = Math.min(at, others.length)
  const current = siblings.findIndex(({ entry }) => entry === id)
  if (current === index) return siblings[current]!.position
  return settle(draft, placeAt(others, index, id))
}

/** Gives new keys to siblings that shared one, so that something fits between them. */
async function settle(draft: Draft, { position, rekeyed }: Placement): Promise<string> {
  await draft.load(rekeyed.map(({ entry }: Placed) => entry))
  for (const { entry, position } of rekeyed) {
    const sibling: Entry | undefined = await draft.find(entry, page)
    if (sibling) draft.put({ ...sibling, position })
  }
  return position
}
