import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace, grant } from '../../test/content.ts'
import { aStranger, anOrganization } from '../../test/factories.ts'
import { aSite, grantOnSite } from '../../test/sites.ts'
import { stateOf } from '../../test/state.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'

const app = await startApp()

async function aSiteWithPeople() {
  const site = await aSite(app)
  const [creator, reader, guest] = [
    await site.org.member('create'),
    await site.org.member('read'),
    await site.org.member(null),
  ]
  return { ...site, creator, reader, guest, stranger: await aStranger(app) }
}

test('a new site is not published, and has a basename made from its title', async () => {
  const org = await anOrganization(app)
  const { client } = await org.member('create')
  const { status, body, text } = await client.post(`/v1/orgs/${org.id}/sites`, { title: 'Très Général' })

  assert.equal(status, 201, text)
  assert.deepEqual(
    [body.type, body.visibility, body.published, body.basename, body.siteSpaces, body.agentsContext, body.urls],
    [
      'basic',
      'public',
      false,
      'tres-general',
      0,
      'included',
      {
        location: `http://lectern.test/v1/orgs/${org.id}/sites/${body.id}`,
        app: `http://lectern.test/app/o/${org.id}/sites/${body.id}`,
      },
    ],
  )
  assert.equal(body.features.length, 28)
  assert.ok(body.features.every((each: any) => each.plan === 'basic' && each.frozen === false))
  assert.deepEqual((await client.get(`/v1/orgs/${org.id}/sites/${body.id}`)).body, body)
})

test('generated basenames are unique in the organization and never reserved words', async () => {
  const org = await anOrganization(app)
  const create = async (title?: string) =>
    (await org.admin.client.post(`/v1/orgs/${org.id}/sites`, title === undefined ? {} : { title })).body
  const basenames: string[] = []
  for (const title of ['Docs', 'docs!', 'Docs', 'App', 'x'.repeat(128), 'x'.repeat(128), '日本']) {
    basenames.push((await create(title)).basename)
  }
  const long = 'x'.repeat(100)
  assert.deepEqual(basenames, ['docs', 'docs-1', 'docs-2', 'app-1', long, `${'x'.repeat(98)}-1`, '日本'])
  assert.deepEqual([(await create()).title, (await create()).title], ['Untitled', 'Untitled 1'])

  // Basenames of another organization are independent.
  const other = await anOrganization(app)
  const made = await other.admin.client.post(`/v1/orgs/${other.id}/sites`, { title: 'Docs' })
  assert.equal(made.body.basename, 'docs')
})

test('sites with the same title created at the same time all get a basename of their own', async () => {
  const org = await anOrganization(app)
  const made = await Promise.all(
    Array.from({ length: 6 }, () => org.admin.client.post(`/v1/orgs/${org.id}/sites`, { title: 'Handbook' })),
  )
  const basenames = new Set(made.map(({ body }) => body.basename))
  assert.deepEqual([...new Set(made.map(({ status }) => status))], [201])
  assert.equal(basenames.size, 6)
})

test('a site starts with the spaces it is given, in their order, or with a new one', async () => {
  const org = await anOrganization(app)
  const who = org.admin.client
  const sites = `/v1/orgs/${org.id}/sites`
  const [one, two] = [await aSpace(who, org.id, { title: 'Guide' }), await aSpace(who, org.id, { title: 'Guide' })]
  const { body: site } = await who.post(sites, { title: 'Given', spaces: [two.id, one.id] })
  const { items } = (await who.get(`${sites}/${site.id}/site-spaces`)).body
  assert.equal(site.siteSpaces, 2)
  assert.deepEqual(
    items.map((each: any) => [each.space.id, each.path, each.default]),
    [
      [two.id, 'guide', true],
      [one.id, 'guide-1', false],
    ],
  )

  for (const [kind, title] of [
    ['sample', 'Welcome'],
    ['empty', 'Untitled'],
  ]) {
    const { body: made } = await who.post(sites, { title: `Made ${kind}`, spaces: kind })
    const [siteSpace] = (await who.get(`${sites}/${made.id}/site-spaces`)).body.items
    const { pages } = (await who.get(`/v1/spaces/${siteSpace.space.id}/content`)).body
    assert.deepEqual([siteSpace.title, pages.map((page: any) => page.title)], [`Made ${kind}`, [title]])
  }
})

