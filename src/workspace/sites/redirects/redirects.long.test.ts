// The redirects of a site, managed in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../../test/editing.ts'
import { expect } from '../../../../test/visitor.ts'
import { type Page, tokenIn, unescaped } from '../../../account/testing/person.ts'
import { newId } from '../../../ids.ts'
import { signedIn } from '../../../sessions/testing/signed-in.ts'

import { aKeeper, refused } from '../testing/keeper.ts'

const app = await startApp()

test('readers follow a redirect as soon as it is added, and no longer once it is deleted', async () => {
  const { keeper, path, reader, address, send, redirects, space } = await aKeeper(app)
  const page = await keeper.get(`${path}/redirects`)
  assert.match(page.text, /None yet/)
  const first = { source: ' old/Grüner tee/ ', to: '/coffee', permanent: 'on' }
  const [added, again] = await Promise.all([1, 2].map(() => keeper.submit(page, `${path}/redirects`, first)))
  const shown = await keeper.follow(added!)
  assert.match(shown.text, /Redirect added[^]*1 redirect\n[^]*leads to <code>\/coffee<\/code>[^]*permanent/)
  assert.equal(again!.status, 303)
  assert.equal((await redirects()).length, 1)
  const led = await reader.get(`${address}old/gr%C3%BCner%20tee`)
  assert.deepEqual([led.status, led.location?.endsWith(`${address}coffee`)], [308, true])
  // The redirect follows the page to its new path.
  const [, coffee] = expect(await space.who.get(`${space.path}/content`), 200).pages
  expect(await space.edit({ operation: 'update_page', page: coffee.id, metadata: { slug: 'matcha' } }), 200)
  assert.match((await keeper.get(`${path}/redirects`)).text, /leads to <code>\/matcha<\/code>/)

  // As in addresses: signs stand for themselves, and searches find letters as people read them.
  await send('redirects', 'redirects', { source: "/wiki/@tea:What's+new_(1)", to: '/matcha' })
  const wiki = await reader.get(`${address}wiki/@tea:What's+new_(1)`)
  assert.deepEqual([wiki.status, wiki.location?.endsWith(`${address}matcha`)], [307, true])
  for (const search of ["what's+NEW_(", 'grüner tee', 'Gr%C3%BCner'])
    assert.match((await keeper.get(`${path}/redirects?search=${encodeURIComponent(search)}`)).text, /1 found/, search)

  await send('redirects', 'redirects', { source: '/shop/*', to: 'https://example.org/s', capture: 'on' })
  const out = await reader.get(`${address}shop/cups`)
  assert.deepEqual([out.status, out.location], [307, 'https://example.org/s/cups'])

  const [row] = (await redirects()).filter(({ source }) => source.startsWith('/old'))
  const both = await keeper.get(`${path}/redirects`)
  const sent = { ...tokenIn(both), redirect: row.id, seen: row.updatedAt }
  const [gone, twice] = await Promise.all([1, 2].map(() => keeper.post(`${path}/redirects/delete`, sent)))
  assert.deepEqual([gone!.status, twice!.status], [303, 303])
  assert.match((await keeper.follow(gone!)).text, /Redirect deleted/)
  assert.deepEqual(
    (await redirects()).map(({ source }) => source),
    ['/shop/*', '/wiki/%40tea%3AWhat%27s%2Bnew_%281%29'],
  )
  assert.equal((await reader.get(`${address}old/gr%C3%BCner%20tee`)).status, 404)
})

test('the redirect form offers the default space of the site first, and follows a change of the default', async () => {
  const { keeper, path, who, api, org } = await aKeeper(app)
  const other = await aLiveSpace(app, org)
  const { id } = expect(await who.post(`${api}/site-spaces`, { spaceId: other.id }), 201)
  const offered = ({ text }: Page) => [...text.matchAll(/<option value="([^"]+)"/g)].map(([, space]) => space)
  const [before] = offered(await keeper.get(`${path}/redirects`))
  assert.notEqual(before, other.id)
  expect(await who.patch(api, { defaultSiteSpace: id }), 200)
  assert.deepEqual(offered(await keeper.get(`${path}/redirects`)), [other.id, before])
  // With sections, it is the first space of the section that is shown first.
  expect(await who.post(`${api}/external-links`, { title: 'Out', url: 'https://example.com' }), 201)
  assert.equal(offered(await keeper.get(`${path}/redirects`))[0], other.id)
})

