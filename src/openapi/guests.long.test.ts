// Specifications and guests: guests see none, except for what is shown in the spaces that they can read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { grant } from '../../test/content.ts'
import { aLiveSpace, idsOf } from '../../test/editing.ts'
import { startGitServer } from '../../test/git-server.ts'
import { expect } from '../../test/visitor.ts'
import { aSyncedSpace, sync } from '../git/testing/syncing.ts'
import { aSite as aWebsite } from '../imports/testing/site.ts'
import { petstore } from './testing/petstore.ts'
import { anOrganizationWithSpec } from './testing/specs.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

const sourceOf = (spec: string) => ({
  type: 'builtin:openapi',
  props: { doc: 'models' },
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
})

const reference = { operation: 'insert_page', type: 'computed', computed: sourceOf('shop'), metadata: { title: 'API' } }

/** A space of an organization with a specification, and two people with a role in the space: a guest and a member. */
async function aSpaceWithGuest(role: string) {
  const { org, path } = await anOrganizationWithSpec(app, petstore)
  const space = await aLiveSpace(app, org)
  const [guest, member] = [await org.member(null), await org.member('read')]
  await grant(org.admin.client, { object: 'space', id: space.id }, { users: [guest.id, member.id] }, role)
  return { org, path, space, guest: guest.client, member: member.client }
}

test('a guest can compute pages only from a specification that the space shows', async () => {
  const { space, path, guest, member } = await aSpaceWithGuest('read')
  const compute = (who: typeof guest, what: string, spec = 'shop') =>
    who.post(`${space.path}/content/computed/${what}`, { source: sourceOf(spec), seed: 'x' })
  assert.equal((await guest.get(path)).status, 404)
  for (const what of ['document', 'revision']) {
    const [hidden, none] = [await compute(guest, what), await compute(guest, what, 'none')]
    assert.deepEqual([hidden.status, hidden.body.error.message], [404, none.body.error.message], what)
    assert.equal((await compute(member, what)).status, 200, what)
  }
  expect(await space.edit(reference), 200)
  for (const what of ['document', 'revision']) assert.equal((await compute(guest, what)).status, 200, what)
})

test('a token without the scope openapi:read can compute pages only from a specification that the space shows', async () => {
  const { space, member } = await aSpaceWithGuest('read')
  const tokenWith = async (...scopes: string[]) =>
    app.client(expect(await member.post('/v1/user/tokens', { label: 'Narrow', scopes }), 201).token)
  const [narrow, wide] = [await tokenWith('space:read'), await tokenWith('space:read', 'openapi:read')]
  const compute = async (who: typeof member, what: string) =>
    (await who.post(`${space.path}/content/computed/${what}`, { source: sourceOf('shop'), seed: 'x' })).status
  for (const what of ['document', 'revision'])
    assert.deepEqual([await compute(narrow, what), await compute(wide, what)], [404, 200], what)
  expect(await space.edit(reference), 200)
  for (const what of ['document', 'revision']) assert.equal(await compute(narrow, what), 200, what)
})

