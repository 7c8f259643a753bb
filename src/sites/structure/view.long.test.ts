// Who sees which parts of a site's structure, and how they are presented.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aBuiltSite } from '../../../test/built-site.ts'
import { grant } from '../../../test/content.ts'
import { aStranger } from '../../../test/factories.ts'
import { sql } from '../../db/sql.ts'
import { purgeSpaces } from '../../spaces/purge.task.ts'

const app = await startApp()

test('only creators on a site change its structure, and adding a space needs the create role on that space, too', async () => {
  const { path, org, section, variant, newSpace, who, done } = await aBuiltSite(app)
  const one = await section('One')
  const v = await variant('V', one.id)
  const group = await done('POST', '/section-groups', { title: 'G' })
  const link = await done('POST', '/external-links', { title: 'Out', url: 'https://example.com' })
  const [reader, creator, stranger] = [await org.member('review'), await org.member('create'), await aStranger(app)]
  const spaceId = await newSpace('New')
  const calls: [method: string, path: string, body?: object][] = [
    ['POST', '/sections', { spaceId }],
    ['PATCH', `/sections/${one.id}`, { title: 'Changed' }],
    ['POST', `/sections/${one.id}/move`, {}],
    ['POST', '/section-groups', { title: 'Group' }],
    ['PATCH', `/section-groups/${group.id}`, { title: 'Changed' }],
    ['POST', `/section-groups/${group.id}/sections`, { sectionId: one.id }],
    ['DELETE', `/section-groups/${group.id}/sections/${one.id}`],
    ['POST', `/section-groups/${group.id}/move`, {}],
    ['DELETE', `/section-groups/${group.id}`],
    ['POST', '/external-links', { title: 'Out', url: 'https://example.com' }],
    ['PATCH', `/external-links/${link.id}`, { title: 'Changed' }],
    ['DELETE', `/external-links/${link.id}`],
    ['POST', `/site-spaces/${v.id}/duplicate`, { draft: true }],
    ['POST', '/site-spaces', { spaceId, sectionId: one.id }],
    ['PATCH', `/site-spaces/${v.id}`, { path: 'changed' }],
    ['POST', `/site-spaces/${v.id}/move`, {}],
    ['PATCH', '/structure/sort', { item: { type: 'site-space', id: v.id }, position: {} }],
    ['DELETE', `/site-spaces/${v.id}`],
    ['DELETE', `/sections/${one.id}`],
  ]
  const reads = ['/structure', '/published', '/sections', '/section-groups', '/site-spaces']
  for (const [method, rest, body] of calls) {
    assert.equal((await reader.client.send(method, path + rest, body)).status, 403, rest)
    assert.equal((await stranger.client.send(method, path + rest, body)).status, 404, rest)
  }
  for (const rest of reads) {
    assert.equal((await reader.client.get(path + rest)).status, 200)
    assert.equal((await stranger.client.get(path + rest)).status, 404)
  }
  await who.patch(`/v1/spaces/${spaceId}`, { defaultLevel: 'edit' })
  for (const [method, rest, body] of calls) {
    const { status, text } = await creator.client.send(method, path + rest, body)
    const needsSpace = body && 'spaceId' in body
    assert.ok(needsSpace ? status === 403 : status < 300, `${method} ${rest}: ${text}`)
  }
  await grant(who, { object: 'space', id: spaceId }, { users: [creator.id] }, 'create')
  assert.equal((await creator.client.post(`${path}/sections`, { spaceId })).status, 201)
})

test('a space hidden from the caller is nowhere in the site, and neither is a section with only such spaces', async () => {
  const { path, org, section, variant, spaces, shape, who, done } = await aBuiltSite(app)
  const [one, two] = [await section('One'), await section('Two')]
  const secret = await variant('Secret', one.id)
  await done('POST', '/section-groups', { title: 'G', sections: [two.id] })
  for (const title of ['Secret', 'Two']) await who.patch(`/v1/spaces/${spaces[title]}`, { defaultLevel: null })
  const { client } = await org.member('create')

  assert.equal(await shape(), 'One*(One* Secret) G[Two(Two*)]')
  assert.equal(await shape(client), 'One*(One*) G[]')
  const counts = ['sections', 'site-spaces', 'section-groups'].map(
    async (rest) => (await client.get(`${path}/${rest}`)).body.count,
  )
  assert.deepEqual(await Promise.all(counts), [1, 1, 1])
  assert.equal((await client.get(path)).body.siteSpaces, 1)
  assert.equal((await client.get(`${path}/published`)).body.site.siteSpaces, 1)
  assert.equal((await client.patch(`${path}/site-spaces/${secret.id}`, { path: 'x' })).status, 404)
  assert.equal((await client.delete(`${path}/sections/${two.id}`)).status, 404)
  for (const [body, where] of [
    [{ defaultSiteSection: two.id }, 'body.defaultSiteSection'],
    [{ defaultSiteSpace: secret.id }, 'body.defaultSiteSpace'],
  ] as const) {
    const refused = await client.patch(path, body)
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, where])
  }
  const add = await client.post(`${path}/site-spaces`, { spaceId: spaces.One, sectionId: two.id })
  assert.deepEqual([add.status, add.body.error.details[0].path], [400, 'body.sectionId'])
})

