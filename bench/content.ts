import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { type EmbeddedDatabase, startEmbedded } from '../src/db/embedded.ts'
import { type Figure, atLeast, atMost, byTurns, median } from './figures.ts'
import { requestsPerSecond } from './load.ts'
import { adminToken, newFolder, remove, residentMegabytes, startLectern } from './server.ts'
import { type LoadedSpace, loadSpace, settle, touchPage } from './spaces.ts'

const headers = { authorization: `Bearer ${adminToken}` }
const rounds = 3

/** Reading pages and whole trees. */
export async function contentFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  let lectern = await startLectern(folder)
  const embedded = await startEmbedded({ dataFolder: folder })
  const db = new Database(embedded.connection, { ...readConfig({}).limits, statementMs: 120_000 })
  try {
    const [organization] = (await get(`${lectern.url}/v1/orgs`)).items
    const load = (pages: number) => loadSpace(db, organization.id, pages)
    const spaces = { small: await load(100), middle: await load(10_000), large: await load(100_000) }
    await settle(db)
    await lectern.stop()
    const firstTree = await firstTreeFigure(folder, `/v1/spaces/${spaces.middle.id}/content`)
    lectern = await startLectern(folder)
    const at = (space: LoadedSpace) => `${lectern.url}/v1/spaces/${space.id}/content`
    const pageOf = (space: LoadedSpace) => `${at(space)}/page/${space.pageId}?format=markdown`
    const pathOf = (space: LoadedSpace) => `${at(space)}/path/${space.path}`
    return [
      firstTree,
      await memoryFigure(lectern.child.pid!, `${at(spaces.middle)}/pages`),
      // The tree of this space is not in memory, so the page itself is read from the database each time.
      await pageFigure(embedded, pageOf(spaces.large)),
      await treeFigure(embedded, `${at(spaces.middle)}/pages`),
      await patchedTreeFigure(db, `${at(spaces.middle)}/pages`, spaces.middle),
      // Evaluated pages are computed anew each time, so no cached answer hides their cost.
      await growthFigure(
        'A page by id',
        `${pageOf(spaces.small)}&evaluated=true`,
        `${pageOf(spaces.large)}&evaluated=true`,
      ),
      await growthFigure(
        'A page by path',
        `${pathOf(spaces.small)}?evaluated=true`,
        `${pathOf(spaces.large)}?evaluated=true`,
      ),
    ]
  } finally {
    await db.close()
    await embedded.leave()
    await lectern.stop()
    await remove(folder)
  }
}

/** Measures servers that were just started and have not served this path: no tree is in memory, no code is compiled. */
async function firstTreeFigure(folder: string, path: string): Promise<Figure> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const fresh = await startLectern(folder)
    await get(`${fresh.url}${path}/files`)
    await sleep(1_000)
    times.push(await msOf(`${fresh.url}${path}/pages`))
    await fresh.stop()
  }
  return atMost('The tree of 10,000 pages, first read', 250, median(times), ' ms')
}

async function pageFigure(embedded: EmbeddedDatabase, url: string): Promise<Figure> {
  const bare = await startBare(embedded, (await textOf(url)).length)
  const [ours, theirs] = await byTurns(rounds, [
    () => requestsPerSecond({ url, headers }),
    () => requestsPerSecond({ url: bare.url }),
  ])
  bare.child.kill('SIGTERM')
  return atLeast('GET a page by id with its Markdown, against bare node:http + one SELECT', 0.5, ours! / theirs!)
}

/** Compares with a server that has the bytes in memory and checks no token. */
async function treeFigure(embedded: EmbeddedDatabase, url: string): Promise<Figure> {
  const bare = await startBare(embedded, (await textOf(url)).length, 'bytes')
  const [ours, theirs] = await byTurns(rounds, [
    () => requestsPerSecond({ url, headers }),
    () => requestsPerSecond({ url: bare.url }),
  ])
  bare.child.kill('SIGTERM')
  return atLeast(
    'The tree of 10,000 pages, later reads, against bare node:http with the same bytes',
    0.5,
    ours! / theirs!,
  )
}

async function patchedTreeFigure(db: Database, url: string, space: LoadedSpace): Promise<Figure> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    await touchPage(db, space.id, space.pageId)
    times.push(await msOf(url))
  }
  return atMost('The tree of 10,000 pages, first read after a change', 120, median(times), ' ms')
}

async function growthFigure(what: string, small: string, large: string): Promise<Figure> {
  const [few, many] = await byTurns(rounds, [
    () => requestsPerSecond({ url: small, headers }),
    () => requestsPerSecond({ url: large, headers }),
  ])
  return atMost(`${what}, 100,000 pages against 100`, 1.3, few! / many!, '×')
}

async function memoryFigure(pid: number, url: string): Promise<Figure> {
  for (let i = 0; i < 5; i++) await textOf(url)
  return atMost(
    'Memory of the Node process with a space of 10,000 pages loaded',
    250,
    await residentMegabytes(pid),
    ' MB',
  )
}

async function startBare(embedded: EmbeddedDatabase, bytes: number, mode = 'select') {
  const file = fileURLToPath(new URL('bare.ts', import.meta.url))
  const child: ChildProcess = spawn(
    process.execPath,
    [file, JSON.stringify(embedded.connection), String(bytes), mode],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [port] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, url: `http://127.0.0.1:${String(port).trim()}/` }
}

async function msOf(url: string): Promise<number> {
  const startedAt = performance.now()
  await textOf(url)
  return performance.now() - startedAt
}

async function textOf(url: string): Promise<string> {
  const answer = await fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' } })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return answer.text()
}

async function get(url: string): Promise<any> {
  return JSON.parse(await textOf(url))
}
