import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/growth.ts'
import { readPasted } from './pasted.ts'

const pastes = (html: string, markdown: string) => assert.equal(readPasted(html), markdown)

test('Google Docs: only text that is styled bold, italic, struck out or monospace is marked as such', () => {
  const look = 'font-size:11pt;font-family:Arial,sans-serif;color:#000;font-weight:400;font-style:normal'
  pastes(
    `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr"><span style="${look};font-weight:700">Brewing</span></h2>
    <p dir="ltr"><span style="${look}">Take </span><span style="${look};font-weight:700;font-style:italic">one spoon</span><span style="${look}">, </span><span style="${look};text-decoration:line-through">or two</span><span style="${look}">, and run </span><span style="${look};font-family:'Courier New',monospace">brew</span><span style="${look}">.</span></p></b><br class="Apple-interchange-newline">`,
    '## Brewing\n\nTake **_one spoon_**, ~~or two~~, and run `brew`.',
  )
})

test('Google Docs: nested lists stay nested, and tasks keep their checkboxes', () => {
  pastes(
    `<ul><li dir="ltr" aria-level="1"><p><span>Pots</span></p></li><ul><li aria-level="2"><p><span>of iron</span></p></li></ul><li><p><span>Cups</span></p></li></ul>`,
    '- Pots\n  - of iron\n- Cups',
  )
  pastes(
    `<ul><li role="checkbox" aria-checked="true"><img src="data:image/png;base64,x" alt="checked"><p>Boil</p></li><li role="checkbox" aria-checked="false"><img src="data:image/png;base64,x"><p>Pour</p></li></ul>`,
    '- [x] Boil\n- [ ] Pour',
  )
})

test('Word: paragraphs with a list marker become the lists that they look like', () => {
  const item = (level: number, sign: string, text: string) =>
    `<p class=MsoListParagraph style='margin-left:.5in;text-indent:-.25in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>${text}<o:p></o:p></p>\n`
  pastes(
    `<html xmlns:o="urn:x"><head><style>p {margin:0}</style></head><body><!--StartFragment--><h1>Tea<o:p></o:p></h1>${item(1, '·', 'Pots')}${item(2, 'o', 'of <b>iron</b>')}${item(1, '·', 'Cups')}${item(1, '1.', 'Boil')}${item(1, '2.', 'Pour')}<p class=MsoNormal>Then wait.<o:p></o:p></p><!--EndFragment--></body></html>`,
    '# Tea\n\n- Pots\n  - of **iron**\n- Cups\n\n1. Boil\n2. Pour\n\nThen wait.',
  )
})

test('Word: a numbered list is recognized from its first item, and continues its numbers after text in between', () => {
  const item = (sign: string, text: string) =>
    `<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>${sign}<span>&nbsp; </span></span>${text}</p>\n`
  pastes(
    `${item('1.', 'Boil')}${item('2.', 'Pour')}<p class=MsoNormal>Wait.</p>${item('3.', 'Drink')}${item('a)', 'Wash')}`,
    '1. Boil\n2. Pour\n\nWait.\n\n3. Drink\n4. Wash',
  )
  const wrapped = (start: number, text: string) =>
    `<div class="ListContainerWrapper"><ol start="${start}"><li data-aria-level="1"><p>${text}</p></li></ol></div>`
  pastes(
    `${wrapped(1, 'Boil')}<p>Wait.</p>${wrapped(2, 'Drink')}${wrapped(3, 'Wash')}`,
    '1. Boil\n\nWait.\n\n2. Drink\n3. Wash',
  )
})

test('Word in a browser: lists of one item each become one list', () => {
  const item = (tag: string, level: number, text: string) =>
    `<div class="ListContainerWrapper SCXW1"><${tag}><li data-aria-level="${level}"><p><span>${text}</span></p></li></${tag}></div>`
  pastes(
    item('ol', 1, 'Boil') + item('ul', 2, 'in a kettle') + item('ol', 1, 'Pour'),
    '1. Boil\n   - in a kettle\n2. Pour',
  )
})

test('sheets: the first row names the columns', () => {
  pastes(
    `<google-sheets-html-origin><table><tbody><tr><td>Tea</td><td>Minutes</td></tr><tr><td>Green</td><td>2</td></tr></tbody></table>`,
    '| Tea | Minutes |\n| --- | --- |\n| Green | 2 |',
  )
})

