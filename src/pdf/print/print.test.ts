// What fits on a sheet, and what has no place on one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from '../../content/parse.ts'
import { isWide } from './formula-width.ts'
import { printFormula } from './formulas.ts'
import type { PrintedBook } from './nodes.ts'
import { printBook } from './print.ts'

async function printed(title: string, markdown: string): Promise<PrintedBook> {
  const chapter = {
    entry: { entry: 'a', data: { type: 'document', title } },
    depth: 1,
    document: parse(markdown),
    around: { link: () => undefined, file: () => undefined },
  }
  const book = {
    organizationId: '',
    title,
    subtitle: undefined,
    language: 'en',
    isSingle: false,
    async *chapters() {
      yield chapter
    },
  }
  const { data } = await printBook(book, { depth: 10, pictures: true, formulas: true })
  return JSON.parse(Buffer.concat(data).toString())
}

test('a title is as large as others of its kind, unless a word of it would not fit on the sheet', async () => {
  const short = await printed('Internationalization and localization', '')
  assert.deepEqual([short.cover.scale, short.scales], [1, {}])
  const wide = await printed(`The ${'Schifffahrt'.repeat(4)}`, '')
  assert.ok(wide.cover.scale < 0.7 && wide.scales['c0']! < 1, JSON.stringify(wide))
  assert.ok(wide.cover.scale < wide.scales['c0']!)
  const endless = await printed('x'.repeat(400), '')
  assert.match(endless.chapters[0]!.title, /^(x{20}\u200b){19}x/)
  assert.equal(endless.title, 'x'.repeat(400))
})

test('a note is found in whatever case it is named, and of two with one name the first counts', async () => {
  const markdown = 'A[^Cite], again[^cite], B[^b].\n\n[^cite]: Found.\n\n[^b]: First.\n\n[^B]: Second.\n'
  const text = JSON.stringify((await printed('Page', markdown)).chapters[0]!.c)
  assert.match(text, /"t":"note","number":1,[^]*Found\.[^]*"t":"note","number":2,[^]*First\./)
  assert.doesNotMatch(text, /"number":3|Second/)
})

test('scripts, styles and the like are no text, wherever they stand', async () => {
  const book = await printed(
    'Page',
    `Before <script>gone(1)</script> after <style>gone { }</style>.

<script>
gone(2) < 3

gone(3)
</script>

<div>kept<SCRIPT type="module">gone(4)</SCRIPT> too <svg><text>gone</text></svg></div>

# Title <script>gone(5)</script>

| A |
| --- |
| cell <script>gone(6)</script> |

<style>gone {}`,
  )
  const text = JSON.stringify(book.chapters)
  assert.doesNotMatch(text, /gone[ (<]/)
  for (const kept of ['Before ', ' after ', 'kept too', 'Title ', 'cell ']) assert.ok(text.includes(kept), kept)
})

test('a table whose cells span others is a table, and what stands around it in HTML stays', async () => {
  const [chapter] = (
    await printed(
      'Page',
      `<table><caption>Prices</caption>
<tr><th colspan="2">Name</th><th rowspan="2">Price</th></tr>
<tr><th>First</th><th>Last</th></tr>
<tr><td rowspan="9">A</td><td><b>B</b></td><td align="right">1</td></tr>
<tr><td colspan="1000">All</td></tr></table>

<div>Before<table><tr><td colspan="2">x</td></tr></table>after <iframe src="https://a.test/"></iframe></div>`,
    )
  ).chapters
  const words = (c: unknown): string =>
    JSON.stringify(c)
      .match(/(?<="|\b)(?!t|c|text)[A-Z]\w*/g)
      ?.join(' ') ?? ''
  const grid = chapter?.c.find((node) => node.t === 'grid')
  assert.ok(grid?.t === 'grid')
  assert.equal(grid.columns, 3)
  assert.deepEqual(
    grid.cells.map(({ x, y, w, h, isHead, c }) => [words(c), x, y, w, h, isHead]),
    [
      ['Name', 0, 0, 2, 1, true],
      ['Price', 2, 0, 1, 2, true],
      ['First', 0, 1, 1, 1, true],
      ['Last', 1, 1, 1, 1, true],
      ['A', 0, 2, 1, 2, false],
      ['B', 1, 2, 1, 1, false],
      ['', 2, 2, 1, 1, false],
      ['All', 1, 3, 2, 1, false],
    ],
  )
  assert.deepEqual(
    chapter?.c.map(({ t }) => t),
    ['par', 'grid', 'par', 'grid', 'par'],
  )
  assert.match(JSON.stringify(chapter?.c.at(-1)), /after .*https:\/\/a\.test\//)
})

test('a formula is too wide for running text where it has nothing to break at', () => {
  const terms = (count: number) =>
    Array.from({ length: count }, (_, number) => `a_{${number}} x^{${number}}`).join(' + ')
  for (const [formula, expected] of [
    ['a^2 + b^2 = c^2', false],
    [terms(40), false],
    ['abcdefghij'.repeat(8), true],
    [`\\frac{${terms(20)}}{2}`, true],
    [`\\sqrt{${terms(20)}}`, true],
    [`\\begin{pmatrix} ${Array.from({ length: 40 }, () => 'x').join(' & ')} \\end{pmatrix}`, true],
  ] as const) {
    assert.equal(isWide(printFormula(formula)!), expected, formula)
  }
})

test('the items of a list in a cell, and the lines of code, stand on lines of their own', async () => {
  const cells = '<td>See<ul><li>x</li><li>y</li></ul>too</td><td><pre><code>a\n  b\n</code></pre></td>'
  const book = await printed('Page', `<table data-a><tr><th>A</th><th>B</th></tr><tr>${cells}</tr></table>\n`)
  const br = { t: 'br' }
  const [table] = book.chapters[0]!.c
  assert.deepEqual(table?.t === 'table' && table.rows, [
    [
      ['See', br, '• ', 'x', br, '• ', 'y', br, 'too'],
      [{ t: 'mono', text: 'a' }, br, { t: 'mono', text: '\u00a0\u00a0b' }],
    ],
  ])
})

test('columns of a table show what they hold; in many columns, words that are long there may be broken', async () => {
  const book = await printed(
    'Page',
    '<table><thead><tr><th data-type="checkbox">Done</th><th data-type="rating" data-max="3">Stars</th></tr></thead>' +
      '<tbody><tr><td>true</td><td>2</td></tr><tr><td>maybe</td><td>9</td></tr></tbody></table>\n\n' +
      '| A | B | C | D | E | F | G | H |\n| - | - | - | - | - | - | - | - |\n' +
      '| some_long_identifier | `another_long_one` | short | **bold_identifier_too** | e | f | g | h |\n',
  )
  const [typed, wide] = book.chapters[0]!.c
  assert.ok(typed?.t === 'table' && wide?.t === 'table')
  const mono = (text: string) => [{ t: 'mono', text }]
  assert.deepEqual(typed.rows, [
    [mono('☑'), mono('★★☆')],
    [['maybe'], ['9']],
  ])
  const [plain, code, short, bold] = wide.rows[0]!
  assert.deepEqual(plain, ['some_long_i\u200bdentifier'])
  assert.deepEqual(code, mono('another_lon\u200bg_one'))
  assert.deepEqual(short, ['short'])
  assert.deepEqual(bold, [{ t: 'b', c: ['bold_identi\u200bfier_too'] }])
})
