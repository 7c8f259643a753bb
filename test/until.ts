import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits for something that happens without further action. `ms` only limits the wait for something that never happens.
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  for (const from = performance.now(); !(await holds()); await sleep(10)) {
    assert.ok(performance.now() - from < ms, `not in time: ${what}`)
  }
}
