// Decides which Node runs the program. This is the only place that does. `npm ci` installs a pinned Node, which npm's
// own scripts find first on their PATH. When called with an older Node (plain `node bin/lectern.js`), we hand over to
// the pinned one. Plain JavaScript for Node 20: this file must parse before any TypeScript can.
import { spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const oldestNode = 24

export async function run(entry) {
  const file = fileURLToPath(new URL(`../${entry}`, import.meta.url))
  if (Number(process.versions.node.split('.')[0]) >= oldestNode) {
    refuseBeforeInstall()
    if (process.argv[2] === 'serve') endWhileLoading()
    haveHome()
    reuseCompiled()
    await import('./imports.js')
    await import(pathToFileURL(file).href)
    return
  }
  handOver(findPinnedNode(), file)
}

function refuseBeforeInstall() {
  if (existsSync(new URL('../node_modules', import.meta.url))) return
  console.error('Run "npm ci" here first: it brings along what Lectern needs.')
  process.exit(1)
}

/**
 * A server that is told to stop while it is still being loaded has nothing to finish, and was not killed. Once it is
 * loaded, it replaces this with its own way to stop.
 */
function endWhileLoading() {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => process.exit(0))
}

/**
 * Keeps compiled code for the next start, which halves its time. Uses only a folder that nobody else can write to,
 * since other users could otherwise place code there that we would run. NODE_COMPILE_CACHE sets another folder.
 */
function reuseCompiled() {
  const user = process.getuid?.()
  const folder = join(tmpdir(), `lectern-compiled-${user ?? 'all'}`)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    // The folder already exists or cannot be created. The check below finds out which.
  }
  const found = lstatSync(folder, { throwIfNoEntry: false })
  const isOurs = user === undefined || (found?.uid === user && (found.mode & 0o022) === 0)
  if (found?.isDirectory() && isOurs) module.enableCompileCache?.(folder)
}

/**
 * Accounts that exist only as a number, as in some containers, have no home folder unless the environment names one.
 * The package that runs our jobs asks for it while it is loaded, and would fail.
 */
function haveHome() {
  try {
    homedir()
  } catch {
    process.env.HOME = '/'
  }
}

function findPinnedNode() {
  const { platform, arch } = process
  const os = platform === 'win32' ? 'win' : platform
  for (const name of [`node-${os}-${arch}`, `node-bin-${os}-${arch}`]) {
    const binary = new URL(`../node_modules/${name}/bin/node${platform === 'win32' ? '.exe' : ''}`, import.meta.url)
    if (existsSync(binary)) return fileURLToPath(binary)
  }
  console.error(
    `Lectern needs Node ${oldestNode} or newer and found ${process.version}. Run "npm ci" here: it brings the right Node along.`,
  )
  process.exit(1)
}

function handOver(node, file) {
  const args = process.argv.slice(2)
  const runner = fileURLToPath(new URL('run.js', import.meta.url))
  const entry = file.slice(fileURLToPath(new URL('..', import.meta.url)).length)
  // Nothing is sent over the IPC channel. Its existence shows a server that this process sits between it and its
  // starter.
  const child = spawn(node, [runner, entry, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', ({ code }) => {
    console.error(
      `The Node that "npm ci" brought along does not run here (${code}). Install Node ${oldestNode} or newer, and run ` +
        `"node bin/lectern.js serve" with it.`,
    )
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    // Ends with the same signal as the child, so that a service manager recognizes a stop that it asked for.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
