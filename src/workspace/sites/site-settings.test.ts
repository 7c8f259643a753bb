// The look, the redirects and the address of a site, set with a browser that runs no script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../test/editing.ts'
import { png } from '../../../test/every-content.ts'
import { aSite } from '../../../test/sites.ts'
import { expect } from '../../../test/visitor.ts'
import { type Page, Person } from '../../account/testing/person.ts'
import { newId } from '../../ids.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

/** Somebody who may set up a published site, and one of its readers. */
async function aKeeper() {
  const site = await aSite(app, { title: 'Drinks' })
  const { org, who, space, path: api } = site
  expect(await space.edit(newPage('Tea'), newPage('Coffee')), 200)
  expect(await who.post(`${api}/publish`), 200)
  const keeper = await signedIn(app, await org.member('create'))
  const path = `/app/o/${org.id}/sites/${site.id}`
  const reader = new Person(app)
  const { basename } = expect(await who.get(api), 200)
  const address = `/sites/${org.row.hostname}/${basename}/`
  const look = async () => expect(await who.get(`${api}/customization`), 200)
  /** Sends the form of the look as it is now, with this typed into it. */
  const save = async (typed: Record<string, string>, page?: Page) => {
    const opened = page ?? (await keeper.get(`${path}/look`))
    return keeper.post(`${path}/look`, { ...filledIn(opened), ...typed })
  }
  const send = async (at: string, action: string, fields: Record<string, string>) =>
    keeper.submit(await keeper.get(`${path}/${at}`), `${path}/${action}`, fields)
  const redirects = async () => expect(await who.get(`${api}/redirects`), 200).items as any[]
  return { site, org, who, api, space, keeper, path, reader, address, look, save, send, redirects }
}

const unescaped = (text: string) =>
  text.replace(
    /&(#39|lt|gt|quot|amp);/g,
    (_, name) => ({ '#39': "'", lt: '<', gt: '>', quot: '"', amp: '&' })[name as 'lt'],
  )

/** All that a browser would send of the form of a page that nobody has touched. */
function filledIn({ text }: Page): Record<string, string> {
  const form = text
    .split('<form ')
    .find((each) => each.includes('/look"'))!
    .split('</form>')[0]!
  const fields: Record<string, string> = {}
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const of = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1]
    if (/radio|checkbox/.test(of('type') ?? '') && !/ checked/.test(input)) continue
    fields[of('name')!] = unescaped(of('value')!)
  }
  for (const [, name, inside] of form.matchAll(/<select name="(\w+)">([^]*?)<\/select>/g))
    fields[name!] = /value="([^"]*)" selected/.exec(inside!)?.[1] ?? ''
  return fields
}

function refused(answer: Page, status: number, reason: RegExp): void {
  assert.equal(answer.status, status, answer.text)
  assert.match(unescaped(/role="alert">([^<]*)/.exec(answer.text)![1]!), reason)
}

const toUrl = (url: string) => ({ kind: 'url', url })

