// A text for visual editing, and its result as a text again: the endpoints that the script of the editor uses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf } from '../../../test/editing.ts'
import { png } from '../../../test/every-content.ts'
import { Person } from '../../account/testing/person.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

async function aWriter(markdown = '# Tea\n\nHot *water*.\n') {
  const space = await aLiveSpace(app)
  const request = await space.changeRequest()
  const [id] = idsOf(await request.edit({ operation: 'insert_page', document: { markdown } }))
  const path = `/app/o/${space.org.id}/s/${space.id}/~/changes/1/pages/${id}`
  const writer = await signedIn(app, await space.org.member('edit'))
  const page = await writer.get(path)
  const ask = async (part: string, fields: Record<string, string>) => {
    const { status, text } = await writer.submit(page, path, fields, {}, path + part)
    return { status, text, ...(status === 200 ? (JSON.parse(text) as { markup?: string; text?: string }) : {}) }
  }
  return { space, request, path, page, writer, ask }
}

test('a text is rendered for visual editing, comes back unchanged but for the edits, and is not stored', async () => {
  const { ask, request } = await aWriter()
  const before = await request.outline()
  const text = '# Tea\n\nHot *water*.\n\n* one\n'
  const { markup } = await ask('/visual', { text, from: '7', to: '10' })
  assert.equal(
    markup,
    '<h1 data-block="0">Tea</h1><p data-block="1">\uFDD0Hot\uFDD1 <em>water</em>.</p><ul data-block="2"><li data-block="3">one</li></ul>',
  )
  const now = markup.replace(/[\uFDD0\uFDD1]/g, '').replace('one', 'two')
  assert.equal((await ask('/visual/text', { text, markup: now })).text, text.replace('one', 'two'))
  assert.equal(await request.outline(), before)
})

test('the settings of a page are read from its text and written into it, and are not stored', async () => {
  const { ask, request } = await aWriter()
  const before = await request.outline()
  const text =
    '---\nemoji: 1f600\nlayout: {width: wide, own: 1, title: {visible: false}}\nmine:   x\n---\n\n# Tea *pot*\n\nHot.\n'
  const settings = (JSON.parse((await ask('/visual/settings', { text })).text) as { settings: object }).settings
  const shown = ['description', 'tableOfContents', 'outline', 'pagination', 'metadata']
  const flags = { hidden: false, noIndex: false, noRobotsIndex: false }
  assert.deepEqual(settings, {
    title: 'Tea pot',
    description: '',
    icon: '',
    emoji: '\u{1F600}',
    cover: '',
    coverDark: '',
    isCoverWide: false,
    ...flags,
    isWide: true,
    shown,
  })
  const said = { title: 'Tea pot', description: '', icon: '', emoji: '\u{1F600}', isWide: 'on', shown: shown.join(' ') }
  const write = async (fields: object) => (await ask('/visual/settings', { text, ...said, ...fields })).text
  assert.equal(await write({}), text)
  assert.equal(await write({ title: '  ' }), text)
  assert.equal(await write({ title: 'Tea\r\n_cup_' }), text.replace('# Tea *pot*', '# Tea \\_cup\\_'))
  assert.equal(
    await write({ emoji: '', icon: 'mug' }),
    text.replace('emoji: 1f600\n', '').replace('x\n---', 'x\nicon: mug\n---'),
  )
  assert.equal(await write({ noIndex: 'on' }), text.replace('x\n---', 'x\nnoIndex: true\n---'))
  // Everything else in the layout stays.
  assert.equal(
    await write({ isWide: '', shown: `title ${said.shown}` }),
    text.replace(/layout: .*/, 'layout:\n  own: 1'),
  )
  assert.equal(await request.outline(), before)
})

test('settings that cannot be read or are too long to save are refused', async () => {
  const { ask } = await aWriter()
  for (const text of ['---\na: [\n---\n\n# Tea\n', '---\nno map\n---\n\n# Tea\n']) {
    const { status, text: why } = await ask('/visual/settings', { text, title: 'x' })
    assert.equal(status, 400)
    assert.match(why, /has settings that cannot be read/)
  }
  const long = { text: '# Tea\n', title: 'Tea', description: 'x'.repeat(200_000) }
  assert.equal((await ask('/visual/settings', long)).status, 400)
})

