import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { rowsHandled, rowsReadOf } from '../../test/rows-read.ts'
import { listCollections } from '../collections/queries.ts'
import { newId } from '../ids.ts'
import { listEntries, top } from '../revisions/entries.ts'
import { findPage } from '../revisions/kin.ts'
import { listTeams } from '../teams/queries.ts'
import { sql } from './sql.ts'

/**
 * Statements are planned for an average value: an organization with one or two spaces, a line with a single entry.
 * These tests are about one large value beside many small ones.
 */
const { db } = await startApp()
const [organizationId, userId, spaceId, lineId] = [newId(), newId(), newId(), newId()]
const entries = Array.from({ length: 3_000 }, () => newId())
/** Every tenth page is at the top level, and the nine after it are below it. */
const pages = Array.from({ length: 3_000 }, () => newId())
const spaces = Array.from({ length: 1_500 }, () => newId())
const teams = Array.from({ length: 40 }, () => newId())
const collections = Array.from({ length: 300 }, () => newId())

before(async () => {
  const lines = Array.from({ length: 3_000 }, () => newId())
  const others = Array.from({ length: 1_000 }, () => newId())
  await db.run(sql`
    insert into organizations (id, title, hostname)
    select id, 'Org', 'org-' || i from unnest(${[organizationId, ...others]}::uuid[]) with ordinality o (id, i)`)
  await db.run(sql`
    insert into spaces (organization_id, id, title, position)
    select ${organizationId}::uuid, id, 'Space', id::text from unnest(${[spaceId, ...spaces]}::uuid[]) id
    union all select id, gen_random_uuid(), 'Space', 'a' from unnest(${others}::uuid[]) id`)
  await db.run(sql`
    insert into lines (organization_id, id, space_id, main_id, base_seq, head_seq, head_id)
    select ${organizationId}::uuid, id, ${spaceId}::uuid, nullif(${lineId}::uuid, id), case when id <> ${lineId}::uuid then 1 end, 3000, id
    from unnest(${[lineId, ...lines]}::uuid[]) id`)
  await db.run(sql`
    insert into entries (organization_id, line_id, entry, from_seq, kind, state, parent, position, data)
    select ${organizationId}::uuid, ${lineId}::uuid, id, i::int, 2, 0, ${top}::uuid, 'a', '{}'::jsonb
    from unnest(${entries}::uuid[]) with ordinality e (id, i)
    union all select ${organizationId}::uuid, id, ${entries[0]}::uuid, 1, 2, 0, ${top}::uuid, 'a', '{}'::jsonb from unnest(${lines}::uuid[]) id
    union all select ${organizationId}::uuid, ${lineId}::uuid, id, 1, 1, 0,
      case when i % 10 = 1 then ${top}::uuid else (${pages}::uuid[])[i - (i - 1) % 10] end, 'a', '{"type": "document"}'::jsonb
    from unnest(${pages}::uuid[]) with ordinality e (id, i)
    union all select id, id, id, 1, 1, 0, ${top}::uuid, 'a', '{"type": "document"}'::jsonb from unnest(${others}::uuid[]) id`)
  await db.run(sql`
    insert into users (id, email, display_name) values (${userId}, 'ann@example.com', 'Ann')`)
  await db.run(sql`
    insert into members (organization_id, user_id, role)
    select id, ${userId}, 'admin' from unnest(${[organizationId, ...others]}::uuid[]) id`)
  await db.run(sql`
    insert into teams (id, organization_id, title) select id, ${organizationId}, 'Team' from unnest(${teams}::uuid[]) id`)
  await db.run(sql`
    insert into team_grants (organization_id, space_id, team_id, role)
    select ${organizationId}, space, team, 'read' from unnest(${teams}::uuid[]) team, unnest(${spaces.slice(0, 3)}::uuid[]) space`)
  await db.run(sql`
    insert into collections (organization_id, id, parent_id, title, position)
    select ${organizationId}, id, case when i > 1 then ${collections[0]}::uuid end, 'Collection', id::text
    from unnest(${collections}::uuid[]) with ordinality c (id, i)`)
  await db.run(sql`analyze`.asSlow())
})

test('an entry of a long line is read by its key, even beside many short lines', async () => {
  const at = { organizationId, lineId, seq: 3_000, id: lineId, base: undefined }
  const rows = await rowsReadOf(db, 'entries', async (tx) => {
    assert.equal((await listEntries(tx, at, [entries[100]!])).length, 1)
  })
  assert.ok(rows <= 2, `${rows} rows`)
})

test('reading a page of a large space reads only the pages around it, however many organizations exist', async () => {
  const at = { organizationId, lineId, seq: 3_000, id: lineId, base: undefined }
  const rows = await rowsHandled(db, async (watched) => {
    const found = await findPage(watched, at, pages[1_010]!)
    assert.deepEqual([found!.above.length, found!.below.length], [0, 9])
    assert.equal((await findPage(watched, at, pages[1_015]!))!.above.length, 1)
  })
  assert.ok(rows <= 500, `${rows} rows`)
})

test('listing teams does not scan all spaces for each team', async () => {
  const rows = await rowsReadOf(db, 'spaces', async (tx) => {
    const page = { limit: 30, after: undefined }
    const { rows: found } = await listTeams(tx, organizationId, userId, {}, page)
    assert.deepEqual([found.length, found[0]!.spaces], [31, 3])
  })
  assert.ok(rows <= 31 * 3, `${rows} rows`)
})

test('listing collections with their levels does not scan all collections for each of them', async () => {
  const rows = await rowsReadOf(db, 'collections', async (tx) => {
    const { rows: found } = await listCollections(tx, organizationId, userId, true, { limit: 1000, after: undefined })
    assert.equal(found.length, collections.length)
  })
  assert.ok(rows <= 10 * collections.length, `${rows} rows`)
})
