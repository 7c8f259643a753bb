import { nobody } from '../db/transaction.ts'
import { exportSpace } from '../git/export.ts'
import { folderTarget } from '../git/export-folder.ts'
import { UsageError, readOptions, required } from './arguments.ts'
import type { Command } from './command.ts'
import { explain } from './import.ts'
import { exportArchive } from './export-archive.ts'
import { showProgress } from './progress.ts'
import { syncedSpace } from './space.ts'

export const exportCommand: Command = {
  help: `lectern export --space <id> --folder <path> [--force] [--json]
    Exports the main content of a space in GitBook's format: a file for each page, SUMMARY.md, .gitbook/assets and
    .gitbook/includes. Content that was imported from such a folder and not edited is written byte for byte as it was.
    Other files in the folder are left alone. If a file to be written was changed since it was last read or written here,
    nothing is written. --force writes anyway, even if imported changes are still waiting in a change request.

lectern export --space <id> | --org <id or hostname> --to <file.zip> [--json]
    Exports a space, or all spaces of an organization, to an archive: Markdown with its files, comments, settings and a
    manifest; for an organization also collections, sites, OpenAPI specifications, translations and teams. History,
    change requests and secrets are not included. "lectern import <file.zip>" restores the archive.`,
  needsInstallation: true,

  async run(args, open) {
    if (args.some((each) => /^--(to|org)(=|$)/.test(each))) return exportArchive(args, open)
    const options = readOptions(args, { space: 'text', folder: 'text', force: 'flag', json: 'flag' })
    if (options.folder === undefined) throw new UsageError('Specify the target: --folder <path> or --to <file.zip>.')
    const spaceId = required(options.space, 'space')
    const instance = await open()
    const space = await syncedSpace(instance, spaceId)
    const settings = { force: options.force, author: nobody }
    const progress = showProgress('Exporting')
    const exported = await exportSpace(instance, space, folderTarget(instance.db, options.folder, settings), {
      ...settings,
      say: progress.say,
    })
      .catch(explain)
      .finally(progress.done)

    if (options.json) return console.log(JSON.stringify(exported))
    const { files, written, removed } = exported
    console.log(`${files} files in ${options.folder}: ${written} written, ${removed} removed, the others unchanged.`)
  },
}
