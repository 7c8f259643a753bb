import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { grant } from '../../../test/content.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { type TestSite, aSite } from '../../../test/sites.ts'
import { stateOf } from '../../../test/state.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { defaults } from './defaults.ts'

const app = await startApp()

const lookAt = (site: TestSite) => `${site.path}/customization`
const ofSpace = (site: TestSite, id = site.siteSpaceId) => `${site.path}/site-spaces/${id}/customization`
const blue = { light: '#00f', dark: '#AABBFF' }
const linkTo = (to: object | null) => ({ header: { links: [{ title: 'Link', to, links: [] }] } })

test('a site starts with the default look, and setting a look replaces all former settings', async () => {
  const site = await aSite(app)
  const first = await site.who.get(`${lookAt(site)}?unmasked=true`)
  assert.equal(first.status, 200, first.text)
  assert.deepEqual(first.body, defaults)

  const set = await site.who.put(lookAt(site), {
    title: 'Handbook',
    localizedTitle: { fr: 'Manuel' },
    styling: { primaryColor: blue, sidebar: { list: 'pill' }, tint: { color: blue } },
    favicon: { emoji: '📘' },
    themes: { default: 'dark' },
  })
  assert.equal(set.status, 200, set.text)
  const { updatedAt, ...look } = set.body
  assert.ok(updatedAt)
  assert.deepEqual(look, {
    ...defaults,
    title: 'Handbook',
    localizedTitle: { fr: 'Manuel' },
    styling: {
      ...defaults.styling,
      primaryColor: blue,
      sidebar: { background: 'default', list: 'pill' },
      tint: { color: blue },
    },
    favicon: { emoji: '📘' },
    themes: { default: 'dark', toggeable: true },
  })
  const read = await site.who.get(lookAt(site))
  assert.deepEqual(read.body, set.body)
  assert.equal(read.headers.get('etag'), set.headers.get('etag'))
  // The look can be sent back as it was read.
  const again = await site.who.put(lookAt(site), read.body, { 'if-match': read.headers.get('etag')! })
  assert.deepEqual(again.body, read.body)

  const other = await site.who.put(lookAt(site), { pagination: { enabled: false } })
  assert.deepEqual(
    { ...other.body, updatedAt: undefined },
    { ...defaults, pagination: { enabled: false }, updatedAt: undefined },
  )
  const kept = await app.db.one(sql<{ customization: object }>`select customization from sites where id = ${site.id}`)
  assert.deepEqual(kept.customization, { pagination: { enabled: false } })
})

test('unknown fields of a look are ignored at every depth, including AI and scripts', async () => {
  const site = await aSite(app)
  const set = await site.who.put(lookAt(site), {
    script: '<script>',
    styling: { css: 'x', sidebar: { x: 1 } },
    favicon: { other: 1 },
    header: {
      html: '<b>',
      links: [{ title: 'A', to: { kind: 'url', url: 'https://a.example', x: 1 }, links: [], x: 1 }],
    },
    socialAccounts: [{ platform: 'github', handle: 'x', x: 1 }],
    ai: { mode: 'assistant', instructions: 'x' },
  })
  assert.equal(set.status, 200, set.text)
  assert.deepEqual(set.body.ai, { mode: 'none' })
  assert.deepEqual(set.body.favicon, {})
  const kept = await app.db.one(sql<{ customization: object }>`select customization from sites where id = ${site.id}`)
  assert.deepEqual(kept.customization, {
    header: { links: [{ title: 'A', to: { kind: 'url', url: 'https://a.example' }, links: [] }] },
    socialAccounts: [{ platform: 'github', handle: 'x', display: { footer: true, header: false } }],
  })
})

test('every social account of a look says where it is displayed, even if that was left out', async () => {
  const site = await aSite(app)
  const account = { platform: 'github', handle: 'acme' }
  const socialAccounts = [account, { ...account, display: {} }, { ...account, display: { header: true } }]
  const shown = [false, false, true].map((header) => ({ ...account, display: { footer: true, header } }))
  const [set, own] = [
    await site.who.put(lookAt(site), { socialAccounts }),
    await site.who.patch(`${site.path}/site-spaces/${site.siteSpaceId}/customization`, { socialAccounts }),
  ]
  for (const answer of [set, own, await site.who.get(lookAt(site))]) {
    assert.deepEqual(answer.body.socialAccounts, shown, answer.text)
  }
  // The same applies to a look that was stored without it.
  await app.db.run(sql`update sites set customization = ${{ socialAccounts: [account] }} where id = ${site.id}`)
  assert.deepEqual((await site.who.get(lookAt(site))).body.socialAccounts, [shown[0]])
})

