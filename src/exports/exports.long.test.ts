// Tests that everything exported to an archive can be restored from it, or nothing.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace } from '../../test/content.ts'
import { type EditedSpace, aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { aStranger, anOrganization } from '../../test/factories.ts'
import { emptyDatabase } from '../../test/database.ts'
import { temporaryFolder } from '../../test/process.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { readConfig } from '../config.ts'
import { Database } from '../db/connect.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { assertSound } from '../doctor/testing/sound.ts'
import { addMember } from '../organizations/members.actions.ts'
import { Secrets } from '../secrets.ts'
import { purgeSpaces } from '../spaces/purge.task.ts'
import { openStore } from '../storage/open.ts'
import { backUp } from './backup/backup.ts'
import { Archive } from './open-archive.ts'
import { restoreInstance } from './backup/restore.ts'
import { archivesOf } from './testing/archives.ts'

const app = await startApp()
const { download, newFile, restore } = await archivesOf(app)
const folder = await temporaryFolder()

/** A space with a tree, a file, a reusable content, a variable and comments. */
async function aFullSpace() {
  const space = await aLiveSpace(app)
  const made = await space.edit(newPage('Start'), { operation: 'insert_page', type: 'group', title: 'Group' })
  const [start, group] = idsOf(made)
  const inserted = expect(
    await space.edit({
      operation: 'insert_files',
      files: [{ name: 'data.txt', contentType: 'text/plain', base64: Buffer.from('bytes\u2028').toString('base64') }],
    }),
    200,
  )
  const fileId = inserted.insertedFiles[0].id
  const markdown = `# Inside\n\nSee [start](/pages/${start}) and [it](/files/${fileId}).\u2028 A line {{ space.vars.name }}\n`
  expect(
    await space.edit(
      { operation: 'insert_page', into: group, document: { markdown }, metadata: { hidden: true, slug: 'other' } },
      { operation: 'update_variables', variables: { name: 'Value' } },
    ),
    200,
  )
  const post = (path: string, markdown: string) => space.who.post(`${space.path}/${path}`, { body: { markdown } })
  const comment = expect(await post('comments', 'What a page'), 200)
  expect(await post(`comments/${comment.id}/replies`, 'Indeed'), 200)
  const resolved = expect(await post('comments', 'Done'), 200)
  expect(await space.who.put(`${space.path}/comments/${resolved.id}`, { resolved: true }), 200)
  return { space, fileId, comment }
}

async function contentOf({ who }: EditedSpace, path: string) {
  const { body } = await who.get(`${path}/content`)
  const pages: unknown[] = []
  const walk = async (list: any[]) => {
    for (const { id, title, path: at, type, pages: below = [] } of list) {
      const { markdown } = type === 'document' ? (await who.get(`${path}/content/page/${id}?format=markdown`)).body : {}
      pages.push([id, title, at, markdown])
      await walk(below)
    }
  }
  await walk(body.pages)
  const { items } = (await who.get(`${path}/comments`)).body
  return {
    pages,
    files: body.files.map(({ id, name, size }: any) => [id, name, size]),
    variables: body.variables,
    comments: items.map(({ body, status, postedBy, replies }: any) => [body, status, postedBy.id, replies]),
  }
}

test('the archive of a space alone does not name its collection', async () => {
  const org = await anOrganization(app)
  const who = org.admin.client
  const shelf = await aCollection(who, org.id, { title: 'Shelf' })
  const space = await aSpace(who, org.id, { parent: shelf.id })
  for (const [path, name, collection] of [
    [`/v1/spaces/${space.id}/export`, 'space.json', null],
    [`/v1/orgs/${org.id}/export`, `spaces/${space.id}/space.json`, shelf.id],
  ] as const) {
    const archive = await Archive.open(await download(who, path), 'space', 'organization')
    assert.equal((await archive.json<{ collection: string | null }>(name)).collection, collection)
    archive.close()
  }
})

test('an archive and a PDF have the title of their space as file name, in any script', async () => {
  const { id, admin } = await anOrganization(app)
  for (const title of ['利用者の手引き', `a${'\u{20bb7}'.repeat(46)}引き`]) {
    const space = await aSpace(admin.client, id, { title })
    const { headers } = await admin.client.get(`/v1/spaces/${space.id}/export`)
    const name = encodeURIComponent(title)
    const plain = title.replace(/[^a]/g, '_')
    assert.equal(
      headers.get('content-disposition'),
      `attachment; filename="${plain}.zip"; filename*=UTF-8''${name}.zip`,
    )
    const { url } = expect(await admin.client.get(`/v1/spaces/${space.id}/pdf`), 200)
    assert.ok(url.includes(`/${name}.pdf?`), url)
  }
})

test('an administrator who made an export sees its progress, other members and strangers do not', async () => {
  const { space } = await aFullSpace()
  const organization = space.org.id
  const other = (await space.org.member('edit')).client
  const fetchIt = () =>
    fetch(`${app.url}${space.path}/export`, { headers: { authorization: `Bearer ${space.who.token}` } })
  const response = await fetchIt()
  const path = `/v1/orgs/${organization}/exports`
  const id = response.headers.get('lectern-export')
  const bytes = (await response.arrayBuffer()).byteLength
  const ended = await ends(space.who, `${path}/${id}`)
  assert.deepEqual([ended.status, ended.target], ['completed', { space: space.id }])
  assert.equal(ended.progress.files, ended.progress.totalFiles)
  assert.ok(ended.progress.files > 5 && ended.progress.bytes > 0 && bytes > 0)

  const broken = await fetchIt()
  await broken.body!.cancel()
  const cut = await ends(space.who, `${path}/${broken.headers.get('lectern-export')}`)
  assert.ok(['failed', 'completed'].includes(cut.status))

  const { items, count } = expect(await space.who.get(`${path}?limit=1`), 200)
  assert.deepEqual([items.length, count, items[0].id], [1, 2, broken.headers.get('lectern-export')])
  assert.equal((await other.get(`${path}/${id}`)).status, 404)
  assert.equal(expect(await other.get(path), 200).count, 0)
  const stranger = (await aStranger(app)).client
  for (const at of [path, `${path}/${id}`]) assert.equal((await stranger.get(at)).status, 404)
})

async function ends(who: EditedSpace['who'], path: string) {
  for (const until = Date.now() + 30_000; ; await sleep(20)) {
    const run = expect(await who.get(path), 200)
    if (run.status !== 'in-progress' || Date.now() > until) return run
  }
}

test('a space keeps its pages, files, variables and comments through export and import', async () => {
  const { space, comment } = await aFullSpace()
  const file = await download(space.who, `${space.path}/export`)
  const archive = await Archive.open(file, 'space')
  const names = archive.paths()
  archive.close()
  for (const name of ['content/README.md', 'content/SUMMARY.md', 'content/.gitbook/assets/data.txt', 'comments.jsonl'])
    assert.ok(names.includes(name), `${name} in ${names.join(' ')}`)

  const { spaces, problems } = await restore(file, space.org.id)
  assert.deepEqual(problems, [])
  const [copy] = spaces
  assert.notEqual(copy!.id, space.id)
  assert.deepEqual([copy!.pages, copy!.files, copy!.comments], [3, 1, 3])
  const [was, is] = [await contentOf(space, space.path), await contentOf(space, `/v1/spaces/${copy!.id}`)]
  assert.deepEqual(is, was)
  assert.equal((await space.who.get(`${space.path}/comments/${comment.id}`)).status, 200)
  await assertSound(app.db)

  // In another organization, and with its id free again, the space keeps that id.
  expect(await space.who.delete(space.path), 205)
  await app.db.pool.query(`update spaces set deleted_at = now() - interval '8 days' where id = $1`, [space.id])
  await purgeSpaces.run({ db: app.db, config: app.config, store: app.app.store, log: app.app.log })
  const other = await anOrganization(app)
  const elsewhere = await restore(file, other.id)
  assert.equal(elsewhere.spaces[0]!.id, space.id)
  const moved = (
    await app
      .client(other.admin.client.token, [other.canary, space.org.canary])
      .get(`/v1/spaces/${elsewhere.spaces[0]!.id}`)
  ).body
  assert.equal(moved.organization, other.id)
  await assertSound(app.db)
})

test('editors and strangers may export neither a space nor an organization, and anonymous callers no space', async () => {
  const { space } = await aFullSpace()
  const editor = await space.org.member('edit')
  const stranger = await aStranger(app)
  assert.equal((await editor.client.get(`${space.path}/export`)).status, 403)
  assert.equal((await stranger.client.get(`${space.path}/export`)).status, 404)
  assert.equal((await editor.client.get(`/v1/orgs/${space.org.id}/export`)).status, 403)
  assert.equal((await stranger.client.get(`/v1/orgs/${space.org.id}/export`)).status, 404)
  assert.equal((await app.client().get(`${space.path}/export`)).status, 401)
})

test('an archive of an organization restores its collections and sites, and contains no secret', async () => {
  const site = await aSite(app, { visibility: 'visitor-auth' })
  const collection = await aCollection(site.who, site.org.id, { title: 'Shelf' })
  expect(await site.who.post(`${site.space.path}/move`, { parent: collection.id }), 200)
  const file = await download(site.who, `/v1/orgs/${site.org.id}/export`)
  assert.doesNotMatch((await readFile(file)).toString('latin1'), /auth_key/)
  const archive = await Archive.open(file, 'organization')
  assert.equal((await archive.json<any>('sites.json')).sites[0].auth_key, undefined)
  archive.close()

  const other = await anOrganization(app)
  const restored = await restore(file, other.id)
  assert.deepEqual([restored.spaces.length, restored.collections, restored.sites], [1, 1, 1])
  const who = app.client(other.admin.client.token, [other.canary, site.org.canary])
  const { items } = (await who.get(`/v1/orgs/${other.id}/sites`)).body
  assert.equal(items[0].title, `Site ${site.org.canary}`)
  const spaces = (await who.get(`/v1/orgs/${other.id}/sites/${items[0].id}/site-spaces`)).body
  assert.equal(spaces.items[0].space.id, restored.spaces[0]!.id)
  await assertSound(app.db)
})

test('a space that leaves the organization during an export is left out, and the archive stays complete', async () => {
  const space = await aLiveSpace(app)
  const { who, org } = space
  // More than fits into the buffers between the server and a client that does not read: everything behind this file
  // waits.
  const size = 24 * 1024 * 1024
  const file = { name: 'large.zip', type: 'application/octet-stream', size }
  const { url, key } = expect(
    await who.post(`/v1/orgs/${org.id}/storage/upload`, { kind: 'organization_file', file }),
    201,
  )
  const target = new URL(url)
  const sent = await fetch(app.url + target.pathname + target.search, { method: 'PUT', body: randomBytes(size) })
  assert.equal(sent.status, 200)
  expect(await space.edit({ operation: 'insert_files', files: [{ name: file.name, key }] }), 200)
  const leaving = await aSpace(who, org.id, { title: 'Leaving' })

  const other = await anOrganization(app)
  await transaction(app.db, nobody, (tx) =>
    addMember(tx, { organizationId: other.id, userId: org.admin.id, role: 'admin', sso: false }),
  )
  const mover = app.client(who.token, [org.canary, other.canary])
  const response = await fetch(`${app.url}/v1/orgs/${org.id}/export`, {
    headers: { authorization: `Bearer ${who.token}` },
  })
  expect(await mover.post(`/v1/spaces/${leaving.id}/transfer`, { organization: other.id }), 200)
  const path = newFile()
  await writeFile(path, Buffer.from(await response.arrayBuffer()))
  const archive = await Archive.open(path, 'organization')
  const paths = archive.paths()
  archive.close()
  assert.ok(paths.includes(`spaces/${space.id}/space.json`))
  assert.ok(!paths.some((each) => each.startsWith(`spaces/${leaving.id}/`)))
})

test('links between the spaces of an archive follow the new ids of the restored spaces', async () => {
  const org = await anOrganization(app)
  const [from, to] = [await aLiveSpace(app, org), await aLiveSpace(app, org)]
  const [target] = idsOf(await to.edit(newPage('Target')))
  const address = (space: string) => `/spaces/${space}/pages/${target}`
  const link = { operation: 'insert_page', type: 'link', title: 'There', target: { kind: 'space', space: to.id } }
  expect(
    await from.edit(newPage('Page', { document: { markdown: `# Page\n\nSee [it](${address(to.id)}).\n` } }), link),
    200,
  )
  expect(await from.who.post(`${from.path}/comments`, { body: { markdown: `As in ${address(to.id)}` } }), 200)
  const { spaces } = await restore(await download(from.who, `/v1/orgs/${org.id}/export`), org.id)

  const pagesOf = async (id: string) => expect(await from.who.get(`/v1/spaces/${id}/content`), 200).pages
  const pages = await Promise.all(spaces.map(async ({ id }) => ({ id, pages: await pagesOf(id) })))
  const copyOf = (title: string) => pages.find((each) => each.pages.some((page: any) => page.title === title))!
  const [copy, copiedTarget] = [copyOf('Page'), copyOf('Target')]
  assert.notEqual(copiedTarget.id, to.id)
  const read = async (path: string) => expect(await from.who.get(`/v1/spaces/${copy.id}/${path}`), 200)
  const written = copy.pages.find(({ title }: any) => title === 'Page')
  const { markdown } = await read(`content/page/${written.id}?format=markdown`)
  assert.match(markdown, new RegExp(address(copiedTarget.id)))
  const there = copy.pages.find(({ title }: any) => title === 'There')
  assert.deepEqual(there.target, { kind: 'space', space: copiedTarget.id })
  assert.match((await read('comments')).items[0].body.markdown, new RegExp(address(copiedTarget.id)))
  const { items } = await read(`content/page/${written.id}/links`)
  const led = items.map(({ status, targetReference: { space, page } }: any) => [status, space.id, page.id])
  assert.deepEqual(led, [['ok', copiedTarget.id, target]])
  await assertSound(app.db)
})

test('restored sites whose names are taken get other names, never one of another site in the archive', async () => {
  const first = await aSite(app)
  const { who, org } = first
  const names = async () =>
    (await who.get(`/v1/orgs/${org.id}/sites`)).body.items.map(({ basename }: any) => basename).toSorted()
  expect(await who.patch(first.path, { basename: 'docs' }), 200)
  const second = expect(await who.post(`/v1/orgs/${org.id}/sites`, { title: 'Docs' }), 201)
  expect(await who.patch(`/v1/orgs/${org.id}/sites/${second.id}`, { basename: 'docs-2' }), 200)
  const file = await download(who, `/v1/orgs/${org.id}/export`)
  expect(await who.patch(`/v1/orgs/${org.id}/sites/${second.id}`, { basename: 'other' }), 200)
  await restore(file, org.id)
  assert.deepEqual(await names(), ['docs', 'docs-2', 'docs-3', 'other'])
})

test('a damaged, truncated or unrelated file is refused as an archive and changes nothing', async () => {
  const { space } = await aFullSpace()
  const file = await download(space.who, `${space.path}/export`)
  const bytes = await readFile(file)
  const count = async () => (await space.who.get(`/v1/orgs/${space.org.id}/spaces?limit=0`)).body.count
  const before = await count()
  const name = 'content/.gitbook/assets/data.txt'
  const at = bytes.indexOf(name) + name.length
  const damaged = Buffer.from(bytes)
  damaged[at + 2]! ^= 0xff
  for (const [name, content] of [
    ['cut', bytes.subarray(0, bytes.length - 200)],
    ['damaged', damaged],
    ['text', Buffer.from('nothing')],
  ] as const) {
    const path = join(folder, `${name}.zip`)
    await writeFile(path, content)
    await assert.rejects(restore(path, space.org.id), name)
  }
  assert.equal(await count(), before)
})

/** A file in which the disk has changed a byte. Returns its path in a backup. */
async function aSpoiledFile(space: EditedSpace): Promise<string> {
  const text = `Spoiled ${space.org.canary}`
  const files = [{ name: 'spoiled.txt', base64: btoa(text), contentType: 'text/plain' }]
  assert.equal((await space.edit({ operation: 'insert_files', files })).status, 200)
  const hash = createHash('sha256').update(text).digest('hex')
  await writeFile(app.app.store.placeOf({ organizationId: space.org.id, hash }), text.replace('S', 'X'))
  return `files/${space.org.id}/${hash}`
}

test('a backup restores the whole installation, only into an empty one, and names damaged files', async () => {
  const { space, fileId } = await aFullSpace()
  const spoiled = await aSpoiledFile(space)
  const secrets = new Secrets('a secret for tests that is long enough')
  await app.db.pool.query(
    `insert into instance (id, secret_fingerprint, store_id, first_admin) select gen_random_uuid(), $1, $2, $3
     where not exists (select from instance)`,
    [secrets.fingerprint, await app.app.store.id(), space.org.admin.id],
  )
  const path = join(folder, 'backup.zip')
  const context = { connection: { connectionString: app.databaseUrl }, store: app.app.store, secret: undefined }
  const told: string[] = []
  const onMissing = (file: string) => void told.push(file)
  await writeFile(path, backUp({ ...context, secretFingerprint: secrets.fingerprint, onMissing }))
  assert.deepEqual(told, [spoiled])

  const empty = await emptyDatabase()
  const config = readConfig({ LECTERN_DATA: join(folder, 'restored'), LECTERN_LOG: 'silent', DATABASE_URL: empty.url })
  const connection = { connectionString: empty.url }
  const db = new Database(connection, config.limits)
  const store = openStore(config)
  after(async () => {
    await db.close()
    await empty.drop()
  })
  const run = async (with_: Secrets) => {
    const archive = await Archive.open(path, 'instance')
    return restoreInstance({ config, connection, db, secrets: with_, store }, archive).finally(() => archive.close())
  }
  await assert.rejects(run(new Secrets('another secret that is long enough too')), /another secret/)
  const { rows, missing } = await run(secrets)
  assert.ok(rows > 50)
  assert.deepEqual(missing, [spoiled])
  await assertSound(db)
  const rowsOf = async (from: Database, table: string) =>
    (await from.pool.query(`select to_jsonb(t)::text as row from ${table} t order by 1`)).rows
  for (const table of ['spaces', 'entries', 'documents', 'comments', 'tokens', 'search_sections', 'sites', 'blobs'])
    assert.deepEqual(await rowsOf(db, table), await rowsOf(app.db, table), table)
  const entry = (await db.pool.query('select organization_id, blob from entries where entry = $1', [fileId])).rows[0]
  assert.ok(await store.has({ organizationId: entry.organization_id, hash: entry.blob }))
  for (const each of [secrets, new Secrets('another secret that is long enough too')])
    await assert.rejects(run(each), /Restore into an empty/)
})
