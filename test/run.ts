// npm test: all but the long tests. npm run test:long: the long ones, *.long.test.ts. npm test <files>: these files.
// Starts a PostgreSQL for the tests (the embedded one, or DATABASE_URL), creates a migrated template database that
// every test file clones, then runs Node's test runner over the files, several to a process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startEmbedded } from '../src/db/embedded.ts'
import { makeTemplate, urlOf } from './database.ts'

/**
 * The files that take longest start first, so that they do not run alone at the end. Loading the server takes longer
 * than the tests of many files, so files share a process. Files that start programs have a process of their own: a
 * small process starts programs faster.
 */
const longest = [
  ['test/crash.test.ts'],
  ['test/matrix/*.test.ts'],
  ['test/fuzz/*.test.ts'],
  ['test/safety*.test.ts'],
  ['test/{serve,commands}.long.test.ts'],
  ['src/fetch/outgoing.long.test.ts'],
  ['test/browser/{reading,orientation,account}.long.test.ts'],
  ['test/browser/!(*.long).test.ts'],
  ['src/**/crash.long.test.ts', 'test/embedded.long.test.ts', 'src/exports/commands.long.test.ts'],
  ['src/git/**/!(crash).long.test.ts'],
]
// One more than there are cores, because some of them wait for a database or browser. Each takes up to 2 GiB.
const atOnce = Math.max(3, Math.min(8, availableParallelism() + 1, Math.floor(totalmem() / 2 ** 31)))
const ahead = ['../bin/imports.js', './scopes.ts'].map((file) => `--import=${new URL(file, import.meta.url).href}`)
const named = process.argv.slice(2)
const files =
  named.length === 0 ? filesThat((file) => !isLong(file)) : named[0] === '--long' ? filesThat(isLong) : named
const folder = await mkdtemp(join(roomInMemory() ?? tmpdir(), 'lectern-test-'))
// Some tests start processes of other users, which have folders of their own in this one.
await chmod(folder, 0o711)
// Processes reuse what another one has compiled. The server is compiled before the first ones start.
const compiled = join(folder, 'compiled')
const compiling = compileServer()
const embedded = process.env.DATABASE_URL ? undefined : await startForTests()
const url = process.env.DATABASE_URL ?? urlOf(embedded!.connection)

let exitCode = 1
try {
  const [template] = await Promise.all([makeTemplate(url), compiling])
  exitCode = await runTests(template.name)
  await template.drop()
} finally {
  await embedded?.leave()
  // Tests that were stopped may still be exiting.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
process.exit(exitCode)

/** Tests create and delete some hundred thousand files. In memory, that takes a tenth less time than on a disk. */
function roomInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    // Some tests start programs from there, which many containers forbid.
    const isBarred = /^\S+ \/dev\/shm \S+ \S*\bnoexec\b/m.test(readFileSync('/proc/mounts', 'utf8'))
    return bavail * bsize > 4 * 2 ** 30 && !isBarred ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}

function startForTests() {
  // Nothing here has to survive a power cut.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    max_connections: '200',
  }
  return startEmbedded({ dataFolder: folder, settings })
}

async function compileServer(): Promise<void> {
  const server = pathToFileURL(resolve('test/app.ts')).href
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled }
  const child = spawn(process.execPath, ['--input-type=module', '-e', `import '${server}'`], { env, stdio: 'inherit' })
  await once(child, 'exit')
}

function runTests(template: string): Promise<number> {
  const chosen = files.length === 1 ? files : inProcesses(files)
  const child = spawn(
    process.execPath,
    [...ahead, '--test', `--test-concurrency=${atOnce}`, '--test-timeout=300000', ...chosen],
    {
      stdio: 'inherit',
      // A process group of its own, so that stopping the tests stops everything that they started.
      detached: true,
      env: {
        ...process.env,
        TMPDIR: folder,
        TEST_CACHE: tmpdir(),
        TEST_SERVER: url,
        TEST_TEMPLATE: template,
        NODE_COMPILE_CACHE: compiled,
      },
    },
  )
  const stop = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

function filesThat(belong: (file: string) => boolean): string[] {
  return globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter(belong).toSorted()
}

function isLong(file: string): boolean {
  return file.endsWith('.long.test.ts')
}

/** The runner takes files in the order of their names, so each process gets a file whose name determines its turn. */
function inProcesses(chosen: string[]): string[] {
  const first = longest.map((patterns) => patterns.flatMap((pattern) => globSync(pattern).toSorted()))
  const others = chosen.filter((file) => !first.flat().includes(file))
  const wanted = first.map((group) => group.filter((file) => chosen.includes(file))).filter(({ length }) => length > 0)
  return [...wanted, ...fewerAndFewer(others)].map((group, at) => {
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
 * Files that share a process run one after the other, each in a suite of its own, whose end stops everything that the
 * file started. The first groups are large, so that the server is seldom loaded. The last ones are small, so that all
 * processes end at about the same time.
 */
function fewerAndFewer(files: string[], least = 4): string[][] {
  const most = Math.max(least, Math.ceil(files.length / (2 * atOnce)))
  return files.length === 0 ? [] : [files.slice(0, most), ...fewerAndFewer(files.slice(most), least)]
}
