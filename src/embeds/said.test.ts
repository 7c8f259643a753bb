import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../test/growth.ts'
import { decodeHtml } from '../imports/reader/decode.ts'
import { saidIn } from './said.ts'

const said = (markup: string) => saidIn(markup, 'https://shop.test/docs/page')

test('the Open Graph title of a page wins over its <title>', () => {
  const markup = `<!doctype html><head><title>Window</title><meta name="description" content="Plain">
    <meta property="og:title" content="Open"><meta property="og:site_name" content="Shop">
    <meta name="twitter:title" content="Bird"><meta property="og:description" content=" Two
      lines "><link rel="shortcut icon" href="../icon.png">`
  assert.deepEqual(said(markup), {
    title: 'Open',
    site: 'Shop',
    description: 'Two lines',
    icon: 'https://shop.test/icon.png',
  })
  assert.deepEqual(said('<title>Window</title>'), { title: 'Window' })
  assert.deepEqual(said('<meta property="og:title" content=""><title> Window </title>'), { title: 'Window' })
  assert.deepEqual(said('<p>Hello</p>'), {})
  assert.deepEqual(said(''), {})
})

test('character references are decoded, and markup in a title is text', () => {
  assert.equal(said('<title>Caf&eacute; &mdash; A&amp;B &#8211; &lt;b&gt;</title>').title, 'Café — A&B – <b>')
  assert.equal(said('<title><script>alert(1)</script></title>').title, '<script>alert(1)</script>')
  assert.equal(
    said(`<meta property=og:title content='"><img src=x onerror=alert(1)>'>`).title,
    '"><img src=x onerror=alert(1)>',
  )
})

test('titles in scripts, styles, drawings, text fields and comments are ignored', () => {
  const fake = '<title>Fake</title><meta property="og:title" content="Fake">'
  for (const around of ['script', 'style', 'noscript', 'template', 'svg', 'textarea'])
    assert.deepEqual(said(`<${around}>"${fake}</${around}><title>Real</title>`), { title: 'Real' }, around)
  assert.deepEqual(said(`<!-- ${fake} --><title>Real</title>`), { title: 'Real' })
  for (const empty of ['<!-->', '<!--->', '<!---->'])
    assert.deepEqual(said(`${empty}<title>Real</title>`), { title: 'Real' }, empty)
})

test('an invisible title is ignored, and so is an icon that cannot be used', () => {
  const unseen = '<meta property="og:title" content="&#x200b;&#xad;&#x2060;"><title>Seen</title>'
  assert.deepEqual(said(unseen), { title: 'Seen' })
  const icons = '<link rel="icon" href="data:,"><link rel="icon" href="/a.png">'
  assert.deepEqual(said(icons), { icon: 'https://shop.test/a.png' })
})

test('a page that declares UTF-16 in ASCII is not decoded as UTF-16', () => {
  const bytes = Buffer.from('<meta charset="utf-16"><title>Café</title>')
  assert.deepEqual(said(decodeHtml(bytes, 'text/html', null)), { title: 'Café' })
})

test('control and bidirectional characters are replaced, and titles and descriptions are cut to a length', () => {
  assert.equal(said('<title>a\u202eb\u0000c\u2028d\u2066e</title>').title, 'a b\ufffdc d e')
  assert.equal(said(`<title>${'x'.repeat(9_000)}</title>`).title?.length, 200)
  assert.equal(said(`<title>${'x'.repeat(199)}😀</title>`).title?.length, 199)
  const description = `<meta name=description content="${'&amp;'.repeat(9_000)}">`
  assert.equal(said(description).description?.length, 400)
})

test('an icon must be a valid http or https address', () => {
  const icon = (href: string, base = '') => said(`${base}<link rel=icon href="${href}">`).icon
  assert.equal(icon('/a.png?x=1&amp;y=2'), 'https://shop.test/a.png?x=1&y=2')
  assert.equal(icon('a.png', '<base href="//cdn.test/x/">'), 'https://cdn.test/x/a.png')
  assert.equal(icon('javascript:alert(1)'), undefined)
  assert.equal(icon('data:image/png;base64,AAAA'), undefined)
  assert.equal(icon(`/${'a'.repeat(3_000)}`), undefined)
  assert.equal(icon('http://['), undefined)
})

test('the time to read a page grows linearly with its length, whatever its markup', () => {
  for (const piece of [
    '<',
    '<title',
    '<title>',
    '<meta ',
    '<meta content="',
    '<script>',
    '</script',
    '<!--',
    '<a b=\'"',
    '&amp;<',
  ])
    assertLinear((length) => said(piece.repeat(length / piece.length)), 400_000)
})
