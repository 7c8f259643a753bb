import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/growth.ts'
import { translated } from './translate.ts'

const text = (...lines: string[]) => lines.join('\n')
const md = (...lines: string[]) => translated(text(...lines), { isMdx: false })
const mdx = (...lines: string[]) => translated(text(...lines), { isMdx: true })
const hint = (style: string, ...lines: string[]) => text(`{% hint style=${style} %}`, ...lines, '{% endhint %}')

test('admonitions of Docusaurus, VitePress and Starlight become hints, at any nesting depth', () => {
  assert.equal(md(':::note', '', 'Text', '', ':::'), hint('"info"', 'Text'))
  assert.equal(md('::: tip My *title*', 'Text', ':::'), hint('"success" title="My title"', 'Text'))
  assert.equal(md(':::danger[Say "so"]{.x}', 'Text', ':::'), hint('"danger" title="Say \\"so\\""', 'Text'))
  assert.equal(
    md('::::info', 'Out', ':::caution', 'In', ':::', '::::', 'Behind'),
    text(hint('"info"', 'Out', '', hint('"warning"', 'In')), '', 'Behind'),
  )
  assert.equal(md('- item', '', '  :::tip', '  In it', '  :::'), text('- item', '', '  {% hint style="success" %}', '  In it', '  {% endhint %}')) // prettier-ignore
  assert.equal(
    md('::: details See', 'Text', ':::'),
    text('<details>', '', '<summary>See</summary>', '', 'Text', '', '</details>'),
  )
  for (const same of [':::note\nNever closed', '::: columns\nx\n:::', '```\n:::note\nx\n:::\n```', 'a ::: b'])
    assert.equal(md(same), same)
})

test('the indented text of MkDocs admonitions and tabs becomes their content', () => {
  assert.equal(
    md('!!! warning "Mind"', '', '    One', '', '    ```', '    code', '    ```', 'Behind'),
    text(hint('"warning" title="Mind"', 'One', '', '```', 'code', '```'), '', 'Behind'),
  )
  assert.equal(md('!!! danger ""', '    Text'), hint('"danger"', 'Text'))
  assert.equal(
    md('???+ note "See"', '    Text'),
    text('<details open>', '', '<summary>See</summary>', '', 'Text', '', '</details>'),
  )
  assert.equal(
    md('=== "A"', '', '    One', '', '=== "B"', '', '    !!! tip', '        Two', '', 'Behind'),
    text('{% tabs %}', '{% tab title="A" %}', 'One', '{% endtab %}', '', '{% tab title="B" %}', hint('"success"', 'Two'), '{% endtab %}', '{% endtabs %}', '', 'Behind'), // prettier-ignore
  )
  assert.equal(md('Heading', '==='), text('Heading', '==='))
})

test('code blocks keep their title and line numbers, and code groups become tabs', () => {
  const titled = (more: string, language = 'js') =>
    text(`{% code ${more} %}`, `\`\`\`${language}`, 'x', '```', '{% endcode %}')
  assert.equal(md('```js title="a.js" {1,3} showLineNumbers', 'x', '```'), titled('title="a.js" lineNumbers="true"'))
  assert.equal(md('``` py title="a.py" linenums="1"', 'x', '```'), titled('title="a.py" lineNumbers="true"', 'py'))
  assert.equal(md('```js [a.js]', 'x', '```'), titled('title="a.js"'))
  assert.equal(
    md('::: code-group', '', '```js [a.js]', 'x', '```', '', '```ts', 'y', '```', ':::'),
    text('{% tabs %}', '{% tab title="a.js" %}', '```js', 'x', '```', '{% endtab %}', '', '{% tab title="ts" %}', '```ts', 'y', '```', '{% endtab %}', '{% endtabs %}'), // prettier-ignore
  )
  for (const same of ['```js\nx = {a: [1]}\n```', '```\n{{< hint >}}\n{: .note }\n```', '`a){.b}`'])
    assert.equal(md(same), same)
})

