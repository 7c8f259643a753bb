// Fonts of an organization, with a browser that runs no script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { bold, oldBold, regular, trueType } from '../../../test/fonts.ts'
import { expect } from '../../../test/visitor.ts'
import { tokenIn } from '../../account/testing/person.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { aKeeper, refused } from '../sites/testing/keeper.ts'

const app = await startApp()

/** A user who may set up sites, with a site and the path of the fonts. */
async function setUp() {
  const set = await aKeeper(app)
  const { org, who, keeper } = set
  const at = `/app/o/${org.id}/fonts`
  const api = `/v1/orgs/${org.id}/fonts`
  const send = async (name: string, files: [string, Buffer<ArrayBuffer>, string][], person = keeper) =>
    person.submitFiles(await keeper.get(at), at, { name }, files)
  const made = async (name = 'Acme') => {
    const answer = await send(name, [['Acme.woff2', regular, 'face-400']])
    assert.equal(answer.status, 303, answer.text)
    return answer.location!.replace(/\?.*/, '')
  }
  const fonts = async () => expect(await who.get(api), 200).items
  return { ...set, at, fonts, send, made }
}

test('a font can be uploaded with several files, shown in a line of text, renamed, changed and deleted', async () => {
  const { keeper, at, fonts } = await setUp()
  const files: [string, Buffer<ArrayBuffer>, string][] = [
    ['Acme-Regular.woff2', regular, 'face-400'],
    ['Acme-Bold.woff', oldBold, 'face-700'],
    ['', Buffer.alloc(0), 'face-500'],
  ]
  const empty = await keeper.get(at)
  const [one, two] = await Promise.all([1, 2].map(() => keeper.submitFiles(empty, at, { name: ' Acme <b> ' }, files)))
  assert.deepEqual([one!.status, two!.status, one!.location], [303, 303, two!.location])
  const [font, ...others] = await fonts()
  assert.deepEqual([font.fontFamily, others.length], ['Acme <b>', 0])
  const path = `${at}/${font.id}`
  const { text } = await keeper.follow(one!)
  assert.match(text, /Font uploaded/)
  assert.match(text, /Bold \(700\)<\/strong>[^]*Acme-Bold\.woff, 14 KB/)
  const [, sheet] = /<link rel="stylesheet" href="([^"]*faces\.css)"/.exec(text)!
  const css = await keeper.get(sheet!)
  for (const [, file] of css.text.matchAll(/url\(([^)]+)\)/g)) assert.equal((await keeper.get(file!)).status, 200)
  assert.ok(text.includes(`data-font="${font.id}" data-weight="700"`) && css.text.includes(`[data-font='${font.id}']`))
  assert.ok(!css.text.includes('Acme'), 'what people typed is in no style sheet')
  assert.match((await keeper.get(at)).text, /Acme &lt;b&gt;<\/strong>[^]*2 weights, 25 KB/)

  const form = async (action: string, fields: Record<string, string>) =>
    keeper.submit(await keeper.get(path), `${path}/${action}`, fields)
  assert.match((await keeper.follow(await form('title', { title: 'Acme Text', seen: 'Acme <b>' }))).text, /Renamed\./)
  refused(await form('title', { title: ' ' }), 400, /^The name/)
  refused(await form('title', { title: 'Mine', seen: 'Acme' }), 409, /renamed it to “Acme Text”/)

  const add = async (weight: string, name: string, bytes: Buffer<ArrayBuffer>) =>
    keeper.submitFiles(await keeper.get(path), `${path}/faces`, { weight }, [[name, bytes, 'face']])
  assert.match((await keeper.follow(await add('300', 'Light.woff2', bold))).text, /File uploaded/)
  assert.equal((await add('700', 'Bold.woff2', bold)).status, 303)
  refused(await add('300', 'a.ttf', trueType), 409, /^a\.ttf is a TrueType/)
  refused(await add('12', 'a.woff2', bold), 409, /Choose which weight/)
  refused(await add('300', 'a.woff2', Buffer.alloc(2_100_000)), 413, /too large/)
  const [changed] = await fonts()
  assert.deepEqual(
    changed.fontFaces.map(({ weight, sources }: any) => `${weight} ${sources[0].format}`),
    ['300 woff2', '400 woff2', '700 woff2'],
  )
  const { text: now } = await keeper.get(path)
  const seen = /name="weight" value="300" \/>\s*<input type="hidden" name="seen" value="([^"]+)"/.exec(now)![1]!
  refused(await form('faces/delete', { weight: '300', seen: 'x' }), 409, /replaced this file/)
  assert.match((await keeper.follow(await form('faces/delete', { weight: '300', seen }))).text, /Weight deleted/)
  const hash = changed.fontFaces[1].sources[0].url.split('/').at(-1).split('.')[0]
  refused(await form('faces/delete', { weight: '400', seen: hash }), 400, /^A font must have the weight 400/)

  const opened = await keeper.get(path)
  const [gone, again] = await Promise.all([1, 2].map(() => keeper.submit(opened, `${path}/delete`, {})))
  assert.deepEqual([gone!.location, again!.location], [`${at}?done=deleted`, `${at}?done=deleted`])
  assert.deepEqual(await fonts(), [])
})

