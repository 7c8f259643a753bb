// Roles on a space, a collection or a site, managed with a browser that runs no script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { type TestOrganization, aStranger, anOrganization } from '../../../test/factories.ts'
import { expect } from '../../../test/visitor.ts'
import { type Page, Person, tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()
const nothing = (await new Person(app).get('/app/x')).text

/** Things to give roles on, with their API paths and the paths of their access pages. */
async function things(org: TestOrganization) {
  const home = `/app/o/${org.id}`
  const make = async (what: string, body: object) =>
    expect(await org.admin.client.post(`/v1/orgs/${org.id}/${what}`, body), 201).id as string
  const collection = await make('collections', { title: 'Books' })
  const space = await make('spaces', { title: 'Tea', parent: collection })
  const site = await make('sites', { title: 'Shop' })
  return {
    space: { api: `/v1/spaces/${space}`, path: `${home}/s/${space}/~/access`, home: `${home}/s/${space}` },
    collection: { api: `/v1/collections/${collection}`, path: `${home}/c/${collection}/access`, home: `${home}/c/${collection}` }, // prettier-ignore
    site: { api: `/v1/orgs/${org.id}/sites/${site}`, path: `${home}/sites/${site}/access`, home: `${home}/sites/${site}` }, // prettier-ignore
  }
}

async function given({ admin }: TestOrganization, { api }: { api: string }) {
  const of = async (what: 'users' | 'teams') =>
    expect(await admin.client.get(`${api}/permissions/${what}`), 200).items as any[]
  const [users, teams] = [await of('users'), await of('teams')]
  return Object.fromEntries([
    ...users.filter(({ user }) => user.id !== admin.id).map((each) => [each.user.id, each.permission]),
    ...teams.map((each) => [each.team.id, each.permission]),
  ])
}

const aTeam = async ({ id, admin }: TestOrganization, title = 'Writers') =>
  expect(await admin.client.put(`/v1/orgs/${id}/teams`, { title, members: [] }), 201).id as string

test('the pages of a space, a collection or a site link to one another, whichever of them is open', async () => {
  const org = await anOrganization(app)
  const { space, collection, site } = await things(org)
  const admin = await signedIn(app, org.admin)
  const tabsAt = async (path: string) => {
    const [, tabs] =
      /<nav class="work-tabs" aria-label="Of this \w+">([^]*?)<\/nav>/.exec((await admin.get(path)).text) ?? []
    return {
      paths: [...(tabs ?? '').matchAll(/href="([^"]+)"/g)].map(([, href]) => href),
      current: /href="([^"]+)" aria-current="page"/.exec(tabs ?? '')?.[1],
    }
  }
  for (const paths of [
    ['', '/~/settings', '/~/access', '/~/git'].map((below) => space.home + below),
    ['', '/settings', '/access'].map((below) => collection.home + below),
    ['', '/access', '/insights'].map((below) => site.home + below),
  ])
    for (const path of paths) assert.deepEqual(await tabsAt(path), { paths, current: path })
})

for (const kind of ['space', 'collection', 'site'] as const) {
  test(`on a ${kind}, people and teams can be given a role, another one and none, despite double clicks and stale pages`, async () => {
    const org = await anOrganization(app)
    const thing = (await things(org))[kind]
    const { path } = thing
    const [member, team] = [await org.member('read'), await aTeam(org)]
    const admin = await signedIn(app, org.admin)
    assert.ok((await admin.get(thing.home)).text.includes(`href="${path}"`))
    const page = await admin.get(path)
    assert.ok(page.text.includes(`<option value="${member.id}"`) && page.text.includes(`<option value="${team}"`))
    for (const [of, fields] of [
      ['people', { user: member.id }],
      ['teams', { team }],
    ] as const) {
      const id = of === 'people' ? member.id : team
      const sent = { ...fields, role: 'create' }
      const [one] = await Promise.all([1, 2].map(() => admin.submit(page, `${path}/${of}`, sent)))
      const shown = await admin.follow(one!)
      assert.match(shown.text, /Access granted./)
      assert.ok(!shown.text.includes(`<option value="${id}"`))
      assert.equal((await given(org, thing))[id], 'create')
      const other = await admin.submit(page, `${path}/${of}`, { ...fields, role: 'read' })
      assert.deepEqual(
        [other.status, /role="alert">They already have the role “create” here/.test(other.text)],
        [409, true],
      )

      const shut = await admin.submit(shown, `${path}/${of}/${id}/role`, { role: 'none' })
      assert.match((await admin.follow(shut)).text, /Role changed\.[^]*<option value="none" selected>no access/)
      assert.equal((await given(org, thing))[id], null)
      // A stale page overwrites nothing, neither by changing the role nor by removing it.
      for (const action of ['role', 'remove']) {
        const late = await admin.submit(shown, `${path}/${of}/${id}/${action}`, { role: 'read' })
        assert.deepEqual([late.status, /role="alert">[^<]*it is “no access” now/.test(late.text)], [409, true], action)
      }
      assert.equal((await given(org, thing))[id], null)
      const back = await admin.get(path)
      const [gone] = await Promise.all([1, 2].map(() => admin.submit(back, `${path}/${of}/${id}/remove`)))
      assert.match((await admin.follow(gone!)).text, /Role removed\./)
      const lost = await admin.submit(back, `${path}/${of}/${id}/role`, { role: 'read' })
      assert.deepEqual([lost.status, /role="alert">It has been removed in the meantime/.test(lost.text)], [409, true])
    }
    assert.deepEqual(await given(org, thing), {})
  })
}

