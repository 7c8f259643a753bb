import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { sql } from '../src/db/sql.ts'
import { newId } from '../src/ids.ts'
import { call, headers, organizationAt } from './call.ts'
import { type Figure, atMost, byTurns } from './figures.ts'
import { requestsPerSecond } from './load.ts'
import { newFolder, remove, startLectern } from './server.ts'

const comments = 100_000

/** Paging through a long list of comments: all of them, and those that three combined filters leave. */
export async function talkingFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const lectern = await startLectern(folder)
  const embedded = await startEmbedded({ dataFolder: folder })
  const db = new Database(embedded.connection, readConfig({}).limits)
  try {
    const organizationId = await organizationAt(lectern.url)
    const { id: authorId } = await call(`${lectern.url}/v1/user`)
    const { id: spaceId, revision } = await call(`${lectern.url}/v1/orgs/${organizationId}/spaces`, 'POST', {
      title: 'Bench',
    })
    const url = `${lectern.url}/v1/spaces/${spaceId}`
    const [page] = (await call(`${url}/content/pages`)).pages
    await load(db, { organizationId, spaceId, authorId, revision, pageId: page.id })
    const filter = `&status=open&targetPage=${page.id}&authors=${authorId}`
    return [
      await walkFigure(`50 comments of ${comments.toLocaleString('en')}, last page against first`, url, ''),
      await walkFigure('The same by status, page and author', url, filter),
    ]
  } finally {
    await db.close()
    await embedded.leave()
    await lectern.stop()
    await remove(folder)
  }
}

async function walkFigure(what: string, url: string, filter: string): Promise<Figure> {
  const first = `${url}/comments?limit=50${filter}`
  const last = await lastPage(url, filter)
  const [firstRate, lastRate] = await byTurns(3, [
    () => requestsPerSecond({ url: first, headers }, 1),
    () => requestsPerSecond({ url: last, headers }, 1),
  ])
  return atMost(what, 1.3, firstRate! / lastRate!, '×')
}

/**
 * Pages through the list as a client would: with the largest page size up to the last page, then through that one in
 * small pages.
 */
async function lastPage(url: string, filter: string): Promise<string> {
  let page = ''
  for (const limit of [1000, 50]) {
    for (;;) {
      const { next } = await call(`${url}/comments?limit=${limit}${filter}${page}`)
      if (!next) break
      page = `&page=${next.page}`
    }
  }
  return `${url}/comments?limit=50${filter}${page}`
}

interface Place {
  organizationId: string
  spaceId: string
  authorId: string
  revision: string
  pageId: string
}

/** Loads comments over a thousand days: a third on the page, half of all resolved. */
async function load(db: Database, { organizationId, spaceId, authorId, revision, pageId }: Place): Promise<void> {
  const step = 5_000
  for (let from = 0; from < comments; from += step) {
    const ids = Array.from({ length: step }, () => newId())
    await db.run(
      sql`
      insert into comments (organization_id, id, space_id, author_id, markdown, posted_at, revision_id, page_id, page,
        resolved_at, resolved_by)
      select ${organizationId}, id, ${spaceId}, ${authorId}, 'What somebody had to say about it.',
        now() - random() * interval '1000 days', ${revision}, case when i % 3 = 0 then ${pageId}::uuid end,
        case when i % 3 = 0 then '{"title": "Page", "path": "page"}'::jsonb end,
        case when i % 2 = 0 then now() end, case when i % 2 = 0 then ${authorId}::uuid end
      from unnest(${ids}::uuid[]) with ordinality given (id, i)`.asSlow(),
    )
  }
  await db.run(sql`
    update counter_slots set comments = ${comments / 2}::int, comments_resolved = ${comments / 2}::int
    where space_id = ${spaceId} and slot = 0`)
  await db.run(sql`vacuum analyze comments`.asSlow())
}
