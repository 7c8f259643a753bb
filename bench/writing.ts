import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { type EmbeddedDatabase, startEmbedded } from '../src/db/embedded.ts'
import { sql } from '../src/db/sql.ts'
import { nobody, transaction } from '../src/db/transaction.ts'
import { newId } from '../src/ids.ts'
import { organizationAt } from './call.ts'
import { type Figure, atLeast, byTurns, forReference } from './figures.ts'
import { Connection } from './load.ts'
import { adminToken, newFolder, remove, startLectern } from './server.ts'
import { type LoadedSpace, loadSpace } from './spaces.ts'

const writers = 8
const rounds = 5
const roundMs = 2_000
/** Long enough for the server's code to be optimized, and for every statement to be planned on every connection. */
const warmUpMs = 4_000

/**
 * Writing pages through the API, against committing one row of the same size in the same database with as many
 * concurrent writers. The rows go straight to the database: the last figure shows the cost of the HTTP request itself.
 */
export async function writingFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const lectern = await startLectern(folder)
  const embedded = await startEmbedded({ dataFolder: folder })
  const db = new Database(embedded.connection, readConfig({}).limits)
  const bare = await startBare(embedded)
  try {
    const inChangeRequests = await changeRequestWriters(db, lectern.url)
    const live = await liveWriters(db, lectern.url)
    const overHttp = writersAt(Array.from({ length: writers }, () => bare.url))
    const measures = [inChangeRequests, live, overHttp.map((post) => () => post({ row: textOf() })), rowWriters(db)]
    for (const measure of measures) await rateOf(measure, warmUpMs / 2)
    // As in a database that has been running for a minute: without table statistics, statements are planned badly.
    await db.run(sql`analyze`.asSlow())
    for (const measure of measures) await rateOf(measure, warmUpMs / 2)
    const [changeRequest, edit, request, row] = await byTurns(
      rounds,
      measures.map((measure) => () => rateOf(measure, roundMs)),
    )
    const [alone, editAlone, , rowAlone] = await byTurns(
      rounds,
      measures.map((measure) => () => rateOf(measure.slice(0, 1), roundMs / 2)),
    )
    await slowDownCommits(db)
    const [slowly, editSlowly, , rowSlowly] = await byTurns(
      rounds,
      measures.map((measure) => () => rateOf(measure.slice(0, 1), roundMs / 2)),
    )
    return [
      atLeast(
        'A page write in a change request through the API, against a one-row commit, one at a time',
        0.3,
        alone! / rowAlone!,
      ),
      atLeast(
        'A live edit with search and links through the API, against a one-row commit, one at a time',
        0.12,
        editAlone! / rowAlone!,
      ),
      atLeast(
        'A page write in a change request through the API, against a one-row commit, 8 at once',
        0.3,
        changeRequest! / row!,
      ),
      atLeast(
        'A live edit with search and links through the API, against a one-row commit, 8 at once',
        0.12,
        edit! / row!,
      ),
      forReference(
        'The same page write, where a commit takes 2 ms longer, as on the disks of most clouds',
        slowly! / rowSlowly!,
      ),
      forReference('The same live edit, where a commit takes 2 ms longer', editSlowly! / rowSlowly!),
      forReference(
        'A bare Fastify route that commits one row, against the same without HTTP, 8 at once',
        request! / row!,
      ),
    ]
  } finally {
    bare.child.kill('SIGTERM')
    await db.close()
    await embedded.leave()
    await lectern.stop()
    await remove(folder)
  }
}

type Write = () => Promise<unknown>

/** Each writer has its own change request, all in one space. */
async function changeRequestWriters(db: Database, url: string): Promise<Write[]> {
  const [space] = await loadSpaces(db, url, 1, 1_000)
  const paths = await Promise.all(
    Array.from({ length: writers }, async () => {
      const path = `${url}/v1/spaces/${space!.id}/change-requests`
      const { id } = JSON.parse(await new Connection(path, adminToken).post('{}'))
      return `${path}/${id}/content`
    }),
  )
  return writersAt(paths).map((post) => () => post(changeOf(space!.pageId, textOf())))
}

/** Each writer has its own space, because edits of the same main line wait for each other. */
async function liveWriters(db: Database, url: string): Promise<Write[]> {
  const spaces = await loadSpaces(db, url, writers, 100)
  await db.run(sql`
    update spaces set edit_mode = 'live' where id = any (${spaces.map(({ id }) => id)}::uuid[])`)
  const posts = writersAt(spaces.map(({ id }) => `${url}/v1/spaces/${id}/content`))
  return posts.map((post, i) => () => post(changeOf(spaces[i]!.pageId, textWithLinks())))
}

/** Emulates a disk that takes 2 ms to confirm a commit: the one of a test machine often takes a tenth of that. */
async function slowDownCommits(db: Database): Promise<void> {
  for (const setting of [sql`commit_siblings = 0`, sql`commit_delay = 2000`])
    await db.run(sql`alter system set ${setting}`)
  await db.run(sql`select pg_reload_conf()`)
}

function rowWriters(db: Database): Write[] {
  const organizationId = newId()
  const insert = () =>
    transaction(db, nobody, (tx) =>
      tx.run(sql`
        insert into documents (organization_id, hash, markdown) values (${organizationId}, ${newId()}, ${textOf()})`),
    )
  return Array.from({ length: writers }, () => insert)
}

/** Returns writes per second of all writers together. */
async function rateOf(writes: Write[], forMs: number): Promise<number> {
  const startedAt = performance.now()
  let count = 0
  const writer = async (write: Write) => {
    for (; performance.now() < startedAt + forMs; count++) await write()
  }
  await Promise.all(writes.map(writer))
  return (count / (performance.now() - startedAt)) * 1_000
}

function writersAt(urls: string[]): ((body: object) => Promise<unknown>)[] {
  return urls.map((url) => {
    const connection = new Connection(url, adminToken)
    return (body) => connection.post(JSON.stringify(body))
  })
}

const changeOf = (page: string, markdown: string) => ({
  changes: [{ operation: 'update_page', page, document: { markdown } }],
})

let count = 0
const paragraph = 'Some words that stand for what a page says, so that it has about two kilobytes in all.\n\n'

const textOf = () => `Text ${count++}\n\n${paragraph.repeat(22)}`

/** Text of the same size, in sections with a link each. Each call changes one of the sections. */
const textWithLinks = () =>
  [0, 1, 2, 3]
    .map((i) => `## Section ${i}\n\nSee [page ${i}](/page-0/page-${i + 1}). ${paragraph.repeat(i === 0 ? 4 : 5)}`)
    .join('')
    .replace('Some words', `Words ${count++}`)

async function loadSpaces(db: Database, url: string, spaces: number, pages: number): Promise<LoadedSpace[]> {
  const organizationId = await organizationAt(url)
  const loaded: LoadedSpace[] = []
  for (let i = 0; i < spaces; i++) loaded.push(await loadSpace(db, organizationId, pages))
  return loaded
}

async function startBare(embedded: EmbeddedDatabase) {
  const file = fileURLToPath(new URL('bare-write.ts', import.meta.url))
  const child = spawn(process.execPath, [file, JSON.stringify(embedded.connection)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, url: `http://127.0.0.1:${String(port).trim()}/` }
}
