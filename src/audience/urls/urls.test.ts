import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { idsOf, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { type TestSite, aSite, expect, inSeconds, signToken } from '../../../test/visitor.ts'
import { newId } from '../../ids.ts'

const app = await startApp({ LECTERN_SITES_HOST: 'sites.test' })
const main = 'http://lectern.test'

const secret = (title: string, condition: string) =>
  newPage(title, { document: { markdown: `---\nif: ${condition}\n---\n\n# ${title}\n\nHush\n` } })

async function aSiteWithPages() {
  const site = await aSite(app, {
    pages: [newPage('Welcome'), newPage('Guide'), secret('Pro', 'visitor.claims.plan == "pro"')],
  })
  await site.change({ adaptiveContent: { enabled: true } })
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  // Anybody with a token may ask what a visitor would see.
  const somebody = app.client((await aStranger(app)).client.token, [site.org.canary])
  const look = (url: string, more: object = {}) => somebody.post('/v1/urls/published', { url, ...more })
  return { site, look, somebody, key: privateKey as string }
}

test('the address of a site resolves to what a visitor finds there', async () => {
  const { site, look, somebody } = await aSiteWithPages()
  const address = main + site.address
  const found = expect(await look(`${address}guide`), 200)
  const { apiToken, ...rest } = found
  assert.deepEqual(rest, {
    site: site.id,
    siteSpace: site.siteSpaceId,
    space: site.space.id,
    organization: site.org.id,
    pathname: '/guide',
    basePath: site.address,
    siteBasePath: site.address,
    complete: true,
    canonicalUrl: `http://${site.org.row.hostname}.sites.test/${site.address.split('/').at(-2)}/guide`,
  })
  assert.match(apiToken, /^lcc_/)
  assert.equal(expect(await look(address), 200).pathname, '/')
  assert.equal(expect(await look(rest.canonicalUrl), 200).space, site.space.id)
  await site.change({ hostname: `h${newId()}.example.com`, proxy: 'company.example/docs' })
  assert.equal(expect(await look('https://company.example/docs/guide'), 200).basePath, '/docs/')
  assert.equal(expect(await look('https://company.example/docs'), 200).pathname, '/')
  const twin = await somebody.get(`/v1/urls/published?url=${encodeURIComponent(`${address}guide`)}`)
  assert.equal(expect(twin, 200).space, site.space.id)
  assert.ok(twin.headers.get('deprecation'))

  const elsewhere = expect(await look(`${address}welcome`), 200)
  assert.deepEqual(elsewhere, { target: 'content', redirect: address })
  for (const nothing of [
    `${address}nothing`,
    `${address}/nothing`,
    `${address}pro`,
    `${main}/v1/`,
    'https://elsewhere.example/docs/',
    `${address}~/files/x/y/z`,
    main,
  ]) {
    assert.equal((await look(nothing)).status, 404, nothing)
  }
  for (const bad of ['', 'guide', 'ftp://x/', `https://x.example/${'x'.repeat(2100)}`]) {
    assert.equal((await look(bad)).status, 400, bad)
  }
  assert.equal((await somebody.post('/v1/urls/published', {})).status, 400)
  expect(await site.who.post(`${site.path}/unpublish`), 200)
  assert.equal((await look(address)).status, 404)
})

test("an organization cannot put a site at or below the proxy address of another organization's site", async () => {
  const older = await aSite(app)
  const site = await aSite(app)
  const host = `h${newId()}.example`
  const look = async (path: string) =>
    (await site.who.post('/v1/urls/published', { url: `https://${host}/${path}` })).body
  await site.change({ proxy: `${host}/docs` })
  for (const proxy of ['docs', 'docs/guide']) {
    const answer = await older.who.patch(older.path, { proxy: `${host}/${proxy}` })
    assert.deepEqual([answer.status, answer.body.error?.details?.[0].path], [409, 'body.proxy'], proxy)
  }
  assert.deepEqual([(await look('docs')).site, (await look('docs/guide')).site], [site.id, site.id])

  // Addresses beside it and above it are free, and an organization can set its own again, or one below it.
  await older.change({ proxy: `${host}/docs-of-others` })
  await older.change({ proxy: `${host}/d` })
  await site.change({ proxy: `${host}/docs`, title: 'Again' })
  const second = expect(await site.who.post(`/v1/orgs/${site.org.id}/sites`, { title: 'Second' }), 201)
  expect(await site.who.patch(`/v1/orgs/${site.org.id}/sites/${second.id}`, { proxy: `${host}/docs/second` }), 200)
  await site.change({ proxy: null })
  await older.change({ proxy: `${host}/docs` })
  assert.equal((await look('docs')).site, older.id)
})

test('a proxy address leads to its site in any case of its host and at any depth of its path', async () => {
  const [site, other] = [await aSite(app), await aSite(app)]
  const host = `h${newId()}.Example.COM`
  const deep = 'Docs/1/2/3/4/5/6/7/8/9/10'
  const { proxy, urls } = expect(await site.who.patch(site.path, { proxy: `${host}/${deep}` }), 200)
  // Hosts are case-insensitive, paths are not.
  assert.equal(proxy.origin, `${host.toLowerCase()}/${deep}`)
  assert.equal(urls.published, `https://${proxy.origin}/`)
  const look = async (url: string) => (await site.who.post('/v1/urls/published', { url })).body.site
  for (const url of [urls.published, `https://${host}/${deep}`, `https://${host.toUpperCase()}/${deep}/`]) {
    assert.equal(await look(url), site.id, url)
  }
  assert.equal(await look(`https://${host}/${deep.toLowerCase()}`), undefined)
  for (const spelled of [host.toLowerCase(), host.toUpperCase()]) {
    assert.equal((await other.who.patch(other.path, { proxy: `${spelled}/${deep}` })).status, 409, spelled)
  }
})

test("the address of a site resolves by the visitor's claims, share key or sign-in", async () => {
  const { site, look, key } = await aSiteWithPages()
  const address = main + site.address
  const token = signToken(key, { plan: 'pro', exp: inSeconds(60) })
  const pro = expect(await look(`${address}pro`, { visitor: { jwtToken: token } }), 200)
  assert.ok(pro.contextId)
  assert.equal((await look(`${address}pro`, { visitor: { unsignedClaims: { plan: 'pro' } } })).status, 404)

  await site.change({ visibility: 'share-link' })
  assert.equal((await look(address)).status, 404)
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'One' }), 201)
  const shareKey = link.urls.published.split('/').at(-2)
  const shared = expect(await look(`${address}${shareKey}/guide`), 200)
  assert.deepEqual([shared.shareKey, shared.siteBasePath], [shareKey, `${site.address}${shareKey}/`])
  assert.equal(expect(await look(`${address}${shareKey}/welcome`), 200).redirect, `${address}${shareKey}/`)
  for (const untidy of [`/${shareKey}/guide`, `${shareKey}//guide`])
    assert.equal(expect(await look(address + untidy), 200).redirect, `${address}${shareKey}/guide`)

  await site.change({ visibility: 'visitor-auth' })
  assert.equal((await look(address)).status, 404)
  const fallbackURL = 'https://login.example/'
  expect(await site.who.patch(`${site.path}/publishing/auth`, { backend: 'custom', fallbackURL }), 200)
  const away = { target: 'external', site: site.id, redirect: 'https://login.example/?location=guide' }
  assert.deepEqual(expect(await look(`${address}guide`), 200), away)
  // Extra slashes are not passed on, because the sign-in could take the start of such a path for a host to come back
  // to.
  for (const [asked, location] of [
    ['/guide//', 'guide%2F'],
    ['//login.evil//x', 'login.evil%2Fx'],
  ])
    assert.equal(expect(await look(address + asked), 200).redirect, `https://login.example/?location=${location}`)
  const bad = { visitor: { jwtToken: signToken('another key', { exp: inSeconds(60) }) } }
  assert.equal((await look(`${address}guide`, bad)).status, 404)
  assert.deepEqual(expect(await look(`${address}guide`, { ...bad, redirectOnError: true }), 200), away)
  assert.equal(expect(await look(`${address}guide`, { visitor: { jwtToken: token } }), 200).space, site.space.id)
  assert.equal(expect(await look(`${address}guide?jwt_token=${token}`), 200).space, site.space.id)
})

