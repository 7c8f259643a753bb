// Pages whose Markdown sets their title and settings in front matter, changed on both sides.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf } from '../../../test/editing.ts'

const app = await startApp()

const first = `---
icon: book
description: How to begin
# Whoever looks after it.
owner: docs
---

# Guide

One.
`

/** Creates a page from Markdown, changes that text on both sides, and returns what the merge made of it. */
async function aChangedPage(ours: (text: string) => string, theirs: (text: string) => string) {
  const space = await aLiveSpace(app)
  const [page] = idsOf(await space.edit({ operation: 'insert_page', document: { markdown: first } }))
  const request = await space.changeRequest()
  const write = (text: string) => ({ operation: 'update_page', page, document: { markdown: text } })
  assert.equal((await request.edit(write(ours(first)))).status, 200)
  assert.equal((await space.edit(write(theirs(first)))).status, 200)
  const conflicts = (await space.who.get(`${request.path}/conflicts`)).body.items
  const { result } = (await space.who.post(`${request.path}/merge`)).body
  const merged = (await space.who.get(`${space.path}/content/page/${page}?format=markdown`)).body
  return { conflicts: conflicts.map(({ field }: any) => field), result, merged, page, space, request }
}

test('two people who change different fields above the text of a page get no conflict', async () => {
  const changes: [string, string][] = [
    ['# Guide', '# Manual'],
    ['icon: book', 'icon: gear'],
    ['How to begin', 'Where to start'],
    ['owner: docs', 'owner: support'],
    ['\n---\n\n', '\nhidden: true\n---\n\n'],
  ]
  for (const [at, ours] of changes.entries()) {
    for (const theirs of changes.slice(at + 1)) {
      const by =
        ([from, to]: [string, string]) =>
        (text: string) =>
          text.replace(from, () => to)
      const { conflicts, result, merged } = await aChangedPage(by(ours), by(theirs))
      assert.deepEqual([conflicts, result], [[], 'merge'], `${ours[1]} and ${theirs[1]}`)
      const said = [ours[1].trim(), theirs[1].trim(), '# Whoever looks after it.']
      for (const line of said) assert.ok(merged.markdown.includes(line), merged.markdown)
    }
  }
})

test('a title that both sides changed is one conflict, and deciding on the title settles it', async () => {
  const { conflicts, result, page, space, request } = await aChangedPage(
    (text) => text.replace('# Guide', '# Manual'),
    (text) => text.replace('# Guide', '# Handbook'),
  )
  assert.deepEqual([conflicts, result], [['title'], 'conflicts'])
  assert.equal((await space.who.post(`${request.path}/update`)).body.result, 'conflicts')
  assert.equal((await request.edit({ operation: 'update_page', page, title: 'Handbook' })).status, 200)
  assert.equal((await space.who.post(`${request.path}/merge`)).body.result, 'merge')
  const merged = (await space.who.get(`${space.path}/content/page/${page}?format=markdown`)).body
  assert.equal(merged.markdown, first.replace('# Guide', '# Handbook'))
})

test('a front matter comment changed next to a new setting of the other side is a conflict, not lost', async () => {
  const { conflicts, result, page, request } = await aChangedPage(
    (text) => text.replace('owner: docs', 'hidden: true\nowner: docs'),
    (text) => text.replace('# Whoever looks after it.', '# Ask there first.'),
  )
  assert.deepEqual([conflicts, result], [['source'], 'conflicts'])
  assert.equal((await request.page(page!)).hidden, true)
})

test('a front matter key that only the text has is a conflict if both sides changed it, and a new text settles it', async () => {
  const { conflicts, result, page, space, request } = await aChangedPage(
    (text) => text.replace('owner: docs', 'owner: support'),
    (text) => text.replace('owner: docs', 'owner: sales'),
  )
  assert.deepEqual([conflicts, result], [['source'], 'conflicts'])
  assert.equal((await space.who.post(`${request.path}/update`)).body.result, 'conflicts')
  const markdown = first.replace('owner: docs', 'owner: sales')
  assert.equal((await request.edit({ operation: 'update_page', page, document: { markdown } })).status, 200)
  assert.equal((await space.who.post(`${request.path}/merge`)).body.result, 'merge')
  const merged = (await space.who.get(`${space.path}/content/page/${page}?format=markdown`)).body
  assert.equal(merged.markdown, markdown)
})

test('a layout and variables that two people removed piece by piece leave nothing behind', async () => {
  const space = await aLiveSpace(app)
  const metadata = { layout: { outline: false, pagination: false }, variables: { a: '1', b: '2' } }
  const markdown = '# Guide\n\nText\n'
  const [page] = idsOf(await space.edit({ operation: 'insert_page', document: { markdown }, metadata }))
  const request = await space.changeRequest()
  const change = (layout: object, variables: object) => ({
    operation: 'update_page',
    page,
    metadata: { layout, variables },
  })
  assert.equal((await request.edit(change({ outline: true }, { a: '1' }))).status, 200)
  assert.equal((await space.edit(change({ pagination: true }, { b: '2' }))).status, 200)
  assert.equal((await space.who.post(`${request.path}/merge`)).body.result, 'merge')
  const merged = (await space.who.get(`${space.path}/content/page/${page}?format=markdown`)).body
  assert.equal(merged.markdown, markdown)
})

test('a change above the text of a page is listed, even in a key that means nothing to the page', async () => {
  const space = await aLiveSpace(app)
  const [page] = idsOf(await space.edit({ operation: 'insert_page', document: { markdown: first } }))
  const changesOf = async (text: string) => {
    const request = await space.changeRequest()
    await request.edit({ operation: 'update_page', page, document: { markdown: text } })
    const { changes } = (await space.who.get(`${request.path}/changes`)).body
    return changes.map(({ type, attributes }: any) => [type, ...Object.keys(attributes)])
  }
  assert.deepEqual(await changesOf(first.replace('owner: docs', 'owner: support')), [['page_edited', 'frontMatter']])
  assert.deepEqual(await changesOf(first.replace('icon: book', 'icon: gear')), [['page_edited', 'icon']])
  assert.deepEqual(await changesOf(first), [])
})

test('Markdown sent back as it was read is no change, whether front matter or metadata set the fields', async () => {
  const space = await aLiveSpace(app)
  const metadata = { emoji: '1f600', description: 'Said beside it', layout: { outline: false }, variables: { a: 'b' } }
  const pages = idsOf(
    await space.edit(
      { operation: 'insert_page', document: { markdown: '# Guide\n\nOne.\n' }, metadata },
      { operation: 'insert_page', document: { markdown: first }, metadata: { hidden: true } },
      { operation: 'insert_page', document: { markdown: 'No heading' }, metadata: { title: 'Plain' } },
      { operation: 'insert_page', document: {} },
    ),
  )
  const request = await space.changeRequest()
  for (const page of pages) {
    const read = (await space.who.get(`${request.path}/content/page/${page}?format=markdown`)).body
    const again = { operation: 'update_page', page, document: { markdown: read.markdown }, metadata: read }
    assert.equal((await request.edit(again)).status, 200)
    const { markdown } = (await space.who.get(`${request.path}/content/page/${page}?format=markdown`)).body
    assert.equal(markdown, read.markdown)
  }
  assert.deepEqual((await space.who.get(`${request.path}/changes`)).body.changes, [])
})
