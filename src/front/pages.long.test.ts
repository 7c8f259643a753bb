import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeApp } from '../app.ts'
import { Person } from '../account/testing/person.ts'
import { trusted } from '../content/html/template.ts'
import { sql } from '../db/sql.ts'
import { html } from '../http/html.ts'
import type { ApiDescription } from '../http/spec.ts'
import { signedIn } from '../sessions/testing/signed-in.ts'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { aSite } from '../../test/sites.ts'
import { bodies } from './reference/bodies.ts'
import type { Schema } from './reference/description.ts'
import { referencePage } from './reference/page.ts'

const started = await startApp()
const { app, config, ...site } = started
const browser = site.client()
/** Needed for pages that refuse: their body is a page as well, not a JSON error. */
const reader = new Person(started)
const nothing = '/app/o/some-org/s/some-space'
const pages = ['/', nothing, '/docs/api']

test('a template escapes all values except trusted markup', () => {
  const evil = `<img src=x onerror="alert('&')">`
  const escaped = '&lt;img src=x onerror=&quot;alert(&#39;&amp;&#39;)&quot;&gt;'
  assert.equal(String(html`<p title="${evil}">${evil}</p>`), `<p title="${escaped}">${escaped}</p>`)
  assert.equal(String(html`[${['<', 1, html`<li></li>`, [trusted('<hr>'), '>']]}]`), '[&lt;1<li></li><hr>&gt;]')
  assert.equal(String(html`[${undefined}${false}${null}${''}${0}]`), '[0]')
  const lookalike = { toString: () => '<b>' } as unknown as string
  assert.equal(String(html`${lookalike}`), '&lt;b&gt;')
})

test('a template drops its own indentation and keeps that of its values', () => {
  const write = html
  assert.equal(String(write`<p>\n      ${'a\n  b'}\n    </p>`), '<p>\na\n  b\n</p>')
})

test('public pages answer without sign-in, under a policy that allows only styles and scripts of Lectern itself', async () => {
  for (const path of pages) {
    const page = await reader.get(path)
    assert.equal(page.status, path === nothing ? 404 : 200, path)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
    assert.match(
      page.headers.get('content-security-policy')!,
      /^default-src 'none'; style-src 'self'; script-src 'self';/,
    )
    assert.doesNotMatch(page.headers.get('content-security-policy')!, /unsafe|https?:/)
    assert.doesNotMatch(page.text, /<style|\sstyle=|<script>|\son\w+=|javascript:/)
    assert.equal(page.headers.get('cache-control'), 'no-cache')
    if (path === nothing) continue
    const again = await reader.get(path, { 'if-none-match': page.headers.get('etag')! })
    assert.equal(again.status, 304, path)
  }
})

