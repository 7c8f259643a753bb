import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { aStranger } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'

const app = await startApp()

const count = async (table: 'revisions' | 'entries', spaceId: string) => {
  const from = table === 'revisions' ? sql`revisions` : sql`entries`
  const row = await app.db.one(sql<{ count: number }>`
    select count(*) from ${from} x join lines l on l.organization_id = x.organization_id and l.id = x.line_id
    where l.space_id = ${spaceId}`)
  return row.count
}

test('a batch is one revision, whose id is the ETag of the answer', async () => {
  const space = await aLiveSpace(app)
  const before = await count('revisions', space.id)
  const edited = await space.edit(
    newPage('A'),
    newPage('B', { ref: 'b' }),
    newPage('C', { into: 'b' }),
    newPage('D', { at: 0 }),
  )
  assert.equal(edited.status, 200)
  assert.equal(await space.outline(), 'D A B (C)')
  assert.equal(await count('revisions', space.id), before + 1)
  assert.equal(edited.headers.get('etag'), `"${edited.body.revision}"`)
  assert.equal((await space.who.get(space.path)).body.revision, edited.body.revision)
  assert.deepEqual(
    edited.body.changes.map(({ object, ref }: any) => [object, ref]),
    [
      ['created_page', undefined],
      ['created_page', 'b'],
      ['created_page', undefined],
      ['created_page', undefined],
    ],
  )
})

test('a write to a change request returns the change request, and with compat=false also each changed page once', async () => {
  const space = await aLiveSpace(app)
  const [a, b] = idsOf(await space.edit(newPage('A'), newPage('B')))
  const request = await space.changeRequest()
  const plain = await space.who.post(`${request.path}/content`, { changes: [{ operation: 'delete_page', page: b }] })
  assert.equal(plain.body.object, 'change-request')
  assert.equal(plain.headers.get('etag'), `"${plain.body.revision}"`)

  const told = await request.edit(
    newPage('C', { ref: 'c' }),
    { operation: 'update_page', page: a, metadata: { title: 'A2' } },
    { operation: 'update_page', page: 'c', metadata: { title: 'C2' } },
    newPage('Gone', { ref: 'gone' }),
    { operation: 'delete_page', page: 'gone' },
  )
  assert.deepEqual(
    told.body.changes.map(({ object }: any) => object),
    ['created_page', 'updated_page'],
  )
  assert.equal(
    told.body.changes[0].page.urls.location,
    `http://lectern.test${request.path}/content/page/${idsOf(told)[0]}`,
  )
  assert.equal(await request.outline(), 'A2 C2')
  assert.equal(await space.outline(), 'A B')
})

test('front matter clears the fields that it sets to empty or default values, and keeps those it does not mention', async () => {
  const space = await aLiveSpace(app)
  const page = (text: string) => ({ document: { markdown: text } })
  const head = [
    'icon: book',
    'description: How to begin',
    'hidden: true',
    'if: visitor.claims.beta',
    'layout:\n  width: wide',
    'vars:\n  a: b',
    'cover: https://example.com/a.png',
  ]
  const made = await space.edit({
    operation: 'insert_page',
    ...page(`---\n${head.join('\n')}\n---\n\n# Guide\n\nText\n`),
  })
  const [id] = idsOf(made) as [string]
  const read = async () => (await space.who.get(`${space.path}/content/page/${id}?format=markdown`)).body

  assert.equal((await space.edit({ operation: 'update_page', page: id, ...page('# Guide\n\nText\n') })).status, 200)
  const kept = await read()
  assert.deepEqual([kept.icon, kept.hidden, kept.layout.width], ['book', true, 'wide'])

  const without = `---
icon: ""
description:
hidden: false
if: ""
layout:
  width: default
vars: {}
cover:
---

# Guide

Text
`
  assert.equal((await space.edit({ operation: 'update_page', page: id, ...page(without) })).status, 200)
  const { icon, description, hidden, condition, layout, variables, cover, markdown } = await read()
  assert.deepEqual([icon, description, condition, cover], [undefined, undefined, undefined, undefined])
  assert.deepEqual([hidden, layout.width, variables ?? {}], [false, 'default', {}])
  assert.equal(markdown, without)
})

test('invalid Unicode in front matter is replaced by U+FFFD in title, description and variables, and stays in the text', async () => {
  const space = await aLiveSpace(app)
  const spelt = String.raw`"a\uD800b\0c"`
  const [page] = idsOf(
    await space.edit({
      operation: 'insert_page',
      document: {
        markdown: `---\ntitle: ${spelt}\ndescription: ${spelt}\ncover: "https://example.com/\\uDC00.png"\nvars:\n  x: ${spelt}\n  "\\uD800": y\n---\n\nText.\n`,
      },
    }),
  )
  const { body } = await space.who.get(`${space.path}/content/page/${page}?format=markdown`)
  const sign = 'a\ufffdb\ufffdc'
  assert.deepEqual([body.title, body.description, body.variables], [sign, sign, { x: sign, '\ufffd': 'y' }])
  assert.ok(body.markdown.includes(`description: ${spelt}`), 'the text stays as it was sent')
})