async function tokenFor(site: TestSite, look: Look, more: object = {}) {
  const { apiToken } = expect(await look(main + site.address, more), 200)
  return app.client(apiToken, [site.org.canary])
}

type Look = Awaited<ReturnType<typeof aSiteWithPages>>['look']

test('a content token reads what the visitor sees now, and nothing else', async () => {
  const { site, look, key } = await aSiteWithPages()
  const visitor = await tokenFor(site, look)
  const base = `/v1/spaces/${site.space.id}/content`
  const titles = async (path: string) => expect(await visitor.get(path), 200).pages.map(({ title }: any) => title)
  assert.deepEqual(await titles(`${base}/pages`), ['Welcome', 'Guide'])
  assert.deepEqual(await titles(base), ['Welcome', 'Guide'])
  const [, guide, hidden] = (await site.who.get(`${base}/pages`)).body.pages
  assert.match(expect(await visitor.get(`${base}/page/${guide.id}?format=markdown`), 200).markdown, /Text of Guide/)
  assert.equal(expect(await visitor.get(`${base}/path/guide`), 200).id, guide.id)
  expect(await visitor.get(`${base}/files`), 200)
  for (const path of [`${base}/page/${hidden.id}`, `${base}/path/pro`])
    assert.equal((await visitor.get(path)).status, 404)

  const jwtToken = signToken(key, { plan: 'pro', exp: inSeconds(60) })
  const pro = await tokenFor(site, look, { visitor: { jwtToken } })
  assert.equal(expect(await pro.get(`${base}/page/${hidden.id}`), 200).title, 'Pro')

  const other = await aSite(app)
  assert.equal((await visitor.get(`/v1/spaces/${other.space.id}/content/pages`)).status, 404)
  const { id } = await site.space.changeRequest()
  const revision = (await site.who.get(base)).body.id
  for (const path of [
    `/v1/spaces/${site.space.id}`,
    `/v1/spaces/${site.space.id}/revisions/${revision}`,
    `/v1/spaces/${site.space.id}/revisions`,
    `/v1/spaces/${site.space.id}/change-requests`,
    `/v1/spaces/${site.space.id}/change-requests/${id}/content`,
    `/v1/spaces/${site.space.id}/comments`,
    `/v1/orgs/${site.org.id}`,
    `${site.path}/published`,
    '/v1/user',
    '/v1/orgs',
  ]) {
    assert.equal((await visitor.get(path)).status, 403, path)
  }
  assert.equal((await visitor.post(base, { changes: [newPage('No')] })).status, 403)
  assert.equal((await visitor.post(`/v1/invites/${newId()}/accept`)).status, 403)
  assert.equal((await visitor.post('/v1/urls/published', { url: main + site.address })).status, 403)
})

