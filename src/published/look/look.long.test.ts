// How a site looks to its readers: in their language, and in the fonts that it chose.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace } from '../../../test/editing.ts'
import { png } from '../../../test/every-content.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { facesOf, familyOf, firstFile, fontFiles } from './fonts.ts'
import { Looks } from './looks.ts'
import { dayIn, directionOf, fill, wordsFor } from '../words/words.ts'
import { english } from '../words/english.ts'

const app = await startApp()
const page = { operation: 'insert_page', document: { markdown: '# Start\n\n## One\n\nText\n\n## Two\n\nText\n' } }

test('the frame of a page is in the language of its space, with its text direction', async () => {
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
    ['zh', 'ltr', /本页内容/],
    ['zh-tw', 'ltr', /本頁內容/],
  ] as const) {
    expect(await site.who.patch(site.space.path, { language }), 200)
    const text = await read()
    assert.match(text, new RegExp(`<html lang="${language}" dir="${direction}"`))
    assert.match(text, words)
    assert.match(await read('nothing-here'), new RegExp(wordsFor(language).noPage))
  }
})

test('every language has every word with its placeholder, and an unknown language falls back to English', () => {
  for (const language of ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'ja', 'zh', 'zh-tw', 'ko', 'ar', 'he']) {
    const words = wordsFor(language)
    assert.notEqual(words, english, language)
    for (const [name, word] of Object.entries(english)) {
      const said = words[name as keyof typeof english]
      assert.ok(said.trim() !== '' && said.includes('{}') === word.includes('{}'), `${language} ${name}`)
    }
  }
  assert.equal(wordsFor('tlh'), english)
  assert.equal(wordsFor('__proto__'), english)
  assert.equal(wordsFor('zh-CN'), wordsFor('zh'))
  for (const language of ['zh-TW', 'zh-Hant-HK']) assert.equal(wordsFor(language), wordsFor('zh-tw'))
  assert.equal(fill('a {} b', '$&'), 'a $& b')
  assert.deepEqual([directionOf('ar-EG'), directionOf('en')], ['rtl', 'ltr'])
  assert.equal(dayIn('de', new Date('2026-03-01'), 'long'), '1. März 2026')
  assert.equal(dayIn('no such', new Date('2026-03-01'), 'long'), '1 March 2026')
})

test('social accounts are in the header and its drawer or in the footer, and external links open as the site is set', async () => {
  const site = await aSite(app, { pages: [page] })
  const look = expect(await site.who.get(`${site.path}/customization`), 200)
  const socialAccounts = [
    { platform: 'github', handle: '@both', display: { header: true } },
    { platform: 'twitter', handle: 'above', display: { header: true, footer: false } },
    { platform: 'youtube', handle: 'below' },
    { platform: 'youtube', handle: '@named' },
    { platform: 'linkedin', handle: 'no name"><b>', display: { header: true } },
    { platform: 'github', handle: 'no\nname', display: { header: true } },
    { platform: 'slack', handle: 'nowhere', display: { header: true } },
    { platform: 'mastodon', handle: '@tea@social.example' },
    { platform: 'mastodon', handle: 'homeless' },
  ]
  expect(await site.who.put(`${site.path}/customization`, { ...look, socialAccounts }), 200)
  const { text } = await site.browser().get(site.address)
  const part = (name: string) => new RegExp(`<${name} class="(?:head|nav|foot)".*?</${name}>`, 's').exec(text)![0]
  const linked = (html: string) => [...html.matchAll(/href="https:\/\/([^"]+)" rel="noopener me"/g)].map(([, to]) => to)
  for (const name of ['header', 'nav']) {
    assert.deepEqual(linked(part(name)), ['github.com/both', 'x.com/above'], name)
    assert.match(part(name), /aria-label="GitHub"\s*><svg class="i" aria-hidden="true"><use href="#i-github"/)
  }
  assert.deepEqual(linked(part('footer')), [
    'github.com/both',
    'youtube.com/below',
    'youtube.com/@named',
    'social.example/@tea',
  ])
  assert.match(text, /<symbol id="i-github"/)

  // Like all links out of a site, they open in a new tab if the site is set to do so.
  const privacyPolicy = { url: 'https://example.org/privacy' }
  const beside = { ...look, socialAccounts, privacyPolicy, externalLinks: { target: 'blank' } }
  expect(await site.who.put(`${site.path}/customization`, beside), 200)
  const opened = (await site.browser().get(site.address)).text
  const out = [...opened.matchAll(/<a[^>]* href="https:[^>]*>/g)].map(([link]) => link)
  assert.equal(out.length, 9)
  for (const link of out) assert.match(link, /target="_blank"/)
})

test('a footer group is shown to readers who see at least one of its links', async () => {
  const site = await aSite(app)
  const secret = await aLiveSpace(app, site.org)
  expect(await secret.edit(page), 200)
  const added = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: secret.id }), 201)
  const link = { title: 'Inside', to: { kind: 'space', space: secret.id } }
  const out = { title: 'About', to: { kind: 'url', url: 'https://example.com/about' } }
  const groups = [
    { title: 'Members', links: [link] },
    { title: 'Company', links: [out, link] },
  ]
  expect(await site.who.put(`${site.path}/customization`, { footer: { groups } }), 200)
  const titles = async () => {
    const { text } = await site.browser().get(site.address)
    return [...text.slice(text.indexOf('<footer')).matchAll(/<h2>([^<]*)|<li><a[^>]*>([^<]*)/g)].map(
      ([, a, b]) => a ?? b,
    )
  }
  assert.deepEqual(await titles(), ['Members', 'Inside', 'Company', 'About', 'Inside'])
  await site.change({ adaptiveContent: { enabled: true } })
  const condition = 'visitor.claims.plan == "pro"'
  expect(await site.who.patch(`${site.path}/site-spaces/${added.id}`, { condition }), 200)
  assert.deepEqual(await titles(), ['Company', 'About'])
})

