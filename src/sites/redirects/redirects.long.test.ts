import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aSpace } from '../../../test/content.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { type TestSite, aSite } from '../../../test/sites.ts'
import { stateOf } from '../../../test/state.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { RedirectMatcher, matchOf, readPath } from './match.ts'
import { findMatching } from './queries.ts'

const app = await startApp()

const external = (url: string) => ({ kind: 'external', url })

/** A site with a page at /guides/setup. */
async function setUp() {
  const site = await aSite(app)
  const [guides] = idsOf(await site.space.edit(newPage('Guides')))
  const [setup] = idsOf(await site.space.edit(newPage('Setup', { into: guides })))
  const at = `${site.path}/redirects`
  const create = (source: string, destination: object, more: object = {}) =>
    site.who.post(at, { source, destination, ...more })
  const find = (source: string, more = '') =>
    site.who.get(`${site.path}/redirect?source=${encodeURIComponent(source)}${more}`)
  const toPage = (pageId: string) => ({ kind: 'site-page', siteSpaceId: site.siteSpaceId, pageId })
  return { site, at, create, find, toPage, guides: guides!, setup: setup! }
}

const addressOf = ({ org }: TestSite, basename: string) => `http://lectern.test/sites/${org.row.hostname}/${basename}/`

test('a redirect can be created, found, changed and deleted, and follows its page to a new path', async () => {
  const { site, at, create, find, toPage, setup } = await setUp()
  const { basename } = (await site.who.get(site.path)).body
  const made = await create('/Old/Setup', toPage(setup), { permanent: true })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(made.body, {
    object: 'site-redirect',
    id: made.body.id,
    source: '/Old/Setup',
    destination: toPage(setup),
    captureWildcard: false,
    permanent: true,
    draft: false,
    createdAt: made.body.createdAt,
    updatedAt: made.body.updatedAt,
  })
  const found = await find('/old/setup/')
  assert.deepEqual(found.body, { redirect: made.body, target: `${addressOf(site, basename)}guides/setup` })
  await site.space.edit({ operation: 'update_page', page: setup, metadata: { slug: 'start-here' } })
  assert.equal((await find('/old/setup')).body.target, `${addressOf(site, basename)}guides/start-here`)
  assert.equal((await find('/old')).status, 404)

  const changed = await site.who.patch(`${at}/${made.body.id}`, { source: '/older/*', captureWildcard: true })
  assert.deepEqual(
    [changed.body.source, changed.body.captureWildcard, changed.body.permanent, changed.body.destination],
    ['/older/*', true, true, toPage(setup)],
  )
  assert.equal((await find('/older/x/Y')).body.target, `${addressOf(site, basename)}guides/start-here/x/Y`)
  assert.deepEqual((await site.who.patch(`${at}/${made.body.id}`, {})).body, changed.body)
  await site.space.edit({ operation: 'delete_page', page: setup })
  assert.equal((await find('/older/x')).status, 404)
  assert.equal((await site.who.delete(`${at}/${made.body.id}`)).status, 205)
  assert.equal((await site.who.delete(`${at}/${made.body.id}`)).status, 404)
  const actions = await app.db.all(sql<{ action: string; fields: string[] | null }>`
    select action, fields from changes where organization_id = ${site.org.id} and target_type = 'site-redirect' order by id`)
  assert.deepEqual(
    actions.map(({ action, fields }) => [action.split('.')[1], fields]),
    [
      ['created', null],
      ['updated', ['source', 'captureWildcard']],
      ['removed', null],
    ],
  )
})

