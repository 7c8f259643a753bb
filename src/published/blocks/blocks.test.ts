import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { everyBlock } from '../../content/blocks.ts'
import { parse } from '../../content/parse.ts'
import { toDocument } from '../../content/to-document.ts'
import { Icons } from '../icons/icons.ts'
import { wordsFor } from '../words/words.ts'
import { drawArticle } from './draw.ts'
import type { Surroundings } from './drawing.ts'

const everywhere: Surroundings = {
  link: (href) => ({ href, external: /^https?:/.test(href), title: 'A page' }),
  image: (src) => ({ src, width: 640, height: 480 }),
  file: (src) => ({ href: src, name: 'notes.pdf', size: 2_480_000 }),
}

const draw = async (markdown: string, around = everywhere) => {
  const { article, needs } = await drawArticle(parse(markdown).blocks, around, new Icons())
  return { markup: article.toString(), needs }
}

const sources = globSync('src/content/cases/*/*.md').map((file) => ({ file, text: readFileSync(file, 'utf8') }))

test('every block type can be drawn, without style attributes, scripts or event handlers', async () => {
  const seen = new Set<string>()
  assert.ok(sources.length > 40)
  for (const { file, text } of sources) {
    for (const block of everyBlock(parse(text).blocks)) seen.add(block.type)
    const { markup } = await draw(text)
    const tags = markup.match(/<[a-z][^>]*>/gi) ?? []
    for (const tag of tags) {
      assert.doesNotMatch(tag, /\sstyle=|\son[a-z]+=|^<(script|iframe|object|embed|style|form|base|link|meta)\b/i, file)
      assert.doesNotMatch(tag, /(href|src)="\s*(javascript|data|vbscript):/i, file)
    }
  }
  for (const type of ['code', 'hint', 'tabs', 'stepper', 'table', 'columns', 'file', 'embed', 'math', 'updates']) {
    assert.ok(seen.has(type), `no case has ${type}`)
  }
})

test('code has colours, a title, line numbers, marked lines with line breaks, and a copy button', async () => {
  const { markup } = await draw(
    '{% code title="a.ts" lineNumbers="true" %}\n```ts {2}\nconst a = 1\n// b\n```\n{% endcode %}\n',
  )
  assert.match(markup, /<b dir="auto">a\.ts<\/b><span class="lang">TypeScript<\/span>/)
  assert.match(markup, /class="numbered"/)
  assert.match(markup, /<span class="t-k">const<\/span>/)
  assert.match(markup, /<span class="line hl"><span class="t-c">\/\/ b<\/span><\/span>\n/)
  assert.match(markup, /data-copy/)
})

test('code in an unknown language and code that is too long is drawn as plain text', async () => {
  const { markup } = await draw('```nosuchlanguage\n<b>&\n```\n')
  assert.match(markup, /<span class="line">&lt;b&gt;&amp;<\/span>/)
  const long = await draw(`\`\`\`js\n${'let a = 1\n'.repeat(10_000)}\`\`\`\n`)
  assert.doesNotMatch(long.markup, /t-k/)
})

test('formulas are drawn as MathML without styles, and invalid ones are shown as written', async () => {
  const { markup, needs } = await draw('$$\n\\color{red}\\frac{a}{b}\n$$\n\nText $$x^2$$ here.\n\n$$\n\\frac{\n$$\n')
  assert.match(markup, /<math[^>]*>.*<mfrac mathcolor="#ff0000">/s)
  assert.doesNotMatch(markup, /style=/)
  assert.match(markup, /<code>\\frac\{<\/code>/)
  assert.ok(needs.has('math'))
  const formulas = [
    ['\\color{red}x', /<mi mathcolor="#ff0000">x<\/mi>/],
    ['\\boxed{x}', /<mrow[^>]* class="m-box">/],
    [
      '\\begin{array}{l|r} a & b \\\\ \\hline c & d \\end{array}',
      /<mtd class="m-bottom m-solid m-start m-right tml-left">/,
    ],
    ['\\begin{cases} x & y \\end{cases}', /<mtd class="m-apart m-end tml-left">/],
  ] as const
  for (const [formula, look] of formulas) {
    const drawn = await draw(`$$\n${formula}\n$$\n`)
    assert.match(drawn.markup, look)
    assert.doesNotMatch(drawn.markup, / style=/)
  }
  const hostile = await draw('$$\n\\href{javascript:alert(1)}{x}\\text{<img src=x onerror=alert(1)>}\n$$\n')
  assert.doesNotMatch(hostile.markup, /<img|<a /)
})

test('the macros of a formula may write a little, and a formula whose macros write too much is shown as written', async () => {
  const few = [
    '\\newcommand{\\length}[2]{\\lVert#1\\rVert_{#2}}\\length{x}{1}+\\length{y}{2}',
    '\\def\\a{x}\\edef\\b{\\a\\a}\\b'.repeat(20),
  ]
  for (const formula of few) assert.match((await draw(`$$\n${formula}\n$$\n`)).markup, /<math/)
  const many = [
    `\\def\\a{${'x'.repeat(5_000)}}${'\\a'.repeat(190)}`,
    `\\def\\a{${'x'.repeat(900)}}\\edef\\b{${'\\a'.repeat(190)}}\\b`,
    `\\def\\a#1{${'#1'.repeat(2_000)}}\\a{${'x'.repeat(4_000)}}`,
    `\\newcommand\\a[1]{${'#1'.repeat(100)}}\\a{\\a{\\a{x}}}`,
  ]
  for (const formula of many) {
    const { markup } = await draw(`$$\n${formula}\n$$\n`)
    assert.ok(markup.length < 12_000 && markup.includes('<code>\\'), `${markup.length} characters`)
  }
})

test('a formula that would become a thousand times as large as it is, and a very long unit, are shown as written', async () => {
  const table = (rows: number, columns: number) => `${'a&'.repeat(columns - 1)}a${'\\\\a'.repeat(rows - 1)}`
  const few = [
    `\\begin{pmatrix}${table(100, 20)}\\end{pmatrix}`,
    `\\begin{array}{${'c'.repeat(20)}}${table(100, 20)}\\end{array}`,
    `\\bordermatrix{${'a&b\\cr '.repeat(20)}c&d}`,
    `\\ce{${'H2O + '.repeat(20)}}\\pu{123 kJ/mol}\\cancelto{1}{\\cancelto{2}{x+y}}\\mathllap{x}`,
  ]
  for (const formula of few) assert.match((await draw(`$$\n${formula}\n$$\n`)).markup, /<math/, formula)
  const cells = { row: '&'.repeat(1_000), rows: '\\\\'.repeat(1_000) }
  const many = [
    `\\begin{matrix}${cells.row}${cells.rows}\\end{matrix}`,
    `\\left(\\begin{aligned}${cells.row}${cells.rows}\\end{aligned}\\right)`,
    `\\begin{array}{${'c'.repeat(1_000)}}${cells.rows}\\end{array}`,
    `\\def\\a{${'&'.repeat(100)}}\\def\\b{${'\\\\'.repeat(100)}}\\begin{matrix}${'\\a'.repeat(10)}${'\\b'.repeat(10)}\\end{matrix}`,
    ...['\\cancelto{1}', '\\mathllap', '\\llap', '\\equilibriumRight'].map(
      (repeats) => `${`${repeats}{`.repeat(14)}x+y${'}'.repeat(14)}`,
    ),
    `\\pu{${'1 m/s '.repeat(1_000)}}`,
  ]
  for (const formula of many) {
    const { markup } = await draw(`$$\n${formula}\n$$\n`)
    assert.ok(markup.length < 12_000 && markup.includes('<code>\\'), `${markup.length} characters`)
  }
})

test('formulas that would become too large together are all shown as written, wherever they are', async () => {
  const large = `$$\n\\def\\a{${'x'.repeat(1_000)}}${'\\a'.repeat(15)}\n$$\n\n`
  const refused = (number: number) => `$$\n\\def\\a{${'x'.repeat(9_000)}}\\a\\a\\a${number}\n$$\n\n`
  const small = 'Text $$x^2$$ here.\n\n'
  for (const few of [large.repeat(10), refused(0)]) {
    const { markup } = await draw(`${few}${small}`)
    assert.match(markup, /<math/)
  }
  for (const many of [large.repeat(200), Array.from({ length: 70 }, (_, number) => refused(number)).join('')]) {
    const { markup } = await draw(`${small}${many}${small}`)
    assert.doesNotMatch(markup, /<math/)
    assert.match(markup, /Text <span class="formula"><code>x\^2<\/code>/)
  }
})

test('other work gets its turn while the formulas of a page are drawn', async () => {
  const formulas = Array.from(
    { length: 500 },
    (_, number) => `- $$\\sum_{i=0}^{n} \\frac{x_i^2}{\\sqrt{${number}}}$$\n`,
  )
  let turns = 0
  const counting = setInterval(() => (turns += 1), 1)
  const { markup } = await draw(formulas.join(''))
  clearInterval(counting)
  assert.equal(markup.match(/<math/g)?.length, 500)
  assert.ok(turns >= 2, `${turns} turns`)
})

test('a link, image or file that is not available to the reader is drawn as its text', async () => {
  const nowhere: Surroundings = { link: () => undefined, image: () => undefined, file: () => undefined }
  const source =
    '[gone](gone.md) ![a picture](x.png)\n\n{% file src="x.pdf" %}\n\n{% content-ref url="gone.md" %}\n[gone.md](gone.md)\n{% endcontent-ref %}\n'
  const { markup } = await draw(source, nowhere)
  assert.doesNotMatch(markup, /<a |<img/)
  for (const words of ['gone', 'a picture', 'x.pdf']) assert.ok(markup.includes(words), words)
})

test('a javascript: address returned for a link, image or file is not used', async () => {
  const hostile: Surroundings = {
    link: () => ({ href: 'javascript:alert(1)', external: false }),
    image: () => ({ src: 'javascript:alert(1)' }),
    file: () => ({ href: 'javascript:alert(1)', name: 'x' }),
  }
  const { markup } = await draw('[a](b) ![c](d) <a href="e">f</a>\n\n{% file src="g" %}\n', hostile)
  assert.doesNotMatch(markup, /javascript/)
})

test('each tab group has one open panel and unique ids, and groups with the same titles share a sync name', async () => {
  const group =
    '{% tabs %}\n{% tab title="npm" %}\none\n{% endtab %}\n{% tab title="yarn" %}\ntwo\n{% endtab %}\n{% endtabs %}\n\n'
  const { markup } = await draw(group + group)
  assert.equal(markup.match(/data-sync="npm yarn"/g)?.length, 2)
  assert.equal(markup.match(/role="tabpanel"[^>]* data-on/g)?.length, 2)
  const ids = [...markup.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length)
})

test('footnotes are numbered by first mention and listed at the end, and one never mentioned is left out', async () => {
  const { markup } = await draw('A[^b] and B[^a].\n\n[^a]: Second.\n\n[^b]: First.\n\n[^c]: Nobody mentions it.\n')
  assert.match(markup, /<li id="~note-1" value="1"><p>First\.<\/p>.*<li id="~note-2" value="2"><p>Second\.<\/p>/s)
  assert.doesNotMatch(markup, /Nobody/)
})

test('a footnote is matched in any letter case, and the first of two with the same name is used', async () => {
  const { markup } = await draw('A[^Cite], again[^cite], B[^b].\n\n[^cite]: Found.\n\n[^b]: First.\n\n[^B]: Second.\n')
  assert.match(markup, /again<sup><a href="#~note-1" aria-label/)
  assert.match(markup, /<li id="~note-1" value="1"><p>Found\.<\/p>.*<li id="~note-2" value="2"><p>First\.<\/p>/s)
  assert.doesNotMatch(markup, /Second/)
})

test('words with a footnote stay in the text, its back link leads to the first mention, and nested notes follow', async () => {
  const { markup } = await draw(
    'It is [drained](#user-content-fn-a)[^a], then[^a] done.\n\n[^b]: Deeper.\n\n[^a]: Slowly[^b].\n',
  )
  assert.match(markup, /It is drained<sup><a href="#~note-1" id="~from-note-1"/)
  assert.match(markup, /then<sup><a href="#~note-1" aria-label/)
  assert.match(
    markup,
    /<li id="~note-1"[^]*Slowly<sup><a href="#~note-2" id="~from-note-2"[^]*<li id="~note-2"[^]*Deeper/,
  )
})

test('a list item without a checkbox in a task list is drawn with a bullet', async () => {
  const { markup } = await draw('- [x] Done\n- Not a task\n- [ ] Open\n')
  assert.deepEqual(
    [...markup.matchAll(/aria-label="(\w[\w ]*)"|class="(bullet)"/g)].map(([, label, bullet]) => label ?? bullet),
    ['Done', 'bullet', 'To do'],
  )
})

test('tasks with numbers have both: a number and a box', async () => {
  const { markup } = await draw('3. [x] Done\n4. Not a task\n5. [ ] Open\n')
  assert.match(markup, /<ol start="3">/)
  assert.deepEqual(
    [...markup.matchAll(/<li>(\s*<div class="task">\s*<span[^>]*aria-label="([^"]*)")?/g)].map(([, , label]) => label),
    ['Done', undefined, 'To do'],
  )
})

test('text colours become named tones, and an unknown colour becomes a plain mark', async () => {
  const { markup } = await draw(
    '<mark style="color:red;">a</mark> <mark style="background-color:blue;">b</mark> <mark style="color:#123456;">c</mark>\n',
  )
  assert.match(markup, /<span class="toned" data-tone="danger">a<\/span>/)
  assert.match(markup, /<mark data-tone="info">b<\/mark> <mark>c<\/mark>/)
})

test('a card has a title, an icon and covers from any of its cells, and typed cells show their values', async () => {
  const { markup } = await draw(
    '<table data-view="cards"><thead><tr><th></th><th></th><th data-type="rating" data-max="3"></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image"></th><th data-hidden data-card-cover-dark data-type="image"></th></tr></thead><tbody>' +
      '<tr><td><h4><i class="fa-leaf">:leaf:</i></h4></td><td><strong>Grow</strong></td><td>2</td><td><a href="g.md">g.md</a></td><td><a href="l.png">l</a></td><td><a href="d.png">d</a></td></tr>' +
      '<tr><td><i class="fa-no-such-icon">:no-such-icon:</i></td><td><strong>Other</strong></td><td></td><td><a href="o.md">o.md</a></td><td></td><td></td></tr></tbody></table>\n',
  )
  assert.match(
    markup,
    /<span class="on-light"><img class="card-cover" src="l\.png"[^]*<span class="on-dark"><img class="card-cover" src="d\.png"/,
  )
  assert.match(
    markup,
    /class="chip"><svg[^>]*><use href="#i-leaf"[^]*<h2 class="card-title"><a href="g\.md">Grow<\/a><\/h2><p><span class="stars"[^>]*>★★☆/,
  )
  assert.match(markup, /class="chip"><svg[^]*<h2 class="card-title"><a href="o\.md">Other<\/a><\/h2>/)
  assert.doesNotMatch(markup, /<h4|<a [^>]*><\/a>/)
})

test('an element that is a link as a whole contains no other link', async () => {
  const { markup } = await draw(
    '{% embed url="https://example.org/x" %}\nSee **[this](https://example.org/y)**[^1]\n{% endembed %}\n\n' +
      '{% file src="a.pdf" %}\nOr [that](https://example.org/z)\n{% endfile %}\n\n[^1]: Note.\n',
  )
  assert.match(markup, /<b>See <strong>this<\/strong><\/b>/)
  assert.match(markup, /<small>Or that<\/small>/)
  assert.doesNotMatch(markup, /<a (?:(?!<\/a>)[^])*<a /)
})

test('columns have the widths and the order set by their author', async () => {
  const two = (first: string, second: string) =>
    `{% columns %}\n{% column${first} %}\na\n{% endcolumn %}\n{% column${second} %}\nb\n{% endcolumn %}\n{% endcolumns %}\n`
  const look = async (markdown: string) => /class="(columns[^"]*)"/.exec((await draw(markdown)).markup)![1]
  assert.equal(await look(two(' width="66.66%"', '')), 'columns thirds reverse')
  assert.equal(await look(two(' width="30%"', ' width="70%"')), 'columns thirds')
  assert.equal(await look(two('', '')), 'columns')
})

test('text has the alignment and images have the width set by their author', async () => {
  const { markup } = await draw(
    '<h2 align="center">Title</h2>\n\n<p align="right">Words</p>\n\nPlain\n\n' +
      '<div align="left"><figure><img src="a.png" alt="" width="320"></figure></div>\n\n' +
      '<figure><img src="b.png" alt="" width="40%"></figure>\n',
  )
  assert.match(markup, /<h2[^>]* data-align="center">Title/)
  assert.match(markup, /<p data-align="end">Words/)
  assert.match(markup, /<p>Plain/)
  assert.match(markup, /<figure class="figure"\s+data-align="left"><img src="a\.png" alt="" width="320" height="240"/)
  assert.match(markup, /<img src="b\.png" alt="" width="40%" loading/)
  const sign = await draw('![Star](star.png)\n', { ...everywhere, image: (src) => ({ src, width: 24, height: 24 }) })
  assert.match(sign.markup, /<img[^>]* data-small/)
  assert.doesNotMatch(markup, /data-small/)
})

test('typed table columns show checkboxes, stars and images, and a value of another type stays as written', async () => {
  const { markup } = await draw(
    '<table><thead><tr><th width="200.5">Name</th><th data-type="checkbox">Done</th><th data-type="rating" data-max="4">Stars</th></tr></thead><tbody>' +
      '<tr><td>true</td><td>true</td><td>3</td></tr><tr><td>b</td><td>maybe</td><td>7</td></tr></tbody></table>\n',
  )
  assert.match(markup, /<td>true<\/td>\s*<td><span class="box"\s+data-on role="img" aria-label="Done">/)
  assert.match(markup, /<td><span class="stars" role="img" aria-label="3\/4">★★★☆<\/span><\/td>/)
  assert.match(markup, /<colgroup>\s*<col width="200"><col><col>\s*<\/colgroup>/)
  assert.match(markup, /<td>maybe<\/td>\s*<td>7<\/td>/)
  const pictures =
    '<table><thead><tr><th>Name</th><th data-type="image">Picture</th></tr></thead><tbody>' +
    '<tr><td>One</td><td><a href="one.png">The first</a></td></tr></tbody></table>\n'
  assert.match(
    (await draw(pictures)).markup,
    /<td><img class="cell-picture" src="one\.png" alt="The first" width="640"/,
  )
  const gone = await draw(pictures, { ...everywhere, image: () => undefined })
  assert.match(gone.markup, /<td><a href="one\.png"[^>]*>The first/)
})

test('an empty cell with a number or a rating, for which GitBook writes null, is shown empty; as text, null stays', async () => {
  const typed = (type: string) => `<table><thead><tr><th data-type="${type}">Head</th></tr></thead>`
  const empty = '<tbody><tr><td>null</td></tr></tbody></table>\n'
  for (const type of ['number', 'rating']) {
    const source = typed(type) + empty
    assert.match((await draw(source)).markup, /<td><\/td>/)
    const [written] = toDocument(parse(source).blocks).nodes
    assert.match(JSON.stringify(written?.data), new RegExp(`"type":"${type}".*"values":{"column-0":null}`))
  }
  assert.match((await draw(typed('text') + empty)).markup, /<td>null<\/td>/)
  assert.match((await draw('| Default |\n|---|\n| null |\n')).markup, /<td>null<\/td>/)
})

test('author content cannot use the ids, classes or roles of the page frame', async () => {
  const frame = ['~content', '~nav', '~hits', 'content', 'nav', 'hits']
  const headings = frame.map((id) => `<h2 id="${id}">x</h2>`).join('\n\n')
  const { markup } = await draw(
    `## Content\n\n## Note 1\n\nA[^1]\n\n[^1]: x\n\n$$\n\\label{hits} x \\tag{1}\n$$\n\n${headings}\n\n` +
      '<div class="scrim" role="tablist">\n\nx\n\n</div>\n\n<span class="skip">x</span> <p class="nav">y</p>\n',
  )
  const ids = [...markup.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
  assert.equal(new Set(ids).size, ids.length, ids.join(' '))
  for (const id of ids) assert.ok(!id.startsWith('~') || /^~(?:from-)?note-1$/.test(id), id)
  assert.match(markup, /id="user-content-hits"/)
  assert.doesNotMatch(markup, /scrim|tablist|class="skip|class="nav/)
})

test('a prompt has a button that copies it as text, and is open if its author wants that', async () => {
  const { markup } = await draw(
    '{% prompt description="Ask" %}\nWrite **it**:\n\n* one\n* two\n\n```md\n"code"\n```\n{% endprompt %}\n',
  )
  assert.match(markup, /data-copy="Write it:\n\n- one\n- two\n\n&quot;code&quot;" aria-label="Copy prompt"/)
  assert.match(markup, /<details class="fold" ?>/)
  // A button inside of the summary would be a button within a button.
  assert.doesNotMatch(/<summary>.*?<\/summary>/s.exec(markup)![0], /<button/)
  const open = await draw('{% prompt defaultExpanded="full" %}\nText\n{% endprompt %}\n')
  assert.match(open.markup, /<details class="fold" +open/)
})

test('a fold without a label gets one in the language of the page', async () => {
  for (const source of [
    '<details>\n\nInside\n\n</details>\n',
    '<details><summary> </summary>\n\nInside\n\n</details>\n',
  ]) {
    assert.match((await draw(source)).markup, /<\/svg><span>Details<\/span><\/summary>/)
    const polish = { ...everywhere, words: wordsFor('pl') }
    assert.match((await draw(source, polish)).markup, /<span>Szczegóły<\/span>/)
  }
  const { markup } = await draw('<details><summary><i class="fa-bolt">:bolt:</i></summary>\n\nInside\n\n</details>\n')
  assert.doesNotMatch(markup, /Details/)
})

test('long expandable code has a control to show all lines, and all lines are in the page', async () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n')
  const fold = (count: number, flag = 'true') =>
    draw(`{% code expandable="${flag}" %}\n\`\`\`\n${lines(count)}\n\`\`\`\n{% endcode %}\n`)
  const { markup } = await fold(40)
  assert.match(markup, /line 39<\/span>\n<\/code><\/pre><label class="code-more"\s*><input type="checkbox" class="sr"/)
  assert.match(markup, /Show all 40 lines/)
  for (const { markup } of [await fold(12), await fold(40, 'false')]) assert.doesNotMatch(markup, /code-more/)
})

test('a diagram is labelled with its own title, else its caption, else the heading above it', async () => {
  const diagram = (source: string, title?: string) =>
    `${title === undefined ? '' : `{% code title="${title}" %}\n`}\`\`\`mermaid\n${source}\n\`\`\`\n${title === undefined ? '' : '{% endcode %}\n'}`
  const label = async (markdown: string, around = everywhere) =>
    /data-diagram="([^"]*)"/.exec((await draw(markdown, around)).markup)![1]
  assert.equal(await label(diagram('graph TD\n  accTitle: How it flows\n  A --> B')), 'How it flows')
  assert.equal(await label(diagram('---\nconfig: {}\ntitle: "On top"\n---\ngraph TD\n A --> B')), 'On top')
  assert.equal(await label(diagram('pie showData title Cups\n "a" : 1')), 'Cups')
  assert.equal(await label(diagram('gantt\n  title Plan\n  x :a, 1d')), 'Plan')
  assert.equal(
    await label(`## Parts\n\n${diagram('graph TD\n title[Not a title] --> B', 'The caption')}`),
    'The caption',
  )
  assert.match((await draw(diagram('graph TD', 'The caption'))).markup, /<figcaption>The caption<\/figcaption>/)
  assert.equal(await label(`## Parts\n\n${diagram('graph TD\n A --> B')}`), 'Diagram: Parts')
  const german = { ...everywhere, words: wordsFor('de') }
  assert.equal(await label(diagram('graph TD\n A --> B'), german), 'Diagramm')
})

