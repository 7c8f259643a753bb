import { examine } from '../src/commands/doctor.ts'
import { type Instance, openInstance } from '../src/commands/open.ts'
import { readConfig } from '../src/config.ts'
import { ensure } from './drill.ts'
import type { Environment } from './lectern.ts'

/** Opens the database beside a running server, as the command line does. */
export async function withDatabase<Result>(
  folder: string,
  work: (instance: Instance) => Promise<Result>,
  environment: Environment = {},
): Promise<Result> {
  const instance = await openInstance(readConfig({ LECTERN_DATA: folder, ...environment }), 'visitor')
  try {
    return await work(instance)
  } finally {
    await instance.close()
  }
}

/**
 * Runs `lectern doctor`, which checks every promise about the data. The free space of this machine's disk does not
 * matter here.
 */
export async function examineFolder(folder: string, environment: Environment = {}): Promise<void> {
  const findings = await withDatabase(folder, (instance) => examine(instance), environment)
  const broken = findings.filter(({ ok, check }) => !ok && check !== 'The data folder has free space')
  ensure(broken.length === 0, `doctor: ${broken.map(({ check, detail }) => `${check}: ${detail}`).join('; ')}`)
}
