// What readers get over HTTP: pages, redirects, files, and what they do not get.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { idsOf, newPage } from '../../test/editing.ts'
import { png } from '../../test/every-content.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { newId } from '../ids.ts'

const app = await startApp({ LECTERN_SITES_HOST: 'sites.test' })

test('a published site shows its landing page at its root and other pages at their paths, with redirects and ETags', async () => {
  const site = await aSite(app)
  const browser = site.browser()
  const root = await browser.get(site.address)
  assert.equal(root.status, 200, root.text)
  assert.match(root.text, /<h1>Welcome<\/h1>.*Text of Welcome/s)
  assert.match(root.text, new RegExp(`href="${site.address}guide"`))
  assert.match(root.text, new RegExp(`rel="canonical" href="http://${site.org.row.hostname}.sites.test/`))
  assert.match((await browser.get(`${site.address}guide`)).text, /<h1>Guide<\/h1>/)

  const leads = async (path: string, status: number, to: string) => {
    const page = await browser.get(path)
    assert.deepEqual([page.status, page.location], [status, to], path)
  }
  await leads(`${site.address}welcome`, 308, site.address)
  await leads(`${site.address}guide/`, 308, `${site.address}guide`)
  await leads(site.address.slice(0, -1), 308, site.address)
  await leads(`${site.address.slice(0, -1)}?x=1`, 308, `${site.address}?x=1`)
  await leads(`${site.address}welcome?x=1&jwt_token=nonsense`, 307, `${site.address}welcome?x=1`)

  const head = await browser.get(`${site.address}guide`, { method: 'HEAD' })
  assert.deepEqual([head.status, head.text], [200, ''])
  const again = await browser.get(site.address, { headers: { 'if-none-match': String(root.headers.etag) } })
  assert.deepEqual([again.status, again.text], [304, ''])
  // Caches in between weaken tags and send several. At this point the page is answered from memory.
  const etag = String(root.headers.etag)
  for (const known of [`W/${etag}`, `"other", ${etag}`, '*']) {
    const { status } = await browser.get(site.address, { headers: { 'if-none-match': known } })
    assert.equal(status, 304, known)
  }
  assert.equal((await browser.get(site.address, { headers: { 'if-none-match': '"other"' } })).status, 200)
})

