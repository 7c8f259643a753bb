// npm run drill -- <name>: tries to break a promise of docs/drills.md, and fails if it succeeds. Drills touch only
// loopback addresses and temporary folders, end on their own, and clean up what they started.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Drill, type DrillOptions, Finding } from './drill.ts'
import { clearUp } from './leftovers.ts'

const drills: Record<string, { summary: string; load: () => Promise<Drill> }> = {
  safety: {
    summary: 'Writes what tries to run into every place that shows something; nothing runs in a browser',
    load: async () => (await import('./safety.ts')).safety,
  },
  crash: {
    summary: 'Kills server and database under load and at failpoints; nothing is lost or torn (200 rounds)',
    load: async () => (await import('./crash.ts')).crash,
  },
  concurrency: {
    summary: 'Many clients on two nodes against a model: a serial order explains all they saw (10,000 steps)',
    load: async () => (await import('./concurrency.ts')).concurrency,
  },
  faults: {
    summary: 'Database paused, cut off, full; hostile upstreams, clock jumps, a rolling restart of two nodes',
    load: async () => (await import('./faults.ts')).faults,
  },
  s3: {
    summary: 'The store of files against a real S3 (Ceph), and the product on top of it',
    load: async () => (await import('./s3.ts')).s3,
  },
  fuzz: {
    summary: 'Bad input from the schemas of all routes, and for what is beside the API (500,000 cases)',
    load: async () => (await import('./fuzz.ts')).fuzz,
  },
  soak: {
    summary: 'An hour of mixed load, then rest: memory, handles and connections do not grow (--minutes)',
    load: async () => (await import('./soak.ts')).soak,
  },
}

const help = `npm run drill -- <name> [options]

${Object.entries(drills)
  .map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`)
  .join('\n')}

  --rounds N   how many rounds, steps or cases, where the drill counts them
  --minutes N  how long, where the drill is told by the clock
  --only TEXT  of a drill with several parts, those with this in their name
  --seed N     repeats the choices of an earlier run; every run prints its seed
  --help       this text

Exit code 0: the promises held. 1: the last lines say what did not. docs/drills.md tells what each drill proves and
what it needs to be installed.`

let isStopped = false

process.exitCode = await main()
// Timers that are still running are not needed any more.
process.exit()

async function main(): Promise<number> {
  const { values, positionals } = readArguments()
  const [name, ...more] = positionals
  if (values.help || name === undefined) {
    console.log(help)
    return values.help ? 0 : 1
  }
  const drill = drills[name]
  if (!drill || more.length > 0) {
    console.error(`There is no drill "${[name, ...more].join(' ')}". There are: ${Object.keys(drills).join(', ')}.`)
    return 1
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopped(signal))
  return run(name, await drill.load(), {
    seed: wholeNumber(values.seed, 'seed') ?? randomInt(2 ** 31),
    count: wholeNumber(values.rounds, 'rounds'),
    minutes: wholeNumber(values.minutes, 'minutes'),
    only: values.only,
  })
}

async function run(name: string, drill: Drill, options: Omit<DrillOptions, 'log'>): Promise<number> {
  const startedAt = performance.now()
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)
  const log = (line: string) => console.log(`${seconds()} s  ${line}`)
  log(`${name}, seed ${options.seed}`)
  try {
    await drill({ ...options, log })
    log(`${name}: all promises held`)
    return 0
  } catch (error) {
    // The drill was interrupted. The signal handler ends the process after clearing up.
    if (isStopped) return new Promise<never>(() => {})
    log(`${name} FAILED. Again with: npm run drill -- ${name} --seed ${options.seed}`)
    console.error(error instanceof Finding ? error.message : error)
    return 1
  } finally {
    await clearUp()
  }
}

async function stopped(signal: string): Promise<void> {
  isStopped = true
  console.error(`\n${signal}: clearing up …`)
  await clearUp()
  process.exit(130)
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string' },
        minutes: { type: 'string' },
        only: { type: 'string' },
        seed: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`)
    process.exit(1)
  }
}

function wholeNumber(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  console.error(`--${name} must be a whole number, and is "${text}".`)
  process.exit(1)
}
