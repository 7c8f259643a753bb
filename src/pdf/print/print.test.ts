// Tests about what fits on a sheet, and what is left out of the file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Surroundings } from '../book.ts'
import { sheetsOf } from '../testing/book.ts'
import { isWide } from './formula-width.ts'
import { Formulas } from '../../published/blocks/formulas-of-page.ts'
import { printFormula } from './formulas.ts'
import type { PrintedBook } from './nodes.ts'

async function printed(title: string, markdown: string, language = 'en', around?: Surroundings): Promise<PrintedBook> {
  const { data } = await sheetsOf(markdown, { title, language, ...(around && { around }) })
  return JSON.parse(Buffer.concat(data).toString())
}

test('a title has the usual size, unless one of its words would not fit the sheet', async () => {
  const short = await printed('Internationalization and localization', '')
  assert.deepEqual([short.cover.scale, short.scales], [1, {}])
  const wide = await printed(`The ${'Schifffahrt'.repeat(4)}`, '')
  assert.ok(wide.cover.scale < 0.7 && wide.scales['c0']! < 1, JSON.stringify(wide))
  assert.ok(wide.cover.scale < wide.scales['c0']!)
  const endless = await printed('x'.repeat(400), '')
  assert.match(endless.chapters[0]!.title, /^(x{20}\u200b){19}x/)
  assert.equal(endless.title, 'x'.repeat(400))
})

test('printed code has line numbers if its author enabled them, and a diagram has none', async () => {
  const code = (attributes: string, language = 'bash') =>
    `{% code ${attributes} %}\n\`\`\`${language}\none\ntwo\n\`\`\`\n{% endcode %}\n\n`
  const markdown = code('lineNumbers="true"') + code('title="x"') + code('lineNumbers="true"', 'mermaid')
  const nodes = (await printed('Page', markdown)).chapters[0]!.c
  assert.deepEqual(
    nodes.map((node) => node.t === 'code' && node.numbered),
    [true, false, false],
  )
})

test('a printed footnote is matched in any letter case, and the first of two with the same name is used', async () => {
  const markdown = 'A[^Cite], again[^cite], B[^b].\n\n[^cite]: Found.\n\n[^b]: First.\n\n[^B]: Second.\n'
  const text = JSON.stringify((await printed('Page', markdown)).chapters[0]!.c)
  assert.match(text, /"t":"note","number":1,[^]*Found\.[^]*"t":"note","number":2,[^]*First\./)
  assert.doesNotMatch(text, /"number":3|Second/)
})

