// Who is let in, and what they see: share links, sign-in, claims, previews.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { newPage } from '../../test/editing.ts'
import { type TestSite, aSite, expect, inSeconds, signToken } from '../../test/visitor.ts'

const app = await startApp()

const sections =
  '# Welcome\n\n{% if visitor.claims.plan == "pro" %}\nOnly for pro\n{% endif %}\n\nHello {{ visitor.claims.name }}\n'
const conditional = (title: string, condition: string) =>
  newPage(title, { document: { markdown: `---\nif: ${condition}\n---\n\n# ${title}\n\nText\n` } })

async function shareLink(site: TestSite) {
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'Friends' }), 201)
  const { pathname } = new URL(link.urls.published)
  return { id: link.id, path: pathname, key: pathname.split('/').at(-2)! }
}

test('a share link opens only its own site, until it is switched off or deleted', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const link = await shareLink(site)
  const other = await aSite(app, { visibility: 'share-link' })
  await shareLink(other)
  const stranger = site.browser()
  for (const path of [
    site.address,
    `${site.address}guide`,
    `${other.address}${link.key}/`,
    `${site.address}${'x'.repeat(43)}/`,
  ]) {
    assert.equal((await stranger.get(path)).status, 404, path)
  }

  const friend = site.browser()
  const opened = await friend.get(`${link.path}guide?x=1`)
  assert.deepEqual([opened.status, opened.location], [307, `${site.address}guide?x=1`])
  assert.equal(opened.headers['referrer-policy'], 'no-referrer')
  assert.match(
    String(opened.headers['set-cookie']),
    new RegExp(`^lectern-share-${site.id}=.*; HttpOnly; SameSite=Lax$`),
  )
  const page = await friend.get(`${site.address}guide`)
  assert.match(page.text, /<h1>Guide/)
  assert.deepEqual([page.headers['cache-control'], page.headers['x-robots-tag']], ['private, no-store', 'noindex'])
  assert.equal(page.headers['referrer-policy'], 'no-referrer')
  assert.equal((await friend.get(other.address)).status, 404)

  const change = (body: object) => site.who.patch(`${site.path}/share-links/${link.id}`, body)
  expect(await change({ active: false }), 200)
  assert.equal((await friend.get(`${site.address}guide`)).status, 404)
  assert.equal((await site.browser().get(link.path)).status, 404)
  expect(await change({ active: true }), 200)
  assert.equal((await friend.get(site.address)).status, 200)
  assert.equal((await site.who.delete(`${site.path}/share-links/${link.id}`)).status, 205)
  assert.equal((await friend.get(site.address)).status, 404)
  // Once the site is open to all, a share link still leads to it.
  const second = await shareLink(site)
  await site.change({ visibility: 'public' })
  const led = await site.browser().get(`${second.path}guide`)
  assert.deepEqual([led.status, led.location, led.headers['set-cookie']], [307, `${site.address}guide`, undefined])
})

async function aSignedSite(options: { fallbackURL?: string; logoutURL?: string } = {}) {
  const site = await aSite(app, { visibility: 'visitor-auth' })
  const auth = `${site.path}/publishing/auth`
  const { privateKey: key } = expect(await site.who.get(auth), 200)
  if (Object.keys(options).length > 0) expect(await site.who.patch(auth, { backend: 'custom', ...options }), 200)
  return { site, auth, key: key as string }
}

test('a site with its own sign-in redirects visitors there and admits those with its signed token', async () => {
  const { site, key } = await aSignedSite({ fallbackURL: 'https://login.example/start?app=docs' })
  const visitor = site.browser()
  const away = await visitor.get(`${site.address}guide?x=1`)
  assert.equal(away.status, 307)
  assert.equal(away.location, 'https://login.example/start?app=docs&location=guide')
  assert.equal(away.headers['cache-control'], 'private, no-store')

  const token = signToken(key, { sub: 'u', exp: inSeconds(600) })
  const back = await visitor.get(`${site.address}guide?x=1&jwt_token=${token}`)
  assert.deepEqual([back.status, back.location], [307, `${site.address}guide?x=1`])
  assert.deepEqual(
    [back.headers['referrer-policy'], back.headers['cache-control']],
    ['no-referrer', 'private, no-store'],
  )
  assert.match(
    String(back.headers['set-cookie']),
    new RegExp(`^lectern-visitor-${site.id}=.*; HttpOnly; SameSite=Lax$`),
  )
  const page = await visitor.get(`${site.address}guide`)
  assert.match(page.text, /<h1>Guide/)
  assert.deepEqual([page.headers['cache-control'], page.headers['x-robots-tag']], ['private, no-store', 'noindex'])
})