test('the meta description of a page is its description, or else the beginning of its text', async () => {
  const withText = (markdown: string, description?: string) => ({
    operation: 'insert_page',
    document: { markdown },
    metadata: { description },
  })
  const long = `Water & leaves, **hot** ${'and hot '.repeat(30)}.`
  const site = await aSite(app, {
    pages: [
      withText('# Said\n\nText.\n', 'All of it'),
      withText(`# Begun\n\n## First\n\n${long}\n\nMore.\n`),
      withText('# Mute\n\n```\ncode\n```\n'),
    ],
  })
  const told = async (path: string) => {
    const { text } = await site.browser().get(site.address + path)
    return [...text.matchAll(/<meta (?:name="|property="og:)description" content="([^"]*)"/g)].map(([, each]) => each)
  }
  assert.deepEqual(await told(''), ['All of it', 'All of it'])
  const [begun, again] = await told('begun')
  assert.match(begun!, /^Water &amp; leaves, hot (?:and hot )+and(?: hot)?…$/)
  assert.ok(begun === again && begun!.length < 170, begun)
  assert.deepEqual(await told('mute'), [])
  // The page says it anyway, so readers do not get it twice.
  assert.doesNotMatch((await site.browser().get(`${site.address}begun`)).text, /class="lead"/)
})

test('the outline of a page has the two highest levels of headings that it uses', async () => {
  const withText = (title: string, markdown: string) => newPage(title, { document: { markdown } })
  const site = await aSite(app, {
    pages: [
      withText('Steps', '# Steps\n\n### One\n\n### Two\n\n#### Part\n'),
      withText('Parts', '# Parts\n\n## One\n\n### Part\n\n#### Left out\n\n## Two\n'),
      withText('Mixed', '# Mixed\n\n### One\n\n### Two\n\n## Three\n\n### Part\n'),
    ],
  })
  const outlineOf = async (path: string) => {
    const { text } = await site.browser().get(site.address + path)
    const [, outline] = /<aside class="toc"[^]*?<ol>([^]*)<\/ol>[^]*?<\/aside>/.exec(text)!
    return outline!
      .replaceAll('<ol>', '(')
      .replaceAll('</ol>', ')')
      .replace(/<[^>]*>|\s+/g, '')
  }
  assert.equal(await outlineOf(''), 'OneTwo(Part)')
  assert.equal(await outlineOf('parts'), 'One(Part)Two')
  assert.equal(await outlineOf('mixed'), 'OneTwoThree(Part)')
})

test('a site without pages says that it has none, instead of that the address is wrong', async () => {
  const site = await aSite(app, { pages: [newPage('Only')] })
  const [only] = Object.values(expect(await site.who.get(`${site.space.path}/content`), 200).pages as { id: string }[])
  expect(await site.space.edit({ operation: 'delete_page', page: only!.id }), 200)
  const empty = await site.browser().get(site.address)
  assert.equal(empty.status, 404)
  assert.match(empty.text, /<h1>There are no pages here yet<\/h1>/)
  expect(await site.space.edit(newPage('First')), 200)
  assert.match((await site.browser().get(`${site.address}elsewhere`)).text, /<h1>There is no page here<\/h1>/)
})

test('pages with the same title that are suggested for an unknown address say which pages they are below', async () => {
  const pages = ['Windows', 'Linux'].flatMap((title, at) => [
    newPage(title, { ref: `above${at}` }),
    newPage('Installing', { into: `above${at}` }),
  ])
  const site = await aSite(app, { pages: [newPage('Welcome'), ...pages] })
  const { text } = await site.browser().get(`${site.address}installing`)
  const offered = [...text.matchAll(/<b>([^<]*)<\/b><small>([^<]*)<\/small>/g)].map(([, ...said]) => said)
  assert.deepEqual(offered, [
    ['Installing', 'Windows'],
    ['Installing', 'Linux'],
  ])
})

test('unpublished sites, unknown addresses and malformed paths get 404 and reveal nothing about a site', async () => {
  const site = await aSite(app)
  const hidden = await aSite(app, { published: false })
  const browser = site.browser()
  const host = site.org.row.hostname
  const missing = await browser.get(`${site.address}nothing`)
  assert.equal(missing.status, 404)
  assert.match(String(missing.headers['content-type']), /^text\/html/)
  assert.equal(missing.headers['cache-control'], 'private, no-store')
  assert.match(missing.text, /There is no page here/)
  const nothing = await browser.get(hidden.address)
  assert.equal(nothing.headers['cache-control'], 'private, no-store')
  for (const { canary } of [site.org, hidden.org]) assert.ok(!nothing.text.includes(canary))
  for (const path of [
    hidden.address,
    `${hidden.address}guide`,
    `/sites/${host}/other/`,
    `/sites/${host}`,
    `/sites/${host}/`,
    '/sites/nobody/docs/',
    '/sites/',
    `/sites/${hidden.org.row.hostname}${site.address.slice(site.address.lastIndexOf('/', site.address.length - 2))}`,
    `${site.address}~/files/x`,
    `${site.address}~/auth/x`,
    `${site.address}~/assets/x.js`,
  ]) {
    const page = await browser.get(path)
    assert.deepEqual([page.status, page.text], [404, nothing.text], path)
  }
  // For names that no page can have, people who may read the site get the site's own page.
  for (const path of [
    '~/assets/mermaid/../../package.json',
    '/nowhere',
    'nowhere//',
    '%2e%2e/guide',
    '..%2fguide',
    'guide%2f',
    '%5cguide',
    'guide%0d%0aset-cookie:x',
    'guide%ff',
    'guide%00',
    '%',
    '%f0%28%8c%28/%zz',
  ]) {
    const page = await browser.get(site.address + path)
    assert.deepEqual([page.status, page.headers['set-cookie']], [404, undefined], path)
    assert.match(page.text, /There is no page here/, path)
    assert.equal((await browser.get(hidden.address + path)).text, nothing.text, path)
  }
  // The query behind a path may contain anything.
  for (const query of ['guide?a=%00', 'guide?__proto__=a', '~/search?q=%00']) {
    const page = await browser.get(site.address + query)
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'], query)
    assert.equal((await browser.get(hidden.address + query)).text, nothing.text, query)
  }
  for (const query of ['~/pdf?page=%00', '?visitor.a=%00', '~/search?q=a&in=%00', '~/auth/login?location=%00']) {
    const { status, headers } = await browser.get(site.address + query)
    assert.ok(status < 500 && headers['content-type'] !== 'application/json; charset=utf-8', `${query}: ${status}`)
  }
  const forPrograms = await browser.get('/v1/orgs/%ff')
  assert.deepEqual([forPrograms.status, forPrograms.headers['content-type']], [400, 'application/json; charset=utf-8'])
  assert.equal((await browser.get(`${site.address}${'x'.repeat(3_000)}`)).status, 414)
  assert.equal((await browser.get(`${site.address}${'x/'.repeat(5_000)}`)).status, 414)
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const refused = await browser.get(`${site.address}guide`, { method, headers })
    assert.deepEqual([refused.status, refused.headers.allow], [405, 'GET, HEAD'], method)
  }
})

test('no author script runs on a page, and an unlisted page is noindex', async () => {
  const text =
    '# Page\n\n<script>alert(1)</script><img src=x onerror=alert(1)>\n\n[run](javascript:alert(1)) **bold**\n'
  const site = await aSite(app, { pages: [{ operation: 'insert_page', document: { markdown: text } }] })
  const headersNow = async () => (await site.browser().get(site.address)).headers
  const page = await site.browser().get(site.address)
  assert.ok(
    !/<script(?! src="[^"]+\/~\/assets\/[\w.-]+\.js"[^>]*><\/script>)|onerror|javascript:/i.test(page.text),
    page.text,
  )
  assert.match(page.text, /<strong>bold<\/strong>/)
  const policy = String(page.headers['content-security-policy'])
  for (const rule of ["default-src 'none'", "base-uri 'none'", "form-action 'self'", "script-src 'self';"]) {
    assert.ok(policy.includes(rule), rule)
  }
  assert.ok(!policy.includes('unsafe'))
  assert.equal(page.headers['cache-control'], 'public, no-cache')
  assert.equal(page.headers['x-robots-tag'], undefined)

  await site.change({ visibility: 'unlisted' })
  assert.equal((await headersNow())['x-robots-tag'], 'noindex')
  assert.equal((await headersNow())['cache-control'], 'public, no-cache')
})

test('the shared host of an organization and the own host of a site answer only with sites', async () => {
  const site = await aSite(app)
  const other = await aSite(app)
  const browser = site.browser()
  const basename = site.address.split('/').at(-2)
  const shared = { host: `${site.org.row.hostname}.sites.test` }
  const own = { host: `docs-${newId()}.example.com` }
  await site.change({ hostname: own.host })

  assert.match((await browser.get(`/${basename}/`, shared)).text, new RegExp(`href="/${basename}/guide"`))
  assert.match((await browser.get('/guide', own)).text, /<h1>Guide<\/h1>.*/s)
  assert.match((await browser.get('/', { host: `${own.host.toUpperCase()}:8080` })).text, /<h1>Welcome/)
  for (const path of [
    '/v1/',
    '/v1/user',
    '/app',
    '/healthz',
    '/docs/api',
    '/openapi.json',
    site.address,
    other.address,
    '/sites/',
  ]) {
    for (const where of [own, shared, { host: `${own.host}.` }]) {
      const page = await browser.get(path, where)
      assert.equal(page.status, 404, `${where.host}${path}`)
      assert.match(String(page.headers['content-type']), /^text\/html/)
      assert.equal(page.headers['access-control-allow-origin'], undefined)
    }
  }
  for (const host of [`nobody.sites.test`, `a.${shared.host}`]) {
    assert.equal((await browser.get(`/${basename}/`, { host })).status, 404, host)
  }
  assert.equal((await browser.get('/', { ...own, method: 'POST' })).status, 405)
  assert.equal((await browser.get('//evil.example/', own)).status, 404)
  assert.equal((await browser.get('//evil.example/?jwt_token=x', own)).status, 404)
  // The main address continues to answer, and a host that belongs to no site shows the server itself.
  assert.equal((await browser.get(site.address)).status, 200)
  assert.equal((await browser.get('/healthz', { host: 'unknown.example.com' })).status, 200)

  await site.change({ hostname: null })
  assert.match((await browser.get('/healthz', own)).text, /"ok"/)
  await other.change({ hostname: own.host })
  assert.ok((await browser.get('/', own)).text.includes(other.org.canary))
})

test('an address with extra slashes redirects in one step to the page without them, and never to another host', async () => {
  const site = await aSite(app)
  const browser = site.browser()
  for (const path of ['guide//', '/guide', '//guide///', 'guide//?q=1', '/', '//', '//llms.txt', '~//search?q=guide']) {
    const [plain, query] = path.split('?')
    const { status, location } = await browser.get(site.address + path)
    const below = plain!.split('/').filter(Boolean).join('/')
    assert.deepEqual([status, location], [308, `${site.address}${below}${query ? `?${query}` : ''}`], path)
    assert.equal((await browser.get(location!)).status, 200, path)
  }
  for (const path of ['nowhere//', '/..//guide', 'guide//%5c', '/%2Fevil.example', '//evil.example//'])
    assert.equal((await browser.get(site.address + path)).status, 404, path)
  const url = `http://lectern.test${site.address}`
  const { redirect } = expect(await site.who.post('/v1/urls/published', { url: `${url}guide//` }), 200)
  assert.equal(redirect, `${url}guide`)

  // Temporary redirects work for these addresses as well.
  const destination = { kind: 'site-space', siteSpaceId: site.siteSpaceId }
  expect(await site.who.post(`${site.path}/redirects`, { source: '/old/*', destination, captureWildcard: true }), 201)
  const led = await browser.get(`${site.address}old//guide`)
  assert.deepEqual([led.status, led.location], [307, `${site.address}guide`])

  // On a host of its own, the extra slashes follow directly after the host.
  const own = { host: `${site.org.row.hostname}.example.org` }
  await site.change({ hostname: own.host })
  assert.equal((await browser.get('//guide', own)).location, '/guide')
  for (const path of ['//evil.example', '//evil.example/', '///evil.example//guide', '/\\evil.example//'])
    assert.equal((await browser.get(path, own)).status, 404, path)

  // A reader who has to sign in first does so at the clean address.
  await site.change({ visibility: 'visitor-auth' })
  assert.equal((await browser.get('/guide//', own)).location, '/guide/')
  await site.change({ visibility: 'share-link' })
  for (const path of ['/guide//', '//llms.txt']) assert.equal((await browser.get(path, own)).status, 404, path)
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'x' }), 201)
  const { pathname } = new URL(link.urls.published)
  assert.equal((await browser.get(`${pathname}/guide`, own)).location, `${pathname}guide`)
})

