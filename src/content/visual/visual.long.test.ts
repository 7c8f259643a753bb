import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/growth.ts'
import { parse } from '../parse.ts'
import { check, sources } from '../testing/sources.ts'
import { drawWithCursor } from './cursor.ts'
import { drawVisual, framesOf } from './draw.ts'
import { readVisual, TooManyCopies } from './read.ts'
import { says, writeVisual } from './write.ts'

const drawn = (source: string) => drawVisual(parse(source)).markup.toString()

/** Returns the source of a page after a user changed what they see. */
function edited(source: string, ...changes: [from: string | RegExp, to: string][]): string {
  let markup = drawn(source)
  for (const [from, to] of changes) {
    assert.ok(from instanceof RegExp ? from.test(markup) : markup.includes(from), `${from} is not in ${markup}`)
    markup = markup.replace(from, to)
  }
  return writeVisual(parse(source), markup)
}

const cases = globSync('src/content/cases/*/in.md').map((file) => readFileSync(file, 'utf8'))

test('a page that was viewed but not edited in the visual editor keeps every byte', () => {
  for (const source of cases) assert.equal(writeVisual(parse(source), drawn(source)), source)
  check(
    fc.property(sources, (source) => assert.equal(writeVisual(parse(source), drawn(source)), source)),
    1500,
  )
})

test('the positions of drawn blocks in the source are known without drawing the page', () => {
  for (const source of cases) {
    const frames = drawn(source).match(/<div class="frame"[^>]*>/g) ?? []
    const seen = frames.map((frame) => /data-from="(\d+)" data-to="(\d+)"/.exec(frame)?.slice(1).map(Number) ?? [])
    const known = [...framesOf(parse(source).blocks)].map(({ range }) => (range ? [range.start, range.end] : []))
    assert.deepEqual(seen, known, source)
  }
})

test('a word typed into a paragraph, heading or list item is written as meant and changes at most eight lines', () => {
  for (const source of cases) {
    const markup = drawn(source)
    for (const { 0: tag, index } of markup.matchAll(/<(?:p|h[1-6]|li) data-block="\d+"[^>]*>(?=[a-z])/gi)) {
      const now = `${markup.slice(0, index + tag.length)}Edited ${markup.slice(index + tag.length)}`
      const document = parse(source)
      const blocks = readVisual(document, now)
      const text = writeVisual(document, now)
      assert.equal(says(parse(text).blocks), says(blocks), text)
      assert.equal(text.match(/Edited /g)?.length, 1, text)
      const lines = new Set(text.split(/\r\n|\r|\n/))
      const changed = source.split(/\r\n|\r|\n/).filter((line) => !lines.has(line))
      assert.ok(changed.length <= 8, `${changed.length} lines of\n${source}\nare gone from\n${text}`)
    }
  }
})

test('edited words, marks, links and line breaks are written as Markdown', () => {
  const source = 'First *one*\nand [two](two.md "Two").\n\nUntouched *text*.\n'
  assert.equal(
    edited(source, ['First', '<b>Very</b> first']),
    '**Very** first _one_\nand [two](two.md "Two").\n\nUntouched *text*.\n',
  )
  assert.equal(edited('a\n', ['a</p>', 'a &lt;b&gt; *c*<br>d</p>']), 'a \\<b> \\*c\\*\\\nd\n')
  assert.equal(edited('a\n', ['>a<', '><a href="x.md">a</a> <s>b</s> <code>c`d</code><']), '[a](x.md) ~~b~~ ``c`d``\n')
  assert.equal(edited('## A {#id}\n', ['A', 'B']), '## B {#id}\n')
})

test('formulas, emoji, pictures and other parts that are no text stay whole while the words around them change', () => {
  const source = 'See $$a^2$$, :rocket:, <kbd>K</kbd>, ![x](x.png "t") and [^1].\n\n[^1]: Note.\n'
  const text = edited(source, ['See', 'Look at'])
  assert.equal(text, source.replace('See', 'Look at'))
  assert.equal(edited(source, [/<span data-piece="0".*?<\/span>/, '']), source.replace('$$a^2$$', ''))
})