test('fonts are listed by their own names, and those that are not included are marked', async () => {
  const { keeper, path } = await setUp()
  const { text } = await keeper.get(`${path}/look`)
  const nameOf = (font: string) => new RegExp(`<option value="${font}"[^>]*>([^<]*)<`).exec(text)?.[1]
  assert.equal(nameOf('JetBrainsMono'), 'JetBrains Mono')
  assert.equal(nameOf('IBMPlexMono'), 'IBM Plex Mono')
  for (const font of ['Ubuntu', 'ABCFavorit']) assert.match(nameOf(font)!, /\(if the reader’s device has it\)/)
})

test("the organization's fonts are sorted by name where a font is chosen", async () => {
  const { keeper, path, made } = await setUp()
  for (const name of ['acme 10', 'Bolt', 'Acme 9']) await made(name)
  const [own] = /<optgroup label="Your own">[^]*?<\/optgroup>/.exec((await keeper.get(`${path}/look`)).text)!
  const names = [...own.matchAll(/<option [^>]*>([^<]*)/g)].map(([, name]) => name)
  assert.deepEqual(names, ['Acme 9', 'acme 10', 'Bolt'])
})

test('a look can use fonts of the organization, which cannot be deleted then', async () => {
  const { keeper, path, save, look, made, reader, address, site } = await setUp()
  const font = await made('Acme <i>')
  const id = font.split('/').at(-1)!
  assert.equal((await save({})).status, 303)
  assert.equal((await look()).styling.font, 'Inter', 'who touches nothing changes nothing')
  assert.equal((await save({ font: id, headingFont: 'Lato', codeFont: id })).status, 303)
  const { styling } = await look()
  assert.deepEqual([styling.font.id, styling.headingFont, styling.monospaceFont.id], [id, 'Lato', id])
  const page = (await keeper.get(`${path}/look`)).text
  assert.match(page, /<optgroup label="Your own">\s*<option value="[^"]+" selected>Acme &lt;i&gt;/)
  assert.match((await reader.get(address)).text, /~\/assets\/own\/[0-9a-f]{64}\.woff2" as="font"/)
  assert.equal((await save({})).status, 303)
  assert.deepEqual((await look()).styling, styling)

  const { title } = expect(await site.who.get(site.path), 200)
  const opened = await keeper.get(font)
  assert.ok(opened.text.includes(`Used by: “${title}”`) && !opened.text.includes('Delete this font'))
  refused(await keeper.post(`${font}/delete`, tokenIn(opened)), 409, /Choose/)

  const before = await keeper.get(`${path}/look`)
  await save({ font: 'Lato', headingFont: '', codeFont: 'FiraCode' })
  const then = (await look()).styling
  assert.deepEqual([then.font, then.headingFont, then.monospaceFont], ['Lato', undefined, 'FiraCode'])
  refused(await save({ font: 'Roboto' }, before), 409, /the font \(now “Lato”\)/)
  refused(
    await save({ font: '01990000-0000-7000-8000-000000000000' }),
    400,
    /^The font is not a font of this organization/,
  )
  refused(await save({ codeFont: 'Lato' }), 400, /^The font of code must be one of/)
})

test('a file that is not a font is refused with a message that names it, and the name stays in the form', async () => {
  const { org, send, fonts, at } = await setUp()
  const bad: [string, [string, Buffer<ArrayBuffer>, string][], number, RegExp][] = [
    ['Acme', [['a.ttf', trueType, 'face-400']], 409, /^a\.ttf is a TrueType or OpenType font/],
    ['Acme', [['a.woff2', Buffer.from('<p>'), 'face-400']], 409, /^a\.woff2 is not a WOFF2 or WOFF font/],
    ['Acme', [['a.woff2', regular.subarray(0, 500), 'face-400']], 409, /^a\.woff2 is damaged/],
    ['Acme', [['a.woff2', regular, 'face-700']], 400, /^A font must have the weight 400/],
    ['Acme', [['a.woff2', regular, 'face-401']], 409, /Choose the files on this page/],
    ['Acme', [], 409, /Choose at least one file/],
    [
      'Acme',
      [
        ['a.woff2', regular, 'face-400'],
        ['b.woff2', bold, 'face-400'],
      ],
      400,
      /^A font: may have one file/,
    ],
    ['', [['a.woff2', regular, 'face-400']], 400, /^The name/],
  ]
  for (const [name, files, status, reason] of bad) {
    const answer = await send(name, files)
    refused(answer, status, reason)
    assert.ok(answer.text.includes(`name="name" value="${name}"`))
  }
  const member = await signedIn(app, await org.member('edit'))
  assert.equal((await member.get(at)).location, `/app/o/${org.id}/sites`)
  assert.equal((await send('Acme', [['a.woff2', regular, 'face-400']], member)).status, 403)
  assert.deepEqual(await fonts(), [])
})