test('an organization shows its default site if the address names none', async () => {
  const site = await aSite(app)
  const { who, org } = site
  const host = `${org.row.hostname}.sites.test`
  assert.equal((await site.browser().get('/', { host })).status, 404)
  expect(await who.patch(`/v1/orgs/${org.id}`, { defaultContent: { type: 'site', site: site.id } }), 200)
  assert.match((await site.browser().follow('/', { host })).text, /<h1>Welcome/)
  assert.match((await site.browser().follow(`/sites/${org.row.hostname}/`)).text, /<h1>Welcome/)
  const led = await site.browser().get('/?visitor.beta=true', { host })
  assert.match(led.location!, /^\/[^/]+\/\?visitor\.beta=true$/)
})

test('a site behind a proxy links to its address at the proxy', async () => {
  const site = await aSite(app)
  await site.change({ proxy: 'company.example/docs' })
  const page = await site.browser().get(site.address)
  assert.match(page.text, /href="https:\/\/company\.example\/docs\/guide"/)
  assert.match(page.text, /rel="canonical" href="https:\/\/company\.example\/docs\/"/)
  assert.equal((await site.browser().get(`${site.address}welcome`)).location, 'https://company.example/docs/')
})

test('behind a trusted proxy that forwards the host, every site answers with its own pages', async () => {
  const behind = await startApp({ LECTERN_TRUSTED_PROXIES: '127.0.0.1' })
  const [one, other] = [await aSite(behind), await aSite(behind)]
  const hosts = [`one${newId()}.example.com`, `other${newId()}.example.com`] as const
  await one.change({ hostname: hosts[0] })
  await other.change({ hostname: hosts[1] })
  const read = (host: string) =>
    one.browser().get('/guide', { host: '127.0.0.1:3000', headers: { 'x-forwarded-host': host } })
  // More than once, because pages that many readers request are answered from memory.
  for (let times = 0; times < 3; times++) {
    for (const [host, site] of [[hosts[0], one] as const, [hosts[1], other] as const]) {
      const { status, text } = await read(host)
      assert.deepEqual([status, text.includes(site.org.canary)], [200, true], host)
    }
  }
  assert.equal((await one.browser().get('/guide', { host: '127.0.0.1:3000' })).status, 404)

  // The same header from anyone but a proxy is ignored, and cannot choose what readers behind the proxy get.
  const asked = { host: hosts[1], headers: { 'x-forwarded-host': hosts[0] } }
  for (const [from, site] of [['127.0.0.2', other] as const, ['127.0.0.1', one] as const]) {
    for (let times = 0; times < 3; times++) {
      const { text } = await one.browser().get('/guide', { ...asked, from })
      assert.ok(text.includes(site.org.canary), from)
    }
  }
})

