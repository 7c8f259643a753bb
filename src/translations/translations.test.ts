import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSpace, grant } from '../../test/content.ts'
import { aPerson, aStranger, anOrganization } from '../../test/factories.ts'
import { stateOf } from '../../test/state.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { addMember } from '../organizations/members.actions.ts'
import { purgeSpaces } from '../spaces/purge.task.ts'

const app = await startApp()

/** A space, and two others that will be its translations. */
async function threeSpaces() {
  const org = await anOrganization(app)
  const { client } = org.admin
  const space = (title: string, more: object = {}) => aSpace(client, org.id, { title, ...more })
  const [source, french, german] = [await space('Guide', { language: 'en' }), await space('Le'), await space('Das')]
  return { org, client, base: `/v1/orgs/${org.id}/translations`, source, french, german }
}

async function aTranslation() {
  const spaces = await threeSpaces()
  const { client, base, source, french, german } = spaces
  const made = await client.post(base, {
    title: `Guide ${spaces.org.canary}`,
    source: { space: source.id },
    variants: [
      { language: 'fr', space: french.id },
      { language: 'de', space: german.id },
    ],
  })
  assert.equal(made.status, 201, made.text)
  return { ...spaces, made: made.body, path: `${base}/${made.body.id}` }
}

test('a translation names its source and variants, and its languages come from them', async () => {
  const { org, client, base, path, made, source, french, german } = await aTranslation()
  assert.deepEqual(
    { ...made, id: '', createdAt: '', updatedAt: '', urls: '' },
    {
      object: 'translation-settings',
      id: '',
      title: `Guide ${org.canary}`,
      languages: ['en', 'de', 'fr'],
      source: { space: source.id, language: 'en' },
      variants: [
        { language: 'de', space: german.id },
        { language: 'fr', space: french.id },
      ],
      createdAt: '',
      updatedAt: '',
      permissions: { view: true, edit: true },
      urls: '',
    },
  )
  assert.deepEqual((await client.get(path)).body, made)
  assert.deepEqual((await client.get(base)).body, { count: 1, items: [made] })

  const renamed = (await client.put(path, { title: 'Handbook' })).body
  assert.deepEqual([renamed.title, renamed.languages], ['Handbook', ['en', 'de', 'fr']])
  const fewer = (await client.put(path, { title: 'Handbook', source: null, variants: [] })).body
  assert.deepEqual([fewer.source, fewer.variants, fewer.languages], [undefined, [], []])

  const stale = await client.put(path, { title: 'X' }, { 'if-match': '"other"' })
  assert.equal(stale.status, 412)
  assert.equal((await client.delete(path)).status, 205)
  assert.equal((await client.get(path)).status, 404)
  assert.equal((await client.get(`/v1/spaces/${source.id}`)).status, 200)
})

test('a translation can be created with only a title', async () => {
  const { client, base } = await threeSpaces()
  const { status, body } = await client.post(base, { title: 'Later' })
  assert.deepEqual([status, body.languages, body.variants, body.source], [201, [], [], undefined])
})

test('readers see translations, creators change them, and guests and strangers find none', async () => {
  const { org, base, path, made } = await aTranslation()
  const [reader, creator, guest] = [await org.member('read'), await org.member('create'), await org.member(null)]
  const stranger = await aStranger(app)
  assert.deepEqual((await reader.client.get(path)).body.permissions, { view: true, edit: false })
  assert.deepEqual((await guest.client.get(base)).body, { count: 0, items: [] })
  const before = await stateOf(app.db)
  for (const [method, address, body] of [
    ['POST', base, { title: 'X' }],
    ['PUT', path, { title: 'X' }],
    ['DELETE', path],
  ] as const) {
    assert.equal((await reader.client.send(method, address, body)).status, 403, `${method} ${address}`)
    const expected = address === base ? 403 : 404
    assert.equal((await guest.client.send(method, address, body)).status, expected, `${method} ${address}`)
    assert.equal((await stranger.client.send(method, address, body)).status, 404, `${method} ${address}`)
  }
  for (const address of [path, `${path}/status`]) {
    assert.equal((await guest.client.get(address)).status, 404)
    assert.equal((await stranger.client.get(address)).status, 404)
  }
  assert.equal(await stateOf(app.db), before)
  assert.equal((await creator.client.put(path, { title: made.title })).status, 200)
})

