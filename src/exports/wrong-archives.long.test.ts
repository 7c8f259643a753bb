// Tests archives that were edited by hand: intact by their manifest, but with invalid content.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aCollection } from '../../test/content.ts'
import { newPage } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { regular } from '../../test/fonts.ts'
import { upload } from '../../test/uploading.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'
import { Explained } from '../explained.ts'
import { newId } from '../ids.ts'
import { archivesOf } from './testing/archives.ts'

const app = await startApp()
const archives = await archivesOf(app)

/** An organization with one of everything that its archive contains in tables. */
async function anArchive(): Promise<string> {
  const site = await aSite(app, { pages: [newPage('Milk'), newPage('Tea')] })
  const { who, org } = site
  await aCollection(who, org.id, { title: 'Around' })
  const file = { bytes: regular, name: 'acme.woff2', kind: 'customization_font' }
  const storageKey = await upload(app, { client: who, organizationId: org.id }, file)
  const faces = [{ weight: 400, storageKey }]
  const font = expect(await who.put(`/v1/orgs/${org.id}/fonts`, { fontFamily: 'Acme', fontFaces: faces }), 201)
  const to = { kind: 'url', url: 'https://example.com/' }
  const look = {
    styling: { font: { id: font.id } },
    header: { links: [{ title: 'Out', to, links: [{ title: 'In', to }] }] },
    footer: { groups: [{ title: 'More', links: [{ title: 'Out', to }] }] },
  }
  expect(await who.put(`${site.path}/customization`, look), 200)
  expect(await who.patch(`${site.path}/site-spaces/${site.siteSpaceId}`, { path: 'moved' }), 200)
  expect(await who.post(`${site.path}/external-links`, { title: 'Elsewhere', url: 'https://example.com/' }), 201)
  const destination = { kind: 'external', url: 'https://example.com/' }
  expect(await who.post(`${site.path}/redirects`, { source: '/old', destination }), 201)
  return archives.download(who, `/v1/orgs/${org.id}/export`)
}

const archive = await anArchive()

/** The same archive with one of its files changed. */
const changed = (name: string, change: (said: any) => unknown) =>
  archives.rewritten(archive, (path, bytes) => {
    if (path !== name) return bytes
    const said = JSON.parse(bytes.toString())
    return JSON.stringify(change(said) ?? said)
  })

const rowsOf = (organizationId: string) =>
  app.db.one(sql`
    select (select count(*) from spaces where organization_id = ${organizationId})::int as spaces,
      (select count(*) from collections where organization_id = ${organizationId})::int as collections,
      (select count(*) from fonts where organization_id = ${organizationId})::int as fonts,
      (select count(*) from sites where organization_id = ${organizationId})::int as sites`)