test('whoever changes some of the look leaves all else of it exactly as it was, and readers see it at once', async () => {
  const { who, api, save, look, keeper, path, reader, address, space } = await aKeeper()
  const menu = { title: 'More', to: null, links: [{ title: 'Blog', to: toUrl('https://example.org/blog') }] }
  const home = { title: ' Home\n"x" ', style: 'button-primary', to: toUrl('https://example.org/?a=1&b=2'), links: [] }
  const set = {
    styling: { primaryColor: { light: '#ABC', dark: '#58D6AB' }, tint: { color: { light: '#ddd', dark: '#222' } } },
    header: {
      logo: { light: 'https://example.org/a.svg', dark: 'https://example.org/a.svg' },
      links: [home, menu, { title: 'Start', to: { kind: 'space', space: space.id }, links: [] }],
    },
    favicon: { emoji: '1f680' },
    footer: { copyright: 'One\nTwo', groups: [{ title: 'Us', links: [] }] },
    pageActions: { items: ['mcp', 'markdown'] },
    announcement: { enabled: true, message: 'Hear, hear', style: 'info' },
  }
  expect(await who.put(`${api}/customization`, set), 200)
  const before = await look()
  assert.equal((await save({})).status, 303)
  assert.deepEqual(await look(), before)

  const typed = { theme: 'bold', font: 'Lato', mode: 'dark always', 'title-3': 'Shop <b>', 'address-3': '/shop' }
  const fields = filledIn(await keeper.get(`${path}/look`))
  delete fields.markdown
  const [saved, again] = await Promise.all([1, 2].map(() => keeper.post(`${path}/look`, { ...fields, ...typed })))
  assert.match((await keeper.follow(saved!)).text, /The look is saved/)
  assert.equal(again!.status, 303)
  const { updatedAt: _, ...now } = await look()
  const { updatedAt: __, ...was } = before
  assert.deepEqual(now, {
    ...was,
    styling: { ...was.styling, theme: 'bold', font: 'Lato' },
    themes: { default: 'dark', toggeable: false },
    header: { ...was.header, links: [...was.header.links, { title: 'Shop <b>', to: toUrl('/shop'), links: [] }] },
    pageActions: { items: ['mcp'], externalAI: false, markdown: false },
  })
  const { text } = await reader.get(address)
  assert.match(text, /Shop &lt;b&gt;/)
  assert.ok((await keeper.get(`${path}/look`)).text.includes(`href="http://lectern.test${address}"`))
  expect(await who.post(`${api}/unpublish`), 200)
  assert.ok((await keeper.get(`${path}/look`)).text.includes(`href="${path}/preview"`))

  // One field is emptied, one link is renamed, and one taken away.
  await save({ icon: '🍵', copyright: '', light: '#123456', 'title-0': 'Start', 'title-3': '', 'address-3': '' })
  const then = await look()
  assert.deepEqual(then.header.links, [{ ...home, title: 'Start' }, ...was.header.links.slice(1)])
  assert.deepEqual(then.footer, { groups: set.footer.groups })
  assert.deepEqual(then.styling.primaryColor, { light: '#123456', dark: '#58D6AB' })
  assert.deepEqual(then.favicon, { emoji: '🍵' })
})

test('a colour that nobody chose stays the standard one, and one that was chosen goes back to it', async () => {
  const { save, look, keeper, path } = await aKeeper()
  const { primaryColor } = (await look()).styling
  assert.doesNotMatch((await keeper.get(`${path}/look`)).text, /name="standard"/)
  await save({ copyright: '© Acme' })
  assert.deepEqual((await look()).styling.primaryColor, primaryColor)
  await save({ dark: '#ffcc00' })
  assert.deepEqual((await look()).styling.primaryColor, { ...primaryColor, dark: '#ffcc00' })
  await save({ standard: 'on', dark: '#ffcc00' })
  assert.deepEqual((await look()).styling.primaryColor, primaryColor)
})

test('of two who change the look at once, each gets what only they changed, and neither overwrites the other', async () => {
  const { save, look, keeper, path, who, api } = await aKeeper()
  const page = await keeper.get(`${path}/look`)
  const links = [{ title: 'Theirs', to: toUrl('https://example.org'), links: [] }]
  expect(await who.put(`${api}/customization`, { styling: { theme: 'bold' }, header: { links } }), 200)
  const before = await look()
  const mine = { theme: 'muted', corners: 'straight', 'title-0': 'Mine', 'address-0': '/mine' }
  const overtaken = await save(mine, page)
  refused(
    overtaken,
    409,
    /^Somebody has changed .*: the theme \(now “bold”\), the links in the header \(now “Theirs”\)/,
  )
  assert.deepEqual(await look(), before)
  assert.match(overtaken.text, /value="muted" checked/)
  assert.match(overtaken.text, /value="straight" selected/)
  assert.match(overtaken.text, /name="title-0" value="Mine"/)

  assert.equal((await save({ corners: 'straight' }, page)).status, 303)
  const { styling, header } = await look()
  assert.deepEqual([styling.theme, styling.corners, header.links], ['bold', 'straight', links])
  // Whoever has read what was overtaken may go on.
  assert.equal((await save({}, overtaken)).status, 303)
  const after = await look()
  assert.deepEqual([after.styling.theme, after.header.links[0].title], ['muted', 'Mine'])

  const withLinks = await keeper.get(`${path}/look`)
  expect(await who.put(`${api}/customization`, { header: { links: [] } }), 200)
  refused(await save({ 'title-0': 'Ours' }, withLinks), 409, /: the links in the header \(now none\)\. Save again/)
})

