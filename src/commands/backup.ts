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
    Everything as it is in one moment: the database, the embedded one too, and all files. The server may go on meanwhile.
    In a folder, which is made where there is none, the file is named by the time.
    The secret comes along where it is kept in the data folder: keep the backup as safe as that, or leave it out. A
    secret in LECTERN_SECRET is never in it. "lectern restore" puts a backup back. Exit code 1 where bytes of some files
    were missing or damaged already: all else is in it.`,
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
        ? 'The secret is in it: keep it safe.'
        : 'The secret is not in it: keep that too, or it cannot be restored.',
    )
    if (missing.length > 0) console.error(missingText(missing))
  },
}

/** More than a person would read. */
const mostNamed = 10

function missingText(missing: readonly string[]): string {
  const some = missing.slice(0, mostNamed).map((file) => `    ${file}`)
  const more = missing.length > some.length ? ['    and others'] : []
  const head = `✗ The bytes of ${missing.length} files were missing or damaged already. An earlier backup may still have them:`
  return [head, ...some, ...more].join('\n')
}

/** Only what ends in .zip names the file. A file called like the folder that is meant would be in the way of the next one. */
async function fileAt(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (found ? !found.isDirectory() : /\.zip$/i.test(path)) return path
  if (!found) {
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      throw new Explained(`The folder ${path} cannot be made: ${reasonOf(error)}.`, { cause: error })
    })
  }
  return join(path, `lectern-${new Date().toISOString().replace(/[:.]/g, '-')}.zip`)
}
