import { newId } from '../../ids.ts'
import { type PageData, asData } from '../../pages/entry-data.ts'
import { bodyHash } from '../../revisions/bodies.ts'
import { type Entry, page } from '../../revisions/entries.ts'
import { type Step, nameNew, touch } from '../batch.ts'
import { computedOf } from '../computed.ts'
import { changeData, fieldIn, metadataOf, namedFields } from '../metadata.ts'
import { checkLevels, parentOf, positionFor } from '../places.ts'
import type { ChangeOf } from '../schema.ts'
import { chosenSlug, freeSlug, slugFrom } from '../slugs.ts'
import { checkParts, targetOf } from '../targets.ts'

const emptyDocument = { fields: {}, body: '', source: undefined, links: [] }

export async function insertPage(change: ChangeOf<'insert_page'>, step: Step): Promise<void> {
  const { type = 'document' } = change
  const { draft, now } = step.batch
  checkParts(step, type, change)
  const parent = await parentOf(step, change.into)
  await checkLevels(step, parent)
  const id = newId()
  const blank: PageData = { type, title: 'Untitled', createdAt: now, updatedAt: now }
  const data = await changeData(step, blank, change)
  const target = await targetOf(step, change.target)
  const chosen = metadataOf(change).slug
  const slug = chosen
    ? await chosenSlug(step, id, parent, chosen, fieldIn(change, 'slug'))
    : await freeSlug(draft, id, parent, slugFrom(data.title))

  const entry: Entry = {
    entry: id,
    kind: page,
    state: 0,
    parent,
    slug,
    position: await positionFor(draft, id, parent, change.at),
    doc: type === 'document' ? bodyHash('') : null,
    refs: null,
    data: asData({ ...data, target, computed: computedOf(step, change.computed) }),
  }
  draft.put(entry)
  if (type === 'document') draft.written.set(id, step.document ?? emptyDocument)
  nameNew(step, entry, change.ref)
  touch(step.batch, entry, ['slug', 'place', ...namedFields(change, step.document)])
}
