import assert from 'node:assert/strict'
import { countMove } from '../src/change-requests/counters.ts'
import type { Database } from '../src/db/connect.ts'
import { sql } from '../src/db/sql.ts'
import { nobody, transaction } from '../src/db/transaction.ts'
import { followMain } from '../src/derived/follow.ts'
import { newId } from '../src/ids.ts'
import { bodyHash } from '../src/revisions/bodies.ts'
import { type Row, page, top } from '../src/revisions/entries.ts'
import { commit, findMainLine, lockLine, startBranch } from '../src/revisions/lines.ts'
import type { Client } from './api-client.ts'

/** Helpers that create things through the API, as the given client. */
export async function aCollection(who: Client, organizationId: string, body: object = {}) {
  const { status, body: made, text } = await who.post(`/v1/orgs/${organizationId}/collections`, body)
  assert.equal(status, 201, text)
  return made
}

export async function aSpace(who: Client, organizationId: string, body: object = {}) {
  const { status, body: made, text } = await who.post(`/v1/orgs/${organizationId}/spaces`, body)
  assert.equal(status, 201, text)
  return made
}

/** Gives a role on a space or collection to a member, or with `teams` to a team. */
export async function grant(
  who: Client,
  thing: { object: 'space' | 'collection'; id: string },
  to: { users: string[] } | { teams: string[] },
  role: string | null,
) {
  const { status, text } = await who.post(`/v1/${thing.object}s/${thing.id}/permissions`, { ...to, role })
  assert.equal(status, 204, text)
}

/**
 * Creates a page below the API, with this body on main and another version of it in a change request. Returns its id.
 */
export async function writePage(db: Database, organizationId: string, spaceId: string, body: string): Promise<string> {
  const entry = newId()
  const write = (text: string, parents: string[]) => ({
    type: 'edits' as const,
    parents,
    rows: [pageRow(entry, text)],
    bodies: new Map([[bodyHash(text), text]]),
  })
  await transaction(db, nobody, async (tx) => {
    const main = await lockLine(tx, organizationId, (await findMainLine(tx, organizationId, spaceId)).id)
    const written = write(body, [main.head.id])
    const next = await commit(tx, main, written)
    await followMain(tx, { before: main, after: next, ...written })
    const branch = await startBranch(tx, next)
    await commit(tx, branch, write(`${body} on a branch`, [branch.head.id]))
    await tx.run(sql`update space_counters set last_number = last_number + 1 where space_id = ${spaceId}`)
    await tx.run(sql`
      insert into change_requests (organization_id, id, space_id, number, line_id, revision_initial)
      select organization_id, ${newId()}, space_id, last_number, ${branch.id}, ${next.head.id}
      from space_counters where space_id = ${spaceId}`)
    countMove(tx, { organization_id: organizationId, space_id: spaceId }, undefined, 'draft')
  })
  return entry
}

const pageRow = (entry: string, body: string): Row => ({
  entry,
  kind: page,
  state: 0,
  parent: top,
  slug: `page-${entry}`,
  position: 'a0',
  doc: bodyHash(body),
  refs: null,
  data: { type: 'document', title: 'Page', createdAt: '', updatedAt: '' },
})
