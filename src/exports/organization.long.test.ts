// Tests what an organization has beside its spaces, and what of it is restored from an archive.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../test/api-client.ts'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace } from '../../test/content.ts'
import { aLiveSpace, idsOf, newPage, newReference } from '../../test/editing.ts'
import { type TestOrganization, anOrganization } from '../../test/factories.ts'
import { regular } from '../../test/fonts.ts'
import { upload } from '../../test/uploading.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { assertSound } from '../doctor/testing/sound.ts'
import { newId } from '../ids.ts'
import { addMember } from '../organizations/members.actions.ts'
import { petstore } from '../openapi/testing/petstore.ts'
import { putSpec } from '../openapi/testing/specs.ts'
import { anUpstream } from '../openapi/testing/upstream.ts'
import { archivesOf } from './testing/archives.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const archives = await archivesOf(app)
const { download } = archives

const exported = (who: Client, organizationId: string) => download(who, `/v1/orgs/${organizationId}/export`)

async function restore(file: string, organizationId: string) {
  const restored = await archives.restore(file, organizationId)
  await assertSound(app.db)
  return restored
}

/** The same archive, as if from an installation on which this person has another id. */
async function withOtherId(file: string, id: string): Promise<string> {
  const other = newId()
  return archives.rewritten(file, (_path, bytes) => bytes.toString().replaceAll(id, other))
}

/** The administrator of an organization to which the content of another one was restored. */
const admin = ({ admin, canary }: TestOrganization, from: TestOrganization) =>
  app.client(admin.client.token, [canary, from.canary])

const operation = '{% openapi-operation spec="shop" path="/pets" method="get" %}\n{% endopenapi-operation %}\n'
const reference = newReference('Reference', { models: true })

test('pages of a restored organization show its specifications, even if their source is gone', async () => {
  const site = await aSite(app, { pages: [newPage('Pets', { document: { markdown: `# Pets\n\n${operation}` } })] })
  const { who, org } = site
  const upstream = await anUpstream({ '/api.json': JSON.stringify(petstore) })
  await putSpec(who, org.id, 'shop', { url: upstream.url('/api.json') })
  await putSpec(who, org.id, 'other', { text: JSON.stringify(petstore) })
  expect(await who.patch(`/v1/orgs/${org.id}/openapi/other`, { visibility: 'public' }), 200)
  expect(await site.space.edit(reference), 200)
  const file = await exported(who, org.id)
  upstream.files['/api.json'] = { status: 404 }

  const other = await anOrganization(app)
  const there = admin(other, org)
  const { specifications, problems } = await restore(file, other.id)
  assert.deepEqual([specifications, problems], [2, []])
  const [restoredSite] = expect(await there.get(`/v1/orgs/${other.id}/sites`), 200).items
  const shown = await fetch(`${app.url}/sites/${other.row.hostname}/${restoredSite.basename}/`)
  assert.match(await shown.text(), /aria-label="List pets"/)
  const { items } = expect(await there.get(`/v1/orgs/${other.id}/openapi`), 200)
  const brief = items.map(({ slug, sourceURL, visibility }: any) => [slug, sourceURL, visibility]).toSorted()
  assert.deepEqual(brief, [
    ['other', undefined, 'public'],
    ['shop', upstream.url('/api.json'), 'private'],
  ])

  const [space] = expect(await there.get(`/v1/orgs/${other.id}/spaces`), 200).items
  const { pages } = expect(await there.get(`/v1/spaces/${space.id}/content`), 200)
  assert.ok(JSON.stringify(pages).includes('"title":"Pets"'), JSON.stringify(pages))

  // Restored into the organization it came from: the existing specifications are the ones meant.
  const again = await restore(file, org.id)
  assert.deepEqual([again.specifications, again.problems], [0, []])
})

