import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { sql } from '../src/db/sql.ts'
import { nobody, transaction } from '../src/db/transaction.ts'
import { newId } from '../src/ids.ts'
import { call, organizationAt } from './call.ts'
import { type Figure, atLeast, atMost, byTurns, timed } from './figures.ts'
import { newFolder, remove, startLectern } from './server.ts'
import { loadSpace } from './spaces.ts'

const pages = 10_000

/** Paging through the links of a large space, and what search and links add to the cost of a live edit. */
export async function linkFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const lectern = await startLectern(folder)
  const embedded = await startEmbedded({ dataFolder: folder })
  const db = new Database(embedded.connection, { ...readConfig({}).limits, statementMs: 120_000 })
  try {
    const organizationId = await organizationAt(lectern.url)
    const edits = await liveEditFigure(db, lectern.url, organizationId)
    const { id } = await loadSpace(db, organizationId, pages)
    await loadLinks(db, organizationId, id)
    return [await pagingFigure(`${lectern.url}/v1/spaces/${id}/links`), edits]
  } finally {
    await db.close()
    await embedded.leave()
    await lectern.stop()
    await remove(folder)
  }
}

/** One link from each page to the next. One link in a hundred is broken. */
async function loadLinks(db: Database, organizationId: string, spaceId: string): Promise<void> {
  await db.run(
    sql`insert into links (organization_id, line_id, source, ord, raw, relation, target, wanted, status)
    select h.organization_id, h.line_id, h.entry, 0, './next.md', 0,
      case when n % 100 > 0 then lead(h.entry, 1, h.entry) over (order by h.entry) end,
      case when n % 100 = 0 then 'nowhere/' || n end, (n % 100 = 0)::int
    from (select h.*, row_number() over (order by h.entry) as n from lines l
      join heads h on h.organization_id = l.organization_id and h.line_id = l.id
      where l.organization_id = ${organizationId} and l.space_id = ${spaceId}) h`.asSlow(),
  )
  await db.run(sql`
    insert into space_counters (organization_id, space_id, links, broken)
    values (${organizationId}, ${spaceId}, ${pages}, ${pages / 100})`)
  await db.run(sql`vacuum analyze links`.asSlow())
}

async function pagingFigure(url: string): Promise<Figure> {
  let token = ''
  for (let seen = 0; seen < pages - 1_000; seen += 1_000) {
    const { next } = await call(`${url}?limit=1000${token}`)
    token = `&page=${encodeURIComponent(next.page)}`
  }
  const page = (of: string) => () => timed(() => call(`${url}?limit=50${of}`))
  await byTurns(5, [page(''), page(token)])
  const [first, last] = await byTurns(30, [page(''), page(token)])
  return atMost('50 links of a space of 10,000 pages, the last page against the first', 1.3, last! / first!, '×')
}

/** A live edit also writes search and links. Measured in turns with committing a row of the same size. */
async function liveEditFigure(db: Database, url: string, organizationId: string): Promise<Figure> {
  const { path, page } = await aLiveSpace(url, organizationId)
  let count = 0
  const edit = () => {
    const document = { markdown: bodyOf(count++) }
    return call(path, 'POST', { changes: [{ operation: 'update_page', page, document }] })
  }
  const insertRow = () =>
    transaction(db, nobody, (tx) =>
      tx.run(sql`
        insert into documents (organization_id, hash, markdown)
        values (${organizationId}, ${newId()}, ${bodyOf(count++)})`),
    )
  const turns = [() => timed(edit), () => timed(insertRow)]
  await byTurns(40, turns)
  const [edits, rows] = await byTurns(200, turns)
  return atLeast(
    'A live edit with a section and a link through the API, against a one-row commit',
    0.12,
    rows! / edits!,
  )
}

async function aLiveSpace(url: string, organizationId: string): Promise<{ path: string; page: string }> {
  const { id } = await call(`${url}/v1/orgs/${organizationId}/spaces`, 'POST', { editMode: 'live', empty: true })
  const path = `${url}/v1/spaces/${id}/content`
  const page = (title: string) => ({ operation: 'insert_page', document: { markdown: `# ${title}\n` } })
  const { changes } = await call(path, 'POST', { changes: [page('Page'), page('Other')] })
  return { path, page: changes[0].page.id }
}

const paragraph = 'Some words that stand for what a page says, so that it has about two kilobytes in all.\n\n'
const bodyOf = (n: number) => `## Section\n\nSee [the other](./other.md), ${n}.\n\n${paragraph.repeat(22)}`
