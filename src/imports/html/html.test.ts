import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/growth.ts'
import { readHtml } from './page.ts'
import { pages } from '../testing/generators.ts'

const read = (html: string) => {
  const page = readHtml({ html, url: 'https://docs.test/guide/start', keep: () => 'embedded:1.png' })
  assert.ok(page, 'it has no content')
  return page
}

const body = (html: string) => read(`<main><h1>T</h1>${html}</main>`).markdown.trim()

for (const { name, html, title, markdown, menu } of pages) {
  test(`a ${name} page is imported with its content and menu, without the surrounding layout`, () => {
    const page = read(html)
    assert.equal(page.title, title)
    assert.equal(page.markdown.trim(), markdown.trim())
    assert.equal(page.generator, name)
    if (menu) assert.equal(outline(page.menu), menu)
  })
}

const outline = (items: any[]): string =>
  items.map(({ title, items }) => (items.length > 0 ? `${title} (${outline(items)})` : title)).join(' ')

test('the content of a page by an unknown generator is found by where its text is', () => {
  const long = 'A sentence that says something, and says it at some length. '.repeat(6)
  const page =
    read(`<title>Name - Site</title><div class="navbar"><a href="/">Home</a> lots of words in the bar of the site here</div>
    <div class="wrap"><div class="left"><a href="/a">A</a><a href="/b">B</a></div><div class="post"><h1>Real</h1><p>${long}</p><p>${long}</p></div></div>
    <div class="footer">Copyright, and more words about nothing in particular, for quite a while</div>`)
  assert.equal(page.title, 'Real')
  assert.equal(page.markdown.trim(), `${long.trim()}\n\n${long.trim()}`)
})

test('table cells keep pipes, line breaks, lists and code', () => {
  assert.equal(
    body(`<table><tr><th>A</th><th align="right">B</th></tr><tr><td>x|y</td><td>one<br>two</td></tr>
      <tr><td><ul><li>a</li><li>b</li></ul></td><td><pre>c|d\ne</pre></td></tr></table>`),
    '| A | B |\n| --- | ---: |\n| x\\|y | one<br>two |\n| • a<br>• b | `c\\|d`<br>`e` |',
  )
})

test('a caption goes above its table, even if the table is only a frame', () => {
  assert.equal(body('<table><caption>Cap</caption><tr><th>A</th></tr></table>'), '**Cap**\n\n| A |\n| --- |')
  assert.equal(body('<table><caption>Cap</caption><tr><td><p>a</p></td></tr></table>'), '**Cap**\n\na')
})

test('blanks at the edges of code separate it from the text beside it', () => {
  assert.equal(body('<p>or<code> as </code>find<code>\nand</code> more</p>'), 'or `as` find `and` more')
})

test('pictures in figures and cards keep their link, unless it leads to the same picture', () => {
  const picture = '<img src="/a.png" alt="A">'
  const said = '[![A](https://docs.test/a.png)](https://docs.test/x)'
  assert.equal(
    body(`<figure><a href="/x">${picture}</a><figcaption>A <b>b</b></figcaption></figure>`),
    `${said}\n\nA **b**`,
  )
  assert.equal(body(`<p>Thanks</p><a href="/x"><div>${picture}</div></a>`), `Thanks\n\n${said}`)
  for (const href of ['/a.png', '/large/a.png?w=1'])
    assert.equal(body(`<figure><a href="${href}">${picture}</a></figure>`), '![A](https://docs.test/a.png)')
})

test('lists keep their nesting, start numbers, code and tasks', () => {
  assert.equal(
    body(
      `<ol start="3"><li><p>three</p><pre><code class="language-js">let a</code></pre></li><li>four<ul><li>in</li></ul></li></ol>`,
    ),
    '3. three\n\n   ```js\n   let a\n   ```\n\n4. four\n\n   - in',
  )
  assert.equal(
    body('<ul><li><input type=checkbox checked> done</li><li><input type=checkbox> to do</li></ul>'),
    '- [x] done\n- [ ] to do',
  )
  // Many editors write it like this, although the standard does not allow it.
  assert.equal(body('<ul><li>a</li><ul><li>b</li><li>c</li></ul><li>d</li></ul>'), '- a\n  - b\n  - c\n- d')
})

