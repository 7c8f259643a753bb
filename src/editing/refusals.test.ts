import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { aChangeRequest, aSpace } from '../../test/lines.ts'
import { stateOf } from '../../test/state.ts'
import { newId } from '../ids.ts'

const app = await startApp()

async function aSpaceWithPages() {
  const space = await aLiveSpace(app)
  const [a, b, c] = idsOf(await space.edit(newPage('A', { ref: 'a' }), newPage('B', { into: 'a' }), newPage('C')))
  return { space, a: a!, b: b!, c: c! }
}

test('one invalid change rejects its whole batch with the position and field, and nothing is written', async () => {
  const { space, a, b, c } = await aSpaceWithPages()
  const other = await aSpaceWithPages()
  const { insertedFiles } = (
    await space.edit({ operation: 'insert_files', files: [{ name: 'x', base64: '', contentType: 'text/plain' }] })
  ).body
  const file = insertedFiles[0].id
  const group = idsOf(
    await space.edit({
      operation: 'insert_page',
      type: 'link',
      metadata: { title: 'L' },
      target: { kind: 'url', url: 'https://x.test/' },
    }),
  )[0]
  const update = (page: unknown, more: object) => ({ operation: 'update_page', page, ...more })
  const files = (...list: object[]) => ({ operation: 'insert_files', files: list })
  const cases: [object, number, string][] = [
    [{ operation: 'make_coffee' }, 400, 'operation'],
    [{}, 400, 'operation'],
    [{ operation: 'insert_page' }, 400, 'document'],
    [{ operation: 'update_page' }, 400, 'page'],
    [update(newId(), {}), 400, 'page'],
    [update('no id', {}), 400, 'page'],
    [update(file, {}), 400, 'page'],
    [update(other.a, {}), 400, 'page'],
    [update(a, { into: other.a }), 400, 'into'],
    [update(a, { into: group }), 400, 'into'],
    [update(a, { into: a }), 409, 'into'],
    [update(a, { into: b }), 409, 'into'],
    [update(a, { at: -1 }), 400, 'at'],
    [update(c, { metadata: { slug: 'a' } }), 409, 'metadata.slug'],
    [newPage('X', { metadata: { slug: 'c' } }), 409, 'metadata.slug'],
    [update(c, { metadata: { slug: 'x'.repeat(101) } }), 400, 'metadata.slug'],
    [update(c, { metadata: { slug: 'a/b' } }), 400, 'metadata.slug'],
    [update(c, { metadata: { slug: '..' } }), 400, 'metadata.slug'],
    [update(c, { metadata: { slug: '~' } }), 400, 'metadata.slug'],
    [update(c, { metadata: { title: '' } }), 400, 'metadata.title'],
    [update(c, { metadata: { icon: 'x'.repeat(51) } }), 400, 'metadata.icon'],
    [update(c, { metadata: { condition: 'a +' } }), 400, 'metadata.condition'],
    [update(c, { slug: 'a' }), 409, 'slug'],
    [update(c, { slug: 'free', metadata: { slug: 'a' } }), 409, 'metadata.slug'],
    [newPage('X', { slug: 'a/b' }), 400, 'slug'],
    [update(c, { title: '' }), 400, 'title'],
    [update(c, { condition: 'a +' }), 400, 'condition'],
    [update(c, { document: { markdown: '---\nif: a +\n---\n\nText\n' } }), 400, 'document.markdown'],
    [{ operation: 'insert_page', document: { markdown: '---\nif: a +\n---\n' } }, 400, 'document.markdown'],
    [update(c, { metadata: { cover: { ref: { kind: 'file', file: newId() } } } }), 400, 'metadata.cover.ref.file'],
    [update(c, { metadata: { variables: { 'a b': 'x' } } }), 400, 'metadata.variables.a b'],
    [update(c, { document: { markdown: 'x'.repeat(1024 ** 2 + 1) } }), 400, 'document.markdown'],
    [
      update(c, { document: { document: { object: 'document', nodes: [{ object: 'x' }] } } }),
      400,
      'document.document.nodes.0.object',
    ],
    [update(c, { document: { markdown: 'x', document: { object: 'document' } } }), 400, 'document'],
    [update(c, { target: { kind: 'url', url: 'https://x.test/' } }), 400, 'target'],
    [{ operation: 'insert_page', type: 'link' }, 400, 'target'],
    [
      { operation: 'insert_page', type: 'link', target: { kind: 'url', url: 'javascript:alert(1)' } },
      400,
      'target.url',
    ],
    [{ operation: 'insert_page', type: 'link', target: { kind: 'page', page: other.a } }, 400, 'target.page'],
    [{ operation: 'insert_page', type: 'link', target: { kind: 'space', space: other.space.id } }, 400, 'target.space'],
    [
      { operation: 'insert_page', type: 'link', target: { kind: 'page', page: other.a, space: other.space.id } },
      400,
      'target.space',
    ],
    [{ operation: 'insert_page', type: 'group', document: { markdown: 'x' } }, 400, 'document'],
    [{ operation: 'delete_page', page: newId() }, 400, 'page'],
    [{ operation: 'delete_page', page: 'first' }, 400, 'page'],
    [{ operation: 'revert_page', page: a }, 400, 'revision'],
    [{ operation: 'revert_page', page: a, revision: newId() }, 400, 'revision'],
    [{ operation: 'delete_file', file: a }, 400, 'file'],
    [{ operation: 'update_file', file, name: 'a/b' }, 400, 'name'],
    [{ operation: 'delete_reusable_content', reusableContent: a }, 400, 'reusableContent'],
    [{ operation: 'update_variables', variables: { 'no-name': 'x' } }, 400, 'variables.no-name'],
    [{ operation: 'update_variables', variables: {} }, 400, 'variables'],
    [files(), 400, 'files'],
    [files({ name: 'x' }), 400, 'files.0'],
    [files({ name: 'x', base64: 'eA==', url: 'https://x.test/', contentType: 'text/plain' }), 400, 'files.0'],
    [files({ name: 'x', base64: 'eA==' }), 400, 'files.0.contentType'],
    [files({ name: 'x', base64: 'not base64!', contentType: 'text/plain' }), 400, 'files.0.base64'],
    [files({ name: '../x', base64: 'eA==', contentType: 'text/plain' }), 400, 'files.0.name'],
    [
      files({ name: 'x', base64: Buffer.alloc(1_048_577).toString('base64'), contentType: 'text/plain' }),
      400,
      'files.0.base64',
    ],
    [files({ name: 'x', url: 'http://127.0.0.1/' }), 400, 'files.0.url'],
    [files({ name: 'x', url: 'ftp://example.com/' }), 400, 'files.0.url'],
    [files({ name: 'x', key: newId() }), 400, 'files.0.key'],
    [files({ name: 'x', key: 'no key' }), 400, 'files.0.key'],
    [newPage('X', { ref: 'first' }), 400, 'ref'],
  ]
  const before = await stateOf(app.db)
  for (const [change, status, field] of cases) {
    const refused = await space.edit(
      newPage('Good', { ref: 'firstpage' }),
      newPage('Fine'),
      ...(field === 'ref' ? [newPage('One', { ref: 'first' })] : [newPage('One')]),
      change,
    )
    assert.deepEqual(
      [refused.status, refused.body.error?.details?.[0]?.path],
      [status, `body.changes.3.${field}`],
      `${JSON.stringify(change).slice(0, 200)} → ${refused.text}`,
    )
  }
  assert.equal(await stateOf(app.db), before)
})