test('a redirect leads to a section, a space, a page by its path, or out of the site', async () => {
  const { site, create, toPage, guides, setup } = await setUp()
  const second = await aLiveSpace(app, site.org)
  const section = (await site.who.post(`${site.path}/sections`, { spaceId: second.id })).body
  const good: [object, object?][] = [
    [{ kind: 'site-section', siteSectionId: section.id }],
    [{ kind: 'site-space', siteSpaceId: site.siteSpaceId }],
    [toPage(guides)],
    [{ kind: 'path', spaceId: site.space.id, path: 'guides/setup' }, toPage(setup)],
    [{ kind: 'path', spaceId: site.space.id, path: '/guides/%73etup/' }, toPage(setup)],
    [
      { kind: 'path', spaceId: site.space.id, path: '' },
      { kind: 'site-space', siteSpaceId: site.siteSpaceId },
    ],
    [external('https://example.com/docs?a=b'), external('https://example.com/docs?a=b')],
  ]
  for (const [i, [destination, kept = destination]] of good.entries()) {
    const made = await create(`/old/${i}`, destination)
    assert.deepEqual([made.status, made.body.destination], [201, kept], made.text)
  }
  const other = await aSite(app, {}, site.org)
  const before = await stateOf(app.db)
  const bad: [object, string][] = [
    [{ kind: 'site-section', siteSectionId: newId() }, 'siteSectionId'],
    [{ kind: 'site-section' }, 'siteSectionId'],
    [{ kind: 'site-space', siteSpaceId: other.siteSpaceId }, 'siteSpaceId'],
    [{ kind: 'site-page', siteSpaceId: site.siteSpaceId }, 'pageId'],
    [toPage(newId()), 'pageId'],
    [toPage('x'), 'pageId'],
    [{ kind: 'path', spaceId: site.space.id, path: 'guides/nothing' }, 'path'],
    [{ kind: 'path', spaceId: site.space.id, path: '%zz' }, 'path'],
    [{ kind: 'path', spaceId: other.space.id, path: '' }, 'spaceId'],
    [{ kind: 'path', spaceId: 'x', path: '' }, 'spaceId'],
    [external('javascript:alert(1)'), 'url'],
    [external('//example.com'), 'url'],
    [external('https://name:word@example.com'), 'url'],
    [{ kind: 'external' }, 'url'],
    [{ kind: 'page' }, 'kind'],
    [{}, 'kind'],
  ]
  for (const [destination, field] of bad) {
    const refused = await create('/bad', destination)
    assert.deepEqual(
      [refused.status, refused.body.error?.details[0].path],
      [400, `body.destination.${field}`],
      JSON.stringify(destination),
    )
  }
  for (const source of ['', '/', 'old', '/a//b', '/a/*/b', '/a b', '/a?b', '/../a', `/${'x'.repeat(512)}`]) {
    const refused = await create(source, external('https://example.com'))
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.source'], source)
  }
  assert.deepEqual(await stateOf(app.db), before)
})

test('a source has one redirect in any of its spellings, and can have a draft beside it', async () => {
  const { site, at, create } = await setUp()
  const made = await create('/old/caf%C3%A9', external('https://example.com'))
  for (const source of ['/OLD/caf%c3%89', '/old/%63af%C3%A9']) {
    const refused = await create(source, external('https://example.com'))
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [409, 'body.source'], source)
  }
  const draft = await create('/old/caf%C3%A9', external('https://example.com/new'), { draft: true })
  assert.equal(draft.status, 201)
  const publish = await site.who.patch(`${at}/${draft.body.id}`, { draft: false })
  assert.equal(publish.status, 409)
  assert.equal((await site.who.patch(`${at}/${made.body.id}`, { source: '/OLD/caf%C3%A9' })).status, 200)
  await site.who.delete(`${at}/${made.body.id}`)
  assert.equal((await site.who.patch(`${at}/${draft.body.id}`, { draft: false })).body.draft, false)
  const stale = await site.who.patch(
    `${at}/${draft.body.id}`,
    { permanent: true },
    { 'if-match': made.headers.get('etag')! },
  )
  assert.equal(stale.status, 412)
})