test('nothing can be sorted next to an item that is in the trash or hidden from the caller', async () => {
  const { path, org, section, variant, spaces, shape, who } = await aBuiltSite(app)
  const [one, two, three] = [await section('One'), await section('Two'), await section('Three')]
  const [secret, open, trashed] = [
    await variant('Secret', one.id),
    await variant('Open', one.id),
    await variant('Trashed', one.id),
  ]
  for (const title of ['Secret', 'Two']) await who.patch(`/v1/spaces/${spaces[title]}`, { defaultLevel: null })
  await who.delete(`/v1/spaces/${spaces['Trashed']}`)
  const before = await shape()
  const creator = (await org.member('create')).client

  const item = (each: any) => ({ type: each.object, id: each.id })
  const pointer = { 'site-space': 'siteSpace', 'site-section': 'siteSection' } as Record<string, string>
  for (const [client, moved, neighbour] of [
    [creator, open, secret],
    [creator, three, two],
    [creator, open, trashed],
    [who, open, trashed],
  ] as const) {
    const sorted = await client.patch(`${path}/structure/sort`, {
      item: item(moved),
      position: { before: item(neighbour) },
    })
    assert.deepEqual([sorted.status, sorted.body.error?.details[0].path], [400, 'body.position.before.id'])
    const [type, name] = [moved.object, pointer[moved.object]!]
    const answer = await client.post(`${path}/${type === 'site-space' ? 'site-spaces' : 'sections'}/${moved.id}/move`, {
      position: { after: { type, [name]: neighbour.id } },
    })
    assert.deepEqual([answer.status, answer.body.error?.details[0].path], [400, `body.position.after.${name}`])
  }
  assert.equal(await shape(), before)
  const sorted = await who.patch(`${path}/structure/sort`, { item: item(three), position: { before: item(two) } })
  assert.equal(sorted.status, 200, sorted.text)
})

test('a space in the trash leaves its site at once, returns to its place, and is purged along with a section it leaves empty', async () => {
  const { section, variant, spaces, shape, who, path, id, newSpace } = await aBuiltSite(app)
  const one = await section('One')
  await variant('A', one.id)
  await section('Two')
  const trash = (title: string) => who.delete(`/v1/spaces/${spaces[title]}`)
  const restore = (title: string) => who.post(`/v1/spaces/${spaces[title]}/restore`)

  await trash('One')
  assert.equal(await shape(), 'One*(A*) Two(Two*)')
  assert.equal((await who.get(path)).body.siteSpaces, 2)
  await trash('A')
  assert.equal(await shape(), 'Two*(Two*)')
  assert.equal((await who.get(`${path}/sections`)).body.count, 1)
  const added = await who.post(`${path}/site-spaces`, { spaceId: await newSpace('B') })
  assert.equal(added.body.path, 'b')
  assert.equal(await shape(), 'Two*(Two* B)')
  await restore('One')
  await restore('A')
  assert.equal(await shape(), 'One*(One* A) Two(Two* B)')

  await trash('One')
  await trash('Two')
  await app.db.run(
    sql`update spaces set deleted_at = now() - interval '8 days' where id = any (${[spaces.One, spaces.Two]})`,
  )
  await purgeSpaces.run({ db: app.db, log: app.app.log, store: app.app.store } as never)
  assert.equal(await shape(), 'One*(A*) Two(B*)')
  const rows = await app.db.all(sql<{ is_default: boolean }>`select is_default from site_spaces where site_id = ${id}`)
  assert.deepEqual(rows, [{ is_default: true }, { is_default: true }])

  await trash('A')
  await app.db.run(sql`update spaces set deleted_at = now() - interval '8 days' where id = ${spaces.A}`)
  await purgeSpaces.run({ db: app.db, log: app.app.log, store: app.app.store } as never)
  assert.equal(await shape(), 'Two*(B*)')
})

test('sections, spaces and groups are listed page by page in the order of the structure', async () => {
  const { section, variant, path, who, done } = await aBuiltSite(app)
  const [a, b, c] = [await section('Aa'), await section('Bb'), await section('Cc')]
  for (const title of ['V', 'W']) await variant(title, b.id)
  await done('POST', '/section-groups', { title: 'G', sections: [c.id, a.id] })
  await done('POST', '/section-groups', { title: 'H' })
  const walk = async (rest: string) => {
    const titles: string[] = []
    let page = ''
    do {
      const { body } = await who.get(`${path}/${rest}?limit=1${page}`)
      titles.push(...body.items.map((each: any) => each.title))
      page = body.next ? `&page=${encodeURIComponent(body.next.page)}` : ''
      assert.equal(body.count, (await who.get(`${path}/${rest}`)).body.items.length)
    } while (page)
    return titles
  }
  assert.deepEqual(await walk('sections'), ['Bb', 'Cc', 'Aa'])
  assert.deepEqual(await walk('site-spaces'), ['Bb', 'V', 'W', 'Cc', 'Aa'])
  assert.deepEqual(await walk('section-groups'), ['G', 'H'])
})

