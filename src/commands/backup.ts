import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Explained, reasonOf } from '../explained.ts'
import { backUp } from '../exports/backup/backup.ts'
import { readOptions, required } from './arguments.ts'
import type { Command } from './command.ts'
import { showProgress } from './progress.ts'
import { writeNewFile } from './write-file.ts'

export const backupCommand: Command = {
  help: `lectern backup --to <folder or file.zip> [--without-secret] [--json]
    Backs up the database (also the embedded one) and all files, as of a single moment. The server can keep running.
    If the target is a folder, it is created if necessary, and the file is named after the time.
    The secret is included if it is kept in the data folder: keep the backup as safe as the secret, or exclude it with
    --without-secret. A secret in LECTERN_SECRET is never included. "lectern restore" restores a backup.
    Exits with 1 if the bytes of some files were already missing or damaged: everything else is in the backup.`,
  needsInstallation: true,

  async run(args, open, config) {
    const options = readOptions(args, { to: 'text', 'without-secret': 'flag', json: 'flag' })
    const to = required(options.to, 'to')
    const { connection, store, secrets } = await open()
    const path = await fileAt(to)
    const isKept = config.secret === undefined && !options['without-secret']
    const secret = isKept ? (await readFile(join(config.dataFolder, 'secret'), 'utf8')).trim() : undefined
    const progress = showProgress('Backing up')
    let count = 0
    const step = (files: number, bytes: number) => {
      count = files
      progress.step(files, bytes)
    }
    const missing: string[] = []
    const onMissing = (file: string) => void missing.push(file)
    const context = { connection, store, secretFingerprint: secrets.fingerprint, secret, onMissing }
    await writeNewFile(path, backUp(context, step))
    progress.done()
    const { size } = await stat(path)
    if (missing.length > 0) process.exitCode = 1
    if (options.json) return console.log(JSON.stringify({ path, files: count, bytes: size, secret: isKept, missing }))
    console.log(`${count} files in ${path}, ${size} bytes.`)
    console.log(
      isKept
        ? 'It contains the secret: keep it safe.'
        : 'It does not contain the secret: keep that as well, or the backup cannot be restored.',
    )
    if (missing.length > 0) console.error(missingText(missing))
  },
}

/** People would hardly read more names than this. */
const mostNamed = 10

function missingText(missing: readonly string[]): string {
  const some = missing.slice(0, mostNamed).map((file) => `    ${file}`)
  const more = missing.length > some.length ? ['    and others'] : []
  const head = `✗ The bytes of ${missing.length} files were missing or damaged already. An earlier backup may still have them:`
  return [head, ...some, ...more].join('\n')
}

/**
 * A path that does not exist names the file only if it ends in .zip. A file with the name of the intended folder would
 * be in the way of the next backup.
 */
async function fileAt(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (found ? !found.isDirectory() : /\.zip$/i.test(path)) return path
  if (!found) {
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      throw new Explained(`The folder ${path} cannot be created: ${reasonOf(error)}.`, { cause: error })
    })
  }
  return join(path, `lectern-${new Date().toISOString().replace(/[:.]/g, '-')}.zip`)
}
