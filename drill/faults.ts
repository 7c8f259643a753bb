import { type DrillOptions, ensure } from './drill.ts'
import { clockJumps } from './faults/clock.ts'
import { connectionsCut, databasePaused, poolExhausted } from './faults/database.ts'
import { databaseDiskFull, filesDiskFull } from './faults/disk.ts'
import { rollingRestart } from './faults/nodes.ts'
import { hostileUpstream } from './faults/upstream.ts'

/** Each part returns a summary line, and throws if a promise did not hold. */
const all: Record<string, (seed: number) => Promise<string>> = {
  'database paused': databasePaused,
  'connections cut': connectionsCut,
  'pool exhausted': poolExhausted,
  'disk of files full': filesDiskFull,
  'disk of the database full': databaseDiskFull,
  'hostile upstream': hostileUpstream,
  'clock jumps': clockJumps,
  'two nodes, restarted one after the other': rollingRestart,
}

export async function faults({ seed, only, log }: DrillOptions): Promise<void> {
  const chosen = Object.entries(all).filter(([name]) => name.includes(only ?? ''))
  ensure(chosen.length > 0, `No part has "${only}" in its name. There are: ${Object.keys(all).join(', ')}.`)
  for (const [name, fault] of chosen) {
    log(`${name} …`)
    log(`${name}: ${await fault(seed)}`)
  }
}
