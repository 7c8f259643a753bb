import { after } from 'node:test'
import type { TestApp } from '../../../test/app.ts'
import { Browser } from '../../../test/visitor.ts'
import { makeApp } from '../../app.ts'
import { Database } from '../../db/connect.ts'
import { openStore } from '../../storage/open.ts'

/** Starts another server on the same database and store. */
export async function anotherNode({ app, databaseUrl, config }: TestApp) {
  const db = new Database({ connectionString: databaseUrl }, config.limits)
  const node = await makeApp({ config, db, secrets: app.secrets, store: openStore(config) })
  node.health.ready = true
  const url = await node.listen({ port: 0, host: '127.0.0.1' })
  after(async () => {
    await node.close()
    await db.close()
  })
  return { app: node, db, browser: new Browser(url) }
}
