// Moving versions to other sections, and sections that readers do not see yet, in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../../test/editing.ts'
import { expect } from '../../../../test/visitor.ts'
import { aKeeper, refused } from '../testing/keeper.ts'

const app = await startApp()

/** The fields of the form of a version. */
const about = ({ id, space, path }: any) => ({ at: id, space: space.id, path, seenPath: path })

/** A published site with two sections: one that has two versions, and Shop. */
async function aKeeperOfVersions() {
  const kept = await aKeeper(app)
  const { org, who, api } = kept
  const sections = async () => expect(await who.get(`${api}/sections`), 200).items as any[]
  const spaces = async () => expect(await who.get(`${api}/site-spaces`), 200).items as any[]
  const aSpace = async (title: string) => {
    const space = await aLiveSpace(app, org)
    expect(await who.patch(space.path, { title }), 200)
    expect(await space.edit(newPage(`All of ${title}`)), 200)
    return space
  }
  const [shopSpace, second] = [await aSpace('Shop'), await aSpace('Second')]
  const shop = expect(await who.post(`${api}/sections`, { spaceId: shopSpace.id }), 201)
  const [drinks] = await sections()
  const v2 = expect(await who.post(`${api}/site-spaces`, { spaceId: second.id, sectionId: drinks.id }), 201)
  return { ...kept, sections, spaces, shop, drinks, v2, aSpace }
}

test('a version can be moved to another section or to its own, and its old address redirects readers', async () => {
  const { keeper, path, send, reader, address, shop, drinks, v2, sections } = await aKeeperOfVersions()
  const at = `sections/${drinks.id}`
  const page = await keeper.get(`${path}/${at}`)
  assert.match(
    page.text,
    /Move to a section[^]*At the end of the section “Shop”[^]*In its own section[^]*Its address changes/,
  )
  assert.doesNotMatch(page.text, /Outside sections/)
  const action = `${at}/spaces/section`
  const taken = await send(at, action, { ...about(v2), to: shop.id, path: 'shop' })
  refused(taken, 409, /Another space of that section already has this path/)
  assert.match(taken.text, /<details class="work-asking" open>[^]*value="shop"/)
  refused(await send(at, action, { ...about(v2), to: '' }), 409, /Choose an existing section/)
  const fields = { ...about(v2), to: shop.id, path: 'v2' }
  const [moved, again] = await Promise.all([1, 2].map(() => keeper.submit(page, `${path}/${action}`, fields)))
  assert.deepEqual([moved!.status, again!.status, again!.location], [303, 303, moved!.location])
  const shown = await keeper.follow(moved!)
  assert.match(
    shown.text,
    /<h1>Shop<\/h1>[^]*Moved. Old addresses redirect to the new ones.[^]*<strong>Second<\/strong>/,
  )
  assert.equal((await reader.get(`${address}second/`)).location, `${address}shop/v2/`)
  // A page from before the move does not move anything a second time.
  refused(await send(at, action, fields), 409, /This space is no longer there/)

  const own = await send(`sections/${shop.id}`, `sections/${shop.id}/spaces/section`, {
    ...about({ ...v2, path: 'v2' }),
    to: 'own',
  })
  assert.match((await keeper.follow(own)).text, /<h1>Sections<\/h1>[^]*Moved\./)
  const [, , third] = await sections()
  assert.deepEqual([third.title, third.siteSpaces[0].id], ['Second', v2.id])
  assert.equal((await reader.get(`${address}shop/v2/`)).location, `${address}second/`)
})

test('moving the last version of a section removes it, and moving out of the only section leaves a site without sections', async () => {
  const { keeper, path, send, who, api, shop, drinks, sections, v2 } = await aKeeperOfVersions()
  const [only] = shop.siteSpaces
  const alone = await keeper.get(`${path}/sections/${shop.id}`)
  assert.match(alone.text, /It is all that the section “Shop” shows, so the section is removed/)
  assert.doesNotMatch(alone.text, /In its own section/)
  const gone = await send(`sections/${shop.id}`, `sections/${shop.id}/spaces/section`, {
    ...about(only),
    to: drinks.id,
  })
  assert.match((await keeper.follow(gone)).text, /<strong>Shop<\/strong>/)
  assert.deepEqual(
    (await sections()).map(({ id }) => id),
    [drinks.id],
  )
  const at = `sections/${drinks.id}`
  assert.match((await keeper.get(`${path}/${at}`)).text, /Outside sections, with everything beside it/)
  const out = await keeper.follow(await send(at, `${at}/spaces/section`, { ...about(v2), to: 'none' }))
  assert.match(out.text, /<h1>Drinks<\/h1>[^]*Moved\.[^]*<strong>Second<\/strong>/)
  assert.equal(expect(await who.get(`${api}/structure`), 200).type, 'siteSpaces')

  // At the root as well, one of several spaces can get a section of its own.
  const back = await keeper.follow(await send('', 'spaces/section', { ...about(v2), to: 'own' }))
  assert.match(back.text, /<h1>Sections<\/h1>/)
  assert.equal((await sections()).length, 2)
})

test('a section can be created as a draft, previewed, shown to readers and hidden again', async () => {
  const { keeper, org, path, send, reader, address, aSpace, sections } = await aKeeperOfVersions()
  const { id: space } = await aSpace('News')
  const made = await keeper.follow(await send('sections', 'sections', { space, title: '', path: '', draft: 'on' }))
  assert.match(made.text, /Section created as a draft[^]*News<\/strong>[^]*hidden from readers/)
  const news = (await sections()).find(({ title }) => title === 'News')
  assert.equal(news.draft, true)
  const readers = async () => [
    (await reader.get(`${address}news/`)).status,
    /<nav class="wrap sections"[^]*News/.test((await reader.get(address)).text),
  ]
  assert.deepEqual(await readers(), [404, false])
  const published = async () => /Published in/.test((await keeper.get(`/app/o/${org.id}/s/${space}`)).text)
  assert.equal(await published(), false)
  const preview = `${path}/preview?of=${news.siteSpaces[0].id}`
  const page = await keeper.get(`${path}/sections/${news.id}`)
  for (const { text } of [made, page]) assert.ok(text.includes(`href="${preview}" aria-label="Preview: News"`))
  const { location } = await keeper.get(preview)
  assert.ok(location!.startsWith(`http://lectern.test${address}news/?preview_token=`), location)

  const at = `sections/${news.id}`
  const shown = await keeper.follow(await send('sections', `${at}/draft`, { draft: 'off' }))
  assert.match(shown.text, /Now visible to readers/)
  assert.doesNotMatch(shown.text, /class="tag" data-tone="warning"/)
  assert.deepEqual(await readers(), [200, true])
  assert.equal(await published(), true)
  const hidden = await keeper.follow(await send(at, `${at}/draft`, { draft: 'on' }))
  assert.match(hidden.text, /Now hidden from readers[^]*hidden from readers/)
  assert.deepEqual(await readers(), [404, false])
  for (const { id } of (await sections()).filter(({ draft }) => !draft).slice(1))
    await send(`sections/${id}`, `sections/${id}/draft`, { draft: 'on' })
  const [first] = await sections()
  const last = await send(`sections/${first.id}`, `sections/${first.id}/draft`, { draft: 'on' })
  refused(last, 409, /This is the only content of the published site/)
})
