// What a site chooses for its look is what readers get, and stays readable whatever it chooses.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { bundledThemes } from 'shiki/themes'
import { startApp } from '../../../test/app.ts'
import { type TestSite, aSite, expect } from '../../../test/visitor.ts'
import { defaults } from '../../sites/customization/defaults.ts'
import { Customization, type Groups, groups } from '../../sites/customization/schema.ts'
import { codeColours } from './code-themes.ts'
import { contrast, grey, readHex, toOklch } from './colour.ts'
import { themeCss } from './theme.ts'

const app = await startApp()
const markdown = '# Start\n\n[Out](https://example.org/)\n\n```js\nlet a = 1\n```\n'
const pages = ['Start', 'Next'].map((title) => ({
  operation: 'insert_page',
  document: { markdown: markdown.replace('Start', title) },
}))
const to = { kind: 'url', url: 'https://example.org/' }
const link = { title: 'Sign up', to }
const colours = (light: string, dark = light) => ({ light, dark })
const code = (light: string, dark: string) => ({ default: colours(light, dark), openapi: colours(light, dark) })

/** Each setting with a value that is not its default, and what else must be set to see its effect. */
const seen: Record<string, { value: unknown; with?: object }> = {
  title: { value: 'Another' },
  localizedTitle: { value: { en: 'In English' } },
  'styling.theme': { value: 'gradient' },
  'styling.primaryColor': { value: colours('#0f7a5a') },
  'styling.infoColor': { value: colours('#0f7a5a') },
  'styling.successColor': { value: colours('#0f5a7a') },
  'styling.warningColor': { value: colours('#7a0f5a') },
  'styling.dangerColor': { value: colours('#5a0f7a') },
  'styling.tint': { value: { color: colours('#7a5a0f') } },
  'styling.corners': { value: 'straight' },
  'styling.depth': { value: 'flat' },
  'styling.links': { value: 'accent' },
  'styling.icons': { value: 'thin' },
  'styling.font': { value: 'Lato' },
  'styling.headingFont': { value: 'Merriweather' },
  'styling.monospaceFont': { value: 'FiraCode' },
  'styling.background': { value: 'match' },
  'styling.codeTheme.default': { value: colours('nord', 'github-dark') },
  'styling.codeTheme.openapi': { value: colours('nord', 'github-dark') },
  'styling.sidebar.background': { value: 'filled' },
  'styling.sidebar.list': { value: 'pill' },
  'styling.search': { value: 'subtle' },
  'internationalization.locale': { value: 'de' },
  favicon: { value: { emoji: '1f680' } },
  'header.preset': { value: 'none' },
  'header.logo': { value: colours('https://example.org/a.svg') },
  'header.primaryLink': { value: link },
  'header.backgroundColor': { value: colours('#ffcc00'), with: { header: { preset: 'custom' } } },
  'header.linkColor': { value: colours('#ffcc00') },
  'header.links': { value: [{ ...link, links: [] }] },
  'footer.logo': { value: colours('https://example.org/a.svg') },
  'footer.groups': { value: [{ title: 'Company', links: [link] }] },
  'footer.copyright': { value: '© Acme' },
  announcement: { value: { enabled: true, message: 'News', style: 'info' } },
  'themes.default': { value: 'dark' },
  'themes.toggeable': { value: false },
  'pdf.enabled': { value: false },
  'feedback.enabled': { value: true },
  'pagination.enabled': { value: false },
  'pageActions.items': { value: [] },
  'pageActions.markdown': { value: false },
  'externalLinks.target': { value: 'blank' },
  'privacyPolicy.url': { value: 'https://example.org/privacy' },
  'socialPreview.url': { value: 'https://example.org/card.png' },
  socialAccounts: { value: [{ platform: 'github', handle: 'acme' }] },
}

/**
 * Settings that are kept only for API clients: there is nothing here that they could change. The edit link needs a
 * repository.
 */
const unseen = new Set([
  'trademark.enabled',
  'advancedCustomization.enabled',
  'insights.trackingCookie',
  'ai.mode',
  'pageActions.externalAI',
  'git.showEditLink',
])

function settingsIn(schema: object, within: Groups, above = ''): string[] {
  const { properties } = schema as { properties: Record<string, object> }
  return Object.entries(properties).flatMap(([name, field]) =>
    Object.hasOwn(within, name) ? settingsIn(field, within[name]!, `${above}${name}.`) : [above + name],
  )
}

