import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { everyBlock } from '../../content/blocks.ts'
import { parse } from '../../content/parse.ts'
import { check } from '../../content/testing/sources.ts'
import { translated } from './translate.ts'

/**
 * Syntax of all tools, in any order, so that most generated pages are malformed somewhere. Each W becomes a distinct
 * word.
 */
const pieces = [
  [':::note', ':::', '::::tip T', '::::', '::: code-group', '!!! note "T"', '???+ tip', '=== "A"', '[TOC]', '* TOC', '{:toc}'],
  ['W', 'W', '  W', '   W', '    W', '        W', '\tW', '- W', '> W', '# W', '## W {#a}', '| W | W |', '|---|---|', '', '', ''],
  ['```js title="x"', '```', '~~~', '````', '1. ```sh', '   ```', '> ```', '$$', '$x_{i=W}$', '`W){.x}` W', 'W `W'],
  ['W [W](W){.x} W', '**W**{ .x }', '{: .note }', '<details>', '</details>', '<summary>W</summary>', '<!-- W', '-->'],
  ['<Tabs>', '</Tabs>', '<TabItem value="a">', '</TabItem>', '<TabItem value="a">W</TabItem> W', '<Note>', '</Note>'],
  ['<Note>W</Note>W', '<Note>W', 'W</Note>W', '<Card title="x">', '</Card>W', '<Steps>', '<Step title="x">', '</Step>'],
  ['</Steps>', '<Accordion title="x">', '</Accordion>', '<CodeGroup>', '</CodeGroup>', '{{< hint info >}}', '{{< /hint >}}'],
  ['{{% notice %}}', '{{% /notice %}}', '{{< tabs >}}', '{{< tab "x" >}}', '{{< /tab >}}', '{{< /tabs >}}'],
  ['{{< tabpane >}}', '{{< /tabpane >}}', '{{< highlight go >}}', '{{< /highlight >}}', '{% raw %}', '{% endraw %}'],
  ['{% highlight x %}', '{% endhighlight %}', '{% hint style="info" %}', '{% endhint %}'],
].flat() // prettier-ignore

const pages = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((lines) => {
  let count = 0
  return lines.map((line) => line.replace(/W/g, () => `wq${count++}z`)).join('\n')
})

test('no word of a page is lost or moved, however malformed its syntax is', () => {
  const words = (text: string) => text.match(/wq\d+z/g) ?? []
  check(
    fc.property(pages, fc.boolean(), (page, isMdx) => {
      const once = translated(page, { isMdx })
      assert.deepEqual(words(once), words(page))
      assert.deepEqual(words(translated(once, { isMdx })), words(page))
    }),
    2_000,
  )
})

/** Text that would have a meaning outside of code. */
const signs = [':::note', ':::', '!!! note', '{{< x >}}', 'f(){.x}', '<Tabs>', '{/* c */}', '[a](b){.x}', '`', '{: .note }', '[TOC]', "import a from '@theme/x'", 'export const a = 1'] // prettier-ignore
const within = (lines: string[], indent: string, first = indent) => lines.map((line, at) => (at === 0 ? first : indent) + line) // prettier-ignore
const code = fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 4 })
const fence = code.map((lines) => ['```x', ...lines, '```'])

const { block } = fc.letrec<{ block: string[]; holder: string[] }>((tie) => {
  const some = fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((all) => all.flatMap((each) => [...each, '']))
  return {
    block: fc.oneof({ maxDepth: 3 }, fence, fc.constant<string[]>(['text']), tie('holder')),
    holder: fc.oneof(
      fence.map((lines) => within(lines, '  ', '- ')),
      fence.map((lines) => within(lines, '> ')),
      some.map((lines) => ['- item', '', ...within(lines, '  ')]),
      some.map((lines) => ['10. item', '', ...within(lines, '    ')]),
      some.map((lines) => [':::note', ...lines, ':::']),
      some.map((lines) => ['<Note>', '', ...lines, '</Note>']),
      some.map((lines) => ['!!! note', '', ...within(lines, '    ')]),
      some.map((lines) => ['=== "a"', '', ...within(lines, '    ')]),
      some.map((lines) => ['{{< hint info >}}', ...lines, '{{< /hint >}}']),
    ),
  }
})

test('code keeps its text, whatever kinds of blocks it is nested in', () => {
  const plain = (line: string) => line.replace(/^[\s>]+/, '')
  check(
    fc.property(
      fc.array(block, { maxLength: 5 }),
      fc.boolean(),
      fc.constantFrom('\n', '\r\n'),
      (blocks, isMdx, end) => {
        const lines = blocks.flatMap((each) => [...each, ''])
        const written = lines.join('\n').matchAll(/```x\n([^]*?)\n[\s>]*```/g)
        const text = translated(lines.join(end), { isMdx })
        assert.deepEqual(
          [...everyBlock(parse(text).blocks)].flatMap((each) => (each.type === 'code' ? [each.text] : [])),
          Array.from(written, ([, inside = '']) => inside.split('\n').map(plain).join('\n')),
        )
      },
    ),
    1_000,
  )
})
