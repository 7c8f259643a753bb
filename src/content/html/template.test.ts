import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributes, html, trusted } from './template.ts'

test('all values in a template are escaped, except markup and values marked as trusted', () => {
  const evil = `"><script>'&`
  assert.equal(
    html`<p title="${evil}">${evil}${html`<b>${1}</b>`}${[evil, null]}${false}${trusted('<hr>')}</p>`.toString(),
    '<p title="&quot;&gt;&lt;script&gt;&#39;&amp;">&quot;&gt;&lt;script&gt;&#39;&amp;<b>1</b>&quot;&gt;&lt;script&gt;&#39;&amp;<hr></p>',
  )
  assert.equal(
    attributes({ a: evil, b: undefined, c: true, d: false, e: 0 }).toString(),
    ' a="&quot;&gt;&lt;script&gt;&#39;&amp;" c e="0"',
  )
})

test('line breaks in the source of a template do not appear in its HTML, except as a space between attributes', () => {
  // prettier-ignore
  const markup = html`<a
    class="x"
    href="${'y'}"
  >
    <b>${'z'}</b>
  </a
  >`
  assert.equal(markup.toString(), '<a class="x" href="y" ><b>z</b></a>')
})