test('all addresses of a site contain an active share link key, and without one there are no addresses', async () => {
  const { section, path, who, done, org, spaces } = await aBuiltSite(app)
  const one = await section('One')
  const two = await section('Two')
  await done('PATCH', '', { visibility: 'share-link' })
  await done('POST', '/publish', undefined, 200)
  const link = await done('POST', '/share-links', { name: 'Partners' })
  const key = link.urls.published.split('/').at(-2)
  const base = `http://lectern.test/sites/${org.row.hostname}/site/${key}/`
  const addresses = async (query: string) => {
    const structure = (await who.get(`${path}/structure${query}`)).body.structure
    const { body: published } = await who.get(`${path}/published${query}`)
    assert.deepEqual(published.structure.structure, structure)
    return [
      published.site.urls.published,
      ...structure.flatMap((each: any) => [each.urls.published, each.siteSpaces[0].urls.published]),
      (await who.get(`${path}/sections${query}`)).body.items[1].urls.published,
      (await who.get(`${path}/site-spaces${query}`)).body.items[1].urls.published,
      (await who.get(`/v1/spaces/${spaces.Two}${query}`)).body.urls.published,
      structure[1].siteSpaces[0].space.urls.published,
    ]
  }
  const all = [base, base, base, ...Array.from({ length: 6 }, () => `${base}two/`)]
  assert.deepEqual(await addresses(`?shareKey=${key}`), all)
  const none = all.map(() => undefined)
  for (const query of ['', '?shareKey=wrong', `?shareKey=${'x'.repeat(43)}`]) {
    assert.deepEqual(await addresses(query), none)
  }
  await done('PATCH', `/share-links/${link.id}`, { active: false })
  assert.deepEqual(await addresses(`?shareKey=${key}`), none)
  await done('PATCH', '', { visibility: 'public' })
  assert.equal((await addresses(`?shareKey=${key}`))[0], base.replace(`${key}/`, ''))
  assert.ok(one.id && two.id)
})

test('a space read with a share link key is changed with If-Match, and is read anew once the key is switched off', async () => {
  const { section, who, done, spaces } = await aBuiltSite(app)
  await section('One')
  await done('PATCH', '', { visibility: 'share-link' })
  await done('POST', '/publish', undefined, 200)
  const link = await done('POST', '/share-links', { name: 'Partners' })
  const space = `/v1/spaces/${spaces.One}`
  const read = (tag = '') =>
    who.get(`${space}?shareKey=${link.urls.published.split('/').at(-2)}`, { 'if-none-match': tag })
  const tag = (await read()).headers.get('etag')!
  assert.equal((await read(tag)).status, 304)
  await done('PATCH', `/share-links/${link.id}`, { active: false })
  assert.equal((await read(tag)).status, 200)

  const change = (title: string) => who.patch(space, { title }, { 'if-match': tag })
  assert.deepEqual([(await change('Changed')).status, (await change('Again')).status], [200, 412])
})

test('Prefer: return=minimal gets 204 without a body, and the change is made', async () => {
  const { section, variant, path, who, newSpace, shape } = await aBuiltSite(app)
  const one = await section('One')
  const v = await variant('V', one.id)
  const prefer = { prefer: 'return=minimal' }
  const calls: [method: string, path: string, body: object][] = [
    ['PATCH', `/sections/${one.id}`, { title: 'Changed' }],
    ['PATCH', `/site-spaces/${v.id}`, { title: 'Changed, too' }],
    ['POST', '/site-spaces', { spaceId: await newSpace('W') }],
    ['PATCH', '/structure/sort', { item: { type: 'site-space', id: v.id }, position: {} }],
  ]
  for (const [method, rest, body] of calls) {
    const answer = await who.send(method, path + rest, body, prefer)
    assert.deepEqual(
      [answer.status, answer.text, answer.headers.get('preference-applied')],
      [204, '', 'return=minimal'],
    )
    assert.match(answer.headers.get('etag')!, /^"/)
  }
  assert.equal(await shape(), 'Changed*(One* W Changed, too)')
  assert.equal((await who.patch(`${path}/sections/${one.id}`, { title: 'x' }, prefer)).status, 400)
  const full = await who.patch(`${path}/sections/${one.id}`, { title: 'Again' }, { prefer: 'return=representation' })
  assert.equal(full.status, 200)
})

test('concurrent changes of a site are made one after the other, and all succeed', async () => {
  const { section, path, who, newSpace, id } = await aBuiltSite(app)
  await section('One')
  const spaceIds = [await newSpace('Same'), await newSpace('Same'), await newSpace('Same'), await newSpace('Same')]
  const answers = await Promise.all(spaceIds.map((spaceId) => who.post(`${path}/site-spaces`, { spaceId })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  )
  const paths = (await who.get(`${path}/site-spaces`)).body.items.map((each: any) => each.path)
  assert.deepEqual(paths.toSorted(), ['one', 'same', 'same-1', 'same-2', 'same-3'])
  const { version } = await app.db.one(sql<{ version: number }>`select version from sites where id = ${id}`)
  assert.equal(version, 1 + 1 + 4)
})
