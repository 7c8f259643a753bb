import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aChangeRequest, aSpace } from '../../test/lines.ts'
import { type Entry, gone, top } from '../content/merge/entry.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'

const app = await startApp()

async function aSpaceWithFiles() {
  const space = await aSpace(app)
  const blob = 'b'.repeat(43)
  await app.db.run(sql`
    insert into blobs (organization_id, hash, size, content_type) values (${space.organization.id}, ${blob}, 3, 'image/png')`)
  const file = (name: string, more = {}): Entry => ({
    entry: newId(),
    kind: 2,
    state: 0,
    parent: top,
    slug: null,
    position: null,
    doc: null,
    refs: null,
    data: { name, contentType: 'image/png', size: 3, blob, ...more },
  })
  const files = [file('a.png', { width: 2, height: 1 }), file('b.png'), file('c.png')]
  await space.main.write(files)
  return { space, file, ids: files.map(({ entry }) => entry) }
}

test('files are listed page by page and read one by one on main, in a change request and in a revision', async () => {
  const { space, ids } = await aSpaceWithFiles()
  const { client } = space.admin
  const request = await aChangeRequest(space)
  const { id: revision, files } = (await client.get(`${space.path}/content`)).body
  assert.equal(files.length, 3)
  for (const base of [`${space.path}/content`, `${request.path}/content`, `${space.path}/revisions/${revision}`]) {
    const { body: list } = await client.get(`${base}/files`)
    assert.deepEqual([list.count, list.items], [3, files])
    const first = (await client.get(`${base}/files?limit=2`)).body
    const second = (await client.get(`${base}/files?limit=2&page=${first.next.page}`)).body
    assert.deepEqual([...first.items, ...second.items], files)
    assert.equal(second.next, undefined)
    const { body: one } = await client.get(`${base}/files/${ids[0]}`)
    assert.deepEqual(
      one,
      files.find(({ id }: { id: string }) => id === ids[0]),
    )
    assert.deepEqual(one.dimensions, { width: 2, height: 1 })
    assert.match(one.downloadURL, /^http:\/\/lectern\.test\/files\/.*signature=/)
    assert.equal((await client.get(`${base}/files/${newId()}`)).status, 404)
  }
})

test('a file added or removed in a change request is so only there, and a file deleted on main stays in its revision', async () => {
  const { space, file, ids } = await aSpaceWithFiles()
  const { client } = space.admin
  const request = await aChangeRequest(space)
  const added = file('new.png')
  await request.branch.write([added, gone(ids[0]!, 2, 1)])
  assert.equal((await client.get(`${request.path}/content/files/${added.entry}`)).status, 200)
  assert.equal((await client.get(`${request.path}/content/files/${ids[0]}`)).status, 404)
  assert.equal((await client.get(`${space.path}/content/files/${added.entry}`)).status, 404)
  assert.equal((await client.get(`${request.path}/content/files`)).body.count, 3)

  const { id: revision } = (await client.get(`${space.path}/content`)).body
  await space.main.write([gone(ids[1]!, 2, 1)])
  assert.equal((await client.get(`${space.path}/content/files/${ids[1]}`)).status, 404)
  assert.equal((await client.get(`${space.path}/revisions/${revision}/files/${ids[1]}`)).status, 200)
})
