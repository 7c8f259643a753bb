import { text } from 'node:stream/consumers'
import type { Config } from '../config.ts'
import { secretPath } from '../exports/backup/backup.ts'
import { Archive } from '../exports/open-archive.ts'
import { restoreInstance } from '../exports/backup/restore.ts'
import { refuseLostSecret } from '../instance.ts'
import { keepOnce } from '../storage/ours.ts'
import { readOptions, required } from './arguments.ts'
import type { Command } from './command.ts'
import { examine } from './doctor.ts'
import { openInstance } from './open.ts'
import { showProgress } from './progress.ts'

export const restoreCommand: Command = {
  help: `lectern restore --from <file.zip> [--json]
    Restores a backup into an empty data folder (LECTERN_DATA) and database. Backups of older versions are migrated.
    Needs the secret of the installation that was backed up: from the backup, from LECTERN_SECRET, or as the file
    "secret" in the data folder. Then checks the result like "lectern doctor". Exits with 1 if there are problems.`,

  // The installation is not opened as in other commands, since that would make a first start.
  async run(args, _open, config) {
    const options = readOptions(args, { from: 'text', json: 'flag' })
    const archive = await Archive.open(required(options.from, 'from'), 'instance')
    try {
      await takeSecret(config, archive)
      const instance = await openInstance(config, 'visitor')
      const progress = showProgress('Restoring', archive.paths().length)
      archive.onRead = progress.step
      try {
        const restored = await restoreInstance(instance, archive)
        progress.say('looking it over')
        const findings = await examine(instance)
        progress.done()
        const wrong = findings.filter(({ ok }) => !ok)
        if (wrong.length > 0) process.exitCode = 1
        if (options.json) return console.log(JSON.stringify({ ...restored, ok: wrong.length === 0, findings }))
        console.log(`${restored.rows} rows and ${restored.files} files.`)
        for (const path of restored.missing) console.error(`${path} was missing or damaged when the backup was made.`)
        for (const { check, detail } of wrong) console.error(`✗ ${check}: ${detail}`)
        if (wrong.length === 0) console.log('Everything is fine.')
      } finally {
        await instance.close()
      }
    } finally {
      archive.close()
    }
  },
}

/**
 * Takes the secret from the backup, unless the installation already has one: whether that is the right one is checked
 * later.
 */
async function takeSecret(config: Config, archive: Archive): Promise<void> {
  await refuseLostSecret(config)
  if (config.secret !== undefined || !archive.has(secretPath)) return
  const secret = await text(archive.read(secretPath))
  await keepOnce(config.dataFolder, 'secret', () => secret)
}