test('files and reusable contents used only on pages hidden from the visitor do not exist for their content token', async () => {
  const { site, look, key } = await aSiteWithPages()
  const { space } = site
  const upload = (name: string) => ({
    name,
    base64: Buffer.from(name).toString('base64'),
    contentType: 'text/plain',
    ref: name,
  })
  const piece = (title: string, markdown: string) => ({
    operation: 'insert_reusable_content',
    title,
    ref: title,
    document: { markdown },
  })
  const made = await space.edit(
    { operation: 'insert_files', files: ['both', 'pro-only', 'in-piece', 'cover', 'nowhere'].map(upload) },
    piece('Inner', '[file](./in-piece)\n'),
    piece('Outer', '{% include "./Inner" %}\n'),
    piece('Shared', 'Words\n'),
    newPage('Plans', {
      document: {
        markdown:
          '---\nif: visitor.claims.plan == "pro"\n---\n\n# Plans\n\n[a](./both) [b](./pro-only)\n\n{% include "./Outer" %}\n\n{% include "./Shared" %}\n',
      },
      metadata: { cover: { ref: { kind: 'file', file: 'cover' } } },
    }),
    newPage('Open', { document: { markdown: '# Open\n\n[a](./both)\n\n{% include "./Shared" %}\n' } }),
  )
  assert.equal(made.status, 200, made.text)
  const base = `/v1/spaces/${space.id}/content`
  const whole = (await site.who.get(base)).body
  const idOf = new Map<string, string>([
    ...whole.files.map(({ name, id }: any) => [name, id]),
    ...whole.reusableContents.map(({ title, id }: any) => [title, id]),
  ])
  const seenBy = async (reader: typeof site.who) => {
    const { files, reusableContents } = expect(await reader.get(base), 200)
    const listed = expect(await reader.get(`${base}/files`), 200)
    const names = files.map(({ name }: any) => name).toSorted()
    assert.deepEqual(listed.items.map(({ name }: any) => name).toSorted(), names)
    assert.equal(listed.count, names.length)
    const titles = reusableContents.map(({ title }: any) => title).toSorted()
    for (const [name, id] of idOf) {
      const path = /^[A-Z]/.test(name) ? 'reusable-contents' : 'files'
      const { status } = await reader.get(`${base}/${path}/${id}`)
      assert.equal(status, [...names, ...titles].includes(name) ? 200 : 404, name)
    }
    return { names, titles }
  }
  const jwtToken = signToken(key, { plan: 'pro', exp: inSeconds(60) })
  assert.deepEqual(await seenBy(await tokenFor(site, look)), { names: ['both', 'nowhere'], titles: ['Shared'] })
  assert.deepEqual(await seenBy(await tokenFor(site, look, { visitor: { jwtToken } })), {
    names: ['both', 'cover', 'in-piece', 'nowhere', 'pro-only'],
    titles: ['Inner', 'Outer', 'Shared'],
  })
})