test("an edit of a picture's text, address, width or caption is written and keeps the rest of the picture", () => {
  const line = 'See ![a](x.png "t"), *this*.\n'
  assert.equal(edited(line, ['data-alt="a"', 'data-alt=" a  b "']), 'See ![a b](x.png "t"), _this_.\n')
  assert.equal(edited(line, ['data-address="x.png"', 'data-address="y z.png"']), 'See ![a](<y z.png> "t"), _this_.\n')
  assert.equal(
    edited(line, ['data-width=""', 'data-width="50%"']).match(/<img[^>]*>/)?.[0],
    '<img src="x.png" alt="a" title="t" width="50%">',
  )
  for (const width of ['50vw', '-1', 'x', '1000000', '5 0'])
    assert.equal(edited(line, ['data-width=""', `data-width="${width}"`]), line)
  assert.equal(edited(line, ['data-address="x.png"', 'data-address=" "']), line)
  const figure =
    '<figure><img src="x.png" alt="a" width="20" height="10"><figcaption><p>A <em>b</em></p></figcaption></figure>\n'
  assert.equal(edited(figure, ['data-alt="a"', 'data-alt="b"']), figure.replace('alt="a"', 'alt="b"'))
  assert.equal(edited(figure, ['data-width="20"', 'data-width=""']), figure.replace(' width="20" height="10"', ''))
  assert.equal(edited(figure, ['<em>b</em>', '<em>b</em> c']), figure.replace('</em>', '</em> c'))
  assert.equal(
    edited(figure, [/<figcaption>.*<\/figcaption>/, ''], ['data-width="20"', 'data-width=""']),
    '![a](x.png)\n',
  )
  const both = '![a][x] ![b](b.png)\n\n[x]: x.png\n'
  assert.equal(edited(both, ['data-address="x.png"', 'data-address="y.png"']).split('\n')[0], '![a](y.png)![b](b.png)')
  assert.equal(edited(both, [/<figure>.*?<\/figure>/, '']).split('\n')[0], '![b](b.png)')
  // Numbers that no picture has are ignored.
  assert.equal(edited(both, ['data-picture="0"', 'data-picture="7"'], ['data-picture="1"', 'data-picture="8"']), both)
})

test('attributes of a picture that the editor does not know stay through edits, except the sizes of a replaced file', () => {
  const img = '<img src="x.png" alt="a" class="k" loading="lazy" data-x="1">'
  const figure = `<figure id="f" class="wide">${img}<figcaption><p>A</p></figcaption></figure>\n`
  for (const source of [figure, `- ${figure}`, `> ${figure}`, `See ${img}, this.\n`, `| b |\n| --- |\n| ${img} |\n`])
    assert.equal(edited(source, ['data-alt="a"', 'data-alt="b"']), source.replace('alt="a"', 'alt="b"'))
  assert.equal(edited(figure, ['data-side=""', 'data-side="left"']), figure.replace('<figure', '<figure align="left"'))
  const dark = '<picture><source srcset="d.png" media="(prefers-color-scheme: dark)">'
  const both = figure.replace(img, `${dark}${img}</picture>`)
  assert.equal(edited(figure, ['data-dark=""', 'data-dark="d.png"']), both)
  assert.equal(edited(both, ['data-dark="d.png"', 'data-dark=""']), figure)
  assert.equal(
    edited(`${img}\n`, ['data-address="x.png"', 'data-address="y.png"']),
    `<figure>${img.replace('x.png', 'y.png')}<figcaption></figcaption></figure>\n`,
  )
  const sizes = 'See <img src="x.png" alt="a" srcset="x2.png 2x" sizes="10em">, this.\n'
  assert.equal(edited(sizes, ['data-alt="a"', 'data-alt="b"']), sizes.replace('alt="a"', 'alt="b"'))
  assert.equal(edited(sizes, ['data-address="x.png"', 'data-address="y.png"']), 'See ![a](y.png), this.\n')
})