test('a guest cannot insert a specification that the space does not show, by any kind of change', async () => {
  const { space, guest, member } = await aSpaceWithGuest('edit')
  const write = (who: typeof guest, ...changes: object[]) => who.post(`${space.path}/content?compat=false`, { changes })
  const page = (markdown: string) => ({ operation: 'insert_page', document: { markdown: `# Page\n\n${markdown}` } })
  const block = '{% openapi-operation spec="shop" path="/pets" method="get" %}\n{% endopenapi-operation %}\n'
  const schemas = '{% openapi-schemas spec="shop" schemas="Pet" %}\n{% endopenapi-schemas %}\n'
  const piece = { operation: 'insert_reusable_content', title: 'Piece', document: { markdown: block } }
  const [plain] = idsOf(await write(guest, page('Plain.')))
  const update = {
    operation: 'update_page',
    page: plain,
    document: { markdown: `# Page\n\n> ${block.split('\n').join('\n> ')}` },
  }
  const ways = [
    reference,
    page(block),
    page(schemas),
    page('{% openapi src="shop" path="/pets" method="get" %}\n{% endopenapi %}\n'),
    piece,
    update,
  ]
  for (const way of ways) {
    const { status, body } = await write(guest, way)
    assert.equal(status, 403, JSON.stringify([way, body]))
    assert.match(body.error.message, /the specification “shop” here/)
  }
  const { body: request } = await guest.post(`${space.path}/change-requests`, { subject: 'Mine' })
  const draft = `${space.path}/change-requests/${request.id}/content`
  assert.equal((await guest.post(draft, { changes: [page(block)] })).status, 403)
  assert.equal((await write(guest, page('`openapi` and shop.'), page('```\nopenapi shop\n```\n'))).status, 200)
  assert.equal((await write(guest, page(block))).status, 403, 'words are no block')

  const [shown] = idsOf(await write(member, page(block)))
  for (const way of [page(`Moved.\n\n${block}`), piece, update, reference]) expect(await write(guest, way), 200)
  expect(
    await write(guest, {
      operation: 'update_page',
      page: shown,
      document: { markdown: `# Page\n\nMore.\n\n${block}` },
    }),
    200,
  )
})

test('a guest can use a specification that the space shows, even if many pages show one with a longer name', async () => {
  const { space, guest, member } = await aSpaceWithGuest('edit')
  const page = (spec: string, title = spec) => ({
    operation: 'insert_page',
    document: {
      markdown: `# ${title}\n\n${title}\n\n{% openapi-schemas spec="${spec}" schemas="Pet" %}\n{% endopenapi-schemas %}\n`,
    },
  })
  for (let batch = 0; batch < 4; batch++) {
    const changes = Array.from({ length: 50 }, (_, at) => page('workshop', `Page ${batch * 50 + at}`))
    expect(await member.post(`${space.path}/content`, { changes }), 200)
  }
  expect(await member.post(`${space.path}/content`, { changes: [page('shop')] }), 200)
  expect(await guest.post(`${space.path}/content`, { changes: [page('shop')] }), 200)
})

test('a guest cannot merge two harmless texts into one that shows a specification', async () => {
  const { space, guest, member } = await aSpaceWithGuest('review')
  const text = (fence: string, inside: string) =>
    `# Page\n\n${fence}\n\nAbove.\n\n${inside}\n\nBelow.\n\n${fence}\n\nEnd.\n`
  const block = '{% openapi-schemas spec="shop" schemas="Pet" %}'
  const insert = { operation: 'insert_page', document: { markdown: text('```', 'Nothing yet.') } }
  const [page] = idsOf(await guest.post(`${space.path}/content?compat=false`, { changes: [insert] }))
  const write = (at: string, markdown: string) =>
    guest.post(`${at}/content`, { changes: [{ operation: 'update_page', page, document: { markdown } }] })
  const { body: request } = await guest.post(`${space.path}/change-requests`, { subject: 'Without fences' })
  const path = `${space.path}/change-requests/${request.id}`
  expect(await write(path, text('Plain.', 'Nothing yet.')), 200)
  expect(await write(space.path, text('```', block)), 200)
  for (const way of ['update', 'merge']) {
    const { status, body } = await guest.post(`${path}/${way}`)
    assert.deepEqual([status, /“shop”/.test(body.error?.message)], [409, true], way)
  }
  assert.equal(expect(await member.post(`${path}/merge`), 200).result, 'merge')
})