test('known MDX components become Markdown, and imports, exports and comments are removed', () => {
  assert.equal(
    mdx(
      "import Tabs from '@theme/Tabs'",
      'import {',
      '  a,',
      "} from './b'",
      '',
      'export const Red = ({children}) => (',
      '  <b>{children}</b>',
      ')',
      '',
      'Text {/* not said */}here.',
      '',
      '<Tabs',
      '  groupId="os"',
      "  values={[{label: 'Mac', value: 'mac'}]}>",
      '  <TabItem value="mac">',
      '',
      '    One',
      '',
      '    ```js',
      '    x',
      '    ```',
      '',
      '  </TabItem>',
      '  <TabItem value="win" label="Windows">Two</TabItem>',
      '</Tabs>',
      '',
      '<Aside type="caution" title="Mind">',
      'Text',
      '</Aside>',
      '',
      '<p className="x" style={{a: {b: 1}}}>In</p>',
    ),
    text(
      'Text here.',
      '',
      '{% tabs %}',
      '{% tab title="Mac" %}',
      'One',
      '',
      '```js',
      'x',
      '```',
      '{% endtab %}',
      '',
      '{% tab title="Windows" %}',
      'Two',
      '{% endtab %}',
      '{% endtabs %}',
      '',
      hint('"warning" title="Mind"', 'Text'),
      '',
      '<p class="x">In</p>',
    ),
  )
  assert.equal(mdx('<Warning>Hot</Warning>'), hint('"warning"', 'Hot'))
  assert.equal(
    mdx('<CardGrid>', '  <Card title="One" icon="x">', '    Text', '  </Card>', '  <LinkCard title="Two" href="/b/" description="So" />', '</CardGrid>'),
    text('**One**', '', 'Text', '', '**[Two](</b/>)**', '', 'So'),
  ) // prettier-ignore
  assert.equal(
    mdx('<Steps>', '  <Step title="First">', '    Do', '  </Step>', '</Steps>', '<Steps>', '', '1. Do', '', '</Steps>'),
    text('{% stepper %}', '{% step %}', '### First', '', 'Do', '{% endstep %}', '{% endstepper %}', '', '1. Do'),
  )
  const words = text("import tea from 'China' is what it says.", '', 'export your data', '', '<Unknown>Text</Unknown>')
  assert.equal(md(words), words)
})

test('shortcodes of Hugo and tags of Jekyll become Markdown', () => {
  assert.equal(md('{{< hint warning >}}', '**Text**', '{{< /hint >}}'), hint('"warning"', '**Text**'))
  assert.equal(md('{{% notice tip "So" %}}', 'Text', '{{% /notice %}}'), hint('"success" title="So"', 'Text'))
  assert.equal(md('{{% alert title="So" color="danger" %}}', 'Text', '{{% /alert %}}'), hint('"danger" title="So"', 'Text')) // prettier-ignore
  assert.equal(
    md('{{< tabs "id" >}}', '{{< tab "A" >}}', 'One', '{{< /tab >}}', '{{< /tabs >}}'),
    text('{% tabs %}', '{% tab title="A" %}', 'One', '{% endtab %}', '{% endtabs %}'),
  )
  assert.equal(md('{{< highlight go "linenos=table" >}}', 'x', '{{< /highlight >}}'), text('```go', 'x', '```'))
  assert.equal(
    md('{{< figure src="a b.png" caption="So" >}}'),
    '<figure><img src="a b.png" alt="So"><figcaption>So</figcaption></figure>',
  )
  assert.equal(md('{{< youtube abc >}}'), '{% embed url="https://www.youtube.com/watch?v=abc" %}')
  assert.equal(md('[a]({{< relref "b.md#c" >}}) {{< unknown >}}'), '[a](b.md#c) {{< unknown >}}')
  assert.equal(md('[a]({{ site.baseurl }}{% link b/c.md %})'), '[a](/b/c.md)')
  assert.equal(md('{: .note }', '> Text', '> more', '', 'Behind'), text(hint('"info"', 'Text', 'more'), '', 'Behind'))
})

test('attributes in braces after links, images and headings are removed, except ids of headings', () => {
  assert.equal(md('![a](b.png){ width="300" align=left } [c](d.md){ .md-button }'), '![a](b.png) [c](d.md)')
  assert.equal(md('## Head { #own .x }'), '## Head {#own}')
  assert.equal(md('## Head {#own}'), '## Head {#own}')
  assert.equal(md(':material-rocket: Go'), 'Go')
  for (const same of ['f(x){ return 1 }', '{ a: 1 }', 'Say {{ space.vars.x }}', '## Set {a, b}'])
    assert.equal(md(same), same)
})

