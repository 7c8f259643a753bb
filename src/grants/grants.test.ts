import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace, grant } from '../../test/content.ts'
import { type TestPerson, aStranger, anOrganization } from '../../test/factories.ts'
import { stateOf } from '../../test/state.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'

const app = await startApp()

for (const object of ['space', 'collection'] as const) {
  const setUp = async () => {
    const org = await anOrganization(app)
    const thing = await (object === 'space' ? aSpace : aCollection)(org.admin.client, org.id)
    const at = `/v1/${object}s/${thing.id}/permissions`
    const people = async (who = org.admin) =>
      Object.fromEntries(
        (await who.client.get(`${at}/users`)).body.items.map((item: any) => [item.user.id, item.permission]),
      )
    const team = async (...members: TestPerson[]) =>
      (await org.admin.client.put(`/v1/orgs/${org.id}/teams`, { title: 'Team', members: members.map(({ id }) => id) }))
        .body
    return { org, thing, at, people, team }
  }

  test(`${object}: a role is granted, changed and revoked`, async () => {
    const { org, thing, at, people } = await setUp()
    const guest = await org.member(null)
    const see = async () => (await guest.client.get(`/v1/${object}s/${thing.id}`)).status
    assert.equal(await see(), 404)
    assert.equal((await org.admin.client.post(at, { users: [guest.id], role: 'edit' })).status, 204)
    assert.deepEqual(await people(), { [org.admin.id]: 'admin', [guest.id]: 'edit' })
    assert.equal(await see(), 200)
    assert.equal((await org.admin.client.patch(`${at}/users/${guest.id}`, {})).status, 204)
    assert.equal((await org.admin.client.patch(`${at}/users/${guest.id}`, { role: null })).status, 204)
    assert.deepEqual(await people(), { [org.admin.id]: 'admin', [guest.id]: null })
    assert.equal(await see(), 404)
    assert.equal((await org.admin.client.delete(`${at}/users/${guest.id}`)).status, 205)
    assert.deepEqual(await people(), { [org.admin.id]: 'admin' })
    assert.equal((await org.admin.client.delete(`${at}/users/${guest.id}`)).status, 404)
    assert.equal((await org.admin.client.patch(`${at}/users/${guest.id}`, { role: 'read' })).status, 404)
    const actions = await app.db.all(sql<{ action: string }>`
      select action from changes where organization_id = ${org.id} and target_type = ${`${object}-permission`} order by id`)
    assert.deepEqual(
      actions.map(({ action }) => action),
      [`${object}.granted`, `${object}.granted`, `${object}.revoked`],
    )
  })

  test(`${object}: the members of a team have the role granted to the team, until it is revoked`, async () => {
    const { org, thing, at, team } = await setUp()
    const [reader, guest] = [await org.member('read'), await org.member(null)]
    const made = await team(guest)
    const see = async () => (await guest.client.get(`/v1/${object}s/${thing.id}`)).status
    await grant(org.admin.client, thing, { teams: [made.id] }, 'comment')
    assert.equal(await see(), 200)
    const { body } = await org.admin.client.get(`${at}/teams`)
    assert.deepEqual(
      [body.count, body.items.map((item: any) => [item.permission, item.team.id, item.team.members])],
      [1, [['comment', made.id, 1]]],
    )
    const shown = await org.admin.client.get(`/v1/orgs/${org.id}/teams/${made.id}`)
    assert.equal(shown.body.spaces, object === 'space' ? 1 : 0)
    assert.equal((await org.admin.client.patch(`${at}/teams/${made.id}`, { role: 'review' })).status, 204)
    const everybody = await org.admin.client.get(`${at}/aggregate?role=review`)
    assert.deepEqual(
      everybody.body.items.map((item: any) => [item.permission, item.user.id]),
      [['review', guest.id]],
    )
    assert.equal(everybody.body.count, 1)
    const { email } = (await guest.client.get('/v1/user')).body
    const found = await org.admin.client.get(`${at}/aggregate?search=${encodeURIComponent(email.toUpperCase())}`)
    assert.deepEqual([found.body.count, found.body.items[0].user.id], [1, guest.id])
    assert.equal((await org.admin.client.delete(`${at}/teams/${made.id}`)).status, 205)
    assert.equal((await org.admin.client.delete(`${at}/teams/${made.id}`)).status, 404)
    assert.equal(await see(), 404)
    assert.equal((await reader.client.get(`${at}/teams`)).status, 403)
  })

  test(`${object}: only members with the create role there manage roles, and grant none above their own`, async () => {
    const { org, thing, at, team } = await setUp()
    const [creator, reviewer, guest] = [await org.member('create'), await org.member('review'), await org.member(null)]
    const [stranger, made] = [await aStranger(app), await team(reviewer)]
    const calls = (who: TestPerson): Promise<{ status: number }>[] => [
      who.client.get(`${at}/users`),
      who.client.get(`${at}/teams`),
      who.client.get(`${at}/aggregate`),
      who.client.post(at, { users: [guest.id], role: 'read' }),
      who.client.patch(`${at}/users/${org.admin.id}`, { role: 'read' }),
      who.client.delete(`${at}/users/${org.admin.id}`),
      who.client.patch(`${at}/teams/${made.id}`, { role: 'read' }),
      who.client.delete(`${at}/teams/${made.id}`),
    ]
    const before = await stateOf(app.db)
    for (const [who, status] of [
      [reviewer, 403],
      [guest, 404],
      [stranger, 404],
    ] as const) {
      for (const call of calls(who)) assert.equal((await call).status, status)
    }
    for (const role of ['admin'] as const) {
      assert.equal((await creator.client.post(at, { users: [guest.id], role })).status, 403)
      assert.equal((await creator.client.post(at, { teams: [made.id], role })).status, 403)
      assert.equal((await creator.client.patch(`${at}/users/${org.admin.id}`, { role })).status, 403)
    }
    assert.equal(await stateOf(app.db), before)
    assert.equal((await creator.client.post(at, { users: [guest.id], role: 'create' })).status, 204)
    // A guest sees no teams, whatever their role here.
    assert.equal((await guest.client.post(at, { users: [reviewer.id], role: 'read' })).status, 204)
    assert.equal((await guest.client.get(`${at}/teams`)).status, 403)
    assert.equal((await guest.client.post(at, { teams: [made.id], role: 'read' })).status, 403)
    assert.equal((await reviewer.client.get(`/v1/${object}s/${thing.id}`)).body.permissions.admin, false)
  })

  test(`${object}: a grant with an unknown person, team or role is refused with the field, and nothing is granted`, async () => {
    const { org, at } = await setUp()
    const [member, stranger] = [await org.member('read'), await aStranger(app)]
    const wrong: [object, string][] = [
      [{ role: 'read' }, 'body.users'],
      [{ users: [member.id] }, 'body.role'],
      [{ role: 'owner', users: [member.id] }, 'body.role'],
      [{ role: 'read', users: [] }, 'body.users'],
      [{ role: 'read', users: [member.id], teams: [newId()] }, 'body.teams'],
      [{ role: 'read', users: [member.id, stranger.id] }, 'body.users.1'],
      [{ role: 'read', users: [member.id, 'x'] }, 'body.users.1'],
      [{ role: 'read', teams: [newId()] }, 'body.teams.0'],
    ]
    const before = await stateOf(app.db)
    for (const [body, path] of wrong) {
      const refused = await org.admin.client.post(at, body)
      assert.deepEqual([refused.status, refused.body.error.details?.[0].path], [400, path], JSON.stringify(body))
    }
    assert.equal(await stateOf(app.db), before)
  })

  test(`${object}: roles of people and teams are listed page by page`, async () => {
    const { org, thing, at, team } = await setUp()
    const members = [await org.member('read'), await org.member('read'), await org.member(null)]
    const teams = [await team(), await team(), await team()]
    for (const { id } of members) await grant(org.admin.client, thing, { users: [id] }, 'read')
    for (const { id } of teams) await grant(org.admin.client, thing, { teams: [id] }, 'read')
    const walk = async (path: string) => {
      const ids: string[] = []
      for (let next = ''; ;) {
        const { body } = await org.admin.client.get(`${at}/${path}?limit=1${next}`)
        ids.push(...body.items.map((item: any) => (item.user ?? item.team).id))
        if (!body.next) {
          assert.equal(body.count, ids.length)
          return ids
        }
        next = `&page=${body.next.page}`
      }
    }
    const people = [org.admin, ...members].map(({ id }) => id)
    assert.deepEqual(await walk('users'), people)
    assert.deepEqual(await walk('aggregate'), people)
    assert.deepEqual(
      await walk('teams'),
      teams.map(({ id }) => id),
    )
  })

  test(`${object}: changing and revoking a role takes the current ETag of the ${object} in If-Match, and no other`, async () => {
    const { org, thing, at, people, team } = await setUp()
    const [member, made] = [await org.member('read'), await team()]
    await grant(org.admin.client, thing, { users: [member.id] }, 'read')
    await grant(org.admin.client, thing, { teams: [made.id] }, 'read')
    const { client } = org.admin
    const tag = async () => (await client.get(`/v1/${object}s/${thing.id}`)).headers.get('etag')!
    const stale = await tag()
    assert.equal((await client.patch(`/v1/${object}s/${thing.id}`, { title: 'Other' })).status, 200)
    const current = await tag()
    assert.notEqual(current, stale)

    const holders = [`users/${member.id}`, `teams/${made.id}`]
    const before = await stateOf(app.db)
    for (const other of [stale, `W/${current}`, current.slice(1, -1), '"other"', '']) {
      for (const holder of holders) {
        const changed = await client.patch(`${at}/${holder}`, { role: 'edit' }, { 'if-match': other })
        const revoked = await client.delete(`${at}/${holder}`, { 'if-match': other })
        assert.deepEqual([changed.status, revoked.status], [412, 412], `${holder} ${other}`)
        assert.equal(changed.body.error.type, 'precondition_failed')
      }
    }
    assert.equal(await stateOf(app.db), before)

    for (const good of [current, `"other", ${current}`, '*']) {
      for (const holder of holders) {
        assert.equal((await client.patch(`${at}/${holder}`, { role: 'edit' }, { 'if-match': good })).status, 204)
      }
    }
    assert.equal((await people())[member.id], 'edit')
    for (const holder of holders) {
      assert.equal((await client.delete(`${at}/${holder}`, { 'if-match': current })).status, 205)
    }
    assert.deepEqual(await people(), { [org.admin.id]: 'admin' })
  })
}