test('a visitor token that is foreign, expired, without expiry, unsigned or signed with an old key is refused', async () => {
  const { site, auth, key } = await aSignedSite({ fallbackURL: 'https://login.example/' })
  const other = await aSignedSite()
  const good = { sub: 'u', exp: inSeconds(600) }
  const bad = {
    foreign: signToken(other.key, good),
    expired: signToken(key, { exp: inSeconds(-31) }),
    endless: signToken(key, { sub: 'u' }),
    unsigned: signToken(key, good, { alg: 'none' }),
    nonsense: 'x',
  }
  for (const [what, token] of Object.entries(bad)) {
    const refused = await site.browser().get(`${site.address}guide?jwt_token=${token}`)
    assert.equal(refused.status, 401, what)
    assert.match(refused.text, /href="https:\/\/login\.example\/\?location=guide"/)
    assert.equal(refused.headers['set-cookie'], undefined, what)
    const cookie = `lectern-visitor-${site.id}=${token}`
    const sent = await site.browser().get(`${site.address}guide`, { headers: { cookie } })
    assert.equal(sent.location, 'https://login.example/?location=guide', what)
  }
  const visitor = site.browser()
  assert.match((await visitor.follow(`${site.address}?jwt_token=${signToken(key, good)}`)).text, /<h1>Welcome/)
  // A cookie of one site is not valid for another, whatever its name.
  const [cookie] = visitor.cookies
  const elsewhere = cookie!.replace(site.id, other.site.id)
  assert.equal((await other.site.browser().get(other.site.address, { headers: { cookie: elsewhere } })).status, 401)

  expect(await site.who.post(`${auth}/regenerate`), 200)
  assert.equal((await visitor.get(site.address)).status, 307)
})

test('a visitor token that expired a few seconds ago is still accepted, and the visitor stays in', async () => {
  const { site, key } = await aSignedSite({ fallbackURL: 'https://login.example/' })
  const visitor = site.browser()
  const late = await visitor.get(`${site.address}guide?jwt_token=${signToken(key, { exp: inSeconds(-10) })}`)
  assert.deepEqual([late.status, late.location], [307, `${site.address}guide`])
  assert.equal((await visitor.get(`${site.address}guide`)).status, 200)
})

test('after signing in a visitor returns to the requested path with its query', async () => {
  const { site, key } = await aSignedSite({ fallbackURL: 'https://login.example/' })
  const token = signToken(key, { exp: inSeconds(60) })
  const comesBack = async (asked: string, to: string) => {
    const visitor = site.browser()
    const away = await visitor.get(site.address + asked)
    const location = new URL(away.location!).searchParams.get('location')!
    const back = await visitor.get(`${site.address}${location}?jwt_token=${token}`)
    assert.equal(back.location, site.address + to)
    assert.equal(visitor.cookies.length, 1, 'nothing but the token is kept')
    return (await visitor.get(`${site.address}${location}?jwt_token=${token}`)).location
  }
  assert.equal(await comesBack('~/search?q=a%26b', '~/search?q=a%26b'), `${site.address}~/search`)
  await comesBack('~/pdf?page=x&only=true', '~/pdf?page=x&only=true')
  await comesBack('guide', 'guide')
  await comesBack(`~/auth/login?location=${encodeURIComponent('/guide?x=1#part')}`, 'guide?x=1')
  // The query of another request is not added.
  const visitor = site.browser()
  await visitor.get(`${site.address}guide?x=1`)
  assert.equal((await visitor.get(`${site.address}?jwt_token=${token}`)).location, site.address)
})