test('the icon of a site is the favicon of its look', async () => {
  const site = await aSite(app)
  const iconAfter = async (favicon: object) => {
    await site.who.put(lookAt(site), { favicon })
    const { body } = await site.who.get(site.path)
    const { body: listed } = await site.who.get(`/v1/orgs/${site.org.id}/sites`)
    assert.deepEqual(listed.items, [body])
    return 'icon' in body ? body.icon : 'none'
  }
  const icon = { light: 'https://example.com/light.png', dark: 'https://example.com/dark.png' }
  assert.deepEqual(await iconAfter({ emoji: '📘' }), { emoji: '📘' })
  assert.deepEqual(await iconAfter({ icon }), { icon })
  assert.equal(await iconAfter({}), 'none')
})

test('page actions are a list, and older clients set two of them by switches', async () => {
  const site = await aSite(app)
  const set = async (pageActions: object) => (await site.who.put(lookAt(site), { pageActions })).body.pageActions
  assert.deepEqual(await set({ items: ['pdf', 'external-ai', 'pdf'] }), {
    items: ['pdf', 'external-ai'],
    externalAI: true,
    markdown: false,
  })
  assert.deepEqual(await set({ externalAI: true, markdown: true }), {
    items: ['markdown', 'external-ai'],
    externalAI: true,
    markdown: true,
  })
  assert.deepEqual(await set({ markdown: false }), { items: [], externalAI: false, markdown: false })
  const patched = await site.who.patch(ofSpace(site), { pageActions: { markdown: true } })
  assert.deepEqual(patched.body.pageActions.items, ['markdown'])
})

test('a space of a site has the look of the site, except for its own settings', async () => {
  const site = await aSite(app)
  await site.who.put(lookAt(site), {
    title: 'Handbook',
    favicon: { emoji: '📘' },
    styling: { theme: 'bold', primaryColor: blue },
    footer: { copyright: '© us' },
  })
  const whole = (await site.who.get(lookAt(site))).body
  delete whole.updatedAt
  assert.deepEqual((await site.who.get(ofSpace(site))).body, whole)

  const icon = { light: 'https://a.example/l.png', dark: 'https://a.example/d.png' }
  const set = await site.who.patch(ofSpace(site), { favicon: { icon }, styling: { theme: 'muted' }, title: 'Guide' })
  assert.equal(set.status, 200, set.text)
  const styling = { ...whole.styling, theme: 'muted' }
  assert.deepEqual(set.body, { ...whole, title: 'Guide', favicon: { icon }, styling })
  assert.deepEqual((await site.who.get(lookAt(site))).body.favicon, { emoji: '📘' })

  const next = await site.who.patch(ofSpace(site), { title: null, styling: { links: 'accent' }, header: null })
  assert.deepEqual(next.body, { ...whole, favicon: { icon }, styling: { ...styling, links: 'accent' } })
  assert.deepEqual((await site.who.patch(ofSpace(site), {})).body, next.body)
  const group = await site.who.patch(ofSpace(site), { styling: null, favicon: null })
  assert.deepEqual(group.body, whole)
  const kept = await app.db.one(sql<{ customization: null }>`
    select customization from site_spaces where id = ${site.siteSpaceId}`)
  assert.equal(kept.customization, null)

  await site.who.patch(ofSpace(site), { title: 'Guide' })
  assert.equal((await site.who.delete(ofSpace(site))).status, 205)
  assert.equal((await site.who.delete(ofSpace(site))).status, 205)
  assert.deepEqual((await site.who.get(ofSpace(site))).body, whole)
})