test('redirect loops are refused: to itself, through others, by a wildcard, or by an address of the site', async () => {
  const { site, at, create, toPage, guides, setup } = await setUp()
  const { basename } = (await site.who.get(site.path)).body
  const own = addressOf(site, basename)
  const before = await stateOf(app.db)
  const loops: [string, object][] = [
    ['/guides/setup', toPage(setup)],
    ['/GUIDES/Setup', { kind: 'path', spaceId: site.space.id, path: 'guides/setup' }],
    ['/guides/*', toPage(setup)],
    ['/guides/*', toPage(guides)],
    ['/gui*', toPage(guides)],
    ['/*', { kind: 'site-space', siteSpaceId: site.siteSpaceId }],
    ['/a', external(`${own}a`)],
    ['/a', external(`${own.replace('http:', 'https:')}A/?x#y`)],
    ['/a/*', external(`${own}a/b`)],
    ['/*', external(own.slice(0, -1))],
  ]
  for (const [source, destination] of loops) {
    const refused = await create(source, destination, { captureWildcard: true })
    assert.deepEqual(
      [refused.status, refused.body.error?.details[0].path],
      [400, 'body.destination'],
      `${source} ${JSON.stringify(destination)}`,
    )
  }
  assert.deepEqual(await stateOf(app.db), before)

  assert.equal((await create('/a/*', external(`${own}b`), { captureWildcard: true })).status, 201)
  const b = await create('/b/x/*', external(`${own}c`))
  assert.equal(b.status, 201)
  assert.equal((await create('/c', external(`${own}a`))).status, 201)
  const middle = await stateOf(app.db)
  // `/b/*` matches what `/a/*` captured, and leads back there.
  const around = await create('/b/*', external(`${own}a`), { captureWildcard: true })
  assert.deepEqual([around.status, around.body.error.type], [409, 'conflict'], around.text)
  const changed = await site.who.patch(`${at}/${b.body.id}`, { source: '/b/*' })
  assert.equal(changed.status, 409)
  assert.deepEqual(await stateOf(app.db), middle)
  // The same as a draft does not affect readers.
  assert.equal((await create('/b', external(`${own}a`), { draft: true })).status, 201)
  assert.equal((await create('/elsewhere', external('https://example.com/elsewhere'))).status, 201)
})

test('many redirects can be written at once, each with its own result', async () => {
  const { site, at, find, toPage, setup } = await setUp()
  const bulk = (...redirects: object[]) => site.who.put(at, { redirects })
  const short = ({ body }: any) => body.results.map(({ status, source, draft }: any) => [status, source, draft])
  const first = await bulk(
    { source: '/a', destination: toPage(setup) },
    { source: '/b', destination: external('https://example.com'), intent: 'draft', permanent: true },
    { source: 'c', destination: toPage(setup) },
    { source: '/d', destination: toPage(newId()) },
    { source: '/guides/setup', destination: toPage(setup) },
    { source: '/e', destination: external('ftp://example.com') },
    { source: '/f', destination: null },
    { source: '/A', destination: external('https://example.com/a') },
    { source: '/g/*', destination: { kind: 'path', spaceId: site.space.id, path: 'guides' }, captureWildcard: true },
  )
  assert.equal(first.status, 200, first.text)
  assert.deepEqual(short(first), [
    ['created', '/a', false],
    ['created', '/b', true],
    ['error', 'c', false],
    ['error', '/d', false],
    ['error', '/guides/setup', false],
    ['error', '/e', false],
    ['error', '/f', false],
    ['updated', '/A', false],
    ['created', '/g/*', false],
  ])
  const { results } = first.body
  assert.equal(results[0].id, results[7].id)
  assert.match(results[3].error, /redirects\.3\.destination\.pageId/)
  const list = await site.who.get(`${at}?orderBy=source`)
  assert.deepEqual(
    list.body.items.map((item: any) => [item.source, item.destination.kind]),
    [
      ['/A', 'external'],
      ['/g/*', 'site-page'],
    ],
  )
  assert.equal((await find('/b')).status, 404)

  const second = await bulk(
    { source: '/b', intent: 'publish' },
    { source: '/b', intent: 'publish' },
    { source: '/a', intent: 'draft', destination: external('https://example.com/next') },
    { source: '/a', intent: 'publish' },
    { source: '/g/*', destination: null },
    { source: '/B', destination: external('https://example.com/b') },
  )
  assert.deepEqual(short(second), [
    ['published', '/b', false],
    ['error', '/b', false],
    ['created', '/a', true],
    ['published', '/a', false],
    ['deleted', '/g/*', false],
    ['updated', '/B', false],
  ])
  assert.equal((await find('/a')).body.target, 'https://example.com/next')
  const b = (await find('/b')).body
  assert.deepEqual([b.target, b.redirect.permanent], ['https://example.com/b', true])
  assert.equal((await site.who.get(at)).body.count, 2)
  assert.equal((await site.who.get(`${at}?draft=true`)).body.count, 0)
  for (const redirects of [
    [],
    [{ destination: null }],
    [{ source: '/a', intent: 'x' }],
    Array.from({ length: 501 }, () => ({ source: '/a' })),
  ]) {
    assert.equal((await site.who.put(at, { redirects })).status, 400)
  }
})

