import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from './parse.ts'
import { otherAnchors, outline, sections } from './sections.ts'

test('a section is a heading and its text, and text above the first heading is a section of the page itself', () => {
  const page = parse(
    'Intro\n\n## One\n\n**Text** and `code`\n\n- item\n\n{% tabs %}\n{% tab title="T" %}\n### In a tab\n\nx\n{% endtab %}\n{% endtabs %}',
  )
  assert.deepEqual(
    sections(page).map(({ anchor, level, title, text }) => ({ anchor, level, title, text })),
    [
      { anchor: '', level: 0, title: '', text: 'Intro' },
      { anchor: 'one', level: 2, title: 'One', text: 'Text and code\nitem\nT' },
      { anchor: 'in-a-tab', level: 3, title: 'In a tab', text: 'x' },
    ],
  )
})

test('text under a condition is separate, and text after the condition is no part of a section inside it', () => {
  const page = parse(
    'Intro\n\n* item\n\n  {% if a %}\n  in a\n\n  {% if b %}\n  in b\n  {% endif %}\n  {% endif %}\n\n' +
      '{% if a %}\n## Only a\n\nText\n{% endif %}\n\nAfter\n',
  )
  assert.deepEqual(
    sections(page).map(({ title, text, guarded }) => ({ title, text, guarded })),
    [
      { title: '', text: 'Intro\nitem\nAfter', guarded: ['in a', 'in b'] },
      { title: 'Only a', text: 'Text', guarded: [] },
    ],
  )
})

test('a footnote that is named only under conditions is separate, and any other belongs to the text it follows', () => {
  const page = parse(
    'Intro[^open]\n\n{% if a %}\nin a[^1][^both][^open]\n{% endif %}\n\n{% if b %}\nin b[^both]\n{% endif %}\n\n' +
      '## End\n\nAfter\n\n[^1]: one[^2]\n\n[^2]: two\n\n[^both]: both\n\n[^open]: open\n\n[^free]: free\n',
  )
  assert.deepEqual(
    sections(page).map(({ title, text, guarded }) => ({ title, text, guarded })),
    [
      { title: '', text: 'Intro', guarded: ['in a', 'in b'] },
      { title: 'End', text: 'After\nopen\nfree', guarded: ['one', 'two', 'both'] },
    ],
  )
})

test('anchors are unique, and an id chosen by the author is never numbered', () => {
  const page = parse('# Two\n\n# Two\n\n# Else {#two}\n\n# Two-1\n\n# !\n\n# Zwölf 日本')
  assert.deepEqual(
    outline(page).map((entry) => entry.anchor),
    ['two-1', 'two-2', 'two', 'two-1-1', 'section', 'zwölf-日本'],
  )
})

test('headings also have the anchors of GitBook, where those differ and are free', () => {
  const page = parse(
    '## 1. First step\n\n## Q & A\n\n## Q & A\n\n## Über uns\n\n## 🚀 Launch\n\n## A - B (v2.0)\n\n## Plain\n\n' +
      '## Launch\n\n## 日本\n\n## !\n',
  )
  assert.deepEqual(Object.fromEntries(otherAnchors(outline(page))), {
    '1-first-step': 'id-1.-first-step',
    'q--a': 'q-and-a',
    'q--a-1': 'q-and-a-1',
    'über-uns': 'uber-uns',
    'a---b-v20': 'a-b-v2.0',
  })
})

test('the text of HTML has its characters instead of entities, and neither styles nor scripts', () => {
  const html =
    '<div>\n<style>.a { color: red }</style>\nM&uuml;nchen&nbsp;&mdash; <b>AT&amp;T</b> &lt;b&gt; 3 < 4 <svg/>\nend\n' +
    '<script>run()</script>\n</div>\n'
  assert.deepEqual(
    sections(parse(html)).map(({ text }) => text),
    ['München — AT&T <b> 3 < 4 end'],
  )
})

test('words of blocks in a cell are apart', () => {
  const cells =
    '<td><details><summary>More</summary>text</details></td><td><h3>Title</h3>below<blockquote>said</blockquote></td>'
  const [section] = sections(parse(`<table><tbody><tr>${cells}</tr></tbody></table>\n`))
  assert.deepEqual(section?.text.split(/\s+/), ['More', 'text', 'Title', 'below', 'said'])
})
