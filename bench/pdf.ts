import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { sql } from '../src/db/sql.ts'
import { nobody, transaction } from '../src/db/transaction.ts'
import { openFolder } from '../src/git/folder.ts'
import { importRepository } from '../src/git/import.ts'
import { pdfFolder } from '../src/pdf/pdfs.ts'
import { createSpace } from '../src/spaces/actions.ts'
import { openStore } from '../src/storage/open.ts'
import { headers } from './call.ts'
import { type Figure, atMost, median } from './figures.ts'
import { newFolder, remove, startLectern } from './server.ts'

/** PDF files of 50 and of 500 pages, made on first fetch, and how much that slows down other requests. */
export async function pdfFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const lectern = await startLectern(folder, { LECTERN_DEMO: 'off' })
  const embedded = await startEmbedded({ dataFolder: folder })
  const config = readConfig({ LECTERN_DATA: folder })
  const db = new Database(embedded.connection, config.limits)
  try {
    const make = async (pages: number) => {
      const space = await aBook(
        { db, config, store: openStore(config) },
        join(folder, `book-${pages}`),
        pages,
        lectern.url,
      )
      const path = `${lectern.url}/v1/spaces/${space}`
      const { url } = (await (await fetch(`${path}/pdf`, { headers })).json()) as { url: string }
      return {
        path,
        print: async () => {
          const from = performance.now()
          const response = await fetch(url)
          const { length } = Buffer.from(await response.arrayBuffer())
          if (response.status !== 200 || length < 10_000) throw new Error(`${response.status}, ${length} bytes`)
          return (performance.now() - from) / 1000
        },
      }
    }
    const [small, large] = [await make(50), await make(500)]
    const smallSeconds = await small.print()
    const seconds: number[] = []
    const ratios: number[] = []
    for (let round = 0; round < 3; round++) {
      const quiet = await slowestOf(large.path, headers, sleep(5_000))
      const printing = large.print()
      ratios.push((await slowestOf(large.path, headers, printing)) / quiet)
      seconds.push(await printing)
      // Forces the next round to make the PDF again.
      await remove(pdfFolder(config))
    }
    return [
      atMost('pdf: 50 pages', 2, smallSeconds, ' s'),
      atMost('pdf: 500 pages', 12, median(seconds), ' s'),
      atMost('pdf: p99 of other requests while it is made, of that without', 2, median(ratios)),
    ]
  } finally {
    await db.close()
    await embedded.leave()
    await lectern.stop()
    await remove(folder)
  }
}

/** Returns the p99, in milliseconds, of requests that are sent one after the other until `done` settles. */
async function slowestOf(url: string, headers: Record<string, string>, done: Promise<unknown>): Promise<number> {
  const over = new AbortController()
  void done.finally(() => over.abort())
  const times: number[] = []
  do {
    const from = performance.now()
    await (await fetch(url, { headers })).arrayBuffer()
    times.push(performance.now() - from)
    await sleep(5)
  } while (!over.signal.aborted)
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!
}

type Context = Parameters<typeof importRepository>[0]

async function aBook(context: Context, folder: string, pages: number, url: string): Promise<string> {
  const { db } = context
  const { id: organizationId } = await db.one(sql<{ id: string }>`select id from organizations`)
  const { id: creatorId } = await db.one(sql<{ id: string }>`select id from users`)
  const parent = { organizationId, id: null }
  const spaceId = await transaction(db, nobody, (tx) => createSpace(tx, { parent, title: 'A book', creatorId }))
  await mkdir(folder, { recursive: true })
  const names = Array.from({ length: pages }, (_, page) => `page-${page}.md`)
  await writeFile(join(folder, 'SUMMARY.md'), names.map((name, page) => `* [Page ${page}](${name})`).join('\n'))
  for (const [page, name] of names.entries()) await writeFile(join(folder, name), textOf(page, pages))
  const options = { force: true, standalone: false, mayWriteMain: () => true }
  await importRepository(context, { organizationId, spaceId, url }, await openFolder(folder), options, nobody)
  return spaceId
}

const textOf = (page: number, pages: number) => `# Page ${page}

${Array.from(
  { length: 4 },
  (_, part) => `## Part ${part}

${`Some words about **things** and \`code\`, and a [link](page-${(page + part) % pages}.md) to another page. `.repeat(6)}

- one
- two with *words*

\`\`\`js
const a${part} = ${page}
console.log(a${part})
\`\`\`
`,
).join('\n')}
{% hint style="info" %}
Take note of $$x^2$$.
{% endhint %}

| Name | What |
| --- | --- |
| a | the first |
| b | the second |
`