test('creating a site needs the create role, also on its spaces, which must be of the organization', async () => {
  const org = await anOrganization(app)
  const [creator, editor] = [await org.member('create'), await org.member('edit')]
  const sites = `/v1/orgs/${org.id}/sites`
  const mine = await aSpace(creator.client, org.id)
  const readable = await aSpace(org.admin.client, org.id)
  await org.admin.client.patch(`/v1/spaces/${readable.id}`, { defaultLevel: 'read' })
  const secret = await aSpace(org.admin.client, org.id)
  await org.admin.client.patch(`/v1/spaces/${secret.id}`, { defaultLevel: null })
  const other = await anOrganization(app)
  const foreign = await aSpace(other.admin.client, other.id)
  const trashed = await aSpace(creator.client, org.id)
  await creator.client.delete(`/v1/spaces/${trashed.id}`)

  assert.equal((await editor.client.post(sites, { title: 'No' })).status, 403)
  assert.equal((await other.admin.client.post(sites, { title: 'No' })).status, 404)
  const before = await stateOf(app.db)
  assert.equal((await creator.client.post(sites, { spaces: [mine.id, readable.id] })).status, 403)
  for (const id of [secret.id, foreign.id, trashed.id, newId(), 'no-id', mine.id]) {
    const refused = await creator.client.post(sites, { spaces: [mine.id, id] })
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.spaces.1'], id)
  }
  assert.equal(await stateOf(app.db), before)
  assert.equal((await creator.client.post(sites, { spaces: [mine.id] })).status, 201)
})

test('members see sites, only creators change them, and guests and strangers find none', async () => {
  const { path, creator, reader, guest, stranger, org } = await aSiteWithPeople()
  const calls: [method: string, path: string, body?: object][] = [
    ['PATCH', '', { title: 'Changed' }],
    ['POST', '/publish'],
    ['POST', '/unpublish'],
    ['DELETE', ''],
  ]
  for (const who of [guest, stranger]) {
    assert.equal((await who.client.get(path)).status, 404)
    for (const [method, rest, body] of calls) {
      assert.equal((await who.client.send(method, path + rest, body)).status, 404)
    }
  }
  assert.deepEqual((await guest.client.get(`/v1/orgs/${org.id}/sites`)).body, { count: 0, items: [] })
  assert.equal((await reader.client.get(path)).status, 200)
  for (const [method, rest, body] of calls) {
    assert.equal((await reader.client.send(method, path + rest, body)).status, 403)
  }
  for (const [method, rest, body] of calls) {
    const { status, text } = await creator.client.send(method, path + rest, body)
    assert.ok(status < 300, text)
  }
  assert.equal((await creator.client.get(path)).status, 404)
  assert.equal((await stranger.client.get(path.replace(org.id, (await anOrganization(app)).id))).status, 404)
})

test('a role on a site overrides the role in the organization, and gives no access to its spaces', async () => {
  const site = await aSite(app)
  const [guest, creator] = [await site.org.member(null), await site.org.member('create')]
  await grantOnSite(site, { users: [guest.id] }, 'create')
  await grantOnSite(site, { users: [creator.id] }, null)

  const { status, body } = await guest.client.patch(site.path, { title: 'Mine now' })
  assert.deepEqual([status, body.siteSpaces], [200, 0])
  assert.equal((await guest.client.get(`/v1/spaces/${site.space.id}`)).status, 404)
  assert.equal((await creator.client.get(site.path)).status, 404)
  assert.equal((await creator.client.get(`/v1/orgs/${site.org.id}/sites`)).body.count, 0)
  assert.equal((await guest.client.get(`/v1/orgs/${site.org.id}/sites`)).body.count, 1)
})

