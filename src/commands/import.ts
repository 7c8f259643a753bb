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
    Reads a folder in GitBook's format (SUMMARY.md, .gitbook.yaml, .gitbook/assets and .gitbook/includes are
    understood; none of them is needed) and makes the space say the same, as one revision. Pages that were imported
    before keep their ids, though their files were moved or edited.
    Where the space has edits of its own since then, the folder comes as a change request; --force overwrites them.

lectern import <file.zip> [--org <id or hostname>] [--json]
    Restores what "lectern export --to" wrote: as new spaces of the organization it came from, or of the one named.
    OpenAPI specifications and translations of an organization come along; where there is a specification of the same
    name, that one stays. The settings of the organization itself stay as they are.
    Teams of an organization come along, with those of their members who are members there; ids stay where they are free.
    Nobody is made a member: whoever is not one is named, with what they had, so that they can be invited.

Exit code 0: all of it came. 2: it came, but for what is told on standard error (in "problems" and "notMembers" with
--json). 1: nothing was changed.`,
  needsInstallation: true,

  async run(args, open) {
    const at = archiveAt(args)
    if (at !== -1) return importArchiveFile(args[at]!, args.toSpliced(at, 1), open)
    const options = readOptions(args, { space: 'text', folder: 'text', force: 'flag', json: 'flag' })
    if (options.folder === undefined && options.space === undefined) {
      throw new UsageError('Say what to bring in: a folder (--space <id> --folder <path>) or an archive (<file.zip>).')
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
    if (changeRequest) console.log(`The space has edits of its own: look at change request #${changeRequest.number}.`)
    else console.log(changes === 0 ? 'Nothing had changed.' : `New, changed or gone: ${changes}.`)
  },
}

/** Where the archive stands: before its options, or behind them. */
function archiveAt(args: readonly string[]): number {
  if (args[0]?.startsWith('-') === false) return 0
  if (args.some((each) => /^--(space|folder|force)(=|$)/.test(each))) return -1
  return args.findIndex((each, index) => !each.startsWith('-') && args[index - 1] !== '--org')
}

/** What a person can act on. */
export function explain(error: unknown): never {
  throw error instanceof GitFailure ? new UsageError(error.message) : error
}