test('a site has its own icon, social image and localized title, and opens external links as set', async () => {
  const out = {
    operation: 'insert_page',
    document: { markdown: '# Out\n\n[away](https://example.org/a) [here](/pages/start)\n' },
  }
  const picture = { name: 'cover.png', base64: png, contentType: 'image/png', ref: 'cover' }
  const site = await aSite(app, { pages: [page, out] })
  const to = { kind: 'url', url: 'https://example.org/b' }
  const look = {
    localizedTitle: { en: 'The Book' },
    favicon: { emoji: '1f680' },
    socialPreview: { url: 'https://example.org/card.png' },
    externalLinks: { target: 'blank' },
    header: {
      preset: 'custom',
      backgroundColor: { light: '#ffcc00', dark: '#402000' },
      links: [{ title: 'Shop', to, links: [] }],
    },
  }
  expect(await site.who.put(`${site.path}/customization`, look), 200)
  const read = async (path: string) => (await site.browser().get(site.address + path)).text
  const text = await read('out')
  assert.match(text, /<title>Out · The Book<\/title>/)
  assert.match(text, /<link rel="icon" href="data:image\/svg\+xml,[^"]*%F0%9F%9A%80/)
  assert.match(text, /property="og:image" content="https:\/\/example\.org\/card\.png"/)
  assert.match(text, /<a href="https:\/\/example\.org\/a" rel="noopener" target="_blank">away/)
  assert.match(text, /href="https:\/\/example\.org\/b" rel="noopener" target="_blank">Shop/)
  assert.doesNotMatch(/<a [^>]*>here/.exec(text)![0], /target/)
  assert.match(text, /data-header="custom"/)
  const [, sheet] = /rel="stylesheet" href="([^"]+)"/.exec(text)!
  assert.match((await site.browser().get(sheet!)).text, /--head-fill: #ffcc00; --on-head: #0d0f14/)

  // Other sites do not know where a page is, so they get the absolute address of its picture.
  const { insertedFiles } = expect(await site.space.edit({ operation: 'insert_files', files: [picture] }), 200)
  const cover = { ref: { kind: 'file', file: insertedFiles[0].id } }
  const covered = { operation: 'insert_page', document: { markdown: '# Covered\n' }, metadata: { cover } }
  expect(await site.space.edit(covered), 200)
  assert.match(await read('covered'), /property="og:image" content="https?:\/\/[^"]+\/~\/files\/[^"]+\/cover\.png"/)
})

