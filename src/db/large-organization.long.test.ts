import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { rowsHandled, rowsReadOf } from '../../test/rows-read.ts'
import type { Membership } from '../access/caller.ts'
import { findCollectionFor, findSpaceFor, listSpaceRoles } from '../access/content.ts'
import { findToMerge } from '../change-requests/merging/merge.queries.ts'
import { findChangeRequest, findChangeRequestIn, listChangeRequestsOfSpaces } from '../change-requests/queries.ts'
import { isWithin } from '../collections/queries.ts'
import { findRoleOn, listEffectiveRoles } from '../grants/queries.ts'
import { newId } from '../ids.ts'
import { listMembersAmong } from '../invites/queries.ts'
import { findMembersNamed } from '../organizations/members.queries.ts'
import { findHeadOfChangeRequest } from '../pages/queries.ts'
import { listFoundPages } from '../search/queries.ts'
import { findPublishedPlace } from '../sites/published-place.ts'
import { listSitePermissions } from '../sites/permissions/queries.ts'
import { listRolesIn, listSites } from '../sites/queries.ts'
import { findTeam, listTeams } from '../teams/queries.ts'
import { findVisibleUser } from '../users/queries.ts'
import type { Db } from './connect.ts'
import { sql } from './sql.ts'
import type { Transaction } from './transaction.ts'

/**
 * One large organization beside many small ones: the cost of a request depends on what it asks for, not on what else
 * exists.
 */
const { db } = await startApp()
const many = 1_000
const ids = (count = many) => Array.from({ length: count }, () => newId())
const [organizationId, adminId, readerId] = [newId(), newId(), newId()]
const [others, people, collections, spaces, requests, teams, sites] = [
  ids(),
  ids(),
  ids(),
  ids(),
  ids(5 * many),
  ids(200),
  ids(300),
]
const firstPage = { limit: 10, after: undefined }

before(async () => {
  await db.run(sql`
    insert into organizations (id, title, hostname)
    select id, 'Org', 'org-' || i from unnest(${[organizationId, ...others]}::uuid[]) with ordinality o (id, i)`)
  await db.run(sql`
    insert into users (id, email, display_name)
    select id, i || '@example.com', 'Person ' || i
    from unnest(${[adminId, readerId, ...people]}::uuid[]) with ordinality u (id, i)`)
  await db.run(sql`
    insert into members (organization_id, user_id, role)
    select ${organizationId}::uuid, id, case when id = ${adminId} then 'admin' else 'read' end
    from unnest(${[adminId, readerId, ...people]}::uuid[]) id
    union all select id, ${adminId}, 'admin' from unnest(${others}::uuid[]) id`)
  // Every tenth collection is at the top, the others are in it.
  await db.run(sql`
    insert into collections (organization_id, id, parent_id, title, position)
    select ${organizationId}::uuid, id, (${collections}::uuid[])[nullif(i - i % 10, i)], 'Collection', id::text
    from unnest(${collections}::uuid[]) with ordinality c (id, i)
    union all select id, gen_random_uuid(), null, 'Collection', 'a' from unnest(${others}::uuid[]) id`)
  await db.run(sql`
    insert into spaces (organization_id, id, collection_id, title, position)
    select ${organizationId}::uuid, id, (${collections}::uuid[])[i], 'Space', id::text
    from unnest(${spaces}::uuid[]) with ordinality s (id, i)
    union all select id, id, null, 'Space', 'a' from unnest(${others}::uuid[]) id`)
  await insertChangeRequests()
  await insertGrants()
  await db.run(sql`analyze`.asSlow())
})

