import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { type EmbeddedDatabase, startEmbedded } from '../src/db/embedded.ts'
import { sql } from '../src/db/sql.ts'
import { type Author, nobody, transaction } from '../src/db/transaction.ts'
import { recordChange } from '../src/changes/record.ts'
import { newId } from '../src/ids.ts'
import { call, headers } from './call.ts'
import { type Figure, atLeast, atMost, byTurns } from './figures.ts'
import { requestsPerSecond } from './load.ts'
import { newFolder, remove, startLectern } from './server.ts'

const members = 100_000

/**
 * Reading an organization, paging through a long list of members, and what the record of changes adds to the cost of a
 * write.
 */
export async function peopleFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const lectern = await startLectern(folder)
  const embedded = await startEmbedded({ dataFolder: folder })
  const db = new Database(embedded.connection, readConfig({}).limits)
  try {
    const organization = await call(`${lectern.url}/v1/orgs`).then((list) => list.items[0])
    const orgUrl = `${lectern.url}/v1/orgs/${organization.id}`
    return [
      await organizationFigure(embedded, orgUrl, JSON.stringify(organization).length),
      await membersFigure(db, orgUrl, organization.id),
      await recordFigure(db, orgUrl, organization.id),
    ]
  } finally {
    await db.close()
    await embedded.leave()
    await lectern.stop()
    await remove(folder)
  }
}

async function organizationFigure(embedded: EmbeddedDatabase, orgUrl: string, bytes: number): Promise<Figure> {
  const bare = spawn(
    process.execPath,
    [fileURLToPath(new URL('bare.ts', import.meta.url)), JSON.stringify(embedded.connection), String(bytes)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [port] = (await once(bare.stdout, 'data')) as [Buffer]
  const bareUrl = `http://127.0.0.1:${String(port).trim()}/`
  const [ours, theirs] = await byTurns(5, [
    () => requestsPerSecond({ url: orgUrl, headers }),
    () => requestsPerSecond({ url: bareUrl }),
  ])
  bare.kill('SIGTERM')
  return atLeast('GET one organization, token checked, against bare node:http + one SELECT', 0.5, ours! / theirs!)
}

async function membersFigure(db: Database, orgUrl: string, organizationId: string): Promise<Figure> {
  await loadMembers(db, organizationId)
  const first = `${orgUrl}/members?limit=50`
  const last = await lastPage(db, orgUrl)
  const [firstRate, lastRate] = await byTurns(5, [
    () => requestsPerSecond({ url: first, headers }),
    () => requestsPerSecond({ url: last, headers }),
  ])
  return atMost(
    `50 members of ${members.toLocaleString('en')}, last page against first`,
    1.3,
    firstRate! / lastRate!,
    '×',
  )
}

async function loadMembers(db: Database, organizationId: string): Promise<void> {
  const step = 5_000
  for (let from = 0; from < members; from += step) {
    const ids = Array.from({ length: step }, () => newId())
    await db.run(
      sql`with made as (
        insert into users (id, email, display_name)
        select id, id || '@example.com', 'Person ' || id from unnest(${ids}::uuid[]) id returning id)
      insert into members (organization_id, user_id, role, joined_at)
      select ${organizationId}, id, 'read', now() - random() * interval '1000 days' from made`.asSlow(),
    )
  }
  await db.run(sql`vacuum analyze members`.asSlow())
}

/** Pages through the list as a client would, with the largest page size. */
async function lastPage(_db: Database, orgUrl: string): Promise<string> {
  let page = ''
  for (;;) {
    const list = await call(`${orgUrl}/members?limit=1000${page && `&page=${page}`}`)
    if (!list.next) return `${orgUrl}/members?limit=50${page && `&page=${page}`}`
    page = list.next.page
  }
}

/**
 * What the entry in the record of changes adds to a transaction, as a share of the smallest write the API makes
 * (renaming a team). The product has no switch to leave the entry out, so its cost is measured with a bare transaction.
 */
async function recordFigure(db: Database, orgUrl: string, organizationId: string): Promise<Figure> {
  const by: Author = { ...nobody, actorId: newId(), tokenId: newId(), requestId: newId(), address: '127.0.0.1' }
  const teams = Array.from({ length: 8 }, () => newId())
  await db.run(sql`
    insert into teams (id, organization_id, title)
    select id, ${organizationId}, 'A team' from unnest(${teams}::uuid[]) id`)
  const rename = (recorded: boolean) => (id: string, title: string) =>
    transaction(db, by, async (tx) => {
      await tx.run(sql`update teams set title = ${title} where id = ${id}`)
      const target = { type: 'team', id }
      if (recorded) recordChange(tx, { action: 'team.updated', organizationId, target, fields: ['title'] })
    })
  const renameByApi = (id: string, title: string) =>
    fetch(`${orgUrl}/teams/${id}`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    }).then((answer) => answer.arrayBuffer())

  const [plain, recorded, whole] = await byTurns(7, [
    () => msOfOne(teams, rename(false)),
    () => msOfOne(teams, rename(true)),
    () => msOfOne(teams, renameByApi),
  ])
  return atMost('What the record of changes costs a write', 15, ((recorded! - plain!) / whole!) * 100, ' %')
}

/** Returns the time per write, in milliseconds, with many concurrent writers, each on its own row. */
async function msOfOne(rows: string[], write: (id: string, title: string) => Promise<unknown>): Promise<number> {
  const forMs = 1_500
  const until = performance.now() + forMs
  let writes = 0
  const writer = async (id: string) => {
    for (; performance.now() < until; writes++) await write(id, `Team ${writes}`)
  }
  await Promise.all(rows.map(writer))
  return forMs / writes
}
