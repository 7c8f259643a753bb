import { describeApp, makeApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import type { ApiDescription } from '../src/http/spec.ts'
import { openStore } from '../src/storage/open.ts'
import { Secrets } from '../src/secrets.ts'

export const openApiFile = new URL('../openapi.json', import.meta.url)

/** Returns the OpenAPI document of the current routes. It needs no database: the one created here is never queried. */
export async function describeRoutes(): Promise<ApiDescription> {
  const config = readConfig({ LECTERN_LOG: 'silent' })
  const db = new Database({}, config.limits)
  const app = await makeApp({ config, db, secrets: new Secrets('nothing is signed here'), store: openStore(config) })
  await app.ready()
  const description = describeApp(app)
  await app.close()
  await db.close()
  return description
}