test('what a look cannot have is refused with a sentence that names the field, and stays in the form', async () => {
  const { save, look } = await aKeeper()
  const before = await look()
  for (const [typed, reason] of [
    [{ logo: 'logo.svg' }, /^The logo must be an address that starts with http:\/\/ or https:\/\/\.$/],
    [{ logoDark: 'ftp://x', logo: 'https://x' }, /^The logo on dark pages must be an address/],
    [{ icon: 'tea' }, /^The icon, unless it is one emoji, must be an address that starts with/],
    [{ icon: '🍵', iconDark: 'https://example.org/a.png' }, /^An emoji is the same on all pages/],
    [{ copyright: 'x'.repeat(513) }, /^The line in the footer: at most 512 characters\.$/],
    [{ 'title-1': 'Shop', 'address-1': 'javascript:alert(1)' }, /^The address of “Shop” must be http, https, mailto/],
    [{ 'title-1': 'Shop' }, /^The address of “Shop” must be http/],
    [{ 'title-0': 'x'.repeat(129), 'address-0': '/x' }, /^The title of “x+”: at most 128 characters\.$/],
    [{ 'address-0': '/shop' }, /^The link to \/shop needs a title\.$/],
    [{ light: 'red' }, /^The colour on light pages must be like #1a2b3c\.$/],
    [{ theme: 'loud' }, /^The theme must be one of clean, muted, bold, gradient\.$/],
    [{ font: 'own' }, /^The font must be one of/],
    [{ mode: 'x' }, /^What is light or dark must be one of light, dark, system\.$/],
  ] as [Record<string, string>, RegExp][]) {
    const answer = await save({ ...typed, corners: 'circular' })
    refused(answer, answer.status, reason)
    assert.ok(answer.status >= 400 && answer.status < 500)
    assert.match(answer.text, /value="circular" selected/)
    const kept = Object.values(filledIn(answer))
    for (const [name, value] of Object.entries(typed))
      if (!['theme', 'font', 'mode'].includes(name)) assert.ok(kept.includes(value), `${name} is lost`)
  }
  assert.deepEqual(await look(), before)
})

test('a look with more links than a form has fields for is changed all the same, and keeps them', async () => {
  const { save, look, who, api } = await aKeeper()
  const links = Array.from({ length: 50 }, (_, at) => ({ title: `Link ${at}`, to: toUrl(`/${at}`), links: [] }))
  expect(await who.put(`${api}/customization`, { header: { links } }), 200)
  assert.equal((await save({ 'title-3': 'Another', theme: 'muted' })).status, 303)
  const now = (await look()).header.links
  assert.deepEqual(now, links.with(3, { ...links[3]!, title: 'Another' }))
})

test('readers follow a redirect as soon as it is added, and no more once it is deleted', async () => {
  const { keeper, path, reader, address, send, redirects, space } = await aKeeper()
  const page = await keeper.get(`${path}/redirects`)
  assert.match(page.text, /There is none yet/)
  const first = { source: ' old/Grüner tee/ ', to: '/coffee', permanent: 'on' }
  const [added, again] = await Promise.all([1, 2].map(() => keeper.submit(page, `${path}/redirects`, first)))
  const shown = await keeper.follow(added!)
  assert.match(shown.text, /The redirect is there[^]*1 redirect\n[^]*leads to <code>\/coffee<\/code>[^]*for good/)
  assert.equal(again!.status, 303)
  assert.equal((await redirects()).length, 1)
  const led = await reader.get(`${address}old/gr%C3%BCner%20tee`)
  assert.deepEqual([led.status, led.location?.endsWith(`${address}coffee`)], [308, true])
  // It follows the page.
  const [, coffee] = expect(await space.who.get(`${space.path}/content`), 200).pages
  expect(await space.edit({ operation: 'update_page', page: coffee.id, metadata: { slug: 'matcha' } }), 200)
  assert.match((await keeper.get(`${path}/redirects`)).text, /leads to <code>\/matcha<\/code>/)

  // As addresses have it: signs stand for themselves, and letters are found as they read.
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
  const sent = { ...hiddenOf(both), redirect: row.id, seen: row.updatedAt }
  const [gone, twice] = await Promise.all([1, 2].map(() => keeper.post(`${path}/redirects/delete`, sent)))
  assert.deepEqual([gone!.status, twice!.status], [303, 303])
  assert.match((await keeper.follow(gone!)).text, /The redirect is deleted/)
  assert.deepEqual(
    (await redirects()).map(({ source }) => source),
    ['/shop/*', '/wiki/%40tea%3AWhat%27s%2Bnew_%281%29'],
  )
  assert.equal((await reader.get(`${address}old/gr%C3%BCner%20tee`)).status, 404)
})

const hiddenOf = ({ text }: Page) => ({ form: /name="form" value="([^"]+)"/.exec(text)![1]! })

test('a redirect that cannot be is refused with a sentence, and stays in the form', async () => {
  const { send, redirects, path, keeper, who, api, address } = await aKeeper()
  await send('redirects', 'redirects', { source: '/old', to: '/tea' })
  await send('redirects', 'redirects', { source: '/b', to: `http://lectern.test${address}a` })
  const before = await redirects()
  for (const [source, to, reason] of [
    ['/OLD', '/coffee', /^This path has a redirect already\.$/],
    ['/x', '/nowhere', /^“\/nowhere” is no path of a page in that space\.$/],
    ['/x', 'javascript:alert(1)', /^“javascript:alert\(1\)” must be an address that starts with http/],
    ['/x', 'https://jo:secret@example.org', /must not hold a name or password/],
    ['/x?y=1', '/tea', /^The old path must be like \/old\/page/],
    ['https://example.org/x', '/tea', /^The old path must be like/],
    ['', '/tea', /^The old path must be like/],
    [`/${'x'.repeat(600)}`, '/tea', /^The old path: at most 512 characters\.$/],
    ['/x', ' ', /^Say where it leads\.$/],
    ['/c', `http://lectern.test${address}c`, /^Its source stands for the address it leads to: .* in a circle\.$/],
    ['/a', `http://lectern.test${address}b`, /^With the redirect of \/b, this would go in a circle\.$/],
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
      await keeper.post(`${path}/redirects/delete`, { ...hiddenOf(page), redirect, seen: '' }),
      404,
      /There is no such redirect/,
    )
  // What leads elsewhere by now is another one.
  const [{ id, updatedAt }] = before
  expect(await who.patch(`${api}/redirects/${id}`, { permanent: true }), 200)
  const stale = { ...hiddenOf(page), redirect: id, seen: updatedAt }
  refused(await keeper.post(`${path}/redirects/delete`, stale), 409, /Somebody has changed this redirect/)
  assert.equal((await redirects()).length, before.length)
})

test('a redirect is changed and readers follow it; what nobody touched stays, and somebody who was faster is not overwritten', async () => {
  const { keeper, path, reader, address, send, redirects, who, api, site } = await aKeeper()
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
  assert.match((await keeper.follow(saved!)).text, /The redirect is saved[^]*\/older<[^]*for good/)
  const now = async () => (await redirects()).find((each) => each.id === id)
  assert.deepEqual((await now()).destination, destination)
  const statuses = await Promise.all(['old', 'older'].map(async (each) => (await reader.get(address + each)).status))
  assert.deepEqual(statuses, [404, 308])
  refused(await keeper.submit(older, at, { ...fields, to: '/coffee' }), 409, /Somebody has changed this redirect/)
  for (const [typed, reason] of [
    [{ source: '/taken', to: '/tea' }, /^This path has a redirect already\.$/],
    [{ source: '/older', to: '/nowhere' }, /^“\/nowhere” is no path of a page/],
    [{ source: '/older', to: '' }, /^Say where it leads\.$/],
  ] as const) {
    const no = await keeper.submit(await keeper.get(at), at, { ...typed, capture: 'on' })
    refused(no, no.status, reason)
    assert.match(no.text, /name="capture" value="on" checked/)
    assert.ok(no.text.includes(`name="source" value="${typed.source}"`) && no.text.includes(`value="${typed.to}"`))
  }
  await keeper.submit(await keeper.get(at), at, { source: '/older', to: 'https://example.org/x' })
  assert.equal((await reader.get(`${address}older`)).location, 'https://example.org/x')
  // Where it leads may be nothing that a form can name: that stays.
  expect(await who.post(`${api}/sections`, { spaceId: site.space.id }), 201)
  const [{ id: siteSectionId }] = expect(await who.get(`${api}/sections`), 200).items
  const toSection = { kind: 'site-section', siteSectionId }
  expect(await who.patch(`${api}/redirects/${id}`, { destination: toSection }), 200)
  const kept = await keeper.get(at)
  assert.match(kept.text, /Left empty, that stays as it is/)
  assert.equal((await keeper.submit(kept, at, { source: '/oldest', to: '' })).status, 303)
  assert.deepEqual([(await now()).source, (await now()).destination], ['/oldest', toSection])
  expect(await who.delete(`${api}/redirects/${id}`), 205)
  refused(await keeper.submit(kept, at, { source: '/gone', to: '' }), 404, /There is no such redirect/)
  assert.equal((await keeper.get(at)).text, (await reader.get('/app/x')).text)
})

test('a draft of a redirect is for previews alone until it is published, in the place of what readers followed', async () => {
  const { keeper, path, reader, address, send, redirects } = await aKeeper()
  await send('redirects', 'redirects', { source: '/old', to: 'https://example.org/x' })
  const made = await keeper.follow(await send('redirects', 'redirects', { source: '/old', to: '/coffee', draft: 'on' }))
  assert.match(made.text, /The draft is there[^]*1 draft\n[^]*\/coffee</)
  const leads = async () => (await reader.get(`${address}old`)).location
  assert.equal(await leads(), 'https://example.org/x')
  assert.doesNotMatch((await keeper.get(`${path}/redirects`)).text, /\/coffee</)
  const at = /href="([^"]+)" aria-label="Change the redirect of \/old"/.exec(made.text)![1]!
  const saved = await keeper.submit(await keeper.get(at), at, { source: '/old', to: '/coffee', permanent: 'on' })
  const drafts = await keeper.follow(saved)
  assert.match(drafts.text, /The redirect is saved[^]*1 draft\n/)
  const publish = `${path}/redirects/publish?drafts=on`
  refused(await keeper.submit(made, publish), 409, /Somebody has changed this redirect/)
  const [live, again] = await Promise.all([1, 2].map(() => keeper.submit(drafts, publish)))
  assert.deepEqual([live!.status, again!.status], [303, 303])
  assert.match((await keeper.follow(live!)).text, /Readers follow it from now on[^]*0 drafts\n/)
  assert.deepEqual([(await leads())?.endsWith('/coffee'), (await redirects()).length], [true, 1])
  // One that is live is published no further, and stays.
  const [{ id, updatedAt }] = await redirects()
  const list = await keeper.get(`${path}/redirects`)
  assert.equal((await keeper.post(publish, { ...hiddenOf(list), redirect: id, seen: updatedAt })).status, 303)
  assert.equal((await redirects()).length, 1)
})

