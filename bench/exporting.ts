import { Database } from '../src/db/connect.ts'
import { readConfig } from '../src/config.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { headers, organizationAt } from './call.ts'
import { type Figure, atMost } from './figures.ts'
import { watchMemory } from './memory.ts'
import { newFolder, remove, startLectern } from './server.ts'
import { loadSpace } from './spaces.ts'

/** Exports archives of 1,000 and of 10,000 pages: the larger one should need hardly more memory. */
export async function exportingFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const lectern = await startLectern(folder, { LECTERN_DEMO: 'off' })
  const embedded = await startEmbedded({ dataFolder: folder })
  const db = new Database(embedded.connection, readConfig({}).limits)
  try {
    const organizationId = await organizationAt(lectern.url)
    const spaces = [await loadSpace(db, organizationId, 1_000), await loadSpace(db, organizationId, 10_000)]
    const fetchArchive = async ({ id }: { id: string }) => {
      const memory = watchMemory(lectern.child.pid!)
      const from = performance.now()
      const response = await fetch(`${lectern.url}/v1/spaces/${id}/export`, { headers })
      let bytes = 0
      for await (const chunk of response.body!) bytes += chunk.length
      if (response.status !== 200 || bytes < 100_000) throw new Error(`${response.status}, ${bytes} bytes`)
      return { seconds: (performance.now() - from) / 1000, megabytes: memory.stop() }
    }
    // The first export loads the code that makes archives.
    await fetchArchive(spaces[0]!)
    const small = await fetchArchive(spaces[0]!)
    const large = await fetchArchive(spaces[1]!)
    return [
      atMost('exporting: 10,000 pages', 60, large.seconds, ' s'),
      atMost('exporting: more memory for 10,000 pages than for 1,000', 100, large.megabytes - small.megabytes, ' MB'),
    ]
  } finally {
    await db.close()
    await embedded.leave()
    await lectern.stop()
    await remove(folder)
  }
}