/** Tries to restore an archive, and returns why it is refused. */
async function refusalOf(file: string): Promise<string> {
  const to = await anOrganization(app)
  const before = await rowsOf(to.id)
  const error = await archives.restore(file, to.id).then(
    () => assert.fail('it was restored'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Explained, String((error as Error).stack))
  assert.deepEqual(await rowsOf(to.id), before)
  return error.message
}

test('a valid archive is restored, and so is one with unknown fields and tables of a newer version', async () => {
  const more = await changed('sites.json', (said) => {
    for (const rows of Object.values<any[]>(said)) for (const row of rows) row.from_a_newer_version = { x: 1 }
    said.site_newer_things = [{ x: 1 }, { x: 2 }]
  })
  for (const file of [archive, more]) {
    const { sites, problems } = await archives.restore(file, (await anOrganization(app)).id)
    assert.deepEqual([sites, problems], [1, []])
  }
})

/** Collections nested in each other. */
function tower(said: any[], levels: number): void {
  for (let parent_id = null; levels > 0; levels--) {
    const id: any = newId()
    said.push({ ...said[0], id, parent_id })
    parent_id = id
  }
}

const wrong: [string, RegExp, (said: any) => unknown][] = [
  ['collections.json', /collections\.json: must be array/, () => ({})],
  ['collections.json', /collections\.json, 0: must be object/, () => ['x']],
  ['collections.json', /collections\.json, 0\.title: must be string/, (said) => void (said[0].title = 1)],
  ['collections.json', /collections\.json, 0\.title: at most 50/, (said) => void (said[0].title = 'x'.repeat(51))],
  ['collections.json', /collections\.json, 0\.id: must be like/, (said) => void (said[0].id = 'x')],
  ['collections.json', /collections\.json, 0\.position: is required/, (said) => void delete said[0].position],
  ['collections.json', /collections\.json, 0\.position: must be a position/, (said) => void (said[0].position = 'x')],
  ['collections.json', /collections\.json, 0\.inherits: must be boolean/, (said) => void (said[0].inherits = 'no')],
  ['collections.json', /collections\.json, 0\.created_at: must be a date/, (said) => void (said[0].created_at = 'x')],
  ['collections.json', /collections\.json, 0\.parent_id: .*in itself/, (said) => void (said[0].parent_id = said[0].id)],
  ['collections.json', /collections\.json, \d+\.parent_id: is too deep/, (said) => tower(said, 101)],
  ['collections.json', /collections\.json, 1\.id: .*twice/, (said) => void said.push(said[0])],
  ['fonts.json', /fonts\.json: must be object/, () => []],
  ['fonts.json', /fonts\.json, fonts: must be array/, (said) => void (said.fonts = { x: 1 })],
  ['fonts.json', /fonts\.json, fonts\.0\.family: must be string/, (said) => void (said.fonts[0].family = 1)],
  ['fonts.json', /fonts\.json, font_faces\.0\.weight: must be integer/, (said) => void (said.font_faces[0].weight = 'x')],
  ['fonts.json', /fonts\.json, font_faces\.0\.weight: must be <= 1000/, (said) => void (said.font_faces[0].weight = 1e6)],
  ['fonts.json', /fonts\.json, font_faces\.0\.blob: must be string/, (said) => void (said.font_faces[0].blob = null)],
  ['fonts.json', /fonts\.json, font_faces\.1\.weight: .*twice/, (said) => void said.font_faces.push(said.font_faces[0])],
  ['sites.json', /sites\.json, sites: must be array/, (said) => void (said.sites = null)],
  ['sites.json', /sites\.json, sites\.0\.title: must be string/, (said) => void (said.sites[0].title = ['x'])],
  ['sites.json', /sites\.json, sites\.0\.visibility: must be one of/, (said) => void (said.sites[0].visibility = 'x')],
  ['sites.json', /sites\.json, sites\.0\.basename: is required/, (said) => void delete said.sites[0].basename],
  ['sites.json', /sites\.json, sites\.0\.customization\.header: must be object/, (said) => void (said.sites[0].customization = { header: 1 })],
  ['sites.json', /sites\.json, sites\.0\.auth_logout_url: .*http/, (said) => void (said.sites[0].auth_logout_url = 'javascript:1')],
  ['sites.json', /sites\.json, site_external_links\.0\.url: .*http/, (said) => void (said.site_external_links[0].url = 'javascript:1')],
  ['sites.json', /sites\.json, site_redirects\.0\.destination\.url: .*http/, (said) => void (said.site_redirects[0].destination.url = 'data:text/html,x')],
  ['sites.json', /sites\.json, site_redirects\.0\.destination\.kind: must be one of/, (said) => void (said.site_redirects[0].destination.kind = 'x')],
  ['sites.json', /sites\.json, sites\.0\.customization\.header\.links\.0\.to\.url: must be http/, (said) => void (said.sites[0].customization.header.links[0].to.url = 'javascript:1')],
  ['sites.json', /sites\.json, sites\.0\.customization\.header\.links\.0\.links\.0\.to\.url: must be http/, (said) => void (said.sites[0].customization.header.links[0].links[0].to.url = ' javascript:1')],
  ['sites.json', /sites\.json, sites\.0\.customization\.footer\.groups\.0\.links\.0\.to\.url: must be http/, (said) => void (said.sites[0].customization.footer.groups[0].links[0].to.url = '//x')],
  ['sites.json', /sites\.json, site_spaces\.0\.customization\.announcement\.link\.to\.url: must be http/, (said) => void (said.site_spaces[0].customization = { announcement: { enabled: true, message: 'Hey', style: 'info', link: { title: 'x', to: { kind: 'url', url: 'javascript:1' } } } })],
  ['sites.json', /sites\.json, sites\.0\.customization\.privacyPolicy\.url: .*http/, (said) => void (said.sites[0].customization.privacyPolicy = { url: 'javascript:1' })],
  ['sites.json', /sites\.json, former_site_paths\.0\.site_space_id: .*not in the archive/, (said) => void (said.former_site_paths[0].site_space_id = newId())],
  ['sites.json', /sites\.json, site_sections\.0\.position: must be a position/, (said) => void (said.site_sections[0].position = 'a0!')],
  ['sites.json', /sites\.json, site_external_links\.0\.position: must be a position/, (said) => void (said.site_external_links[0].position = 'a0!')],
  ['sites.json', /sites\.json, site_spaces\.0\.position: must be a position/, (said) => void (said.site_spaces[0].position = 'a0!')],
  ['sites.json', /sites\.json, site_sections\.0\.draft: must be boolean/, (said) => void (said.site_sections[0].draft = 'yes')],
  ['sites.json', /sites\.json, site_spaces\.0\.site_id: .*not in the archive/, (said) => void (said.site_spaces[0].site_id = newId())],
  ['sites.json', /sites\.json, site_external_links\.0\.group_id: .*not in the archive/, (said) => void (said.site_external_links[0].group_id = newId())],
] // prettier-ignore

test('an invalid value in an archive is refused with the file and the field, and nothing is changed', async () => {
  for (const [name, said, change] of wrong) {
    const message = await refusalOf(await changed(name, change))
    assert.match(message, said)
    assert.match(message, /^The archive cannot be restored: in .*\. Nothing was changed\.$/)
  }
})

test('a link to a forbidden address is reported with the title of its page and not shown on the site', async () => {
  const leading = (url: unknown) =>
    archives.rewritten(archive, (path, bytes) => {
      if (!path.endsWith('entries.jsonl')) return bytes
      const lines = bytes.toString().trimEnd().split('\n').map((line) => JSON.parse(line)) // prettier-ignore
      const tea = lines.find(({ data }) => data.title === 'Tea')
      tea.data = { ...tea.data, type: 'link', target: { kind: 'url', url } }
      tea.body = null
      return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    })
  // Repositories may list such pages, and what is exported with them must be restorable.
  const to = await anOrganization(app)
  const { problems } = await archives.restore(await leading('java\nscript:alert(1)'), to.id)
  assert.match(problems.join(), /the page "Tea" links to something that is not a web, mail or telephone address/)
  const { basename } = await app.db.one(sql<{ basename: string }>`
    select basename from sites where organization_id = ${to.id}`)
  const shown = await (await fetch(`${app.url}/sites/${to.row.hostname}/${basename}/`)).text()
  assert.match(shown, /Milk/)
  assert.doesNotMatch(shown, /script:alert/)

  assert.match(
    await refusalOf(await leading(1)),
    /entries\.jsonl, data\.target\.url: of the page "Tea" must be an address/,
  )
  for (const url of ['https://example.com/', 'mailto:a@example.com'])
    assert.deepEqual((await archives.restore(await leading(url), (await anOrganization(app)).id)).problems, [])
})

test('addresses of maximum length are restored, even with letters that become two in lower case', async () => {
  const site = await aSite(app)
  const space = `${site.path}/site-spaces/${site.siteSpaceId}`
  for (const path of ['İ'.repeat(100), 'short']) expect(await site.who.patch(space, { path }), 200)
  const section = expect(await site.who.post(`${site.path}/sections`, { spaceId: site.space.id }), 201)
  const [inside] = section.siteSpaces
  expect(await site.who.patch(`${site.path}/sections/${section.id}`, { path: 'İ'.repeat(100) }), 200)
  for (const path of ['İ'.repeat(100), 'short'])
    expect(await site.who.patch(`${site.path}/site-spaces/${inside.id}`, { path }), 200)
  const file = await archives.download(site.who, `/v1/orgs/${site.org.id}/export`)
  assert.equal((await archives.restore(file, (await anOrganization(app)).id)).sites, 1)
})

test('invalid JSON in an archive is refused with the file, and the line where it has lines', async () => {
  const broken = (name: RegExp, text: string) =>
    archives.rewritten(archive, (path, bytes) => (name.test(path) ? text : bytes))
  assert.match(await refusalOf(await broken(/^sites\.json$/, '{')), /sites\.json is not valid JSON/)
  assert.match(await refusalOf(await broken(/entries\.jsonl$/, '{}}\n')), /entries\.jsonl, line 1, is not valid JSON/)
})

test('a field missing in one row gets its default in that row only, and drafts beside it stay drafts', async () => {
  const linksOf = async (change: (first: any) => object[]) => {
    const file = await changed(
      'sites.json',
      (said) => void (said.site_external_links = change(said.site_external_links[0])),
    )
    const to = await anOrganization(app)
    await archives.restore(file, to.id)
    return app.db.all(sql`
      select title, draft from site_external_links where organization_id = ${to.id} order by title`)
  }
  const saying = (first: any) => [
    { ...first, title: 'Plain', draft: undefined },
    { ...first, title: 'Secret', id: newId(), draft: true },
  ]
  const both = [{ title: 'Plain', draft: false }, { title: 'Secret', draft: true }] // prettier-ignore
  assert.deepEqual(await linksOf(saying), both)
  assert.deepEqual(await linksOf((first) => saying(first).toReversed()), both)
})

test('a contradiction that only the database detects is reported without the error text of the database', async () => {
  const two = await changed('sites.json', (said) => {
    const [first] = said.site_redirects
    said.site_redirects.push({ ...first, id: newId() })
  })
  const message = await refusalOf(two)
  assert.match(message, /contradicts itself.*site_redirects/)
  assert.doesNotMatch(message, /violates|duplicate key/)
})