test('of many redirects there are parts and a search, and nobody reads of one into a space that they may not see', async () => {
  const { org, who, api, path, keeper } = await aKeeper()
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
    // On a phone the list is far below the form.
    const next: string | undefined = /href="([^"]+)#redirects">Next</.exec(text)?.[1]
    at = next === undefined ? undefined : unescaped(next)
  }
  assert.deepEqual(found.toSorted(), [...many, hidden].map(({ source }) => source).toSorted())
  const searched = (await keeper.get(`${path}/redirects?search=OLD-17`)).text
  assert.match(searched, /1 found[^]*<code>\/old-17</)
  // Whoever deletes some of those that they found goes on among them.
  const both = await keeper.get(`${path}/redirects?search=old-5`)
  const gone = await keeper.follow(await keeper.submit(both, `${path}/redirects/delete?search=old-5`))
  assert.match(gone.text, /The redirect is deleted[^]*5 found[^]*value="old-5"/)
  // Two spaces are in the site, and the page is in one of them.
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

test('a site gets another name, under which readers find it at once, and a host of its own', async () => {
  const { org, who, api, keeper, path, reader, address, send } = await aKeeper()
  const named = await send('address', 'address/name', { basename: ' drinks-2 ' })
  assert.match((await keeper.follow(named)).text, /The name is saved/)
  const renamed = address.replace(/[^/]+\/$/, 'drinks-2/')
  assert.deepEqual([(await reader.get(address)).status, (await reader.get(renamed)).status], [404, 200])

  const host = `docs.${org.canary}.example`.toLowerCase()
  const hosted = await keeper.follow(await send('address', 'address/host', { hostname: host.toUpperCase() }))
  assert.match(hosted.text, /The host is saved[^]*in the DNS, the host leads to the same server/)
  assert.ok(hosted.text.includes(`<code>http://${host}/</code>`))
  assert.equal(expect(await who.get(api), 200).hostname, host)
  assert.equal((await send('address', 'address/host', { hostname: host })).status, 303)
  const other = expect(await who.post(`/v1/orgs/${org.id}/sites`, { title: 'Other' }), 201)
  expect(await who.patch(`/v1/orgs/${org.id}/sites/${other.id}`, { hostname: `x.${host}` }), 200)

  const before = expect(await who.get(api), 200)
  for (const [action, typed, reason] of [
    ['name', { basename: '' }, /^The name: at least 1 character\.$/],
    ['name', { basename: 'a b' }, /^The name must be one part of an address/],
    ['name', { basename: 'login' }, /^The name is a reserved word\.$/],
    ['name', { basename: 'x'.repeat(101) }, /^The name: at most 100 characters\.$/],
    ['name', { basename: other.basename }, /^Another site of this organization has this name\.$/],
    ['host', { hostname: '' }, /^The host must be like docs\.company\.com\.$/],
    ['host', { hostname: 'https://docs.example.org' }, /^The host must be like docs\.company\.com\.$/],
    ['host', { hostname: `x.${host}` }, /^Another site has this host\.$/],
  ] as [string, Record<string, string>, RegExp][]) {
    const answer = await send('address', `address/${action}`, typed)
    refused(answer, answer.status, reason)
    assert.ok(answer.status >= 400 && answer.status < 500)
    const [[name, value] = []] = Object.entries(typed)
    assert.match(answer.text, new RegExp(`name="${name}"\\s+value="${value}"`))
  }
  assert.deepEqual(expect(await who.get(api), 200), before)

  // What somebody else changed meanwhile is not overwritten.
  const page = await keeper.get(`${path}/address`)
  expect(await who.patch(api, { basename: 'theirs', hostname: `their.${host}` }), 200)
  const sent = (action: string, fields = {}) => keeper.submit(page, `${path}/address/${action}`, fields)
  refused(await sent('name', { basename: 'mine' }), 409, /Somebody has changed the name to “theirs”/)
  refused(await sent('host', { hostname: `mine.${host}` }), 409, /Somebody has changed the host to “their\./)
  refused(await sent('host/remove'), 409, /Somebody has changed the host to “their\./)
  const now = expect(await who.get(api), 200)
  assert.deepEqual([now.basename, now.hostname], ['theirs', `their.${host}`])

  const last = await keeper.get(`${path}/address`)
  const [gone, twice] = await Promise.all([1, 2].map(() => keeper.submit(last, `${path}/address/host/remove`)))
  assert.deepEqual([gone!.status, twice!.status], [303, 303])
  assert.equal(expect(await who.get(api), 200).hostname, undefined)
})

