// npm test [files]: a PostgreSQL for the tests (the embedded one, or DATABASE_URL), a migrated template database that
// every test file clones, then Node's test runner over all *.test.ts files, several to a process.
import { spawn } from 'node:child_process'
import { globSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startEmbedded } from '../src/db/embedded.ts'
import { makeTemplate } from './database.ts'

/** What takes long has a process of its own and begins at once, so that it does not run alone in the end. */
const long = [
  'test/crash.test.ts',
  'test/safety.test.ts',
  'src/fetch/outgoing.test.ts',
  'test/embedded.test.ts',
  'test/fuzz/*.test.ts',
  'test/matrix/*.test.ts',
  'test/reading.test.ts',
  'test/{account,commands,concurrency,serve,single-sign-on}.test.ts',
  'src/content/{hostile,properties}.test.ts',
]
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
  const chosen = files.length > 0 ? files : everything()
  const child = spawn(process.execPath, ['--test', '--test-concurrency=3', '--test-timeout=120000', ...chosen], {
    stdio: 'inherit',
    // What the first process compiled, the others take over.
    env: { ...process.env, TEST_SERVER: url, TEST_TEMPLATE: template, NODE_COMPILE_CACHE: join(folder, 'compiled') },
  })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

/** The runner takes files in the order of their names: each process gets one that says when its turn is. */
function everything(): string[] {
  const alone = long.flatMap((files) => globSync(files).toSorted())
  const others = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter((file) => !alone.includes(file))
  return [...alone.map((file) => [file]), ...together(others.toSorted())].map((group, at) => {
    const addresses = group.map((file) => [file, pathToFileURL(resolve(file)).href])
    const path = join(folder, `${String(at).padStart(3, '0')}.test.mjs`)
    writeFileSync(
      path,
      `import { describe } from 'node:test'
for (const [file, address] of ${JSON.stringify(addresses)}) await describe(file, () => import(address))
`,
    )
    return path
  })
}

/**
 * Loading the server takes longer than many a file's tests, so files share a process: one after the other, each in a
 * suite of its own, whose end stops what the file started.
 */
function together(files: string[], most = 8): string[][] {
  return Array.from({ length: Math.ceil(files.length / most) }, (_, at) => files.slice(at * most, (at + 1) * most))
}