test('text that a condition hides from the visitor is in no format of a page', async () => {
  const { site, look, key } = await aSiteWithPages()
  const markdown = '# Parts\n\n{% if visitor.claims.plan == "pro" %}\nHidden words\n{% endif %}\n\nOpen words\n'
  const [id] = idsOf(await site.space.edit(newPage('Parts', { document: { markdown } })))
  const page = (format: string) => `/v1/spaces/${site.space.id}/content/page/${id}?format=${format}`
  const visitor = await tokenFor(site, look)
  const pro = await tokenFor(site, look, { visitor: { jwtToken: signToken(key, { plan: 'pro', exp: inSeconds(60) }) } })
  for (const format of [
    'markdown',
    'document',
    'html',
    'markdown&evaluated=false',
    'document&evaluated=deterministic-only',
  ]) {
    const { text } = await visitor.get(page(format))
    assert.ok(text.includes('Open words') && !text.includes('Hidden words'), format)
    assert.ok((await pro.get(page(format))).text.includes('Hidden words'), format)
  }
})

test('a content token ends when its visitor loses access: by share link, sign-in, visibility or unpublishing', async () => {
  const { site, look, key } = await aSiteWithPages()
  const path = `/v1/spaces/${site.space.id}/content/pages`
  const open = await tokenFor(site, look)
  assert.equal((await open.get(path)).status, 200)

  await site.change({ visibility: 'share-link' })
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'One' }), 201)
  const shareKey = link.urls.published.split('/').at(-2)
  const { apiToken } = expect(await look(`${main}${site.address}${shareKey}/`), 200)
  const shared = app.client(apiToken, [site.org.canary])
  assert.deepEqual([(await open.get(path)).status, (await shared.get(path)).status], [401, 200])
  expect(await site.who.patch(`${site.path}/share-links/${link.id}`, { active: false }), 200)
  assert.equal((await shared.get(path)).status, 401)

  await site.change({ visibility: 'visitor-auth' })
  const signed = await tokenFor(site, look, { visitor: { jwtToken: signToken(key, { exp: inSeconds(60) }) } })
  assert.deepEqual([(await open.get(path)).status, (await signed.get(path)).status], [401, 200])
  const late = await tokenFor(site, look, { visitor: { jwtToken: signToken(key, { exp: inSeconds(-5) }) } })
  assert.equal((await late.get(path)).status, 401)
  expect(await site.who.post(`${site.path}/publishing/auth/regenerate`), 200)
  assert.equal((await signed.get(path)).status, 401)

  await site.change({ visibility: 'public' })
  assert.equal((await open.get(path)).status, 200)
  expect(await site.who.post(`${site.path}/unpublish`), 200)
  assert.equal((await open.get(path)).status, 401)
  for (const forged of ['lcc_x.y', `${open.token!.slice(0, -1)}${open.token!.endsWith('A') ? 'B' : 'A'}`, 'lcc_']) {
    assert.equal((await app.client(forged).get(path)).status, 401, forged)
  }
})

