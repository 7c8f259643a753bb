import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Step = () => unknown

const steps: Step[] = []
let isOver = false

/** What has to go when the drill ends, however it ends: processes, folders, mounts. The last to come goes first. */
export function whenOver(step: Step): void {
  steps.push(step)
  // Stopped from outside, a drill may still be at it: what it starts now goes at once, and so does the drill.
  if (!isOver) return
  void clearUp()
  throw new Error('The drill is over')
}

let clearing: Promise<void> | undefined

/** Whoever asks while it is under way waits for the end of it. */
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
