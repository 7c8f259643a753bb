import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type Drill, Finding } from './drill.ts'
import { whenOver } from './leftovers.ts'

const tests = [
  'test/safety.test.ts',
  'test/safety-places.long.test.ts',
  'test/safety-own-pages.long.test.ts',
  'src/fetch/outgoing.long.test.ts',
]

/**
 * Content that tries to run code: every payload of test/safety in every place that shows content, in a real browser,
 * with and without the content security policy. Also addresses that are not public, in every spelling, for every
 * feature that fetches. The regular tests try a part of these.
 */
export const safety: Drill = async ({ log }) => {
  const child = spawn(process.execPath, ['bin/run.js', 'test/run.ts', ...tests], {
    env: { ...process.env, SAFETY: 'all' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  whenOver(() => child.kill())
  for await (const line of createInterface({ input: child.stdout })) log(line)
  const code = child.exitCode ?? (await once(child, 'exit'))[0]
  if (code !== 0) throw new Finding('Something ran or was reached, or could have been: see above.')
}
