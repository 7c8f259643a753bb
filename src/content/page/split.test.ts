import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinPage, splitHead, splitPage } from './split.ts'

const source = `---
# a comment
description: "Kept   as written"
icon: bolt   # why
layout: { title: { visible: true } }
---

# The *old* title #

Body
`

test('front matter and a leading heading become fields and leave the body', () => {
  const { fields, body, original } = splitPage(source)
  assert.deepEqual(fields, {
    description: 'Kept   as written',
    icon: 'bolt',
    layout: { title: { visible: true } },
    title: 'The old title',
  })
  assert.equal(body, 'Body\n')
  assert.equal(original + body, source)
})

test('unchanged parts of a page keep their bytes, and changed parts are written anew', () => {
  const { fields, body, original } = splitPage(source)
  assert.equal(joinPage(fields, body, original), source)
  assert.equal(joinPage(fields, 'Other\n', original), source.replace('Body', 'Other'))
  assert.equal(
    joinPage({ ...fields, title: 'A new *one*' }, body, original),
    source.replace('The *old* title #', 'A new \\*one\\*'),
  )
  assert.equal(joinPage({ ...fields, icon: 'star' }, body, original), source.replace('bolt   # why', 'star'))
  const { description: _, ...without } = fields
  assert.equal(joinPage(without, body, original), source.replace('description: "Kept   as written"\n', ''))
  assert.equal(
    joinPage({ ...fields, hidden: true }, body, original),
    source.replace('} }\n---', '} }\nhidden: true\n---'),
  )
})

test('a title in the front matter wins over the heading, and a new title replaces it', () => {
  const titled = '---\ntitle: One\n---\n# Two\n\nText'
  const { fields, body, original } = splitPage(titled)
  assert.equal(fields.title, 'One')
  const renamed = splitPage(joinPage({ ...fields, title: 'Three' }, body, original))
  assert.equal(renamed.fields.title, 'Three')
  assert.equal(renamed.body, 'Text')
})

test('a page without an original text gets a new head', () => {
  assert.equal(joinPage({ title: 'T' }, 'Body\n'), '# T\n\nBody\n')
  const made = joinPage({ title: 'T', icon: 'x' }, 'Body\n')
  assert.equal(made, '---\nicon: x\n---\n\n# T\n\nBody\n')
  assert.deepEqual(splitPage(made), {
    fields: { icon: 'x', title: 'T' },
    body: 'Body\n',
    original: '---\nicon: x\n---\n\n# T\n\n',
  })
})

test('windows line breaks and setext headings are kept', () => {
  const windows = '---\r\nicon: a\r\n---\r\n\r\nTitle\r\n=====\r\n\r\nText\r\n'
  const { fields, body, original } = splitPage(windows)
  assert.equal(fields.title, 'Title')
  assert.equal(joinPage({ ...fields, icon: 'b' }, body, original), windows.replace('icon: a', 'icon: b'))
  assert.equal(joinPage({ ...fields, title: 'New' }, body, original), windows.replace('Title\r\n=====', '# New'))
  const head = '---\r\nicon: a\r\n---\r\n'
  assert.equal(joinPage({ icon: 'a', title: 'New' }, 'Text', head), `${head}\r\n# New\r\n\r\nText`)
})

test('the first field of empty front matter is written between its markers', () => {
  for (const head of ['---\n---\n', '---\n\n---\n', '\uFEFF---  \n---\n', '---\r\n---\r\n', '---\n# why\n---\n']) {
    const joined = joinPage({ title: 'T', icon: 'star' }, 'Text\n', `${head}\n# T\n\n`)
    assert.deepEqual(splitPage(joined).fields, { title: 'T', icon: 'star' }, JSON.stringify(joined))
  }
})

test('a head without a last line break does not run into a body of the other side', () => {
  for (const head of ['# T', '---\ntitle: T\n---']) {
    const joined = joinPage({ title: 'T' }, 'Body\n', head)
    assert.equal(joined, `${head}\n\nBody\n`)
    assert.equal(splitPage(joined).body, 'Body\n')
  }
  assert.equal(joinPage({ title: 'T' }, 'Body\n', '# T\n'), '# T\nBody\n')
})

