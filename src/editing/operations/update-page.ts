import { type PageData, asData, pageData } from '../../pages/entry-data.ts'
import { type Entry, page } from '../../revisions/entries.ts'
import { type Step, named, touch } from '../batch.ts'
import { computedOf } from '../computed.ts'
import { changeData, fieldIn, metadataOf, namedFields } from '../metadata.ts'
import { checkLevels, parentOf, positionFor } from '../places.ts'
import type { ChangeOf } from '../schema.ts'
import { chosenSlug, freeSlug, slugFrom } from '../slugs.ts'
import { checkParts, targetOf } from '../targets.ts'
import { newText } from '../texts.ts'

export async function updatePage(change: ChangeOf<'update_page'>, step: Step): Promise<void> {
  const { computed, document } = change
  const { draft } = step.batch
  const before = await named(step, change.page, page, 'page')
  const { type } = pageData(before)
  checkParts(step, type, { document, target: change.target, computed }, false)

  const place = await movedTo(step, before, change)
  const data: PageData = await changeData(step, pageData(before), change)
  const target = await targetOf(step, change.target)
  draft.put({
    ...before,
    ...place,
    slug: await slugOf(step, before, place.parent, change, data.title),
    data: asData({
      ...data,
      ...(target && { target }),
      ...(computed && { computed: computedOf(step, computed) }),
    }),
  })
  const text = await newText(step, before)
  if (text) draft.written.set(before.entry, text)
  const fields = namedFields(change, step.document)
  const moved = change.into !== undefined || change.at !== undefined
  touch(step.batch, before, [
    ...fields,
    ...(moved ? ['place'] : []),
    ...(target ? ['target'] : []),
    ...(computed ? ['computed'] : []),
  ])
}

type Place = { parent: string; position: string }

/** If the change names no place, a page stays where it is. Below another parent it goes last. */
async function movedTo(step: Step, before: Entry, { into, at }: ChangeOf<'update_page'>): Promise<Place> {
  const { draft } = step.batch
  const { entry, parent: old } = before
  const parent = into === undefined ? old : await parentOf(step, into)
  if (parent !== old && (await draft.isWithin(parent, entry))) {
    throw step.path.conflict('into', 'cycle', 'is the page itself, or below it')
  }
  if (parent !== old) await checkLevels(step, parent, before)
  if (parent === old && at === undefined) return { parent, position: before.position! }
  return { parent, position: await positionFor(draft, entry, parent, at) }
}

/** A slug that the change names is used or refused. A slug that is taken where its page moves to gets a number. */
async function slugOf(
  step: Step,
  before: Entry,
  parent: string,
  change: ChangeOf<'update_page'>,
  title: string,
): Promise<string> {
  const { entry, slug } = before
  const { draft } = step.batch
  const chosen = metadataOf(change).slug
  if (chosen) return chosenSlug(step, entry, parent, chosen, fieldIn(change, 'slug'))
  if (chosen === '') return freeSlug(draft, entry, parent, slugFrom(title))
  return parent === before.parent ? slug! : freeSlug(draft, entry, parent, slug!)
}
