import { file } from '../../revisions/entries.ts'
import { type Step, named, touch } from '../batch.ts'
import type { ChangeOf } from '../schema.ts'

export async function deleteFile(change: ChangeOf<'delete_file'>, step: Step): Promise<void> {
  const before = await named(step, change.file, file, 'file')
  step.batch.draft.remove(before.entry)
  touch(step.batch, before)
}
