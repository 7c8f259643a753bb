// npm test [files]: a PostgreSQL for the tests (the embedded one, or DATABASE_URL), a migrated template database that
// every test file clones, then Node's test runner over all *.test.ts files.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../src/db/embedded.ts'
import { makeTemplate } from './database.ts'

const files = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'lectern-test-'))
const embedded = process.env.DATABASE_URL ? undefined : await startForTests()
const url = process.env.DATABASE_URL ?? urlOf(embedded!.connection)

let exitCode = 1
try {
  const template = await makeTemplate(url)
  exitCode = await runTests(template.name)
  await template.drop()
} finally {
  await embedded?.leave()
  await rm(folder, { recursive: true, force: true })
}
process.exit(exitCode)

function startForTests() {
  // Nothing here has to survive a power cut.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
  return startEmbedded({ dataFolder: folder, settings })
}

function urlOf({ host, port, user, database }: { host: string; port: number; user: string; database: string }) {
  return `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

function runTests(template: string): Promise<number> {
  const chosen = files.length > 0 ? files : longestFirst(globSync(['src/**/*.test.ts', 'test/**/*.test.ts']))
  const child = spawn(process.execPath, ['--test', '--test-concurrency=2', '--test-timeout=120000', ...chosen], {
    stdio: 'inherit',
    // Every file is a process of its own: what the first of them compiled, the others take over.
    env: { ...process.env, TEST_SERVER: url, TEST_TEMPLATE: template, NODE_COMPILE_CACHE: join(folder, 'compiled') },
  })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

/** What takes long begins at once, so that it does not run alone in the end. */
function longestFirst(found: string[]): string[] {
  const long = ['test/embedded.test.ts', 'test/serve.test.ts', 'test/commands.test.ts', 'src/content/hostile.test.ts']
  return [...long, ...found.toSorted().filter((file) => !long.includes(file))]
}
