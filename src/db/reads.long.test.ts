import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSpace } from '../../test/content.ts'
import { anOrganization } from '../../test/factories.ts'
import { rowsReadOf } from '../../test/rows-read.ts'
import { listStates } from '../audience/snapshots/snapshot.queries.ts'
import { insertNotes } from '../audit/notes.queries.ts'
import { findAuditEntry, listEntriesBefore } from '../audit/queries.ts'
import { listReactions } from '../comments/reactions.queries.ts'
import { newId } from '../ids.ts'
import { listInvites } from '../invites/queries.ts'
import { listLinksWanting } from '../links/queries.ts'
import { listMembersCalled } from '../organizations/members.queries.ts'
import { listWithAncestors } from '../revisions/entries.ts'
import { findMainLine } from '../revisions/lines.ts'
import { listDeliveries } from '../webhooks/deliveries.queries.ts'
import { sql } from './sql.ts'
import { nobody } from './transaction.ts'

/** Tests that a look-up reads the rows that it finds, and not all the rows beside them. */
const app = await startApp()

const many = 2_000

async function aLine() {
  const org = await anOrganization(app)
  const space = await aSpace(org.admin.client, org.id)
  const { head } = await findMainLine(app.db, org.id, space.id)
  return { org, space, head, line: { organizationId: org.id, lineId: head.lineId } }
}

test('removing the lines of a space does not read the other lines of the organization', async () => {
  const { org, space, head } = await aLine()
  const another = await aSpace(org.admin.client, org.id)
  const few = 20
  const branchesOff = (spaceId: string, mainId: string, count: number) => sql`
    insert into lines (organization_id, id, space_id, main_id, base_seq, head_seq, head_id)
    select ${org.id}, gen_random_uuid(), ${spaceId}, ${mainId}, 1, 1, gen_random_uuid()
    from generate_series(1, ${count}::int)`
  await app.db.run(branchesOff(space.id, head.lineId, few))
  await app.db.run(branchesOff(another.id, (await findMainLine(app.db, org.id, another.id)).id, many))
  await app.db.run(sql`analyze lines`)
  const removed = sql`delete from lines where organization_id = ${org.id} and space_id = ${space.id} and main_id is not null`
  const rows = await rowsReadOf(app.db, 'lines', async (db) => assert.equal(await db.run(removed), few))
  assert.ok(rows <= 10 * few, `${rows} lines`)
})

test('links that want a path, or a path below it, are found without reading other links', async () => {
  const { org, line } = await aLine()
  await app.db.run(sql`
    insert into links (organization_id, line_id, source, ord, raw, relation, wanted, status)
    select ${org.id}, ${line.lineId}, gen_random_uuid(), 0, 'x', 0, 'path-' || n || '/below', 1
    from generate_series(1, ${many}::int) n`)
  await app.db.run(sql`analyze links`)
  const rows = await rowsReadOf(app.db, 'links', async (db) =>
    assert.equal((await listLinksWanting(db, line, ['path-7', 'path-8/below'])).length, 2),
  )
  assert.ok(rows <= 10, `${rows} links`)
})

test('the reactions of a comment are listed without reading users who did not react', async () => {
  const { org, space, head } = await aLine()
  await app.db.run(sql`
    insert into users (id, email, display_name)
    select id, id || '@example.com', 'Somebody' from (select gen_random_uuid() as id from generate_series(1, ${many}::int)) u`)
  const [id, another] = [newId(), newId()]
  await app.db.run(sql`
    insert into comments (organization_id, id, space_id, author_id, markdown, revision_id)
    select ${org.id}, id, ${space.id}, ${org.admin.id}, 'Well', ${head.id} from unnest(${[id, another]}::uuid[]) id`)
  await app.db.run(sql`
    insert into comment_reactions (organization_id, space_id, comment_id, name, user_id, emoji)
    select ${org.id}, ${space.id}, case when id = ${org.admin.id} then ${id}::uuid else ${another}::uuid end, '1f44d', id, '👍'
    from users`)
  await app.db.run(sql`analyze users, comment_reactions`)
  const rows = await rowsReadOf(app.db, 'users', async (db) =>
    assert.deepEqual(
      (await listReactions(db, org.id, [id])).map(({ users }) => users.map(({ user }) => user.id)),
      [[org.admin.id]],
    ),
  )
  assert.ok(rows <= 2, `${rows} people`)
})