test('the title of a site is the one for the language of the space in any spelling, and never empty', async () => {
  const site = await aSite(app, { pages: [page] })
  expect(await site.who.patch(site.space.path, { language: 'pt-br' }), 200)
  const called = async (localizedTitle: object) => {
    expect(await site.who.put(`${site.path}/customization`, { title: 'The Book', localizedTitle }), 200)
    return / · ([^<]*)<\/title>/.exec((await site.browser().get(site.address)).text)![1]
  }
  assert.equal(await called({ 'pt-br': 'O livro' }), 'O livro')
  assert.equal(await called({ 'pt-BR': 'O livro' }), 'O livro')
  assert.equal(await called({ 'pt-br': '' }), 'The Book')
  assert.equal(await called({ fr: 'Le livre' }), 'The Book')
})

test('a cover shows the part of its image chosen by the author, in the chosen width', async () => {
  const site = await aSite(app)
  const svg = (width: number, height: number) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`).toString('base64')
  const files = [
    { name: 'tall.svg', base64: svg(1990, 1480), contentType: 'image/svg+xml' },
    { name: 'flat.svg', base64: svg(1990, 200), contentType: 'image/svg+xml' },
  ]
  const { insertedFiles } = expect(await site.space.edit({ operation: 'insert_files', files }), 200)
  const [tall, flat] = insertedFiles.map(({ id }: { id: string }) => ({ kind: 'file', file: id }))
  const address = { kind: 'url', url: 'https://example.org/cover.png' }
  const covered = (title: string, cover: object, layout: object = {}) => ({
    operation: 'insert_page',
    document: { markdown: `# ${title}\n\nWords\n` },
    metadata: { cover, layout },
  })
  const made = await site.space.edit(
    covered('Middle', { ref: tall }),
    covered('Up', { ref: tall, yPos: 300 }),
    covered('Down', { ref: tall, refDark: flat, yPos: -200 }),
    covered('Far', { ref: tall, yPos: 9_000 }),
    covered('Away', { ref: address, yPos: 300 }),
    covered('Across', { ref: tall }, { coverSize: 'full' }),
    covered('None', { ref: tall }, { cover: false, coverSize: 'full' }),
  )
  expect(made, 200)
  const read = async (path: string) => (await site.browser().get(site.address + path)).text
  const places = async (path: string) =>
    [...(await read(path)).matchAll(/<img src="[^"]*\/([^"/]*)" alt=""\s*(?:data-place="(\d+)")?\s*\/>/g)].map(
      ([, name, place]) => `${name} ${place ?? 'middle'}`,
    )
  assert.deepEqual(await places('middle'), ['tall.svg middle', 'tall.svg middle'])
  assert.deepEqual(await places('up'), ['tall.svg 20', 'tall.svg 20'])
  assert.deepEqual(await places('down'), ['tall.svg 70', 'flat.svg middle'])
  assert.deepEqual(await places('far'), ['tall.svg 0', 'tall.svg 0'])
  assert.deepEqual(await places('away'), ['cover.png middle', 'cover.png middle'])
  assert.match(await read('middle'), /<main[^>]*>\s*<div class="cover">/)
  assert.match(await read('across'), /<div class="[^"]* covered">[\s\S]*<div class="cover">[\s\S]*<main/)
  assert.doesNotMatch(await read('none'), /class="cover"|covered/)
})

test('switching the version keeps the page if it exists there, and an unknown address stays in its version', async () => {
  const write = (title: string) => ({ operation: 'insert_page', document: { markdown: `# ${title}\n\nText\n` } })
  const empty = { operation: 'insert_page', type: 'group', metadata: { title: 'Nothing in it' } }
  const site = await aSite(app, { pages: [write('Start'), write('Install'), write('Only new'), empty] })
  const older = await aLiveSpace(app, site.org)
  expect(await older.edit(write('Anfang'), write('Install')), 200)
  expect(await site.who.patch(older.path, { language: 'de' }), 200)
  const { id } = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: older.id }), 201)
  expect(await site.who.patch(`${site.path}/site-spaces/${id}`, { path: 'old' }), 200)
  const read = async (path: string) => (await site.browser().get(site.address + path)).text
  const leadsTo = async (path: string) =>
    /<details class="menu variant">[^]*?<a href="([^"]+)"(?! aria-current)>/.exec(await read(path))![1]
  assert.equal(await leadsTo('install'), `${site.address}old/install`)
  assert.equal(await leadsTo('old/install'), `${site.address}install`)
  assert.equal(await leadsTo('only-new'), `${site.address}old/`)
  assert.equal(await leadsTo(''), `${site.address}old/`)
  assert.match(await read('old/nothing'), /<html lang="de"[^]*Anfang/)
  assert.match(await read('nothing'), /<html lang="en"/)
  assert.doesNotMatch(await read(''), /Nothing in it/)
})