test('the sources of a picture keep their order through edits, and a new address drops those of the old picture', () => {
  const img = '<img src="x.png" alt="a">'
  const [webp, dark] = [
    '<source srcset="x.webp" type="image/webp">',
    '<source srcset="d.png" media="(prefers-color-scheme: dark)">',
  ]
  const figure = (sources: string) =>
    `<figure><picture>${sources}${img}</picture><figcaption><p>A</p></figcaption></figure>\n`
  for (const sources of [webp, webp + dark, dark + webp]) {
    const source = figure(sources)
    assert.equal(edited(source, ['data-alt="a"', 'data-alt="b"']), source.replace('alt="a"', 'alt="b"'))
    const line = `See <picture>${sources}${img}</picture>, this.\n`
    assert.equal(edited(line, ['data-alt="a"', 'data-alt="b"']), line.replace('alt="a"', 'alt="b"'))
  }
  assert.equal(edited(figure(webp), ['data-dark=""', 'data-dark="d.png"']), figure(dark + webp))
  assert.equal(edited(figure(webp + dark), ['data-dark="d.png"', 'data-dark=""']), figure(webp))
  assert.equal(
    edited(figure(webp + dark), ['data-dark="d.png"', 'data-dark="e.png"']),
    figure(webp + dark.replace('d.png', 'e.png')),
  )
  assert.equal(
    edited(figure(webp + dark), ['data-address="x.png"', 'data-address="y.png"']),
    figure(dark).replace('x.png', 'y.png'),
  )
})

test('editing the text of a bare address changes its target, and editing the text of another link does not', () => {
  const bare = 'See <https://example.org/a> now.\n'
  assert.equal(edited(bare, ['>https://example.org/a<', '>https://example.org/b<']), bare.replace('/a', '/b'))
  assert.equal(edited(bare, ['>https://example.org/a<', '>here<']), 'See [here](https://example.org/a) now.\n')
  assert.equal(edited(bare, [' now', ' then']), bare.replace('now', 'then'))
  const other = 'See [https://example.org/a](https://example.org/b) now.\n'
  assert.equal(edited(other, [' now', ' then']), other.replace('now', 'then'))
  assert.equal(
    edited(other, ['>https://example.org/a<', '>https://example.org/c<']),
    other.replace('[https://example.org/a]', '[https://example.org/c]'),
  )
})

test('text added to a page with only a title is not followed by empty lines', () => {
  for (const [source, now] of [
    ['# Tea\n\n', '# Tea\n\nx\n'],
    ['# Tea\r\n\r\n\r\n', '# Tea\r\n\r\nx\r\n'],
    ['# Tea', '# Tea\n\nx'],
    ['# Tea\n\n[a]: b\n', '# Tea\n\nx\n\n[a]: b\n'],
  ] as const)
    assert.equal(edited(source, ['</h1>', '</h1><p>x</p>']), now)
  assert.equal(edited('# Tea\n\nA\n\n\n', ['>A<', '>B<']), '# Tea\n\nB\n\n\n')
})

test('formulas are edited and added, inline and as blocks, and typed dollar signs around them are dropped', () => {
  const line = 'So $$a$$ *is*.\n'
  assert.equal(edited(line, ['data-formula="a"', 'data-formula="$$b\n+ 1$$"']), 'So $$b + 1$$ _is_.\n')
  assert.equal(edited(line, ['data-formula="a"', 'data-formula=" "']), line)
  assert.equal(edited('a b\n', ['a b', 'a <span data-formula="x^2"></span> b']), 'a $$x^2$$ b\n')
  assert.equal(edited('a b\n', ['a b', 'a <span data-formula="$$"></span> b']), 'a  b\n')
  assert.equal(edited('> $$\n> a\n> $$\n', ['data-formula="a"', 'data-formula="b\nc"']), '> $$\n> b\n> c\n> $$\n')
})

test('cards change words, targets and pictures, come, go and move, and untouched cards stay the same', () => {
  const head = '<th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th>'
  const row = (title: string, more: string, link: string) =>
    `<tr><td>${title}</td><td>${more}</td><td>${link}</td></tr>`
  const cards = (...rows: string[]) =>
    `<table data-view="cards"><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>\n`
  const [one, two] = [row('<strong>One</strong>', 'Is <em>first</em>', '<a href="a.md">a</a>'), row('Two', '', '')]
  const source = cards(one, two)
  assert.equal(edited(source, ['Two', 'Three']), cards(one, row('Three', '', '')))
  assert.equal(
    edited(source, ['data-target="a.md"', 'data-target="b/c.md#d"']),
    cards(one.replace(/<a.*a>/, '<a href="b/c.md#d">c.md</a>'), two),
  )
  assert.equal(edited(source, ['data-target="a.md"', 'data-target=""']), cards(one.replace(/<a.*a>/, ''), two))
  assert.equal(edited(source, [/(<article.*?<\/article>)(<article.*?<\/article>)/, '$2$1']), cards(two, one))
  assert.equal(edited(source, [/<article.*?<\/article>/, '']), cards(two))
  assert.equal(
    edited(source, [
      /<\/article>(?=<article)/,
      '</article><article data-card=""><div data-words="0">New</div></article>',
    ]),
    cards(one, row('New', '', ''), two),
  )
  const pictured = edited(source, ['data-cover=""', 'data-cover="/files/x"'])
  assert.match(pictured, /<th data-hidden data-card-cover data-type="files"><\/th>/)
  assert.match(pictured, /<td><a href="\/files\/x">x<\/a><\/td><\/tr><tr>/)
  assert.equal(edited(source, [/<section.*<\/section>/, '']), source)
})

