import assert from 'node:assert/strict'
import { after } from 'node:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import type { App } from '../src/http/routes.ts'
import type { TaskContext } from '../src/jobs/task.ts'
import { openStore } from '../src/storage/open.ts'
import { Secrets } from '../src/secrets.ts'
import { Client } from './api-client.ts'
import { Canaries } from './canaries.ts'
import { cloneTemplate } from './database.ts'
import { ResponseCheck } from './response-check.ts'

export interface TestApp {
  app: App
  db: Database
  url: string
  databaseUrl: string
  config: Config
  canaries: Canaries
  /** The context that tasks run with. */
  context: TaskContext
  /** A client with this token, or an anonymous one if there is no token. */
  client(token?: string, sees?: string[]): Client
  stop(): Promise<void>
}

/** Starts a whole server with a database of its own for one test file. It is stopped when the file is done. */
export async function startApp(environment: Record<string, string> = {}): Promise<TestApp> {
  const app = await makeTestApp(environment)
  after(() => app.stop())
  return app
}

/** The same, for callers that stop the server themselves. */
export async function makeTestApp(environment: Record<string, string> = {}): Promise<TestApp> {
  const database = await cloneTemplate()
  const dataFolder = await mkdtemp(join(tmpdir(), 'lectern-app-'))
  const config = readConfig({
    LECTERN_URL: 'http://lectern.test',
    LECTERN_DATA: dataFolder,
    LECTERN_RATE_LIMIT: 'off',
    LECTERN_LOG: 'silent',
    // Tests send requests to no server but their own.
    LECTERN_EMBEDS: 'off',
    LECTERN_POOL_SIZE: '3',
    ...environment,
  })
  const db = new Database({ connectionString: database.url }, config.limits)
  const app = await makeApp({
    config,
    db,
    secrets: new Secrets('a secret for tests that is long enough'),
    store: openStore(config),
  })
  app.health.ready = true
  const answeredTwice = noteSecondAnswers(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })

  const canaries = new Canaries()
  const check = new ResponseCheck(app)
  const stop = async () => {
    await app.close()
    await db.close()
    await database.drop()
    await rm(dataFolder, { recursive: true, force: true })
    assert.deepEqual(answeredTwice, [], 'were answered, and then once more')
  }
  return {
    app,
    db,
    url,
    databaseUrl: database.url,
    config,
    canaries,
    context: { db, config, store: app.store, log: app.log },
    stop,
    client: (token, sees = []) => new Client({ url, token, check, canaries, sees: new Set(sees) }),
  }
}

/**
 * Records requests that are answered twice. Code that awaits a reply gets undefined, and may take that for a missing
 * answer. The second answer comes too late, and only causes a warning.
 */
function noteSecondAnswers(app: App): string[] {
  const found: string[] = []
  app.addHook('onRequest', async (request, reply) => {
    const send = reply.send.bind(reply)
    reply.send = (payload?: unknown) => {
      if (reply.sent) found.push(`${request.method} ${request.routeOptions.url}`)
      return send(payload)
    }
  })
  return found
}
