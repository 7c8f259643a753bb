// Writers read first, and then write if nothing they rely on has changed in the meantime. Here another process gets in
// between: it holds the line while they write, and releases it once they wait for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../../test/api-client.ts'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { type TestLine, aChangeRequest, aSpace } from '../../../test/lines.ts'
import { sql } from '../../db/sql.ts'
import { type Transaction, nobody, transaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import { findMainLine, lockLine } from '../../revisions/lines.ts'
import { bodyHash } from '../../revisions/bodies.ts'
import { touchChangeRequest } from '../queries.ts'

const app = await startApp()

/** Sends a request while `line` is held, and changes something once the request waits for that line. */
async function whileHeld(
  organizationId: string,
  lineId: string,
  send: () => Promise<Answer>,
  change: (tx: Transaction) => Promise<unknown>,
): Promise<Answer> {
  const { sent } = await transaction(app.db, nobody, async (tx) => {
    await lockLine(tx, organizationId, lineId)
    const sent = send()
    for (;;) {
      const { waiting } = await app.db.one(sql<{ waiting: number }>`
        select count(*) as waiting from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`)
      if (waiting > 0) break
      await sleep(5)
    }
    await change(tx)
    return { sent }
  })
  return sent
}

/** A body that the two sides change in different places, long enough to be merged in a separate thread. */
const long = (first: string, last: string) => `${first}\n${'A line like many.\n'.repeat(20_000)}${last}\n`

async function editedOnBothSides() {
  const space = await aSpace(app)
  const [guide] = (await space.main.add({ title: 'Guide', body: long('one', 'two') })) as [string]
  const change = await aChangeRequest(space)
  await change.branch.edit(guide, { body: long('ONE', 'two') })
  return { space, guide, change }
}

const docOf = async (line: TestLine, id: string) => (await line.pages()).get(id)!.doc

test('a merge overtaken by another write to main is computed again, and neither change is lost', async () => {
  const { space, guide, change } = await editedOnBothSides()
  const body = long('one', 'TWO')
  const before = (await space.main.pages()).get(guide)!
  let sent: Promise<Answer> | undefined
  await space.main.write([{ ...before, doc: bodyHash(body) }], new Map([[bodyHash(body), body]]), async () => {
    sent = space.admin.client.post(`${change.path}/merge`)
    await sleep(100)
  })
  const answer = await sent!
  assert.equal(answer.body.result, 'merge', answer.text)
  assert.equal(await docOf(space.main, guide), bodyHash(long('ONE', 'TWO')))
})

test('a merge overtaken by a write to its own branch includes that write', async () => {
  const { space, guide, change } = await editedOnBothSides()
  const body = long('ONE', 'TWO')
  const before = (await change.branch.pages()).get(guide)!
  let sent: Promise<Answer> | undefined
  await change.branch.write([{ ...before, doc: bodyHash(body) }], new Map([[bodyHash(body), body]]), async () => {
    sent = space.admin.client.post(`${change.path}/merge`)
    await sleep(100)
  })
  assert.equal((await sent!).body.result, 'merge')
  assert.equal(await docOf(space.main, guide), bodyHash(body))
})

test('a review that requests changes while a merge is under way stops the merge', async () => {
  const { space, guide, change } = await editedOnBothSides()
  const rules = { type: 'rules', rules: [{ type: 'require_all_reviews_approved' }] }
  await app.db.run(sql`update spaces set merge_rules = ${JSON.stringify(rules)}::jsonb where id = ${space.id}`)
  const { organization, admin } = space
  const before = await docOf(space.main, guide)
  const answer = await whileHeld(
    organization.id,
    change.branch.id,
    () => admin.client.post(`${change.path}/merge`),
    async (tx) => {
      await tx.run(sql`
        insert into reviews (organization_id, id, change_request_id, revision_id, reviewer_id, status)
        values (${organization.id}, ${newId()}, ${change.id}, ${newId()}, ${admin.id}, 'changes-requested')`)
      await touchChangeRequest(tx, { organization_id: organization.id, id: change.id })
    },
  )
  assert.equal(answer.status, 412, answer.text)
  assert.equal(await docOf(space.main, guide), before)
})

test('a write to a change request that was archived meanwhile is refused with 409', async () => {
  const space = await aLiveSpace(app)
  const change = await space.changeRequest()
  const { line_id } = await app.db.one(sql<{ line_id: string }>`
    select line_id from change_requests where id = ${change.id}`)
  const answer = await whileHeld(
    space.org.id,
    line_id,
    () => change.edit(newPage('New')),
    (tx) => tx.run(sql`update change_requests set status = 'archived' where id = ${change.id}`),
  )
  assert.equal(answer.status, 409, answer.text)
  assert.equal(await change.outline(), '')
})

test('a write to a space that was locked meanwhile is refused with 409', async () => {
  const space = await aLiveSpace(app)
  const main = await findMainLine(app.db, space.org.id, space.id)
  const answer = await whileHeld(
    space.org.id,
    main.id,
    () => space.edit(newPage('New')),
    (tx) => tx.run(sql`update spaces set edit_mode = 'locked' where id = ${space.id}`),
  )
  assert.equal(answer.status, 409, answer.text)
  assert.equal(await space.outline(), '')
})

test('content overtaken by another write is added to it, and If-Match is compared with that write', async () => {
  const space = await aLiveSpace(app)
  const change = await space.changeRequest()
  const [first] = idsOf(await change.edit(newPage('First'))) as [string]
  const line = (await app.db.one(sql<{ line_id: string }>`select line_id from change_requests where id = ${change.id}`))
    .line_id
  const byAnother = (tx: Transaction) =>
    tx.run(sql`
      with moved as (
        update lines set head_seq = head_seq + 1, head_id = ${newId()} where id = ${line} returning *)
      insert into revisions (organization_id, line_id, seq, id, base_seq, parents, type)
      select organization_id, id, head_seq, head_id, base_seq, '{}', 'edits' from moved`)
  const edited = await whileHeld(space.org.id, line, () => change.edit(newPage('Second')), byAnother)
  assert.equal(edited.status, 200, edited.text)
  assert.equal(await change.outline(), 'First Second')

  const { revision } = edited.body.changeRequest
  const update = { changes: [{ operation: 'update_page', page: first, metadata: { title: 'Other' } }] }
  const stale = await whileHeld(
    space.org.id,
    line,
    () => space.who.post(`${change.path}/content`, update, { 'if-match': `"${revision}"` }),
    byAnother,
  )
  assert.equal(stale.status, 412, stale.text)
  assert.equal(await change.outline(), 'First Second')
})