test('a link in a look needs an existing target; without a space it gets the space of the site that has the target', async () => {
  const site = await aSite(app)
  const other = await aLiveSpace(app, site.org)
  const [page] = idsOf(await site.space.edit(newPage('Start')))
  const [elsewhere] = idsOf(await other.edit(newPage('Elsewhere')))
  const made = await site.space.edit({
    operation: 'insert_files',
    files: [{ name: 'a.txt', base64: 'aGk=', contentType: 'text/plain' }],
  })
  const file = made.body.insertedFiles[0].id
  const good: [object, object?][] = [
    [
      { kind: 'page', page },
      { kind: 'page', page, space: site.space.id },
    ],
    [{ kind: 'page', page: elsewhere, space: other.id }],
    [
      { kind: 'anchor', page, anchor: 'top' },
      { kind: 'anchor', page, anchor: 'top', space: site.space.id },
    ],
    [
      { kind: 'file', file },
      { kind: 'file', file, space: site.space.id },
    ],
    [{ kind: 'space', space: other.id }],
    ...['https://a.example/?b#c', 'mailto:a@a.example', 'tel:+123', '/guides/start'].map(
      (url) => [{ kind: 'url', url }] as [object],
    ),
  ]
  for (const [to, kept = to] of good) {
    const set = await site.who.put(lookAt(site), linkTo(to))
    assert.deepEqual([set.status, set.body.header?.links[0].to], [200, kept], set.text)
  }
  assert.equal((await site.who.put(lookAt(site), linkTo(null))).status, 200)

  const before = await stateOf(app.db)
  const bad: [object, string][] = [
    [{ kind: 'page', page: newId() }, 'page'],
    [{ kind: 'page', page: 'x' }, 'page'],
    [{ kind: 'page' }, 'page'],
    [{ kind: 'page', page: elsewhere }, 'page'],
    [{ kind: 'page', page, space: other.id }, 'page'],
    [{ kind: 'page', page, space: newId() }, 'space'],
    [{ kind: 'page', page, space: 'x' }, 'space'],
    [{ kind: 'page', page: file }, 'page'],
    [{ kind: 'file', file: page }, 'file'],
    [{ kind: 'anchor', anchor: 'x' }, 'page'],
    [{ kind: 'anchor', page }, 'anchor'],
    [{ kind: 'space', space: newId() }, 'space'],
    [{ kind: 'space' }, 'space'],
    [{ kind: 'user', user: newId() }, 'kind'],
    [{ kind: 'url' }, 'url'],
    ...[
      'javascript:alert(1)',
      ' javascript:alert(1)',
      '//evil.example',
      '/\\evil.example',
      'data:text/html,x',
      'x',
      '',
    ].map((url) => [{ kind: 'url', url }, 'url'] as [object, string]),
  ]
  for (const [to, field] of bad) {
    const refused = await site.who.put(lookAt(site), linkTo(to))
    assert.deepEqual(
      [refused.status, refused.body.error?.details[0].path],
      [400, `body.header.links.0.to.${field}`],
      JSON.stringify(to),
    )
  }
  assert.deepEqual(await stateOf(app.db), before)
})

test('a link to a space hidden from the caller stays when they change the look, but they cannot set a new one', async () => {
  const site = await aSite(app)
  const secret = await aLiveSpace(app, site.org)
  const [page] = idsOf(await secret.edit(newPage('Secret')))
  await site.who.patch(secret.path, { defaultLevel: null })
  const to = { kind: 'page', page, space: secret.id }
  await site.who.put(lookAt(site), linkTo(to))
  const creator = await site.org.member('create')

  const { body: look } = await creator.client.get(lookAt(site))
  const kept = await creator.client.put(lookAt(site), { ...look, title: 'Other' })
  assert.deepEqual([kept.status, kept.body.header.links[0].to], [200, to], kept.text)
  const anew = await creator.client.put(lookAt(site), linkTo({ kind: 'space', space: secret.id }))
  assert.deepEqual([anew.status, anew.body.error.details[0].path], [400, 'body.header.links.0.to.space'])
  // Links to something that has since been deleted stay as well.
  await secret.edit({ operation: 'delete_page', page })
  assert.equal((await site.who.put(lookAt(site), look)).status, 200)
  await grant(site.who, { object: 'space', id: secret.id }, { users: [creator.id] }, 'read')
  assert.equal((await creator.client.put(lookAt(site), linkTo({ kind: 'space', space: secret.id }))).status, 200)
})

test('conditions of links in a look are checked when they are written', async () => {
  const site = await aSite(app)
  const jsonSchema = { type: 'object', properties: { staff: { type: 'boolean' } } }
  await site.who.put(`${site.path}/adaptive-schema`, { jsonSchema })
  const shown = (condition: string) => ({ header: { links: [{ title: 'A', to: null, links: [], condition }] } })
  assert.equal((await site.who.put(lookAt(site), shown('visitor.claims.staff'))).status, 200)
  for (const condition of ['visitor.', 'visitor.claims.plan', 'space.vars.x', '']) {
    const refused = await site.who.put(lookAt(site), shown(condition))
    assert.deepEqual(
      [refused.status, refused.body.error.details[0].path],
      [400, 'body.header.links.0.condition'],
      condition,
    )
  }
  // A condition that was set before its claim was removed does not prevent other changes.
  await site.who.put(`${site.path}/adaptive-schema`, { jsonSchema: { type: 'object', properties: {} } })
  assert.equal((await site.who.put(lookAt(site), { ...shown('visitor.claims.staff'), title: 'Other' })).status, 200)
})