test('a space hidden from the caller is not shown in its translation, and stays in it when they change it', async () => {
  const { org, client, path, source, french, german } = await aTranslation()
  await client.patch(`/v1/spaces/${french.id}`, { defaultLevel: null })
  const creator = await org.member('create')
  const seen = (await creator.client.get(path)).body
  assert.deepEqual([seen.languages, seen.variants], [['en', 'de'], [{ language: 'de', space: german.id }]])
  assert.ok(!JSON.stringify((await creator.client.get(`${path}/status`)).body).includes(french.id))

  const clash = await creator.client.put(path, { title: 'X', variants: [{ language: 'fr', space: german.id }] })
  assert.deepEqual([clash.status, clash.body.error.details[0].path], [400, 'body.variants.0.language'])
  assert.equal((await creator.client.put(path, { title: 'X', variants: [] })).status, 200)
  assert.deepEqual((await client.get(path)).body.variants, [{ language: 'fr', space: french.id }])

  await client.patch(`/v1/spaces/${source.id}`, { defaultLevel: null })
  assert.equal((await creator.client.put(path, { title: 'X', source: null })).body.source, undefined)
  assert.equal((await creator.client.put(path, { title: 'X', source: { space: german.id } })).status, 409)
  assert.equal((await client.get(path)).body.source.space, source.id)
})

test('putting a space into a translation needs the create role on it, and it can be in only one, once', async () => {
  const { org, client, base, source, french, german } = await aTranslation()
  const creator = await org.member('create')
  await grant(client, source, { users: [creator.id] }, 'edit')
  const other = await aSpace(client, org.id, { title: 'Another' })
  const hidden = await aSpace(client, org.id, { title: 'Hidden' })
  await client.patch(`/v1/spaces/${hidden.id}`, { defaultLevel: null })
  const stranger = await anOrganization(app)
  const foreign = await aSpace(stranger.admin.client, stranger.id)
  const trashed = await aSpace(client, org.id)
  await client.delete(`/v1/spaces/${trashed.id}`)
  const before = await stateOf(app.db)

  const forbidden = await creator.client.post(base, { title: 'T', source: { space: source.id } })
  assert.equal(forbidden.status, 403)
  const fr = (space: string) => ({ language: 'fr', space })
  const cases: [object, string][] = [
    [{}, 'body.title'],
    [{ title: '' }, 'body.title'],
    [{ title: 'x'.repeat(101) }, 'body.title'],
    [{ title: 'T', source: { space: 'x' } }, 'body.source.space'],
    [{ title: 'T', source: { space: newId() } }, 'body.source.space'],
    [{ title: 'T', source: { space: foreign.id } }, 'body.source.space'],
    [{ title: 'T', source: { space: hidden.id } }, 'body.source.space'],
    [{ title: 'T', source: { space: trashed.id } }, 'body.source.space'],
    [{ title: 'T', variants: [fr(other.id), fr(german.id)] }, 'body.variants.1.language'],
    [{ title: 'T', variants: [fr(other.id), { language: 'de', space: other.id }] }, 'body.variants.1.space'],
    [{ title: 'T', variants: [{ language: 'tlh', space: other.id }] }, 'body.variants.0.language'],
    [{ title: 'T', source: { space: other.id }, variants: [fr(other.id)] }, 'body.source'],
    [{ title: 'T', source: { space: other.id, language: 'fr' }, variants: [fr(other.id)] }, 'body.source'],
  ]
  for (const [body, field] of cases) {
    const refused = await creator.client.post(base, body)
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, field], JSON.stringify(body))
  }
  const taken = await client.post(base, { title: 'T', variants: [fr(other.id), { language: 'es', space: french.id }] })
  assert.deepEqual([taken.status, taken.body.error.details[0].path], [409, 'body.variants.1.space'])
  assert.equal(await stateOf(app.db), before)

  const both = await Promise.all([1, 2].map(() => client.post(base, { title: 'T', variants: [fr(other.id)] })))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409])
})