test('the logo of a site is restored from an archive, also one of another server', async () => {
  const site = await aSite(app)
  const { who, org } = site
  // Only the name tells that it is a drawing.
  const bytes = Buffer.from(`<!-- ${'x'.repeat(5000)} --><svg xmlns="http://www.w3.org/2000/svg"/>`)
  const key = await upload(app, { client: who, organizationId: org.id }, { bytes, name: 'logo.svg' })
  const { url } = expect(await who.post(`${site.path}/pictures`, { key }), 201)
  expect(await who.put(`${site.path}/customization`, { header: { logo: { light: url, dark: url } } }), 200)
  const there = url.slice(0, url.indexOf('/files/'))
  const file = await archives.rewritten(await exported(who, org.id), (path, content) =>
    path === 'sites.json' ? content.toString().replaceAll(there, 'https://old.example/docs') : content,
  )

  const other = await anOrganization(app)
  const client = admin(other, org)
  const { sites, problems } = await restore(file, other.id)
  assert.deepEqual([sites, problems], [1, []])
  const [restored] = expect(await client.get(`/v1/orgs/${other.id}/sites`), 200).items
  const { header } = expect(await client.get(`/v1/orgs/${other.id}/sites/${restored.id}/customization`), 200)
  assert.ok(header.logo.light.startsWith(`${there}/files/pictures/`) && header.logo.light !== url, header.logo.light)
  const answer = await fetch(app.url + new URL(header.logo.light).pathname)
  assert.equal(answer.headers.get('content-type'), 'image/svg+xml')
  assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes))

  const without = await archives.rewritten(file, (path, content) =>
    path.startsWith('pictures/') ? undefined : content,
  )
  const { problems: told } = await restore(without, (await anOrganization(app)).id)
  assert.match(told.join(), /"logo\.svg" of a site was left out/)
})

test('custom fonts of sites are restored, and a site whose font files are missing gets the default font', async () => {
  const site = await aSite(app)
  const { who, org } = site
  const file = { bytes: regular, name: 'acme.woff2', kind: 'customization_font' }
  const storageKey = await upload(app, { client: who, organizationId: org.id }, file)
  const made = { fontFamily: 'Acme', fontFaces: [{ weight: 400, storageKey }] }
  const font = expect(await who.put(`/v1/orgs/${org.id}/fonts`, made), 201)
  expect(await who.put(`${site.path}/customization`, { styling: { font: { id: font.id } } }), 200)
  const archive = await exported(who, org.id)

  const lookOf = async (to: Awaited<ReturnType<typeof anOrganization>>) => {
    const client = admin(to, org)
    const [restored] = expect(await client.get(`/v1/orgs/${to.id}/sites`), 200).items
    return expect(await client.get(`/v1/orgs/${to.id}/sites/${restored.id}/customization`), 200).styling
  }
  const other = await anOrganization(app)
  assert.deepEqual((await restore(archive, other.id)).problems, [])
  const { font: there } = await lookOf(other)
  assert.equal(there.fontFamily, 'Acme')
  assert.notEqual(there.id, font.id)
  const answer = await fetch(app.url + new URL(there.fontFaces[0].sources[0].url).pathname)
  assert.ok(Buffer.from(await answer.arrayBuffer()).equals(regular))

  const without = await archives.rewritten(archive, (path, content) =>
    path.startsWith('fonts/') ? undefined : content,
  )
  const damaged = await archives.rewritten(archive, (path, content) => (path.startsWith('fonts/') ? 'wOF2' : content))
  const before = await archives.rewritten(archive, (path, content) => (path.startsWith('fonts') ? undefined : content))
  for (const [each, told] of [
    [without, /"Acme" was left out.*has the default font/s],
    [damaged, /"Acme" was left out.*has the default font/s],
    [before, /has the default font/],
  ] as const) {
    const to = await anOrganization(app)
    assert.match((await restore(each, to.id)).problems.join(), told)
    assert.equal((await lookOf(to)).font, 'Inter')
  }
})

test('a restore keeps an existing specification of the same name with other content, and reports it', async () => {
  const [from, to] = [await anOrganization(app), await anOrganization(app)]
  await putSpec(from.admin.client, from.id, 'shop', { text: JSON.stringify(petstore) })
  const file = await exported(from.admin.client, from.id)
  const other = { ...petstore, info: { title: 'Another shop', version: '2' } }
  const { lastVersion } = await putSpec(to.admin.client, to.id, 'shop', { text: JSON.stringify(other) })
  const { specifications, problems } = await restore(file, to.id)
  assert.equal(specifications, 0)
  assert.match(problems.join(), /"shop"/)
  assert.equal(expect(await to.admin.client.get(`/v1/orgs/${to.id}/openapi/shop`), 200).lastVersion, lastVersion)
})

