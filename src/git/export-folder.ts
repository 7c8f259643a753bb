import type { Db } from '../db/connect.ts'
import type { ExportTarget } from './export.ts'
import { oidsIn, writeFolder } from './folder.ts'
import { type ExportPlan, isContent } from './plan-export.ts'
import { listOidsOfHistory } from './queries.ts'
import { GitFailure } from './repository.ts'

/** A folder of this machine as the target of an export. */
export function folderTarget(db: Db, folder: string, { force }: { force: boolean }): ExportTarget {
  return {
    async prepare(plan) {
      const there = await oidsIn(folder, plan.files)
      if (!force) await refuseForeign(db, plan, there)
      const paths = new Set(plan.files.map(({ path }) => path))
      const gone = [...plan.had].flatMap(([path, oid]) => (paths.has(path) ? [] : [{ path, oid }]))
      // Files that are not content belong to the folder's owner: existing ones are not overwritten.
      const files = plan.files.filter((each) => isContent(each) || !there.has(each.path))
      return { commit: undefined, finish: () => writeFolder(folder, files, gone) }
    },
  }
}

/**
 * Refuses the export if it would silently overwrite what somebody wrote there since, or files of theirs that have the
 * same names as ours. A file that was ours once is in the history of the space: it may have been written there before
 * something else was read or written.
 */
async function refuseForeign(db: Db, { files, had, main }: ExportPlan, there: ReadonlyMap<string, string>) {
  const others = files.filter((each) => {
    const oid = there.get(each.path)
    return isContent(each) && oid !== undefined && oid !== each.oid && oid !== had.get(each.path)
  })
  if (others.length === 0) return
  const ours = await listOidsOfHistory(
    db,
    main,
    others.map(({ path }) => there.get(path)!),
  )
  const [first, ...more] = others.map(({ path }) => path).filter((path) => !ours.has(there.get(path)!))
  if (first === undefined) return
  const what =
    more.length === 0
      ? `${first} is not as it was`
      : `${first} and ${more.length} other file${more.length === 1 ? '' : 's'} are not as they were`
  throw new GitFailure(
    `In the folder, ${what} last read or written here. Import the folder first, choose another one, or export with --force.`,
  )
}