test('no page and no asset of a page names another host', async () => {
  const texts = await Promise.all(pages.map(async (path) => (await reader.get(path)).text))
  const assets = new Set(texts.flatMap((text) => text.match(/\/assets\/[\w.]+/g) ?? []))
  for (const path of assets) texts.push((await browser.get(path)).text)
  for (const text of texts) {
    const addresses = text.match(/https?:\/\/[^\s"'<&]+|="\/\/[^"]*/g) ?? []
    const foreign = addresses.filter((each) => each !== config.url && !each.startsWith(`${config.url}/`))
    assert.deepEqual(foreign, [])
  }
})

test('every link of a page works, and every icon it refers to exists', async () => {
  const statuses: Record<string, number> = { '/docs': 307, '/account': 303 }
  for (const path of pages) {
    const { text } = await reader.get(path)
    const ids = new Set([...text.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]))
    for (const [, href] of text.matchAll(/\s(?:href|src)="([^"]+)"/g)) {
      if (href!.startsWith('#')) assert.ok(ids.has(href!.slice(1)), `${path} has no ${href}`)
      // Both redirect: the documentation is wherever the first organization shows it, and an account requires signing
      // in.
      else assert.equal((await reader.get(href!)).status, statuses[href!] ?? 200, `${path} links to ${href}`)
    }
  }
})

test('public pages link signed-in users to their account and others to sign-in, and all to sign-in without the database', async () => {
  const { id } = (await anOrganization(started)).admin
  const someone = await signedIn(started, { id })
  for (const path of ['/', '/docs/api']) {
    const leads = async (who: Person) => {
      const { status, text, headers } = await who.get(path)
      assert.equal(status, 200)
      assert.match(headers.get('vary')!, /\bcookie\b/)
      return [...new Set(text.match(/(?<=href=")\/(?:login|account)(?=")/g))]
    }
    assert.deepEqual(await leads(someone), ['/account'], path)
    assert.deepEqual(await leads(reader), ['/login'], path)
    app.health.ready = false
    const away = await leads(someone).finally(() => (app.health.ready = true))
    assert.deepEqual(away, ['/login'], path)
  }
  const { text } = await someone.get('/')
  assert.match(text, /<a class="head-link" href="\/account" ?>Your account<\/a>/)
  assert.match(text, /<a class="btn primary big" href="\/account" ?>Your organizations/)
  assert.match((await someone.get('/account')).text, /<h2[^>]*>Organizations<\/h2>/)
  assert.doesNotMatch(text, /Sign in/)
  await started.db.run(sql`delete from sessions where user_id = ${id}`)
  assert.match((await someone.get('/')).text, /<a class="head-link" href="\/login" ?>Sign in<\/a>/)
})

test('the example of a first call uses the token printed at the start, and says where else to find it', async () => {
  for (const path of ['/', '/docs/api']) {
    const words = (await browser.get(path)).text.replaceAll(/<[^>]+>/g, '')
    assert.match(words, /export LECTERN_TOKEN=lct_…/, path)
    assert.match(words, /prints? it in the terminal[^]*admin-token/, path)
  }
})

test('assets are cached forever, and an unknown one is an ordinary 404', async () => {
  const { text } = await browser.get('/')
  const linked = text.match(/\/assets\/[\w.-]+/g)!
  const sheet = await browser.get(linked.find((file) => file.endsWith('.css'))!)
  const fonts = [...sheet.text.matchAll(/url\(([\w.-]+\.woff2)\)/g)].map(([, font]) => `/assets/${font}`)
  assert.equal(fonts.length, 4)
  assert.ok(linked.includes(fonts[0]!), 'the first font is asked for ahead')
  const files = new Set([...linked, ...fonts])
  assert.equal(files.size, 7)
  const types = { css: /^text\/css/, '.js': /^text\/javascript/, ff2: /^font\/woff2$/ }
  for (const file of files) {
    const asset = await browser.get(file)
    assert.equal(asset.status, 200)
    assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(asset.headers.get('x-content-type-options'), 'nosniff')
    assert.match(asset.headers.get('content-type')!, types[file.slice(-3) as keyof typeof types])
  }
  const old = await browser.get('/assets/pages.000000000000.css')
  assert.equal(old.status, 404)
  assert.equal(old.body.error.type, 'not_found')
})

test('an error outside the API is a page for browsers and JSON for other clients', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const ask = (method: string, path: string) => fetch(site.url + path, { method, headers: { accept } })
  for (const path of ['/nope', '/docs/nope', '/%zz', '/assets/pages.000000000000.css']) {
    const page = await ask('GET', path)
    assert.equal(page.status, path === '/%zz' ? 400 : 404, path)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8', path)
    assert.match(page.headers.get('content-security-policy')!, /^default-src 'none'/)
    const text = await page.text()
    assert.match(text, /<a class="btn primary big" href="\/">/)
    assert.match(text, path === '/%zz' ? /not properly encoded/ : /<h1>Nothing here<\/h1>/)
    for (const other of ['*/*', 'application/json', 'text/html;q=0, */*']) {
      const error = await browser.get(path, { accept: other })
      assert.equal(error.headers.get('content-type'), 'application/json; charset=utf-8', path)
      assert.equal(error.body.error.code, page.status)
      for (const { headers } of [page, error]) {
        assert.match(headers.get('vary')!, /^accept\b/)
        assert.match(headers.get('cache-control')!, /no-store/)
      }
    }
  }
  const wrongMethod = await ask('POST', '/docs/api')
  assert.equal(wrongMethod.status, 405)
  assert.equal(wrongMethod.headers.get('allow'), 'GET, HEAD')
  assert.match(await wrongMethod.text(), /This URL supports only GET, HEAD/)
  for (const path of ['/v1/nope', '/v1', '/v1/%zz', '/v1/orgs/none']) {
    const error = await browser.get(path, { accept })
    assert.equal(error.headers.get('content-type'), 'application/json; charset=utf-8', path)
    assert.ok(error.status >= 400 && error.body.error.code === error.status, path)
  }
})

