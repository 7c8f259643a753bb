// External links among the sections of a site.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aBuiltSite } from '../../../test/built-site.ts'
import { stateOf } from '../../../test/state.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'

const app = await startApp()

const url = 'https://status.example.com/'
const sort = (id: string, position: object) => ({ item: { type: 'site-external-link', id }, position })

test('an external link has the fields that were set, and no others', async () => {
  const { done, section } = await aBuiltSite(app)
  await section('Guide')
  const bare = await done('POST', '/external-links', { title: 'Status', url: 'https://status.example.com' })
  assert.deepEqual(bare, { object: 'site-external-link', id: bare.id, title: 'Status', url, draft: false })

  const group = await done('POST', '/section-groups', { title: 'More' })
  const about = { title: 'Shop', url, description: 'Things to buy', icon: 'store', condition: 'visitor.claims.a' }
  const whole = await done('POST', '/external-links', { ...about, parent: group.id, draft: true })
  const { parent: _, ...rest } = { ...about, parent: group.id }
  assert.deepEqual(whole, {
    object: 'site-external-link',
    id: whole.id,
    ...rest,
    sectionGroup: group.id,
    draft: true,
  })
  const changed = await done('PATCH', `/external-links/${whole.id}`, {
    title: 'Store',
    url: 'http://shop.example.com/a?b#c',
    description: null,
    icon: null,
    condition: null,
    draft: false,
    parent: null,
  })
  assert.deepEqual(changed, {
    object: 'site-external-link',
    id: whole.id,
    title: 'Store',
    url: 'http://shop.example.com/a?b#c',
    draft: false,
  })
})

test('external links share one order with sections and groups, and with the sections inside a group', async () => {
  const { done, section, shape } = await aBuiltSite(app)
  const [a, b] = [await section('Aa'), await section('Bb')]
  const group = await done('POST', '/section-groups', { title: 'G', sections: [b.id] })
  const [one, two] = [
    await done('POST', '/external-links', { title: 'One', url }),
    await done('POST', '/external-links', { title: 'Two', url, parent: group.id }),
  ]
  assert.equal(await shape(), 'Aa*(Aa*) G[Bb(Bb*) ^Two] ^One')
  const moved = await done('PATCH', '/structure/sort', sort(one.id, { before: { type: 'site-section', id: a.id } }))
  assert.deepEqual([moved.object, moved.id], ['site-external-link', one.id])
  await done('PATCH', '/structure/sort', sort(two.id, { before: { type: 'site-section', id: b.id } }))
  assert.equal(await shape(), '^One Aa*(Aa*) G[^Two Bb(Bb*)]')
  await done('PATCH', '/structure/sort', {
    item: { type: 'site-section', id: a.id },
    position: { before: { type: 'site-external-link', id: one.id } },
  })
  assert.equal(await shape(), 'Aa*(Aa*) ^One G[^Two Bb(Bb*)]')

  await done('PATCH', `/external-links/${one.id}`, { parent: group.id })
  assert.equal(await shape(), 'Aa*(Aa*) G[^Two Bb(Bb*) ^One]', 'to the last place')
  await done('PATCH', `/external-links/${one.id}`, { parent: group.id })
  await done('POST', `/section-groups/${group.id}/sections`, { sectionId: a.id })
  await section('Cc')
  await done('PATCH', `/external-links/${two.id}`, { parent: null })
  assert.equal(await shape(), 'G[Bb(Bb*) ^One Aa*(Aa*)] ^Two Cc(Cc*)', 'right behind the group')
  await done('PATCH', `/external-links/${two.id}`, { parent: null })
  await done('DELETE', `/section-groups/${group.id}`, undefined, 205)
  assert.equal(await shape(), 'Bb(Bb*) ^One Aa*(Aa*) ^Two Cc(Cc*)', 'they stay where the group stood')
  await done('DELETE', `/external-links/${one.id}`, undefined, 205)
  assert.equal(await shape(), 'Bb(Bb*) Aa*(Aa*) ^Two Cc(Cc*)')
})