test('visitors sign in and out at addresses of the site', async () => {
  const { site, key } = await aSignedSite({
    fallbackURL: 'https://login.example/',
    logoutURL: 'https://login.example/bye',
  })
  for (const start of ['~gitbook', '~']) {
    const visitor = site.browser()
    await visitor.get(`${site.address}?jwt_token=${signToken(key, { exp: inSeconds(60) })}`)
    assert.equal((await visitor.get(site.address)).status, 200)
    assert.equal((await visitor.get(`${site.address}${start}/auth/logout`)).location, 'https://login.example/bye')
    assert.equal((await visitor.get(site.address)).status, 307)
    const login = async (location: string) =>
      (await visitor.get(`${site.address}${start}/auth/login?location=${location}`)).location
    assert.equal(await login('guide'), 'https://login.example/?location=guide')
    assert.equal(await login(encodeURIComponent('//evil.example')), 'https://login.example/?location=')
  }
  const plain = await aSignedSite()
  const needed = await plain.site.browser().get(plain.site.address)
  assert.deepEqual([needed.status, needed.headers['www-authenticate']], [401, 'Bearer'])
  assert.match(needed.text, /Sign in/)
  assert.ok(!needed.text.includes(plain.site.org.canary))
  assert.match((await plain.site.browser().get(`${plain.site.address}~/auth/logout`)).text, /signed out/)
})

test('the sign-in and sign-out addresses can have characters of any script', async () => {
  const { site } = await aSignedSite({
    fallbackURL: 'https://bücher.example/входа',
    logoutURL: 'https://bücher.example/выход',
  })
  const visitor = site.browser()
  const host = 'https://xn--bcher-kva.example/'
  const out = await visitor.get(`${site.address}~/auth/logout`)
  assert.deepEqual([out.status, out.location], [307, `${host}${encodeURIComponent('выход')}`])
  const login = await visitor.get(`${site.address}~/auth/login?location=guide`)
  assert.deepEqual([login.status, login.location], [307, `${host}${encodeURIComponent('входа')}?location=guide`])
})

const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    plan: { type: 'string', description: 'The plan' },
    name: { type: 'string', description: 'The name' },
    unsigned: {
      type: 'object',
      description: 'From the address',
      additionalProperties: false,
      properties: {
        language: { type: 'string', description: 'Spoken' },
        beta: { type: 'boolean', description: 'Tries' },
        team: {
          type: 'object',
          description: 'Where they work',
          additionalProperties: false,
          properties: { name: { type: 'string', description: '' }, size: { type: 'number', description: '' } },
        },
      },
    },
  },
}

async function anAdaptiveSite() {
  const site = await aSite(app, {
    pages: [
      newPage('Welcome', { document: { markdown: sections } }),
      conditional('Pro', 'visitor.claims.plan == "pro"'),
      conditional('Beta', 'visitor.claims.unsigned.beta === true'),
    ],
  })
  expect(await site.who.put(`${site.path}/adaptive-schema`, { jsonSchema: schema }), 200)
  await site.change({ adaptiveContent: { enabled: true } })
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  return { site, key: privateKey as string }
}

test('the claims of a visitor decide which pages and parts of a page they see', async () => {
  const { site, key } = await anAdaptiveSite()
  const nobody = site.browser()
  const plain = await nobody.get(site.address)
  assert.ok(!/Only for pro|>Pro<|>Beta</.test(plain.text), plain.text)
  assert.equal((await nobody.get(`${site.address}pro`)).status, 404)
  assert.equal(plain.headers['cache-control'], 'public, no-cache')
  assert.equal(plain.headers.vary, 'cookie, accept, accept-encoding')

  const pro = site.browser()
  await pro.get(`${site.address}?jwt_token=${signToken(key, { plan: 'pro', name: '<b>Ann</b>', exp: inSeconds(60) })}`)
  const seen = await pro.get(site.address)
  assert.match(seen.text, /Only for pro/)
  assert.match(seen.text, /Hello &lt;b&gt;Ann/)
  assert.match(seen.text, />Pro</)
  assert.equal(seen.headers['cache-control'], 'private, no-store')
  assert.equal((await pro.get(`${site.address}pro`)).status, 200)
  assert.equal((await pro.get(`${site.address}beta`)).status, 404)

  await site.change({ adaptiveContent: { enabled: false } })
  assert.ok(!/Only for pro|>Pro<|Ann/.test((await pro.get(site.address)).text))
  assert.equal((await pro.get(`${site.address}pro`)).status, 404)
})

