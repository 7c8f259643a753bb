// Members read the pages of a space, published or not, at the addresses that the API returns.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage, newReference } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { expect } from '../../../test/visitor.ts'
import { pathWith } from '../../account/answer.ts'
import { Person } from '../../account/testing/person.ts'
import { newId } from '../../ids.ts'
import { petstore } from '../../openapi/testing/petstore.ts'
import { putSpec } from '../../openapi/testing/specs.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()
const nothing = (await new Person(app).get('/app/x')).text

const markdown = `---
description: All about it.
---

# Tea & more

See [the cups](cups.md), <b>bold</b> and [outside](https://example.org/).

{% hint style="info" %}
Hot!
{% endhint %}

{% if visitor.claims.guest %}
Cold.
{% endif %}

![here](https://spy.example/x.png)

![Lost](lost.png)
`

async function aSpace() {
  const space = await aLiveSpace(app)
  const made = await space.who.post(`${space.path}/content`, {
    changes: [
      { operation: 'insert_page', document: { markdown } },
      newPage('Cups'),
      { operation: 'insert_page', type: 'group', metadata: { title: 'Häuser' } },
    ],
  })
  const [tea, cups, group] = idsOf(made) as [string, string, string]
  expect(await space.edit(newPage('Below', { into: cups }), newPage('In it', { into: group })), 200)
  return { space, base: `/app/o/${space.org.id}/s/${space.id}`, tea, cups, group }
}

test('a member reads a page at its address from the API, with its links, and can go on to other pages', async () => {
  const { space, base, tea, cups, group } = await aSpace()
  const reader = await signedIn(app, await space.org.member('read'))
  const address = async (id: string) =>
    new URL(expect(await space.who.get(`${space.path}/content/page/${id}`), 200).urls.app).pathname
  const slugOf = async (id: string) =>
    expect(await space.who.get(`${space.path}/content/page/${id}`), 200).slug as string
  const page = await reader.get(await address(tea))
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1>Tea &amp; more<\/h1>\s*<p class="work-lead">All about it\.<\/p>/)
  assert.ok(page.text.includes(`<a href="http://lectern.test${await address(cups)}">the cups</a>`), page.text)
  assert.match(page.text, /<b>bold<\/b>|<strong>bold<\/strong>/)
  assert.match(page.text, /<aside class="hint hint-info" role="note"><p>Hot!<\/p>/)
  assert.match(page.text, /Only where visitor\.claims\.guest<\/strong><\/p>\s*<p>Cold\.<\/p>/)
  assert.doesNotMatch(page.text, /="https:\/\/spy\.example|>Edit this page</)
  assert.match(
    page.text,
    />here <small>\(from spy\.example, loaded for readers only\)<[^]*>Lost <small>\(there is no file lost\.png\)</,
  )
  assert.match(page.text, /aria-label="Other pages">\s*<span><\/span>\s*<span>Next: <a [^>]*>Cups<\/a>/)

  const next = await reader.get(await address(cups))
  assert.match(next.text, /<h2>Below this page<\/h2>[^]*>Below<\/a>/)
  assert.match(next.text, /Before: <a [^>]*>Tea &amp; more<\/a>[^]*Next: <a [^>]*>Below<\/a>/)
  const list = await reader.get(base)
  assert.ok(list.text.includes(`href="${await address(cups)}"`))
  const below = await reader.get(`${base}/cups/below`)
  assert.match(below.text, new RegExp(`› <a href="${base}/cups">Cups</a>\\s*</nav>`))
  assert.match(
    (await reader.get(`${base}/${encodeURIComponent(await slugOf(group))}`)).text,
    /<h1>Häuser<\/h1>[^]*>In it<\/a>/,
  )
})

test('pages of a change request and of a revision are read at their addresses from the API', async () => {
  const { space, base, tea } = await aSpace()
  const { revision } = expect(await space.who.get(space.path), 200)
  const request = await space.changeRequest()
  expect(await request.edit(newPage('Pots', { document: { markdown: '# Pots\n\nSee [it](cups.md).' } })), 200)
  expect(await space.edit({ operation: 'update_page', page: tea, document: { markdown: '# Coffee\n\nNow.' } }), 200)
  const addresses = async (content: string) => {
    const { pages } = expect(await space.who.get(`${space.path}/${content}`), 200)
    const documents = pages.filter(({ type }: { type: string }) => type === 'document') as any[]
    return documents.map(({ title, urls }): [string, string] => [title, new URL(urls.app).pathname])
  }
  const drafted = new Map(await addresses(`change-requests/${request.id}/content`))
  const then = new Map(await addresses(`revisions/${revision}`))
  const reader = await signedIn(app, await space.org.member('read'))
  const pots = await reader.get(drafted.get('Pots')!)
  assert.match(pots.text, /<h1>Pots<\/h1>[^]*As in <a href="[^"]*\/~\/changes\/1">change request #1<\/a>/)
  assert.ok(pots.text.includes(`href="http://lectern.test${drafted.get('Cups')!}">it</a>`), pots.text)
  assert.ok(!pots.text.includes('Edit this page'))
  const editor = await signedIn(app, await space.org.member('edit'))
  assert.match(
    (await editor.get(drafted.get('Pots')!)).text,
    /href="[^"]*\/~\/changes\/1\/pages\/[^"]+"\s*>Edit this page</,
  )

  const old = await editor.get(then.get('Tea & more')!)
  assert.match(
    old.text,
    /<h1>Tea &amp; more<\/h1>[^]*Earlier version[^]*Next: <a href="[^"]*\/~\/revisions\/[^"]*cups">/,
  )
  assert.ok(!old.text.includes('Edit this page'))
  const { location } = await reader.get(`${base}/~/revisions/${revision}`)
  assert.equal(location, `${base}/~/history/${revision}`)
  assert.match((await reader.get(location)).text, /<h1>/)
  for (const each of ['revisions/x/cups', `revisions/${newId()}/cups`, 'changes/2/cups'])
    assert.equal((await reader.get(`${base}/~/${each}`)).text, nothing, each)
  const stranger = await signedIn(app, await aStranger(app))
  for (const each of [...drafted.values(), ...then.values()]) assert.equal((await stranger.get(each)).text, nothing)
})