test('buttons have the alignment set by their author, and become separate words without a target', async () => {
  const row = '<a href="a.md" class="button primary">Start</a> <a href="b.md" class="button">Stop</a>'
  assert.match((await draw(`<p align="center">${row}</p>\n`)).markup, /^<p class="btns" data-align="center">/)
  assert.match((await draw(`${row}\n`)).markup, /^<p class="btns">/)
  assert.equal((await draw(`${row}\n`, { ...everywhere, link: () => undefined })).markup, '<p>Start Stop</p>')
})

test('an ask button links to the search results, and is plain text without a search', async () => {
  const searching = { ...everywhere, search: (question: string) => `/~/search?q=${encodeURIComponent(question)}` }
  const ask =
    '<button type="button" class="button primary" data-action="ask" data-query="How to start?">Ask us</button>'
  const { markup } = await draw(`${ask}\n\nOr <button data-action="ask">this one</button> here.\n`, searching)
  assert.match(
    markup,
    /^<p class="btns"><a class="btn primary" href="\/~\/search\?q=How%20to%20start%3F" data-search data-query="How to start\?">.*?<\/svg>Ask us<\/a><\/p>/,
  )
  assert.match(markup, /Or <a class="btn" href="\/~\/search\?q=this%20one" data-search data-query="this one">/)
  assert.doesNotMatch((await draw(ask)).markup, /<a |<button/)
  const other = await draw('<button data-action="leave" class="button">x</button>\n', searching)
  assert.doesNotMatch(other.markup, /data-search|btn/)
})