test('a group also lists its sections without external links, for clients that do not know links', async () => {
  const { done, section, who, path } = await aBuiltSite(app)
  const a = await section('Aa')
  const group = await done('POST', '/section-groups', { title: 'G', sections: [a.id] })
  await done('POST', '/external-links', { title: 'Out', url, parent: group.id })
  const kinds = (items: any[]) => items.map(({ object, title }) => [object, title])
  for (const shown of [
    (await who.get(`${path}/structure`)).body.structure[0],
    (await who.get(`${path}/published`)).body.structure.structure[0],
    (await who.get(`${path}/section-groups`)).body.items[0],
  ]) {
    assert.deepEqual(kinds(shown.sections), [['site-section', 'Aa']])
    assert.deepEqual(kinds(shown.children), [
      ['site-section', 'Aa'],
      ['site-external-link', 'Out'],
    ])
  }
})

test('adding an external link beside spaces at the root makes a section of them and keeps their addresses', async () => {
  const { done, shape, who, path } = await aBuiltSite(app, ['One', 'Two'])
  await done('POST', '/publish', undefined, 200)
  const addresses = async () =>
    (await who.get(`${path}/site-spaces`)).body.items.map(({ urls }: any) => urls.published) as string[]
  const before = await addresses()
  await done('POST', '/external-links', { title: 'Out', url })
  assert.equal(await shape(), 'Site*(One* Two) ^Out')
  assert.deepEqual(await addresses(), before)
})

test('a space added to a site with only external links gets a section of its own', async () => {
  const { done, shape, section, variant } = await aBuiltSite(app)
  await done('POST', '/external-links', { title: 'Out', url })
  assert.equal(await shape(), '^Out')
  await variant('A')
  assert.equal(await shape(), '^Out Site*(A*)', 'one letter is not enough for a title')
  const only = await section('Bb')
  assert.equal(await shape(), '^Out Site*(A*) Bb(Bb*)')
  await done('DELETE', `/sections/${only.id}`, undefined, 205)
})

test('an external link with an invalid address, a text too long or an unknown parent is refused and changes nothing', async () => {
  const { done, section, who, path, org } = await aBuiltSite(app)
  await section('Guide')
  const other = await aBuiltSite(app, [], org)
  const elsewhere = await other.done('POST', '/section-groups', { title: 'G' })
  const link = await done('POST', '/external-links', { title: 'Out', url })
  const good = { title: 'Good', url }
  const bad: [string, object][] = [
    ['body.title', { title: 'x' }],
    ['body.title', { title: 'x'.repeat(129) }],
    ['body.title', { title: 'two\nlines' }],
    ['body.url', { url: '' }],
    ['body.url', { url: '/here' }],
    ['body.url', { url: 'example.com' }],
    ['body.url', { url: 'javascript:alert(1)' }],
    ['body.url', { url: 'mailto:jo@example.com' }],
    ['body.url', { url: 'https://jo:secret@example.com/' }],
    ['body.url', { url: `https://example.com/${'x'.repeat(2048)}` }],
    ['body.url', { url: `https://example.com/${'ü'.repeat(1000)}` }],
    ['body.description', { description: 'x'.repeat(257) }],
    ['body.icon', { icon: 'x'.repeat(51) }],
    ['body.parent', { parent: newId() }],
    ['body.parent', { parent: 'x' }],
    ['body.parent', { parent: elsewhere.id }],
    ['body.condition', { condition: '1 +' }],
    ['body.draft', { draft: 'yes' }],
  ]
  const before = await stateOf(app.db)
  for (const [field, body] of bad) {
    for (const answer of [
      await who.post(`${path}/external-links`, { ...good, ...body }),
      await who.patch(`${path}/external-links/${link.id}`, body),
    ]) {
      assert.equal(answer.status, 400, `${field} ${answer.text}`)
      assert.equal(answer.body.error.details[0].path.replace(/\.\d$/, ''), field, answer.text)
    }
  }
  for (const missing of ['title', 'url']) {
    const { [missing as 'title']: _, ...rest } = good
    assert.equal((await who.post(`${path}/external-links`, rest)).status, 400)
  }
  for (const id of [newId(), 'x']) {
    assert.equal((await who.patch(`${path}/external-links/${id}`, { title: 'Xx' })).status, 404)
    assert.equal((await who.delete(`${path}/external-links/${id}`)).status, 404)
    assert.equal((await who.patch(`${path}/structure/sort`, sort(id, {}))).status, 404)
  }
  assert.deepEqual(await stateOf(app.db), before)
})

