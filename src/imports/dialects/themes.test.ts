import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/growth.ts'
import { translated } from './translate.ts'

const text = (...lines: string[]) => lines.join('\n')
const md = (...lines: string[]) => translated(text(...lines), { isMdx: false })
const hint = (style: string, ...lines: string[]) => text(`{% hint style=${style} %}`, ...lines, '{% endhint %}')
const details = (title: string, ...lines: string[]) =>
  text('<details>', '', `<summary>${title}</summary>`, '', ...lines, '', '</details>')
const tab = (title: string, ...lines: string[]) => text(`{% tab title="${title}" %}`, ...lines, '{% endtab %}')

test('Hugo shortcodes are read on one line, over several lines, and around other shortcodes', () => {
  assert.equal(md('{{< alert >}}Short *note*.{{< /alert >}}'), hint('"info"', 'Short *note*.'))
  assert.equal(md('{{% expand title="See" %}}It{{% /expand %}}'), details('See', 'It'))
  const figure = '<figure><img src="a.png" alt="A" width="200"><figcaption>The <em>A</em></figcaption></figure>'
  assert.equal(md('{{< figure', '  src="a.png"', '  alt="A" caption="The *A*" width="200px"', '>}}'), figure)
  assert.equal(
    md('{{< tabs items="JSON,YAML" >}}', '', '  {{< tab >}}**J**{{< /tab >}}', '  {{< tab >}}', '  Y', '  {{< /tab >}}', '', '{{< /tabs >}}'), // prettier-ignore
    text('{% tabs %}', tab('JSON', '**J**'), '', tab('YAML', 'Y'), '{% endtabs %}'),
  )
  assert.equal(
    md('{{% steps %}}', '', '### One', '', 'a', '', '### Two', '{{% /steps %}}'),
    text('{% stepper %}', '{% step %}', '### One', '', 'a', '{% endstep %}', '', '{% step %}', '### Two', '{% endstep %}', '{% endstepper %}'), // prettier-ignore
  )
})

test('Hugo cards, buttons, formulas, diagrams and file trees keep their content', () => {
  assert.equal(
    md('{{< cards >}}', '{{< card link="../b" title="B" subtitle="Sub" >}}', '{{< /cards >}}').trim(),
    text('**[B](<../b>)**', '', 'Sub'),
  )
  assert.equal(md('{{% card header="**H**" title="T" footer="F" %}}', 'x', '{{% /card %}}'), text('**H**', '', 'T', '', 'x', '', 'F')) // prettier-ignore
  assert.equal(md('a {{< button href="https://x.test" >}}Get{{< /button >}}'), 'a [Get](<https://x.test>)')
  assert.equal(md('Is {{< katex >}}\\pi(x){{< /katex >}}'), 'Is $$\\pi(x)$$')
  assert.equal(md('{{< katex display >}}', 'a^2', '{{< /katex >}}'), text('$$', 'a^2', '$$'))
  assert.equal(md('{{< mermaid >}}', 'graph LR', '{{< /mermaid >}}'), text('```mermaid', 'graph LR', '```'))
  assert.equal(
    md('{{< filetree/container >}}', '{{< filetree/folder name="a" >}}', '{{< filetree/file name="b.md" >}}', '{{< /filetree/folder >}}', '{{< /filetree/container >}}'), // prettier-ignore
    text('```', 'a/', '  b.md', '```'),
  )
  assert.equal(md('A {{< badge content="new" >}} {{< icon "x" >}}one'), 'A new one')
})

test('an unknown Hugo shortcode keeps its text, and one without text stays as it is written', () => {
  assert.equal(md('{{< x a="b" >}}', 'Text', '{{< /x >}}'), 'Text')
  assert.equal(md('a {{< x >}}word{{< /x >}} b'), 'a word b')
  assert.equal(md('[a]({{% ref path="/b" lang="en" %}} "t")'), '[a](/b "t")')
  for (const same of [
    '{{< param "v" >}}',
    'a {{< param "v" >}}',
    '```\n{{< x >}}a{{< /x >}}\n```',
    '`{{< x >}}a{{< /x >}}`',
  ])
    assert.equal(md(same), same)
  assert.equal(md('{{</* figure src="a" */>}}'), '{{< figure src="a" >}}')
})

test('backslash formulas, sub- and superscripts, and reviewer marks are read as in MkDocs', () => {
  assert.equal(md('Is \\(x^2\\), `\\(x^2\\)`'), 'Is $$x^2$$, `\\(x^2\\)`')
  assert.equal(md('\\[', 'E = mc^2', '\\]'), text('$$', 'E = mc^2', '$$'))
  assert.equal(md('H~2~O x^2^ A^T^'), 'H<sub>2</sub>O x<sup>2</sup> A<sup>T</sup>')
  assert.equal(md('{++a++} {--b--} {~~c~>d~~} {==e==}{>>f<<}'), '<u>a</u> ~~b~~ ~~c~~ d <mark>e</mark>')
  assert.equal(md('Text (1)', '{ .annotate }', '', '1. So'), text('Text (1)', '', '1. So'))
  for (const same of [
    'file\\(s\\)',
    '\\(optional words\\)',
    '\\[optional\\]',
    '~~a~~ 1~2 b^c ~/a/~b',
    '1~2天、3~5天',
    'a[^1] b[^2]',
  ])
    assert.equal(md(same), same)
})