test('a guest can revert a deleted page that showed a specification, even if nothing else shows it', async () => {
  const { space, guest, member } = await aSpaceWithGuest('edit')
  const edit = (who: typeof guest, change: object) =>
    who.post(`${space.path}/content?compat=false`, { changes: [change] })
  const [id] = idsOf(await edit(member, reference))
  const { body: before } = await member.get(`${space.path}/content`)
  expect(await edit(member, { operation: 'delete_page', page: id }), 200)
  assert.equal((await edit(guest, reference)).status, 403)
  expect(await edit(guest, { operation: 'revert_page', page: id, revision: before.id }), 200)
})

test('a guest who reverts a page cannot name another specification for it in the same batch', async () => {
  const { space, guest } = await aSpaceWithGuest('edit')
  const write = (...changes: object[]) => guest.post(`${space.path}/content?compat=false`, { changes })
  const translated = {
    type: 'builtin:translation',
    dependencies: { translation: { ref: { kind: 'translation', translation: 'x' } } },
  }
  const [page] = idsOf(await write({ ...reference, computed: translated }))
  const { body: before } = await guest.get(`${space.path}/content`)
  const revert = { operation: 'revert_page', page, revision: before.id }
  const update = { operation: 'update_page', page, computed: sourceOf('shop') }
  assert.equal((await write(revert, update)).status, 403)
  assert.equal((await write(update, revert)).status, 200, 'nothing of it is left')
})

test('a page made from something else that names a specification does not show it to a guest', async () => {
  const { space, guest } = await aSpaceWithGuest('edit')
  const insert = (change: object) => guest.post(`${space.path}/content`, { changes: [change] })
  const block = '# Page\n\n{% openapi-schemas spec="shop" schemas="Pet" %}\n{% endopenapi-schemas %}\n'
  expect(await insert({ ...reference, computed: { ...sourceOf('shop'), type: 'integration:other:thing' } }), 200)
  assert.equal((await insert(reference)).status, 403)
  assert.equal((await insert({ operation: 'insert_page', document: { markdown: block } })).status, 403)
})

test('a guest cannot import a page with a specification that the space does not show', async () => {
  const { space, guest, member } = await aSpaceWithGuest('edit')
  const block = '{% openapi-schemas spec="shop" schemas="Pet" %}\n{% endopenapi-schemas %}\n'
  const files = await aWebsite({ '/a.md': `# A\n\n${block}` })
  const bring = (who: typeof guest) =>
    who.post(`${space.path}/content/import`, { url: files.url('/a.md'), source: 'markdown' })
  assert.equal((await bring(guest)).status, 403)
  assert.equal((await member.get(`${space.path}/content`)).body.pages.length, 0)
  assert.equal((await bring(member)).status, 201)
})

test('a guest cannot sync a page with a specification from a Git repository if the space does not show it', async () => {
  const { org } = await anOrganizationWithSpec(app, petstore)
  const block = '{% openapi-schemas spec="shop" schemas="Pet" %}\n{% endopenapi-schemas %}\n'
  const generated = `* \`\`\`json\n  ${JSON.stringify(sourceOf('shop'))}\n  \`\`\`\n`
  const repository = await (
    await startGitServer()
  ).repository('theirs', { 'README.md': `# A\n\n${block}`, 'SUMMARY.md': '* [A](README.md)\n' })
  const space = await aSyncedSpace(app, repository, { org })
  const guest = await org.member(null)
  await grant(org.admin.client, { object: 'space', id: space.id }, { users: [guest.id] }, 'create')
  const bring = (who: typeof guest.client, more = {}) =>
    sync(who, `${space.path}/git/import`, { url: repository.url, ref: 'refs/heads/main', ...more })
  const refuses = async () => {
    for (const more of [{}, { standalone: true }]) {
      const { state, error } = await bring(guest.client, more)
      assert.deepEqual([state, /“shop”/.test(error)], ['failure', true], error)
    }
  }
  await refuses()
  await repository.commit({ 'README.md': '# A\n', 'SUMMARY.md': `* [A](README.md)\n${generated}` })
  await refuses()
  assert.equal((await bring(org.admin.client)).state, 'success')
})