test('access granted by a signing key ends with the key, also on a public or unlisted site', async () => {
  const { site, look, key } = await aSiteWithPages()
  const path = `/v1/spaces/${site.space.id}/content/path/pro`
  const jwtToken = signToken(key, { plan: 'pro', exp: inSeconds(600) })
  for (const visibility of ['public', 'unlisted']) {
    await site.change({ visibility })
    const open = await tokenFor(site, look)
    const pro = await tokenFor(site, look, {
      visitor: { jwtToken: visibility === 'public' ? jwtToken : await renewed() },
    })
    assert.deepEqual([(await open.get(path)).status, (await pro.get(path)).status], [404, 200])
    expect(await site.who.post(`${site.path}/publishing/auth/regenerate`), 200)
    assert.deepEqual([(await open.get(path)).status, (await pro.get(path)).status], [404, 401])
  }

  async function renewed() {
    const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
    return signToken(privateKey, { plan: 'pro', exp: inSeconds(600) })
  }
})

test('an address of the app resolves to its space, page, collection or change request, for people who may see it', async () => {
  const site = await aSite(app)
  const { org, who, space } = site
  const [, guide] = (await who.get(`${space.path}/content/pages`)).body.pages
  const collection = expect(await who.post(`/v1/orgs/${org.id}/collections`, { title: 'Things' }), 201)
  const request = await space.changeRequest()
  await request.edit(newPage('Draft'))
  const { number } = (await who.get(request.path)).body
  const start = `${main}/app/o/${org.id}`
  const look = (url: string, client = who) => client.get(`/v1/urls/content?url=${encodeURIComponent(url)}`)

  assert.equal(expect(await look(`${start}/c/${collection.id}`), 200).collection.id, collection.id)
  assert.deepEqual(Object.keys(expect(await look(`${start}/s/${space.id}`), 200)), ['space'])
  const page = expect(await look(`${start}/s/${space.id}/guide`), 200)
  assert.deepEqual([page.space.id, page.page.id], [space.id, guide.id])
  const draft = expect(await look(`${start}/s/${space.id}/~/changes/${number}/draft`), 200)
  assert.deepEqual([draft.changeRequest.id, draft.page.title], [request.id, 'Draft'])

  const short = `${main}/app`
  assert.equal(expect(await look(`${short}/s/${space.id}/guide`), 200).page.id, guide.id)
  assert.equal(expect(await look(`${short}/c/${collection.id}`), 200).collection.id, collection.id)

  const stranger = (await aStranger(app)).client
  const nothing = [
    `${short}/s/${newId()}`,
    `${short}/s/guide`,
    `${short}/o/guide/s/${space.id}`,
    `${start}/s/${space.id}/draft`,
    `${start}/s/${space.id}/~/changes/99/draft`,
    `${start}/s/${newId()}`,
    `${start}/c/${space.id}`,
    `${main}/app/o/${newId()}/s/${space.id}`,
    `https://elsewhere.example/app/o/${org.id}/s/${space.id}`,
    `${start}/sites/${site.id}`,
    main,
  ]
  for (const url of nothing) assert.equal((await look(url)).status, 404, url)
  for (const url of [`${start}/s/${space.id}`, `${start}/c/${collection.id}`, `${short}/s/${space.id}`]) {
    assert.equal((await look(url, stranger)).status, 404, url)
  }
  assert.equal((await look('nonsense')).status, 400)
})