const lookWith = (path: string, value: unknown, around: object = {}): object => {
  const [first, ...rest] = path.split('.')
  const inside = (around as Record<string, object>)[first!]
  return { ...around, [first!]: rest.length === 0 ? value : lookWith(rest.join('.'), value, inside) }
}

async function readWith(site: TestSite, look: object, path = ''): Promise<string> {
  expect(await site.who.put(`${site.path}/customization`, look), 200)
  return (await site.browser().get(site.address + path)).text
}

async function sheetOf(site: TestSite, page: string): Promise<string> {
  return (await site.browser().get(/rel="stylesheet" href="([^"]+)"/.exec(page)![1]!)).text
}

test('every setting of the look changes the page, or is listed as having no effect', async () => {
  const all = settingsIn(Customization, groups)
  assert.deepEqual(all.filter((name) => !unseen.has(name)).toSorted(), Object.keys(seen).toSorted())
  const site = await aSite(app, { pages })
  for (const [name, { value, with: around = {} }] of Object.entries(seen)) {
    const before = await readWith(site, around)
    assert.notEqual(await readWith(site, lookWith(name, value, around)), before, name)
  }
})

test('a site is light by default only if set so, although the API returns light for a site that set nothing', async () => {
  const site = await aSite(app, { pages })
  const look = `${site.path}/customization`
  const theme = async () => /data-theme="(\w+)"/.exec((await site.browser().get(site.address)).text)?.[1] ?? 'system'
  const read = expect(await site.who.get(look), 200)
  assert.deepEqual([read.themes.default, await theme()], ['light', 'system'])
  expect(await site.who.put(look, { ...read, title: 'All of it, as it was read' }), 200)
  assert.equal(await theme(), 'system')
  expect(await site.who.put(look, { title: 'Some of it', themes: { default: 'light', toggeable: true } }), 200)
  assert.equal(await theme(), 'light')
  expect(await site.who.put(look, expect(await site.who.get(look), 200)), 200)
  assert.equal(await theme(), 'light')
})

test('the default tone colours in the API are those of the style sheet', () => {
  const tokens = readFileSync(new URL('../../look/assets/tokens.css', import.meta.url), 'utf8')
  for (const tone of ['info', 'success', 'warning', 'danger'] as const) {
    const [, hue, chroma] = new RegExp(`\\[data-tone='${tone}'\\] {\\s*--tone-h: (.+);\\s*--tone-c: (.+);`).exec(
      tokens,
    )!
    for (const hex of Object.values(defaults.styling[`${tone}Color`])) {
      const said = toOklch(readHex(hex))
      assert.ok(Math.abs(said.h - Number(hue)) < 15 && Math.abs(said.c - Number(chroma)) < 0.06, `${tone} ${hex}`)
    }
  }
})

test('without a header its links and search are in the page tree, and a page without a tree keeps the header', async () => {
  const bare = {
    operation: 'insert_page',
    document: { markdown: '---\nlayout:\n  tableOfContents:\n    visible: false\n---\n\n# Bare\n' },
  }
  const site = await aSite(app, { pages: [...pages, bare] })
  const header = { preset: 'none', primaryLink: link, links: [{ title: 'Shop', to, links: [] }] }
  const text = await readWith(site, { header })
  assert.match(text, /<html[^>]* class="[^"]*no-head/)
  const [nav] = /<nav class="nav"[^]*?<div class="scrim">/.exec(text)!
  assert.match(nav, /<a\s+class="find"\s+href="[^"]*~\/search"\s+data-search/)
  for (const word of ['Shop', 'Sign up']) assert.ok(nav.includes(`>${word}</a>`), word)
  assert.match(
    text,
    /<header class="head">[^]*<a class="btn small primary"\s+href="https:\/\/example\.org\/" rel="noopener"/,
  )
  for (const path of ['bare', 'nothing-here', '~/search']) {
    const other = (await site.browser().get(site.address + path)).text
    assert.match(other, /<header class="head">/)
    assert.doesNotMatch(/<html[^>]*>/.exec(other)![0], /no-head/)
  }
})

