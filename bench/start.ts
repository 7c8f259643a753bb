import { setTimeout as sleep } from 'node:timers/promises'
import { type Figure, atMost, median } from './figures.ts'
import { newFolder, remove, residentMegabytes, startLectern } from './server.ts'

/** Time until the server is ready, and its memory when idle. */
export async function startFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const first = await startLectern(folder)
  await first.stop()

  const starts: number[] = []
  for (let i = 0; i < 5; i++) {
    const again = await startLectern(folder)
    starts.push(again.readyMs / 1000)
    await again.stop()
  }
  const idle = await startLectern(folder)
  await sleep(5_000)
  const memory = await residentMegabytes(idle.child.pid!)
  await idle.stop()
  await remove(folder)
  return [
    atMost('Ready on an empty folder', 6, first.readyMs / 1000, ' s'),
    atMost('Ready on existing data (median of 5)', 1, median(starts), ' s'),
    atMost('Memory of the Node process when idle (110 with people alone, 180 with all parts)', 180, memory, ' MB'),
  ]
}
