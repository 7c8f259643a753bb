import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type EditedSpace, aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { addMember } from '../organizations/members.actions.ts'
import { findFormer } from './former-paths.ts'

const app = await startApp()

/** The pages are: Guides (Setup (Linux)), About */
async function aTree() {
  const space = await aLiveSpace(app)
  const [guides, about] = idsOf(await space.edit(newPage('Guides'), newPage('About')))
  const [setup] = idsOf(await space.edit(newPage('Setup', { into: guides })))
  const [linux] = idsOf(await space.edit(newPage('Linux', { into: setup })))
  const former = async (path: string) => {
    const found = await findFormer(app.db, space.org.id, space.id, path)
    return found && [found.entry, found.rest]
  }
  return { space, former, guides: guides!, about: about!, setup: setup!, linux: linux! }
}

const rename = (page: string, slug: string) => ({ operation: 'update_page', page, metadata: { slug } })
const move = (page: string, into: string | null) => ({ operation: 'update_page', page, into })

async function rowsOf(space: EditedSpace): Promise<string[]> {
  const rows = await app.db.all(sql<{ path: string }>`
    select path from former_paths where organization_id = ${space.org.id} and space_id = ${space.id} order by path`)
  return rows.map(({ path }) => path)
}

test('a page that was renamed or moved is found at its former path, and so are the pages below it', async () => {
  const { space, former, guides, about, setup } = await aTree()
  assert.equal(await former('guides/setup'), undefined)
  await space.edit(rename(guides, 'handbook'))
  assert.deepEqual(await former('guides'), [guides, ''])
  assert.deepEqual(await former('guides/setup/linux'), [guides, 'setup/linux'])
  assert.deepEqual(await former('/GUIDES/Setup/'), [guides, 'Setup'])
  assert.equal(await former('handbook'), undefined)
  assert.equal(await former('guide'), undefined)
  assert.deepEqual(await rowsOf(space), ['guides'])

  // For a page below that moved separately, the longer path matches.
  await space.edit(move(setup, about))
  assert.deepEqual(await former('handbook/setup/linux'), [setup, 'linux'])
  assert.deepEqual(await rowsOf(space), ['guides', 'handbook/setup'])
})

test('only a page whose address changed leaves a former path', async () => {
  const { space, guides, about, linux } = await aTree()
  await space.edit(
    { operation: 'update_page', page: guides, metadata: { title: 'Guide' }, document: { markdown: 'Other text\n' } },
    { operation: 'update_page', page: about, at: 0 },
    { operation: 'delete_page', page: linux },
    newPage('New'),
  )
  assert.deepEqual(await rowsOf(space), [])
})

test('a former path leads to the page that left it last, regardless of letter case', async () => {
  const { space, former, guides, about } = await aTree()
  await space.edit(rename(guides, 'Élan'))
  await space.edit(rename(guides, 'x'))
  assert.deepEqual(await former('éLAN'), [guides, ''])
  await space.edit(rename(about, 'élan'))
  await space.edit(rename(about, 'y'))
  assert.deepEqual(await former('Élan'), [about, ''])
})

test('a page renamed in a change request leaves its former path once the change request is merged', async () => {
  const { space, former, guides } = await aTree()
  const request = await space.changeRequest()
  await request.edit(rename(guides, 'handbook'))
  assert.deepEqual(await rowsOf(space), [])
  assert.equal((await space.who.post(`${request.path}/merge`)).body.result, 'merge')
  assert.deepEqual(await former('guides/setup'), [guides, 'setup'])
})

test('a former path too long for the index is left out, and the page still moves', async () => {
  const { space, about } = await aTree()
  let into: string | null = null
  for (let depth = 0; depth < 8; depth++) {
    const slug = String.fromCodePoint(
      ...Array.from({ length: 100 }, (_, i) => 0x4e00 + ((i * 7919 + depth * 104_729) % 20_000)),
    )
    const made = await space.edit(newPage('Deep', { metadata: { slug }, ...(into && { into }) }))
    into = idsOf(made)[0]!
  }
  assert.equal((await space.edit(move(into!, about))).status, 200)
  assert.deepEqual(await rowsOf(space), [])
})

test('former paths go along when their space is transferred to another organization', async () => {
  const { space, guides } = await aTree()
  await space.edit(rename(guides, 'handbook'))
  const to = await anOrganization(app)
  await transaction(app.db, nobody, (tx) =>
    addMember(tx, { organizationId: to.id, userId: space.org.admin.id, role: 'create', sso: false }),
  )
  const who = app.client(space.who.token, [space.org.canary, to.canary])
  const moved = await who.post(`${space.path}/transfer`, { organization: to.id })
  assert.equal(moved.status, 200, moved.text)
  assert.deepEqual(await rowsOf(space), [])
  assert.deepEqual(await findFormer(app.db, to.id, space.id, 'guides'), { entry: guides, rest: '' })
})
