// New versions of what a site shows, made from existing ones, in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/app.ts'
import { newPage } from '../../../../test/editing.ts'
import { expect } from '../../../../test/visitor.ts'
import { tokenIn } from '../../../account/testing/person.ts'
import { signedIn } from '../../../sessions/testing/signed-in.ts'
import { aKeeper, refused } from '../testing/keeper.ts'

const app = await startApp()

async function aKeeperOfVersions() {
  const kept = await aKeeper(app)
  const rows = async () => expect(await kept.who.get(`${kept.api}/site-spaces`), 200).items as any[]
  const about = ({ id, space }: any) => ({ at: id, space: space.id })
  const send = async (below: string, action: string, fields: Record<string, string>) =>
    kept.keeper.submit(await kept.keeper.get(kept.path + below), `${kept.path}${below}/spaces/${action}`, fields)
  return { ...kept, rows, about, send }
}

test('a version is created from another one as a draft, previewed, edited, and then shown to readers', async () => {
  const { keeper, path, send, rows, about, reader, address, who } = await aKeeperOfVersions()
  const [now] = await rows()
  const page = await keeper.get(path)
  assert.match(page.text, /New version from this one[^]*Title of the new version/)
  const copy = () => keeper.submit(page, `${path}/spaces/copy`, { ...about(now), title: 'Version 2' })
  const [first, second] = await Promise.all([copy(), copy()])
  assert.deepEqual([first.status, second.status], [303, 303])
  const made = await keeper.follow(first)
  assert.match(made.text, /Version created as a draft[^]*Version 2<\/strong>[^]*hidden from readers/)
  const [, version, ...others] = await rows()
  assert.deepEqual(
    [version.title, version.path, version.draft, version.space.title, others],
    ['Version 2', 'version-2', true, `${now.space.title} (Version 2)`, []],
  )
  assert.equal((await reader.get(`${address}version-2/`)).status, 404)
  assert.doesNotMatch((await reader.get(address)).text, /Version 2/)

  expect(await who.post(`/v1/spaces/${version.space.id}/content`, { changes: [newPage('Cocoa')] }), 200)
  const { location } = await keeper.get(`${path}/preview?of=${version.id}`)
  assert.ok(location!.startsWith(`http://lectern.test${address}version-2/?preview_token=`), location)
  assert.match(made.text, new RegExp(`href="${path}/preview\\?of=${version.id}"`))

  const shown = await send('', 'draft', { ...about(version), draft: 'off' })
  assert.match((await keeper.follow(shown)).text, /Now visible to readers/)
  assert.match((await reader.get(`${address}version-2/cocoa`)).text, /Text of Cocoa/)
  assert.match((await reader.get(address)).text, /class="menu variant"[^]*Version 2/)
  const hidden = await send('', 'draft', { ...about(version), draft: 'on' })
  assert.match((await keeper.follow(hidden)).text, /Now hidden from readers/)
  assert.equal((await reader.get(`${address}version-2/`)).status, 404)
  refused(
    await send('', 'draft', { ...about(now), draft: 'on' }),
    409,
    /This is the only content of the published site/,
  )
})

test('a version can be created in a section too, and be shown at once', async () => {
  const { keeper, path, send, rows, about, reader, address, who, api } = await aKeeperOfVersions()
  expect(await who.post(`${api}/external-links`, { title: 'Out', url: 'https://example.com' }), 201)
  const [now] = await rows()
  const at = `/sections/${now.section}`
  const made = await send(at, 'copy', { ...about(now), title: 'Next <1>', shown: 'on' })
  assert.match((await keeper.follow(made)).text, /Version created\. Readers can choose it now[^]*Next &lt;1&gt;/)
  assert.match((await reader.get(address)).text, /class="menu variant"[^]*Next &lt;1&gt;/)
  const [, version] = await rows()
  assert.deepEqual([version.draft, version.section], [false, now.section])
  assert.doesNotMatch((await keeper.get(path + at)).text, /hidden from readers/)
})

test('hiding the default version warns of the effect, and it is no longer called the default', async () => {
  const { keeper, path, send, rows, about, reader, address } = await aKeeperOfVersions()
  const [now] = await rows()
  const warning = /It is shown first: readers who open the address of the site will get another one/
  assert.doesNotMatch((await keeper.get(path)).text, warning)
  await send('', 'copy', { ...about(now), title: 'Version 2', shown: 'on' })
  assert.match((await keeper.get(path)).text, warning)
  const hidden = await keeper.follow(await send('', 'draft', { ...about(now), draft: 'on' }))
  assert.match(hidden.text, /hidden from readers/)
  assert.doesNotMatch(hidden.text, />shown first</)
  assert.match((await reader.get(address)).location!, /version-2\/$/)
})

test('an invalid version title is refused and kept, and members who may not create spaces there cannot create versions', async () => {
  const { send, rows, about, org, who, path, keeper } = await aKeeperOfVersions()
  const [now] = await rows()
  const long = 'x'.repeat(129)
  for (const title of ['', ' ', long]) {
    const answer = await send('', 'copy', { ...about(now), title, shown: 'on' })
    refused(answer, 409, /^A version needs a title of 1 to 128 characters/)
    if (title === long)
      assert.match(answer.text, new RegExp(`open>[^]*value="${long}"[^]*name="shown" value="on" checked`))
  }
  const gone = { at: now.id, space: org.id, title: 'Version 2' }
  refused(await send('', 'copy', gone), 409, /This space is no longer there/)

  const collection = expect(await who.post(`/v1/orgs/${org.id}/collections`, { title: 'Closed' }), 201)
  expect(await who.patch(`/v1/collections/${collection.id}`, { defaultLevel: 'review' }), 200)
  expect(await who.post(`/v1/spaces/${now.space.id}/move`, { parent: collection.id }), 200)
  const { status } = await send('', 'copy', { ...about(now), title: 'Version 2' })
  assert.equal(status, 403)
  const reader = await signedIn(app, await org.member('read'))
  assert.doesNotMatch((await reader.get(path)).text, /New version/)
  const { form } = tokenIn(await reader.get('/account'))
  for (const action of ['copy', 'draft'])
    assert.equal((await reader.post(`${path}/spaces/${action}`, { form, ...about(now), title: 'x' })).status, 403)
  assert.equal((await rows()).length, 1)
  assert.equal((await keeper.get(`${path}/preview?of=${collection.id}`)).status, 400)
})