test('restoring a space reports the specifications that its pages show and the organization does not have', async () => {
  const [org, other] = [await anOrganization(app), await anOrganization(app)]
  const space = await aLiveSpace(app, org)
  await putSpec(space.who, org.id, 'shop', { text: JSON.stringify(petstore) })
  const sample = '\n```\n{% openapi-operation spec="example" path="/" method="get" %}\n```\n'
  expect(await space.edit(newPage('Pets', { document: { markdown: `# Pets\n\n${operation}${sample}` } })), 200)
  const file = await download(space.who, `${space.path}/export`)
  assert.deepEqual((await restore(file, org.id)).problems, [])
  const { problems } = await restore(file, other.id)
  assert.equal(problems.length, 1)
  assert.match(problems[0]!, /OpenAPI specification "shop"/)
})

test('older specification blocks are reported as well, by name or address, but not for a file in the archive', async () => {
  const [org, other] = [await anOrganization(app), await anOrganization(app)]
  const space = await aLiveSpace(app, org)
  const upstream = await anUpstream({ '/api.json': JSON.stringify(petstore) })
  const address = upstream.url('/api.json')
  await putSpec(space.who, org.id, 'shop', { text: JSON.stringify(petstore) })
  await putSpec(space.who, org.id, 'far', { url: address })
  const shown = ['shop', address, 'api.yaml', '/files/api.yaml', '.gitbook/assets/api.yaml'].map(
    (src) => `{% openapi src="${src}" path="/pets" method="get" %}\n[api](${src})\n{% endopenapi %}\n`,
  )
  expect(await space.edit(newPage('Pets', { document: { markdown: `# Pets\n\n${shown.join('\n')}` } })), 200)
  const file = await download(space.who, `${space.path}/export`)
  assert.deepEqual((await restore(file, org.id)).problems, [])
  assert.deepEqual((await restore(file, other.id)).problems, [
    `Pages show the OpenAPI specification at ${JSON.stringify(address)}, which does not exist here: add one with that URL.`,
    'Pages show the OpenAPI specification "shop", which does not exist here: add one with that name.',
  ])
})

test('a restored translation keeps its languages, and which pages are current, behind and missing', async () => {
  const org = await anOrganization(app)
  const who = org.admin.client
  const [source, french, trashed] = [await aLiveSpace(app, org), await aLiveSpace(app, org), await aLiveSpace(app, org)]
  const variants = [
    { language: 'fr', space: french.id },
    { language: 'de', space: trashed.id },
  ]
  const draft = { title: 'Guide', source: { space: source.id, language: 'en' }, variants }
  const { id } = expect(await who.post(`/v1/orgs/${org.id}/translations`, draft), 201)
  const [one, two] = idsOf(await source.edit(newPage('One'), newPage('Two'), newPage('Three')))
  const revision = (await who.get(source.path)).body.revision
  const marked = (title: string, page: string) => newPage(title, { metadata: { translatedFrom: { page, revision } } })
  expect(await french.edit(marked('Un', one!), marked('Deux', two!)), 200)
  expect(await source.edit({ operation: 'update_page', page: two, document: { markdown: '# Two\n\nNew\n' } }), 200)
  expect(await who.delete(trashed.path), 205)

  const other = await anOrganization(app)
  const file = await exported(who, org.id)
  for (const [client, organization] of [[admin(other, org), other.id] as const, [who, org.id] as const]) {
    const { translations, problems } = await restore(file, organization)
    assert.deepEqual([translations, problems], [1, []])
    const { items } = expect(await client.get(`/v1/orgs/${organization}/translations`), 200)
    const restored = items.find((each: any) => each.id !== id)
    assert.deepEqual([restored.title, restored.languages.toSorted()], ['Guide', ['en', 'fr']])
    assert.notEqual(restored.source.space, source.id)
    const path = `/v1/orgs/${organization}/translations/${restored.id}`
    const states = expect(await client.get(`${path}/status`), 200).items
    assert.deepEqual(states.map(({ page, status }: any) => `${page.title} ${status}`).toSorted(), [
      'One current',
      'Three missing',
      'Two behind',
    ])
  }
})