test('/openapi.json is the description of the running app', async () => {
  const answer = await browser.get('/openapi.json')
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  const servers = [{ url: 'http://lectern.test' }]
  assert.deepEqual(answer.body, JSON.parse(JSON.stringify({ ...describeApp(app), servers })))
  const again = await browser.get('/openapi.json', { 'if-none-match': answer.headers.get('etag')! })
  assert.equal(again.status, 304)
})

test('every operation and every object of the API description is on the reference page', async () => {
  const { text } = await browser.get('/docs/api')
  const words = text
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
  const { paths, components } = describeApp(app) as unknown as {
    paths: Record<string, Record<string, { operationId: string; summary: string; 'x-scope'?: string }>>
    components: { schemas: object }
  }
  assert.ok(Object.keys(paths).length > 10)
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      assert.ok(text.includes(`<section class="op" id="${operation.operationId}">`), operation.operationId)
      assert.ok(text.includes(`href="#${operation.operationId}"`), operation.operationId)
      assert.ok(words.includes(method.toUpperCase() + path), path)
      assert.ok(words.includes(operation.summary), operation.summary)
      assert.ok(words.includes(operation['x-scope'] ?? ''))
    }
  }
  for (const name of Object.keys(components.schemas)) assert.ok(text.includes(`id="object-${name}"`), name)
})