test('the list of redirects can be searched, ordered and paged', async () => {
  const { site, at } = await setUp()
  const sources = ['/c', '/a%5fb', '/B', '/d']
  for (const source of sources) {
    await site.who.post(at, { source, destination: external(`https://example.com/${source === '/d' ? 'Deep' : ''}`) })
  }
  const { items } = (await site.who.get(`${at}?search=%2Fc`)).body
  await site.who.patch(`${at}/${items[0].id}`, { permanent: true })
  const walk = async (query: string) => {
    const walked: string[] = []
    for (let page = ''; ;) {
      const { body } = await site.who.get(`${at}?limit=1&${query}${page}`)
      assert.equal(body.count, 4)
      walked.push(...body.items.map((item: any) => item.source))
      if (!body.next) return walked
      page = `&page=${body.next.page}`
    }
  }
  assert.deepEqual(await walk(''), ['/d', '/B', '/a%5fb', '/c'])
  assert.deepEqual(await walk('orderBy=updatedAt'), ['/c', '/d', '/B', '/a%5fb'])
  assert.deepEqual(await walk('orderBy=source'), ['/B', '/a%5fb', '/c', '/d'])
  const found = async (search: string) =>
    (await site.who.get(`${at}?search=${encodeURIComponent(search)}`)).body.items.map((item: any) => item.source)
  assert.deepEqual(await found('deep'), ['/d'])
  assert.deepEqual(await found('b'), ['/B', '/a%5fb'])
  // The decoded form is searched, too.
  assert.deepEqual(await found('_'), ['/a%5fb'])
})

test('a redirect to a space that the caller cannot see does not exist for them', async () => {
  const { site, at, create, toPage, setup } = await setUp()
  const made = await create('/old', toPage(setup))
  await create('/out', external('https://example.com'))
  const creator = await site.org.member('create')
  assert.equal((await creator.client.get(at)).body.count, 2)
  await site.who.patch(site.space.path, { defaultLevel: null })
  const { body } = await creator.client.get(at)
  assert.deepEqual([body.count, body.items.map((item: any) => item.source)], [1, ['/out']])
  assert.equal((await creator.client.get(`${site.path}/redirect?source=/old`)).status, 404)
  assert.equal((await creator.client.patch(`${at}/${made.body.id}`, { permanent: true })).status, 404)
  assert.equal((await creator.client.delete(`${at}/${made.body.id}`)).status, 404)
  const anew = { source: '/new', destination: toPage(setup) }
  assert.equal((await creator.client.post(at, anew)).status, 400)
  const redirects = [{ source: '/old', destination: null }]
  assert.equal((await creator.client.put(at, { redirects })).body.results[0].status, 'error')
  assert.equal((await site.who.get(at)).body.count, 2)
  // Users who manage the site still see redirects whose destination is gone.
  await site.who.delete(site.space.path)
  assert.equal((await site.who.get(at)).body.count, 2)
  assert.equal((await site.who.delete(`${at}/${made.body.id}`)).status, 205)
})

test('a redirect to a section of which the caller sees nothing does not exist for them', async () => {
  const { site, at, create } = await setUp()
  const other = await aSpace(site.who, site.org.id)
  const section = await site.who.post(`${site.path}/sections`, { spaceId: other.id, title: 'Other' })
  const made = await create('/old', { kind: 'site-section', siteSectionId: section.body.id })
  assert.equal(made.status, 201, made.text)
  const creator = await site.org.member('create')
  assert.equal((await creator.client.get(at)).body.count, 1)

  await site.who.patch(`/v1/spaces/${other.id}`, { defaultLevel: null })
  const { body } = await creator.client.get(at)
  assert.deepEqual([body.count, body.items], [0, []])
  assert.equal((await creator.client.patch(`${at}/${made.body.id}`, { permanent: true })).status, 404)
  assert.equal((await creator.client.delete(`${at}/${made.body.id}`)).status, 404)
  const redirects = [{ source: '/old', destination: null }]
  assert.equal((await creator.client.put(at, { redirects })).body.results[0].status, 'error')
  assert.equal((await site.who.get(at)).body.count, 1)
})