test('the role of everybody else is shown with its origin, and can be changed unless somebody changed it meanwhile', async () => {
  const org = await anOrganization(app)
  const { space, collection, site } = await things(org)
  const admin = await signedIn(app, org.admin)
  const level = async ({ api }: { api: string }) => expect(await org.admin.client.get(api), 200).defaultLevel
  const page = await admin.get(space.path)
  assert.match(page.text, new RegExp(`href="${collection.path}">Books</a>, or\\s+their role in the organization`))
  assert.match((await admin.get(collection.path)).text, /They have their role in the organization/)
  assert.doesNotMatch((await admin.get(site.path)).text, /name="level"/)

  const opened = await admin.submit(await admin.get(collection.path), `${collection.path}/everybody`, {
    level: 'comment',
  })
  assert.match(
    (await admin.follow(opened)).text,
    /Saved\.[^]*has the role <strong>comment<\/strong> here, including guests/,
  )
  assert.deepEqual([await level(collection), await level(space)], ['comment', 'comment'])
  assert.match((await admin.get(space.path)).text, /Books<\/a>, or\s+the role comment, which every member has/)
  const shut = await admin.submit(page, `${space.path}/everybody`, { level: 'none' })
  assert.match((await admin.follow(shut)).text, /Nobody else can open it./)
  assert.equal(await level(space), null)
  const late = await admin.submit(page, `${space.path}/everybody`, { level: 'edit' })
  assert.equal(late.status, 409)
  assert.match(late.text, /role="alert">[^<]*it is “no access” now[^]*<option value="edit" selected>/)
  await admin.submit(await admin.get(space.path), `${space.path}/everybody`, { level: 'inherit' })
  assert.equal(await level(space), 'comment')
})

test('nobody gives a role above their own, and an unknown role, member or team changes nothing and gets a message', async () => {
  const org = await anOrganization(app)
  const { space } = await things(org)
  const { path } = space
  const [maker, member] = [await org.member('create'), await org.member('read')]
  const person = await signedIn(app, maker)
  await aTeam(org)
  const page = await person.get(path)
  assert.doesNotMatch(page.text.replace(/<li>[^]*?<\/li>/g, ''), /<option value="admin"/)
  const stranger = (await aStranger(app)).id
  for (const [of, fields, status, says] of [
    ['people', { user: member.id, role: 'admin' }, 403, 'You may not give a role above your own.'],
    ['people', { user: member.id, role: 'king' }, 409, 'Choose one of the roles.'],
    ['people', { user: '', role: 'read' }, 409, 'Choose a person.'],
    ['people', { user: stranger, role: 'read' }, 400, 'This is not a member of this organization.'],
    ['teams', { team: newId(), role: 'read' }, 400, 'This is not a team of this organization.'],
    ['teams', { team: 'x', role: 'read' }, 409, 'Choose a team.'],
    ['everybody', { level: 'admin' }, 403, 'You may not set a level above your own role.'],
    ['everybody', { level: 'x' }, 409, 'Choose one of the roles.'],
  ] as const) {
    const refused = await person.submit(page, `${path}/${of}`, fields)
    assert.equal(refused.status, status, JSON.stringify(fields))
    assert.ok(refused.text.includes(`role="alert">${says}`), refused.text)
    if ('user' in fields && fields.user === member.id)
      assert.ok(refused.text.includes(`<option value="${member.id}" selected>`))
  }
  assert.deepEqual(await given(org, space), {})
})