test('an invalid redirect is refused with the reason, and stays in the form', async () => {
  const { send, redirects, path, keeper, who, api, address } = await aKeeper(app)
  await send('redirects', 'redirects', { source: '/old', to: '/tea' })
  await send('redirects', 'redirects', { source: '/b', to: `http://lectern.test${address}a` })
  const before = await redirects()
  for (const [source, to, reason] of [
    ['/OLD', '/coffee', /^This path already has a redirect\.$/],
    ['/x', '/nowhere', /^“\/nowhere” is not the path of a page in that space\.$/],
    ['/x', 'javascript:alert(1)', /^“javascript:alert\(1\)” must be an address that starts with http/],
    ['/x', 'https://jo:secret@example.org', /must not contain a name or password/],
    ['/x?y=1', '/tea', /^Enter an old path such as \/old\/page/],
    ['https://example.org/x', '/tea', /^Enter an old path such as/],
    ['', '/tea', /^Enter an old path such as/],
    [`/${'x'.repeat(600)}`, '/tea', /^The old path: at most 512 characters\.$/],
    ['/x', ' ', /^Enter where it leads.$/],
    ['/c', `http://lectern.test${address}c`, /^Its source matches its destination, .* in a circle\.$/],
    ['/a', `http://lectern.test${address}b`, /^Together with the redirect of \/b, this would be a loop\.$/],
  ] as const) {
    const answer = await send('redirects', 'redirects', { source, to, permanent: 'on' })
    refused(answer, answer.status, reason)
    assert.ok(answer.status >= 400 && answer.status < 500)
    assert.match(answer.text, /name="permanent" value="on" checked/)
    assert.ok(unescaped(answer.text).includes(`name="source" value="${source}"`), source)
    assert.ok(unescaped(answer.text).includes(`value="${to.trim()}"`), to)
  }
  const page = await keeper.get(`${path}/redirects`)
  for (const redirect of ['', 'x', newId()])
    refused(
      await keeper.post(`${path}/redirects/delete`, { ...tokenIn(page), redirect, seen: '' }),
      404,
      /There is no such redirect/,
    )
  // A redirect that was changed in the meantime is not deleted.
  const [{ id, updatedAt }] = before
  expect(await who.patch(`${api}/redirects/${id}`, { permanent: true }), 200)
  const stale = { ...tokenIn(page), redirect: id, seen: updatedAt }
  refused(await keeper.post(`${path}/redirects/delete`, stale), 409, /Somebody has changed this redirect/)
  assert.equal((await redirects()).length, before.length)
})