test('the address of an external link is stored as a browser would read it', async () => {
  const { done } = await aBuiltSite(app)
  for (const [typed, kept] of [
    [' https:example.com ', 'https://example.com/'],
    ['HTTPS://Example.COM/A b', 'https://example.com/A%20b'],
    ['https:\\\\example.com', 'https://example.com/'],
  ])
    assert.equal((await done('POST', '/external-links', { title: 'Out', url: typed })).url, kept)
})

test('the database refuses an external link with a javascript:, data:, relative or empty address', async () => {
  const { done, section } = await aBuiltSite(app)
  await section('Guide')
  const { id } = await done('POST', '/external-links', { title: 'Status', url })
  for (const other of ['javascript:alert(1)', 'data:text/html,x', '//x.example', ''])
    await assert.rejects(app.db.run(sql`update site_external_links set url = ${other} where id = ${id}`), /check/)
})

test('a site has at most two hundred external links', async () => {
  const { done, id, who, path, org } = await aBuiltSite(app)
  await app.db.run(sql`
    insert into site_external_links (organization_id, site_id, id, title, url, position)
    select ${org.id}, ${id}, gen_random_uuid(), 'Out', ${url}, 'a' || lpad(n::text, 3, '0') from generate_series(1, 199) n`)
  await done('POST', '/external-links', { title: 'Last', url })
  const { status, body } = await who.post(`${path}/external-links`, { title: 'More', url })
  assert.equal(status, 409)
  assert.match(body.error.message, /There are already 200 links among the sections/)
})

test('a stale ETag changes no external link, and Prefer: return=minimal gets an empty answer', async () => {
  const { done, who, path } = await aBuiltSite(app)
  const link = await done('POST', '/external-links', { title: 'Out', url })
  const to = `${path}/external-links/${link.id}`
  const first = await who.patch(to, { title: 'Second' })
  const tag = first.headers.get('etag')!
  await who.patch(to, { title: 'Third' })
  assert.equal((await who.patch(to, { title: 'Lost' }, { 'if-match': tag })).status, 412)
  assert.equal((await who.delete(to, { 'if-match': tag })).status, 412)
  const minimal = await who.send('PATCH', to, { title: 'Fourth' }, { prefer: 'return=minimal' })
  assert.deepEqual([minimal.status, minimal.text], [204, ''])
  const twice = () => who.post(`${path}/external-links`, { title: 'Once', url }, { 'idempotency-key': 'k' })
  assert.equal((await twice()).body.id, (await twice()).body.id)
  const { structure } = (await who.get(`${path}/structure`)).body
  assert.deepEqual(
    structure.map(({ title }: any) => title),
    ['Fourth', 'Once'],
  )
})

test('every change of an external link is in the audit log, and deleting the site deletes its links', async () => {
  const { done, who, path, org, id } = await aBuiltSite(app)
  const link = await done('POST', '/external-links', { title: 'Out', url })
  await done('PATCH', `/external-links/${link.id}`, { title: 'Elsewhere', draft: true })
  await done('POST', '/external-links', { title: 'Behind it', url })
  await done('PATCH', '/structure/sort', sort(link.id, {}))
  await done('DELETE', `/external-links/${link.id}`, undefined, 205)
  await done('POST', '/external-links', { title: 'Out', url })
  const { items } = (await who.get(`/v1/orgs/${org.id}/audit-events?target=${id}/${link.id}`)).body
  assert.deepEqual(
    items.map(({ action }: any) => action.id ?? action).toReversed(),
    ['added', 'updated', 'moved', 'removed'].map((each) => `site-external-link.${each}`),
  )
  assert.equal((await who.delete(path)).status, 205)
  assert.equal(
    (await app.db.one(sql<{ count: number }>`select count(*) from site_external_links where site_id = ${id}`)).count,
    0,
  )
})
