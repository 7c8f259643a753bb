import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type TestOrganization, anOrganization } from '../../test/factories.ts'
import { rowsHandled } from '../../test/rows-read.ts'
import { newId } from '../ids.ts'
import { readFilter } from './filter.ts'
import { listGroups } from './groups.queries.ts'
import { aGroup, aUser } from './testing/provider.ts'
import { isMemberNamed, listScimUsers } from './users.queries.ts'

const app = await startApp()
const size = 5000
const window = { offset: 0, limit: 100 }
let org: TestOrganization

before(async () => {
  org = await anOrganization(app)
  const ids = Array.from({ length: size }, () => newId())
  const fill = (text: string, more: unknown[] = []) => app.db.pool.query(text, [ids, ...more])
  await fill(
    `insert into users (id, email, display_name) select x, x || '@big.example', 'Somebody' from unnest($1::uuid[]) x`,
  )
  await fill(`insert into members (organization_id, user_id, role) select $2, x, 'read' from unnest($1::uuid[]) x`, [
    org.id,
  ])
  await fill(
    `insert into scim_users (organization_id, user_id, user_name, external_id)
     select $2, x, 'user ' || x, 'external ' || x from unnest($1::uuid[]) x where x::text < $3`,
    [org.id, ids[size / 2]],
  )
  await app.db.pool.query('analyze users, members, scim_users')
})

test('a user is found by a key instead of reading all users', async () => {
  const { id, sent } = await aUser(org)
  for (const filter of [
    `userName eq "${sent.userName}"`,
    `userName eq "${org.admin.user.email}"`,
    `externalId eq "${sent.externalId}"`,
    `emails.value eq "${sent.userName}"`,
    `emails[type eq "work"].value eq "${sent.userName}" and active eq true`,
    `id eq "${id}"`,
  ]) {
    const rows = await rowsHandled(app.db, (db) => listScimUsers(db, org.id, readFilter(filter), window))
    assert.ok(rows < 100, `${filter}: ${rows} rows`)
  }
  const names = { userName: sent.userName, email: sent.userName }
  const rows = await rowsHandled(app.db, (db) => isMemberNamed(db, org.id, names))
  assert.ok(rows < 100, `${rows} rows`)
})

test('a group is found by a key of a member instead of reading all groups', async () => {
  const { id } = await aUser(org)
  await aGroup(org, { displayName: 'Few', members: [{ value: id }], externalId: 'few' })
  const ids = Array.from({ length: 1000 }, () => newId())
  await app.db.pool.query(
    `insert into teams (id, organization_id, title) select x, $2, 'Team' from unnest($1::uuid[]) x`,
    [ids, org.id],
  )
  await app.db.pool.query('analyze teams, team_members, scim_groups')
  for (const filter of [`members eq "${id}"`, 'externalId eq "few"']) {
    const rows = await rowsHandled(app.db, (db) => listGroups(db, org.id, readFilter(filter), window))
    assert.ok(rows < 100, `${filter}: ${rows} rows`)
  }
})
