import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromDocument } from './from-document.ts'
import { parse } from './parse.ts'
import { toPlainText } from './text.ts'
import { toDocument } from './to-document.ts'

const document = (...nodes: unknown[]) => ({ object: 'document', data: {}, nodes })
const text = (...leaves: [string, ...string[]][]) => ({
  object: 'text',
  leaves: leaves.map(([content, ...marks]) => ({
    object: 'leaf',
    text: content,
    marks: marks.map((type) => ({ object: 'mark', type })),
  })),
})
const block = (type: string, fields: object) => ({ object: 'block', type, ...fields })
const markdown = (...nodes: unknown[]) => {
  const result = fromDocument(document(...nodes))
  assert.ok('markdown' in result, JSON.stringify(result))
  return result.markdown
}

test('marks nest, and leaves that share a mark are put into it together', () => {
  const leaves = text(['plain '], ['bold ', 'bold'], ['both', 'bold', 'italic'], ['\nnext'])
  assert.equal(markdown(block('paragraph', { nodes: [leaves] })), 'plain **bold _both_**\\\nnext\n')
})

test('marks are kept in whichever order they are named, also around code', () => {
  const leaves = text(['a', 'code', 'bold'], [' '], ['b', 'italic', 'code', 'strikethrough'])
  assert.equal(markdown(block('paragraph', { nodes: [leaves] })), '**`a`** _~~`b`~~_\n')
})

test('references become Markdown links to pages, files, addresses and anchors', () => {
  const link = (ref: object) => ({ object: 'inline', type: 'link', data: { ref }, nodes: [text(['x'])] })
  const paragraph = block('paragraph', {
    nodes: [
      link({ kind: 'page', page: 'p1', anchor: 'top' }),
      link({ kind: 'file', file: 'f1' }),
      link({ kind: 'url', url: 'https://a.b' }),
      link({ kind: 'anchor', anchor: 'here' }),
    ],
  })
  assert.equal(markdown(paragraph), '[x](/pages/p1#top)[x](/files/f1)[x](https://a.b)[x](#here)\n')
})

test('each annotation becomes a footnote of its own at the end', () => {
  const note = (words: string, body: string) => ({
    object: 'inline',
    type: 'annotation',
    nodes: [text([words])],
    fragments: [
      { object: 'fragment', type: 'annotation-body', nodes: [block('paragraph', { nodes: [text([body])] })] },
    ],
  })
  assert.equal(
    markdown(block('paragraph', { nodes: [note('one', 'First'), text([' ']), note('two', 'Second')] })),
    '[one](#user-content-fn-1)[^1] [two](#user-content-fn-2)[^2]\n\n[^1]: First\n\n[^2]: Second\n',
  )
})

test("headings are written below the level of the page title, and sizes, colours and columns in the format's own form", () => {
  const heading = (level: number) => block(`heading-${level}`, { data: {}, nodes: [text(['H'])] })
  assert.equal(markdown(heading(1), heading(2), heading(3)), '## H\n\n### H\n\n#### H\n')
  assert.equal(
    markdown(block('heading-1', { data: { id: 'own' }, nodes: [text(['H'])] })),
    '## H <a href="#own" id="own"></a>\n',
  )
  const image = { ref: { kind: 'file', file: 'f1' }, width: { unit: '%', value: 50 }, height: 20, alt: 'A' }
  assert.equal(
    markdown(block('images', { data: {}, nodes: [block('image', { data: image, fragments: [] })] })),
    '<figure><img src="/files/f1" alt="A" width="50%" height="20"><figcaption></figcaption></figure>\n',
  )
  const column = block('column', { data: { width: { unit: '%', value: 25 }, verticalAlignment: 'middle' }, nodes: [] })
  assert.equal(
    markdown(block('columns', { data: {}, nodes: [column] })),
    '{% columns %}\n{% column width="25%" valign="middle" %}\n{% endcolumn %}\n{% endcolumns %}\n',
  )
  const mark = { object: 'mark', type: 'color', data: { text: 'red', background: 'default' } }
  const red = { object: 'text', leaves: [{ object: 'leaf', text: 'x', marks: [mark] }] }
  assert.equal(markdown(block('paragraph', { nodes: [red] })), '<mark style="color:red;">x</mark>\n')
})