test('sheets: cells beside and below merged cells stay in their columns', () => {
  pastes(
    `<table><tr><td>Tea</td><td>Cup</td><td>Minutes</td></tr><tr><td rowspan=2>Green</td><td>small</td><td>2</td></tr><tr><td>large</td><td>3</td></tr><tr><td colspan=2 rowspan=2>Black</td><td>4</td></tr><tr><td>5</td></tr><tr><td>Mint</td><td rowspan=9999>any</td><td>6</td></tr></table>`,
    '| Tea | Cup | Minutes |\n| --- | --- | --- |\n| Green | small | 2 |\n|  | large | 3 |\n| Black |  | 4 |\n|  |  | 5 |\n| Mint | any | 6 |',
  )
})

test('Google Docs: text in a heading stays italic or monospace, and is bold by the heading alone', () => {
  const look = 'font-family:Arial;font-weight:700'
  pastes(
    `<h2><span style="${look}">Run </span><span style="font-family:'Courier New';font-weight:700">brew</span><span style="${look};font-style:italic"> now</span></h2>`,
    '## Run `brew` _now_',
  )
})

test('a line break in monospace text stays a line break, and a link in it stays a link', () => {
  const look = "font-family:'Courier New',monospace"
  pastes(
    `<p><span style="${look}">npm ci<br>npm <b>start</b><br><br></span>and wait</p>`,
    '`npm ci`\\\n`npm start`\\\n<br>and wait',
  )
  pastes(`<p>Run <code>a\nb<br></code></p><p><code><br></code>so</p>`, 'Run `a b`\n\nso')
  pastes(`<p><code><a href="https://example.org/">a<br>b</a></code></p>`, '[`a`\\\n`b`](https://example.org/)')
})

test('pages: links and pictures that others can open are kept, scripts and local addresses are not', () => {
  pastes(
    `<p>See <a href="https://example.org/a b">this</a>, <a href="javascript:alert(1)">not that</a>, <a href="/here">nor this</a>.</p><p><img src="https://example.org/a.png" alt="A pot"><img src="file:///C:/a.png"></p><script>x()</script>`,
    'See [this](https://example.org/a%20b), not that, nor this.\n\n![A pot](https://example.org/a.png)',
  )
})

test('the time to read pasted content is linear in its length', () => {
  for (const part of [
    "<p style='mso-list:l0 level3'>x</p>",
    '<div class="ListContainerWrapper"><ul><li data-aria-level="100000000">x</li></ul></div>',
    '<span style="font-weight:700;;:;font-style:italic">x</span> ',
  ])
    assertLinear((times) => readPasted(part.repeat(times)), 2_000)
})

test('Google Docs: a link leads to its target directly, and not through Google', () => {
  pastes(
    `<p><a href="https://www.google.com/url?q=https://example.com/x?a%3D1&amp;sa=D&amp;ust=1">tea</a></p>`,
    '[tea](https://example.com/x?a=1)',
  )
  pastes(
    `<p><a href="https://www.google.com/url?q=javascript:x">tea</a></p>`,
    '[tea](https://www.google.com/url?q=javascript:x)',
  )
})

test('Confluence: panels become hints without their icons, and lines of code become code', () => {
  const panel = (type: string) =>
    `<div data-panel-type="${type}" class="ak-editor-panel"><div class="ak-editor-panel__icon">i</div><div class="ak-editor-panel__content"><p>Mind <strong>it</strong>.</p></div></div>`
  pastes(panel('info'), '{% hint style="info" %}\nMind **it**.\n{% endhint %}')
  pastes(panel('error'), '{% hint style="danger" %}\nMind **it**.\n{% endhint %}')
  pastes(
    `<div class="fabric-editor-block-mark"><div class="code-block"><span data-ds--code--code-block=""><code class="language-js"><span>const tea = 1</span>\n<span>  pour(tea)</span></code></span></div></div>`,
    '```js\nconst tea = 1\n  pour(tea)\n```',
  )
  // Text that contains code is text.
  pastes(`<div class="code-block"><p>Run <code>brew</code> now.</p></div>`, 'Run `brew` now.')
})
