import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { aSpace, grant } from '../../test/content.ts'
import { aLiveSpace, newPage } from '../../test/editing.ts'
import { aStranger, anOrganization } from '../../test/factories.ts'
import { until } from '../../test/until.ts'
import { aSite, pixel } from './testing/site.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

const page = (title: string, body = '', menu = '') =>
  `<html><head><title>${title} | Site</title></head><body><nav class="sidebar">${menu}</nav><main><h1>${title}</h1>${body}</main></body></html>`

const website = (url: string) => ({ url, source: 'website' })

/** A small handbook: a menu, links between pages, a picture, a file, and a link to another site. */
async function aHandbook() {
  const menu = `<ul><li><a href="/docs/">Start</a></li><li><a href="/docs/guides">Guides</a><ul>
    <li><a href="/docs/guides/install.html">Install</a></li></ul></li></ul>`
  return aSite({
    '/docs': page('Welcome', '<p>See <a href="guides/install#linux">how</a> and <a href="https://example.org/x">more</a>.</p>', menu),
    '/docs/': { status: 301, headers: { location: '/docs' } },
    '/docs/guides': page('Guides', '<p>All <img src="/img/a.png" alt="A"> of <a href="/files/a.pdf">them</a></p>', menu),
    '/docs/guides/install.html': page('Install', '<h2 id="linux">Linux</h2><p>Back to <a href="../?x=1#top">start</a>, <a href="#linux">here</a></p>', menu),
    '/docs/hidden/secret': page('Secret', 'secret'),
    '/docs/lost': page('Lost', '<p>Not in the menu; <a href="/blog">blog</a> <a href="/docs/gone">gone</a></p>'),
    '/blog': page('Blog', 'outside'),
    '/img/a.png': pixel,
    '/files/a.pdf': Buffer.from('%PDF-1.4 small'),
    '/robots.txt': 'User-agent: *\nDisallow: /docs/hidden\n',
    '/sitemap.xml': (request, response) => {
      const at = `http://${request.headers.host}`
      response.end(`<urlset><url><loc>${at}/docs</loc></url><url><loc>${at}/docs/lost</loc></url><url><loc>${at}/blog</loc></url>
        <url><loc>${at}/docs/hidden/secret</loc></url><url><loc>https://example.org/docs/x</loc></url></urlset>`)
    },
  }) // prettier-ignore
}

test('a long description is never cut within a character', async () => {
  const description = `<meta name="description" content="${'x'.repeat(299)}😀 and more">`
  const site = await aSite({ '/': `<html><head>${description}</head><main><h1>A</h1>Text</main></html>` })
  const space = await aLiveSpace(app)
  const made = await space.who.post(`${space.path}/content/import`, website(site.url()))
  assert.equal(made.status, 201, made.text)
  assert.equal((await space.who.get(`${space.path}/content`)).body.pages[0].description, 'x'.repeat(299))
})