test('sites can be filtered by title, state, type and space, page by page', async () => {
  const org = await anOrganization(app)
  const who = org.admin.client
  const sites = `/v1/orgs/${org.id}/sites`
  const space = await aSpace(who, org.id)
  const ids: string[] = []
  for (const [title, type] of [
    ['Docs one', 'basic'],
    ['100% docs', 'premium'],
    ['Help', 'basic'],
  ]) {
    ids.push((await who.post(sites, { title, type, spaces: title === 'Help' ? [] : [space.id] })).body.id)
  }
  await who.post(`${sites}/${ids[1]}/publish`)
  const found = async (query: string, client = who) => {
    const { body } = await client.get(`${sites}?${query}`)
    assert.equal(body.count, body.items.length)
    return body.items.map((each: any) => ids.indexOf(each.id))
  }

  assert.deepEqual(await found(''), [0, 1, 2])
  assert.deepEqual(await found('title=DOCS'), [0, 1])
  assert.deepEqual(await found('title=0%25'), [1])
  assert.deepEqual(await found('published=true'), [1])
  assert.deepEqual(await found('published=false'), [0, 2])
  assert.deepEqual(await found('type=premium'), [1])
  assert.deepEqual(await found(`space=${space.id}`), [0, 1])
  assert.deepEqual(await found(`space=${newId()}`), [])
  const first = (await who.get(`${sites}?limit=2`)).body
  assert.deepEqual([first.count, first.items.length], [3, 2])
  assert.deepEqual(
    (await who.get(`${sites}?limit=2&page=${first.next.page}`)).body.items.map((each: any) => each.id),
    [ids[2]],
  )

  await who.patch(`/v1/spaces/${space.id}`, { defaultLevel: null })
  const reader = await org.member('read')
  assert.deepEqual(
    await found(`space=${space.id}`, reader.client),
    [],
    'who may not see the space learns nothing of it',
  )
  assert.deepEqual(
    (await reader.client.get(sites)).body.items.map((each: any) => each.siteSpaces),
    [0, 0, 0],
  )
  await grant(who, space, { users: [reader.id] }, 'read')
  assert.deepEqual(await found(`space=${space.id}`, reader.client), [0, 1])
  await who.delete(`/v1/spaces/${space.id}`)
  assert.deepEqual(await found(`space=${space.id}`), [])
})

test('sites, teams and people are found with composed and with decomposed accents in their names', async () => {
  const org = await anOrganization(app)
  const who = org.admin.client
  const here = `/v1/orgs/${org.id}`
  const forms = ['NFC', 'NFD'] as const
  for (const form of forms) {
    await who.post(`${here}/sites`, { title: `Überblick ${form}`.normalize(form) })
    await who.put(`${here}/teams`, { title: `Überblick ${form}`.normalize(form) })
    const person = await org.member('read')
    await person.client.patch(`/v1/users/${person.id}`, { displayName: `Überblick ${form}`.normalize(form) })
  }
  for (const form of forms) {
    const part = encodeURIComponent('ÜBERBLICK'.normalize(form))
    for (const list of [`sites?title=${part}`, `teams?title=${part}`, `members?search=${part}`]) {
      assert.equal((await who.get(`${here}/${list}`)).body.count, 2, `${form} ${list}`)
    }
  }
})