test('front matter with template brackets, or with an alias as a key, is front matter', () => {
  for (const yaml of ['version: {{ version }}\n', 'a: {{ b }}\nc: {{ b }}\n', '? [a, b]\n: c\n', 'a: &x b\n*x : c\n']) {
    const { fields, body } = splitPage(`---\ntitle: Guide\n${yaml}---\nText`)
    assert.deepEqual([fields.title, body], ['Guide', 'Text'], yaml)
  }
})

test('front matter that is no map, is too large or multiplies by aliases stays in the body', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[at]}`).join(',')}]`).join('\n')}\n`
  for (const yaml of ['- a\n', 'a: [\n', `a: ${'x'.repeat(70_000)}\n`, bomb]) {
    const text = `---\n${yaml}---\nText`
    assert.deepEqual(splitPage(text).fields, {})
    assert.equal(splitPage(text).body, text)
  }
})

test('a heading in HTML or after comments is a title, and one with a picture stays in the body', () => {
  for (const [head, title] of [
    ['<h1 align="center">My &amp; <b>own</b><br>title</h1>\n\n', 'My & own title'],
    ['<!-- a -->\n\n<!--\nb\n-->\n# Title\n\n', 'Title'],
    ['---\nicon: x\n---\n<!-- a -->\n<h1>Title</h1>\n', 'Title'],
  ] as const) {
    const { fields, body, original } = splitPage(`${head}Body\n`)
    assert.deepEqual([fields.title, body, original], [title, 'Body\n', head])
    assert.equal(joinPage(fields, body, original), `${head}Body\n`)
    const renamed = joinPage({ ...fields, title: 'New' }, body, original)
    assert.equal(splitPage(renamed).fields.title, 'New')
    assert.equal(renamed.includes('<!-- a -->'), head.includes('<!-- a -->'))
  }
  for (const same of [
    '<h1><img src="a.png"> A</h1>\n',
    '<h1></h1>\n',
    '<h1>A</h1> b\n',
    '<h1>\n\n![A](a.png)\n\n</h1>\n\nB\n',
    `<h1 ${' '.repeat(1_989)}>A</h1> b\n`,
    '<!-- a\n# A\n',
    `<!--${'a'.repeat(20_000_000)}`,
    '<!-- a -->\nb\n',
  ])
    assert.deepEqual(splitPage(same), { fields: {}, body: same, original: '' })
})

test('pictures behind a title begin the body, and the source stays the same to the byte', () => {
  for (const [pictures, more] of [
    ['[![build](a.svg)](https://a.test) ![npm](b.svg "npm")', 'Text\n'],
    ['<a href="https://a.test"><img src="a.svg"></a>', ''],
    ['[![build][1]][2] ![npm]', 'Text\n\n[1]: a.svg\n[2]: https://a.test\n[npm]: b.svg\n'],
  ] as const) {
    const source = `---\nicon: x\n---\n# The *title*  ${pictures}\r\n\r\n${more}`
    const { fields, body, original } = splitPage(source)
    assert.equal(fields.title, 'The title')
    assert.equal(body, `${pictures}\r\n\r\n${more}`)
    assert.equal(original + body, source)
    assert.equal(joinPage(fields, body, original), source)
    assert.equal(joinPage({ ...fields, icon: 'y' }, body, original), source.replace('icon: x', 'icon: y'))
    const renamed = joinPage({ ...fields, title: 'New' }, body, original)
    assert.deepEqual([splitPage(renamed).fields.title, splitPage(renamed).body], ['New', body])
    assert.equal(splitPage(joinPage(fields, 'Other\n', original)).body, 'Other\n')
  }
})

test('pictures stay in a title where taking them out would change the source or another block', () => {
  for (const heading of [
    '# A ![b](c)\nText',
    '# A ![b](c)\n===',
    '# A ![b](c) #\n',
    '# ![b](c) A\n',
    '# A ![b](c) d\n',
  ])
    assert.ok(splitPage(heading).original.includes('![b](c)'), heading)
  assert.equal(splitPage('# A <a href="b"><img src="c">\n').fields.title, 'A')
  assert.equal(splitPage('# A ![b][1]\n').fields.title, 'A ![b][1]', 'nothing says where this picture is')
})

test('a head that was read when pictures were part of the title is still written as it is', () => {
  const original = '# A ![b](c)\n\n'
  assert.deepEqual(splitHead(original).body, '')
  for (const title of ['A b', 'A']) assert.equal(joinPage({ title }, 'Text\n', original), `${original}Text\n`)
  assert.equal(joinPage({ title: 'New' }, 'Text\n', original), '# New\n\nText\n')
})
