// The short form of `npm run drill -- concurrency`: docs/drills.md.
import { after, test } from 'node:test'
import { runHistory } from '../drill/concurrency.ts'
import { cutAnywhere } from '../drill/cuts.ts'
import { Random } from '../drill/random.ts'
import { makeApp } from '../src/app.ts'
import { Database } from '../src/db/connect.ts'
import { openStore } from '../src/storage/open.ts'
import { startApp } from './app.ts'
import { anOrganization } from './factories.ts'

const seed = Number(process.env.TEST_SEED ?? 1)
const app = await startApp()
const org = await anOrganization(app)
const place = { db: app.db, token: org.admin.client.token!, organizationId: org.id }

async function aSecondNode(): Promise<string> {
  const { config, databaseUrl } = app
  const db = new Database({ connectionString: databaseUrl }, config.limits)
  const node = await makeApp({ config, db, secrets: app.app.secrets, store: openStore(config) })
  node.health.ready = true
  after(async () => {
    await node.close()
    await db.close()
  })
  return node.listen({ port: 0, host: '127.0.0.1' })
}

test(`the work of many clients of two nodes on one space is equivalent to some serial order (seed ${seed})`, async () => {
  await runHistory({ ...place, urls: [app.url, await aSecondNode()] }, new Random(seed), 240)
})

test('a request that is cut off at every 29th byte, or whose answer is, has exactly one effect when it is sent again', async () => {
  await cutAnywhere({ ...place, url: app.url }, 29)
})