test('a single signed value for a declared list counts as a list of one, and never matches by a part of its name', async () => {
  const pages = [
    newPage('Welcome'),
    conditional('Doctors', 'visitor.claims.groups.includes("doctors")'),
    conditional('Nurses', 'visitor.claims.at.work.groups.includes("nurses")'),
  ]
  const site = await aSite(app, { pages })
  const groups = { type: 'array', description: '', items: { type: 'string', description: '' } }
  const holding = (properties: object) => ({ type: 'object', additionalProperties: false, properties })
  const at = { ...holding({ work: { ...holding({ groups }), description: '' } }), description: '' }
  const jsonSchema = holding({ groups, at })
  expect(await site.who.put(`${site.path}/adaptive-schema`, { jsonSchema }), 200)
  await site.change({ adaptiveContent: { enabled: true } })
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  const statusFor = async (claims: object, page = 'doctors') => {
    const visitor = site.browser()
    await visitor.get(`${site.address}?jwt_token=${signToken(privateKey, { ...claims, exp: inSeconds(60) })}`)
    return (await visitor.get(site.address + page)).status
  }
  assert.equal(await statusFor({ groups: ['users', 'doctors'] }), 200)
  // Many identity providers send a string if there is only one group.
  assert.equal(await statusFor({ groups: 'doctors' }), 200)
  assert.equal(await statusFor({ groups: 'no-doctors' }), 404)
  assert.equal(await statusFor({ groups: ['no-doctors'] }), 404)
  // So do providers that nest the groups, such as Keycloak.
  const atWork = (work: unknown) => statusFor({ at: { work } }, 'nurses')
  assert.equal(await atWork({ groups: 'nurses' }), 200)
  assert.equal(await atWork({ groups: 'no-nurses' }), 404)
  for (const odd of ['nurses', ['nurses'], null, { groups: [['nurses']] }]) assert.equal(await atWork(odd), 404)
})