test('the default site of an organization is restored as default, unless there is one already', async () => {
  const site = await aSite(app)
  const { who, org } = site
  expect(await who.patch(`/v1/orgs/${org.id}`, { defaultContent: { type: 'site', site: site.id } }), 200)
  const file = await exported(who, org.id)
  const first = async (client: Client, id: string) => expect(await client.get(`/v1/orgs/${id}`), 200).defaultContent
  const other = await anOrganization(app)
  const there = admin(other, org)
  assert.deepEqual((await restore(file, other.id)).problems, [])
  const [restored] = expect(await there.get(`/v1/orgs/${other.id}/sites`), 200).items
  assert.deepEqual(await first(there, other.id), { type: 'site', site: restored.id })
  const { items } = expect(await there.get(`/v1/orgs/${other.id}/audit-events?action=organization.updated`), 200)
  assert.equal(items.length, 1)
  assert.match((await restore(file, other.id)).problems.join(), /default site/)
  assert.deepEqual(await first(there, other.id), { type: 'site', site: restored.id })
  assert.deepEqual((await restore(file, org.id)).problems, [])
})

test('external links, drafts and former addresses of variants are restored unchanged', async () => {
  const site = await aSite(app)
  const { who, org } = site
  const group = expect(await who.post(`${site.path}/section-groups`, { title: 'More' }), 201)
  const about = { title: 'Status', url: 'https://status.example.com/', description: 'Up', icon: 'heart', draft: true }
  expect(await who.post(`${site.path}/external-links`, { ...about, parent: group.id }), 201)
  expect(await who.post(`${site.path}/external-links`, { title: 'Shop', url: 'https://shop.example.com/' }), 201)
  const copy = expect(await who.post(`${site.path}/site-spaces/${site.siteSpaceId}/duplicate`, { draft: true }), 201)
  expect(await who.post(`${site.path}/sections`, { spaceId: copy.space.id, title: 'Next', draft: true }), 201)
  // Two site spaces have the same address, one after the other. The other address is longer as it is stored than as it
  // was typed.
  const [{ siteSpaces }] = expect(await who.get(`${site.path}/sections`), 200).items
  for (const { id } of [...siteSpaces, { id: site.siteSpaceId }])
    for (const path of ['former', 'İ'.repeat(100), id])
      expect(await who.patch(`${site.path}/site-spaces/${id}`, { path }), 200)
  const file = await exported(who, org.id)
  const other = await anOrganization(app)
  const there = admin(other, org)
  for (const to of [other.id, org.id]) {
    const { problems } = await restore(file, to)
    assert.deepEqual(problems, [])
  }
  const shape = async (client: Client, path: string) => {
    const { structure } = expect(await client.get(`${path}/structure`), 200)
    const plain = ({ object, title, url, description, icon, draft }: any) => [
      object,
      title,
      url,
      description,
      icon,
      draft,
    ]
    return structure.map((each: any) => [plain(each), (each.children ?? each.siteSpaces ?? []).map(plain)])
  }
  const before = await shape(who, site.path)
  assert.deepEqual(before[1][1][0].slice(1), ['Status', about.url, 'Up', 'heart', true])
  const [restored] = expect(await there.get(`/v1/orgs/${other.id}/sites`), 200).items
  const [, again] = expect(await who.get(`/v1/orgs/${org.id}/sites`), 200).items
  assert.deepEqual(await shape(there, `/v1/orgs/${other.id}/sites/${restored.id}`), before)
  assert.deepEqual(await shape(who, `/v1/orgs/${org.id}/sites/${again.id}`), before)
  const old = await site.browser().get(`/sites/${org.row.hostname}/${again.basename}/former/guide`)
  assert.equal(old.location, `/sites/${org.row.hostname}/${again.basename}/guide`)
})

