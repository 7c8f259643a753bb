import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './client.ts'
import { load, startUpstream } from './crash-load.ts'
import { type DrillOptions, ensure } from './drill.ts'
import { type Lectern, killDatabaseWhenOver, postmasterOf, startLectern } from './lectern.ts'
import { Ledger, compare } from './ledger.ts'
import { temporaryFolder } from './leftovers.ts'
import { examineFolder } from './look.ts'
import { childrenOf, commandOf } from './processes.ts'
import { Random } from './random.ts'
import { makeSpace, makeStampedSite, theOrganization } from './setting.ts'

const minutesByItself = 60
/** New spaces are created at this interval, so that the number of spaces grows, not the size of one. */
const chapterMs = 60_000
const sampleMs = 10_000
const idleMs = 40_000

/** An hour of mixed load, then rest: memory, handles and connections must be back at their level. */
export async function soak({ seed, minutes = minutesByItself, log }: DrillOptions): Promise<void> {
  const folder = await temporaryFolder()
  killDatabaseWhenOver(folder)
  // Logs warnings only: the drill does not need its requests in the log, and an hour of them is not worth keeping.
  const server = await startLectern({ LECTERN_DATA: folder, LECTERN_FETCH_ALLOW: '127.0.0.1', LECTERN_LOG: 'warn' })
  const { url } = server
  const organizationId = await theOrganization(url)
  const stamped = await makeStampedSite(url, organizationId)
  const upstream = await startUpstream()
  const random = new Random(seed)
  const samples: Sample[] = []
  let names = 0
  let [writes, looks] = [0, 0]

  const endsAt = performance.now() + minutes * 60_000
  for (let chapter = 1; performance.now() < endsAt; chapter++) {
    const ledger = new Ledger()
    const live = await makeSpace(url, organizationId, { editMode: 'live' })
    const reviewed = await makeSpace(url, organizationId, {})
    const stop = new AbortController()
    const at = { url, random: random.fork(), ledger, stop: stop.signal, name: () => `s${(names += 1)}` }
    const loading = load(at, { organizationId, live, reviewed, stamped, upstream })
    const watching = watch(server, folder, samples, stop.signal)
    await Promise.race([sleep(Math.min(chapterMs, endsAt - performance.now())), loading])
    stop.abort()
    looks += await loading
    await watching
    ensure(!server.hasEnded, `The server ended:\n${server.log().slice(-3000)}`)
    ensure(ledger.unanswered.length === 0, `${ledger.unanswered.length} writes were not answered`)
    await compare(url, ledger)
    writes += ledger.answered
    log(`minute ${chapter}: ${writes} writes, ${looks} looks; ${tell(samples.at(-1)!)}`)
  }

  log('at rest …')
  await sleep(idleMs)
  const before = cpuSecondsOf(server.pid)
  await sleep(10_000)
  const idle = { ...sampleOf(server.pid, folder), cpu: (cpuSecondsOf(server.pid) - before) / 10 }
  log(`at rest: ${tell(idle)}, ${(idle.cpu * 100).toFixed(1)} % of a core`)
  judge(samples, idle)
  await examineFolder(folder)
  const { status } = await send(url, { method: 'GET', path: '/healthz', token: null })
  ensure(status === 200, `/healthz answers ${status} in the end`)
  const code = await server.stop()
  ensure(code === 0, `Told to stop it ended with ${code}`)
  log(`${minutes} minutes, ${writes} writes and ${looks} looks at the site answered, 0 failed; nothing grows`)
}

interface Sample {
  megabytes: number
  handles: number
  connections: number
}

function sampleOf(pid: number, folder: string): Sample {
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
  const handles = readdirSync(`/proc/${pid}/fd`).length
  const connections = childrenOf(postmasterOf(folder)!).filter((each) => /lectern/.test(commandOf(each))).length
  return { megabytes, handles, connections }
}

const tell = ({ megabytes, handles, connections }: Sample) =>
  `${Math.round(megabytes)} MB, ${handles} handles, ${connections} connections`

async function watch(server: Lectern, folder: string, samples: Sample[], stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await sleep(sampleMs, undefined, { signal: stop }).catch(() => {})
    if (!server.hasEnded) samples.push(sampleOf(server.pid, folder))
  }
}

/**
 * Memory takes a while to level off (caches fill, code is compiled), and the garbage collector keeps what it may, so
 * the last third is compared with the second. A leak of a kilobyte per request is 100 MB in an hour of this load.
 */
function judge(samples: Sample[], idle: Sample & { cpu: number }): void {
  const third = Math.floor(samples.length / 3)
  const middle = highest(samples.slice(third, 2 * third))
  const last = highest(samples.slice(2 * third))
  if (third >= 6) {
    ensure(
      last.megabytes < middle.megabytes * 1.15 + 40,
      `Memory grows: ${Math.round(middle.megabytes)} MB at most in the second third, ${Math.round(last.megabytes)} in the last`,
    )
    ensure(last.handles < middle.handles * 1.2 + 20, `Handles grow: ${middle.handles} at most, then ${last.handles}`)
  }
  ensure(idle.handles <= 80, `${idle.handles} handles are open at rest`)
  ensure(idle.connections <= 20, `${idle.connections} connections to the database are open at rest`)
  ensure(idle.cpu < 0.1, `At rest it takes ${(idle.cpu * 100).toFixed(1)} % of a core`)
}

const highest = (samples: Sample[]): Sample => ({
  megabytes: Math.max(...samples.map(({ megabytes }) => megabytes)),
  handles: Math.max(...samples.map(({ handles }) => handles)),
  connections: Math.max(...samples.map(({ connections }) => connections)),
})

function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
