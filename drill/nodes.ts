import { startEmbedded } from '../src/db/embedded.ts'
import { urlOf } from '../test/database.ts'
import { type Environment, type Lectern, killDatabaseWhenOver, startLectern } from './lectern.ts'
import { temporaryFolder, whenOver } from './leftovers.ts'

export interface Nodes {
  folder: string
  databaseUrl: string
  nodes: Lectern[]
  start: (environment?: Environment) => Promise<Lectern>
}

/** Several servers on one database and one folder of files. */
export async function startNodes(count: number, environment: Environment = {}): Promise<Nodes> {
  const folder = await temporaryFolder()
  killDatabaseWhenOver(folder)
  const database = await startEmbedded({ dataFolder: folder, settings: { max_connections: '100' } })
  whenOver(() => database.leave())
  return startOn(count, urlOf(database.connection), folder, environment)
}

export async function startOn(
  count: number,
  databaseUrl: string,
  folder: string,
  environment: Environment = {},
): Promise<Nodes> {
  const secret = 'a secret for drills that is long enough'
  const shared = { DATABASE_URL: databaseUrl, LECTERN_DATA: folder, LECTERN_SECRET: secret, ...environment }
  const start = (more: Environment = {}) => startLectern({ ...shared, ...more })
  const nodes: Lectern[] = []
  for (let i = 0; i < count; i++) nodes.push(await start())
  return { folder, databaseUrl, nodes, start }
}