test('links lead to the current paths of pages, and never to hidden pages', async () => {
  const site = await aSite(app, {
    pages: [
      newPage('Welcome', {
        ref: 'a',
        document: {
          markdown: '# Welcome\n\n[to](guide.md#part) [no](secret.md) [out](https://x.example/) [here](#top)\n',
        },
      }),
      newPage('Guide'),
      newPage('Secret', { document: { markdown: '---\nif: visitor.claims.staff\n---\n\n# Secret\n\nHush\n' } }),
    ],
  })
  const { text } = await site.browser().get(site.address)
  assert.match(text, new RegExp(`<a href="${site.address}guide#part">to</a>`))
  assert.match(text, /<a href="https:\/\/x\.example\/"[^>]*>out<\/a>/)
  assert.match(text, /href="#top"/)
  assert.ok(!text.includes('secret') && !text.includes('Secret'), text)
  assert.equal((await site.browser().get(`${site.address}secret`)).status, 404)
})

test('a link written before its page existed still leads there once that is renamed, but not if it is hidden', async () => {
  const markdown = '# Welcome\n\n[to](later.md) and [no](secret.md)\n'
  const site = await aSite(app, { pages: [newPage('Welcome', { document: { markdown } })] })
  const [later, secret] = idsOf(await site.space.edit(newPage('Later'), newPage('Secret')))
  const rename = (page: string | undefined, metadata: object) => ({ operation: 'update_page', page, metadata })
  const condition = 'visitor.claims.staff'
  expect(await site.space.edit(rename(later, { slug: 'now' }), rename(secret, { slug: 'hush', condition })), 200)

  const { text } = await site.browser().get(site.address)
  assert.match(text, new RegExp(`<a href="${site.address}now">to</a> and no<`))
  assert.ok(!text.includes('hush'), text)
})

