import { asData, fileData } from '../../pages/entry-data.ts'
import { file } from '../../revisions/entries.ts'
import { type Step, named, touch } from '../batch.ts'
import { checkName } from '../incoming-files.ts'
import type { ChangeOf } from '../schema.ts'

export async function updateFile(change: ChangeOf<'update_file'>, step: Step): Promise<void> {
  checkName(change.name, 'name', step.path)
  const before = await named(step, change.file, file, 'file')
  step.batch.draft.put({ ...before, data: asData({ ...fileData(before), name: change.name }) })
  touch(step.batch, before, ['name'])
}
