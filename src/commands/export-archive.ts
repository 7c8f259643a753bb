import { stat } from 'node:fs/promises'
import { exportOrganizationArchive, exportSpaceArchive } from '../exports/export.ts'
import { countFiles } from '../exports/runs/runs.ts'
import { UsageError, readOptions, required } from './arguments.ts'
import type { OpenInstance } from './command.ts'
import { organizationNamed, spaceNamed } from './named.ts'
import { showProgress } from './progress.ts'
import { writeNewFile } from './write-file.ts'

/** `lectern export --space | --org … --to file.zip`. */
export async function exportArchive(args: string[], open: () => Promise<OpenInstance>): Promise<void> {
  const options = readOptions(args, { space: 'text', org: 'text', to: 'text', json: 'flag' })
  const path = required(options.to, 'to')
  if ((options.space === undefined) === (options.org === undefined)) throw new UsageError('Name --space or --org.')
  const instance = await open()
  const space = options.space === undefined ? undefined : await spaceNamed(instance.db, options.space)
  const organizationId = space?.organization_id ?? (await organizationNamed(instance.db, options.org!)).id
  const progress = showProgress('Exporting', await countFiles(instance.db, organizationId, space?.id))
  let count = 0
  const step = (files: number, bytes: number) => {
    count = files
    progress.step(files, bytes)
  }
  const bytes = space
    ? exportSpaceArchive(instance, space, step)
    : exportOrganizationArchive(instance, organizationId, step)
  await writeNewFile(path, bytes)
  progress.done()
  const { size } = await stat(path)
  if (options.json) console.log(JSON.stringify({ path, files: count, bytes: size }))
  else console.log(`${count} files in ${path}, ${size} bytes.`)
}