test('llms.txt, Markdown and sitemap follow the claims of the reader and later edits, and are cached for anonymous ones', async (t) => {
  const { site, key } = await anAdaptiveSite()
  const pro = site.browser()
  await pro.get(`${site.address}?jwt_token=${signToken(key, { plan: 'pro', exp: inSeconds(60) })}`)
  const paths = ['llms.txt', 'llms-full.txt', 'index.md', 'sitemap.xml']
  const read = (reader: ReturnType<typeof site.browser>) =>
    Promise.all(paths.map(async (path) => (await reader.get(site.address + path)).text))
  const plain = await read(site.browser())
  assert.match((await read(pro)).slice(0, 3).join(''), /\[Pro\].*# Pro\b.*Only for pro/s)

  const asked = t.mock.method(app.app.audience, 'pages')
  assert.deepEqual(await read(site.browser()), plain)
  assert.doesNotMatch(plain.join(''), /Only for pro|# Pro\b|\[Pro\]/)
  assert.equal(asked.mock.callCount(), 0, 'nothing was made anew')

  expect(await site.space.edit(newPage('Fresh')), 200)
  const [list, whole, , map] = await read(site.browser())
  for (const text of [list!, whole!, map!]) assert.match(text, /fresh/i)
})

test('claims in the address count only as unsigned claims of the schema, and are kept in a cookie', async () => {
  const { site } = await anAdaptiveSite()
  const visitor = site.browser()
  const page = await visitor.get(
    `${site.address}beta?visitor.beta=true&visitor.plan=pro&visitor.other=x&visitor.unsigned.beta=1`,
  )
  assert.equal(page.status, 200)
  assert.equal(page.headers['cache-control'], 'private, no-store')
  const { text } = await visitor.get(site.address)
  assert.match(text, />Beta</)
  assert.ok(!/>Pro<|Only for pro/.test(text))
  const [cookie] = visitor.cookies
  const kept = JSON.parse(Buffer.from(cookie!.split('=')[1]!, 'base64url').toString())
  assert.deepEqual(kept, { beta: true })
  // A visitor who writes the cookie themselves gets no further.
  const made = Buffer.from(JSON.stringify({ beta: true, plan: 'pro', unsigned: { beta: true } })).toString('base64url')
  const headers = { cookie: `lectern-claims-${site.id}=${made}` }
  assert.equal((await site.browser().get(`${site.address}beta`, { headers })).status, 200)
  assert.equal((await site.browser().get(`${site.address}pro`, { headers })).status, 404)
  for (const broken of ['x', '%', Buffer.from('[1').toString('base64url'), 'x'.repeat(5000)]) {
    const sent = { cookie: `lectern-claims-${site.id}=${broken}` }
    assert.equal((await site.browser().get(`${site.address}beta`, { headers: sent })).status, 404)
  }
  assert.equal((await site.browser().get(`${site.address}beta?visitor.beta=yes`)).status, 404)
  // Nested claims can be sent one after the other, too.
  const teammate = site.browser()
  await teammate.get(`${site.address}?visitor.team.name=Ada&visitor.beta=true`)
  await teammate.get(`${site.address}?visitor.team.size=3`)
  const [both] = teammate.cookies
  assert.deepEqual(JSON.parse(Buffer.from(both!.split('=')[1]!, 'base64url').toString()), {
    beta: true,
    team: { name: 'Ada', size: 3 },
  })
})

test('a preview shows an unpublished site with chosen claims, as long as its creator may preview it', async () => {
  const { site } = await anAdaptiveSite()
  expect(await site.who.post(`${site.path}/unpublish`), 200)
  const maker = await site.org.member('create')
  const preview = (query = '') => maker.client.get(`${site.path}/publishing/preview${query}`)
  const url = new URL(
    expect(await preview(`?claims=${encodeURIComponent('(plan:pro,unsigned:(beta:!t))')}&target=pro`), 200).url,
  )
  assert.equal(url.pathname, `${site.address}pro`)

  const viewer = site.browser()
  const first = await viewer.get(url.pathname + url.search)
  assert.deepEqual([first.status, first.location], [307, url.pathname])
  const page = await viewer.get(url.pathname)
  assert.match(page.text, /<h1>Pro/)
  assert.match(page.text, /This is a preview/)
  for (const path of ['~/search?q=text', 'nowhere']) {
    assert.match((await viewer.get(site.address + path)).text, /This is a preview/, path)
  }
  assert.deepEqual([page.headers['cache-control'], page.headers['x-robots-tag']], ['private, no-store', 'noindex'])
  assert.equal((await viewer.get(`${site.address}beta`)).status, 200)
  assert.equal((await site.browser().get(url.pathname)).status, 404)
  const forged = url.search.replace(/.$/, (letter) => (letter === 'A' ? 'B' : 'A'))
  assert.equal((await site.browser().get(url.pathname + forged)).status, 404)
  const other = await aSite(app, { published: false })
  assert.equal((await other.browser().get(other.address + url.search)).status, 404)

  const json = encodeURIComponent(JSON.stringify({ plan: 'pro', unsigned: { beta: true } }))
  const same = new URL(expect(await preview(`?claims=${json}&target=pro`), 200).url)
  const another = site.browser()
  await another.get(same.pathname + same.search)
  for (const path of ['pro', 'beta']) assert.equal((await another.get(site.address + path)).status, 200, path)

  for (const bad of [
    'claims=(',
    'claims=!(a)',
    'claims={plan:',
    'target=//x',
    'siteSpace=x',
    'draft=perhaps',
    `claims=a:${'x'.repeat(3000)}`,
  ]) {
    assert.equal((await preview(`?${bad}`)).status, 400, bad)
  }
  const reader = await site.org.member('read')
  assert.equal((await reader.client.get(`${site.path}/publishing/preview`)).status, 403)
  assert.equal((await other.who.get(`${site.path}/publishing/preview`)).status, 404)

  expect(await site.who.patch(`/v1/orgs/${site.org.id}/members/${maker.id}`, { role: 'read' }), 200)
  assert.equal((await viewer.get(url.pathname)).status, 404)
})

test('a visitor who leaves a preview is back on the site with their own access', async () => {
  const { site, key } = await aSignedSite({ logoutURL: 'https://login.example/bye' })
  const { url } = expect(await site.who.get(`${site.path}/publishing/preview`), 200)
  const viewer = site.browser()
  await viewer.get(`${site.address}?jwt_token=${signToken(key, { exp: inSeconds(60) })}`)
  const start = async () => (await viewer.follow(new URL(url).pathname + new URL(url).search)).text
  const [, leave] = /href="([^"]*auth\/logout)">/.exec(await start())!
  const left = await viewer.get(leave!)
  assert.deepEqual([left.status, left.location], [307, site.address])
  const page = await viewer.get(site.address)
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /This is a preview/)

  await start()
  expect(await site.who.post(`${site.path}/unpublish`), 200)
  assert.match((await viewer.get(leave!)).text, /left the preview/)
  assert.equal((await viewer.get(site.address)).status, 404)
})

