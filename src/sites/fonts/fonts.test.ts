import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../test/api-client.ts'
import { startApp } from '../../../test/app.ts'
import { png } from '../../../test/every-content.ts'
import { anOrganization } from '../../../test/factories.ts'
import { bold, oldBold, regular, trueType } from '../../../test/fonts.ts'
import { aSite, grantOnSite } from '../../../test/sites.ts'
import { stateOf } from '../../../test/state.ts'
import { upload } from '../../../test/uploading.ts'
import { expect } from '../../../test/visitor.ts'
import { sql } from '../../db/sql.ts'
import { deleteUnusedBlobs, firstBlob } from '../../files/blobs.queries.ts'
import { newId } from '../../ids.ts'

const app = await startApp()

async function setUp(org?: Awaited<ReturnType<typeof anOrganization>>) {
  const owner = org ?? (await anOrganization(app))
  const { client } = owner.admin
  const path = `/v1/orgs/${owner.id}/fonts`
  const sent = (bytes: Buffer, name = 'a.woff2', kind = 'customization_font') =>
    upload(app, { client, organizationId: owner.id }, { bytes, name, kind })
  const made = async (fontFamily = 'Acme Sans', faces: [number, Buffer][] = [[400, regular]]) => {
    const fontFaces = []
    for (const [weight, bytes] of faces) fontFaces.push({ weight, storageKey: await sent(bytes) })
    return expect(await client.put(path, { fontFamily, fontFaces }), 201)
  }
  return { org: owner, client, path, sent, made }
}

const got = (url: string) => fetch(app.url + new URL(url).pathname)
const weightsOf = (font: any) => font.fontFaces.map(({ weight }: any) => weight)

function refusedAt(answer: { status: number; body: any }, status: number, field: string, message?: RegExp): void {
  const { error } = answer.body
  assert.deepEqual([answer.status, error.details?.[0].path], [status, field], error.message)
  if (message) assert.match(error.message, message)
}

test('uploads become a font that is served to everybody, and its files are kept until it is deleted', async () => {
  const { org, client, path, made } = await setUp()
  const font = await made('Acme “Sans” ü', [
    [700, oldBold],
    [400, regular],
  ])
  assert.deepEqual([font.custom, font.fontFamily, weightsOf(font)], [true, 'Acme “Sans” ü', [400, 700]])
  assert.deepEqual(font.permissions, { edit: true })
  assert.deepEqual(expect(await client.get(path), 200).items, [font])
  assert.deepEqual(expect(await client.get(`${path}/${font.id}`), 200), font)

  await app.db.run(sql`update blobs set created_at = now() - interval '2 days' where organization_id = ${org.id}`)
  await app.db.run(sql`delete from uploads where organization_id = ${org.id}`)
  await deleteUnusedBlobs(app.db, firstBlob, { look: 1000, limit: 1000 })
  for (const [at, format, bytes] of [
    [0, 'woff2', regular],
    [1, 'woff', oldBold],
  ] as const) {
    const [source] = font.fontFaces[at].sources
    assert.equal(source.format, format)
    const answer = await got(source.url)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, `font/${format}`])
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.match(answer.headers.get('cache-control')!, /immutable/)
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes))
  }
  const [{ url }] = font.fontFaces[0].sources
  const other = await made('Other', [[400, bold]])
  for (const wrong of [
    url.replace('.woff2', '.woff'),
    url.replace(font.id, other.id),
    url.replace(font.id, newId()),
    url.replace(/[0-9a-f]{64}/, '0'.repeat(64)),
  ])
    assert.equal((await got(wrong)).status, 404, wrong)

  expect(await client.delete(`${path}/${font.id}`), 204)
  assert.equal((await client.get(`${path}/${font.id}`)).status, 404)
  assert.equal((await got(url)).status, 404)
  const { removed } = await deleteUnusedBlobs(app.db, firstBlob, { look: 1000, limit: 1000 })
  assert.equal(removed.length, 2)
})

test('a font can be renamed, and its weights can be added, replaced and removed one by one', async () => {
  const { client, path, sent, made } = await setUp()
  const font = await made('Acme', [
    [400, regular],
    [700, bold],
  ])
  const at = `${path}/${font.id}`
  const change = (body: object, headers?: Record<string, string>) => client.post(at, body, headers)
  const renamed = expect(await change({ fontFamily: 'Acme Text' }), 201)
  assert.deepEqual([renamed.fontFamily, renamed.fontFaces], ['Acme Text', font.fontFaces])
  const more = expect(
    await change({
      fontFaces: [
        { weight: 300, storageKey: await sent(bold) },
        { weight: 700, storageKey: null },
        { weight: 900, storageKey: null },
      ],
    }),
    201,
  )
  assert.deepEqual([more.fontFamily, weightsOf(more)], ['Acme Text', [300, 400]])
  const replaced = expect(await change({ fontFaces: [{ weight: 400, storageKey: await sent(oldBold) }] }), 201)
  assert.equal(replaced.fontFaces[1].sources[0].format, 'woff')
  refusedAt(await change({ fontFaces: [{ weight: 400, storageKey: null }] }), 400, 'body.fontFaces', /weight 400/)
  const twice = [300, 300].map((weight) => ({ weight, storageKey: null }))
  refusedAt(await change({ fontFaces: twice }), 400, 'body.fontFaces.1.weight')
  assert.equal((await change({ fontFamily: 'x' }, { 'if-match': '"other"' })).status, 412)
  assert.deepEqual(expect(await client.get(at), 200), replaced)
})