test("a selection counts a form's line ends as the editor script sees them, and an invalid selection is no error", async () => {
  const { ask } = await aWriter()
  const text = '# Tea\r\n\r\nHot\r\nwater\r\n'
  const { markup } = await ask('/visual', { text, from: '7', to: '7' })
  assert.match(markup!, /\uFDD0\uFDD1Hot<span class="line-end"> <\/span>water/)
  for (const [from, to] of [
    ['x', '-1'],
    ['9', '2'],
    ['999999999', '1e9'],
    ['', ''],
  ])
    assert.equal((await ask('/visual', { text, from: from!, to: to! })).status, 200)
})

test("visual editing shows included content and the page's own pictures, and loads no foreign ones", async () => {
  const { ask, request, space } = await aWriter()
  const [piece] = idsOf(
    await request.edit(
      { operation: 'insert_reusable_content', title: 'Piece', document: { markdown: 'Said *once*.' } },
      { operation: 'insert_files', files: [{ name: 'a.png', base64: png, contentType: 'image/png' }] },
    ),
  )
  const { items } = (await space.who.get(`${request.path}/content/files`)).body
  const text = `# Tea\n\n{% include "/reusable-contents/${piece}" %}\n\n![A pot](/files/${items[0].id})\n\n![Out](https://example.org/x.png)\n`
  const { markup } = await ask('/visual', { text, from: '0', to: '0' })
  assert.match(markup!, /data-kind="include"[^>]*><p>Said <em>once<\/em>/)
  assert.match(markup!, /<img src="[^"]+\/a\.png\?/)
  assert.doesNotMatch(markup!, /src="https:\/\/example/)
  assert.equal((await ask('/visual/text', { text, markup: markup! })).text, text)
})

test('a text that is too long, too deeply nested or cannot be saved is refused', async () => {
  const { ask } = await aWriter()
  assert.equal((await ask('/visual', { text: 'x'.repeat(256 * 1024 + 1) })).status, 400)
  assert.equal((await ask('/visual/text', { text: 'x'.repeat(256 * 1024 + 1), markup: '' })).status, 400)
  assert.equal((await ask('/visual/text', { text: 'x', markup: 'x'.repeat(1024 * 1024 + 1) })).status, 400)
  assert.equal((await ask('/visual/text', { text: 'x', markup: '<p>'.repeat(30_001) })).status, 400)
  const deep = await ask('/visual/text', { text: 'x', markup: '<div>'.repeat(1000) })
  assert.equal(deep.status, 400)
  assert.match(deep.text, /too deep/)
  assert.equal((await ask('/visual/text', { text: 'x', markup: `<p>${'x\n'.repeat(30_001)}` })).status, 400)
  const copies = '<div class="frame" data-block="0"></div>'.repeat(1000)
  assert.equal(
    (await ask('/visual/text', { text: `\`\`\`\n${'x'.repeat(10_000)}\n\`\`\``, markup: copies })).status,
    400,
  )
})

test('a page that could not be written back is not opened for visual editing', async () => {
  const { ask } = await aWriter()
  const drawn = await ask('/visual', { text: `# Tea\n\n${'- **a**\n'.repeat(8000)}` })
  assert.equal(drawn.status, 400)
  assert.match(drawn.text, /edit it as Markdown/)
})

test('visual editing is only for people who may write there, with a valid form', async () => {
  const { space, request, path, writer, ask } = await aWriter()
  const reader = await signedIn(app, await space.org.member('read'))
  const stranger = await signedIn(app, (await aLiveSpace(app)).org.admin)
  for (const part of ['/visual', '/visual/text']) {
    const form = { text: '# Tea', markup: 'x' }
    assert.equal((await reader.post(path + part, form)).status, 403)
    assert.equal((await stranger.post(path + part, form)).status, 403)
    assert.equal((await writer.post(path + part, form)).status, 403)
    assert.notEqual((await new Person(app).post(path + part, form)).status, 200)
    assert.equal((await ask(part, form)).status, 200)
  }
  await space.who.patch(request.path, { status: 'archived' })
  assert.equal((await ask('/visual', { text: '# Tea' })).status, 409)
})
