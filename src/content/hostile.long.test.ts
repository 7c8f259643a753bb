import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as hast from 'hast'
import fc from 'fast-check'
import { assertLinear } from '../../test/growth.ts'
import { limits } from './limits.ts'
import { everyBlock } from './blocks.ts'
import { fromDocument } from './from-document.ts'
import { isTooDeep } from './html/fragment.ts'
import { links } from './links.ts'
import { toHast } from './markdown/parser.ts'
import { splitPage } from './page/split.ts'
import { parse } from './parse.ts'
import { sections } from './sections.ts'
import { toDocument } from './to-document.ts'
import { toHtml } from './to-html.ts'
import { write } from './write.ts'

const repeat = (piece: string) => (length: number) => piece.repeat(Math.ceil(length / piece.length))
const around = (open: string, close: string) => (length: number) => repeat(open)(length / 2) + repeat(close)(length / 2)

const inputs: Record<string, (length: number) => string> = {
  brackets: repeat('[a]('),
  'image brackets': repeat('!['),
  links: repeat('[a](b) '),
  'a title of links': (length) => `[a](b "${repeat('](')(length)}")`,
  quotes: repeat('>'),
  'quotes and lists': repeat('> - 1. '),
  'nested lists': repeat('- a\n  - b\n    - c\n'),
  'open tags': repeat('{% hint %}\n'),
  'closed tags': around('{% hint %}\n', '{% endhint %}\n'),
  'closing tags': repeat('{% endhint %}\n'),
  'broken tags': repeat('{% '),
  'broken tags in lines': (length) => `${repeat('{%\n')(length)}%}`,
  'tags beside text': repeat('{% hint %} a {% endhint %}\n'),
  'open tags beside text': repeat('{% hint %} a\n'),
  'closed tags beside text': around('{% hint %} a\n', 'a {% endhint %}\n'),
  'tags beside tags': around('{% hint %}', '{% endhint %}'),
  'tags beside code': repeat('{% hint %} ``` {% endhint %}\n\n'),
  'html above tags': repeat('<div>\n{% hint %}\n'),
  details: around('<details>\n\n', '</details>\n\n'),
  'nested html': repeat('<summary>'),
  'open html': repeat('<a href="'),
  backticks: (length) => Array.from({ length: length / 150 }, (_, at) => '`'.repeat((at % 290) + 1)).join('a'),
  'less than': repeat('<'),
  stars: repeat('*a _b '),
  'nested stars': around('*', '*'),
  'low lines': repeat('_a'),
  'wide tables': (length) => ['|a', '|-', '|b'].map((cell) => repeat(cell)(length / 3)).join('\n'),
  'long tables': (length) => `|a|b|\n|-|-|\n${repeat('|x|y|\n')(length)}`,
  'addresses in cells': (length) => `|a|b|\n|-|-|\n${repeat('|http://a|http://b|\n')(length)}`,
  'cells of addresses': (length) => ['|http://a', '|-', '|http://a'].map((cell) => repeat(cell)(length / 3)).join('\n'),
  'blanks before a cell': (length) => `http://a\n${repeat(' ')(length)}a|`,
  'blanks behind the marks of a table': (length) => `http://a\n|-${repeat(' ')(length)}a`,
  math: repeat('$$a '),
  'marks beside é': repeat('é[*a* '),
  'cells of é': (length) => ['|é', '|-', '|é'].map((cell) => repeat(cell)(length / 3)).join('\n'),
  entities: repeat('&amp;'),
  'entities in lines': repeat('| &lt; |\n'),
  'addresses among tags': repeat('[<b> www.a '),
  'signs behind an address': (length) => `https://a${repeat('.,')(length)}b`,
  expressions: repeat('{{ a '),
  emoji: repeat('\\:rocket:'),
  headings: repeat('# a\n'),
  'front matter': (length) => `---\n${repeat('a: &a [')(length)}`,
  'a title of marks': (length) => `# ${repeat(' #')(length)}x`,
  'blanks in a title': (length) => `# a${repeat(' ')(length)}b`,
  'blanks in a width': (length) =>
    `{% columns %}\n{% column width="1${repeat(' ')(length / 4)}x!" %}\na\n{% endcolumn %}\n{% endcolumns %}\n`,
  'quotes in a footnote': (length) => `x[^1]\n\n[^1]: ${repeat('>')(length)}`,
  'footnotes that name each other': (length) =>
    Array.from({ length: length / 100 }, (_, at) => `[^${at}]: [^${at + 1}]\n\n`).join(''),
}