test('text beside a component on the same line is kept', () => {
  assert.equal(mdx('<Note>One</Note> Two'), text(hint('"info"', 'One'), '', 'Two'))
  assert.equal(mdx('<Note>One</Note><Tip>Two</Tip>'), text(hint('"info"', 'One'), '', hint('"success"', 'Two')))
  assert.equal(mdx('<LinkCard title="A" href="/a" /> Two'), text('**[A](</a>)**', '', 'Two'))
  assert.equal(
    mdx('<Tabs><TabItem value="a">One</TabItem><TabItem value="b">Two</TabItem></Tabs> Three'),
    text('{% tabs %}', '{% tab title="a" %}', 'One', '{% endtab %}', '', '{% tab title="b" %}', 'Two', '{% endtab %}', '{% endtabs %}', '', 'Three'), // prettier-ignore
  )
  assert.equal(
    mdx('<CardGroup><Card title="A">One</Card><Card title="B">Two</Card></CardGroup>'),
    text('**A**', '', 'One', '', '**B**', '', 'Two'),
  )
})

test('MDX comments are removed exactly to their end, and code and formulas stay unchanged', () => {
  assert.equal(
    mdx('{/* a */} One', '', 'Two {/* b', '', 'c */} three', '', '{/* d */}', 'End'),
    text('One', '', 'Two  three', '', 'End'),
  )
  assert.equal(mdx('## Head {/* #own */}', '', '{/* never closed'), text('## Head {#own}', '', '{/* never closed'))
  for (const same of ['`{/* a */}` and ``<b c={`d`}>``', '```\n{/* a */}\n```']) assert.equal(mdx(same), same)
  for (const same of [
    'So $$x_{i=1}$$, $$\\sqrt[3]{x=1}$$ and f(x){a=1}',
    '$$\n[a](b){.c}\n\\sum_{i=1}\n$$',
    'Text:\n\n    [a](b){.c}\n    :::note\n    x\n    :::\n',
    '``[a](b){.c} ` :material-home: ``',
  ])
    assert.equal(md(same), same)
})

test('code blocks in lists and quotes stay code, and unclosed code does not affect the text behind it', () => {
  for (const prefix of ['1. ', '- ', '* 2) ']) {
    const indent = ' '.repeat(prefix.length)
    const code = text(`${prefix}\`\`\`md`, `${indent}[a](b){.c}`, `${indent}:::tip`, `${indent}:::`, `${indent}\`\`\``)
    assert.equal(md(code, '', ':::note', 'So', ':::'), text(code, '', hint('"info"', 'So')))
  }
  const quoted = text('> ```', '> [a](b){.c}', '> ```')
  assert.equal(md(quoted, '', ':::note', 'So', ':::'), text(quoted, '', hint('"info"', 'So')))
  assert.equal(md('> ```', '> x', '', ':::note', 'So', ':::'), text('> ```', '> x', '', hint('"info"', 'So')))
  assert.equal(md('```js title="a"', 'x'), text('```js title="a"', 'x'))
  assert.equal(md('!!! note', '    ```', '    x', 'Behind'), text(hint('"info"', '```', 'x', '```'), '', 'Behind'))
  assert.equal(
    md('{{< highlight md >}}', '```js', 'x', '```', '{{< /highlight >}}'),
    text('````md', '```js', 'x', '```', '````'),
  )
})

test('nested content of an admonition in a list keeps its indentation', () => {
  assert.equal(
    md('- item', '', '  :::note', '  - a', '    - b', '', '          code', '  :::'),
    text('- item', '', '  {% hint style="info" %}', '  - a', '    - b', '', '          code', '  {% endhint %}'),
  )
})

test('the language of a code block is recognized despite line attributes', () => {
  const code = (opening: string) => md(opening, 'x', '```')
  assert.equal(code('```js{1,3}'), text('```js', 'x', '```'))
  assert.equal(code('``` { .py .annotate }'), text('```py', 'x', '```'))
  assert.equal(code('```{r, echo=FALSE}'), text('```r', 'x', '```'))
  assert.equal(
    code('```ts:line-numbers {1}'),
    text('{% code lineNumbers="true" %}', '```ts', 'x', '```', '{% endcode %}'),
  )
  assert.equal(code('``` { .py title="a.py" }'), text('{% code title="a.py" %}', '```py', 'x', '```', '{% endcode %}'))
  const hugo = text('```go {hl_lines=[1,3]}', 'x', '```')
  assert.equal(md(hugo), hugo)
  assert.equal(code('```{versionadded} 10.0'), hint('"info" title="Added in 10.0"', 'x'))
})

