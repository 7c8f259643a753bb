import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Step = () => unknown

const steps: Step[] = []
let isOver = false

/**
 * Registers a step that runs when the drill ends, for whatever reason: removes processes, folders, mounts. The last
 * step registered runs first.
 */
export function whenOver(step: Step): void {
  steps.push(step)
  // A drill that was stopped from outside may still be running. What it starts now is cleared up at once, and the drill
  // ends.
  if (!isOver) return
  void clearUp()
  throw new Error('The drill is over')
}

let clearing: Promise<void> | undefined

/** A call while clearing is under way waits for it to finish. */
export function clearUp(): Promise<void> {
  isOver = true
  clearing ??= clearSteps().finally(() => (clearing = undefined))
  return clearing
}

async function clearSteps(): Promise<void> {
  for (let step = steps.pop(); step; step = steps.pop()) {
    try {
      await step()
    } catch (error) {
      console.error(`Left behind: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

export async function temporaryFolder(name = 'lectern-drill-'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), name))
  whenOver(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  return folder
}
