import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backUp } from '../exports/backup.ts'
import { readOptions, required } from './arguments.ts'
import type { Command } from './command.ts'
import { showProgress } from './progress.ts'
import { writeNewFile } from './write-file.ts'

export const backupCommand: Command = {
  help: `lectern backup --to <folder or file.zip> [--without-secret] [--json]
    Everything as it is in one moment: the database, the embedded one too, and all files. The server may go on meanwhile.
    The secret comes along where it is kept in the data folder: keep the backup as safe as that, or leave it out. A
    secret in LECTERN_SECRET is never in it. "lectern restore" puts a backup back.`,

  async run(args, open, config) {
    const options = readOptions(args, { to: 'text', 'without-secret': 'flag', json: 'flag' })
    const path = await fileAt(required(options.to, 'to'))
    const { connection, store, secrets } = await open()
    const isKept = config.secret === undefined && !options['without-secret']
    const secret = isKept ? (await readFile(join(config.dataFolder, 'secret'), 'utf8')).trim() : undefined
    const progress = showProgress('Backing up')
    let count = 0
    const step = (files: number, bytes: number) => {
      count = files
      progress.step(files, bytes)
    }
    await writeNewFile(path, backUp({ connection, store, secretFingerprint: secrets.fingerprint, secret }, step))
    progress.done()
    const { size } = await stat(path)
    if (options.json) return console.log(JSON.stringify({ path, files: count, bytes: size, secret: isKept }))
    console.log(`${count} files in ${path}, ${size} bytes.`)
    console.log(
      isKept
        ? 'The secret is in it: keep it safe.'
        : 'The secret is not in it: keep that too, or it cannot be restored.',
    )
  },
}

/** In a folder, a file is named by the time. */
async function fileAt(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) return path
  return join(path, `lectern-${new Date().toISOString().replace(/[:.]/g, '-')}.zip`)
}