test('members see redirects but cannot change them without rights on the site, guests and strangers get 404', async () => {
  const { site, at, create } = await setUp()
  const { body } = await create('/old', external('https://example.com'))
  const people = [
    [await site.org.member('review'), 200, 403],
    [await site.org.member(null), 404, 404],
    [await aStranger(app), 404, 404],
  ] as const
  const before = await stateOf(app.db)
  for (const [{ client }, reads, writes] of people) {
    assert.equal((await client.get(at)).status, reads)
    assert.equal((await client.get(`${site.path}/redirect?source=/old`)).status, reads)
    const one = { source: '/new', destination: external('https://example.com') }
    assert.equal((await client.post(at, one)).status, writes)
    assert.equal((await client.put(at, { redirects: [one] })).status, writes)
    assert.equal((await client.patch(`${at}/${body.id}`, { permanent: true })).status, writes)
    assert.equal((await client.delete(`${at}/${body.id}`)).status, writes)
  }
  assert.deepEqual(await stateOf(app.db), before)
})

test('the database finds the same redirect as the pure matcher', async () => {
  const { site, at } = await setUp()
  const sources = ['/*', '/docs*', '/docs/*', '/docs/api/*', '/docs/api/v1', '/%C3%A9*', '/x%2A', '/docs/a-*', '/a%2Fb']
  const redirects = sources.map((source) => ({ source, destination: external('https://example.com') }))
  const { results } = (await site.who.put(at, { redirects })).body
  assert.deepEqual([...new Set(results.map(({ status }: any) => status))], ['created'])
  const pure = new RedirectMatcher(
    sources.map((source) => ({ source, match: matchOf(source)!, captureWildcard: false })),
  )
  const paths = ['/', '/docs', '/docs/', '/DOCS/api/V1/', '/docs/api/v1/x', '/docs/apiv1', '/docsx', '/docs/a-b/c']
  for (const path of [
    ...paths,
    '/%C3%89t%C3%A9',
    '/x*',
    '/x%2Ab',
    '/a/b',
    '/a%2fb',
    '/other',
    `/${'x'.repeat(3000)}`,
  ]) {
    const key = { organization_id: site.org.id, id: site.id }
    const found = await findMatching(app.db, key, false, readPath(path)!)
    assert.equal(found?.source, pure.find(path)?.redirect.source, path)
  }
})

test('the target of a redirect contains the share link key if that key is active', async () => {
  const { site, create, find, toPage, setup } = await setUp()
  await site.who.patch(site.path, { visibility: 'share-link' })
  const link = (await site.who.post(`${site.path}/share-links`, { name: 'Partners' })).body
  const key = new URL(link.urls.published).pathname.split('/').at(-2)!
  await create('/old', toPage(setup))
  assert.equal((await find('/old', `&shareKey=${key}`)).body.target, `${link.urls.published}guides/setup`)
  assert.equal((await find('/old', '&shareKey=wrong')).body.target.includes('wrong'), false)
})

test('concurrent requests create one redirect per source, and never both halves of a loop', async () => {
  const { site, create } = await setUp()
  const { basename } = (await site.who.get(site.path)).body
  const own = addressOf(site, basename)
  const same = await Promise.all(['/x', '/X', '/x', '/%78'].map((source) => create(source, external(`${own}y`))))
  assert.deepEqual(same.map(({ status }) => status).toSorted(), [201, 409, 409, 409])
  const refused = same.filter(({ status }) => status === 409)
  for (const { body } of refused) assert.equal(body.error.message, 'This path already has a redirect.')
  const halves = await Promise.all([create('/l', external(`${own}r`)), create('/r', external(`${own}l`))])
  assert.deepEqual(halves.map(({ status }) => status).toSorted(), [201, 409])
})
