import { readOptions } from './arguments.ts'
import type { Command } from './command.ts'
import { openInstance, prepare } from './open.ts'

export const migrateCommand: Command = {
  help: `lectern migrate [--json]
    Applies all pending migrations, or none, and prints which. Older versions of Lectern cannot use the database afterwards.`,

  async run(args, _open, config) {
    const { json } = readOptions(args, { json: 'flag' })
    const instance = await openInstance(config, 'visitor')
    try {
      const { migrations, tokenFile } = await prepare(instance, false)
      if (json) console.log(JSON.stringify({ applied: migrations }))
      else
        console.log(
          migrations.length > 0 ? `Applied ${migrations.join(', ')}.` : 'Nothing to do: the database is up to date.',
        )
      if (tokenFile) console.error(`This was a first start: the administrator's API token is in ${tokenFile}`)
    } finally {
      await instance.close()
    }
  },
}