test('the text and its front matter win over metadata, and fields that neither mentions stay', async () => {
  const space = await aLiveSpace(app)
  const markdown = '---\nicon: bolt\ndescription: From the text\n---\n\n# From the heading\n\nBody\n'
  const [id] = idsOf(
    await space.edit({
      operation: 'insert_page',
      document: { markdown },
      metadata: {
        title: 'From metadata',
        icon: 'star',
        emoji: '🙂',
        hidden: true,
        layout: { outline: false, cover: true },
      },
    }),
  )
  const read = async () => (await space.who.get(`${space.path}/content/page/${id}?format=markdown`)).body
  const page = await read()
  assert.deepEqual(
    [page.title, page.icon, page.description, page.emoji, page.hidden],
    ['From the heading', 'bolt', 'From the text', '🙂', true],
  )
  assert.deepEqual([page.slug, page.layout.outline, page.layout.cover], ['from-the-heading', false, true])

  await space.edit({ operation: 'update_page', page: id, metadata: { title: 'Renamed', emoji: '', hidden: false } })
  const renamed = await read()
  assert.deepEqual(
    [renamed.title, renamed.slug, renamed.emoji, renamed.hidden],
    ['Renamed', 'from-the-heading', undefined, false],
  )
  assert.match(renamed.markdown, /# Renamed\n\nBody\n$/)
})

test('page fields may be given beside the document as well as in metadata, which wins', async () => {
  const space = await aLiveSpace(app)
  const document = { markdown: 'No heading.' }
  const made = await space.edit(
    { operation: 'insert_page', title: 'Start', slug: 'begin', emoji: '🚀', hidden: true, noIndex: true, document },
    { operation: 'insert_page', title: 'Beside', metadata: { title: 'Within' }, icon: 'star', document },
    { operation: 'insert_page', title: 'Not this', document: { markdown: '# From the heading\n\nBody' } },
    { operation: 'insert_page', title: 'Group', type: 'group', condition: 'true', description: '' },
  )
  assert.equal(made.status, 200, made.text)
  const [id] = idsOf(made)
  const read = async () => (await space.who.get(`${space.path}/content/pages`)).body.pages
  const [start, within, heading, group] = await read()
  assert.deepEqual(
    [start.title, start.slug, start.emoji, start.hidden, start.noIndex, start.noRobotsIndex],
    ['Start', 'begin', '🚀', true, true, false],
  )
  assert.deepEqual([within.title, within.slug, within.icon], ['Within', 'within', 'star'])
  assert.deepEqual([heading.title, group.title, group.condition], ['From the heading', 'Group', 'true'])

  await space.edit({ operation: 'update_page', page: id, title: 'Renamed', slug: '', emoji: '', hidden: false })
  const [renamed] = await read()
  assert.deepEqual(
    [renamed.title, renamed.slug, renamed.emoji, renamed.hidden],
    ['Renamed', 'renamed', undefined, false],
  )
})

test('pages can be made from a document of blocks or from an empty document', async () => {
  const space = await aLiveSpace(app)
  const paragraph = {
    object: 'block',
    type: 'paragraph',
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'Hello', marks: [] }] }],
  }
  const document = { object: 'document', data: {}, nodes: [paragraph] }
  const made = await space.edit(
    { operation: 'insert_page', document: { document }, metadata: { title: 'Blocks' } },
    { operation: 'insert_page', document: {} },
    { operation: 'insert_page', type: 'group', metadata: { title: 'Group' }, ref: 'g' },
    {
      operation: 'insert_page',
      type: 'link',
      metadata: { title: 'Link' },
      target: { kind: 'url', url: 'https://example.com/' },
      into: 'g',
    },
  )
  assert.equal(made.status, 200, made.text)
  assert.equal(await space.outline(), 'Blocks Untitled Group (Link)')
  const { body } = await space.who.get(`${space.path}/content/page/${idsOf(made)[0]}?format=markdown`)
  assert.match(body.markdown, /Hello/)
})

test('a batch without effect writes no revision, and a page changed back is stored as the same as on main', async () => {
  const space = await aLiveSpace(app)
  const [a] = idsOf(await space.edit(newPage('A')))
  const request = await space.changeRequest()
  const retitle = (title: string) => request.edit({ operation: 'update_page', page: a, metadata: { title } })
  const revision = (answer: any) => answer.body.changeRequest.revision
  assert.equal(revision(await retitle('A')), (await space.who.get(space.path)).body.revision)

  const changed = revision(await retitle('Other'))
  const back = revision(await retitle('A'))
  assert.notEqual(back, changed)
  const states = await app.db.all(sql<{ state: number }>`
    select e.state from entries e join change_requests r on r.line_id = e.line_id
    where r.id = ${request.id} order by e.from_seq`)
  assert.deepEqual(
    states.map(({ state }) => state),
    [0, 2],
  )
})