test('images in MDX get the path that was imported or required, and a function with blank lines is removed completely', () => {
  const image = (path: string) => `<img src="${path}" alt="a" />`
  assert.equal(
    mdx(
      "import logo from './logo.png'",
      '',
      'export const Box = () => {',
      "  const a = '{'",
      '',
      '  return <b>{a}</b>',
      '}',
      '',
      '<img src={logo} alt="a" />',
      '<img src={require("./b.png").default} alt="a" />',
      '<img src={useBaseUrl(\'img/c.png\')} alt="a" />',
      '<Image',
      '  src={logo}',
      '  alt="a"',
      '/>',
    ),
    text(image('./logo.png'), image('./b.png'), image('/img/c.png'), image('./logo.png')),
  )
})

test('the text after an exported function or unfinished export is kept, however its brackets are counted', () => {
  assert.equal(
    mdx('export const A = () => (', "  <p>Don't (stop</p>", ')', '', 'Text :)', '', '- More'),
    text('Text :)', '', '- More'),
  )
  assert.equal(mdx('export const a = [', '', 'Text', '', ']', '', 'More'), text('Text', '', ']', '', 'More'))
})

test('code blocks of Docsy and Jekyll become code, and their notes become hints', () => {
  assert.equal(
    md('{{< tabpane >}}', '{{< tab header="A" lang="py" >}}', '# one', '  two', '{{< /tab >}}', '{{< /tabpane >}}'),
    text('{% tabs %}', '{% tab title="A" %}', '```py', '# one', '  two', '```', '{% endtab %}', '{% endtabs %}'),
  )
  assert.equal(
    md('{{< tabpane text=true >}}', '{{% tab header="A" %}}', '# one', '{{% /tab %}}', '{{< /tabpane >}}'),
    text('{% tabs %}', '{% tab title="A" %}', '# one', '{% endtab %}', '{% endtabs %}'),
  )
  assert.equal(
    md('{% highlight ruby linenos %}', '# one', '  {% if x %}', '{% endhighlight %}'),
    text('```ruby', '# one', '  {% if x %}', '```'),
  )
  assert.equal(md('{% include note.html content="Mind **this**." %}'), hint('"info"', 'Mind **this**.'))
  assert.equal(md('{% include image.html file="a.png" alt="A" %}'), '{% include image.html file="a.png" alt="A" %}')
  assert.equal(md('{% include "x.md" %}'), '{% include "x.md" %}')
  assert.equal(
    md('{% raw %}', '{{ x }}', '{% endraw %}', '', 'In {% raw %}{{ y }}{% endraw %} it'),
    text('{{ x }}', '', 'In {{ y }} it'),
  )
})

test('placeholders for a table of contents are removed', () => {
  assert.equal(md('# A', '', '* TOC', '{:toc}', '', 'Text'), text('# A', '', 'Text'))
  for (const sign of ['[TOC]', '[[toc]]', '[[_TOC_]]'])
    assert.equal(md('# A', '', sign, '', 'Text'), text('# A', '', 'Text'))
  assert.equal(md('Say `[TOC]`, or [TOC] here'), 'Say `[TOC]`, or [TOC] here')
})

test('icons and styling attributes of MkDocs are removed', () => {
  assert.equal(md('- :material-circle:{ style="color: red" } `a` :octicons-tag-24:{ .x } b'), '- `a` b')
  assert.equal(
    md('=== ":octicons-file-16: `a.css`"', '', '    One'),
    text('{% tabs %}', '{% tab title="a.css" %}', 'One', '{% endtab %}', '{% endtabs %}'),
  )
  assert.equal(md('!!! note ":material-star: Mind"', '    One'), hint('"info" title="Mind"', 'One'))
  assert.equal(md('The `#!python range()`, {{ x }} and `#!/bin/sh -e`'), 'The `range()`, {{ x }} and `#!/bin/sh -e`')
})

test('an mdx-code-block of Docusaurus is read as page content', () => {
  assert.equal(
    mdx('One', '', '```mdx-code-block', "import A from './a'", '', '<Note>Two</Note>', '```', '', 'Three'),
    text('One', '', hint('"info"', 'Two'), '', 'Three'),
  )
})