test("an upload is refused as a font if it is not a font, damaged, too large, already used, or another organization's", async () => {
  const { client, path, sent, made } = await setUp()
  const other = await setUp()
  await made()
  const used = await sent(regular)
  expect(await client.put(path, { fontFamily: 'Used', fontFaces: [{ weight: 400, storageKey: used }] }), 201)
  const longer = Buffer.concat([regular, Buffer.alloc(1)])
  const outside = Buffer.from(oldBold)
  outside.writeUInt32BE(oldBold.length, 44 + 8)
  const swollen = Buffer.from(regular)
  swollen.writeUInt32BE(31_000_000, 16)
  const packed = Buffer.from(regular)
  packed.writeUInt32BE(regular.length, 20)
  const large = Buffer.concat([regular, Buffer.alloc(2_000_000)])
  large.writeUInt32BE(large.length, 8)
  const keys: Record<string, [string, RegExp]> = {
    used: [used, /not used yet/],
    none: ['x', /is not a file/],
    foreign: [await other.sent(regular), /is not a file/],
    picture: [await sent(Buffer.from(png, 'base64'), 'a.woff2'), /is not a WOFF2 or WOFF font/],
    page: [await sent(Buffer.from('<!doctype html><script>alert(1)</script>'), 'a.woff2'), /is not a WOFF2/],
    trueType: [await sent(trueType), /TrueType/],
    content: [await sent(regular, 'a.woff2', 'organization_file'), /something else/],
    empty: [await sent(Buffer.from('wOF2')), /damaged/],
    longer: [await sent(longer), /damaged/],
    cut: [await sent(regular.subarray(0, 900)), /damaged/],
    outside: [await sent(outside), /damaged/],
    packed: [await sent(packed), /damaged/],
    swollen: [await sent(swollen), /damaged/],
    large: [await sent(large), /more than 2 MB/],
  }
  const good = await sent(regular)
  const before = await stateOf(app.db)
  for (const [why, [storageKey, said]] of Object.entries(keys)) {
    const fontFaces = [{ weight: 400, storageKey }]
    const answer = await client.put(path, { fontFamily: 'Bad', fontFaces })
    refusedAt(answer, 400, 'body.fontFaces.0.storageKey', said)
    assert.match(answer.body.error.message, said, why)
  }
  const face = (weight: number) => ({ weight, storageKey: good })
  for (const [fontFamily, fontFaces, field] of [
    ['', [face(400)], 'body.fontFamily'],
    ['x'.repeat(51), [face(400)], 'body.fontFamily'],
    ['a\nb', [face(400)], 'body.fontFamily'],
    ['a', [], 'body.fontFaces'],
    ['a', [face(0)], 'body.fontFaces.0.weight'],
    ['a', [face(1001)], 'body.fontFaces.0.weight'],
    ['a', [face(400), face(700)], 'body.fontFaces.1.storageKey'],
    ['a', [face(400), face(400)], 'body.fontFaces.1.weight'],
    ['a', [face(700)], 'body.fontFaces'],
    ['a', Array.from({ length: 21 }, (_, at) => face(400 + at)), 'body.fontFaces'],
  ] as const)
    refusedAt(await client.put(path, { fontFamily, fontFaces }), 400, field)
  assert.deepEqual(await stateOf(app.db), before)
})

test("members see the organization's fonts, creators make, change and delete them, strangers find none", async () => {
  const { org, path, sent, made } = await setUp()
  const font = await made()
  const body = async () => ({ fontFamily: 'B', fontFaces: [{ weight: 400, storageKey: await sent(regular) }] })
  const writes = async (client: Client) => [
    await client.put(path, await body()),
    await client.post(`${path}/${font.id}`, { fontFamily: 'C' }),
    await client.delete(`${path}/${font.id}`),
  ]
  const editor = await org.member('edit')
  assert.deepEqual(
    (await writes(editor.client)).map(({ status }) => status),
    [403, 403, 403],
  )
  assert.deepEqual(expect(await editor.client.get(`${path}/${font.id}`), 200).permissions, { edit: false })
  const stranger = await anOrganization(app)
  assert.deepEqual(
    (await writes(stranger.admin.client)).map(({ status }) => status),
    [404, 404, 404],
  )
  const at = `/v1/orgs/${stranger.id}/fonts/${font.id}`
  assert.equal((await stranger.admin.client.get(at)).status, 404, 'nor is it one of theirs')
  const creator = await org.member('create')
  assert.deepEqual(
    (await writes(creator.client)).map(({ status }) => status),
    [201, 201, 204],
  )
})