test('a website is imported as a page tree with its files, and its links lead to the imported pages', async () => {
  const site = await aHandbook()
  const space = await aLiveSpace(app)
  await space.edit(newPage('Before'))
  const made = await space.who.post(`${space.path}/content/import`, website(site.url('/docs')))
  assert.equal(made.status, 201, made.text)
  assert.equal(await space.outline(), 'Before Welcome Guides (Install) Lost')
  assert.deepEqual([made.body.importedResources, made.body.totalResources], [4, 6])
  assert.equal(made.headers.get('etag'), `"${made.body.revision}"`)
  assert.deepEqual(made.body.skipped, [
    { source: site.url('/docs/hidden/secret'), reason: 'robots.txt asks not to read it' },
    { source: site.url('/docs/gone'), reason: 'responds with an error' },
  ])
  assert.ok(!site.asked.includes('/blog') && !site.asked.includes('/docs/hidden/secret'))

  const { body: content } = await space.who.get(`${space.path}/content`)
  const [, welcome, guides] = content.pages
  assert.deepEqual([welcome.path, guides.pages[0].path], ['welcome', 'guides/install'])
  const read = async (id: string) => (await space.who.get(`${space.path}/content/page/${id}?format=markdown`)).body.markdown
  const first = await read(welcome.id)
  assert.match(first, /^# Welcome\n\nSee \[how\]\([^)]*install[^)]*#linux\) and \[more\]\(https:\/\/example\.org\/x\)\.\n$/)
  assert.match(await read(guides.pages[0].id), /## Linux\n\nBack to \[start\]\([^)]+#top\), \[here\]\(#linux\)/)

  const { body: links } = await space.who.get(`${space.path}/content/page/${welcome.id}/links`)
  assert.deepEqual(links.items.map(({ status }: any) => status), ['ok', 'ok'].slice(0, links.items.length))
  const { body: files } = await space.who.get(`${space.path}/content/files`)
  assert.deepEqual(files.items.map(({ name }: any) => name).toSorted(), ['a.pdf', 'a.png'])
  assert.ok(files.items.some(({ contentType }: any) => contentType === 'image/png'))
}) // prettier-ignore

test('pages below ~ on a site are not imported, unless its sitemap lists them', async () => {
  const site = await aSite({
    '/docs': page('Welcome', '<p><a href="/docs/~/search">Search</a> <a href="/docs/%7E/listed">L</a> <a href="/docs/~me">Me</a></p>'),
    '/docs/~/search': page('Search', 'Type a word'),
    '/docs/%7E/listed': page('Listed', 'is a page'),
    '/docs/~me': page('Me', 'is a page, too'),
    '/sitemap.xml': (request, response) => {
      response.end(`<urlset><url><loc>http://${request.headers.host}/docs/%7E/listed</loc></url></urlset>`)
    },
  })
  const space = await aLiveSpace(app)
  const made = await space.who.post(`${space.path}/content/import`, website(site.url('/docs')))
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(made.body.pages.map(({ title }: any) => title).toSorted(), ['Listed', 'Me', 'Welcome'])
  assert.deepEqual([made.body.skipped, site.asked.includes('/docs/~/search')], [[], false])
}) // prettier-ignore

test('a site that has moved is read at its new address, with the sitemap and robots.txt found there', async () => {
  const there = await aSite({
    '/robots.txt': 'User-agent: *\nDisallow: /closed\n',
    '/docs': page('Welcome', '<p>Nothing leads further</p>'),
    '/docs/lost': page('Lost', 'is in the sitemap alone'),
    '/closed': page('Closed', 'for people only'),
    '/sitemap.xml': (request, response) => {
      response.end(`<urlset><url><loc>http://${request.headers.host}/docs/lost</loc></url></urlset>`)
    },
  })
  const moved = (path: string) => ({ status: 301, headers: { location: there.url(path) } })
  const here = await aSite({ '/docs': moved('/docs'), '/closed': moved('/closed') })
  const space = await aLiveSpace(app)
  const made = await space.who.post(`${space.path}/content/import`, website(here.url('/docs')))
  assert.equal(made.status, 201, made.text)
  assert.equal(await space.outline(), 'Welcome Lost')
  const refused = await space.who.post(`${space.path}/content/import`, website(here.url('/closed')))
  assert.deepEqual([refused.status, refused.body.error.details?.[0].rule], [400, 'robots'])
})

test('an import is added after the existing pages and replaces none, not even the empty page of a new space', async () => {
  const site = await aSite({ '/': page('Welcome'), '/second': page('Second') })
  const org = await anOrganization(app)
  const who = org.admin.client
  const { id: space } = (await who.post(`/v1/orgs/${org.id}/spaces`, { editMode: 'live' })).body
  for (let times = 0; times < 2; times++) {
    const made = await who.post(`/v1/spaces/${space}/content/import`, website(site.url('/second')))
    assert.equal(made.status, 201, made.text)
  }
  const { body: content } = await who.get(`/v1/spaces/${space}/content`)
  assert.deepEqual(
    content.pages.map(({ title }: any) => title),
    ['Untitled', 'Second', 'Second'],
  )
})

test('an import into main of a locked space needs the role review, and into a change request the role edit', async () => {
  const org = await anOrganization(app)
  const site = await aSite({ '/': page('One', 'Text') })
  const space = await aSpace(org.admin.client, org.id, { title: `Locked ${org.canary}`, empty: true })
  const editor = await org.member('read')
  const reviewer = await org.member('read')
  await grant(org.admin.client, space, { users: [editor.id] }, 'edit')
  await grant(org.admin.client, space, { users: [reviewer.id] }, 'review')
  const stranger = await aStranger(app)
  const path = `/v1/spaces/${space.id}`
  const into = (who: any, at = path) => who.client.post(`${at}/content/import`, website(site.url()))

  assert.equal((await into(editor)).status, 403)
  assert.equal((await into(await org.member('read'))).status, 403)
  assert.equal((await into(stranger)).status, 404)
  assert.equal((await into(reviewer)).status, 201)
  const { body: request } = await editor.client.post(`${path}/change-requests`, { subject: 'Import' })
  const at = `${path}/change-requests/${request.id}`
  assert.equal((await into(stranger, at)).status, 404)
  const made = await into(editor, at)
  assert.equal(made.status, 201, made.text)
  assert.equal((await editor.client.get(at)).body.revision, made.body.revision)
  assert.equal((await editor.client.get(`${at}/content`)).body.pages.length, 2)

  const rules = { type: 'rules', rules: [{ type: 'require_at_least_one_review' }] }
  const changed = await org.admin.client.patch(path, { mergeRules: rules })
  assert.equal(changed.status, 200, changed.text)
  const refused = await into(reviewer)
  assert.deepEqual([refused.status, refused.body.error.type], [412, 'merge_rule'])
  await org.admin.client.patch(at, { status: 'archived' })
  assert.equal((await into(editor, at)).status, 409)
})

test('an import goes below the given page, is refused with a stale tag, and runs once for one Idempotency-Key', async () => {
  const site = await aSite({ '/': page('One', '<a href="/two">two</a>'), '/two': page('Two', 'x') })
  const space = await aLiveSpace(app)
  const { body } = await space.edit(newPage('Parent'))
  const parent = body.changes[0].page.id ?? body.changes[0].page
  const at = `${space.path}/content/page/${parent}/import`
  const stale = await space.who.post(at, website(site.url()), { 'if-match': '"another"' })
  assert.equal(stale.status, 412)
  const key = { 'idempotency-key': 'once' }
  const made = await space.who.post(at, website(site.url()), key)
  assert.equal(made.status, 201, made.text)
  const asked = site.asked.length
  assert.deepEqual((await space.who.post(at, website(site.url()), key)).body, made.body)
  assert.equal(site.asked.length, asked)
  assert.equal(await space.outline(), 'Parent (One Two)')
  assert.equal((await space.who.post(`${space.path}/content/page/${space.id}/import`, website(site.url()))).status, 404)
})

test('an import repeated with its Idempotency-Key gets its first answer after a merge, and 404 once the space is deleted', async () => {
  const site = await aSite({ '/': page('One', 'x') })
  const space = await aLiveSpace(app)
  const request = await space.changeRequest()
  const key = { 'idempotency-key': 'before-the-merge' }
  const send = () => space.who.post(`${request.path}/content/import`, website(site.url()), key)
  const made = await send()
  assert.equal(made.status, 201, made.text)
  assert.equal((await space.who.post(`${request.path}/merge`)).status, 200)
  const again = await send()
  assert.deepEqual([again.status, again.body], [201, made.body], again.text)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  for (const { headers } of [made, again]) {
    const { body } = await space.who.get(new URL(headers.get('location')!).pathname)
    assert.deepEqual([body.id, body.pages[0].title], [made.body.revision, 'One'])
  }
  assert.equal((await space.who.post(`${request.path}/content/import`, website(site.url()))).status, 409)
  await space.who.delete(space.path)
  assert.equal((await send()).status, 404)
})

test('an import that is refused gives its reason and leaves the content unchanged', async () => {
  const site = await aSite({
    '/empty': '<html><body><div></div></body></html>',
    '/inside': { status: 302, headers: { location: 'http://127.0.0.2/' } },
    '/metadata': { status: 302, headers: { location: 'http://169.254.169.254/latest' } },
    '/closed': { status: 403 },
    '/loop': { status: 302, headers: { location: '/loop' } },
    '/picture.png': pixel,
    '/broken.docx': Buffer.from('PK no docx'),
    '/no.zip': 'no archive',
  })
  const space = await aLiveSpace(app)
  const before = (await space.who.get(`${space.path}/content`)).body
  const refusal = async (url: string, source = 'website') => {
    const { status, body } = await space.who.post(`${space.path}/content/import`, { url, source })
    assert.equal(status, 400, url)
    return `${body.error.details[0].path} ${body.error.details[0].rule}`
  }
  assert.equal(await refusal(site.url('/empty')), 'body.url unreadable')
  assert.equal(await refusal(site.url('/inside')), 'body.url private-address')
  assert.equal(await refusal(site.url('/metadata')), 'body.url private-address')
  assert.equal(await refusal(site.url('/closed')), 'body.url bad-status')
  assert.equal(await refusal(site.url('/loop')), 'body.url too-many-redirects')
  assert.equal(await refusal(site.url('/picture.png')), 'body.url type')
  assert.equal(await refusal(site.url('/broken.docx'), 'docx'), 'body.url archive')
  assert.equal(await refusal(site.url('/no.zip'), 'zip'), 'body.url archive')
  for (const address of ['127.0.0.3', '[::1]', '2130706434', '0x7f.2', '10.0.0.1'])
    assert.equal(await refusal(`http://${address}:1/`), 'body.url private-address', address)
  assert.match(await refusal('http://user:word@127.0.0.1/'), /bad-address/)
  for (const source of ['confluence', 'notion', 'github-wiki', 'google-docs'])
    assert.equal(await refusal(site.url(), source), 'body.source source')
  assert.equal(await refusal(site.url(), 'gopher').catch(() => ''), 'body.source enum')
  assert.deepEqual((await space.who.get(`${space.path}/content`)).body, before)
})

test('an import of an endless site stops at the page limit and reports how many pages there were', async () => {
  const space = await aLiveSpace(app)
  const endless = await aSite({})
  const proxy = new Proxy(endless.pages, {
    get: (_target, path: string) =>
      path === '/robots.txt' || path.endsWith('.xml')
        ? { status: 404 }
        : page(
            `P${path}`,
            `<a href="/${2 * Number(path.slice(1)) + 1}">a</a><a href="/${2 * Number(path.slice(1)) + 2}">b</a>`,
          ),
  })
  Object.setPrototypeOf(endless.pages, proxy)
  const made = await space.who.post(`${space.path}/content/import`, website(endless.url()))
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.importedResources, 200)
  assert.ok(made.body.totalResources > 200)
})

test('an aborted import leaves no process behind, even while a page is being fetched', async () => {
  const processes = () => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length
  const gone = new AbortController()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const site = await aSite({
    // Pages are fetched one after the other: while the first one is fetched, the others wait.
    '/robots.txt': 'User-agent: *\nCrawl-delay: 0.5\n',
    '/docs': page('Welcome', '<p><a href="/docs/a">A</a> <a href="/docs/b">B</a> <a href="/docs/c">C</a></p>'),
    '/docs/a': async (_request, response) => {
      // Also called when the import no longer waits for the response.
      response.on('close', answer)
      gone.abort()
      await sleep(300)
      response.writeHead(200, { 'content-type': 'text/html' }).end(page('A'))
    },
  })
  const space = await aLiveSpace(app)
  const before = processes()
  const asked = fetch(`${app.url}${space.path}/content/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${space.who.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(website(site.url('/docs'))),
    signal: gone.signal,
  })
  await assert.rejects(asked)
  await answered
  await sleep(300)
  await until('no process that reads pages is left', () => processes() <= before)
})