test('link, badge and parameter components keep their text, links and attributes', () => {
  assert.equal(mdx('See <Link to="/a">the *a*</Link>.'), 'See <a href="/a">the *a*</a>.')
  assert.equal(mdx('<LinkButton href="/a" variant="primary">Go</LinkButton>'), '<a href="/a" variant="primary">Go</a>')
  assert.equal(mdx('New <Badge text="2.0" variant="tip" /> here'), 'New 2.0 here')
  assert.equal(
    mdx('<ParamField query="limit" type="integer" default="10" required>', '  How *many*', '</ParamField>'),
    text('**`limit`** `integer` required, default: `10`', '', 'How *many*'),
  )
  assert.equal(
    mdx(
      '<ResponseField name="id" type="string">',
      '  <Expandable title="More">',
      '    One',
      '  </Expandable>',
      '</ResponseField>',
    ),
    text('**`id`** `string`', '', '<details>', '', '<summary>More</summary>', '', 'One', '', '</details>'),
  )
  assert.equal(
    mdx('<RequestExample>', '```sh Call', 'x', '```', '</RequestExample>'),
    text('{% tabs %}', '{% tab title="Call" %}', '```sh', 'x', '```', '{% endtab %}', '{% endtabs %}'),
  )
  assert.equal(mdx('<Update label="May" description="v1">', 'One', '</Update>'), text('## May', '', '*v1*', '', 'One'))
})

test('empty Docsy tabs are dropped, and a tab title can set the language of its code', () => {
  assert.equal(
    md(
      '{{< tabpane langEqualsHeader=true >}}',
      '{{< tab header="Pick:" disabled=true />}}',
      '{{< tab "Go" >}}',
      'x',
      '{{< /tab >}}',
      '{{< /tabpane >}}',
    ),
    text('{% tabs %}', '{% tab title="Go" %}', '```go', 'x', '```', '{% endtab %}', '{% endtabs %}'),
  )
  assert.equal(md('{{% pageinfo color="primary" %}}', 'One', '{{% /pageinfo %}}'), hint('"info"', 'One'))
  assert.equal(md('{% comment %}', 'Not said', '{% endcomment %}', 'Said'), 'Said')
})

test('definition lists, keys, marks and abbreviations of MkDocs and Jekyll are converted', () => {
  assert.equal(
    md('Text', '', 'A *term*', ':   One', '', '    Two', ':   Three', '', 'Other', '', ': Four', '', 'End {: .x }'),
    text('Text', '', '**A *term***', '', 'One', '', 'Two', '', 'Three', '', '**Other**', '', 'Four', '', 'End {: .x }'),
  )
  assert.equal(
    md('++ctrl+alt+del++ and ==mark== and ^^in^^', '', '*[HTML]: Hyper Text', '', 'HTML {: .x }'),
    text('<kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>Del</kbd> and <mark>mark</mark> and <u>in</u>', '', 'HTML {: .x }'),
  )
  for (const same of [
    'C++ and D++, i++ + ++j, a == b == c {{ x }}',
    '`==a== ++b++`',
    'Text\n:emoji: {{ x }}',
    '- a\n: b {{ x }}',
  ])
    assert.equal(md(same), same)
  assert.equal(
    md('A {{< tip text="Pod" id="x" >}} and <Badge type="tip" text="1.9" /> {{< x >}}'),
    'A Pod and 1.9 {{< x >}}',
  )
})

test('inline formulas are recognized among dollar signs, and string expressions in braces become text', () => {
  assert.equal(md('So $\\sum_{i=1}^n x$, $a^2$.'), 'So $$\\sum_{i=1}^n x$$, $$a^2$$.')
  for (const same of ['$5 or $6, $A_B/$C_D, $HOME and $x$', '`$a^2$` $$b^2$$', '$A=$B']) assert.equal(md(same), same)
  assert.equal(
    mdx("One{' '}", 'two{" "}three {\'four\'} <b title={"x"}>y</b>'),
    text('One ', 'two three four <b title="x">y</b>'),
  )
  assert.equal(mdx('<Frame caption="Said">', '  ![](a.png)', '</Frame>'), text('![](a.png)', '', '*Said*'))
})

