// What readers get who write in other scripts than English does: addresses, links and search in all scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { newPage } from '../../test/editing.ts'
import { aSite } from '../../test/visitor.ts'

const app = await startApp()

test('an address is found in any Unicode normalization, and redirects to the one of its page', async () => {
  const written = { slug: 'u\u0308bersicht' }
  const site = await aSite(app, {
    pages: [newPage('Start'), newPage('한국어 가이드'), newPage('คำถาม'), newPage('X', { metadata: written })],
  })
  const leads = async (asked: string, to: string) => {
    const { status, location } = await site.browser().get(site.address + encodeURIComponent(asked))
    assert.deepEqual([status, location], [308, site.address + encodeURIComponent(to)], asked)
  }
  assert.equal((await site.browser().get(site.address + encodeURIComponent('한국어-가이드'))).status, 200)
  await leads('한국어-가이드'.normalize('NFD'), '한국어-가이드')
  await leads('ค\u0e4d\u0e32ถาม', 'คำถาม')
  await leads('übersicht'.normalize('NFC'), written.slug)
})

test('a variant path is found in any Unicode normalization, and redirects to its own form', async () => {
  const site = await aSite(app, { pages: [newPage('Start')] })
  const other = await site.who.post(`/v1/orgs/${site.org.id}/spaces`, { title: '日本語ガイド' })
  const made = await site.who.post(`${site.path}/site-spaces`, { spaceId: other.body.id })
  assert.equal(made.status, 201, made.text)
  const { status, location } = await site
    .browser()
    .get(`${site.address}${encodeURIComponent('日本語ガイド'.normalize('NFD'))}/`)
  assert.deepEqual([status, location], [308, `${site.address}${encodeURIComponent('日本語ガイド')}/`])
})

test('an automatic link ends before punctuation and quotes of any language', async () => {
  const text = [
    '请访问https://example.com/a，然后继续。',
    '見る：https://example.com/b。次（https://example.com/c）と「www.example.com/d」です',
    'Siehe „https://example.com/e“ und «https://example.com/f».',
    '中文 https://example.com/g/中文?x=1、<https://example.com/h，i> [j](https://example.com/j，k)',
  ].join('\n\n')
  const site = await aSite(app, { pages: [newPage('Start', { document: { markdown: `# Start\n\n${text}\n` } })] })
  const page = await site.browser().get(site.address)
  const linked = [...page.text.matchAll(/href="(https?:\/\/(?:www\.)?example\.com\/[^"]*)"/g)].map(([, to]) => to)
  assert.deepEqual(linked, [
    'https://example.com/a',
    'https://example.com/b',
    'https://example.com/c',
    'http://www.example.com/d',
    'https://example.com/e',
    'https://example.com/f',
    'https://example.com/g/中文?x=1',
    'https://example.com/h，i',
    'https://example.com/j，k',
  ])
  assert.match(page.text, /<\/a>，然后继续。<\/p>/)
})
