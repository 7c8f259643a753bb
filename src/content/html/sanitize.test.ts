import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse } from '../parse.ts'
import { check } from '../testing/sources.ts'
import { toHtml } from '../to-html.ts'
import { readFragment } from './fragment.ts'
import { sanitize } from './sanitize.ts'
import { serialize } from './serialize.ts'

const safe = (html: string) => serialize(sanitize(readFragment(html)).children).toString()

test('sanitized HTML has no scripts, event handlers, styles, forms, frames or script addresses', () => {
  const attacks = [
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" java\nscript:alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<svg><a xlink:href="javascript:alert(1)">x</a></svg>',
    '<script>alert(1)</script>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<form action="javascript:alert(1)"><input name=x><button formaction="javascript:alert(1)">',
    '<video autoplay src="javascript:alert(1)"></video>',
    '<div style="background:url(javascript:alert(1))">x</div>',
    '<math><mi xlink:href="data:x">x</mi></math>',
    '<details ontoggle=alert(1) open>x</details>',
    '<style>*{x:expression(alert(1))}</style>',
  ]
  for (const attack of attacks) {
    for (const html of [safe(attack), toHtml(parse(attack).blocks), toHtml(parse(`text ${attack}`).blocks)]) {
      assert.doesNotMatch(
        html,
        /javascript:|data:|\son\w+=|<script|<iframe|<svg|<style|style=|<form|<button|autoplay/i,
        html,
      )
    }
  }
  assert.doesNotMatch(
    toHtml(parse('[x](javascript:alert(1)) ![y](data:image/png;base64,x)').blocks),
    /javascript:|data:/,
  )
})

test('sanitizing keeps the figures, tables, text marks and links that authors need', () => {
  const html =
    '<figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt="b" width="10"></picture></figure>' +
    '<table data-view="cards"><thead><tr><th data-card-target="" data-hidden="">x</th></tr></thead></table>' +
    '<p align="center"><kbd>a</kbd><mark>b</mark><sub>c</sub><u>d</u></p><a href="tel:1" title="t">e</a>'
  assert.equal(safe(html), html)
})

test('the id of an element gets a prefix, so that it cannot shadow a global of the page', () => {
  assert.equal(safe('<h2 id="location">x</h2>'), '<h2 id="user-content-location">x</h2>')
})

test('sanitizing again changes nothing', () => {
  const pieces = [
    '<div>',
    '</div>',
    '<a href="x" id="y">',
    '</a>',
    '<b',
    '>',
    '<img src=x onerror=y>',
    '<table>',
    '<td>',
    'text',
  ]
  const more = [
    '<script>',
    '</script>',
    '<svg>',
    '<input type=text>',
    '<!-- c -->',
    '&lt;',
    '"',
    '<p align=left>',
    '<li>',
  ]
  check(
    fc.property(fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 20 }), (parts) => {
      const once = sanitize(readFragment(parts.join('')))
      assert.deepEqual(sanitize(once), once)
    }),
    500,
  )
})