test('files are served by the site while it is published and they exist in main', async () => {
  const site = await aSite(app)
  const { space, who } = site
  const added = await space.edit({
    operation: 'insert_files',
    files: [{ name: 'a b.png', base64: png, contentType: 'image/png', ref: 'f' }],
  })
  const [file] = expect(added, 200).insertedFiles
  await space.edit(newPage('Picture', { document: { markdown: `# Picture\n\n![alt](/files/${file.id})\n` } }))
  const { text } = await site.browser().get(`${site.address}picture`)
  const [, src] = /<img[^>]* src="([^"]+)"/.exec(text) ?? []
  assert.match(src!, new RegExp(`^${site.address}~/files/${file.id}/[\\w-]{12}/a%20b\\.png$`))

  const image = await site.browser().get(src!)
  assert.deepEqual([image.status, image.headers['content-type']], [200, 'image/png'])
  assert.match(String(image.headers['content-security-policy']), /sandbox/)
  const behind = await site.browser().get(src!, { headers: { range: 'bytes=999-' } })
  const { 'content-range': range, 'cache-control': kept, etag } = behind.headers
  assert.deepEqual([behind.status, range, kept, etag], [416, 'bytes */70', 'private, no-store', undefined])
  assert.equal((await site.browser().get(src!, { headers: { 'if-match': '"other"' } })).status, 412)
  for (const wrong of [
    src!.replace('a%20b', 'b'),
    src!.replace(/.{12}(?=\/a)/, 'x'.repeat(12)),
    `${src}/x`,
    src!.replace(file.id, site.id),
  ]) {
    assert.equal((await site.browser().get(wrong)).status, 404, wrong)
  }
  expect(await who.post(`${site.path}/unpublish`), 200)
  assert.equal((await site.browser().get(src!)).status, 404)
  expect(await who.post(`${site.path}/publish`), 200)
  expect(await space.edit({ operation: 'delete_file', file: file.id }), 200)
  assert.equal((await site.browser().get(src!)).status, 404)
})