test('mentioned members are found by name or address without reading the other members', async () => {
  const { org } = await aLine()
  await app.db.run(sql`
    with made as (
      insert into users (id, email, display_name)
      select id, id || '@example.com', 'Member ' || id from (select gen_random_uuid() as id from generate_series(1, ${many}::int)) u
      returning id)
    insert into members (organization_id, user_id, role) select ${org.id}, id, 'read' from made`)
  await app.db.run(sql`analyze users, members`)
  const [one, other] = await app.db.all(sql<{ id: string; email: string; display_name: string }>`
    select u.id, u.email, u.display_name from members m join users u on u.id = m.user_id
    where m.organization_id = ${org.id} and u.id <> ${org.admin.id} order by u.id limit 2`)
  const names = [one!.display_name.toUpperCase(), other!.email, 'Member', 'Nobody']
  const rows = await Promise.all(
    ['users', 'members'].map((table) =>
      rowsReadOf(app.db, table, async (db) =>
        assert.deepEqual(
          (await listMembersCalled(db, org.id, names)).map(({ id }) => id).toSorted(),
          [one!.id, other!.id].toSorted(),
        ),
      ),
    ),
  )
  assert.ok(Math.max(...rows) <= 4, `${rows.join(' and ')} rows`)
})

test('a page that is asked for many times at once is read once', async () => {
  const { head } = await aLine()
  const { entry } = await app.db.one(sql<{ entry: string }>`
    select entry from heads where organization_id = ${head.organizationId} and line_id = ${head.lineId} and kind = 1`)
  const rows = await rowsReadOf(app.db, 'entries', (db) => listWithAncestors(db, head, Array(many).fill(entry)))
  assert.ok(rows <= 2, `${rows} entries`)
})

test('removing a space or a collection does not read the grants on others', async () => {
  const org = await anOrganization(app)
  const newIds = (count: number) => Array.from({ length: count }, () => newId())
  const [people, spaces, collections] = [newIds(many), newIds(4), newIds(4)]
  const few = people.slice(0, 5)
  await app.db.run(sql`
    insert into users (id, email, display_name)
    select id, id || '@example.com', 'Somebody' from unnest(${people}::uuid[]) id`)
  await app.db.run(sql`
    insert into members (organization_id, user_id, role) select ${org.id}, id, 'read' from unnest(${people}::uuid[]) id`)
  await app.db.run(sql`
    insert into teams (id, organization_id, title) select id, ${org.id}, 'Team' from unnest(${people}::uuid[]) id`)
  await app.db.run(sql`
    insert into spaces (organization_id, id, title, position)
    select ${org.id}, id, 'Space', id::text from unnest(${spaces}::uuid[]) id`)
  await app.db.run(sql`
    insert into collections (organization_id, id, title, position)
    select ${org.id}, id, 'Collection', id::text from unnest(${collections}::uuid[]) id`)
  for (const [table, who] of [
    [sql`member_grants`, sql`user_id`],
    [sql`team_grants`, sql`team_id`],
  ] as const) {
    for (const [column, things] of [
      [sql`space_id`, spaces],
      [sql`collection_id`, collections],
    ] as const) {
      // The first two of each kind are granted to a few people, the others to all.
      await app.db.run(sql`
        insert into ${table} (organization_id, ${column}, ${who}, role)
        select ${org.id}, thing, id, 'read' from unnest(${things}::uuid[]) with ordinality t (thing, i)
        join unnest(${people}::uuid[]) id on i > 2 or id = any (${few}::uuid[])`)
    }
  }
  await app.db.run(sql`analyze`.asSlow())
  for (const [i, table] of ['member_grants', 'team_grants'].entries()) {
    const rows = await rowsReadOf(app.db, table, async (tx) => {
      await tx.run(sql`delete from spaces where organization_id = ${org.id} and id = ${spaces[i]}`)
      await tx.run(sql`delete from collections where organization_id = ${org.id} and id = ${collections[i]}`)
    })
    assert.ok(rows >= 2 * few.length && rows <= 4 * few.length, `${rows} of ${table}`)
  }
})