/** Five in each space. The reader edited twenty of them and is asked to review them. */
async function insertChangeRequests(): Promise<void> {
  const inSpaces = sql`from (select request, 1 + i / ${many}::int as number, (${spaces}::uuid[])[1 + i % ${many}::int] as space
    from (select request, i::int - 1 as i from unnest(${requests}::uuid[]) with ordinality x (request, i)) x) x`
  await db.run(sql`
    insert into lines (organization_id, id, space_id, main_id, base_seq, head_seq, head_id)
    select ${organizationId}::uuid, space, space, null::uuid, null::int, 1, space from unnest(${spaces}::uuid[]) space
    union all select id, id, id, null, null, 1, id from unnest(${others}::uuid[]) id
    union all select ${organizationId}, request, space, space, 1, 1, request ${inSpaces}`)
  await db.run(sql`
    insert into change_requests (organization_id, id, space_id, number, line_id, status, created_by, revision_initial)
    select ${organizationId}, request, space, number, request, case number when 1 then 'open' else 'draft' end, ${adminId}, space
    ${inSpaces}`)
  const each = sql`from unnest(${requests}::uuid[]) with ordinality x (request, i)`
  const who = sql`case when i <= 20 then ${readerId}::uuid else ${adminId}::uuid end`
  await db.run(sql`
    insert into contributors (organization_id, change_request_id, user_id, action)
    select ${organizationId}, request, ${who}, 'edit' ${each}`)
  await db.run(sql`
    insert into requested_reviewers (organization_id, change_request_id, user_id, revision_id)
    select ${organizationId}, request, ${who}, request ${each}`)
}

/**
 * A tenth of all people is in every team, and the reader owns the first. On the first site everyone has a grant, most
 * of them an empty one.
 */
async function insertGrants(): Promise<void> {
  await db.run(sql`
    insert into teams (id, organization_id, title)
    select id, ${organizationId}::uuid, 'Team' from unnest(${teams}::uuid[]) id
    union all select id, id, 'Team' from unnest(${others}::uuid[]) id`)
  await db.run(sql`
    insert into team_members (organization_id, team_id, user_id, role)
    select ${organizationId}::uuid, team, person, 'member' from unnest(${teams}::uuid[]) team, unnest(${people.slice(0, many / 10)}::uuid[]) person
    union all select ${organizationId}, ${teams[0]}::uuid, ${readerId}::uuid, 'owner'
    union all select id, id, ${adminId}, 'owner' from unnest(${others}::uuid[]) id`)
  await db.run(sql`
    insert into sites (organization_id, id, title, basename, auth_key)
    select ${organizationId}, id, 'Site', id::text, 'x' from unnest(${sites}::uuid[]) id`)
  await db.run(sql`
    insert into site_member_grants (organization_id, site_id, user_id, role)
    select ${organizationId}, ${sites[0]}, id, case when i <= 20 then 'read' end
    from unnest(${people}::uuid[]) with ordinality p (id, i)`)
  await db.run(sql`
    insert into site_team_grants (organization_id, site_id, team_id, role)
    select ${organizationId}, site, team, 'read'
    from unnest(${sites.slice(1, 201)}::uuid[], ${teams}::uuid[]) x (site, team)`)
  // The last site shows some of the spaces, and each of the small organizations has one site with its only space.
  await db.run(sql`
    insert into sites (organization_id, id, title, basename, auth_key)
    select id, id, 'Site', 'site', 'x' from unnest(${others}::uuid[]) id`)
  await db.run(sql`
    insert into site_spaces (organization_id, site_id, id, space_id, path, position, is_default)
    select ${organizationId}::uuid, ${sites.at(-1)}::uuid, space, space, space::text, 'a', i = 1
    from unnest(${spaces.slice(0, 100)}::uuid[]) with ordinality x (space, i)
    union all select id, id, id, id, 'docs', 'a', true from unnest(${others}::uuid[]) id`)
  await db.run(sql`
    insert into team_grants (organization_id, space_id, team_id, role)
    select ${organizationId}, space, ${teams[0]}, 'read' from unnest(${spaces.slice(0, 3)}::uuid[]) space`)
  await db.run(sql`
    insert into team_grants (organization_id, collection_id, team_id, role)
    values (${organizationId}, ${collections[9]}, ${teams[1]}, 'read')`)
}

test('the role of a member on a space or collection is read from the collections around it and no others', async () => {
  const caller = { user: { id: readerId }, token: { id: newId() } } as Parameters<typeof findSpaceFor>[1]
  const [space, collection] = [spaces[14]!, { organization_id: organizationId, id: collections[9]! }]
  const asked: Record<string, (tx: Transaction) => Promise<unknown>> = {
    space: (tx) => findSpaceFor(tx, caller, space),
    collection: (tx) => findCollectionFor(tx, caller, collections[14]!),
    people: (tx) => listSpaceRoles(tx, { organization_id: organizationId, id: space }, [readerId]),
    role: (tx) => findRoleOn(tx, { type: 'space', organizationId, id: space }, readerId),
    within: (tx) => isWithin(tx, collection as Parameters<typeof isWithin>[1], collections[14]!),
  }
  for (const [what, read] of Object.entries(asked)) {
    const rows = await rowsReadOf(db, 'collections', async (tx) => assert.ok(await read(tx)))
    assert.ok(rows <= 4, `${what}: ${rows} collections`)
  }
})

