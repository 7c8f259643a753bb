import { nobody } from '../db/transaction.ts'
import { importRepository } from '../git/import.ts'
import { openFolder } from '../git/folder.ts'
import { GitFailure } from '../git/repository.ts'
import { UsageError, readOptions, required } from './arguments.ts'
import { type Command, doneInPart } from './command.ts'
import { importArchiveFile } from './import-archive.ts'
import { showProgress } from './progress.ts'
import { syncedSpace } from './space.ts'

export const importCommand: Command = {
  help: `lectern import --space <id> --folder <path> [--force] [--json]
    Imports a folder in GitBook's format (with SUMMARY.md, .gitbook.yaml, .gitbook/assets and .gitbook/includes, all of
    them optional) into the space, as one revision. Pages that were imported before keep their ids, even if their files
    were moved or edited.
    If the space has its own edits since then, the import becomes a change request; --force overwrites the edits.

lectern import <file.zip> [--org <id or hostname>] [--json]
    Restores an archive of "lectern export --to" as new spaces, in the organization that it came from or the given one.
    OpenAPI specifications and translations of an organization are included; a specification that exists under the same
    name is kept. The settings of the organization itself are not changed.
    Teams are included, with those of their members who are members of the organization; ids are kept if they are free.
    Nobody becomes a member: people who are not members are listed with what they had, so that you can invite them.

Exit code 0: everything was imported. 2: imported, except for what is listed on standard error (with --json, in
"problems" and "notMembers"). 1: nothing was changed.`,
  needsInstallation: true,

  async run(args, open) {
    const at = archiveAt(args)
    if (at !== -1) return importArchiveFile(args[at]!, args.toSpliced(at, 1), open)
    const options = readOptions(args, { space: 'text', folder: 'text', force: 'flag', json: 'flag' })
    if (options.folder === undefined && options.space === undefined) {
      throw new UsageError(
        'Specify what to import: a folder (--space <id> --folder <path>) or an archive (<file.zip>).',
      )
    }
    const folder = required(options.folder, 'folder')
    const spaceId = required(options.space, 'space')
    const instance = await open()
    const space = await syncedSpace(instance, spaceId)
    const progress = showProgress('Importing')
    progress.say('reading the folder')
    const settings = { force: options.force, standalone: false, mayWriteMain: () => true, say: progress.say }
    const imported = await openFolder(folder)
      .then((repository) => importRepository(instance, space, repository, settings, nobody))
      .catch(explain)
      .finally(progress.done)

    if (imported.problems.length > 0) process.exitCode = doneInPart
    if (options.json) return console.log(JSON.stringify(imported))
    const { pages, files, reusableContents, changeRequest, changes, problems } = imported
    for (const { path, message } of problems) console.error(`${path}: ${message}`)
    console.log(`${pages} pages, ${files} files and ${reusableContents} reusable contents.`)
    if (changeRequest) console.log(`The space has its own edits: see change request #${changeRequest.number}.`)
    else console.log(changes === 0 ? 'Nothing has changed.' : `Created, changed or deleted: ${changes}.`)
  },
}

/** Returns the index of the archive: before the options, or after them. -1 if there is none. */
function archiveAt(args: readonly string[]): number {
  if (args[0]?.startsWith('-') === false) return 0
  if (args.some((each) => /^--(space|folder|force)(=|$)/.test(each))) return -1
  return args.findIndex((each, index) => !each.startsWith('-') && args[index - 1] !== '--org')
}

/** Rethrows errors that a person can act on as messages for the terminal. */
export function explain(error: unknown): never {
  throw error instanceof GitFailure ? new UsageError(error.message) : error
}