test('scripts, styles and similar elements are never printed as text', async () => {
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

test('a printed table keeps cells that span others, and text around it in HTML stays', async () => {
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

test('a formula that cannot be broken over lines is too wide for running text', () => {
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
    assert.equal(isWide(printFormula(formula, new Formulas())!), expected, formula)
  }
})

test('list items and lines of code in a printed table cell are on lines of their own', async () => {
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

test('printed checkbox and rating columns show checkboxes and stars, and other values stay text', async () => {
  const book = await printed(
    'Page',
    '<table><thead><tr><th data-type="checkbox">Done</th><th data-type="rating" data-max="3">Stars</th></tr></thead>' +
      '<tbody><tr><td>true</td><td>2</td></tr><tr><td>maybe</td><td>9</td></tr></tbody></table>\n',
  )
  const [typed] = book.chapters[0]!.c
  assert.ok(typed?.t === 'table')
  assert.deepEqual(typed.rows, [
    [mono('☑'), mono('★★☆')],
    [['maybe'], ['9']],
  ])
})

const mono = (text: string) => [{ t: 'mono', text }]
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
const table = (...rows: string[][]) => row(rows[0]!) + row(rows[0]!.map(() => '-')) + rows.slice(1).map(row).join('')

test('each printed column is as wide as its words, and only words too long for any sheet are broken', async () => {
  const letters = [...'ABCDEFGHIJKLMN']
  const long = 'some words that fill a line of their own, and then some more, which is more than there is room for'
  const book = await printed(
    'Page',
    [
      table(['A', 'B'], ['short', 'row']),
      table(['Name', 'Text'], ['`timeoutSeconds`', long]),
      table(
        letters,
        letters.map((_, at) => (at === 3 ? 'x'.repeat(200) : 'epsilon')),
      ),
    ].join('\n'),
  )
  const [short, options, many] = book.chapters[0]!.c
  assert.ok(short?.t === 'table' && options?.t === 'table' && many?.t === 'table')
  assert.equal(short.widths, null)
  assert.ok(options.widths![0]! >= 14 && options.widths![1]! > 3 * options.widths![0]!, String(options.widths))
  assert.deepEqual(options.rows[0], [mono('timeoutSeconds'), [long]])
  assert.ok(many.widths!.every((width) => width >= 7))
  assert.deepEqual(
    many.rows[0]!.filter((_, at) => at !== 3).flat(),
    letters.slice(1).map(() => 'epsilon'),
  )
  assert.match(JSON.stringify(many.rows[0]![3]), /^\["x{7,40}\u200b/)
})

test('a word in capital letters does not run into the next printed column', async () => {
  const name = 'CURLOPT_SOMETHING_VERY_LONG'
  const letters = Array.from({ length: 11 }, () => 'some words here')
  const fits = async (word: string) => {
    const [cells] = (await printed('Page', table(['A', ...letters.map(() => 'B')], [word, ...letters]))).chapters[0]!.c
    assert.ok(cells?.t === 'table')
    const [text] = cells.rows[0]![0] as [string | { t: string; text: string }]
    const longest = (typeof text === 'string' ? text : text.text).split('\u200b').map(({ length }) => length)
    return { room: cells.widths![0]! - 5, longest: Math.max(...longest) }
  }
  // In points, at the font size for this many columns: capitals in text are about 4.1 wide, letters of code 3.2.
  const text = await fits(name)
  assert.ok(text.room >= text.longest * 4.1, JSON.stringify(text))
  const code = await fits(`\`${name}\``)
  assert.ok(code.room >= code.longest * 3.2, JSON.stringify(code))
})

test('printed columns have the widths set by their author, as far as their words leave room', async () => {
  const table = (...widths: (string | undefined)[]) => {
    const head = widths.map((width, at) => `<th${width === undefined ? '' : ` width="${width}"`}>H${at}</th>`).join('')
    const row = widths.map((_, at) => (at === 2 ? '<td>configuration</td>' : '<td>a</td>')).join('')
    return `<table><thead><tr>${head}</tr></thead><tbody><tr>${row}</tr></tbody></table>`
  }
  const book = await printed('Page', [table('100', '400', '20'), table(undefined, '400', undefined)].join('\n\n'))
  const [all, some] = book.chapters[0]!.c
  assert.ok(all?.t === 'table' && some?.t === 'table')
  const [narrow, wide, word] = all.widths!
  assert.ok(wide! > 3 * narrow! && word! > narrow! / 2, String(all.widths))
  assert.deepEqual(all.rows[0]![2], ['configuration'])
  assert.equal(new Set(some.widths!.map(Math.round)).size, 1, String(some.widths))
})

test('a printed line can be broken before a name that begins with a dot', async () => {
  const [text] = (await printed('Page', 'Of `request.number`, `.status` and .env files, in file`.md` ... and so on.'))
    .chapters[0]!.c
  assert.ok(text?.t === 'par')
  assert.deepEqual(text.c, [
    'Of ',
    ...mono('request.number'),
    ', ',
    ...mono('\u200b.status'),
    ' and \u200b.env files, in file',
    ...mono('.md'),
    ' ... and so on.',
  ])
})

test('a printed column gets the room that most of its rows need, not that of its longest line', async () => {
  const line = 'a line of many words that say what it is for, and how, and when it is better to leave it alone'
  const rows = Array.from({ length: 9 }, (_, at) => [
    at === 4 ? 'one name, another name, and yet another name' : 'name',
    line,
  ])
  const [cells] = (await printed('Page', table(['Name', 'Text'], ...rows))).chapters[0]!.c
  assert.ok(cells?.t === 'table')
  assert.ok(cells.widths![1]! > 3 * cells.widths![0]!, String(cells.widths))
  // And no column is wider than it can use.
  const [uneven] = (
    await printed(
      'Page',
      table(['A', 'B'], ...Array.from({ length: 90 }, () => ['some words in a row', 'b']), ['a', line]),
    )
  ).chapters[0]!.c
  assert.ok(uneven?.t === 'table')
  assert.ok(uneven.widths![1]! > 2 * uneven.widths![0]!, String(uneven.widths))
})

test('columns of a printed table have less room in a hint, and less still in nested hints', async () => {
  const cells = table(['A', 'B', 'C'], ['x'.repeat(40), 'y'.repeat(40), 'z'.repeat(40)])
  const broken = async (markdown: string) => {
    const [, first] = /"(x+)\u200b/.exec(JSON.stringify((await printed('Page', markdown)).chapters[0]!.c)) ?? []
    return first!.length
  }
  const hint = (inside: string) => `{% hint style="info" %}\n${inside}\n{% endhint %}\n`
  const [alone, once, thrice] = [cells, hint(cells), hint(hint(hint(cells)))].map(broken)
  assert.ok((await alone!) > (await once!) && (await once!) > (await thrice!))
})

test('a short table row is kept on one sheet, and a long one or one with an image may be split', async () => {
  const book = await printed(
    'Page',
    table(['A', 'B'], ['1', 'words '.repeat(50)], ['2', 'words '.repeat(500)], ['![x](x.png)', '']),
  )
  const [cells] = book.chapters[0]!.c
  assert.deepEqual(cells?.t === 'table' && cells.whole, [true, false, false])
})

test('a table with too many columns for a sheet continues below, with its first column repeated', async () => {
  const names = Array.from({ length: 30 }, (_, number) => `C${number}`)
  const book = await printed('Page', table(names, names))
  const parts = book.chapters[0]!.c.map((part) => (part.t === 'table' ? part.rows[0]!.flat() : []))
  assert.deepEqual(parts, [
    ['C0', ...names.slice(1, 11)],
    ['C0', ...names.slice(11, 21)],
    ['C0', ...names.slice(21)],
  ])
})

test('a small image is printed among the words, a large one on its own line, and in a cell any wider than an icon', async () => {
  const file = (src: string) => {
    const [, width] = /(\d+)\.png$/.exec(src) ?? []
    return { name: src, contentType: 'image/png', size: 1, blob: src, width: Number(width) }
  }
  const [text, cells] = (
    await printed(
      'Page',
      'A ![](16.png) b ![](300.png) c ![](1600.png)\n\n| A |\n| - |\n| ![](16.png) or ![](300.png) |\n',
      'en',
      { link: () => undefined, file },
    )
  ).chapters[0]!.c
  const fits = (words: readonly unknown[]) => words.flatMap((word: any) => (word.t === 'picture' ? [word.fits] : []))
  assert.ok(text?.t === 'par' && cells?.t === 'table')
  assert.deepEqual(fits(text.c), [false, false, true])
  assert.deepEqual(fits(cells.rows[0]![0]!), [false, true])
})

test('a printed list item without a checkbox in a task list has no checkbox', async () => {
  const [first, second] = (await printed('Page', '- [x] Done\n- Only said\n')).chapters[0]!.c
  assert.deepEqual([first?.t === 'task' && first.isDone, second?.t], [true, 'list'])
})

test('tasks with numbers have both: a number and a box', async () => {
  const [list] = (await printed('Page', '1. [x] Done\n2. Only said\n3. [ ] Open\n')).chapters[0]!.c
  assert.ok(list?.t === 'numbers')
  const boxes = list.items.map(([first]) => (first?.t === 'task' ? first.isDone : undefined))
  assert.deepEqual(boxes, [true, undefined, false])
})

test('the PDF has colours, labels of folds, and dates as on the page, and a diagram is labelled as one', async () => {
  const source =
    '<mark style="color:red;">a</mark> <mark style="background-color:green;">b</mark>\n\n' +
    '<details>\n\nInside\n\n</details>\n\n' +
    '{% updates %}\n{% update date="2026-11-12" %}\nText\n{% endupdate %}\n{% endupdates %}\n\n' +
    '```mermaid\npie\n```\n'
  const [words, fold, update, diagram] = (await printed('Page', source, 'de')).chapters[0]!.c
  assert.ok(words?.t === 'par')
  assert.deepEqual(words.c, [
    { t: 'toned', tone: 'danger', on: null, c: ['a'] },
    ' ',
    { t: 'toned', tone: null, on: 'success', c: ['b'] },
  ])
  assert.ok(fold?.t === 'panel' && update?.t === 'panel' && diagram?.t === 'code')
  assert.deepEqual(fold.title, ['Details'])
  assert.deepEqual(update.title, ['12. Nov. 2026'])
  assert.equal(diagram.title, 'Diagramm (Mermaid)')
})

test('a printed book has the region of its language', async () => {
  const region = async (language: string) => (await printed('Page', '', language)).region
  assert.deepEqual([await region('zh-tw'), await region('pt-br'), await region('yue')], ['TW', 'BR', null])
})

test('printed columns are side by side in their set widths, unless their content needs the whole sheet', async () => {
  const columns = (...texts: string[]) =>
    `{% columns %}\n${texts.map((text, at) => `{% column${at === 0 ? ' width="30%"' : ''} %}\n${text}\n{% endcolumn %}\n`).join('')}{% endcolumns %}\n`
  const kinds = async (markdown: string) => (await printed('Page', markdown)).chapters[0]!.c.map(({ t }) => t)
  const [beside] = (await printed('Page', columns('Left', '- Right\n- too'))).chapters[0]!.c
  assert.ok(beside?.t === 'columns')
  assert.deepEqual(beside.widths, [30, 70])
  assert.deepEqual(
    beside.items.map((nodes) => nodes.map(({ t }) => t)),
    [['par'], ['list']],
  )
  assert.deepEqual(await kinds(columns('Left', '```\ncode\n```')), ['par', 'code'])
  assert.deepEqual(await kinds(columns('Left', 'x'.repeat(40))), ['par', 'par'])
  assert.deepEqual(await kinds(columns('1', '2', '3', '4')), ['par', 'par', 'par', 'par'])
})

test('blocks in a cell of an HTML table are printed on lines of their own', async () => {
  const cell = '<td><details><summary>More</summary>text</details><h3>Title</h3>below</td>'
  const said = JSON.stringify((await printed('Page', `<table><tr>${cell}</tr></table>\n`)).chapters[0]!.c)
  assert.match(said, /"More",\{"t":"br"\},"text",\{"t":"br"\},"Title",\{"t":"br"\},"below"/)
})

test('a link around a picture that cannot be printed is printed with the title of its page or with its address', async () => {
  const around: Surroundings = {
    link: (href) => (href === 'guide.md' ? { url: 'https://a.test/guide', title: 'The guide' } : { url: href }),
    file: (src) => (src === '/files/a' ? file : undefined),
  }
  const file = { name: 'a.png', blob: 'a', contentType: 'image/png', size: 1, createdAt: '', updatedAt: '' }
  const linked = (address: string) => [
    `[![](https://x.test/b.svg)](${address})`,
    `<p align="center"><a href="${address}"><img src="https://x.test/b.svg"></a></p>`,
    `<figure><a href="${address}"><img src="https://x.test/b.svg"></a></figure>`,
  ]
  for (const [address, words] of [
    ['https://l.test/c', '"https://l.test/c"'],
    ['guide.md', '"The guide"'],
  ] as const)
    for (const markdown of linked(address)) {
      const text = JSON.stringify((await printed('Page', markdown, 'en', around)).chapters[0]!.c)
      assert.ok(text.includes(`"t":"a"`) && text.includes(words), `${markdown}: ${text}`)
    }
  const text = JSON.stringify(
    (await printed('Page', '[![Build](https://x.test/b.svg)](c)', 'en', around)).chapters[0]!.c,
  )
  assert.match(text, /"c":\["Build"\]/)
  const framed = await printed('Page', '<figure><a href="c"><img src="/files/a"></a></figure>', 'en', around)
  assert.match(JSON.stringify(framed.chapters[0]!.c), /"t":"picture"/, 'a picture within a link in HTML is printed')
})