test('table cells are written by the type of their column, and the view selects and orders the columns', () => {
  const table = block('table', {
    data: {
      definition: {
        a: { id: 'a', title: 'Text', type: 'text', textAlignment: 'center' },
        b: { id: 'b', title: 'Number', type: 'number' },
        c: { id: 'c', title: 'Page', type: 'content-ref' },
        d: {
          id: 'd',
          title: 'Kind',
          type: 'select',
          multiple: true,
          options: [{ value: 'k', label: 'Key', color: 'x' }],
        },
      },
      records: {
        z: { orderIndex: 'b', values: { a: 'cell', b: 2, c: { kind: 'page', page: 'p1' }, d: ['k'] } },
        y: { orderIndex: 'a', values: { a: null, b: null, c: null, d: [] } },
      },
      view: { type: 'cards', cardSize: 'large', columns: ['b', 'a', 'd'], targetDefinition: 'c' },
    },
    fragments: [
      { object: 'fragment', fragment: 'cell', nodes: [block('paragraph', { nodes: [text(['Hi', 'bold'])] })] },
    ],
  })
  assert.equal(
    markdown(table),
    '<table data-view="cards" data-card-size="large"><thead><tr><th data-type="number">Number</th>' +
      '<th align="center">Text</th><th data-type="select">Kind</th>' +
      '<th data-hidden data-card-target data-type="content-ref">Page</th></tr></thead><tbody>' +
      '<tr><td></td><td align="center"></td><td></td><td></td></tr>' +
      '<tr><td>2</td><td align="center"><strong>Hi</strong></td><td>Key</td><td><a href="/pages/p1">/pages/p1</a></td></tr>' +
      '</tbody></table>\n',
  )
})

test('an edited part of a document wins over the original source that comes with it', () => {
  const sent = (source: string) => structuredClone(toDocument(parse(source).blocks)) as any
  const html = sent('<div class="x">\n<p>Old</p>\n</div>')
  assert.equal(markdown(...html.nodes), '<div class="x">\n<p>Old</p>\n</div>\n')
  html.nodes[0].nodes[0].leaves[0].text = 'New *text*'
  assert.equal(markdown(...html.nodes), 'New \\*text\\*\n')

  const heading = sent('##### Deep')
  assert.equal(markdown(...heading.nodes), '##### Deep\n')
  heading.nodes[0].type = 'heading-1'
  assert.equal(markdown(...heading.nodes), '## Deep\n')

  const table = sent(
    '<table><thead><tr><th data-type="content-ref"><b>T</b></th></tr></thead><tbody><tr><td><a href="a.md">A</a></td></tr></tbody></table>',
  )
  assert.match(markdown(...table.nodes), /<strong>T<\/strong>.*<a href="a.md">A<\/a>/)
  table.nodes[0].data.definition['column-0'].title = 'New'
  table.nodes[0].data.records['record-0'].values['column-0'] = { kind: 'url', url: 'b.md' }
  assert.match(markdown(...table.nodes), />New<.*<a href="b.md">b.md<\/a>/)
})

test('unknown node types give the text that they hold', () => {
  const odd = block('drawing', { nodes: [block('odd', { nodes: [text(['kept'])] })], data: { x: 1 } })
  assert.equal(markdown(odd, block('hologram', {})), 'kept\n')
})

test('text cannot become markup', () => {
  const tricky = '# {% hint %} <script> {{ x }} `a` *b* [c](d) | :rocket: $$'
  const written = markdown(block('paragraph', { nodes: [text([tricky])] }))
  assert.equal(written, '\\# \\{% hint %} \\<script> \\{{ x }} \\`a\\` \\*b\\* \\[c\\](d) | \\:rocket: \\$\\$\n')
})