test('every setting of a site can be changed without affecting the others', async () => {
  const { path, who } = await aSite(app)
  const settings = {
    title: 'New title',
    visibility: 'unlisted',
    basename: 'new-name',
    agentsContext: 'excluded',
    adaptiveContent: { enabled: true },
  }
  for (const [name, value] of Object.entries(settings)) {
    const { status, text } = await who.patch(path, { [name]: value })
    assert.equal(status, 200, text)
  }
  const host = `docs.${newId().slice(-12)}.example`
  await who.patch(path, { hostname: host, proxy: 'company.com/docs' })
  const { body } = await who.get(path)
  for (const [name, value] of Object.entries({ ...settings, hostname: host })) assert.deepEqual(body[name], value, name)
  assert.deepEqual(body.proxy, { origin: 'company.com/docs', target: `http://${host}/` })

  const { body: back } = await who.patch(path, { hostname: null, proxy: null })
  assert.deepEqual([back.hostname, back.proxy, back.title], [undefined, undefined, 'New title'])
})

test('a published site shows its address: the proxy, its own host, or a path below the main address', async () => {
  const { path, who, org } = await aSite(app, { title: 'Handbook' })
  const addressOf = async () => (await who.get(path)).body.urls.published
  assert.equal(await addressOf(), undefined)
  await who.post(`${path}/publish`)
  assert.equal(await addressOf(), `http://lectern.test/sites/${org.row.hostname}/handbook/`)
  const host = `docs.${newId().slice(-12)}.example`
  await who.patch(path, { hostname: host })
  assert.equal(await addressOf(), `http://${host}/`)
  await who.patch(path, { proxy: 'company.com/docs' })
  assert.equal(await addressOf(), 'https://company.com/docs/')
  await who.patch(path, { visibility: 'share-link' })
  assert.equal(await addressOf(), undefined, 'without its key there is no address to give away')
  await who.patch(path, { visibility: 'visitor-auth' })
  assert.equal(await addressOf(), 'https://company.com/docs/')
  await who.post(`${path}/unpublish`)
  assert.equal(await addressOf(), undefined)
})

test('a hostname belongs to one site of the instance', async () => {
  const [one, two] = [await aSite(app), await aSite(app)]
  const host = `docs.${newId().slice(-12)}.example`
  assert.equal((await one.who.patch(one.path, { hostname: host })).status, 200)
  const refused = await two.who.patch(two.path, { hostname: host })
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [409, 'body.hostname'])
  await one.who.patch(one.path, { hostname: null })
  assert.equal((await two.who.patch(two.path, { hostname: host })).status, 200)
})

test('a basename belongs to one site of its organization', async () => {
  const org = await anOrganization(app)
  const [one, two] = [await aSite(app, { title: 'One' }, org), await aSite(app, { title: 'Two' }, org)]
  const refused = await one.who.patch(one.path, { basename: 'two' })
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [409, 'body.basename'])
  assert.equal((await one.who.patch(one.path, { basename: 'one' })).status, 200, 'its own is no other’s')
  await two.who.delete(two.path)
  assert.equal((await one.who.patch(one.path, { basename: 'two' })).status, 200)
})

