// How a site looks to its readers: in their language, and in the fonts it chose.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { facesOf, familyOf, firstFile, fontFiles } from './fonts.ts'
import { Looks } from './looks.ts'
import { dayIn, directionOf, fill, wordsFor } from './words/words.ts'
import { english } from './words/english.ts'

const app = await startApp()
const page = { operation: 'insert_page', document: { markdown: '# Start\n\n## One\n\nText\n\n## Two\n\nText\n' } }

test('the frame around a page speaks the language of its space, from the side it is read', async () => {
  const site = await aSite(app, { pages: [page] })
  const read = async (path = '') => (await site.browser().get(site.address + path)).text
  assert.match(await read(), /<html lang="en" dir="ltr".*On this page/s)
  for (const [language, direction, words] of [
    ['de', 'ltr', /Auf dieser Seite.*Aktualisiert <time/s],
    ['fr', 'ltr', /Sur cette page/],
    ['ja', 'ltr', /このページの内容/],
    ['ar', 'rtl', /في هذه الصفحة/],
    ['he', 'rtl', /בדף הזה/],
    ['pt-br', 'ltr', /Nesta página/],
  ] as const) {
    expect(await site.who.patch(site.space.path, { language }), 200)
    const text = await read()
    assert.match(text, new RegExp(`<html lang="${language}" dir="${direction}"`))
    assert.match(text, words)
    assert.match(await read('nothing-here'), new RegExp(wordsFor(language).noPage))
  }
})

test('every language has every word, with a place for what is put in, and others are English', () => {
  for (const language of ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'ja', 'zh', 'ko', 'ar', 'he']) {
    const words = wordsFor(language)
    assert.notEqual(words, english, language)
    for (const [name, word] of Object.entries(english)) {
      const said = words[name as keyof typeof english]
      assert.ok(said.trim() !== '' && said.includes('{}') === word.includes('{}'), `${language} ${name}`)
    }
  }
  assert.equal(wordsFor('tlh'), english)
  assert.equal(wordsFor('__proto__'), english)
  assert.equal(wordsFor('zh-TW'), wordsFor('zh'))
  assert.equal(fill('a {} b', '$&'), 'a $& b')
  assert.deepEqual([directionOf('ar-EG'), directionOf('en')], ['rtl', 'ltr'])
  assert.equal(dayIn('de', new Date('2026-03-01'), 'long'), '1. März 2026')
  assert.equal(dayIn('no such', new Date('2026-03-01'), 'long'), '1 March 2026')
})

test('accounts elsewhere stand in the header and its drawer, or in the footer, as the site says', async () => {
  const site = await aSite(app, { pages: [page] })
  const look = expect(await site.who.get(`${site.path}/customization`), 200)
  const socialAccounts = [
    { platform: 'github', handle: '@both', display: { header: true } },
    { platform: 'twitter', handle: 'above', display: { header: true, footer: false } },
    { platform: 'youtube', handle: 'below' },
    { platform: 'linkedin', handle: 'no name"><b>', display: { header: true } },
    { platform: 'slack', handle: 'nowhere', display: { header: true } },
  ]
  expect(await site.who.put(`${site.path}/customization`, { ...look, socialAccounts }), 200)
  const { text } = await site.browser().get(site.address)
  const part = (name: string) => new RegExp(`<${name} class="(?:head|nav|foot)".*?</${name}>`, 's').exec(text)![0]
  const linked = (html: string) => [...html.matchAll(/href="https:\/\/([^"]+)" rel="noopener me"/g)].map(([, to]) => to)
  for (const name of ['header', 'nav']) {
    assert.deepEqual(linked(part(name)), ['github.com/both', 'x.com/above'], name)
    assert.match(part(name), /aria-label="GitHub"\s*><svg class="i" aria-hidden="true"><use href="#i-github"/)
  }
  assert.deepEqual(linked(part('footer')), ['github.com/both', 'youtube.com/below'])
  assert.match(text, /<symbol id="i-github"/)
})

test('a font that a site chose comes along with it, and no other is loaded', async () => {
  const site = await aSite(app, { pages: [page] })
  const look = { styling: { font: 'Lato', headingFont: 'Merriweather', monospaceFont: 'FiraCode' } }
  expect(await site.who.put(`${site.path}/customization`, look), 200)
  const { text } = await site.browser().get(site.address)
  const [, preload] = /<link rel="preload" href="([^"]+)" as="font"/.exec(text) ?? []
  assert.match(preload!, /lato-latin-400-normal\.[0-9a-f]{12}\.woff2$/)
  const [, sheet] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? []
  const css = (await site.browser().get(sheet!)).text
  const named = [...css.matchAll(/url\(([\w.-]+\.woff2)\)/g)].map(([, file]) => file!)
  for (const family of ['lato', 'merriweather', 'fira-code', 'inter']) {
    assert.ok(
      named.some((file) => file.startsWith(family)),
      family,
    )
  }
  assert.ok(!named.some((file) => file.startsWith('roboto')))
  assert.match(css, /--font-body: 'Lato', 'Lato Fallback'/)
  assert.match(css, /font-family: 'Lato Fallback'; src: local\('Arial'\)[^}]*size-adjust/)
  for (const file of [preload!, ...named.map((name) => `${site.address}~/assets/${name}`)]) {
    const font = await site.browser().get(file)
    assert.deepEqual([font.status, font.headers['content-type']], [200, 'font/woff2'], file)
  }
  assert.equal((await site.browser().get(preload!.replace(/\.[0-9a-f]{12}\./, `.${'0'.repeat(12)}.`))).status, 404)

  // A process that has drawn no page of it yet serves the same.
  Object.assign(app.app, { looks: new Looks() })
  assert.equal((await site.browser().get(sheet!)).text, css)
  assert.equal((await site.browser().get(preload!)).status, 200)
})

test('each family has its files, its licence and its place in the notices', () => {
  const folder = new URL('assets/fonts/', import.meta.url)
  const notices = readFileSync(new URL('../../THIRD-PARTY-NOTICES.md', import.meta.url), 'utf8')
  for (const file of fontFiles) assert.ok(existsSync(new URL(file, folder)), file)
  const files = readdirSync(folder).filter((name) => name.endsWith('.woff2'))
  for (const file of files) {
    const slug = file.replace(/-latin.*$/, '')
    assert.ok(fontFiles.has(file) || /^(?:inter|jetbrains-mono)-/.test(file), file)
    assert.ok(existsSync(new URL(`LICENSE-${slug}.txt`, folder)), slug)
    assert.ok(notices.includes(`LICENSE-${slug}.txt`), slug)
  }
  assert.equal(familyOf('constructor'), undefined)
  assert.equal(familyOf({ id: 'x' }), undefined)
  assert.equal(firstFile('Ubuntu'), undefined)
  assert.equal(facesOf(['Inter', undefined, { id: 'x' }]), '')
})