test('a changed redirect works at once, keeps untouched fields, and does not overwrite a newer change', async () => {
  const { keeper, path, reader, address, send, redirects, who, api, site } = await aKeeper(app)
  await send('redirects', 'redirects', { source: '/old', to: '/tea' })
  await send('redirects', 'redirects', { source: '/taken', to: '/tea' })
  const { id, destination } = (await redirects()).find(({ source }) => source === '/old')
  const at = `${path}/redirects/${id}`
  assert.ok((await keeper.get(`${path}/redirects`)).text.includes(`href="${at}"`))
  const older = await keeper.get(at)
  assert.match(older.text, /name="source" value="\/old"[^]*name="to"\s+value="\/tea"/)
  const fields = { source: '/older', to: '/tea', permanent: 'on' }
  const [saved, again] = await Promise.all([1, 2].map(() => keeper.submit(older, at, fields)))
  assert.deepEqual([saved!.status, again!.status], [303, 303])
  assert.match((await keeper.follow(saved!)).text, /Redirect saved[^]*\/older<[^]*permanent/)
  const now = async () => (await redirects()).find((each) => each.id === id)
  assert.deepEqual((await now()).destination, destination)
  const statuses = await Promise.all(['old', 'older'].map(async (each) => (await reader.get(address + each)).status))
  assert.deepEqual(statuses, [404, 308])
  refused(await keeper.submit(older, at, { ...fields, to: '/coffee' }), 409, /Somebody has changed this redirect/)
  for (const [typed, reason] of [
    [{ source: '/taken', to: '/tea' }, /^This path already has a redirect\.$/],
    [{ source: '/older', to: '/nowhere' }, /^“\/nowhere” is not the path of a page/],
    [{ source: '/older', to: '' }, /^Enter where it leads.$/],
  ] as const) {
    const no = await keeper.submit(await keeper.get(at), at, { ...typed, capture: 'on' })
    refused(no, no.status, reason)
    assert.match(no.text, /name="capture" value="on" checked/)
    assert.ok(no.text.includes(`name="source" value="${typed.source}"`) && no.text.includes(`value="${typed.to}"`))
  }
  await keeper.submit(await keeper.get(at), at, { source: '/older', to: 'https://example.org/x' })
  assert.equal((await reader.get(`${address}older`)).location, 'https://example.org/x')
  // A target that the form cannot name is kept.
  expect(await who.post(`${api}/sections`, { spaceId: site.space.id }), 201)
  const [{ id: siteSectionId }] = expect(await who.get(`${api}/sections`), 200).items
  const toSection = { kind: 'site-section', siteSectionId }
  expect(await who.patch(`${api}/redirects/${id}`, { destination: toSection }), 200)
  const kept = await keeper.get(at)
  assert.match(kept.text, /Leave the target empty to keep it/)
  assert.equal((await keeper.submit(kept, at, { source: '/oldest', to: '' })).status, 303)
  assert.deepEqual([(await now()).source, (await now()).destination], ['/oldest', toSection])
  expect(await who.delete(`${api}/redirects/${id}`), 205)
  refused(await keeper.submit(kept, at, { source: '/gone', to: '' }), 404, /There is no such redirect/)
  assert.equal((await keeper.get(at)).text, (await reader.get('/app/x')).text)
})

test('readers do not follow a draft redirect until it is published, when it replaces the live one', async () => {
  const { keeper, path, reader, address, send, redirects } = await aKeeper(app)
  await send('redirects', 'redirects', { source: '/old', to: 'https://example.org/x' })
  const made = await keeper.follow(await send('redirects', 'redirects', { source: '/old', to: '/coffee', draft: 'on' }))
  assert.match(made.text, /Draft added[^]*1 draft\n[^]*\/coffee</)
  const leads = async () => (await reader.get(`${address}old`)).location
  assert.equal(await leads(), 'https://example.org/x')
  assert.doesNotMatch((await keeper.get(`${path}/redirects`)).text, /\/coffee</)
  const at = /href="([^"]+)" aria-label="Change the redirect of \/old"/.exec(made.text)![1]!
  const saved = await keeper.submit(await keeper.get(at), at, { source: '/old', to: '/coffee', permanent: 'on' })
  const drafts = await keeper.follow(saved)
  assert.match(drafts.text, /Redirect saved[^]*1 draft\n/)
  const publish = `${path}/redirects/publish?drafts=on`
  refused(await keeper.submit(made, publish), 409, /Somebody has changed this redirect/)
  const [live, again] = await Promise.all([1, 2].map(() => keeper.submit(drafts, publish)))
  assert.deepEqual([live!.status, again!.status], [303, 303])
  assert.match((await keeper.follow(live!)).text, /Redirect published[^]*0 drafts\n/)
  assert.deepEqual([(await leads())?.endsWith('/coffee'), (await redirects()).length], [true, 1])
  // Publishing a redirect that is live already leaves it as it is.
  const [{ id, updatedAt }] = await redirects()
  const list = await keeper.get(`${path}/redirects`)
  assert.equal((await keeper.post(publish, { ...tokenIn(list), redirect: id, seen: updatedAt })).status, 303)
  assert.equal((await redirects()).length, 1)
})

