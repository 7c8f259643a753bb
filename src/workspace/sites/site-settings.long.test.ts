// The look and the address of a site, set in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { expect } from '../../../test/visitor.ts'

import { aKeeper, filledIn, refused } from './testing/keeper.ts'

const app = await startApp()

const toUrl = (url: string) => ({ kind: 'url', url })

test('changing part of the look keeps the rest exactly as it was, and readers see the change at once', async () => {
  const { who, api, save, look, keeper, path, reader, address, space } = await aKeeper(app)
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
  assert.match((await keeper.follow(saved!)).text, /Look saved/)
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
  await save({ mode: 'light switch' })
  assert.deepEqual((await look()).themes, { default: 'light', toggeable: true })
  assert.match((await keeper.get(`${path}/look`)).text, /value="light switch"\s+selected/)
})

test('a colour that was not chosen stays the default, and a chosen one can be reset to it', async () => {
  const { save, look, keeper, path } = await aKeeper(app)
  const { primaryColor } = (await look()).styling
  assert.doesNotMatch((await keeper.get(`${path}/look`)).text, /name="standard"/)
  await save({ copyright: '© Acme' })
  assert.deepEqual((await look()).styling.primaryColor, primaryColor)
  await save({ dark: '#ffcc00' })
  assert.deepEqual((await look()).styling.primaryColor, { ...primaryColor, dark: '#ffcc00' })
  await save({ standard: 'on', dark: '#ffcc00' })
  assert.deepEqual((await look()).styling.primaryColor, primaryColor)
})

test('two people who change the look at once each save only their own fields, and neither overwrites the other', async () => {
  const { save, look, keeper, path, who, api } = await aKeeper(app)
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
  // A user who has read what was changed in the meantime can save again.
  assert.equal((await save({}, overtaken)).status, 303)
  const after = await look()
  assert.deepEqual([after.styling.theme, after.header.links[0].title], ['muted', 'Mine'])

  const withLinks = await keeper.get(`${path}/look`)
  expect(await who.put(`${api}/customization`, { header: { links: [] } }), 200)
  refused(await save({ 'title-0': 'Ours' }, withLinks), 409, /: the links in the header \(now none\)\. Save again/)
})