test('people are found by address or id without reading all members of an organization', async () => {
  const addresses = ['5@example.com', '6@example.com']
  const asked: Record<string, (tx: Transaction) => Promise<unknown>> = {
    invited: async (tx) => assert.equal((await listMembersAmong(tx, organizationId, addresses)).size, 2),
    named: async (tx) => assert.equal((await findMembersNamed(tx, organizationId, addresses)).size, 2),
    seen: async (tx) => assert.ok(await findVisibleUser(tx, readerId, newId(), people[0]!)),
  }
  for (const [what, read] of Object.entries(asked)) {
    const rows = await rowsReadOf(db, 'members', read)
    assert.ok(rows <= 4, `${what}: ${rows} members`)
  }
})

test('pages found by a search are read without reading all spaces of an organization', async () => {
  const rows = await rowsReadOf(db, 'lines', async (tx) => {
    const found = [{ space_id: spaces[0]!, page_id: newId() }] as Parameters<typeof listFoundPages>[2]
    await listFoundPages(tx, organizationId, found)
  })
  assert.ok(rows <= 1, `${rows} lines`)
})

test('change requests of a person are found without reading those of others', async () => {
  for (const filter of [{ contributor: readerId }, { requestedReviewer: readerId }]) {
    const rows = await rowsHandled(db, async (watched) => {
      const asked = { statuses: ['open' as const], orderBy: 'updatedAt' as const, ...filter }
      const found = await listChangeRequestsOfSpaces(watched, organizationId, adminId, asked, firstPage)
      assert.deepEqual([found.rows.length, found.count], [11, 20])
    })
    assert.ok(rows <= many, `${Object.keys(filter).join()}: ${rows} rows`)
  }
})

test('a change request and the start of its merge are read without reading other lines and spaces', async () => {
  const [id, space] = [requests[7]!, spaces[7]!]
  const rows = await rowsHandled(db, async (watched) => {
    assert.equal((await findChangeRequest(watched, organizationId, space, id))?.main_id, space)
    assert.equal((await findToMerge(watched, { organization_id: organizationId, id }))?.main_id, space)
  })
  assert.ok(rows <= 100, `${rows} rows`)
})

test('teams that a person manages are found without reading the members of all teams', async () => {
  const rows = await rowsHandled(db, async (watched) => {
    const found = await listTeams(watched, organizationId, adminId, { owner: readerId }, firstPage)
    assert.deepEqual([found.rows.map(({ id }) => id), found.count], [[teams[0]], 1])
  })
  assert.ok(rows <= 3 * many, `${rows} rows`)
})

test('a team and a site are shown without reading all collections, or all spaces of the site, for every space', async () => {
  const admin = { organization: { id: organizationId }, userId: adminId, role: 'admin' } as Membership
  const asked: Record<string, (db: Db) => Promise<unknown>> = {
    team: async (watched) => assert.equal((await findTeam(watched, organizationId, teams[0]!, readerId))!.spaces, 3),
    site: async (watched) => assert.equal((await listRolesIn(watched, admin, sites.at(-1)!)).size, 100),
  }
  for (const [what, read] of Object.entries(asked)) {
    const rows = await rowsHandled(db, read)
    assert.ok(rows <= 40 * many, `${what}: ${rows} rows`)
  }
})

test('the spaces that a team opens through a collection are counted without reading other collections', async () => {
  for (const table of ['collections', 'spaces']) {
    const rows = await rowsReadOf(db, table, async (tx) =>
      assert.equal((await findTeam(tx, organizationId, teams[1]!, adminId))!.spaces, 10),
    )
    assert.ok(rows <= 20, `${rows} ${table}`)
  }
})