test('the example bodies of the reference are valid apart from ids that the caller fills in', async () => {
  const org = await anOrganization(started)
  const who = org.admin.client
  const { path } = await aSite(started, {}, org)
  const space = await who.post(`/v1/orgs/${org.id}/spaces`, { title: 'First' })
  const requests = `/v1/spaces/${space.body.id}/change-requests`
  const { number } = (await who.post(requests, { subject: 'First' })).body
  const users = `/v1/orgs/${org.id}/scim/v2/Users`
  const made = await who.post(users, bodies.scimCreateUser)
  const group = await who.post(`/v1/orgs/${org.id}/scim/v2/Groups`, { displayName: 'First' })
  const sent = [
    await who.post(`${requests}/${number}/content`, bodies.updateChangeRequestContent),
    await who.post(`${path}/redirects`, bodies.createSiteRedirect),
    await who.put(`${path}/adaptive-schema`, bodies.updateSiteAdaptiveSchema),
    await who.post(`/v1/spaces/${space.body.id}/content/computed/document`, bodies.getComputedDocument),
    await who.post(`/v1/spaces/${space.body.id}/permissions`, bodies.inviteToSpace),
    await who.put(`/v1/orgs/${org.id}/fonts`, bodies.createCustomFont),
    await who.patch(
      `${path}/site-spaces/${(await who.get(`${path}/site-spaces`)).body.items[0].id}`,
      bodies.updateSiteSpaceById,
    ),
    made,
    await who.patch(`${users}/${made.body.id}`, bodies.scimUpdateUser),
    await who.put(`${users}/${made.body.id}`, bodies.scimReplaceUser),
    await who.patch(`/v1/orgs/${org.id}/scim/v2/Groups/${group.body.id}`, bodies.scimUpdateGroup),
  ]
  // Ids are left to the caller; everything else that is required is present.
  assert.deepEqual(
    sent.map(({ status, body }) => [status, body.error?.details?.[0]?.path].filter(Boolean)),
    [
      [200],
      [400, 'body.destination.siteSpaceId'],
      [200],
      [404],
      [400, 'body.users.0'],
      [400, 'body.fontFaces.0.storageKey'],
      [200],
      [201],
      [200],
      [200],
      [400, 'body.Operations.0.value.0'],
    ],
  )
  const { text } = await browser.get('/docs/api')
  for (const operation of Object.keys(bodies)) assert.ok(text.includes(`id="${operation}"`), operation)
  assert.ok(text.includes('Hello, **world**.'))
  assert.doesNotMatch(text, /\?\w+=[^"&]*…/)
})

test('every term on the reference page has a description, as HTML requires', async () => {
  const { text } = await browser.get('/docs/api')
  assert.equal(text.match(/<\/dt>\s*<\/div>/g), null)
})

test('recursive objects of a description do not recurse endlessly on the reference page, and its texts are escaped', () => {
  const page: Schema = {
    type: 'object',
    description: '<script>alert(1)</script> and `<code>`',
    required: ['id'],
    properties: {
      id: { type: 'string', enum: ['<b>', "it's"] },
      parent: { anyOf: [{ $ref: '#/components/schemas/Page' }, { type: 'null' }] },
      children: { type: 'array', items: { $ref: '#/components/schemas/Page' } },
      space: { $ref: '#/components/schemas/Space' },
    },
  }
  const space: Schema = { type: 'object', properties: { root: { $ref: '#/components/schemas/Page' } } }
  const alias: Schema = { anyOf: [{ $ref: '#/components/schemas/Page' }, { $ref: '#/components/schemas/Alias' }] }
  const description = {
    ...describeApp(app),
    paths: {
      '/v1/pages/{pageId}': {
        post: {
          operationId: 'writePage',
          summary: 'Write a <page>',
          security: [],
          requestBody: { required: true, content: { 'application/json': { schema: { allOf: [page, space] } } } },
          responses: { 200: { description: '', content: { 'application/json': { schema: alias } } } },
        },
      },
    },
    components: { schemas: { Page: page, Space: space, Alias: alias }, securitySchemes: {} },
  } as unknown as ApiDescription

  const text = String(
    referencePage(description, { url: 'http://here', link: (path) => path, asset: (name) => name }, undefined, false),
  )
  assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt; and <code>&lt;code&gt;</code>'))
  assert.ok(text.includes('Write a &lt;page&gt;'))
  assert.ok(text.includes('<a href="#object-Page">Page</a> | null'))
  assert.doesNotMatch(text, /<script>/)
  assert.ok(text.length < 60_000)
})

test('the not-found page of the app is the same for every address, does not repeat it, and links to pages that exist', async () => {
  const [one, other] = await Promise.all(['/app/x', '/app/o/secret-name/s/x?share=key'].map((path) => reader.get(path)))
  assert.deepEqual([one!.status, one!.text], [404, other!.text])
  assert.doesNotMatch(other!.text, /secret-name|share=key/)
  for (const there of [/href="\/docs\/api"/, /href="\/account"/, /or you may not see it/])
    assert.match(one!.text, there)
  const start = await browser.get('/app')
  assert.deepEqual([start.status, start.headers.get('location')], [307, '/account'])
})

test('robots.txt excludes the API and the app, and both addresses of the icon work', async () => {
  assert.match(
    (await browser.get('/robots.txt')).text,
    /^User-agent: \*\nDisallow: \/v1\/\nDisallow: \/app\/\nDisallow: \/invite\/\nDisallow: \/login\nDisallow: \/account\n$/,
  )
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    const icon = await browser.get(path)
    assert.equal(icon.headers.get('content-type'), 'image/svg+xml')
    assert.match(icon.text, /^<svg/)
  }
})

test('pages and the API description use the path prefix of the configured URL', async () => {
  const below = await startApp({ LECTERN_URL: 'http://lectern.test/below/' })
  for (const path of pages) {
    const { text } = await new Person(below).get(path)
    for (const [, href] of text.matchAll(/\s(?:href|src)="(\/[^"]*)"/g)) assert.match(href!, /^\/below\//)
  }
  // Otherwise, clients that read the description would call the root of the host.
  const { servers } = (await below.client().get('/openapi.json')).body
  assert.deepEqual(servers, [{ url: 'http://lectern.test/below' }])
})