test('restored top-level collections and spaces keep their order, after those that were already there', async () => {
  const [org, other] = [await anOrganization(app), await anOrganization(app)]
  const who = org.admin.client
  await aSpace(other.admin.client, other.id, { title: 'There before' })
  const moved = await aSpace(who, org.id, { title: 'Last' })
  await aSpace(who, org.id, { title: 'First' })
  await aCollection(who, org.id, { title: 'Shelf' })
  const second = await aSpace(who, org.id, { title: 'Second' })
  const position = { after: { type: 'space', space: second.id } }
  expect(await who.post(`/v1/spaces/${moved.id}/move`, { position }), 200)
  const spacesOf = async (client: Client, id: string) =>
    expect(await client.get(`/v1/orgs/${id}/spaces`), 200).items.map(({ title }: any) => title)
  assert.deepEqual(await spacesOf(who, org.id), ['First', 'Second', 'Last'])

  await restore(await exported(who, org.id), other.id)
  const there = admin(other, org)
  assert.deepEqual(await spacesOf(there, other.id), ['There before', 'First', 'Second', 'Last'])
  const { rows } = await app.db.pool.query(
    `select title from (select title, position from spaces where organization_id = $1
     union all select title, position from collections where organization_id = $1) x order by position collate "C"`,
    [other.id],
  )
  assert.deepEqual(
    rows.map(({ title }) => title),
    ['There before', 'First', 'Shelf', 'Second', 'Last'],
  )
})

test('merge rules are restored with the people they name, except non-members, who are reported', async () => {
  const [org, other] = [await anOrganization(app), await anOrganization(app)]
  const who = org.admin.client
  const [known, absent] = [await org.member('edit'), await org.member('edit')]
  const space = await aSpace(who, org.id, { title: 'Ruled' })
  const rules = [
    { type: 'require_at_least_one_approved_review' },
    { type: 'require_specific_reviewers', users: [known.id, absent.id] },
    { type: 'allow_bypass', users: [absent.id] },
  ]
  expect(await who.patch(`/v1/spaces/${space.id}`, { mergeRules: { type: 'rules', rules } }), 200)
  await transaction(app.db, nobody, (tx) =>
    addMember(tx, { organizationId: other.id, userId: known.id, role: 'edit', sso: false }),
  )
  const { email } = expect(await who.get(`/v1/orgs/${org.id}/members/${absent.id}`), 200).user
  for (const path of [`orgs/${org.id}`, `spaces/${space.id}`]) {
    const file = await withOtherId(await download(who, `/v1/${path}/export`), known.id)
    const { spaces, problems } = await restore(file, other.id)
    assert.match(problems.join(), /"Ruled".*merge/)
    assert.ok(problems.join().includes(email), problems.join())
    const { mergeRules } = expect(await admin(other, org).get(`/v1/spaces/${spaces[0]!.id}`), 200)
    assert.deepEqual(mergeRules.rules, [rules[0], { type: 'require_specific_reviewers', users: [known.id] }])
  }
})

test('restoring a site reports that its share links were left out or its signing key is new', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const other = await anOrganization(app)
  const file = await exported(site.who, site.org.id)
  assert.match((await restore(file, other.id)).problems.join(), /share link/)
  await site.change({ visibility: 'visitor-auth' })
  assert.match((await restore(await exported(site.who, site.org.id), other.id)).problems.join(), /signing key/)
})

test('a site restored beside the original does not take over its proxy address', async () => {
  const site = await aSite(app)
  const proxy = `h${site.id.slice(0, 8)}.example/docs`
  await site.change({ proxy })
  const file = await exported(site.who, site.org.id)
  const other = await anOrganization(app)
  const { problems } = await restore(file, other.id)
  assert.match(problems.join(), /was restored without its proxy .*: another organization has a site there/)
  const [restored] = expect(await admin(other, site.org).get(`/v1/orgs/${other.id}/sites`), 200).items
  assert.equal(restored.proxy, undefined)
})
