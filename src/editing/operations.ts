import type { Step } from './batch.ts'
import { deleteFile } from './operations/delete-file.ts'
import { deletePage } from './operations/delete-page.ts'
import { insertFiles } from './operations/insert-files.ts'
import { insertPage } from './operations/insert-page.ts'
import { deleteReusableContent, insertReusableContent, updateReusableContent } from './operations/reusable-contents.ts'
import { revertPage } from './operations/revert-page.ts'
import { updateFile } from './operations/update-file.ts'
import { updatePage } from './operations/update-page.ts'
import { updateVariables } from './operations/update-variables.ts'
import type { Change, ChangeOf } from './schema.ts'

type Operations = { [Word in Change['operation']]: (change: ChangeOf<Word>, step: Step) => Promise<void> }

/** All operations. A new one does not compile until it is listed here. */
const operations: Operations = {
  insert_page: insertPage,
  update_page: updatePage,
  delete_page: deletePage,
  revert_page: revertPage,
  insert_files: insertFiles,
  update_file: updateFile,
  delete_file: deleteFile,
  insert_reusable_content: insertReusableContent,
  update_reusable_content: updateReusableContent,
  delete_reusable_content: deleteReusableContent,
  update_variables: updateVariables,
}

export async function applyChange(change: Change, step: Step): Promise<void> {
  const operation = operations[change.operation] as (change: Change, step: Step) => Promise<void>
  return operation(change, step)
}