test('people who may open a site are listed without comparing each with everyone who has a grant', async () => {
  const rows = await rowsHandled(db, async (watched) => {
    const filter = { sort: 'joinedAt', order: 'asc' } as const
    const found = await listSitePermissions(
      watched,
      { organization_id: organizationId, id: sites[0]! },
      filter,
      firstPage,
    )
    assert.deepEqual([found.rows.length, found.count], [11, 22])
  })
  assert.ok(rows <= 50 * many, `${rows} rows`)
})

test('people who may open a space are listed without comparing each with everyone who has a grant', async () => {
  const id = spaces.at(-1)!
  await db.run(
    sql`update spaces set inherits = false, level = null where organization_id = ${organizationId} and id = ${id}`,
  )
  await db.run(sql`
    insert into member_grants (organization_id, space_id, user_id, role)
    select ${organizationId}::uuid, ${id}::uuid, id, case when i > ${many - 20}::int then 'read' end
    from unnest(${people}::uuid[]) with ordinality p (id, i)
    union all select ${organizationId}, space, ${readerId}, 'read' from unnest(${spaces.slice(0, -1)}::uuid[]) space
    union all select id, id, ${adminId}, 'admin' from unnest(${others}::uuid[]) id`)
  await db.run(sql`analyze member_grants`.asSlow())
  const rows = await rowsHandled(db, async (watched) => {
    const found = await listEffectiveRoles(watched, { type: 'space', organizationId, id }, {}, firstPage)
    assert.deepEqual([found.rows.length, found.count], [11, 21])
  })
  assert.ok(rows <= 50 * many, `${rows} rows`)
})

test('sites are listed for a member without reading everyone who is in a team or has a grant', async () => {
  const member = { organization: { id: organizationId }, userId: readerId, role: 'read' } as Membership
  const rows = await rowsHandled(db, async (watched) => {
    const found = await listSites(watched, member, {}, firstPage)
    assert.deepEqual([found.rows.length, found.count], [11, sites.length])
  })
  assert.ok(rows <= 10 * many, `${rows} rows`)
})

test('the site that publishes a space is found without reading sites that do not show it', async () => {
  const space = { organization_id: organizationId, id: spaces[3]! }
  await db.run(sql`update sites set published = true where organization_id = ${organizationId}`)
  await db.run(sql`analyze sites`.asSlow())
  const rows = await rowsReadOf(db, 'sites', async (tx) =>
    assert.equal((await findPublishedPlace(tx, space))?.site_basename, sites.at(-1)),
  )
  assert.ok(rows <= 4, `${rows} sites`)
})

test('one of very many change requests of a space is found without reading the others', async () => {
  const space = spaces[7]!
  const more = ids()
  await db.run(sql`
    insert into lines (organization_id, id, space_id, main_id, base_seq, head_seq, head_id)
    select ${organizationId}, id, ${space}, ${space}, 1, 1, id from unnest(${more}::uuid[]) id`)
  // The small organizations have one change request each.
  await db.run(sql`
    insert into change_requests (organization_id, id, space_id, number, line_id, status, created_by, revision_initial)
    select ${organizationId}::uuid, id, ${space}::uuid, 100 + i, id, 'open', ${adminId}::uuid, ${space}::uuid
    from unnest(${more}::uuid[]) with ordinality x (id, i)
    union all select id, id, id, 1, id, 'open', ${adminId}, id from unnest(${others}::uuid[]) id`)
  await db.run(sql`analyze change_requests, lines`.asSlow())
  const [id, row] = [requests[7]!, { organization_id: organizationId, id: space }]
  const asked: Record<string, (tx: Transaction) => Promise<unknown>> = {
    'by id': (tx) => findChangeRequest(tx, organizationId, space, id),
    'by number': (tx) => findChangeRequest(tx, organizationId, space, '107'),
    'in its space': (tx) => findChangeRequestIn(tx, space, id),
    'its content': (tx) => findHeadOfChangeRequest(tx, row as Parameters<typeof findHeadOfChangeRequest>[1], id),
  }
  for (const [what, read] of Object.entries(asked)) {
    const rows = await rowsReadOf(db, 'change_requests', async (tx) => assert.ok(await read(tx), what))
    assert.ok(rows <= 2, `${what}: ${rows} change requests`)
  }
})