test('bad input gets 400 with the path of the fault and changes nothing', async () => {
  const { path, who, org, space } = await aSite(app)
  const sites = `/v1/orgs/${org.id}/sites`
  const bad: [method: string, path: string, body: unknown, where: string][] = [
    ['POST', sites, { title: 'x' }, 'body.title'],
    ['POST', sites, { title: '   ' }, 'body.title'],
    ['POST', sites, { title: 'x'.repeat(129) }, 'body.title'],
    ['POST', sites, { type: 'golden' }, 'body.type'],
    ['POST', sites, { visibility: 'private' }, 'body.visibility'],
    ['POST', sites, { spaces: 'some' }, 'body.spaces'],
    ['POST', sites, { spaces: [space.id, space.id] }, 'body.spaces.1'],
    ['POST', sites, { spaces: [7] }, 'body.spaces.0'],
    ['PATCH', path, { title: null }, 'body.title'],
    ['PATCH', path, { basename: '' }, 'body.basename'],
    ['PATCH', path, { basename: 'a/b' }, 'body.basename'],
    ['PATCH', path, { basename: 'a b' }, 'body.basename'],
    ['PATCH', path, { basename: 'v1' }, 'body.basename'],
    ['PATCH', path, { basename: '~x' }, 'body.basename'],
    ['PATCH', path, { basename: 'sitemap.xml' }, 'body.basename'],
    ['PATCH', path, { basename: '..' }, 'body.basename'],
    ['PATCH', path, { basename: 'x'.repeat(101) }, 'body.basename'],
    ['PATCH', path, { hostname: 'localhost' }, 'body.hostname'],
    ['PATCH', path, { hostname: 'Docs.Example.com' }, 'body.hostname'],
    ['PATCH', path, { hostname: 'docs.example.com:80' }, 'body.hostname'],
    ['PATCH', path, { hostname: 'docs.example.com\n' }, 'body.hostname'],
    ['PATCH', path, { hostname: '' }, 'body.hostname'],
    ['PATCH', path, { proxy: 'company.com' }, 'body.proxy'],
    ['PATCH', path, { proxy: 'https://company.com/docs' }, 'body.proxy'],
    ['PATCH', path, { proxy: 'company.com/docs/' }, 'body.proxy'],
    ['PATCH', path, { adaptiveContent: {} }, 'body.adaptiveContent.enabled'],
    ['PATCH', path, { agentsContext: 'maybe' }, 'body.agentsContext'],
    ['PATCH', path, { defaultSiteSpace: newId() }, 'body.defaultSiteSpace'],
    ['PATCH', path, { defaultSiteSection: newId() }, 'body.defaultSiteSection'],
    ['GET', `${sites}?space=mine`, undefined, 'query.space'],
    ['GET', `${sites}?published=perhaps`, undefined, 'query.published'],
    ['GET', `${sites}?title=%00`, undefined, 'query.title'],
  ]
  const before = await stateOf(app.db)
  for (const [method, where, body, fault] of bad) {
    const refused = await who.send(method, where, body)
    assert.equal(refused.status, 400, `${method} ${JSON.stringify(body)}: ${refused.text}`)
    assert.equal(refused.body.error.details[0].path, fault)
  }
  assert.equal(await stateOf(app.db), before)
})

test('a site cannot be published without a space, and a space in the trash does not count', async () => {
  const org = await anOrganization(app)
  const who = org.admin.client
  const { body: site } = await who.post(`/v1/orgs/${org.id}/sites`, { title: 'Empty' })
  const path = `/v1/orgs/${org.id}/sites/${site.id}`
  assert.equal((await who.post(`${path}/publish`)).status, 400)
  const space = await aSpace(who, org.id)
  await who.post(`${path}/site-spaces`, { spaceId: space.id })
  await who.delete(`/v1/spaces/${space.id}`)
  assert.equal((await who.post(`${path}/publish`)).status, 400)
  await who.post(`/v1/spaces/${space.id}/restore`)
  const { status, body } = await who.post(`${path}/publish`)
  assert.deepEqual([status, body.published], [200, true])
  assert.deepEqual((await who.post(`${path}/publish`)).body, body, 'once more changes nothing')
})

test('a change or deletion with a stale ETag is refused with 412', async () => {
  const { path, who } = await aSite(app)
  const tag = (await who.get(path)).headers.get('etag')!
  assert.equal((await who.patch(path, { title: 'Second' }, { 'if-match': tag })).status, 200)
  assert.equal((await who.patch(path, { title: 'Third' }, { 'if-match': tag })).status, 412)
  assert.equal((await who.delete(path, { 'if-match': tag })).status, 412)
  assert.equal((await who.get(path)).body.title, 'Second')
})