for (const [name, make] of Object.entries(inputs)) {
  test(`processing ${name} takes linear time`, () => assertLinear((length) => everything(make(length)), 100_000))
}

function everything(source: string): void {
  const document = parse(source)
  toHtml(document.blocks)
  toDocument(document.blocks)
  links(document)
  sections(document)
  splitPage(source)
}

const nested: Record<string, string> = {
  'a comment that ends at once': `<!-->${'<div>'.repeat(2_000)}`,
  'a comment that ends with !': `<!-- --!>${'<div>'.repeat(2_000)}`,
  'names of another kind': '<x_y>'.repeat(2_000),
  'attributes without a name': '<div =>'.repeat(2_000),
  'other ends': '<div></b>'.repeat(2_000),
  'ends in a style': '<div><style></div></style>'.repeat(2_000),
  'ends in an attribute': '<div title="</div>">'.repeat(2_000),
  'a title of a drawing': `<svg><title>${'<div>'.repeat(2_000)}</title></svg>`,
  'an end in an attribute of such a title': `<svg><title><a title="</title><!--">${'<div>'.repeat(2_000)}-->`,
  'elements of a drawing that are empty elsewhere': `<svg>${'<source>'.repeat(2_000)}<div>`,
  'ends in a cell of what is around it': '<div><table><tr><td></div></td></tr></table>'.repeat(2_000),
  'ends in a block of what is around it': '<span><div></span></div>'.repeat(2_000),
  'ends in a choice': '<div><select></div></select>'.repeat(2_000),
  'ends of forms that are forgotten': '<form><table><tr><td></form></td></tr></table></form><div>'.repeat(2_000),
  'ends of bold that is forgotten': '<b><b><b><b><div></b></b></b></b></div>'.repeat(2_000),
  'ends in what nobody writes any more': '<span>x<isindex></span></isindex><div></div>'.repeat(2_000),
  'letters that have a case elsewhere only': '<div><lin\u212A>'.repeat(2_000),
}

for (const [name, html] of Object.entries(nested)) {
  test(`HTML that is nested too deep is recognized and shown as text: ${name}`, () => {
    assert.ok(isTooDeep(html))
    assert.ok(toHtml(parse(`<div>\n${html}\n`).blocks).includes('&lt;div&gt;'))
  })
}

test('HTML with many closed tags, comments, frames and drawings does not count as too deep', () => {
  const cell = '<td><a href="x"><img src="y"/><br><b>N</b></a><iframe src="a"></iframe><svg><title>A</title></svg></td>'
  assert.ok(!isTooDeep(`<table>${`<tr>${cell}<!-- c - d --></tr>`.repeat(1_000)}</table> 1 < 2`))
})

const written: Record<string, string> = {
  'comments with dashes': '<!-- a -- b --><!------ c ------><!--- d --->',
  'no blank between attributes': '<a href="x"class="y">a</a>',
  'an address without quotes': '<a href=/x?a=b&c=d>a</a>',
  'names with a colon': 'a<o:p></o:p>',
  'a picture for those without script': '<noscript><img src="x"></noscript>',
  'a field with tags in it': '<textarea><div></textarea>',
  'a slash': '<br / ><img src="x" / alt="y">',
}

for (const [name, html] of Object.entries(written)) {
  test(`a large HTML table does not count as too deep: ${name}`, () => {
    for (const cell of [`<td>${html}</td>`, `<td>${html}`])
      assert.ok(!isTooDeep(`<table>${`<tr><th>A</th>${cell}</tr>`.repeat(1_000)}</table>`))
  })
}

test('HTML without optional closing tags does not count as too deep', () => {
  for (const part of ['<li>a', '<dt>a<dd>b', '<p>a', '<tr><td>a<td>b', '<tr><th>a</td>'])
    assert.ok(!isTooDeep(part.repeat(1_000)), part)
})

const inTables = [
  '<p>a</td>',
  '<h4>a</td>',
  '<ul><li>a</ul></td>',
  '<b>a</td>',
  '<p>a<td><p>b',
  '<table><tr><td>a</table>',
]

test('HTML whose optional closing tags are left out does not count as too deep if what is around them is closed', () => {
  for (const part of [
    '<ul><li>a</ul>',
    '<ol><li><p>a<li>b</ol>',
    '<dl><dt>a<dd>b</dl>',
    '<section><h2>a</h2><p>b</section>',
  ])
    assert.ok(!isTooDeep(part.repeat(1_000)), part)
  for (const part of inTables) {
    const html = `<table>${`<tr><td>${part}</tr>`.repeat(1_000)}</table>`
    assert.ok(!isTooDeep(html), part)
    assert.ok(!toHtml(parse(html).blocks).includes('&lt;'), part)
  }
})