test('people who remove their own right to manage access get a message on a page that they can still open', async () => {
  const org = await anOrganization(app)
  const { space } = await things(org)
  const guest = await org.member(null)
  const sent = { role: 'create', users: [guest.id] }
  expect(await org.admin.client.post(`${space.api}/permissions`, sent), 204)
  const person = await signedIn(app, guest)
  const page = await person.get(space.path)
  // A guest sees only people who were given a role here, and no teams.
  assert.doesNotMatch(page.text, /<span>Member<\/span>|<h2 id="teams">/)
  const { form } = tokenIn(page)
  const named = await person.post(`${space.path}/people`, { form, user: org.admin.id, role: 'read' })
  assert.deepEqual([named.status, named.text.includes('Choose a person.')], [409, true])
  assert.equal((await person.post(`${space.path}/teams`, { form, name: 'x', role: 'read' })).status, 403)
  const told = await person.submit(page, `${space.path}/people/${guest.id}/remove`)
  assert.match((await person.follow(told)).text, /You can no longer manage access there/)
  assert.equal((await person.get(space.path)).text, nothing)
})

test('with very many members and teams, people are chosen by email address and teams by name', async () => {
  const org = await anOrganization(app)
  const { site } = await things(org)
  const { path } = site
  const member = await org.member('read')
  const ids = Array.from({ length: 200 }, () => newId())
  await app.db.run(sql`insert into users (id, email, display_name)
    select id, id || '@example.net', 'Many' from unnest(${ids}::uuid[]) given (id)`)
  const twin = `${ids[0]}@example.net`
  await app.db.run(sql`update users set email = ${twin}, home_organization_id = ${org.id} where id = ${ids[1]!}`)
  await app.db.run(sql`insert into members (organization_id, user_id, role)
    select ${org.id}, id, 'read' from unnest(${ids}::uuid[]) given (id)`)
  await app.db.run(sql`insert into teams (organization_id, id, title)
    select ${org.id}, id, 'Twins' from unnest(${ids}::uuid[]) given (id)`)
  const team = await aTeam(org)
  const admin = await signedIn(app, org.admin)
  const page = await admin.get(path)
  assert.doesNotMatch(page.text, /name="user"|name="team"/)
  await admin.submit(page, `${path}/people`, { email: ` ${member.user.email.toUpperCase()}`, role: 'create' })
  await admin.submit(page, `${path}/teams`, { name: ' writers ', role: 'read' })
  assert.deepEqual(await given(org, site), { [member.id]: 'create', [team]: 'read' })
  for (const [name, says] of [
    ['Nobody', 'There is no team with this name.'],
    ['Twins', 'Several teams have this name.'],
  ] as const) {
    const refused = await admin.submit(page, `${path}/teams`, { name, role: 'read' })
    assert.equal(refused.status, 409)
    assert.ok(refused.text.includes(`role="alert">${says}`) && refused.text.includes(`name="name" value="${name}"`))
  }
  const several = await admin.submit(page, `${path}/people`, { email: twin, role: 'read' })
  assert.equal(several.status, 409)
  assert.match(
    several.text,
    /role="alert">Several accounts here have this address\.[^]*name="email" type="email" value="/,
  )
  for (const [table, column] of [
    [sql`site_member_grants`, sql`user_id`],
    [sql`site_team_grants`, sql`team_id`],
  ])
    // prettier-ignore
    await app.db.run(sql`insert into ${table} (organization_id, site_id, ${column}, role)
      select ${org.id}, ${path.split('/').at(-2)}, id, 'read' from unnest(${ids.slice(0, 60)}::uuid[]) given (id)`)
  const first = await admin.get(path)
  const [people, teams] = [...first.text.matchAll(/href="([^"]+)">Next</g)].map(([, to]) =>
    to!.replaceAll('&amp;', '&'),
  )
  const holdersIn = ({ text }: Page) => [...text.matchAll(/access\/(people|teams)\/([^/]+)\/role/g)].map(([, of, id]) => `${of} ${id}`) // prettier-ignore
  const shown = new Set([first, await admin.get(people!), await admin.get(teams!)].flatMap(holdersIn))
  assert.equal(shown.size, 61 + 61)
})

