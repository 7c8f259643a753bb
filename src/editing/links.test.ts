import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type EditedSpace, aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'

const app = await startApp()

async function refsOf(id: string | undefined): Promise<Record<string, string> | null> {
  const { refs } = await app.db.one(sql<{ refs: Record<string, string> | null }>`
    select refs from entries where entry = ${id} order by from_seq desc limit 1`)
  return refs
}

const write = (space: EditedSpace, page: string | undefined, markdown: string) =>
  space.edit({ operation: 'update_page', page, document: { markdown } })

test('a link finds its page in every spelling, and the text stays as sent', async () => {
  const space = await aLiveSpace(app)
  const [guides, setup, linux, about] = idsOf(
    await space.edit(
      newPage('Guides', { ref: 'g' }),
      newPage('Setup', { into: 'g', ref: 's' }),
      newPage('Linux', { into: 's' }),
      newPage('About'),
    ),
  )
  const check = async (from: string | undefined, expected: Record<string, string>) => {
    const markdown = `# T\n\n${Object.keys(expected)
      .map((href) => `[x](${href}#part)`)
      .join(' ')}\n`
    assert.equal((await write(space, from, markdown)).status, 200)
    assert.deepEqual(await refsOf(from), expected)
    const { body } = await space.who.get(`${space.path}/content/page/${from}?format=markdown`)
    assert.equal(body.markdown, markdown)
  }
  await check(about, {
    [`/pages/${setup}`]: `page:${setup}`,
    '/pages/guides': `page:${guides} guides`,
    '/pages/guides/setup': `page:${setup} guides/setup`,
    '/pages/guides/setup.md': `page:${setup} guides/setup`,
    '/pages/guides/README.md': `page:${guides} guides`,
    '/pages/README.md': `page:${guides}`,
    './guides/setup/linux.md': `page:${linux} guides/setup/linux`,
    './guides': `page:${guides} guides`,
    'guides/setup/README.md': `page:${setup} guides/setup`,
    './nowhere.md': 'path:nowhere',
    '/pages/guides/nothing': 'path:guides/nothing',
  })
  // A page with pages below it is the README of a folder; a page without any is a file beside its siblings.
  await check(setup, {
    './linux.md': `page:${linux} guides/setup/linux`,
    '../README.md': `page:${guides} guides`,
    '../../about.md': `page:${about} about`,
  })
  await check(linux, {
    './README.md': `page:${setup} guides/setup`,
    '../README.md': `page:${guides} guides`,
    '../../about.md': `page:${about} about`,
  })
})

test('external addresses, data URLs, anchors and ids of unknown pages are not resolved as links', async () => {
  const space = await aLiveSpace(app)
  const [id] = idsOf(await space.edit(newPage('A')))
  await write(
    space,
    id,
    `[a](https://example.com/x) [b](mailto:a@b.c) [c](#here) ![d](data:image/png;base64,xx) [e](/pages/${newId()}) [f](../../../out.md)`,
  )
  assert.deepEqual(await refsOf(id), {})
})

test('references to other changes of the batch become ids, whatever the order of the changes', async () => {
  const space = await aLiveSpace(app)
  const made = await space.edit(
    {
      operation: 'insert_page',
      document: {
        markdown: '# One\n\n[two](./two.md#part) and [three](./three)\n\n![](./logo)\n\n{% include "./note" %}\n',
      },
      ref: 'one',
    },
    newPage('Two', { ref: 'two' }),
    newPage('Three', { ref: 'three' }),
    {
      operation: 'insert_files',
      files: [{ name: 'logo.txt', base64: btoa('x'), contentType: 'text/plain', ref: 'logo' }],
    },
    { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'Note' }, ref: 'note' },
  )
  assert.equal(made.status, 200, made.text)
  const [one, two, three, note] = idsOf(made)
  const file = made.body.insertedFiles[0].id
  const { body } = await space.who.get(`${space.path}/content/page/${one}?format=markdown`)
  assert.equal(
    body.markdown,
    `# One\n\n[two](/pages/${two}#part) and [three](/pages/${three})\n\n![](/files/${file})\n\n{% include "/reusable-contents/${note}" %}\n`,
  )
})

test('a link keeps pointing to its page after that is renamed and moved', async () => {
  const space = await aLiveSpace(app)
  const [a, b, c] = idsOf(await space.edit(newPage('A'), newPage('B'), newPage('C')))
  await write(space, a, '# A\n\n[b](./b.md)')
  await space.edit({ operation: 'update_page', page: b, into: c, metadata: { slug: 'other' } })
  await write(space, a, '# A\n\nMore text and [b](./b.md)')
  assert.deepEqual(await refsOf(a), { './b.md': `page:${b} b` })
  await space.edit({ operation: 'delete_page', page: b })
  await write(space, a, '# A\n\nAgain [b](./b.md)')
  assert.deepEqual(await refsOf(a), { './b.md': 'path:b' })
})
