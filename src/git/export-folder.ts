import type { ExportTarget } from './export.ts'
import { writeFolder } from './folder.ts'

/** A folder of this machine as the place that a space is written to. */
export function folderTarget(folder: string): ExportTarget {
  return {
    async prepare(plan) {
      const paths = new Set(plan.files.map(({ path }) => path))
      const gone = [...plan.had].flatMap(([path, oid]) => (paths.has(path) ? [] : [{ path, oid }]))
      return { commit: undefined, finish: () => writeFolder(folder, plan.files, gone) }
    },
  }
}