test('site editors can preview a draft redirect from its list before readers follow it', async () => {
  const { keeper, path, address, send } = await aKeeper(app)
  await send('redirects', 'redirects', { source: '/old/*', to: '/coffee', draft: 'on' })
  const drafts = await keeper.get(`${path}/redirects?drafts=on`)
  const at = /class="btn" href="([^"]+)" aria-label="Preview: \/old\/\*"/.exec(drafts.text)![1]!
  const { location } = await keeper.get(unescaped(at))
  assert.ok(location!.startsWith(`http://lectern.test${address}old?preview_token=`), location)
  const seen = await keeper.get(location!.slice('http://lectern.test'.length))
  assert.deepEqual([seen.status, seen.location], [307, `${address}old`])
  assert.equal((await keeper.get(seen.location!)).location, `${address}coffee`)
  await send('redirects', 'redirects', { source: '/live', to: '/coffee' })
  assert.doesNotMatch((await keeper.get(`${path}/redirects`)).text, /Preview: \/live/)
})

test('long lists of redirects have pages and a search, and hide redirects into spaces a person cannot see', async () => {
  const { org, who, api, path, keeper } = await aKeeper(app)
  const secret = await aLiveSpace(app, org)
  expect(await secret.edit(newPage('Recipe')), 200)
  expect(await who.post(`${api}/site-spaces`, { spaceId: secret.id }), 201)
  const to = (destination: object, source: string) => ({ source, destination })
  const many = Array.from({ length: 55 }, (_, at) => to({ kind: 'external', url: 'https://example.org' }, `/old-${at}`))
  const hidden = to({ kind: 'path', spaceId: secret.id, path: 'recipe' }, '/how-it-is-made')
  expect(await who.put(`${api}/redirects`, { redirects: [...many, hidden] }), 200)

  const found: string[] = []
  for (let at: string | undefined = `${path}/redirects`; at !== undefined;) {
    const { text } = await keeper.get(at)
    found.push(...[...text.matchAll(/<strong><code>([^<]+)</g)].map(([, source]) => source!))
    // The link leads to the list, which is far below the form on a phone.
    const next: string | undefined = /href="([^"]+)#redirects">Next</.exec(text)?.[1]
    at = next === undefined ? undefined : unescaped(next)
  }
  assert.deepEqual(found.toSorted(), [...many, hidden].map(({ source }) => source).toSorted())
  const searched = (await keeper.get(`${path}/redirects?search=OLD-17`)).text
  assert.match(searched, /1 found[^]*<code>\/old-17</)
  // After deleting something from the search results, the user is back among the results.
  const both = await keeper.get(`${path}/redirects?search=old-5`)
  const gone = await keeper.follow(await keeper.submit(both, `${path}/redirects/delete?search=old-5`))
  assert.match(gone.text, /Redirect deleted[^]*5 found[^]*value="old-5"/)
  // The site contains two spaces, and the page is in one of them.
  assert.match(searched, new RegExp(`<option value="${secret.id}"`))
  const led = await keeper.submit(await keeper.get(`${path}/redirects`), `${path}/redirects`, {
    source: '/kept',
    to: 'recipe',
    space: secret.id,
  })
  assert.equal(led.status, 303, led.text)

  const outsider = await org.member('read')
  expect(await who.post(`${secret.path}/permissions`, { users: [outsider.id], role: null }), 204)
  const person = await signedIn(app, outsider)
  const { text } = await person.get(`${path}/redirects?search=e`)
  assert.doesNotMatch(text, /how-it-is-made|kept|recipe|<form method="post"/i)
  assert.match(text, /54 found/)
  for (const each of ['look', 'address', 'claims']) assert.equal((await person.get(`${path}/${each}`)).location, path)
  const linked = (await person.get(path)).text
  assert.ok(linked.includes(`${path}/redirects"`) && !linked.includes(`${path}/look"`))
})