test('an anchor set by the author keeps its name, and a heading also has its GitBook anchor', async () => {
  const { markup } = await draw(
    '## Q & A\n\n## Plain\n\nA <a name="old"></a> b <a id="plain"></a> <span id="word">c</span>\n\n' +
      '<div id="part">d</div>\n\n<div id="~nav">e</div>\n\n<div id="forms">f</div>\n',
  )
  const ids = [...markup.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
  assert.deepEqual(ids, [
    'q--a',
    'q-and-a',
    'plain',
    'old',
    'user-content-plain',
    'word',
    'part',
    'user-content-~nav',
    'user-content-forms',
  ])
})

test('syntax of other tools is understood: alerts, iframes, swagger tags, and blocks on one line', async () => {
  const alert = await draw('> [!CAUTION]\n> Hot\n')
  assert.match(alert.markup, /class="block hint" data-tone="danger"[^]*<p>Hot<\/p>/)
  assert.doesNotMatch(alert.markup, /CAUTION|blockquote/)
  const frames = await draw(
    '<iframe src="https://a.test/x"></iframe>\n\nSee <iframe src="https://b.test/"></iframe>.\n',
  )
  assert.match(frames.markup, /href="https:\/\/a\.test\/x"[^]*<p>See <a [^>]*href="https:\/\/b\.test\/"/)
  assert.doesNotMatch(frames.markup, /iframe/)
  const swagger = await draw(
    '{% swagger method="get" path="/x" %}\n{% swagger-parameter in="path" name="id" %}\n{% endswagger-parameter %}\n{% endswagger %}\n',
  )
  assert.match(swagger.markup, /<code>GET \/x<\/code>[^]*<code>id<\/code> path/)
  const hint = await draw('{% hint style="info" %} Here {% endhint %}\n')
  assert.match(hint.markup, /data-tone="info"[^]*<p>Here<\/p>/)
  assert.doesNotMatch(hint.markup, /\{%/)
})

test('lists and code in table cells stay lists and code, and in a card they are below the title', async () => {
  const table = (attributes: string, cells: string) =>
    draw(`<table ${attributes}><thead><tr><th></th><th></th></tr></thead><tbody><tr>${cells}</tr></tbody></table>\n`)
  const plain = await table(
    'data-full-width="true"',
    '<td><ul><li>x</li><li>y</li></ul></td><td><pre>a\n  b</pre></td>',
  )
  assert.match(plain.markup, /<td><ul><li>x<\/li><li>y<\/li><\/ul><\/td>\s*<td><pre>a\n {2}b<\/pre><\/td>/)
  const cards = await table('data-view="cards"', '<td><strong>One</strong><ul><li>x</li></ul></td><td>Two</td>')
  assert.match(
    cards.markup,
    /class="card-title">One<\/h2>\s*<div class="card-text"><ul><li>x<\/li><\/ul><\/div>\s*<p>Two<\/p>/,
  )
})

test('an h1 in author HTML becomes h2, and every source of a picture element links to its file', async () => {
  const { markup } = await draw('<div><h1 id="a">A</h1></div>\n\n# B\n\n<div><h1>C</h1>\n<p>c</p></div>\n')
  assert.doesNotMatch(markup, /<h1/)
  assert.match(markup, /<h2 id="a">A<\/h2>/)
  const moved = { ...everywhere, image: (src: string) => (src === 'gone.png' ? undefined : { src: `/files/${src}` }) }
  const set =
    '<div>\n<picture><source srcset="a.png 1x, gone.png 2x, b.png 3x"><img src="a.png"></picture>\n<p>c</p></div>\n'
  assert.match((await draw(set, moved)).markup, /srcset="\/files\/a.png 1x, \/files\/b.png 3x"/)
})