test('an invalid look is refused with a sentence that names the field, and stays in the form', async () => {
  const { save, look } = await aKeeper(app)
  const before = await look()
  for (const [typed, reason] of [
    [{ logo: 'logo.svg' }, /^The logo must be an address that starts with http:\/\/ or https:\/\/\.$/],
    [{ logoDark: 'ftp://x', logo: 'https://x' }, /^The logo on dark pages must be an address/],
    [{ icon: 'tea' }, /^The icon, unless it is one emoji, must be an address that starts with/],
    [{ icon: '🍵', iconDark: 'https://example.org/a.png' }, /^An emoji looks the same on all pages/],
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

test('a look with more header links than the form has fields for can be changed, and keeps them all', async () => {
  const { save, look, who, api } = await aKeeper(app)
  const links = Array.from({ length: 50 }, (_, at) => ({ title: `Link ${at}`, to: toUrl(`/${at}`), links: [] }))
  expect(await who.put(`${api}/customization`, { header: { links } }), 200)
  assert.equal((await save({ 'title-3': 'Another', theme: 'muted' })).status, 303)
  const now = (await look()).header.links
  assert.deepEqual(now, links.with(3, { ...links[3]!, title: 'Another' }))
})

test('a site can be renamed, which readers see at once, and get a host of its own', async () => {
  const { org, who, api, keeper, path, reader, address, send } = await aKeeper(app)
  const named = await send('address', 'address/name', { basename: ' drinks-2 ' })
  assert.match((await keeper.follow(named)).text, /Name saved/)
  const renamed = address.replace(/[^/]+\/$/, 'drinks-2/')
  assert.deepEqual([(await reader.get(address)).status, (await reader.get(renamed)).status], [404, 200])

  const host = `docs.${org.canary}.example`.toLowerCase()
  const hosted = await keeper.follow(await send('address', 'address/host', { hostname: host.toUpperCase() }))
  assert.match(hosted.text, /Domain saved[^]*the DNS of the domain points to the same server/)
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
    ['name', { basename: other.basename }, /^Another site in this organization has this name.$/],
    ['host', { hostname: '' }, /^The domain must be like docs\.company\.com\.$/],
    ['host', { hostname: 'https://docs.example.org' }, /^The domain must be like docs\.company\.com\.$/],
    ['host', { hostname: `x.${host}` }, /^Another site uses this domain.$/],
  ] as [string, Record<string, string>, RegExp][]) {
    const answer = await send('address', `address/${action}`, typed)
    refused(answer, answer.status, reason)
    assert.ok(answer.status >= 400 && answer.status < 500)
    const [[name, value] = []] = Object.entries(typed)
    assert.match(answer.text, new RegExp(`name="${name}"\\s+value="${value}"`))
  }
  assert.deepEqual(expect(await who.get(api), 200), before)

  // What somebody else changed in the meantime is not overwritten.
  const page = await keeper.get(`${path}/address`)
  expect(await who.patch(api, { basename: 'theirs', hostname: `their.${host}` }), 200)
  const sent = (action: string, fields = {}) => keeper.submit(page, `${path}/address/${action}`, fields)
  refused(await sent('name', { basename: 'mine' }), 409, /Somebody has changed the name to “theirs”/)
  refused(await sent('host', { hostname: `mine.${host}` }), 409, /Somebody has changed the domain to “their\./)
  refused(await sent('host/remove'), 409, /Somebody has changed the domain to “their\./)
  const now = expect(await who.get(api), 200)
  assert.deepEqual([now.basename, now.hostname], ['theirs', `their.${host}`])

  const last = await keeper.get(`${path}/address`)
  const [gone, twice] = await Promise.all([1, 2].map(() => keeper.submit(last, `${path}/address/host/remove`)))
  assert.deepEqual([gone!.status, twice!.status], [303, 303])
  assert.equal(expect(await who.get(api), 200).hostname, undefined)
})

test('claims can be saved in a browser even if a program has declared very many', async () => {
  const { keeper, path, who, api, send } = await aKeeper(app)
  const values = Array.from({ length: 100 }, (_, at) => `value ${at} `.padEnd(200, '"'))
  const properties = { plan: { type: 'string', enum: values } }
  const jsonSchema = { type: 'object', properties }
  expect(await who.put(`${api}/adaptive-schema`, { jsonSchema }), 200)
  const wanted = { ...jsonSchema, properties: { ...properties, beta: { type: 'boolean' } } }
  const saved = await send('claims', 'claims', { claims: JSON.stringify(wanted, null, 2) })
  assert.match((await keeper.follow(saved)).text, /Claims saved/)
  const { properties: now } = expect(await who.get(`${api}/adaptive-schema`), 200).jsonSchema
  assert.deepEqual([now.plan.enum, now.beta.type], [values, 'boolean'])
  assert.ok((await keeper.get(`${path}/claims`)).text.length > 20_000)
})

test('with hundreds of spaces, the newest one can still be added to a site', async () => {
  const { org, who, keeper, path, send } = await aKeeper(app)
  const make = async (title: string) => expect(await who.post(`/v1/orgs/${org.id}/spaces`, { title }), 201).id as string
  for (let at = 0; at < 21; at++) await Promise.all(Array.from({ length: 10 }, (_, n) => make(`Space ${at}-${n}`)))
  const last = await make('Last')
  assert.match((await keeper.get(path)).text, new RegExp(`<option value="${last}"[^>]*>Last<`))
  assert.match((await keeper.follow(await send('', 'spaces', { space: last }))).text, /<strong>Last</)
})

test('asking readers for feedback is a switch of the look, which says if counting is turned off', async () => {
  const { save, look, keeper, path, reader, address, who, api } = await aKeeper(app)
  const asks = async () => /Was this page helpful/.test((await reader.get(address)).text)
  assert.equal(await asks(), false)
  assert.equal((await save({ feedback: 'on' })).status, 303)
  assert.deepEqual([(await look()).feedback.enabled, await asks()], [true, true])
  assert.match((await keeper.get(`${path}/look`)).text, /name="feedback" value="on" checked/)
  const page = await keeper.get(`${path}/look`)
  expect(await who.put(`${api}/customization`, {}), 200)
  const fields = filledIn(page)
  delete fields.feedback
  assert.equal((await keeper.post(`${path}/look`, fields)).status, 303, 'both say the same')
  assert.equal((await look()).feedback.enabled, false)
  const quiet = await startApp({ LECTERN_INSIGHTS: 'off' })
  const silent = await aKeeper(quiet)
  assert.match((await silent.keeper.get(`${silent.path}/look`)).text, /Counting is turned off on this server/)
})