test('changes to a site and its spaces make a new version of the site, and changes to the site are recorded', async () => {
  const { path, who, org, id, space } = await aSite(app)
  const versionOf = async () =>
    (await app.db.one(sql<{ version: number }>`select version from sites where id = ${id}`)).version
  const steps: (() => Promise<{ status: number }>)[] = [
    () => who.patch(path, { title: 'New' }),
    () => who.post(`${path}/publish`),
    () => who.post(`${path}/unpublish`),
    () => who.patch(`/v1/spaces/${space.id}`, { title: 'Renamed' }),
    () => who.delete(`/v1/spaces/${space.id}`),
    () => who.post(`/v1/spaces/${space.id}/restore`),
    () => who.patch(`/v1/orgs/${org.id}`, { hostname: `h-${newId().slice(-12)}` }),
  ]
  for (const step of steps) {
    const before = await versionOf()
    const { status } = await step()
    assert.ok(status < 300)
    assert.equal(await versionOf(), before + 1, step.toString())
  }
  await who.delete(path)
  const rows = await app.db.all(sql<{ action: string }>`
    select action from changes where organization_id = ${org.id} and target_type = 'site' order by at, id`)
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['site.created', 'site.updated', 'site.published', 'site.unpublished', 'site.deleted'],
  )
})

test('an organization can name its default site, which is shown only to people who see that site', async () => {
  const site = await aSite(app)
  const { org, who } = site
  const [reader, other] = [await org.member('read'), await aSite(app)]
  const path = `/v1/orgs/${org.id}`
  const defaultContent = { type: 'site', site: site.id }
  const shownTo = async ({ client }: typeof reader) => [
    (await client.get(path)).body.defaultContent,
    (await client.get('/v1/orgs')).body.items[0].defaultContent,
  ]

  for (const id of [other.id, newId(), 'none']) {
    const refused = await who.patch(path, { defaultContent: { type: 'site', site: id } })
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.defaultContent.site'])
  }
  const { status, body } = await who.patch(path, { defaultContent })
  assert.deepEqual([status, body.defaultContent], [200, defaultContent])
  assert.deepEqual(await shownTo(reader), [defaultContent, defaultContent])
  await grantOnSite(site, { users: [reader.id] }, null)
  assert.deepEqual(await shownTo(reader), [undefined, undefined])
  assert.deepEqual(await shownTo(org.admin), [defaultContent, defaultContent])
  assert.equal((await who.patch(path, { title: 'Renamed org' })).body.defaultContent.site, site.id)
  assert.equal((await who.patch(path, { defaultContent: null })).body.defaultContent, undefined)
  await who.patch(path, { defaultContent })
  await who.delete(site.path)
  assert.deepEqual(await shownTo(org.admin), [undefined, undefined])
})

test('a space in a site cannot be transferred to another organization, alone or with its collection', async () => {
  const site = await aSite(app)
  const { org, who } = site
  const there = await anOrganization(app)
  const transfer = async (what: string) => {
    await app.db.run(sql`insert into members (organization_id, user_id, role)
      values (${there.id}, ${org.admin.id}, 'create') on conflict do nothing`)
    return who.post(`/v1/${what}/transfer`, { organization: there.id })
  }
  const collection = await aCollection(who, org.id)
  await who.post(`/v1/spaces/${site.space.id}/move`, { parent: collection.id })

  for (const what of [`spaces/${site.space.id}`, `collections/${collection.id}`]) {
    const refused = await transfer(what)
    assert.equal(refused.status, 409, refused.text)
    assert.match(refused.body.error.message, new RegExp(`Site ${org.canary}`))
  }
  await who.delete(site.path)
})

test('change requests can be filtered by the site of their space', async () => {
  const site = await aSite(app)
  const { org, who } = site
  const outside = await aSpace(who, org.id)
  const inside = await site.space.changeRequest()
  await who.post(`/v1/spaces/${outside.id}/change-requests`, {})
  const list = async (id: string, client = who) => {
    const { body } = await client.get(`/v1/orgs/${org.id}/change-requests?status=draft&site=${id}`)
    return body.items.map((each: any) => each.id)
  }
  assert.deepEqual(await list(site.id), [inside.id])
  assert.deepEqual(await list(newId()), [])
  const reader = await org.member('read')
  await grantOnSite(site, { users: [reader.id] }, null)
  assert.deepEqual(await list(site.id, reader.client), [], 'a site that one may not see is none')
})