test('the states of lines are read without reading other lines', async () => {
  const { org, space, head } = await aLine()
  const few = Array.from({ length: many / 4 }, () => newId())
  await app.db.run(sql`
    insert into lines (organization_id, id, space_id, main_id, base_seq, head_seq, head_id)
    select ${org.id}, id, ${space.id}, ${head.lineId}, 1, 1, id
    from (select unnest(${few}::uuid[]) as id union all select gen_random_uuid() from generate_series(1, ${10 * many}::int)) x`)
  await app.db.run(sql`analyze lines`.asSlow())
  const asked = few.map((lineId) => ({ organizationId: org.id, lineId }))
  const rows = await rowsReadOf(app.db, 'lines', async (tx) =>
    assert.equal((await listStates(tx, [], asked)).lines.length, few.length),
  )
  assert.ok(rows <= few.length, `${rows} lines`)
})

test('recording a denied access does not read all members', async () => {
  const org = await anOrganization(app)
  await app.db.run(sql`
    with people as (insert into users (id, email, display_name)
      select id, id || '@example.com', 'Somebody' from (select gen_random_uuid() as id from generate_series(1, ${many}::int)) u
      returning id)
    insert into members (organization_id, user_id, role) select ${org.id}, id, 'read' from people`)
  await app.db.run(sql`analyze users, members`.asSlow())
  const note = {
    ...nobody,
    id: newId(),
    at: new Date().toISOString(),
    action: 'access.denied',
    actorId: org.admin.id,
    targetType: 'organization',
    targetId: org.id,
    details: null,
    hasOrganization: true,
    organizationId: org.id,
  }
  const rows = await rowsReadOf(app.db, 'members', (tx) => insertNotes(tx, [note]))
  assert.ok(rows <= 1, `${rows} members`)
  assert.ok(await findAuditEntry(app.db, org.id, note.id))
})

test('failed deliveries are listed without reading the others', async () => {
  const org = await anOrganization(app)
  const webhook = { organization_id: org.id, id: newId() }
  await app.db.run(sql`
    insert into webhooks (organization_id, id, title, url, secret) values (${org.id}, ${webhook.id}, 'Hook', 'x', 'x')`)
  await app.db.run(sql`
    insert into webhook_deliveries (organization_id, webhook_id, id, event_id, type, subject, body, state, finished_at)
    select ${org.id}, ${webhook.id}, gen_random_uuid(), gen_random_uuid(), 'x', 'x', '', case when n <= 5 then 'failed' else 'delivered' end, now()
    from generate_series(1, ${many}::int) n`)
  await app.db.run(sql`analyze webhook_deliveries`.asSlow())
  const rows = await rowsReadOf(app.db, 'webhook_deliveries', async (tx) =>
    assert.equal((await listDeliveries(tx, webhook, { state: 'failed' }, { limit: 50, after: undefined })).count, 5),
  )
  assert.ok(rows <= 20, `${rows} deliveries`)
})

test('invite links are listed without reading invites by mail', async () => {
  const org = await anOrganization(app)
  await app.db.run(sql`
    insert into invites (id, organization_id, email, role, secret_hash, secret_sealed)
    select id, ${org.id}, case when n > 5 then n || '@example.com' end, 'read', sha256(id::text::bytea), ''
    from (select n, gen_random_uuid() as id from generate_series(1, ${many}::int) n) i`)
  await app.db.run(sql`analyze invites`.asSlow())
  const rows = await rowsReadOf(app.db, 'invites', async (tx) =>
    assert.equal((await listInvites(tx, org.id, 'link', { limit: 50, after: undefined })).count, 5),
  )
  assert.ok(rows <= 20, `${rows} invites`)
})

test('a large batch of the audit log is read without reading users who are not in it', async () => {
  const org = await anOrganization(app)
  const actors = Array.from({ length: many / 4 }, () => newId())
  await app.db.run(sql`
    insert into users (id, email, display_name) select id, id || '@example.com', 'Somebody'
    from (select unnest(${actors}::uuid[]) as id union all select gen_random_uuid() from generate_series(1, ${10 * many}::int)) u`)
  await app.db.run(sql`
    insert into changes (organization_id, id, action, actor_id, target_type, target_id)
    select ${org.id}, gen_random_uuid(), 'space.updated', id, 'space', 'x' from unnest(${actors}::uuid[]) id`)
  await app.db.run(sql`analyze users, changes`.asSlow())
  const rows = await rowsReadOf(app.db, 'users', async (tx) =>
    assert.equal((await listEntriesBefore(tx, org.id, [{}], undefined, many)).length, actors.length + 1),
  )
  assert.ok(rows <= actors.length + 1, `${rows} people`)
})
