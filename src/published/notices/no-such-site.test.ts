import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aSite, expect } from '../../../test/visitor.ts'

const app = await startApp({ LECTERN_SITES_HOST: 'sites.test' })

const paths = ['', '/', '/guide', '//guide', '/a%2fb', `/${'x'.repeat(3000)}`, '/?visitor.x=y', '/guide?jwt_token=x',
  '/~/auth/login', '/~/auth/logout', '/~/mcp', `/${'x'.repeat(22)}/~/mcp`, '/~/pdf', '/robots.txt', '/llms.txt',
  '/~/assets/diagrams.html', '/%7E/assets/diagrams.html', '/x/~/assets/diagrams.html', '/~/assets/own/x.woff2', '/~/assets/x.js'] // prettier-ignore

test('without its key, or without any space, a site gives the same answers as a site that does not exist, for every address and method', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const unpublished = await aSite(app, { published: false })
  const [emptied, closed] = [await aSite(app), await aSite(app, { visibility: 'visitor-auth' })]
  for (const each of [emptied, closed]) {
    assert.notEqual((await each.browser().get(`${each.address}llms.txt`)).status, 404)
    expect(await each.who.delete(each.space.path), 205)
  }
  const open = await aSite(app)
  const [asset] = /~\/assets\/[\w./-]+/.exec((await open.browser().get(open.address)).text)!
  const told = async (method: string, host: string, path: string) => {
    const page = await site.browser().get(path, { method, host })
    const { 'x-request-id': _id, date: _date, ...headers } = page.headers
    return { ...page, headers }
  }
  for (const { address, org } of [site, unpublished, emptied, closed]) {
    const name = address.split('/').at(-2)!
    const places = [
      ['lectern.test', `/sites/${org.row.hostname}/`],
      [`${org.row.hostname}.sites.test`, '/'],
    ] as const
    for (const [host, above] of places)
      for (const path of [...paths, `/${asset}`])
        for (const method of ['GET', 'POST']) {
          const none = await told(method, host, `${above}no-such-site${path}`)
          assert.deepEqual(await told(method, host, above + name + path), none, `${method} ${host} ${path}`)
        }
  }
  assert.equal((await site.browser().get(`${site.address}${asset}`)).status, 200, 'what all sites share is there')
  expect(await emptied.who.post(`${emptied.space.path}/restore`), 200)
  for (const path of ['', 'llms.txt', 'sitemap.xml', 'robots.txt'])
    assert.equal((await emptied.browser().get(emptied.address + path)).status, 200, path)
})