const ignored = {
  'a paragraph that a block has closed': '<p><div></p>',
  'another heading that is closed already': '<h1><h2></h2><div></h1>',
  'cells without a table': '<td><ul></td>',
  'cells of another table': '<table><tr><td><table><tr><ul></td></table>',
  'items behind a heading': '<li><h1>a<h2>b</h2><div><li></li></li>',
  'blocks between rows': '<table><ul></table>',
  forms: '<form><div></form>',
  'items that an end closes in passing': '<form><li></form><div></li>',
}

for (const [name, part] of Object.entries(ignored)) {
  test(`HTML is never nested deeper than it seems: ${name}`, () => {
    const html = part.repeat(2_000)
    assert.ok(isTooDeep(html) || depthOf(toHast(html)) <= 512)
  })
}

function depthOf(tree: hast.Nodes): number {
  let depth = 0
  for (let level: hast.Nodes[] = [tree]; level.length > 0; depth++)
    level = level.flatMap((node) => ('children' in node ? node.children : []))
  return depth
}

test('a large HTML table does not count as too deep beside a doctype, stray characters or an unclosed tag', () => {
  const table = `<table>${'<tr><td>a</td></tr>'.repeat(1_000)}</table>`
  for (const beside of ['<!DOCTYPE html>', '<?xml version="1.0"?>', '</>', 'a <b', '<a@b.c>', '<style>a > b'])
    for (const html of [beside + table, table + beside]) assert.ok(!isTooDeep(html), beside)
})

test('any mix of HTML tags is rendered, in less than 60 times its length', () => {
  const tags = 'a b i p div span ul li dl dd table tr td th caption select option button form object svg title math mi'
  const pieces = tags.split(' ').flatMap((name) => [`<${name}>`, `<${name}>`, `</${name}>`])
  const parts = fc.array(fc.constantFrom(...pieces, 'x', '<b id=1>', '<br>', '<!-- -->'), {
    minLength: 1,
    maxLength: 9,
  })
  const seed = Number(process.env.TEST_SEED ?? Date.now())
  fc.assert(
    fc.property(parts, (part) => {
      const html = part.join('').repeat(400)
      assert.ok(isTooDeep(html) || depthOf(toHast(html)) <= 512)
      const shown = toHtml(parse(`<div>\n${html}\n`).blocks)
      assert.ok(shown.length < 60 * html.length)
    }),
    { seed, numRuns: 150 },
  )
})

test('measuring how deep HTML is nested takes linear time', () => {
  for (const part of ['<a b', '<a ="', '</div>', '<div a=b c>', '<style></', '<b><p>', '<!--', '<td>', '<svg><title>'])
    assertLinear((length) => isTooDeep(part.repeat(length)), 40_000)
  assertLinear((length) => isTooDeep(`${'<br>'.repeat(300)}<script>${'<!--'.repeat(length)}`), 16_000)
  const full = '<div>'.repeat(250)
  for (const part of ['<p></b>', '<b></b>', '<span></span>', '</div><div>', '<table></div></table>'])
    assertLinear((length) => isTooDeep(`<b>${full}${part.repeat(length)}`), 16_000)
})

test('tags left open in HTML do not make a page many times as long', () => {
  const left = (count: number) => Array.from({ length: count }, (_, at) => `<b id=${at}>`).join('')
  for (const count of [2, 20, 200]) {
    const source = `<div><p>${left(count)}</p>${'<p>x</p>'.repeat(20_000)}</div>\n`
    assert.ok(toHtml(parse(source).blocks).length < 20 * source.length, `${count} of them`)
  }
})

test('tags closed where the parser ignores it do not make a page many times as long', () => {
  for (const [begin, end] of [
    ['<object>', '</object>'],
    ['<div>'.repeat(9), '</div>'.repeat(9)],
  ] as const) {
    const left = Array.from({ length: 200 }, (_, at) => `<p><b id=${at}>${begin}</b>${end}</p>`).join('')
    const source = `<div>${left}${'<p>x</p>'.repeat(20_000)}</div>\n`
    assert.ok(toHtml(parse(source).blocks).length < 20 * source.length, begin)
  }
})