test('headings of a page never share an id with the frame around it', async () => {
  const { space, base } = await aSpace()
  expect(
    await space.edit({
      operation: 'insert_page',
      document: { markdown: '# Names\n\n## Content\n\nSee [it](#content).\n' },
    }),
    200,
  )
  const { text } = await (await signedIn(app, await space.org.member('read'))).get(`${base}/names`)
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)
  assert.deepEqual(ids, [...new Set(ids)])
  const skip = /class="skip" href="#([^"]+)"/.exec(text)![1]!
  assert.ok(text.includes(`<main id="${skip}"`) && text.includes('<h2 id="content">'), text)
})

test('a link page shows where it leads, in this space or elsewhere', async () => {
  const { space, base, cups } = await aSpace()
  const other = await aLiveSpace(app, space.org)
  const link = (title: string, target: object) => ({
    operation: 'insert_page',
    type: 'link',
    metadata: { title },
    target,
  })
  const made = await space.edit(
    link('Web', { kind: 'url', url: 'https://example.org/?a=1&b' }),
    link('Near', { kind: 'page', page: cups }),
    link('Far', { kind: 'space', space: other.id }),
  )
  expect(made, 200)
  const reader = await signedIn(app, await space.org.member('read'))
  const saidBy = async (slug: string) =>
    /<p class="work-note">([^]*?)<\/p>/.exec((await reader.get(`${base}/${slug}`)).text)?.[1]
  assert.match((await saidBy('web'))!, /^<a href="https:\/\/example\.org\/\?a=1&amp;b"/)
  assert.equal(await saidBy('near'), `It leads to <a href="${base}/cups">Cups</a>.`)
  assert.equal(await saidBy('far'), `It leads to <a href="/app/o/${space.org.id}/s/${other.id}">another space</a>.`)
})

test('pages generated from a specification open at their addresses from the API, to be read and not edited', async () => {
  const { space, base } = await aSpace()
  await putSpec(space.who, space.org.id, 'shop', { text: JSON.stringify(petstore) })
  expect(await space.edit(newReference('Reference')), 200)
  const { pages } = expect(await space.who.get(`${space.path}/content/pages`), 200)
  const shop = pages.find(({ title }: { title: string }) => title === 'Shop')
  const writer = await signedIn(app, await space.org.member('edit'))
  for (const { title, urls } of [shop, ...shop.pages]) {
    const { text } = await writer.get(new URL(urls.app).pathname)
    assert.ok(text.includes(`<h1>${title}</h1>`), title)
    assert.doesNotMatch(text, />Edit this page</)
  }
  // The page that they are generated for is still found, because it is among the pages of the space.
  assert.match((await writer.get(`${base}/reference`)).text, /<h1>Reference<\/h1>/)
})

test('a member who may edit starts a change request from the page they read', async () => {
  const { space, base, cups } = await aSpace()
  const writer = await signedIn(app, await space.org.member('edit'))
  const editing = await writer.submit(await writer.get(`${base}/cups`), `${base}/~/edits`, { page: cups })
  assert.equal(editing.location, `${base}/~/changes/1/pages/${cups}`)
})

test('missing pages and pages without access look the same, and signed-out visitors are sent to sign-in first', async () => {
  const { space, base } = await aSpace()
  const reader = await signedIn(app, await space.org.member('read'))
  for (const path of ['/nowhere', '/cups/nowhere', '/~', '/~/nothing', '/cups/%2e%2e/tea'])
    assert.equal((await reader.get(base + path)).text, nothing, path)
  assert.equal((await reader.get(`${base}/`)).location, base)
  assert.equal((await new Person(app).get(`${base}/cups`)).location, pathWith('/login', { next: `${base}/cups` }))
  const stranger = await signedIn(app, await aStranger(app))
  const guest = await signedIn(app, await space.org.member(null))
  for (const person of [stranger, guest]) assert.equal((await person.get(`${base}/cups`)).text, nothing)
})

test('the contents beside a page list all top-level pages, and lower ones only along its path', async () => {
  const { space, base, tea, cups } = await aSpace()
  const pageOf = async (id: string) => expect(await space.who.get(`${space.path}/content/page/${id}`), 200)
  const below = (await pageOf(cups)).pages[0].id
  expect(await space.edit(newPage('Deep', { into: below })), 200)
  const reader = await signedIn(app, await space.org.member('read'))
  const beside = async (id: string) => {
    const { text } = await reader.get(`${base}/${(await pageOf(id)).path}`)
    const contents = /<nav class="nav work-contents"[^]*?<\/nav>/.exec(text)![0]
    const links = [...contents.matchAll(/<a href="([^"#]+)"\s*( aria-current="page")?\s*>([^<]+)<\/a\s*>/g)]
    assert.ok(contents.includes(`href="${base}#pages"`))
    for (const [, href] of links) assert.equal((await reader.get(href!)).status, 200)
    return links.map(([, , isIt, title]) => (isIt ? `[${title}]` : title)).join(' ')
  }
  assert.equal(await beside(tea), '[Tea &amp; more] Cups Häuser')
  assert.equal(await beside(cups), 'Tea &amp; more [Cups] Below Häuser')
  assert.equal(await beside(below), 'Tea &amp; more Cups [Below] Deep Häuser')
})