test('a moved or renamed page is found at its old path, and configured redirects work', async () => {
  const site = await aSite(app)
  const { space, who } = site
  const [, guide] = (await who.get(`${space.path}/content/pages`)).body.pages
  const [child] = idsOf(await space.edit(newPage('Child', { into: guide.id })))
  expect(await space.edit({ operation: 'update_page', page: guide.id, metadata: { slug: 'manual' } }), 200)
  const to = async (path: string) => (await site.browser().get(site.address + path)).location
  assert.equal(await to('guide'), `${site.address}manual`)
  assert.equal(await to('GUIDE/child'), `${site.address}manual/child`)
  const destination = { kind: 'site-page', siteSpaceId: site.siteSpaceId, pageId: child }
  expect(await who.post(`${site.path}/redirects`, { source: '/Short', destination }), 201)
  assert.equal(await to('short'), `${site.address}manual/child`)
})

test('a redirect to a host that later becomes the own host of the site stays within it, and never loops', async () => {
  const site = await aSite(app)
  const host = `docs-${newId()}.example.com`
  const pointed = async (source: string, url: string) =>
    expect(await site.who.post(`${site.path}/redirects`, { source, destination: { kind: 'external', url } }), 201)
  await pointed('/old', `https://${host}/guide`)
  await pointed('/self', `https://${host}/self`)
  await pointed('/here', `https://${host}/there`)
  await pointed('/there', `https://${host}/here`)
  const browser = site.browser()
  assert.equal((await browser.get(`${site.address}old`)).location, `https://${host}/guide`)

  await site.change({ hostname: host })
  const own = { host }
  assert.equal((await browser.get('/old', own)).location, '/guide')
  assert.equal((await browser.follow('/old', own)).status, 200)
  for (const path of ['/self', '/here', '/there']) assert.equal((await browser.get(path, own)).status, 404, path)
  assert.equal((await browser.get(`${site.address}old`)).location, `${site.address}guide`)
})

test('a redirect within a site keeps the anchor and the query of its target', async () => {
  const site = await aSite(app)
  const host = `docs-${newId()}.example.com`
  await site.change({ hostname: host })
  const pointed = async (source: string, url: string) =>
    expect(await site.who.post(`${site.path}/redirects`, { source, destination: { kind: 'external', url } }), 201)
  await pointed('/old', `https://${host}/guide#third`)
  await pointed('/older', `https://${host}/old`)
  await pointed('/oldest', `https://${host}/old#second`)
  await pointed('/try', `https://${host}/guide?plan=pro#third`)
  const to = async (path: string) => (await site.browser().get(path, { host })).location
  assert.equal(await to('/old'), '/guide#third')
  assert.equal(await to('/older'), '/guide#third')
  assert.equal(await to('/oldest'), '/guide#third')
  assert.equal(await to('/old?from=mail'), '/guide?from=mail#third')
  assert.equal(await to('/try?from=mail&plan=free'), '/guide?plan=pro&from=mail&plan=free#third')
  assert.equal(await to('//old'), '/guide#third')
})
