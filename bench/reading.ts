import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { parse } from '../src/content/parse.ts'
import { drawArticle } from '../src/published/blocks/draw.ts'
import { Icons } from '../src/published/icons/icons.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { type Figure, atLeast, atMost, byTurns, median } from './figures.ts'
import { requestsPerSecond } from './load.ts'
import { adminToken, newFolder, remove, startLectern } from './server.ts'

const rounds = 9

/** Requests with the user agent of a browser are counted as page views. */
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' }

/** Published pages: cached ones against bare node:http with the same bytes, and rendering one that is not cached. */
export async function readingFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const lectern = await startLectern(folder, { LECTERN_DEMO: 'off' })
  const embedded = await startEmbedded({ dataFolder: folder })
  try {
    const url = await publish(lectern.url)
    const page = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
    const bytes = Buffer.byteLength(await page.text())
    const bare = await startBare(embedded.connection, bytes)
    const [ours, theirs, unchanged] = await byTurns(rounds, [
      () => requestsPerSecond({ url, headers: browser }),
      () => requestsPerSecond({ url: bare.url, headers: browser }),
      () => requestsPerSecond({ url, headers: { ...browser, 'if-none-match': page.headers.get('etag')! } }, 2, 304),
    ])
    bare.child.kill('SIGTERM')
    return [
      atLeast('A kept page of a site, against bare node:http with the same bytes', 0.75, ours! / theirs!),
      atLeast('The same, unchanged for its reader (304)', 0.75, unchanged! / theirs!),
      ...(await drawingFigures()),
      ...(await weightFigures(url)),
    ]
  } finally {
    await embedded.leave()
    await lectern.stop()
    await remove(folder)
  }
}

/** About 20 KB of typical documentation. */
const source = Array.from(
  { length: 20 },
  (_, i) =>
    `## Part ${i}\n\n${'Some words with *stress*, `code` and a [link](other.md), as text goes. '.repeat(12)}\n\n` +
    `{% hint style="info" %}\nGood to know.\n{% endhint %}\n\n- one\n- two\n\n\`\`\`ts\nconst part = ${i}\nexport { part }\n\`\`\`\n`,
).join('\n')

async function publish(url: string): Promise<string> {
  const api = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const [organization] = (await api('GET', '/v1/orgs')).items
  const base = `/v1/orgs/${organization.id}`
  const space = await api('POST', `${base}/spaces`, { title: 'Bench', editMode: 'live', empty: true })
  const change = { operation: 'insert_page', document: { markdown: `# Bench\n\n${source}` } }
  await api('POST', `/v1/spaces/${space.id}/content`, { changes: [change] })
  const site = await api('POST', `${base}/sites`, { title: 'Bench', spaces: [space.id] })
  await api('POST', `${base}/sites/${site.id}/publish`)
  return `${url}/sites/${organization.hostname}/${site.basename}/`
}

/**
 * Renders the parsed blocks of a body to HTML, with code colours already known: what the first reader after a change
 * waits for.
 */
async function drawingFigures(): Promise<Figure[]> {
  const { blocks } = parse(source)
  const around = {
    link: (href: string) => ({ href, external: false }),
    image: (src: string) => ({ src }),
    file: () => undefined,
  }
  for (let i = 0; i < 20; i++) await drawArticle(blocks, around, new Icons())
  const times: number[] = []
  const before = process.cpuUsage()
  for (let i = 0; i < 200; i++) {
    const startedAt = performance.now()
    await drawArticle(blocks, around, new Icons())
    times.push(performance.now() - startedAt)
  }
  const { user, system } = process.cpuUsage(before)
  const kilobytes = Math.round(source.length / 1024)
  return [
    atLeast(`Drawing a page of ${kilobytes} KB, a second of the processor`, 150, (200 * 1_000_000) / (user + system)),
    atMost('The same, the slowest of a hundred', 60, times.toSorted((a, b) => b - a)[1]!, ' ms'),
  ]
}

async function weightFigures(url: string): Promise<Figure[]> {
  const page = await (await fetch(url)).text()
  const weigh = async (pattern: RegExp) => {
    const sizes = await Promise.all(
      [...page.matchAll(pattern)].map(async ([, path]) => {
        const body = await (await fetch(new URL(path!, url))).arrayBuffer()
        return gzipSync(Buffer.from(body)).length / 1024
      }),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  return [
    atMost('JavaScript of an ordinary page, gzipped', 30, await weigh(/<script src="([^"]+)"/g), ' KB'),
    atMost('Style sheets of a page, gzipped', 20, await weigh(/<link rel="stylesheet" href="([^"]+)"/g), ' KB'),
    atMost('HTML of that page, gzipped', 15, median([gzipSync(page).length / 1024]), ' KB'),
  ]
}

async function startBare(connection: object, bytes: number) {
  const file = fileURLToPath(new URL('bare.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [file, JSON.stringify(connection), String(bytes), 'bytes'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, url: `http://127.0.0.1:${String(port).trim()}/` }
}
