import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSpace } from '../../test/content.ts'
import { anOrganization } from '../../test/factories.ts'
import { rowsReadOf } from '../../test/rows-read.ts'
import { listReactions } from '../comments/reactions.queries.ts'
import { newId } from '../ids.ts'
import { listLinksWanting } from '../links/queries.ts'
import { listWithAncestors } from '../revisions/entries.ts'
import { findMainLine } from '../revisions/lines.ts'
import { sql } from './sql.ts'

/** What is looked up reads what it finds, and not all that is beside it. */
const app = await startApp()

const many = 2_000

async function aLine() {
  const org = await anOrganization(app)
  const space = await aSpace(org.admin.client, org.id)
  const { head } = await findMainLine(app.db, org.id, space.id)
  return { org, space, head, line: { organizationId: org.id, lineId: head.lineId } }
}

test('a line is removed without a look at the other lines of its organization', async () => {
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

test('links that mean a path or one below it are found without a look at those that mean others', async () => {
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

test('reactions are shown without a look at people who have not reacted', async () => {
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

test('a page that is named often is looked up once', async () => {
  const { head } = await aLine()
  const { entry } = await app.db.one(sql<{ entry: string }>`
    select entry from heads where organization_id = ${head.organizationId} and line_id = ${head.lineId} and kind = 1`)
  const rows = await rowsReadOf(app.db, 'entries', (db) => listWithAncestors(db, head, Array(many).fill(entry)))
  assert.ok(rows <= 2, `${rows} entries`)
})
