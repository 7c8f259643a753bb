import { stat } from 'node:fs/promises'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { keepCompiled } from '../apart.ts'
import { makeApp } from '../app.ts'
import type { Config } from '../config.ts'
import { DatabaseUnavailable } from '../db/connect.ts'
import { Explained } from '../explained.ts'
import { armFailpoint } from '../failpoints.ts'
import type { App } from '../http/routes.ts'
import type { FirstStart } from '../instance.ts'
import type { Worker } from '../jobs/worker.ts'
import { StoreUnavailable } from '../storage/store.ts'
import { version } from '../version.ts'
import { leaveAddress } from './address.ts'
import { readOptions } from './arguments.ts'
import type { Command } from './command.ts'
import { type Instance, type Prepared, openInstance, prepare } from './open.ts'

export const serveCommand: Command = {
  help: 'lectern serve\n    Runs until it is stopped (Ctrl-C, SIGTERM). docs/self-hosting.md lists the settings.',
  endsByItself: true,
  run: (args, _open, config) => {
    readOptions(args, {})
    return serve(config)
  },
}

/** A stop takes at most 5 seconds: four for requests in progress, and one for the rest, which consists of two steps. */
const drainMs = 4_000
const restMs = 500
const retryMs = 500
const watchMs = 1_000
const onceMs = 500

/**
 * Runs the server until it is stopped. It listens first and prepares the database afterwards, so that while a database
 * is unavailable, now or later, the server answers 503 and waits instead of exiting.
 */
async function serve(config: Config): Promise<void> {
  armFailpoint(config.failpoint)
  await refuseMissingFonts(config)
  for (const name of config.unknown) {
    console.log(`${name} is not a setting of Lectern and has no effect. docs/self-hosting.md lists all settings.`)
  }
  const stopped = stopSignal(config)
  // Loading does not yield, so a signal that came meanwhile is noticed only now.
  await setImmediate()
  if (stopped.requested) return
  const instance = await openInstance(config, 'server', console.log)
  const app = await makeApp(instance)
  try {
    await listen(app, config)
    const prepared = await untilPrepared(instance, app, stopped)
    if (prepared) await runUntilStopped(instance, app, prepared, stopped)
  } finally {
    await orLater(app.close())
    const closed = instance.close()
    // The embedded database is stopped, however long that takes. An external one may not answer, so the wait for it is
    // short.
    await (instance.embedded ? closed : orLater(closed))
  }
  // Pending work that waits for an outside system would keep the process alive. It is repeated elsewhere, or later.
  process.exit()
}

async function runUntilStopped(instance: Instance, app: App, prepared: Prepared, stopped: StopSignal): Promise<void> {
  app.health.ready = true
  await leaveAddress(instance.config, app.url)
  console.log(welcome(app, instance.config, prepared))
  keepCompiled()

  // Loaded only here: nobody waits for jobs.
  const { startWorker } = await import('../jobs/worker.ts')
  const worker = startWorker(instance.connection, { ...instance, log: app.log })
  app.webhooks.start()
  app.mail.start()
  app.following.start()
  const watch = watchEmbedded(instance, app)
  await stopped.promise
  clearInterval(watch)
  await drain(app, worker)
}

async function orLater(closing: Promise<unknown>): Promise<void> {
  const closed = new AbortController()
  const later = sleep(restMs, undefined, { signal: closed.signal }).catch(() => {})
  await Promise.race([closing, later]).finally(() => closed.abort())
}

async function refuseMissingFonts({ fontFolder }: Config): Promise<void> {
  if (fontFolder === undefined || (await stat(fontFolder).catch(() => undefined))?.isDirectory()) return
  throw new Explained(`LECTERN_FONTS must be a folder, but there is none at ${fontFolder}.`)
}

interface StopSignal {
  promise: Promise<void>
  requested: boolean
}

function stopSignal({ isRunByNpm }: Config): StopSignal {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stopped: StopSignal = { promise, requested: false }
  const stop = () => {
    stopped.requested = true
    resolve()
  }
  let askedAt = Number.POSITIVE_INFINITY
  const onSignal = () => {
    // A second request exits immediately: the database is safe whenever the process ends. A terminal signals all of its
    // processes, and the process that started us forwards the signal: both count as one request.
    if (performance.now() - askedAt > onceMs) process.exit(1)
    askedAt = Math.min(askedAt, performance.now())
    stop()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const whileLoading = process.listeners(signal)
    // First the new one: a signal that comes while there is none ends the process at once.
    process.on(signal, onSignal)
    for (const listener of whileLoading) process.off(signal, listener)
  }
  if (isRunByNpm || process.connected) void parentGone().then(stop)
  return stopped
}