test('an admonition keeps its title, even if it is named like a built-in property of objects', () => {
  const note = (classes: string, title: string) =>
    body(`<div class="admonition ${classes}"><p class="admonition-title">${title}</p><p>Says so</p></div>`)
  assert.equal(note('tip', 'Tip'), '{% hint style="success" %}\nSays so\n{% endhint %}')
  const titled = (title: string) => `{% hint style="info" title="${title}" %}\nSays so\n{% endhint %}`
  assert.equal(note('note', 'Constructor'), titled('Constructor'))
  assert.equal(note('constructor', 'It'), titled('It'))
})

test('Notion and Confluence tasks, callouts and code are recognized', () => {
  assert.equal(
    body(`<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>done</span></li></ul>
      <ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>to do</span></li></ul>`),
    '- [x] done\n- [ ] to do',
  )
  assert.equal(
    body('<ul class="inline-task-list"><li class="checked">done</li><li>to do</li></ul>'),
    '- [x] done\n- [ ] to do',
  )
  assert.equal(
    body(`<ol class="numbered-list" start="1"><li>a</li></ol><ol class="numbered-list" start="2"><li>b</li></ol>
      <ul class="bulleted-list"><li>c</li></ul><ul class="bulleted-list"><li>d</li></ul><p>e</p><ul class="bulleted-list"><li>f</li></ul>`),
    '1. a\n2. b\n\n- c\n- d\n\ne\n\n- f',
  )
  const callout = (sign: string) =>
    `<figure class="gray_background callout"><div><span class="icon">${sign}</span></div><div><p>Says <b>so</b></p></div></figure>`
  assert.equal(body(callout('💡')), '{% hint style="info" %}\nSays **so**\n{% endhint %}')
  assert.equal(body(callout('⚠️')), '{% hint style="warning" %}\nSays **so**\n{% endhint %}')
  assert.equal(
    body(
      '<div class="code panel pdl"><div class="codeContent"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false">int a;</pre></div></div>',
    ),
    '```java\nint a;\n```',
  )
  assert.equal(
    body(
      '<div class="code panel pdl"><div class="codeHeader panelHeader pdl"><b>A.java</b></div><div class="codeContent"><pre class="syntaxhighlighter-pre">int a;</pre></div></div>',
    ),
    '{% code title="A.java" %}\n```\nint a;\n```\n{% endcode %}',
  )
  assert.equal(
    body(
      '<div class="expand-container"><div class="expand-control"><span class="expand-control-icon"></span><span class="expand-control-text">See <b>more</b></span></div><div class="expand-content"><p>inside</p></div></div>',
    ),
    '<details>\n\n<summary>See <strong>more</strong></summary>\n\ninside\n\n</details>',
  )
})

test('a Confluence emoticon image becomes its emoji, or its name if it has none', () => {
  const drawn = (more: string) =>
    body(`<p>So <img class="emoticon emoticon-smile" src="a.png" alt="(smile)"${more}></p>`)
  assert.equal(drawn(' data-emoji-fallback="🙂"'), 'So 🙂')
  assert.equal(drawn(''), 'So (smile)')
})

test('an anchor inside a heading becomes its anchor, as word processors and old pages write it', () => {
  assert.equal(body('<h2><a id="_Toc1"></a><a id="_Ref1"></a>Second part</h2>'), '## Second part {#_Toc1}')
  assert.equal(body('<h2><a name="old">Old</a></h2>'), '## Old')
  assert.equal(body('<h2><a name="older"></a>Old</h2>'), '## Old {#older}')
  assert.equal(body('<h2 id="own"><a id="other"></a>Own</h2>'), '## Own')
  assert.equal(body('<h2><a id="user-content-a" href="#a"></a>Here</h2>'), '## Here')
})

