import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { png } from '../../../test/every-content.ts'
import { anOrganization } from '../../../test/factories.ts'
import { upload } from '../../../test/uploading.ts'
import { expect } from '../../../test/visitor.ts'
import { sql } from '../../db/sql.ts'
import { deleteUnusedBlobs, firstBlob } from '../../files/blobs.queries.ts'

const app = await startApp()
const picture = Buffer.from(png, 'base64')
const drawn = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')

async function aSite() {
  const org = await anOrganization(app)
  const { client } = org.admin
  const { id } = expect(await client.post(`/v1/orgs/${org.id}/sites`, { title: 'Docs' }), 201)
  const sent = (bytes: Buffer, name: string, kind?: string) =>
    upload(app, { client, organizationId: org.id }, { bytes, name, ...(kind !== undefined && { kind }) })
  return { org, client, sent, path: `/v1/orgs/${org.id}/sites/${id}` }
}

const got = (url: string) => fetch(app.url + new URL(url).pathname)

test('an upload becomes a logo that is served to everybody, and its bytes are kept until it is deleted', async () => {
  const { org, client, sent, path } = await aSite()
  const made = expect(await client.post(`${path}/pictures`, { key: await sent(picture, 'a ü%.png') }), 201)
  assert.deepEqual(
    [made.object, made.contentType, made.size, made.width],
    ['site-picture', 'image/png', picture.length, 1],
  )
  const logo = { light: made.url, dark: made.url }
  expect(await client.put(`${path}/customization`, { header: { logo } }), 200)
  await app.db.run(sql`update blobs set created_at = now() - interval '2 days' where organization_id = ${org.id}`)
  await app.db.run(sql`delete from uploads where organization_id = ${org.id}`)
  await deleteUnusedBlobs(app.db, firstBlob, { look: 1000, limit: 1000 })
  const answer = await got(made.url)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
  assert.ok(Buffer.from(await answer.arrayBuffer()).equals(picture))
  assert.deepEqual(expect(await client.get(`${path}/pictures`), 200).items, [made])

  expect(await client.delete(`${path}/pictures/${made.id}`), 204)
  assert.equal((await got(made.url)).status, 404)
  const { removed } = await deleteUnusedBlobs(app.db, firstBlob, { look: 1000, limit: 1000 })
  assert.equal(removed.length, 1)
})

test('a script in an uploaded SVG cannot run', async () => {
  const { client, sent, path } = await aSite()
  const { url } = expect(await client.post(`${path}/pictures`, { key: await sent(drawn, 'a.svg') }), 201)
  const { headers } = await got(url)
  assert.match(headers.get('content-security-policy')!, /^sandbox; default-src 'none'/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

test("an upload is refused as a picture if it is not an image, too large, already used, or another organization's", async () => {
  const { org, client, sent, path } = await aSite()
  const other = await aSite()
  const used = await sent(picture, 'a.png')
  expect(await client.post(`${path}/pictures`, { key: used }), 201)
  const large = Buffer.concat([picture, Buffer.alloc(2 * 1024 * 1024)])
  const keys = {
    used,
    none: 'x',
    foreign: await other.sent(picture, 'a.png'),
    text: await sent(Buffer.from('<p>'), 'a.png'),
    large: await sent(large, 'a.png'),
    named: await sent(picture, `${'茶'.repeat(200)}.png`),
    imported: await sent(picture, 'a.png', 'import_file'),
  }
  for (const [why, key] of Object.entries(keys)) {
    const { status, body } = await client.post(`${path}/pictures`, { key })
    assert.deepEqual([status, body.error.message.startsWith('body.key')], [400, true], `${why}: ${body.error.message}`)
  }
  const member = await org.member('edit')
  assert.equal((await member.client.post(`${path}/pictures`, { key: await sent(picture, 'b.png') })).status, 403)
  assert.equal(expect(await client.get(`${path}/pictures`), 200).items.length, 1)
})
