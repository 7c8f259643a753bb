import { page } from '../../revisions/entries.ts'
import { type Step, named, touch } from '../batch.ts'
import type { ChangeOf } from '../schema.ts'

/** Deletes a page with all pages below it. */
export async function deletePage(change: ChangeOf<'delete_page'>, step: Step): Promise<void> {
  const { draft } = step.batch
  const root = await named(step, change.page, page, 'page')
  for (const entry of await draft.subtree(root)) {
    draft.remove(entry.entry)
    touch(step.batch, entry)
  }
}
