import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../src/db/sql.ts'
import { send } from './client.ts'
import { type StampedSite, type World, checkStamps, load, startUpstream } from './crash-load.ts'
import { type DrillOptions, Finding, ensure } from './drill.ts'
import { type Lectern, killDatabaseWhenOver, postmasterOf, startLectern } from './lectern.ts'
import { Ledger, compare } from './ledger.ts'
import { temporaryFolder } from './leftovers.ts'
import { examineFolder, withDatabase } from './look.ts'
import { childrenOf, commandOf } from './processes.ts'
import { Random } from './random.ts'
import { makeSpace, makeStampedSite, must, theOrganization } from './setting.ts'

/**
 * What is killed while clients write. `backend` is one connection process of the database, which makes the whole
 * database restart.
 */
const strikes = ['server', 'database', 'both', 'backend'] as const

const failpoints = [
  'merge.read',
  'merge.worked-out',
  'merge.written',
  'merge.followed',
  'merge.counted',
  'merge.committed',
  'update.written',
  'update.recorded',
  'editing.after-files',
  'editing.before-commit',
  'upload.received',
  'upload.before-commit',
  'upload.committed',
  'file.before-bytes',
  'publish.before-commit',
  'publish.committed',
  'unpublish.before-commit',
  'delete-site.before-commit',
  'import.written',
  'import.committed',
  'import.before-commit',
  'delete-space.before-commit',
  'delete-space.committed',
  'purge.entries-gone',
  'purge.rows-gone',
  'sweep.bytes-gone',
]

const rounds = 200
const longestReturnMs = 60_000
/** Long enough for a machine that is busy with other things. */
const passMs = 100_000
/** After this many rounds, everything written since the start is compared again. */
const lookBackEvery = 25

export async function crash({ seed, count = rounds, log }: DrillOptions): Promise<void> {
  const drill = await CrashDrill.begin(seed)
  const plan = Array.from({ length: count }, (_, i) =>
    i % 2 === 0 ? strikes[(i / 2) % strikes.length]! : failpoints[((i - 1) / 2 + seed) % failpoints.length]!,
  )
  for (const [i, what] of plan.entries()) {
    log(`round ${i + 1} of ${count}: ${await drill.round(what)}`)
    if ((i + 1) % lookBackEvery === 0) await drill.lookBack()
  }
  await drill.lookBack()
  log(drill.summary())
}

/** One installation that is killed again and again, and the ledgers of all answered writes. */
export class CrashDrill {
  readonly #folder: string
  readonly #random: Random
  readonly #upstream: string
  readonly #ledgers: Ledger[] = []
  #server: Lectern | undefined
  #organizationId = ''
  #stamped: StampedSite | undefined
  #names = 0
  #looks = 0
  #slowestStartMs = 0
  #slowestReturnMs = 0

  constructor(folder: string, seed: number, upstream: string) {
    this.#folder = folder
    this.#random = new Random(seed)
    this.#upstream = upstream
  }

  static async begin(seed: number): Promise<CrashDrill> {
    const folder = await temporaryFolder()
    killDatabaseWhenOver(folder)
    const drill = new CrashDrill(folder, seed, await startUpstream())
    await drill.#start()
    return drill
  }

  /** Strikes once under load, restarts on what is left, and checks everything. Returns a summary. */
  async round(what: string): Promise<string> {
    const isFailpoint = what.includes('.')
    const nth = isFailpoint ? this.#random.between(1, what.startsWith('purge') ? 2 : 3) : 0
    const point = what.startsWith('sweep') ? `${what}:1:kill` : `${what}:${nth}:kill`
    if (isFailpoint) {
      await this.#server?.kill()
      await this.#start(point)
    }
    const server = this.#server ?? (await this.#start())
    const world = await this.#newWorld(server)
    const ledger = new Ledger()
    this.#ledgers.push(ledger)
    const stop = new AbortController()
    const at = {
      url: server.url,
      random: this.#random.fork(),
      ledger,
      stop: stop.signal,
      name: () => `n${(this.#names += 1)}`,
    }
    const loading = load(at, world)
    // An error in a client ends the round at once, not only when `loading` is awaited.
    const failed = loading.then(
      () => new Promise<never>(() => {}),
      (error: unknown) => Promise.reject(error),
    )
    const struck = isFailpoint ? this.#untilPassed(server, what) : this.#strike(server, what, ledger)
    await Promise.race([struck, failed])
    stop.abort()
    this.#looks += await loading
    const unanswered = ledger.unanswered.length
    if (server.hasEnded) await this.#start()
    await this.#check(ledger)
    return `${isFailpoint ? point : what}: ${ledger.answered} writes answered, ${unanswered} of them only afterwards; all there`
  }