/**
 * Resolves when the parent process is gone. npm forwards a signal to its shell, and not every shell passes it on: the
 * shell ends, and this process would be left behind. The same happens if an older Node started this process and is
 * killed: nobody could start a server again while this one holds its port.
 */
async function parentGone(): Promise<void> {
  const parent = process.ppid
  while (process.ppid === parent) await sleep(watchMs, undefined, { ref: false })
}

async function listen(app: App, { host, port, url }: Config): Promise<void> {
  const address = await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new Explained(`Port ${port} is in use. Set PORT to another one.`)
    if (error.code === 'EACCES')
      throw new Explained(`Port ${port} requires privileges that this user does not have. Set PORT to another one.`)
    if (error.syscall === undefined) throw error
    throw new Explained(`HOST must be an address or a name of this machine, but is "${host}" (${error.code}).`)
  })
  // The IPv6 address for all interfaces cannot be opened, though the server reports it.
  if (!url) app.url = address.replace('//[::]:', '//[::1]:')
}

async function untilPrepared(instance: Instance, app: App, stopped: StopSignal): Promise<Prepared | undefined> {
  const showsToken = process.stdout.isTTY
  for (let told = false; !stopped.requested; told = true) {
    try {
      // Another node may be migrating, which can take a while.
      return await Promise.race([prepare(instance, showsToken), stopped.promise.then(() => undefined)])
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable || error instanceof StoreUnavailable)) throw error
      if (!told) {
        // A wrong password looks like this, too, so the message is also shown to the person at the terminal.
        console.log(`${error.message}. Waiting for it.`)
        app.log.warn({ err: error }, 'the database or the file store is unavailable; waiting for it')
      }
      await Promise.race([sleep(retryMs), stopped.promise])
    }
  }
  return undefined
}

/** Restarts an embedded database that was killed; an external one comes back without our help. */
function watchEmbedded({ embedded }: Instance, app: App): NodeJS.Timeout | undefined {
  return (
    embedded &&
    setInterval(() => {
      embedded.ensureRunning().catch((error: unknown) => app.log.error({ err: error }, 'the database does not start'))
    }, watchMs)
  )
}

async function drain(app: App, worker: Worker): Promise<void> {
  const closing = Promise.all([app.close(), worker.stop()])
  await Promise.race([closing, sleep(drainMs, undefined, { ref: false })])
  app.server.closeAllConnections()
}

function welcome(app: App, config: Config, { first, tokenFile, signInCode }: Prepared): string {
  const lines = [
    `Lectern ${version} is ready.`,
    '',
    `  Open   ${app.url}/`,
    `  API    ${app.url}/v1/ (reference: ${app.url}/docs/api)`,
    `  Data   ${config.dataFolder}${config.databaseUrl ? ' (database: DATABASE_URL)' : ''}`,
  ]
  if (!config.url && isForOthers(config))
    lines.push('', 'LECTERN_URL is not set: links will point to this machine. Set it to the address that others use.')
  if (config.url?.startsWith('https:') && config.trustedProxies.length === 0)
    lines.push(
      '',
      'LECTERN_TRUSTED_PROXIES is not set: everybody behind your proxy shares the same rate limits. Set it to the address of the proxy.',
    )
  if (first) lines.push('', `First start: ${first.admin.email} is the administrator of "${config.organizationTitle}".`)
  if (first?.token && !tokenFile) lines.push(`Your API token, shown only once: ${first.token}`)
  if (tokenFile) lines.push(`Your API token is in ${tokenFile}`)
  if (first) lines.push(waysIn(app, first, signInCode))
  return `${lines.join('\n')}\n`
}

/**
 * Whether others use its address: directly, through a proxy, in mail from it, or when a sign-in provider sends them
 * back.
 */
const isForOthers = ({ host, trustedProxies, smtpUrl, oidc }: Config) =>
  !isLoopback(host) || trustedProxies.length > 0 || smtpUrl !== undefined || oidc !== undefined

const isLoopback = (host: string) => /^(localhost|127\..*|::1|\[::1\])$/.test(host)

/** There are no passwords, and there is nobody yet who could let the first person in. */
function waysIn(app: App, { admin: { email } }: FirstStart, code: string | undefined): string {
  const another = `npm run --silent lectern -- users sign-in-code --email ${email}`
  if (code === undefined) return `To sign in with a browser, create a code: ${another}`
  return [
    `Sign in with a browser: ${app.url}/login/code?email=${encodeURIComponent(email)}`,
    `Your code, valid for ten minutes: ${code} (for a new one: ${another})`,
  ].join('\n')
}