test('over TLS the cookies of a site have the __Host- prefix, and one without it is ignored', async () => {
  const secure = await startApp({ LECTERN_URL: 'https://lectern.test' })
  const site = await aSite(secure, { visibility: 'share-link' })
  const link = await shareLink(site)
  const friend = site.browser()
  const opened = await friend.get(link.path)
  assert.match(
    String(opened.headers['set-cookie']),
    new RegExp(`^__Host-lectern-share-${site.id}=[\\w-]+; Path=/; Max-Age=\\d+; HttpOnly; SameSite=Lax; Secure$`),
  )
  assert.equal((await friend.get(site.address)).status, 200)
  const weaker = { cookie: `lectern-share-${site.id}=${link.key}` }
  assert.equal((await site.browser().get(site.address, { headers: weaker })).status, 404)
})

test('a claim can be named like an Object property, without effects on other requests', async () => {
  const text = { type: 'string', description: '' }
  const claims = {
    toString: { type: 'object', properties: { call: text } },
    hasOwnProperty: { type: 'object', properties: { call: text } },
    valueOf: { type: 'array', items: text },
  }
  const site = await aSite(app, {
    pages: [
      newPage('Welcome'),
      conditional('Called', 'visitor.claims.unsigned.toString.call == "a"'),
      conditional('Listed', 'visitor.claims.unsigned.valueOf.includes("c")'),
    ],
  })
  await site.change({ adaptiveContent: { enabled: true } })
  const jsonSchema = { type: 'object', properties: { unsigned: { type: 'object', properties: claims } } }
  expect(await site.who.put(`${site.path}/adaptive-schema`, { jsonSchema }), 200)

  const query = 'visitor.toString.call=a&visitor.hasOwnProperty.call=x&visitor.valueOf=b&visitor.valueOf=c'
  const said = await site.browser().get(`${site.address}?${query}`)
  const isSpoiled = (name: string) => Object.hasOwn(Reflect.get(Object.prototype, name) as object, 'call')
  assert.deepEqual(Object.keys(claims).filter(isSpoiled), [])
  assert.equal(said.status, 200)
  for (const path of ['called', 'listed']) {
    assert.equal((await site.browser().get(`${site.address}${path}?${query}`)).status, 200, path)
    assert.equal((await site.browser().get(site.address + path)).status, 404, path)
  }
  const other = await aSite(app)
  assert.equal((await other.browser().get(other.address)).status, 200)
})