test('blocks are made, split, joined, moved and deleted from the markup that browsers make', () => {
  assert.equal(
    edited('a\n\nb\n', ['<p data-block="0">a</p>', '<p data-block="0">x</p><p data-block="0">y</p>']),
    'x\n\ny\n\nb\n',
  )
  assert.equal(
    edited('*a*\n\nb\n', ['<p data-block="0">', '<p data-block="0"><br></p><p data-block="0">']),
    '*a*\n\nb\n',
  )
  assert.equal(edited('a\n\nb\n', ['a</p><p data-block="1">', 'a ']), 'a b\n')
  assert.equal(edited('a\n\nb\n', [/<p data-block="1">.*/, '<h2>b</h2><div>c</div>d']), 'a\n\n## b\n\nc\n\nd\n')
  assert.equal(edited('a\n\nb\n', [/<p data-block="0">a<\/p>(.*)/, '$1<p data-block="0">a</p>']), 'b\n\na\n')
  assert.equal(edited('---\nicon: x\n---\n\n# T\n\na\n', [/<p.*/, '']), '---\nicon: x\n---\n\n# T\n')
})

test('a new list item gets the marker of the others, and a checkbox if they have one', () => {
  assert.equal(edited('* a\n* b\n', ['<li data-block="3">', '<li>new</li><li data-block="3">']), '* a\n* new\n* b\n')
  assert.equal(edited('1) a\n', ['</li>', '</li><li>b</li>']), '1) a\n2) b\n')
  assert.equal(edited('* [x] a\n', ['</li>', '</li><li data-checked="false">b</li>']), '* [x] a\n* [ ] b\n')
  assert.equal(edited('+ [ ] a\n', ['data-checked="false"', 'data-checked="true"']), '+ [x] a\n')
  assert.equal(edited('- a\n- b\n', ['</li><li', '<ul><li>c</li></ul></li><li']), '- a\n  - c\n- b\n')
  assert.equal(edited('- a\n- b\n', ['</li><li', '</li><ul><li>c</li></ul><li']), '- a\n  - c\n- b\n')
  assert.equal(edited('* a\n* b\n', [/<ul(.*)<\/ul>/, '<ol$1</ol>']), '1. a\n2. b\n')
})

test('a list that was emptied disappears, and a list that was empty before stays', () => {
  assert.equal(edited('a\n\n1. b\n2. c\n', [/<li.*<\/li>/, '<li data-block="2"><br></li>']), 'a\n')
  assert.equal(edited('a\n\n-\n', ['>a<', '>x<']), 'x\n\n-\n')
})

test('two lists that become neighbours stay two lists', () => {
  const text = edited('- a\n\nx\n\n- b\n', [/<p.*<\/p>/, ''])
  assert.equal(parse(text).blocks.length, 2, text)
})

test('text in a hint, quote, step, tab, table or code is edited, and nothing around it changes', () => {
  const source = [
    '{% hint style="warning" icon="x" %}\nHot.\n{% endhint %}',
    '> Said.\n> And more.',
    '{% stepper %}\n{% step %}\n### One\n\nDo.\n{% endstep %}\n{% endstepper %}',
    '{% tabs %}\n{% tab title="A" %}\nFirst.\n{% endtab %}\n{% endtabs %}',
    '| A | B |\n|---|--:|\n| c | d |',
    '```js title="x"\none()\n```',
    '',
  ].join('\n\n')
  const words = ['Hot', 'Said', 'Do', 'First', 'one()']
  for (const word of words) assert.equal(edited(source, [word, `${word}X`]), source.replace(word, `${word}X`))
  assert.equal(edited(source, ['>c<', '>c<b>X</b><']), source.replace('| c | d |', '| c**X** | d |'))
})