test('header links have a contrast of at least 4.5 on every background, whatever colour was chosen', () => {
  const linkColor = colours('#ffee88', '#402000')
  const [white, black] = [readHex('#ffffff'), grey(0.165)]
  for (const [header, theme, light, dark] of [
    [{ linkColor }, 'clean', white, black],
    [{ preset: 'contrast', linkColor }, 'clean', grey(0.2), grey(0.2)],
    [
      { preset: 'custom', linkColor, backgroundColor: colours('#ffcc00') },
      'clean',
      readHex('#ffcc00'),
      readHex('#ffcc00'),
    ],
    [{ preset: 'bold', linkColor }, 'clean', readHex('#0f7a5a'), readHex('#0f7a5a')],
    [{ linkColor }, 'bold', readHex('#0f7a5a'), readHex('#0f7a5a')],
  ] as const) {
    const css = themeCss({ theme, primaryColor: colours('#0f7a5a'), header })
    const [first, second] = [...css.matchAll(/--h-link: (#[0-9a-f]{6})/g)].map(([, hex]) => readHex(hex!))
    assert.ok(contrast(first!, light) >= 4.5 && contrast(second!, dark) >= 4.5, JSON.stringify(header))
  }
})

test('code colours of every theme have a contrast of at least 4.5, on marked lines too', () => {
  const names = Object.keys(bundledThemes)
  assert.ok(names.length > 50)
  for (const name of names) {
    const { isDark, ground, text, tokens } = codeColours(name)!
    for (const [kind, colour] of Object.entries({ text, ...tokens })) {
      for (const behind of [readHex(ground), grey(isDark ? 0.275 : 0.945)])
        assert.ok(contrast(readHex(colour), behind) >= 4.5, `${name} ${kind} ${colour} ${ground}`)
    }
  }
  assert.equal(codeColours('nord')!.ground, '#2e3440')
  for (const name of ['default-light', 'no-such-theme', 'constructor', '../../secret']) {
    assert.equal(codeColours(name), undefined, name)
  }
})

test('a space can have its own code theme, and inherits from the site what it does not set', async () => {
  const site = await aSite(app, { pages })
  expect(await site.who.put(`${site.path}/customization`, { styling: { codeTheme: code('nord', 'nord') } }), 200)
  const own = { styling: { codeTheme: { openapi: colours('monokai') } } }
  expect(await site.who.patch(`${site.path}/site-spaces/${site.siteSpaceId}/customization`, own), 200)
  const css = await sheetOf(site, (await site.browser().get(site.address)).text)
  assert.match(css, /:root\[data-theme='light'\] \.code:not\(\.op \*\) \{ color-scheme: dark; --sunken: #2e3440;/)
  assert.match(css, /:root\[data-theme='dark'\] \.op \.code \{ color-scheme: dark; --sunken: #272822;/)
})

test('a page without copy actions still offers its PDF', async () => {
  const site = await aSite(app, { pages })
  const actions = (text: string) => /<div class="page-actions">[^]*?<\/ul>/.exec(text)?.[0]
  const text = actions(await readWith(site, { pageActions: { items: [] } }))!
  assert.match(text, /~\/pdf\?page=/)
  assert.doesNotMatch(text, /data-copy-page|\.md"/)
  assert.equal(actions(await readWith(site, { pageActions: { items: [] }, pdf: { enabled: false } })), undefined)
})

test('a page shows the MCP address if the site enabled that, and not if the site excludes agents', async () => {
  const site = await aSite(app, { pages })
  const address = `http://lectern.test${site.address}~/mcp`
  const shows = async () => (await site.browser().get(site.address)).text.includes(`data-copy="${address}"`)
  assert.equal(await shows(), false)
  await readWith(site, { pageActions: { items: ['mcp'] } })
  assert.equal(await shows(), true)
  await site.change({ agentsContext: 'excluded' })
  assert.equal(await shows(), false)
})

test('gzipped, the style sheet of a page has at most 20 KB and its scripts at most 30 KB', async () => {
  const site = await aSite(app, { pages })
  const styling = { codeTheme: code('nord', 'monokai'), font: 'Lato', tint: { color: colours('#7a5a0f') } }
  const text = await readWith(site, { styling })
  const weigh = (content: string) => gzipSync(content, { level: 9 }).length
  assert.ok(weigh(await sheetOf(site, text)) <= 20_480)
  const scripts = [...text.matchAll(/<script src="([^"]+)"/g)].map(([, src]) => site.browser().get(src!))
  const all = (await Promise.all(scripts)).map((script) => script.text).join('')
  assert.ok(weigh(all) <= 30_720)
})