test('links that do not fit in the header are in a menu, and buttons always stay visible', async () => {
  const site = await aSite(app, { pages: [page] })
  const to = { kind: 'url', url: 'https://example.org/' }
  const titles = ['Home page', 'Pricing', 'Community forum', 'Support desk', 'Status', 'Changelog']
  const links = titles.map((title) => ({ title, to, links: [] }))
  const button = { title: 'Sign up', style: 'button-primary', to, links: [] }
  expect(await site.who.put(`${site.path}/customization`, { header: { links: [...links, button] } }), 200)
  const { text } = await site.browser().get(site.address)
  const [head] = /<header class="head"[^]*?<\/header>/.exec(text)!
  const [menu] = /<details class="menu head-menu">[^]*?<\/details>/.exec(head)!
  assert.match(menu, /<summary class="head-link"\s+aria-label="Menu">…/)
  assert.deepEqual(
    [...menu.matchAll(/<span>([^<]*)<\/span>/g)].map(([, title]) => title),
    titles.slice(3),
  )
  const beside = head.replace(menu, '')
  for (const title of [...titles.slice(0, 3), 'Sign up']) assert.ok(beside.includes(`>${title}</a>`), title)
})

test('the look names the code font that readers get, and another one can be chosen', async () => {
  const site = await aSite(app, { pages: [page] })
  const look = `${site.path}/customization`
  const shown = async () => {
    const { text } = await site.browser().get(site.address)
    const [, sheet] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? []
    const css = (await site.browser().get(sheet!)).text
    return [...css.matchAll(/--font-mono: '([^']+)'/g)].at(-1)![1]
  }
  const read = expect(await site.who.get(look), 200)
  assert.deepEqual([read.styling.monospaceFont, await shown()], ['JetBrainsMono', 'JetBrains Mono'])
  expect(await site.who.put(look, { styling: { monospaceFont: 'IBMPlexMono' } }), 200)
  assert.equal(await shown(), 'IBM Plex Mono')
  // The look can be sent back exactly as it was read, and nothing changes.
  const chosen = expect(await site.who.get(look), 200)
  expect(await site.who.put(look, chosen), 200)
  assert.equal(await shown(), 'IBM Plex Mono')
})

test('the fonts chosen for a site are served by it, and no others are loaded', async () => {
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

  // A process that has not drawn any page of the site yet serves the same.
  Object.assign(app.app, { looks: new Looks() })
  assert.equal((await site.browser().get(sheet!)).text, css)
  assert.equal((await site.browser().get(preload!)).status, 200)
})

test('each font family has its files, its licence and an entry in the notices', () => {
  const folder = new URL('../../look/assets/fonts/', import.meta.url)
  const notices = readFileSync(new URL('../../../THIRD-PARTY-NOTICES.md', import.meta.url), 'utf8')
  for (const file of fontFiles) assert.ok(existsSync(new URL(file, folder)), file)
  const files = readdirSync(folder).filter((name) => name.endsWith('.woff2'))
  for (const file of files) {
    const slug = file.replace(/-latin.*$/, '')
    assert.ok(fontFiles.has(file) || /^(?:inter|jetbrains-mono|stix-two-math)-/.test(file), file)
    assert.ok(existsSync(new URL(`LICENSE-${slug}.txt`, folder)), slug)
    assert.ok(notices.includes(`LICENSE-${slug}.txt`), slug)
  }
  assert.equal(familyOf('constructor'), undefined)
  assert.equal(familyOf({ id: 'x' }), undefined)
  assert.equal(firstFile('Ubuntu'), undefined)
  assert.equal(facesOf(['Inter', undefined, { id: 'x' }]), '')
})