test('table rows come, go and move, columns go, move and are aligned, and rows that stay keep their lines', () => {
  const source = 'Above.\n\n| A | B |\n|---|:-:|\n| c    | *d* |\n| e | f |\n\nBelow *it*.\n'
  const [first, second] = source.match(/^\|\s[ce].*$/gm)!
  const change = (from: RegExp, to: string) => {
    // Without the blanks between elements, which mean nothing here.
    const markup = drawn(source).replace(/\s*(<\/?(?:thead|tbody|tr|t[hd])\b[^>]*>)\s*/g, '$1')
    assert.match(markup, from)
    return writeVisual(parse(source), markup.replace(from, to))
  }
  const cell = '<td data-cell="" contenteditable="true"><br></td>'
  const row = /(<tr><td.*?<\/tr>)(<tr>.*?<\/tr>)/
  assert.equal(change(row, `$1<tr>${cell}${cell}</tr>$2`), source.replace(first, `${first}\n|  |  |`))
  assert.equal(change(row, '$2$1'), source.replace(`${first}\n${second}`, `${second}\n${first}`))
  assert.equal(change(row, '$1'), source.replace(`\n${second}`, ''))
  assert.equal(change(row, ''), source.replace(`\n${first}\n${second}`, ''))
  assert.equal(change(/(<th[^>]*)>A/, '$1 align="right">A'), source.replace('|---|:-:|', '| ---: | :---: |'))
  const anew = (table: string) => source.replace(/\| A[^]*f \|/, table)
  assert.equal(
    change(/(?<=<tr>)(<t[hd].*?<\/t[hd]>)(<t[hd].*?<\/t[hd]>)/g, '$2$1'),
    anew('| B | A |\n| :---: | --- |\n| _d_ | c |\n| f | e |'),
  )
  assert.equal(
    change(/<th data-cell="1".*?<\/th>(.*)<td data-cell="3".*?<\/td>(.*)<td data-cell="5".*?<\/td>/, '$1$2'),
    anew('| A |\n| --- |\n| c |\n| e |'),
  )
  // Markup that is not a table leaves the previous table unchanged.
  assert.equal(change(/<th data-cell="1".*?<\/th>/, ''), source)
})

/**
 * Tables as people and tools write them: too few and too many cells, pipes in words and code, with and without outer
 * pipes.
 */