  async lookBack(): Promise<void> {
    await this.#finishJobs()
    for (const ledger of this.#ledgers) await compare(this.#server!.url, ledger)
    await examineFolder(this.#folder)
  }

  summary(): string {
    const answered = this.#ledgers.reduce((sum, ledger) => sum + ledger.answered, 0)
    return (
      `${this.#ledgers.length} rounds, ${answered} answered writes, 0 lost, 0 torn; ${this.#looks} looks at the site, ` +
      `0 mixed; slowest start ${Math.round(this.#slowestStartMs)} ms, slowest return after the database was killed ` +
      `${Math.round(this.#slowestReturnMs)} ms`
    )
  }

  async #start(failpoint?: string): Promise<Lectern> {
    const startedAt = performance.now()
    this.#server = await startLectern({
      LECTERN_DATA: this.#folder,
      LECTERN_FETCH_ALLOW: '127.0.0.1',
      LECTERN_LOG: 'info',
      ...(failpoint && { LECTERN_FAIL: failpoint }),
    })
    this.#slowestStartMs = Math.max(this.#slowestStartMs, performance.now() - startedAt)
    return this.#server
  }

  async #newWorld({ url }: Lectern): Promise<World> {
    this.#organizationId ||= await theOrganization(url)
    const organizationId = this.#organizationId
    this.#stamped ??= await makeStampedSite(url, organizationId)
    const [live, reviewed] = await Promise.all([
      makeSpace(url, organizationId, { editMode: 'live' }),
      makeSpace(url, organizationId, {}),
    ])
    return { organizationId, live, reviewed, stamped: this.#stamped, upstream: this.#upstream }
  }

  async #strike(server: Lectern, what: string, ledger: Ledger): Promise<void> {
    const enough = this.#random.between(10, 60)
    while (ledger.answered < enough && !server.hasEnded) await sleep(5)
    await sleep(this.#random.between(0, 30))
    const postmaster = postmasterOf(this.#folder)
    ensure(postmaster !== undefined, 'The database is not there to be killed')
    if (what === 'backend') process.kill(this.#random.of(backendsOf(postmaster)), 'SIGKILL')
    if (what === 'database' || what === 'both') process.kill(postmaster, 'SIGKILL')
    if (what === 'server' || what === 'both') return server.kill()
    const startedAt = performance.now()
    await sleep(100)
    await untilHealthy(server)
    this.#slowestReturnMs = Math.max(this.#slowestReturnMs, performance.now() - startedAt)
    await sleep(this.#random.between(50, 300))
  }

  /** Waits until the failpoint kills the server. A failpoint that the load never passes would prove nothing. */
  async #untilPassed(server: Lectern, point: string): Promise<void> {
    if (/^(purge|sweep|import\.before)/.test(point)) await this.#push(point)
    const limit = sleep(passMs, 'never' as const, { ref: false })
    const outcome = await Promise.race([server.ended(), limit])
    ensure(outcome !== 'never', `The failpoint ${point} was not passed within ${passMs / 1000} s`)
  }

  /** Triggers work that otherwise happens only after days, or outside of requests. */
  async #push(point: string): Promise<void> {
    const { url } = this.#server!
    const deleted = point.startsWith('purge') ? await deleteSpaces(url, this.#organizationId, 2) : []
    await withDatabase(this.#folder, async ({ db }) => {
      if (point.startsWith('purge')) {
        // Only these spaces: clients may want to restore theirs.
        await db.run(sql`update spaces set deleted_at = now() - interval '8 days' where id = any (${deleted}::uuid[])`)
      } else if (point.startsWith('sweep')) {
        // Leaves out recent ones, which a client may be about to use.
        const isLeft = sql`created_at < now() - interval '2 minutes'`
        await db.run(sql`update uploads set created_at = now() - interval '3 days' where ${isLeft}`)
        await db.run(sql`update blobs set created_at = now() - interval '3 days' where ${isLeft}`)
        await db.run(sql`
          insert into blobs (organization_id, hash, size, content_type, created_at)
          select id, repeat('ab', 32), 1, 'text/plain', now() - interval '3 days' from organizations on conflict do nothing`)
      } else {
        await startImportRun(url, this.#organizationId)
      }
      const task = point.startsWith('purge') ? 'purge-spaces' : 'sweep-files'
      if (!point.startsWith('import')) await db.run(sql`select graphile_worker.add_job(${task})`)
    })
  }

  async #finishJobs(): Promise<void> {
    await withDatabase(this.#folder, async ({ db }) => {
      await db.run(sql`update import_runs set due_at = now() where status = 'in-progress'`)
      for (const task of ['purge-spaces', 'sweep-files', 'import-runs'])
        await db.run(sql`select graphile_worker.add_job(${task})`)
      const deadline = performance.now() + 60_000
      const pending = () =>
        db.one(sql<{ count: number }>`
          select (select count(*) from graphile_worker.jobs where task_identifier <> 'index-search' and attempts = 0)
            + (select count(*) from import_runs where status in ('pending', 'in-progress'))
            + (select count(*) from spaces where deleted_at < now() - interval '7 days') as count`)
      while ((await pending()).count > 0) {
        if (performance.now() > deadline) throw new Finding('Jobs that a crash left behind are not done after a minute')
        await sleep(200)
      }
    })
  }

  async #check(ledger: Ledger): Promise<void> {
    const { url } = this.#server!
    await untilHealthy(this.#server!)
    await compare(url, ledger)
    await ledger.settle(url)
    await compare(url, ledger)
    const stamped = this.#stamped!
    const page = await send(url, { method: 'GET', path: `${stamped.address}stamp-1`, token: null })
    checkStamps(String(page.body), stamped.written)
    await examineFolder(this.#folder)
  }
}

