import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/growth.ts'
import { translated } from './translate.ts'

const text = (...lines: string[]) => lines.join('\n')
const md = (...lines: string[]) => translated(text(...lines), { isMdx: false })
const mdx = (...lines: string[]) => translated(text(...lines), { isMdx: true })
const hint = (style: string, ...lines: string[]) => text(`{% hint style=${style} %}`, ...lines, '{% endhint %}')

test('notes of Docusaurus, VitePress and Starlight become hints, however deep they stand', () => {
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

test('notes and tabs of MkDocs are what stands further in', () => {
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

test('code keeps its title and its numbers, and pieces beside each other become tabs', () => {
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

test('components of MDX become what they show, and what pages are computed with is left out', () => {
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

test('shortcodes of Hugo and tags of Jekyll become what they show', () => {
  assert.equal(md('{{< hint warning >}}', '**Text**', '{{< /hint >}}'), hint('"warning"', '**Text**'))
  assert.equal(md('{{% notice tip "So" %}}', 'Text', '{{% /notice %}}'), hint('"success" title="So"', 'Text'))
  assert.equal(md('{{% alert title="So" color="danger" %}}', 'Text', '{{% /alert %}}'), hint('"danger" title="So"', 'Text')) // prettier-ignore
  assert.equal(
    md('{{< tabs "id" >}}', '{{< tab "A" >}}', 'One', '{{< /tab >}}', '{{< /tabs >}}'),
    text('{% tabs %}', '{% tab title="A" %}', 'One', '{% endtab %}', '{% endtabs %}'),
  )
  assert.equal(md('{{< highlight go "linenos=table" >}}', 'x', '{{< /highlight >}}'), text('```go', 'x', '```'))
  assert.equal(md('{{< figure src="a b.png" caption="So" >}}'), '![So](<a b.png> "So")')
  assert.equal(md('{{< youtube abc >}}'), '{% embed url="https://www.youtube.com/watch?v=abc" %}')
  assert.equal(md('[a]({{< relref "b.md#c" >}}) {{< unknown >}}'), '[a](b.md#c) {{< unknown >}}')
  assert.equal(md('[a]({{ site.baseurl }}{% link b/c.md %})'), '[a](/b/c.md)')
  assert.equal(md('{: .note }', '> Text', '> more', '', 'Behind'), text(hint('"info"', 'Text', 'more'), '', 'Behind'))
})

test('what is said in braces about links, pictures and headings is no text', () => {
  assert.equal(md('![a](b.png){ width="300" align=left } [c](d.md){ .md-button }'), '![a](b.png) [c](d.md)')
  assert.equal(md('## Head { #own .x }'), '## Head {#own}')
  assert.equal(md('## Head {#own}'), '## Head {#own}')
  assert.equal(md(':material-rocket: Go'), 'Go')
  for (const same of ['f(x){ return 1 }', '{ a: 1 }', 'Say {{ space.vars.x }}', '## Set {a, b}'])
    assert.equal(md(same), same)
})

test('the time for what never ends grows with its length', () => {
  for (const line of [':::note', '!!! note', '<Tabs>', '{{< hint >}}', '=== "a"', '{/*'])
    assertLinear((length) => mdx(...Array.from({ length }, () => line)), 2_000)
  const parts = ['](', '{', '{/*', '){a=', '[', '*', 'title="', '<a ', '{:', '`', '{% link ', '{{< ref ', ' ']
  for (const begin of ['', '# ', ':::note ', '```js ', '{: ', '{{< hint ', '=== "', '<Tabs a='])
    for (const part of parts) assertLinear((length) => mdx(begin + part.repeat(length), 'x'), 4_000)
})