test('a title that is blank or has more than one line is refused, because Markdown could not give it back', async () => {
  const { space, a } = await aSpaceWithPages()
  for (const title of [' ', '\u00a0', 'Two\nlines', 'Tab\tbed']) {
    for (const change of [
      { operation: 'update_page', page: a, metadata: { title } },
      { operation: 'insert_page', document: {}, title },
      { operation: 'insert_reusable_content', document: {}, title },
    ]) {
      const { status, body } = await space.edit(change)
      assert.equal(status, 400, JSON.stringify(change))
      assert.match(body.error.details[0].path, /^body\.changes\.0\.(metadata\.)?title$/)
    }
  }
})

test('an unknown operation is refused with a list of the known ones', async () => {
  const { space } = await aSpaceWithPages()
  const { body } = await space.edit({ operation: 'insertPage' })
  assert.match(
    body.error.message,
    /^body\.changes\.0\.operation: must be one of insert_page, update_page, .*update_variables$/,
  )
})

test('unknown fields beside the text of a document are ignored', async () => {
  const { space } = await aSpaceWithPages()
  const document = { markdown: 'Said', language: 'en' }
  const written = await space.edit(
    { operation: 'insert_page', document },
    { operation: 'insert_reusable_content', title: 'R', document },
  )
  assert.equal(written.status, 200, written.text)
  const [page, reusable] = idsOf(written)
  for (const path of [`page/${page}`, `reusable-contents/${reusable}`]) {
    const { body } = await space.who.get(`${space.path}/content/${path}?format=markdown`)
    assert.match(body.markdown, /Said$/)
  }
})

test('an existing invalid condition does not prevent changes to the text, and a new invalid one is refused', async () => {
  const space = await aSpace(app)
  const [page] = await space.main.add({ title: 'Guide', data: { condition: 'a +' } })
  const { path } = await aChangeRequest(space)
  const write = (condition: string) =>
    space.admin.client.post(`${path}/content`, {
      changes: [{ operation: 'update_page', page, document: { markdown: `---\nif: ${condition}\n---\n\nText\n` } }],
    })
  assert.equal((await write('a +')).status, 200)
  assert.equal((await write('b +')).status, 400)
})

test('a batch has 1 to 50 changes', async () => {
  const { space } = await aSpaceWithPages()
  const before = await stateOf(app.db)
  for (const changes of [[], Array.from({ length: 51 }, (_, n) => newPage(String(n)))]) {
    const refused = await space.edit(...changes)
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.changes'])
  }
  assert.equal(await stateOf(app.db), before)
  assert.equal((await space.edit(...Array.from({ length: 50 }, (_, n) => newPage(String(n))))).status, 200)
})

test('a locked space and a merged or archived change request refuse changes to content', async () => {
  const { space, a } = await aSpaceWithPages()
  const [merged, archived] = [await space.changeRequest(), await space.changeRequest()]
  assert.equal((await space.who.post(`${merged.path}/merge`)).status, 200)
  assert.equal((await space.who.patch(archived.path, { status: 'archived' })).status, 200)
  assert.equal((await space.who.patch(space.path, { editMode: 'locked' })).status, 200)
  const before = await stateOf(app.db)
  for (const place of [merged, archived, space]) {
    const refused = await place.edit({ operation: 'delete_page', page: a })
    assert.deepEqual([refused.status, refused.body.error.type], [409, 'conflict'])
  }
  assert.equal(await stateOf(app.db), before)
})

test('a batch larger than the limit is refused with 413', async () => {
  const small = await startApp({ LECTERN_CONTENT_LIMIT: '20000' })
  const space = await aLiveSpace(small)
  const refused = await space.edit(newPage('x'.repeat(30_000)))
  assert.deepEqual([refused.status, refused.body.error.type], [413, 'body_too_large'])
  await small.stop()
})
