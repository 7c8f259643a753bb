import { newId } from '../../ids.ts'
import { asData, newReusableEntry, reusableData } from '../../pages/entry-data.ts'
import { reusable } from '../../revisions/entries.ts'
import { type Step, nameNew, named, touch } from '../batch.ts'
import type { ChangeOf } from '../schema.ts'
import { newText } from '../texts.ts'

const emptyDocument = { fields: {}, body: '', source: undefined, links: [] }

export async function insertReusableContent(change: ChangeOf<'insert_reusable_content'>, step: Step): Promise<void> {
  const { draft, now } = step.batch
  const entry = newReusableEntry(newId(), { title: change.title, createdAt: now, updatedAt: now })
  draft.put(entry)
  draft.written.set(entry.entry, step.document ?? emptyDocument)
  nameNew(step, entry, change.ref)
}

export async function updateReusableContent(change: ChangeOf<'update_reusable_content'>, step: Step): Promise<void> {
  const { draft } = step.batch
  const before = await named(step, change.reusableContent, reusable, 'reusableContent')
  const { title } = change
  draft.put({ ...before, data: asData({ ...reusableData(before), ...(title !== undefined && { title }) }) })
  const text = await newText(step, before)
  if (text) draft.written.set(before.entry, text)
  touch(step.batch, before, title === undefined ? [] : ['title'])
}

export async function deleteReusableContent(change: ChangeOf<'delete_reusable_content'>, step: Step): Promise<void> {
  const before = await named(step, change.reusableContent, reusable, 'reusableContent')
  step.batch.draft.remove(before.entry)
  touch(step.batch, before)
}