test('attachments of a Confluence page that it does not show are listed at its end', () => {
  const attachment = (path: string, name: string) =>
    `<img src="images/icons/bullet_blue.gif" alt=""/> <a href="attachments/65601/${path}">${name}</a> (application/pdf)<br/>`
  const page = (content: string, attachments: string) =>
    read(`<div id="content"><h1 id="title-heading"><span id="title-text">S : P</span></h1>
      <div id="main-content" class="wiki-content group">${content}</div><div class="pageSection group">
      <div class="pageSectionHeader"><h2 id="attachments" class="pageSectionTitle">Attachments:</h2></div>
      <div class="greybox" align="left">${attachments}</div></div></div>`).markdown.trim()
  const at = 'https://docs.test/guide/attachments/65601'
  assert.equal(
    page('<p>Text <img src="attachments/thumbnails/65601/7"> <a href="attachments/65601/8.pdf">eight</a></p>', attachment('7.png', 'seven.png') + attachment('8.pdf', 'eight.pdf') + attachment('9.pdf', 'nine.pdf')).split('\n\n').slice(1).join('\n\n'),
    `## Attachments\n\n- [nine.pdf](${at}/9.pdf)`,
  ) // prettier-ignore
  assert.equal(page('<p>Text</p>', ''), 'Text')
})

test('details, figures, embeds, formulas and footnotes become their equivalents', () => {
  assert.equal(
    body('<details open><summary>More</summary><p>inside</p></details>'),
    '<details open>\n\n<summary>More</summary>\n\ninside\n\n</details>',
  )
  assert.match(
    body('<figure><img src="a.png" alt="A"><figcaption>Says <b>what</b></figcaption></figure>'),
    /<figure><img src="https:\/\/docs\.test\/guide\/a\.png" alt="A"><figcaption><p>Says <strong>what<\/strong><\/p><\/figcaption><\/figure>/,
  )
  assert.equal(body('<iframe src="https://video.test/1"></iframe>'), '{% embed url="https://video.test/1" %}')
  assert.match(body('<h2>A <iframe src="https://video.test/1" title="V"></iframe></h2>'), /## A \[V\]\(https:/)
  assert.match(
    body('<table><tr><th>a</th></tr><tr><td><iframe src="https://video.test/1"></iframe></td></tr></table>'),
    /\| <https:\/\/video\.test\/1> \|/,
  )
  assert.equal(
    body(
      '<p>E<span class="katex"><math><annotation encoding="application/x-tex">x^2</annotation></math><span>x2</span></span></p>',
    ),
    'E$$x^2$$',
  )
  assert.equal(
    body(`<p>Text<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup></p>
      <div class="footnote"><hr><ol><li id="fn:1"><p>Note <a class="footnote-backref" href="#fnref:1">↩</a></p></li></ol></div>`),
    'Text[^1]\n\n[^1]: Note',
  )
})

test('text that looks like Markdown stays text, and scripts and styles are removed', () => {
  assert.equal(
    body(
      '<p># no *heading* {% hint %}</p><script>alert(1)</script><style>p{}</style><a href="javascript:alert(1)">x</a>',
    ),
    '\\# no \\*heading\\* \\{% hint %}\n\nx',
  )
})

test('a page without content is not a page, and a very deeply nested page is still read', () => {
  assert.equal(
    readHtml({ html: '<html><body></body></html>', url: 'https://x.test/', keep: () => undefined }),
    undefined,
  )
  const deep = read(`<main>${'<div>'.repeat(1_000)}deep${'</div>'.repeat(1_000)}</main>`)
  assert.match(deep.markdown, /deep/)
})

test('the time to read a page is linear in its length', () => {
  const note =
    '<div class="admonition note"><p class="admonition-title">Note</p><ul><li><a href="/x">x</a> <b>y</b></li></ul></div>'
  assertLinear((times) => read(`<main>${note.repeat(times)}</main>`), 4_000)
})