function backendsOf(postmaster: number): number[] {
  const found = childrenOf(postmaster).filter((pid) => /lectern/.test(commandOf(pid)))
  ensure(found.length > 0, 'The database has no connection to kill')
  return found
}

async function deleteSpaces(url: string, organizationId: string, count: number): Promise<string[]> {
  const deleted: string[] = []
  for (let i = 0; i < count; i++) {
    const space = await makeSpace(url, organizationId, {})
    await must(url, { method: 'DELETE', path: `/v1/spaces/${space}` })
    deleted.push(space)
  }
  return deleted
}

async function startImportRun(url: string, organizationId: string): Promise<void> {
  const space = await makeSpace(url, organizationId, { editMode: 'live', empty: true })
  const text = new TextEncoder().encode('# One\n\nA page.\n')
  const file = { name: 'one.md', type: 'text/markdown', size: text.length }
  const at = `/v1/orgs/${organizationId}/storage/upload`
  // Each run passes the failpoint once. If the first one kills the server, the others are not needed.
  for (let i = 0; i < 3; i++) {
    const asked = await send(url, { method: 'POST', path: at, body: { file, kind: 'import_file' } }).catch(
      () => undefined,
    )
    if (!asked) return
    await send(url, { method: 'PUT', path: asked.body.url, token: null, body: text }).catch(() => undefined)
    const body = { source: { type: 'file', files: [asked.body.key] }, target: { space } }
    await send(url, { method: 'POST', path: `/v1/org/${organizationId}/imports`, body }).catch(() => undefined)
  }
}

async function untilHealthy(server: Lectern): Promise<void> {
  const deadline = performance.now() + longestReturnMs
  for (;;) {
    const answer = await send(server.url, { method: 'GET', path: '/healthz', token: null }).catch(() => undefined)
    if (answer?.status === 200) return
    ensure(
      performance.now() < deadline,
      `It does not serve again after ${longestReturnMs / 1000} s:\n${server.log().slice(-3000)}`,
    )
    await sleep(20)
  }
}