test('a logo is uploaded, readers see it at once, and it goes when it is deleted', async () => {
  const { org, who, api, keeper, path, reader, address, look } = await aKeeper()
  const at = `${path}/pictures`
  const picture = Buffer.from(png, 'base64')
  const opened = await keeper.get(at)
  const send = (use: string, name: string, bytes: string | Buffer<ArrayBuffer>, who = keeper) =>
    who.submitFiles(opened, at, { use }, [[name, bytes]])
  const [one, two] = await Promise.all([1, 2].map(() => send('logo', 'Tea & “cups”.png', picture)))
  assert.deepEqual([one!.status, two!.status, one!.location], [303, 303, `${at}?done=picture`])
  const listed = await keeper.get(at)
  assert.equal(listed.text.match(/<img class="work-picture"/g)?.length, 1)
  assert.match(listed.text, /Tea &amp; “cups”\.png<\/strong>[^]*the logo</)
  const { header } = await look()
  assert.equal(header.logo.light, header.logo.dark)
  const { pathname } = new URL(header.logo.light)
  assert.ok((await reader.get(address)).text.includes(pathname))
  assert.equal((await reader.get(pathname)).status, 200)

  // As it is once this server has got another address.
  const old = header.logo.light.replace('http://lectern.test', 'https://old.example/docs')
  const icon = `https://other.example/files/pictures/${newId()}/a.png`
  const moved = { header: { logo: { light: old, dark: old } }, favicon: { icon: { light: icon, dark: icon } } }
  expect(await who.put(`${api}/customization`, moved), 200)
  const { text: shown } = await reader.get(address)
  assert.ok(shown.includes(`src="${header.logo.light}"`) && shown.includes(icon) && !shown.includes('old.example'))
  assert.match((await keeper.get(at)).text, /the logo<\/span>/)

  refused(await send('logo', 'a.png', '<p>'), 409, /a\.png is no PNG/)
  refused(await send('banner', 'a.png', picture), 409, /Choose what the picture is for/)
  const large = await send('icon', 'a.png', Buffer.alloc(3 * 1024 * 1024))
  refused(large, 413, /too large/)
  assert.match(large.text, /value="icon" selected/, 'the next one is not taken for the logo')
  const member = await signedIn(app, await org.member('read'))
  const shut = await send('logo', 'a.png', picture, member)
  assert.deepEqual([shut.status, shut.text.includes('cups')], [403, false], 'nor are they told what was uploaded')

  const id = pathname.split('/').at(-2)!
  assert.equal((await keeper.submit(await keeper.get(at), `${at}/delete`, { picture: id })).status, 303)
  assert.equal((await look()).header.logo, undefined)
  assert.equal((await reader.get(pathname)).status, 404)
})

test('a picture for dark pages alone comes behind the one for all pages, and stays when that one is replaced', async () => {
  const { keeper, path, who, api, look } = await aKeeper()
  const at = `${path}/pictures`
  const send = async (use: string, name: string) =>
    keeper.submitFiles(await keeper.get(at), at, { use }, [[name, Buffer.from(png, 'base64')]])
  refused(await send('logoDark', 'dark.png'), 409, /Upload the logo first/)
  expect(await who.put(`${api}/customization`, { favicon: { emoji: '1f375' } }), 200)
  refused(await send('iconDark', 'dark.png'), 409, /Upload the icon of the tab first/)
  for (const [use, name] of [
    ['logo', 'a'],
    ['logoDark', 'dark'],
    ['logo', 'b'],
    ['icon', 'a'],
    ['iconDark', 'dark'],
  ])
    // prettier-ignore
    assert.equal((await send(use!, `${name}.png`)).status, 303)
  const { header, favicon } = await look()
  const names = [header.logo.light, header.logo.dark, favicon.icon.light, favicon.icon.dark]
  assert.deepEqual(
    names.map((each) => each.split('/').at(-1)),
    ['b.png', 'dark.png', 'a.png', 'dark.png'],
  )
})