test('an address in running text keeps its own characters and takes none of the text behind it', () => {
  const back = (...nodes: unknown[]) => {
    const { blocks } = parse(markdown(block('paragraph', { nodes })))
    return [toPlainText(blocks), JSON.stringify(blocks).match(/"href":"[^"]*"/g)]
  }
  for (const address of ['https://x.test/~ann/_a_*b', 'http://x.test/[1]$$2', 'www.x.test/a\\b{{c'])
    assert.deepEqual(back(text([`see ${address} there`])), [
      `see ${address} there`,
      [JSON.stringify({ href: address.replace(/^www/, 'http://www') }).slice(1, -1)],
    ])
  const bold = text(['www.x.test', 'bold'], ['{{ x }}'], [' or https://y.test'], ['next', 'italic'], ['!'])
  assert.deepEqual(back(bold)[0], 'www.x.test{{ x }} or https://y.testnext!')
  assert.match(markdown(block('paragraph', { nodes: [bold] })), /^\*\*www\\\.x\.test\*\*\\\{\{ x }} or https\\:\/\/y/)
  assert.equal(markdown(block('paragraph', { nodes: [text(['at https://x.test.'])] })), 'at https://x.test.\n')
  const code = text(['https://x.test', 'bold', 'code'], ['x', 'italic'])
  assert.equal(markdown(block('paragraph', { nodes: [code] })), '<strong>`https://x.test`</strong>_x_\n')
  assert.equal(back(text(['('], ['ann@x.test or bob@x.test', 'italic'], [')']))[0], '(ann@x.test or bob@x.test)')
})

test('an address takes no spaces behind it and no marks beside it into its link', () => {
  const back = (type: string, ...leaves: [string, ...string[]][]) => {
    const { blocks } = parse(markdown(block(type, { data: {}, nodes: [text(...leaves)] })))
    return [toPlainText(blocks).trimEnd(), JSON.stringify(blocks).match(/"href":"[^"]*"/g)]
  }
  const web = ['https://x.test', ['"href":"https://x.test"']]
  assert.deepEqual(back('paragraph', ['https://x.test ']), web)
  assert.deepEqual(back('heading-1', ['https://x.test ']), web)
  assert.deepEqual(back('paragraph', ['https://x.test ', 'bold']), web)
  assert.deepEqual(back('paragraph', ['https://x.test', 'bold'], [' ']), web)
  assert.equal(
    markdown(block('paragraph', { nodes: [text(['https://x.test', 'bold'], [' '], ['y', 'italic'])] })),
    '**https://x.test** _y_\n',
  )
  for (const leaves of [
    [['a', 'italic'], ['.ann@x.test']],
    [['@x.test,', 'italic'], [' or']],
    [['.@'], ['x.test', 'italic']],
  ] satisfies [string, ...string[]][][])
    assert.equal(back('paragraph', ...leaves)[0], leaves.map(([words]) => words).join(''))
})

test('math in summaries and captions is written and read as GitBook does, and dollar signs in a cell are not math', () => {
  const math = { object: 'inline', type: 'inline-math', isVoid: true, data: { formula: 'a < b_1' } }
  const paragraph = block('paragraph', { nodes: [text(['when ']), math] })
  const written = markdown(
    block('expandable', {
      fragments: [
        { object: 'fragment', type: 'expandable-title', nodes: [paragraph] },
        { object: 'fragment', type: 'expandable-body', nodes: [paragraph] },
      ],
    }),
  )
  assert.match(written, /<summary>when <span class="math">a &lt; b_1<\/span><\/summary>\n\nwhen \$\$a < b_1\$\$/)
  const formulas = (source: string) => JSON.stringify(toDocument(parse(source).blocks)).match(/"formula":"[^"]*"/g)
  assert.deepEqual(formulas(written), ['"formula":"a < b_1"', '"formula":"a < b_1"'])
  const caption =
    '<figure><img src="a.png" alt=""><figcaption><p>Of <span class="math">W_1</span></p></figcaption></figure>'
  assert.deepEqual(formulas(caption), ['"formula":"W_1"'])
  // A ratio is not an emoji.
  const ratio = caption.replace('W_1', 'a:b:c')
  assert.deepEqual(formulas(ratio), ['"formula":"a:b:c"'])
  assert.equal(formulas('<table><tr><td>$$5 and $$6</td><td><span class="x">y</span></td></tr></table>'), null)
})

test('a formula may begin and end with a dollar sign', () => {
  for (const formula of ['p = 5\\$', '\\$5', '\\$', '$x$', '\\text{$x$}']) {
    const math = { object: 'inline', type: 'inline-math', isVoid: true, data: { formula } }
    const { blocks } = parse(markdown(block('paragraph', { nodes: [text(['when ']), math, text([' or'])] })))
    assert.ok(JSON.stringify(toDocument(blocks)).includes(JSON.stringify({ formula }).slice(1, -1)), formula)
  }
})

test('a document of the wrong shape is refused with the place and the reason', () => {
  const problems = (value: unknown) => {
    const result = fromDocument(value)
    return 'problems' in result ? result.problems : []
  }
  assert.deepEqual(problems(null), [{ path: '', message: 'must be an object' }])
  assert.deepEqual(problems({ object: 'document' }), [{ path: 'nodes', message: 'must be an array' }])
  assert.deepEqual(problems(document(block('paragraph', { nodes: [{ object: 'text', leaves: [{ text: 1 }] }] }))), [
    { path: 'nodes[0].nodes[0].leaves[0].text', message: 'must be a text' },
  ])
  let deep: unknown = text(['x'])
  for (let depth = 0; depth < 20_000; depth++) deep = block('blockquote', { nodes: [deep] })
  assert.match(problems(document(deep))[0]?.message ?? '', /nest at most 256 deep/)
})

test('an empty task stays a task, with everything below it', () => {
  const words = (said: string) => block('paragraph', { nodes: [text([said])] })
  const said = (checked: boolean, ...below: unknown[]) => {
    const item = block('list-item', { data: { checked }, nodes: [words(''), ...below] })
    const [list] = parse(markdown(block('list-tasks', { nodes: [item] }))).blocks
    const [read] = list?.type === 'list' ? list.blocks : []
    assert.ok(read?.type === 'list-item')
    return [read.checked, toPlainText(read.blocks).trim(), read.blocks.map(({ type }) => type)]
  }
  assert.deepEqual(said(false), [false, '', []])
  assert.deepEqual(said(true), [true, '', []])
  const inner = block('list-item', { nodes: [words('Inner')] })
  assert.deepEqual(said(false, block('list-unordered', { nodes: [inner] })), [false, 'Inner', ['list']])
  assert.deepEqual(said(true, block('list-ordered', { data: { start: 3 }, nodes: [inner] })), [true, 'Inner', ['list']])
  assert.deepEqual(said(false, block('blockquote', { nodes: [words('Inner')] })), [false, 'Inner', ['quote']])
  const code = block('code', { nodes: [block('code-line', { nodes: [text(['Inner'])] })] })
  assert.deepEqual(said(false, code), [false, 'Inner', ['code']])
  assert.deepEqual(said(false, words('[ ]')), [false, '[ ]', ['paragraph']])
})

test('HTML comes back as it was, even if its words read differently as Markdown', () => {
  const link = 'Works with <a href="https://example.com"><code>strict</code></a>.'
  const sent = toDocument(
    parse(`- Item\n\t<details>\n\t<summary>More</summary>\n\t${link}\n\n\t_Text_\n\t</details>\n`).blocks,
  )
  assert.match(markdown(...sent.nodes), new RegExp(RegExp.escape(link)))
})
