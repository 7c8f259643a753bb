import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for what comes by itself. `ms` only ends a wait for what never comes. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  for (const from = performance.now(); !(await holds()); await sleep(10)) {
    assert.ok(performance.now() - from < ms, `not in time: ${what}`)
  }
}
