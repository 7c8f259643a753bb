import assert from 'node:assert/strict'
import { readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, newPage } from '../../test/editing.ts'
import { png } from '../../test/every-content.ts'
import { upload } from '../../test/uploading.ts'
import { expect } from '../../test/visitor.ts'
import { examine } from '../commands/doctor.ts'
import { sql } from '../db/sql.ts'
import { filesFolder, openStore } from '../storage/open.ts'

const app = await startApp()

async function wrong(...more: [tell?: undefined, step?: () => void]) {
  const { config, db } = app
  const findings = await examine({ config, db, store: openStore(config) }, ...more)
  return findings.filter(({ ok, check }) => !ok && !check.includes('has room'))
}

const complaints = async () => (await wrong()).map(({ check }) => check)

test('the remains of a space whose purge was interrupted are not reported as damage, those of any other space are', async () => {
  const space = await aLiveSpace(app)
  await space.edit(newPage('One'), newPage('Two'))
  const request = await space.changeRequest()
  await request.edit(newPage('Three'))
  await space.who.post(`${space.path}/comments`, { body: { markdown: 'A comment' } })
  assert.deepEqual(await complaints(), [])

  const main = sql`(select id from lines where space_id = ${space.id} and main_id is null)`
  await app.db.run(sql`delete from entries where line_id = ${main}`)
  await app.db.run(sql`delete from revisions where line_id = ${main} and seq = 1`)
  await app.db.run(sql`delete from comments where space_id = ${space.id}`)
  assert.ok((await complaints()).length >= 3)
  await app.db.run(sql`update spaces set deleted_at = now() - interval '6 days' where id = ${space.id}`)
  assert.ok((await complaints()).length >= 3, 'who is in the trash can come back')
  await app.db.run(sql`update spaces set deleted_at = now() - interval '8 days' where id = ${space.id}`)
  assert.deepEqual(await complaints(), [])
})

test('a file with missing or changed bytes is found and named, and unused bytes that are missing are ignored', async () => {
  const space = await aLiveSpace(app)
  const files = [{ name: 'a.txt', base64: btoa('some bytes'), contentType: 'text/plain' }]
  assert.equal((await space.edit({ operation: 'insert_files', files })).status, 200)
  await app.db.run(sql`
    insert into blobs (organization_id, hash, size, content_type)
    values (${space.org.id}, ${'ab'.repeat(32)}, 1, 'text/plain')`)
  assert.deepEqual(await complaints(), [])
  const reading = () => wrong(undefined, () => {})
  assert.deepEqual(await reading(), [])
  const folder = join(filesFolder(app.config), space.org.id)
  const [path] = (await readdir(folder, { recursive: true })).filter((each) => /[0-9a-f]{64}$/.test(each))
  await writeFile(join(folder, path!), 'Some bytes')
  assert.deepEqual(await complaints(), [], 'as many as there were')
  const [changed] = await reading()
  assert.equal(changed!.check, 'The bytes of every file are there and unchanged')
  assert.match(changed!.detail, /1 found\n.* is "a.txt" of the space/)
  await truncate(join(folder, path!), 4)
  const [found] = await wrong()
  assert.ok(found!.detail.includes(`${join(folder, path!)} is "a.txt" of the space`), found!.detail)
  assert.deepEqual(await complaints(), ['The bytes of every file are there'], 'some of them')
  const sites = `/v1/orgs/${space.org.id}/sites`
  const { id } = expect(await space.who.post(sites, { title: 'Docs' }), 201)
  const logo = { bytes: Buffer.from(png, 'base64'), name: 'logo.png' }
  const key = await upload(app, { client: space.who, organizationId: space.org.id }, logo)
  expect(await space.who.post(`${sites}/${id}/pictures`, { key }), 201)
  await rm(folder, { recursive: true })
  const [all] = await wrong()
  assert.equal(all!.check, 'The bytes of every file are there')
  assert.match(all!.detail, /is the picture "logo\.png" of the site "Docs"/)
})