test('a site uses fonts of its organization by id, and its look shows them as they are now', async () => {
  const site = await aSite(app)
  const { client, path, made, sent } = await setUp(site.org)
  const look = `${site.path}/customization`
  const [text, code] = [await made('Acme'), await made('Acme Code')]
  const definition = ({ id, custom, fontFamily, fontFaces }: any) => ({ id, custom, fontFamily, fontFaces })
  // A made-up family or address is ignored.
  const source = { url: 'https://evil.example/a.woff2' }
  const forged = { id: code.id, custom: true, fontFamily: "x'; }", fontFaces: [{ weight: 1, sources: [source] }] }
  const styling = { font: definition(text), headingFont: { id: text.id }, monospaceFont: forged }
  const answer = expect(await client.put(look, { styling }), 200)
  const shown = { font: definition(text), headingFont: definition(text), monospaceFont: definition(code) }
  const fontsOf = ({ font, headingFont, monospaceFont }: any) => ({ font, headingFont, monospaceFont })
  assert.deepEqual(fontsOf(answer.styling), shown)
  assert.deepEqual(expect(await client.put(look, answer), 200).styling, answer.styling, 'what was read can be written')

  const changed = expect(
    await client.post(`${path}/${text.id}`, {
      fontFamily: 'Acme 2',
      fontFaces: [{ weight: 700, storageKey: await sent(bold) }],
    }),
    201,
  )
  const now = expect(await client.get(look), 200)
  assert.deepEqual(now.styling.font, definition(changed))
  const published = expect(await client.get(`${site.path}/published`), 200)
  assert.deepEqual(published.customizations.site.styling.font, definition(changed))

  const stranger = await setUp()
  const foreign = await stranger.made()
  for (const id of [foreign.id, newId(), 'x'])
    refusedAt(await client.put(look, { styling: { headingFont: { id } } }), 400, 'body.styling.headingFont.id')
  assert.deepEqual(expect(await client.get(look), 200), now)
})

test('a font used by a site or one of its spaces is not deleted, and the refusal names the site if the caller sees it', async () => {
  const site = await aSite(app)
  const { org, client, path, made } = await setUp(site.org)
  const font = await made()
  const at = `${path}/${font.id}`
  const { items } = expect(await client.get(`${site.path}/site-spaces`), 200)
  const look = `${site.path}/site-spaces/${items[0].id}/customization`
  const { title } = expect(await client.get(site.path), 200)
  const refusal = async (who: Client) => {
    const { status, body } = await who.delete(at)
    assert.equal(status, 409)
    return body.error.message as string
  }
  expect(await client.patch(look, { styling: { monospaceFont: { id: font.id } } }), 200)
  assert.ok((await refusal(client)).includes(`“${title}”`))
  expect(await client.patch(look, { styling: { monospaceFont: null } }), 200)
  expect(await client.put(`${site.path}/customization`, { styling: { headingFont: { id: font.id } } }), 200)
  assert.ok((await refusal(client)).includes(`“${title}”`))

  const creator = await org.member('create')
  await grantOnSite(site, { users: [creator.id] }, null)
  const told = await refusal(creator.client)
  assert.ok(!told.includes(title) && told.includes('sites that you cannot see'), told)
  expect(await client.put(`${site.path}/customization`, {}), 200)
  expect(await client.delete(at), 204)
})

test('choosing a font for a site and deleting it at the same time do not both succeed', async () => {
  const site = await aSite(app)
  const { client, path, made } = await setUp(site.org)
  for (let round = 0; round < 8; round++) {
    const font = await made()
    const [chosen, deleted] = await Promise.all([
      client.put(`${site.path}/customization`, { styling: { font: { id: font.id } } }),
      client.delete(`${path}/${font.id}`),
    ])
    assert.ok(
      (chosen.status === 200 && deleted.status === 409) || (chosen.status === 400 && deleted.status === 204),
      `${chosen.status} ${deleted.status}`,
    )
    expect(await client.put(`${site.path}/customization`, {}), 200)
  }
})

test('an organization has at most fifty fonts', async () => {
  const { org, client, path, sent } = await setUp()
  await app.db.run(sql`
    insert into fonts (organization_id, id, family) select ${org.id}, gen_random_uuid(), 'x' from generate_series(1, 49)`)
  const storageKey = await sent(regular)
  const body = { fontFamily: 'Fifty', fontFaces: [{ weight: 400, storageKey }] }
  expect(await client.put(path, body), 201)
  const again = { fontFamily: 'More', fontFaces: [{ weight: 400, storageKey: await sent(regular) }] }
  const { status, body: refused } = await client.put(path, again)
  assert.deepEqual([status, refused.error.type], [409, 'conflict'])
  await app.db.run(sql`delete from fonts where organization_id = ${org.id}`)
})