test('variables, reusable contents and files can be added, changed and removed by a batch', async () => {
  const space = await aLiveSpace(app)
  const made = await space.edit(
    { operation: 'update_variables', variables: { version: '1.0', old: 'x' } },
    { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'Mind the gap' }, ref: 'note' },
    { operation: 'insert_page', document: { markdown: '# P\n\n{% include "./note" %}\n' } },
    {
      operation: 'insert_files',
      files: [{ name: 'a.txt', base64: btoa('hello'), contentType: 'text/plain', ref: 'a' }],
    },
  )
  assert.equal(made.status, 200, made.text)
  const [note] = idsOf(made)
  const content = async () => (await space.who.get(`${space.path}/content`)).body
  assert.deepEqual((await content()).variables, { version: '1.0', old: 'x' })
  assert.deepEqual(
    (await content()).reusableContents.map(({ title }: any) => title),
    ['Note'],
  )
  assert.equal((await content()).files[0].name, 'a.txt')

  const file = made.body.insertedFiles[0].id
  const changed = await space.edit(
    { operation: 'update_variables', variables: { version: '1.1', old: null } },
    {
      operation: 'update_reusable_content',
      reusableContent: note,
      title: 'Warning',
      document: { markdown: 'Mind it' },
    },
    { operation: 'update_file', file, name: 'b.txt' },
  )
  assert.deepEqual(changed.body.changes, [
    { object: 'updated_reusable_content', reusableContent: note },
    { object: 'updated_file', file },
  ])
  assert.deepEqual((await content()).variables, { version: '1.1' })
  assert.equal((await content()).files[0].name, 'b.txt')
  await space.edit({ operation: 'delete_reusable_content', reusableContent: note }, { operation: 'delete_file', file })
  assert.deepEqual([(await content()).reusableContents, (await content()).files], [[], []])
})

test('If-Match refuses a write with 412 unless it names the current revision', async () => {
  const space = await aLiveSpace(app)
  const { body: first } = await space.edit(newPage('A'))
  const write = (tag: string, title: string) =>
    space.who.post(`${space.path}/content`, { changes: [newPage(title)] }, { 'if-match': tag })
  assert.equal((await write(`"${first.revision}"`, 'B')).status, 200)
  const late = await write(`"${first.revision}"`, 'C')
  assert.equal(late.status, 412)
  const { headers } = await space.who.get(`${space.path}/content`)
  const strange = await write(headers.get('etag')!, 'C')
  assert.equal(strange.status, 412)
  assert.match(strange.body.error.message, /must be the id of the revision/)
  assert.notEqual(strange.body.error.message, late.body.error.message)
  const request = await space.changeRequest()
  const send = (tag: string) =>
    space.who.post(`${request.path}/content`, { changes: [newPage('D')] }, { 'if-match': tag })
  const { body } = await space.who.get(request.path)
  assert.equal((await send(`"${body.revision}"`)).status, 200)
  assert.equal((await send(`"${body.revision}"`)).status, 412)
  assert.equal(await space.outline(), 'A B')
})

test('concurrent writes all succeed, each with its own revision', async () => {
  const space = await aLiveSpace(app)
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => space.edit(newPage(`Page ${n}`))))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal((await space.who.get(`${space.path}/content`)).body.pages.length, 8)
  assert.equal(new Set(answers.map(({ body }) => body.revision)).size, 8)
})

test('a write repeated with the same idempotency key has no second effect', async () => {
  const space = await aLiveSpace(app)
  const send = () => space.who.post(`${space.path}/content`, { changes: [newPage('Once')] }, { 'idempotency-key': 'k' })
  const [first, again] = [await send(), await send()]
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('etag'), first.headers.get('etag'))
  assert.equal(await space.outline(), 'Once')
})

test('only those with edit rights can write, and for strangers the space does not exist', async () => {
  const space = await aLiveSpace(app)
  const request = await space.changeRequest()
  const [reader, editor, stranger] = [
    await space.org.member('comment'),
    await space.org.member('edit'),
    await aStranger(app),
  ]
  for (const path of [space.path, request.path]) {
    const send = async (who: typeof reader) =>
      (await who.client.post(`${path}/content`, { changes: [newPage('X')] })).status
    assert.deepEqual([await send(reader), await send(stranger), await send(editor)], [403, 404, 200], path)
  }
})

test('badges behind the title of a page are shown above its text, and its Markdown comes back as it was sent', async () => {
  const space = await aLiveSpace(app)
  const markdown = '# Shop [![Build](https://a.test/b.svg)](https://a.test)\n\nText\n'
  const made = await space.edit({ operation: 'insert_page', document: { markdown } })
  const page = `${space.path}/content/page/${idsOf(made)[0]}`
  const { body } = await space.who.get(`${page}?format=markdown`)
  assert.deepEqual([body.title, body.markdown], ['Shop', markdown])
  const { document } = (await space.who.get(`${page}?format=document`)).body
  assert.match(JSON.stringify(document.nodes[0]), /a\.test\/b\.svg/)
})
