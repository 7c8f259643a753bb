import { UsageError } from './commands/arguments.ts'
import type { Command, OpenInstance } from './commands/command.ts'
import { endWhenInterrupted, isInterrupted } from './commands/interrupted.ts'
import { type Config, readConfig } from './config.ts'
import { Explained, isDiskFull } from './explained.ts'
import { version } from './version.ts'

/** Each command is loaded when it is called: `tokens list` needs no web server, and help needs none of them. */
const commands: Record<string, { summary: string; load: () => Promise<Command> }> = {
  serve: {
    summary: 'Run the server',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  migrate: {
    summary: 'Update the database schema (serve does this by itself)',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  users: {
    summary: 'Create and list accounts, create sign-in codes, appoint instance administrators',
    load: async () => (await import('./commands/users.ts')).users,
  },
  tokens: {
    summary: 'Create, list and revoke API tokens',
    load: async () => (await import('./commands/tokens.ts')).tokens,
  },
  import: {
    summary: 'Import a folder of Markdown files into a space, or restore an archive',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  export: {
    summary: 'Export a space to a folder of Markdown files, or a space or organization to an archive',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  backup: {
    summary: 'Back up the whole installation to one file',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  restore: {
    summary: 'Restore a backup into an empty installation',
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  doctor: {
    summary: 'Check the installation for problems',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
}

/** How users call this program. It is not on the PATH. */
const call = 'npm run --silent lectern --'

await main(process.argv.slice(2))

async function main([word = 'help', ...args]: string[]): Promise<void> {
  if (word === '--version' || word === 'version') return console.log(version)
  if (word === 'help' && args[0] !== undefined) return main([args[0], '--help'])
  if (word === 'help' || word === '--help' || word === '-h') return help()
  const known = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (!known) return fail(`There is no command "${word}". "${call} help" lists them.`)

  if (args.includes('--help') || args.includes('-h')) return console.log((await known.load()).help)
  try {
    // Reports a wrong setting at once, before a whole server is loaded.
    const config = readConfig()
    const command = await known.load()
    // A server keeps running when nobody reads its output any more.
    if (command.endsByItself) process.stdout.on('error', () => {})
    else endWhenInterrupted()
    await withInstance(config, command, (open) => command.run(args, open, config))
  } catch (error) {
    explain(error, word)
  }
}

/** Gives the command a function that opens the installation, and closes the installation afterwards. */
async function withInstance(
  config: Config,
  { needsInstallation = false }: Command,
  run: (open: () => Promise<OpenInstance>) => Promise<void>,
): Promise<void> {
  let opened: OpenInstance | undefined
  try {
    await run(async () => {
      const { openInstance, prepare, refuseEmptyFolder } = await import('./commands/open.ts')
      const { knownAddress } = await import('./commands/address.ts')
      if (needsInstallation) await refuseEmptyFolder(config)
      const instance = await openInstance(config, 'visitor', console.error)
      opened = { ...instance, url: await knownAddress(config) }
      await prepare(opened, false, !needsInstallation)
      return opened
    })
  } finally {
    await opened?.close()
  }
}

function help(): void {
  const lines = Object.entries(commands).map(([word, { summary }]) => `  ${word.padEnd(10)}${summary}`)
  console.log(
    `Lectern ${version}: documentation hosting that you run yourself.\n\n${lines.join('\n')}\n\n` +
      `"${call} <command> --help" shows more. Settings are environment variables: docs/self-hosting.md.`,
  )
}

/**
 * Prints only the message of an error that a user can act on. Any other error is a bug, and is printed with its stack.
 */
function explain(error: unknown, word: string): void {
  if (isInterrupted()) return
  if (error instanceof UsageError) return fail(`${error.message}\n"${call} ${word} --help" shows how to use it.`)
  if (error instanceof Explained) return fail(error.message)
  if (isMissing(error))
    return fail(`${error.message.split(' imported ')[0]}. Run "npm ci" here, as after every update.`)
  if (isDiskFull(error)) return fail(`A disk is full: ${error.message}. Make room there, and try again.`)
  if (isDatabaseFull(error))
    return fail(`The disk of the database is full: ${error.message}. Make room there, and try again.`)
  console.error(error)
  process.exitCode = 1
}

/** Whether a package is not installed. */
function isMissing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

function isDatabaseFull(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === '53100'
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
