import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { startApp } from '../../test/app.ts'
import { newPage, newReference } from '../../test/editing.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { petstore } from './testing/petstore.ts'
import { putSpec } from './testing/specs.ts'

const app = await startApp()

/** Returns the addresses that a PDF links to. */
async function linksIn(url: string): Promise<string[]> {
  const { pathname, search } = new URL(url, app.url)
  const response = await fetch(app.url + pathname + search, { headers: { host: 'lectern.test' } })
  assert.equal(response.status, 200)
  const bytes = Buffer.from(await response.arrayBuffer())
  let text = bytes.toString('latin1')
  for (const { index } of text.matchAll(/\/ObjStm/g)) {
    text += inflateSync(bytes.subarray(text.indexOf('stream\n', index) + 7)).toString('latin1')
  }
  return [...text.matchAll(/\/URI ?\(([^)]*)\)/g)].map(([, address]) => address!)
}

test('a PDF has the operations of a specification as the page shows them, of the version current at the request', async () => {
  const markdown =
    '# Calls\n\n{% openapi-operation spec="shop" path="/pets" method="post" %}\n{% endopenapi-operation %}\n'
  const site = await aSite(app, { pages: [newPage('Calls', { document: { markdown } })] })
  const put = async (address: string) => {
    const document = structuredClone(petstore)
    document.paths['/pets'].post.description = `Read [more](${address}).`
    await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(document) })
  }
  const ofSpace = async () => linksIn(expect(await site.who.get(`${site.space.path}/pdf`), 200).url)
  const ofSite = () => linksIn(`${site.address}~/pdf`)

  await put('https://example.org/one')
  for (const links of [await ofSpace(), await ofSite()]) assert.ok(links.includes('https://example.org/one'))
  await put('https://example.org/two')
  for (const links of [await ofSpace(), await ofSite()]) assert.ok(links.includes('https://example.org/two'))
})

test('an escaped invalid character in a specification becomes U+FFFD, and its page can be commented on and printed', async () => {
  const site = await aSite(app, { pages: [newPage('Welcome'), newReference('Reference')] })
  // After an escaped backslash it is ordinary text about the escape.
  const spelt = (text: string) =>
    JSON.stringify(petstore)
      .replaceAll('"Pets"', `"Pets${text}"`)
      .replaceAll('All about', String.raw`All \\ud800 about`)
  for (const text of [String.raw`\ud800`, String.raw`\u0000`]) {
    await putSpec(site.who, site.org.id, 'shop', { text: spelt(text) })
    const { pages } = expect(await site.who.get(`${site.space.path}/content/pages`), 200)
    const made = pages.find(({ title }: { title: string }) => title === 'Pets\ufffd')
    assert.ok(made, JSON.stringify(pages))
    const { markdown } = expect(await site.who.get(`${site.space.path}/content/page/${made.id}?format=markdown`), 200)
    assert.ok(markdown.includes(String.raw`All \\ud800 about`), markdown)
    expect(await site.who.post(`${site.space.path}/comments`, { page: made.id, body: { markdown: 'Why?' } }), 200)
    await linksIn(`${site.address}~/pdf`)
  }
})