test('a light and a dark image become one picture', () => {
  const picture =
    '<picture><source srcset="b.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt="A"></picture>'
  assert.equal(md('![A](a.png#only-light)', '![B](b.png#only-dark){ .x }', 'Text'), text(picture, '', 'Text'))
  assert.equal(md('![B](b.png#gh-dark-mode-only)', '', '![A](a.png#gh-light-mode-only)'), picture)
  assert.equal(
    mdx('<Frame>', '  <img className="block dark:hidden" src="a.png" alt="A" />', '  <img', '    className="hidden dark:block"', '    style={{', '      width: 1,', '    }}', '    src="b.png"', '  />', '</Frame>'),
    picture,
  ) // prettier-ignore
  for (const same of ['![A](a.png#only-light)', '<img class="dark:hidden" src="a.png">\nText'])
    assert.equal(md(same), same)
})

test('comments in code that control highlighting are removed, other comments stay', () => {
  const marked = [
    '// highlight-next-line',
    'a()',
    '  # highlight-start',
    'b() // [!code focus]',
    '<!-- highlight-end -->',
  ]
  assert.equal(md('```js', ...marked, 'c() /* [!code ++] */', '```'), text('```js', 'a()', 'b()', 'c()', '```'))
  assert.equal(
    md('::: code-group', '```js [a.js]', 'a() // [!code highlight:2]', '```', ':::'),
    text('{% tabs %}', '{% tab title="a.js" %}', '```js', 'a()', '```', '{% endtab %}', '{% endtabs %}'),
  )
  for (const same of ['x = "[!code focus]"', '// see highlight-next-line', '[!code focus]', 'highlight-start'])
    assert.equal(md('```', same, '```'), text('```', same, '```'))
})

test('the time to translate unclosed or repeated syntax grows linearly with its length', () => {
  for (const line of [
    ':::note',
    '!!! note',
    '<Tabs>',
    '{{< hint >}}',
    '=== "a"',
    '{/*',
    '<figure markdown>',
    '/// caption',
  ])
    assertLinear((length) => mdx(...Array.from({ length }, () => line)), 2_000)
  for (const line of ['> ```', '- ```', '<Note>a</Note>', 'export const a = {', '<img', '{% raw %}', '$$', '{/*a*/}'])
    assertLinear((length) => mdx(...Array.from({ length }, () => line)), 2_000)
  assertLinear((length) => mdx(`<Card ${'a'.repeat(length)}>x</Card>`), 20_000)
  const parts = ['](', '{', '{/*', '){a=', '[', '*', 'title="', '<a ', '{:', '`', '{% link ', '{{< ref ', ' ']
  parts.push(
    '](<',
    '](a "',
    '*a',
    '_a ',
    '$a',
    '` ``',
    '{/**/}',
    '- ',
    '<img src={',
    '<Note>a</Note>',
    '<Tabs>',
    '{%raw%}',
    ' markdown',
    '// [!code ',
    '[!code a] ',
    '<figcaption',
  )
  for (const begin of [
    '',
    '# ',
    ':::note ',
    '```js ',
    '{: ',
    '{{< hint ',
    '=== "',
    '<Tabs a=',
    '<Tabs>',
    '- ',
    '<figure markdown>',
    '<figure ',
  ])
    for (const part of parts) assertLinear((length) => mdx(begin + part.repeat(length), 'x'), 4_000)
  // U+2028 ends a line in JavaScript, but not in Markdown.
  for (const line of ['`', ':::a', '*[a]:\t', ':::code-group\n```'])
    assertLinear((length) => mdx(`${line}${line.at(-1)!.repeat(length)}"a\u2028x`, '```', ':::'), 16_000)
  assertLinear((length) => mdx(`<img ${'dark:'.repeat(length)}`), 8_000)
  assertLinear((length) => mdx(`<img src="a" class="${'hidden '.repeat(length)}dark" alt="dark:">`, ''), 8_000)
})

test('images of MkDocs with a caption become figures', () => {
  const caption = ['<figcaption>Below</figcaption>', '</figure>']
  assert.equal(
    md('Text', '<figure markdown="span">', '  ![A](a.png){ width="300" }', ...caption, 'Text'),
    text(
      'Text',
      '',
      '<figure><img src="a.png" alt="A" width="300"><figcaption>Below</figcaption></figure>',
      '',
      'Text',
    ),
  )
  assert.equal(md('<figure markdown>', '[![A](a.png)](b.md)', ...caption), text('[![A](a.png)](b.md)', '', '*Below*'))
  assert.equal(md('![A](a.png)', '/// caption', 'Below', '///'), text('![A](a.png)', '', '*Below*'))
  for (const same of ['<figure><img src="a.png"></figure>', '<figure markdown>\n![A](a.png)', '/// caption\nx'])
    assert.equal(md(same), same)
})
