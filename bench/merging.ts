import { keyBetween } from '../src/content/positions.ts'
import { type Entry, top } from '../src/content/merge/entry.ts'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { sql } from '../src/db/sql.ts'
import { nobody, transaction } from '../src/db/transaction.ts'
import { newId } from '../src/ids.ts'
import { bodyHash } from '../src/revisions/bodies.ts'
import { listEntries } from '../src/revisions/entries.ts'
import { commit, findMainLine, lockLine, startMainLine } from '../src/revisions/lines.ts'
import { call, organizationAt } from './call.ts'
import { type Figure, atLeast, atMost, median, timed } from './figures.ts'
import { newFolder, remove, startLectern } from './server.ts'
import { insertSpace } from './spaces.ts'

const [few, many] = [100, 100_000]
const pagesAtOnce = 10

/** Editing, updating and merging in a small and in a huge space, and merges per second. */
export async function mergingFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const lectern = await startLectern(folder)
  const embedded = await startEmbedded({ dataFolder: folder })
  const db = new Database(embedded.connection, readConfig({}).limits)
  try {
    const organizationId = await organizationAt(lectern.url)
    const spaceOf = (pages: number) => loadSpace(db, lectern.url, organizationId, pages)
    const [small, huge] = [await spaceOf(few), await spaceOf(many)]
    await db.run(sql`vacuum analyze`.asSlow())
    return [...(await sizeFigures(db, small, huge)), await mergesFigure(db, await spaceOf(1_000))]
  } finally {
    await db.close()
    await embedded.leave()
    await lectern.stop()
    await remove(folder)
  }
}

interface BenchSpace {
  url: string
  organizationId: string
  id: string
  mainId: string
  pages: string[]
}

async function sizeFigures(db: Database, small: BenchSpace, huge: BenchSpace): Promise<Figure[]> {
  const times = { edit: [[], []], update: [[], []], merge: [[], []] } as Record<string, [number[], number[]]>
  for (let round = 0; round < 60; round++) {
    for (const [i, space] of [small, huge].entries()) {
      const took = await lifeOfAChange(db, space, round)
      // Skips the first rounds, which also pay for query plans and caches.
      if (round >= 10) for (const [what, ms] of Object.entries(took)) times[what]![i]!.push(ms)
    }
  }
  return Object.entries(times).map(([what, [ofSmall, ofHuge]]) =>
    atMost(
      `${what} of ${pagesAtOnce} pages, in ${many.toLocaleString('en')} pages against ${few}`,
      1.3,
      median(ofHuge) / median(ofSmall),
      '×',
    ),
  )
}

async function lifeOfAChange(db: Database, space: BenchSpace, round: number) {
  const change = await aChange(db, space)
  const mine = Array.from({ length: pagesAtOnce }, (_, i) => at(space, round * 20 + i))
  const edit = await timed(() => editPages(db, space, change.lineId, mine, round))
  await editPages(db, space, space.mainId, [at(space, round * 20 + pagesAtOnce)], round)
  const update = await timed(() => call(`${change.url}/update`, 'POST'))
  const merge = await timed(async () => {
    const { result } = await call(`${change.url}/merge`, 'POST')
    if (result !== 'merge') throw new Error(`The merge ended in ${result}`)
  })
  return { edit, update, merge }
}

/**
 * Picks as many different pages in the huge space as in the small one, spread over all of it, so that the search knows
 * these pages after the same number of rounds in both.
 */
const at = (space: BenchSpace, i: number) => space.pages[((i * 37) % few) * (space.pages.length / few)]!

async function mergesFigure(db: Database, space: BenchSpace): Promise<Figure> {
  const rates: number[] = []
  for (let round = 0; round < 3; round++) {
    const changes: Awaited<ReturnType<typeof aChange>>[] = []
    for (let i = 0; i < 300; i++) {
      const change = await aChange(db, space)
      await editPages(db, space, change.lineId, [space.pages[i]!], round)
      changes.push(change)
    }
    const ms = await timed(async () => {
      const writer = async () => {
        for (let change = changes.pop(); change; change = changes.pop()) {
          const { result } = await call(`${change.url}/merge`, 'POST')
          if (result !== 'merge') throw new Error(`The merge ended in ${result}`)
        }
      }
      await Promise.all(Array.from({ length: 8 }, writer))
    })
    rates.push(300 / (ms / 1_000))
  }
  return atLeast('Merges a second in one space, 8 at once', 150, median(rates))
}

async function aChange(db: Database, space: BenchSpace): Promise<{ url: string; lineId: string }> {
  const { id } = await call(`${space.url}/change-requests`, 'POST', {})
  const { line_id } = await db.one(sql<{ line_id: string }>`
    select line_id from change_requests where organization_id = ${space.organizationId} and id = ${id}`)
  return { url: `${space.url}/change-requests/${id}`, lineId: line_id }
}

/** Edits pages the way a content write does: reads the current entries, then commits one revision. */
async function editPages(db: Database, space: BenchSpace, lineId: string, ids: string[], round: number): Promise<void> {
  await transaction(db, nobody, async (tx) => {
    const line = await lockLine(tx, space.organizationId, lineId)
    const pages = await listEntries(tx, line.head, ids)
    const bodies = new Map<string, string>()
    const rows = pages.map((page): Entry => {
      const body = bodyOf(`${page.entry} ${round}`)
      bodies.set(bodyHash(body), body)
      return { ...page, doc: bodyHash(body) }
    })
    await commit(tx, line, { type: 'edits', parents: [line.head.id], rows, bodies })
  })
}

const paragraph = 'Some words that stand for what a page says, so that it has about two kilobytes in all.\n\n'
const bodyOf = (text: string) => `${text}\n\n${paragraph.repeat(22)}`

/** Creates a space with sections of a hundred pages, a few thousand pages per commit. */
async function loadSpace(db: Database, url: string, organizationId: string, count: number): Promise<BenchSpace> {
  const id = newId()
  await transaction(db, nobody, async (tx) => {
    insertSpace(tx, organizationId, id)
    await startMainLine(tx, organizationId, id, [], new Map())
  })
  const pages: string[] = []
  let parent = top
  let position: string | null = null
  const body = bodyOf('start')
  for (const step = Math.min(count, 5_000); pages.length < count;) {
    const rows = Array.from({ length: step }, (_, i): Entry => {
      const entry = newId()
      const isSection = i % 100 === 0
      if (isSection) parent = top
      position = isSection ? keyBetween(entry, null, null) + entry : keyBetween(entry, position, null)
      const data = { type: 'document', title: `Page ${i}` }
      const row: Entry = {
        entry,
        kind: 1,
        state: 0,
        parent,
        slug: entry,
        position,
        doc: bodyHash(body),
        refs: null,
        data,
      }
      if (isSection) {
        parent = entry
        position = null
      }
      return row
    })
    await transaction(db, nobody, async (tx) => {
      const main = await findMainLine(tx, organizationId, id)
      await commit(tx, main, {
        type: 'edits',
        parents: [main.head.id],
        rows,
        bodies: new Map([[bodyHash(body), body]]),
      })
    })
    pages.push(...rows.map(({ entry }) => entry))
  }
  const { id: mainId } = await findMainLine(db, organizationId, id)
  return { url: `${url}/v1/spaces/${id}`, organizationId, id, mainId, pages }
}