test('Sphinx directives, roles and targets become their equivalents', () => {
  assert.equal(md('```{note}', 'Text', '```'), hint('"info"', 'Text'))
  assert.equal(
    md(':::{admonition} My *title*', ':class: tip', 'Text', ':::'),
    hint('"success" title="My title"', 'Text'),
  )
  assert.equal(md('```{toctree}', 'a', '```', 'Text').trim(), 'Text')
  assert.equal(
    md('```{code-block} python', ':caption: a.py', 'x', '```'),
    text('{% code title="a.py" %}', '```python', 'x', '```', '{% endcode %}'),
  )
  assert.equal(md('```{figure} a.png', ':alt: A', '', 'Below', '```'), '<figure><img src="a.png" alt="A"><figcaption>Below</figcaption></figure>') // prettier-ignore
  assert.equal(
    md('```{list-table} T', ':header-rows: 1', '', '* - A', '  - B', '* - 1', '  - 2', '```'),
    text('**T**', '', '| A | B |', '| --- | --- |', '| 1 | 2 |'),
  )
  assert.equal(
    md('::::{tab-set}', ':::{tab-item} A', 'a', ':::', '::::'),
    text('{% tabs %}', tab('A', 'a'), '{% endtabs %}'),
  )
  assert.equal(md('(here)=', '## Part'), '## Part {#here}')
  assert.equal(
    md('{doc}`Use it <use>` {ref}`here` {py:func}`~a.b` {kbd}`Ctrl` {math}`a^2`'),
    '[Use it](<use>) [here](<#here>) `a.b` <kbd>Ctrl</kbd> $$a^2$$',
  )
  assert.equal(md('::: {.callout-tip title="So"}', 'Text', ':::'), hint('"success" title="So"', 'Text'))
  assert.equal(md('::: note', '::: title', 'Note', ':::', '', 'Text', ':::'), hint('"info"', '', 'Text'))
})

test('typed quotes, image sizes and folded parts of Wiki.js and Outline are read', () => {
  assert.equal(md('> a', '> **b**', '{.is-warning}'), hint('"warning"', 'a', '**b**'))
  assert.equal(md('![A](/a.png =100x50){.align-center}'), '<img src="/a.png" alt="A" width="100" height="50">')
  assert.equal(md('![A](a.png " =30x")'), '<img src="a.png" alt="A" width="30">')
  assert.equal(md('a', '', '\\', '', 'b').replace(/\n+/g, ' '), 'a b')
  assert.equal(md('+++', 'Head', '', 'Body', '+++'), details('Head', 'Body'))
  assert.equal(md('```mermaidjs', 'x', '```'), text('```mermaid', 'x', '```'))
  assert.equal(md('[r.pdf 245](uploads/r.pdf) @[Jo](mention://a)'), '[r.pdf](uploads/r.pdf) @Jo')
  assert.equal(md('> a', '{.x}'), '> a')
})

test('text that only looks like theme syntax stays unchanged', () => {
  for (const same of [
    '`GET /users/{id}` returns `200`, {% x %}',
    '| `/a/{id}` | `b` |',
    '`` {ref}`x` `` and ``{ref}`x` ``',
    text('It begins with `{{<`.', '', '# Part', '', 'It ends with `>}}`.'),
    text('It begins with {{< x', '', '- a', '', 'and ends with >}}.'),
    text('a', '', '    {{< x >}}b{{< /x >}}', '    {{< y', '    >}}'),
    'Set it \\(key=value\\), \\(see [a_b](https://a.example/b_c)\\), \\(user\\_id\\)',
    text('\\[see what_is there\\]', ''),
    'Version 24.0.7-1~ubuntu.22.04~jammy, ~5~, 3~5 or 10~20~30',
    '[a](https://a.example/b~1~c) https://a.example/x^2^y <a href="b~1~c">d</a>',
  ])
    assert.equal(md(same), same)
  assert.equal(md('{ref}`a` `/b/{id}` {class}`~c.D`'), '[a](<#a>) `/b/{id}` `c.D`')
  assert.equal(md('\\(x_{max} = 5\\) \\(\\alpha\\) \\(n\\)'), '$$x_{max} = 5$$ $$\\alpha$$ $$n$$')
  assert.equal(md('H~2~SO~4~ x~i~, y^n+1^'), 'H<sub>2</sub>SO<sub>4</sub> x<sub>i</sub>, y<sup>n+1</sup>')
})

test('unclosed theme syntax is read in linear time', () => {
  const lines = ['{{< x', '{{< tabs >}}', '```{note}', ':::{note}', '::::{tab-set}', '\\[', '> a', '+++', '+++\na', '(a)=', '{.is-info}', '{{% x %}}a', '```{a}\n```'] // prettier-ignore
  for (const line of lines) assertLinear((length) => md(...Array.from({ length }, () => line)), 2_000)
  const parts = ['{{< button ', '{{< x >}}', '{{< katex >}}', '{{< ref a ', '{++', '{--', '{~~', 'a~', 'a^', '\\(', '![a](b ', '{a}`', '{a', ' =1x', '@[a](mention:', ' ', '<h1', 'a'] // prettier-ignore
  for (const begin of ['', '{{< ', '{{< x ', '\\[', '> ', '```{note} ', '{{< x >}}'])
    for (const part of parts) assertLinear((length) => md(begin + part.repeat(length), 'x'), 4_000)
})