test('only people who manage access see and change who has which role', async () => {
  const org = await anOrganization(app)
  const all = await things(org)
  const [writer, target, team] = [await org.member('review'), await org.member('read'), await aTeam(org)]
  const person = await signedIn(app, writer)
  const admin = await signedIn(app, org.admin)
  const stranger = await signedIn(app, await aStranger(app))
  const { form } = tokenIn(await person.get('/account'))
  for (const { api, path, home } of Object.values(all)) {
    expect(await org.admin.client.post(`${api}/permissions`, { role: 'edit', users: [target.id] }), 204)
    const before = await given(org, { api })
    assert.equal((await person.get(path)).location, home)
    assert.doesNotMatch((await person.get(home)).text, />Access</)
    assert.equal((await stranger.get(path)).text, nothing)
    assert.match((await new Person(app).get(path)).location!, /^\/login/)
    const fields = { user: writer.id, team, role: 'read', level: 'read', seen: 'edit' }
    for (const action of ['people', 'teams', 'everybody', `people/${target.id}/role`, `people/${target.id}/remove`]) {
      const refused = await person.post(`${path}/${action}`, { form, ...fields })
      assert.deepEqual([refused.status, refused.text.includes(target.user.email)], [403, false], action)
      assert.match(refused.text, /You may not administer/)
      const theirs = tokenIn(await stranger.get('/account'))
      assert.equal((await stranger.post(`${path}/${action}`, { ...theirs, ...fields })).text, nothing)
      const own = tokenIn(await admin.get(path))
      const elsewhere = { origin: 'https://evil.example' }
      assert.equal((await admin.post(`${path}/${action}`, { ...own, ...fields }, elsewhere)).status, 403)
      assert.equal((await admin.post(`${path}/${action}`, { form: 'x.x', ...fields })).status, 403)
    }
    assert.deepEqual(await given(org, { api }), before)
  }
})

test('people who manage access see who can open something and why, by search and by role, and others see none of it', async () => {
  const org = await anOrganization(app)
  const { space, collection, site } = await things(org)
  const { client } = org.admin
  const [team, teamed, given, above, reader] = [
    await aTeam(org, 'Writers & co'),
    await org.member(null),
    await org.member(null),
    await org.member(null),
    await org.member('read'),
  ]
  expect(await client.put(`/v1/orgs/${org.id}/teams/${team}/members/${teamed.id}`, {}), 204)
  const give = async (api: string, body: object) => expect(await client.post(`${api}/permissions`, body), 204)
  for (const { api } of [space, site]) {
    await give(api, { teams: [team], role: 'edit' })
    await give(api, { users: [given.id], role: 'comment' })
  }
  await give(collection.api, { users: [above.id], role: 'review' })
  const whys = async (who: Person, path: string) => {
    const { text } = await who.get(path)
    const rows = [...text.matchAll(/<li>\s*<span class="row-main">[^]*?<\/li>/g)].map(
      ([row]) =>
      row.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ').trim(), // prettier-ignore
    )
    return rows.map((row) => /\S+@\S+ · (.*)/.exec(row)?.[1]).toSorted()
  }
  const admin = await signedIn(app, org.admin)
  assert.ok((await admin.get(space.path)).text.includes(`href="${space.path}/who"`))
  const onBoth = [
    'administrator of the organization admin',
    'given to the team “Writers &amp; co” here edit',
    'given to them here comment',
    'their role in the organization read',
  ]
  assert.deepEqual(await whys(admin, `${space.path}/who`), [...onBoth, 'given to them on the collection Books review'].toSorted()) // prettier-ignore
  assert.deepEqual(await whys(admin, `${site.path}/who`), onBoth)
  assert.deepEqual(await whys(admin, `${space.path}/who?role=edit`), onBoth.slice(1, 2))
  for (const each of [space, site]) {
    const { email } = expect(await given.client.get('/v1/user'), 200)
    assert.deepEqual(await whys(admin, `${each.path}/who?search=${encodeURIComponent(email)}`), onBoth.slice(2, 3))
  }
  expect(await client.patch(collection.api, { defaultLevel: 'read' }), 200)
  const everybody = 'what every member has on the collection Books read'
  assert.ok((await whys(admin, `${space.path}/who`)).includes(everybody))
  // A guest who manages roles there learns about no team, and about no collection that they may not see.
  await give(space.api, { users: [given.id], role: 'create' })
  expect(await client.patch(collection.api, { defaultLevel: null }), 200)
  const seen = await whys(await signedIn(app, given), `${space.path}/who`)
  assert.ok(seen.includes('given to one of their teams here edit'), seen.join('\n'))
  assert.ok(seen.includes('given to them on a collection around it review'), seen.join('\n'))
  assert.equal((await (await signedIn(app, teamed)).get(`${space.path}/who`)).location, space.home)
  assert.equal((await (await signedIn(app, reader)).get(`${site.path}/who`)).location, site.home)
  assert.equal((await (await signedIn(app, await aStranger(app))).get(`${space.path}/who`)).text, nothing)
})