test('invalid colours, addresses, words and lengths in a look are refused with the path of the fault', async () => {
  const site = await aSite(app)
  const before = await stateOf(app.db)
  const bad: [object, string][] = [
    [{ title: 'x' }, 'title'],
    [{ localizedTitle: { 'no language': { a: 1 } } }, 'localizedTitle'],
    [{ localizedTitle: { 'en\n': 'Book' } }, 'localizedTitle'],
    [{ localizedTitle: { en: { a: 1 } } }, 'localizedTitle.en'],
    [{ styling: { primaryColor: { light: 'red', dark: '#000' } } }, 'styling.primaryColor.light'],
    [{ styling: { primaryColor: { light: '#fff' } } }, 'styling.primaryColor.dark'],
    [{ styling: { theme: 'loud' } }, 'styling.theme'],
    [{ styling: { font: { id: 'a', custom: true, fontFamily: 'a; } b {', fontFaces: [] } } }, 'styling.font.id'],
    [{ header: { logo: { light: 'javascript:1', dark: 'https://a.example' } } }, 'header.logo.light'],
    [{ favicon: { icon: { light: '/a.png', dark: 'https://a.example' } } }, 'favicon.icon.light'],
    [{ favicon: { emoji: 'xx' } }, 'favicon.emoji'],
    [{ footer: { copyright: 'x'.repeat(513) } }, 'footer.copyright'],
    [{ announcement: { enabled: true, message: 'x', style: 'info' } }, 'announcement.message'],
    [{ socialAccounts: Array.from({ length: 11 }, () => ({ platform: 'github', handle: 'x' })) }, 'socialAccounts'],
    [{ socialPreview: { url: 'data:image/png,x' } }, 'socialPreview.url'],
    [{ pagination: { enabled: 'no' } }, 'pagination.enabled'],
    [{ styling: null }, 'styling'],
  ]
  for (const [body, path] of bad) {
    const refused = await site.who.put(lookAt(site), body)
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, `body.${path}`], JSON.stringify(body))
    if (body === bad.at(-1)![0]) continue
    assert.equal((await site.who.patch(ofSpace(site), body)).status, 400, JSON.stringify(body))
  }
  assert.equal((await site.who.put(lookAt(site), {}, { 'if-match': '"other"' })).status, 412)
  assert.equal((await site.who.patch(ofSpace(site), {}, { 'if-match': '"other"' })).status, 412)
  assert.equal((await site.who.delete(ofSpace(site), { 'if-match': '"other"' })).status, 412)
  assert.deepEqual(await stateOf(app.db), before)
})

test('members see the look, those who can change the site change it, and a hidden space has none for the caller', async () => {
  const site = await aSite(app)
  const other = await aSite(app, {}, site.org)
  for (const [who, reads, writes] of [
    [await site.org.member('create'), 200, 200],
    [await site.org.member('read'), 200, 403],
    [await site.org.member(null), 404, 404],
    [await aStranger(app), 404, 404],
  ] as const) {
    for (const at of [lookAt(site), ofSpace(site)]) assert.equal((await who.client.get(at)).status, reads)
    assert.equal((await who.client.put(lookAt(site), {})).status, writes)
    assert.equal((await who.client.patch(ofSpace(site), {})).status, writes)
    assert.equal((await who.client.delete(ofSpace(site))).status, writes === 200 ? 205 : writes)
  }
  assert.equal((await site.who.get(ofSpace(site, other.siteSpaceId))).status, 404)
  const creator = await site.org.member('create')
  await site.who.patch(site.space.path, { defaultLevel: null })
  assert.equal((await creator.client.get(ofSpace(site))).status, 404)
  assert.equal((await creator.client.patch(ofSpace(site), { title: 'Mine' })).status, 404)
  assert.equal((await creator.client.get(lookAt(site))).status, 200)
})

test('sending a look back as it was read changes nothing and notifies nobody, however the look was set', async () => {
  const site = await aSite(app)
  const { who } = site
  const all = [
    {},
    { themes: { default: 'light', toggeable: false } },
    { themes: { toggeable: false } },
    { themes: { default: 'light', toggeable: true } },
    { themes: { default: 'system', toggeable: true } },
    { themes: { default: 'light', toggeable: true } },
    { themes: { default: 'dark', toggeable: false } },
  ]
  for (const given of all) {
    const set = await who.put(lookAt(site), given)
    assert.equal(set.status, 200, set.text)
    const before = await stateOf(app.db)
    const { updatedAt: _, ...read } = (await who.get(lookAt(site))).body
    const again = await who.put(lookAt(site), read)
    assert.equal(again.status, 200, again.text)
    assert.deepEqual(await stateOf(app.db), before, JSON.stringify(given))
  }
  // Omitted fields get their defaults again, including a theme that was explicitly set to light.
  for (const given of [{ themes: { default: 'system' } }, { themes: { default: 'light' } }, {}]) {
    assert.equal((await who.put(lookAt(site), given)).status, 200)
  }
  const { customization } = await app.db.one(sql<{ customization: object }>`
    select customization from sites where id = ${site.id}`)
  assert.deepEqual(customization, {})
})