test('a space in a translation cannot be transferred, and the error names the translation', async () => {
  const { org, client, path, source, french } = await aTranslation()
  const to = await anOrganization(app)
  const mover = await aPerson(app, { sees: [org.canary, to.canary] })
  for (const { id: organizationId } of [org, to]) {
    await transaction(app.db, nobody, (tx) =>
      addMember(tx, { organizationId, userId: mover.id, role: 'create', sso: false }),
    )
  }
  const move = (id: string) => mover.client.post(`/v1/spaces/${id}/transfer`, { organization: to.id })
  for (const { id } of [source, french]) {
    const refused = await move(id)
    assert.equal(refused.status, 409)
    assert.match(refused.body.error.message, /Guide/)
  }
  await client.delete(path)
  assert.equal((await move(french.id)).status, 200)
})

test('a space in the trash is not in its translation, returns to it when restored, and is gone for good with the purge', async () => {
  const { org, client, path, source, french } = await aTranslation()
  await client.delete(`/v1/spaces/${french.id}`)
  assert.deepEqual((await client.get(path)).body.languages, ['en', 'de'])
  const { variants } = (await client.get(path)).body
  await client.put(path, { title: 'Guide', variants })
  await client.post(`/v1/spaces/${french.id}/restore`)
  assert.deepEqual((await client.get(path)).body.languages, ['en', 'de', 'fr'])

  const other = await aSpace(client, org.id)
  await client.delete(`/v1/spaces/${french.id}`)
  const replaced = await client.put(path, {
    title: 'Guide',
    variants: [...variants, { language: 'fr', space: other.id }],
  })
  assert.equal(replaced.status, 200, replaced.text)
  assert.equal(replaced.body.variants[1].space, other.id)

  for (const { id } of [source, other]) {
    await client.delete(`/v1/spaces/${id}`)
    await app.db.run(sql`update spaces set deleted_at = now() - interval '8 days' where id = ${id}`)
  }
  await purgeSpaces.run({ db: app.db, config: app.config, store: app.app.store, log: app.app.log })
  const { body } = await client.get(path)
  assert.deepEqual([body.languages, body.source], [['de'], undefined])
  assert.deepEqual((await client.get(`${path}/status`)).body, { count: 0, items: [] })

  const english = { language: 'en', space: (await aSpace(client, org.id)).id }
  const added = await client.put(path, { title: 'Guide', variants: [...body.variants, english] })
  assert.equal(added.status, 200, added.text)
  assert.deepEqual(added.body.languages, ['de', 'en'])
})

test('changing a translation makes a new version of the sites with its spaces, former and new, and of no others', async () => {
  const { org, client, base, source, french, german } = await threeSpaces()
  const site = async (spaceId: string) =>
    (await client.post(`/v1/orgs/${org.id}/sites`, { title: `Site ${org.canary}`, spaces: [spaceId] })).body.id
  const sites = [await site(source.id), await site(french.id), await site(german.id)]
  const versions = () =>
    app.db.all(sql<{ id: string; version: number }>`select id, version from sites where id = any (${sites}::uuid[])`)
  const touched = async (send: () => Promise<{ status: number }>, status: number) => {
    const before = await versions()
    assert.equal((await send()).status, status)
    const after = await versions()
    const versionIn = (all: typeof before, id: string) => all.find((each) => each.id === id)!.version
    return sites.map((id) => versionIn(before, id) !== versionIn(after, id))
  }
  const draft = { title: `Guide ${org.canary}`, source: { space: source.id } }
  let path = ''
  const create = async () => {
    const made = await client.post(base, draft)
    path = `${base}/${made.body.id}`
    return made
  }
  assert.deepEqual(await touched(create, 201), [true, false, false])
  const changeTo = (variants: object[]) => () => client.put(path, { ...draft, variants })
  assert.deepEqual(await touched(changeTo([{ language: 'fr', space: french.id }]), 200), [true, true, false])
  assert.deepEqual(await touched(changeTo([]), 200), [true, true, false])
  assert.deepEqual(await touched(() => client.delete(path), 205), [true, false, false])
})