const tables = fc
  .record({
    head: fc.array(fc.constantFrom('A', '*B*', '`c \\| d`', ''), { minLength: 1, maxLength: 3 }),
    dashes: fc.constantFrom('-', '---', ':-', ' -: ', ':-:  '),
    rows: fc.array(
      fc.tuple(
        fc.array(
          fc.constantFrom(
            'e',
            '',
            'f \\| g',
            '`h \\| i`',
            '*j*',
            'k<br>l',
            '$$m$$',
            '\\\\',
            '&#124;',
            '- n',
            '`` ` ``',
          ),
          { minLength: 1, maxLength: 4 },
        ),
        fc.constantFrom('|', ' | ', '\t|\t'),
        fc.boolean(),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    lead: fc.constantFrom('', '> ', '- ', '> 1. '),
    below: fc.constantFrom('', '\n\nBelow *it*.', '\nright *below*', '\n- o'),
    lineEnd: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ head, dashes, rows, lead, below, lineEnd }) => {
    const lines = [
      `| ${head.join(' | ')} |`,
      `|${`${dashes}|`.repeat(head.length)}`,
      ...rows.map(([cells, between, isOpen]) => (isOpen ? cells.join(between) : `|${cells.join(between)}|`)),
    ]
    const led = lines.map((line, at) => (at === 0 ? lead : lead.replace(/[^\s>]/g, ' ')) + line)
    return `Above *it*.\n\n${led.join('\n')}${below}\n`.replaceAll('\n', lineEnd)
  })

test('writing a cell or swapping two rows of any table keeps all other lines as they are', () => {
  const words = fc.constantFrom(
    'x',
    '',
    'a | b',
    '<code>a|b</code>',
    '\\',
    'a\\|b',
    '<code>\\</code>',
    '---',
    'p<br>q',
    '`',
  )
  const linesOf = (text: string) => text.split(/(?<=\n)/).map((line) => line.replace(/[ \t]+(?=\r?\n)/, ''))
  const isMeant = (source: string, markup: string, most: number) => {
    const text = writeVisual(parse(source), markup)
    assert.equal(says(parse(text).blocks), says(readVisual(parse(source), markup)), text)
    const rest = linesOf(text)
    const gone = linesOf(source).filter(
      (line) => !rest.includes(line) || rest.splice(rest.indexOf(line), 1).length === 0,
    )
    assert.ok(gone.length <= most, `${JSON.stringify(gone)} is not in ${JSON.stringify(text)}`)
    assert.equal(linesOf(text).length, linesOf(source).length)
  }
  check(
    fc.property(tables, words, fc.nat(), fc.nat(), (source, typed, one, other) => {
      const markup = drawn(source)
      const cells = [...markup.matchAll(/(<t[hd] data-cell="\d+"[^>]*>)[^]*?(?=<\/t[hd]>)/g)]
      const chosen = cells[one % cells.length]
      const behind = markup.slice((chosen?.index ?? 0) + (chosen?.[0].length ?? 0))
      if (chosen) isMeant(source, markup.slice(0, chosen.index) + (chosen[1] ?? '') + typed + behind, 1)
      const rows = markup.match(/<tr>\s*<td[^]*?<\/tr>/g) ?? []
      const [first = '', second = ''] = [rows[one % rows.length], rows[other % rows.length]]
      const exchanged = (row: string) => (row === first ? second : row === second ? first : row)
      if (rows.length > 1) isMeant(source, markup.replace(/<tr>\s*<td[^]*?<\/tr>/g, exchanged), 0)
    }),
    300,
  )
})

test('rows of a table in a quote or a list keep their lines too', () => {
  for (const lead of ['> ', '- ', '> - ']) {
    const more = lead.replace('-', ' ')
    const source = `${lead}|A|\n${more}|-|\n${more}|b|\n${more}|c|\n`
    assert.equal(edited(source, ['>b<', '>x<']), source.replace('|b|', '| x |'))
  }
})

test('a line break typed into a text stays one, also in a cell', () => {
  assert.equal(edited('a\n', ['>a<', '>a\nb<']), 'a\\\nb\n')
  assert.equal(edited('## a\n', ['>a<', '>a\nb<']), '## a<br>b\n')
  assert.equal(edited('|a|\n|-|\n|b|\n', ['>b<', '>b\nc<']), '|a|\n|-|\n| b<br>c |\n')
})

test('text that ends in an exclamation mark is written as it reads', () => {
  assert.equal(edited('a\n', ['>a<', '>Great! Really!!<']), 'Great! Really!!\n')
  assert.equal(edited('a\n', ['>a<', '>a!<a href="x">b</a><']), 'a\\![b](x)\n')
})

test('a block or piece may be there twice, but too many copies are refused', () => {
  const source = `\`\`\`\n${'word '.repeat(10_000)}\n\`\`\`\n\n$$${'x'.repeat(50_000)}$$ y\n`
  const [frame, piece] = ['<div class="frame" data-block="0"></div>', '<p><span data-piece="0"></span></p>']
  assert.equal(parse(writeVisual(parse(source), frame + frame)).blocks.length, 2)
  assert.equal(parse(writeVisual(parse(source), piece + piece)).blocks.length, 2)
  for (const each of [frame, piece]) assert.throws(() => writeVisual(parse(source), each.repeat(10_000)), TooManyCopies)
  // A paragraph is not counted as a copy, however often a browser sends its number.
  assert.equal(writeVisual(parse('word '.repeat(40_000)), '<p data-block="0"></p>'.repeat(10_000)), '')
})

const cardsOf = (columns: number) =>
  `<table data-view="cards"><thead><tr>${'<th></th>'.repeat(columns)}<th data-card-target></th></tr></thead>` +
  `<tbody><tr>${'<td></td>'.repeat(columns)}<td></td></tr></tbody></table>\n`
const card = (target: string, fields = '') =>
  `<div class="frame" data-block="0"><article data-card="0" data-target="${target}">${fields}</article></div>`

const markups: Record<string, (length: number) => [source: string, markup: string]> = {
  'fields of a card with many columns': (length) => [cardsOf(length / 8), card('', '<div></div>'.repeat(length / 8))],
  'marks in the target of a card': (length) => [cardsOf(1), card(`${'#'.repeat(length)}&#10;#`)],
  'an address that is its own text': (length) => [
    'a\n',
    `<a href="x" data-bare="">http://${'a'.repeat(length)}&#9;b</a>`,
  ],
  'marks in a formula': (length) => ['a\n', `<span data-formula="x${'$'.repeat(length)}x">x</span>`],
}

for (const [name, make] of Object.entries(markups)) {
  test(`reading what a browser sends takes linear time: ${name}`, () =>
    assertLinear((length) => {
      const [source, markup] = make(length)
      readVisual(parse(source), markup)
    }, 16_000))
}

test('a text with a million blanks is read and written whole', () => {
  const text = writeVisual(parse('a\n'), `<p data-block="0">a${' '.repeat(1_000_000)}b</p>`)
  assert.equal(text.length, 1_000_003)
})

test('foreign markup, unknown block numbers and malformed markup do no harm', () => {
  const hostile = [
    '<p data-block="99999">x</p><p data-block="-1">y</p><p data-block="constructor">z</p><p data-piece="7">w</p>',
    '<script>alert(1)</script><p onclick="x()">a</p><style>b</style>',
    '<div class="frame" data-block="0">gone</div>',
    '<div class="frame" data-block="7"><div data-inside>x</div></div>',
    '<ul>'.repeat(100) + '</ul>'.repeat(100),
    `<div>${'<p>x</p>'.repeat(5000)}</div>`,
    `<ul><li>a</li>${'<ul><li>b</li></ul>'.repeat(3000)}</ul>`,
    '<table><tr><td data-cell>x</td></tr></table>',
    '\u0000<li>a<p>',
  ]
  for (const markup of hostile) {
    const text = writeVisual(parse('# T\n\na\n'), markup)
    assert.equal(typeof text, 'string')
    assert.doesNotMatch(text, /script|onclick/)
  }
})

test('a picture that begins a line of a longer paragraph stays in it when it gets a width', () => {
  const wide: [string, string] = ['data-width=""', 'data-width="50%"']
  assert.equal(edited('![a](a.png)\n*b*\n', wide), '<img src="a.png" alt="a" width="50%"> _b_\n')
  assert.equal(edited('b\n![a](a.png)\nc\n', wide), 'b\n<img src="a.png" alt="a" width="50%">\nc\n')
})

test('a selection is marked where it is visible, and not where the marks would change the page', () => {
  const cursor = (source: string, from: number, to = from) => {
    const markup = drawWithCursor(parse(source), [from, to], {}).toString()
    assert.equal(markup.replace(/[\uFDD0\uFDD1]/g, ''), drawn(source))
    return markup
  }
  assert.match(cursor('# T\n\nabc *def*\n', 7, 12), /ab\uFDD0c <em>de\uFDD1f/)
  assert.match(cursor('```\ncode\n```\n', 6), /co\uFDD0\uFDD1de/)
  assert.match(cursor('<https://a.b>\n', 9), /href="https:\/\/a\.b"[^>]*>https:\/\/\uFDD0\uFDD1a\.b/)
  // A picture or a formula cannot be typed into: the cursor is behind it, and not part of its content.
  assert.match(cursor('a ![b](c.png)\n', 13), /<\/span>\uFDD0\uFDD1<\/p>/)
  assert.match(cursor('a ![b](c.png) d\n', 4, 15), /<\/span>\uFDD0 d\uFDD1<\/p>/)
  assert.match(cursor('a $$bc$$ d\n', 5), /data-formula="bc"[^]*<\/span>\uFDD0\uFDD1 d/)
  for (const [source, at] of [
    ['# T\n', 0],
    ['[a](x.md)\n', 6],
    ['![a](x.png)\n', 7],
  ] as const)
    assert.doesNotMatch(cursor(source, at), /\uFDD0/)
  check(
    fc.property(sources, fc.nat(), (source, at) => void cursor(source, at % (source.length + 1))),
    500,
  )
})