test('rewriting a table takes time linear in the length of its source', () => {
  assertLinear((length) => {
    const document = parse(
      `<table>\n<!--\n${'-'.repeat(length)}x\n-->\n<tr><td>a</td></tr>\n<tr><td>b</td></tr></table>\n`,
    )
    const [table] = document.blocks
    assert.ok(table?.type === 'table')
    write({ ...document, blocks: [{ ...table, rows: table.rows.slice(1) }] })
  }, 40_000)
})

const frontMatters: Record<string, (length: number) => string> = {
  'open lists': (length) => `a: ${repeat('[\n')(length)}`,
  'open maps': (length) => `a: ${repeat('{\n')(length)}`,
  'lists in a list': (length) => `a: [${repeat('[]')(length)}]`,
  'names of nothing': (length) => `a:\n  - ${repeat('* \n')(length)}`,
  names: (length) => `a: ${repeat('&a ')(length)}`,
  keys: (length) => Array.from({ length: length / 8 }, (_, at) => `k${at}: x\n`).join(''),
}

for (const [name, make] of Object.entries(frontMatters)) {
  test(`reading front matter with many ${name} takes linear time`, () =>
    assertLinear((length) => splitPage(`---\n${make(length)}\n---\n`), 60_000))
}

test('reading front matter with nested maps takes linear time', () =>
  assertLinear((length) => splitPage(`---\na: ${'{'.repeat(length)}x${'}'.repeat(length)}\n---\n`), 400))

test('reading front matter with nested keys takes linear time', () =>
  assertLinear((length) => splitPage(`---\na:\n  ${repeat('? ')(length)}x\n---\n`), 800))

test('front matter that is nested too deep to be read is text, and no error', () => {
  const nested = ['- '.repeat(30_000), '? '.repeat(30_000), '{>>: ~$$'.repeat(3_500) + '[{{'.repeat(9_000)]
  for (const deep of nested) assert.equal(splitPage(`---\na:\n  ${deep}x\n---\n`).original, '')
})

const leaf = (text: string, ...marks: string[]) => ({
  object: 'leaf',
  text,
  marks: marks.map((type) => ({ object: 'mark', type })),
})
const block = (type: string, ...leaves: object[]) => ({ object: 'block', type, nodes: [{ object: 'text', leaves }] })

const documents: Record<string, (length: number) => object> = {
  'bold blanks': (length) => block('paragraph', leaf(`x${' '.repeat(length)}x`, 'bold')),
  'blanks in code': (length) => block('paragraph', leaf(`x${' '.repeat(length)}x`, 'code')),
  'blanks in a heading': (length) => block('heading-1', leaf(`x${' '.repeat(length)}x`)),
  'line breaks': (length) => block('heading-1', leaf(' \n'.repeat(length / 4))),
  leaves: (length) =>
    block('paragraph', ...Array.from({ length: length / 10 }, (_, at) => leaf('x', ...(at % 2 ? ['bold'] : [])))),
}

for (const [name, make] of Object.entries(documents)) {
  test(`converting a document with many ${name} takes linear time`, () =>
    assertLinear((length) => fromDocument({ object: 'document', nodes: [make(length)] }), 100_000))
}

test('nesting beyond the limit is kept as text, and no byte is lost', () => {
  for (const source of [
    '> '.repeat(500) + 'x',
    '- '.repeat(500) + 'x',
    around('{% hint %}\n', '{% endhint %}\n')(40_000),
  ]) {
    const document = parse(source)
    assert.equal(write({ ...document, blocks: [...document.blocks] }), source)
    assert.ok([...everyBlock(document.blocks)].some((block) => block.type === 'raw'))
    everything(source)
  }
})

test('a single text with very many parts is read like any other', () => {
  const cell = parse(`<table><tr><td>${repeat(':rocket: ')(limits.sourceBytes - 100)}</td></tr></table>`)
  assert.equal(cell.blocks[0]?.type, 'table')
  const read = fromDocument({ object: 'document', nodes: [block('paragraph', leaf('a\n'.repeat(200_000)))] })
  assert.ok('markdown' in read && read.markdown.length > 200_000)
})

test('a source or a table beyond the limit is kept as text', () => {
  assert.equal(parse('a'.repeat(limits.sourceBytes + 1)).blocks[0]?.type, 'raw')
  assert.equal(parse('a'.repeat(limits.sourceBytes)).blocks[0]?.type, 'paragraph')
  const rows = (count: number) => `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(count)}`
  assert.equal(parse(rows(9_999)).blocks[0]?.type, 'table')
  assert.equal(parse(rows(10_000)).blocks[0]?.type, 'raw')
})
