import { stat } from 'node:fs/promises'
import { exportOrganizationArchive, exportSpaceArchive } from '../exports/export.ts'
import { findSpaceToExport } from '../exports/queries.ts'
import { countFiles } from '../exports/runs.ts'
import { isId } from '../ids.ts'
import { findOrganizationByName } from '../organizations/queries.ts'
import { UsageError, readOptions, required } from './arguments.ts'
import type { OpenInstance } from './command.ts'
import { showProgress } from './progress.ts'
import { writeNewFile } from './write-file.ts'

/** `lectern export --space | --org … --to file.zip`. */
export async function exportArchive(args: string[], open: () => Promise<OpenInstance>): Promise<void> {
  const options = readOptions(args, { space: 'text', org: 'text', to: 'text', json: 'flag' })
  const path = required(options.to, 'to')
  if ((options.space === undefined) === (options.org === undefined)) throw new UsageError('Name --space or --org.')
  const instance = await open()
  const space = options.space === undefined ? undefined : await spaceWith(instance, options.space)
  const organizationId = space?.organization_id ?? (await organizationWith(instance, options.org!))
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

async function spaceWith({ db }: OpenInstance, id: string) {
  const space = isId(id) ? await findSpaceToExport(db, id) : undefined
  if (!space) throw new UsageError(`There is no space ${id}.`)
  return space
}

export async function organizationWith({ db }: Pick<OpenInstance, 'db'>, name: string): Promise<string> {
  const found = await findOrganizationByName(db, name)
  if (!found) throw new UsageError(`There is no organization "${name}". Give its id or its hostname.`)
  return found.id
}
