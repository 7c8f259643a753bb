import { stat } from 'node:fs/promises'
import { sql } from '../db/sql.ts'
import { type ImportedArchive, importArchive } from '../exports/import.ts'
import { explainNotMember } from '../exports/people/members-here.ts'
import { Archive } from '../exports/open-archive.ts'
import { UsageError, readOptions } from './arguments.ts'
import { type OpenInstance, doneInPart } from './command.ts'
import { organizationNamed } from './named.ts'
import { showProgress } from './progress.ts'

/** `lectern import file.zip`. */
export async function importArchiveFile(
  path: string,
  args: string[],
  open: () => Promise<OpenInstance>,
): Promise<void> {
  const options = readOptions(args, { org: 'text', json: 'flag' })
  await refuseFolder(path)
  const archive = await Archive.open(path, 'space', 'organization')
  try {
    const instance = await open()
    const organizationId = options.org
      ? (await organizationNamed(instance.db, options.org)).id
      : await organizationOf(instance, archive)
    const progress = showProgress('Importing', archive.paths().length)
    archive.onRead = progress.step
    const imported = await importArchive(instance, archive, organizationId, progress.say).finally(progress.done)
    if (imported.problems.length + imported.notMembers.length > 0) process.exitCode = doneInPart
    if (options.json) console.log(JSON.stringify({ organization: organizationId, ...imported }))
    else tell(imported)
  } finally {
    archive.close()
  }
}

async function refuseFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) return
  throw new UsageError(`${path} is a folder. To bring that in: lectern import --space <id> --folder ${path}`)
}

/** Returns the organization that the archive came from, or the only one there is. */
async function organizationOf({ db }: OpenInstance, archive: Archive): Promise<string> {
  const { id } = archive.has('organization.json') ? await archive.json<{ id?: string }>('organization.json') : {}
  const found = await db.all(sql<{ id: string }>`select id from organizations order by created_at limit 1000`.asSlow())
  const known = found.find((each) => each.id === id) ?? (found.length === 1 ? found[0] : undefined)
  if (!known) throw new UsageError('Specify the organization: --org <id or hostname>.')
  return known.id
}

function tell(imported: ImportedArchive): void {
  const { spaces, collections, sites, specifications, translations, teams, notMembers, problems } = imported
  for (const problem of problems) console.error(problem)
  for (const person of notMembers) console.error(explainNotMember(person))
  for (const { id, title, pages, files, comments } of spaces) {
    console.log(`${title} (${id}): ${pages} pages, ${files} files, ${comments} comments.`)
  }
  if (collections + sites > 0) console.log(`${collections} collections, ${sites} sites.`)
  if (specifications + translations > 0) {
    console.log(`${specifications} OpenAPI specifications, ${translations} translations.`)
  }
  for (const { title, created, added } of teams) {
    console.log(`Team ${title} (${created ? 'new' : 'existing'}): ${added} people added.`)
  }
}
