// MDX components: the values passed to them are shown as what they are, and never as the source of a tag.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/growth.ts'
import { translated } from './translate.ts'

const text = (...lines: string[]) => lines.join('\n')
const md = (...lines: string[]) => translated(text(...lines), { isMdx: false })
const mdx = (...lines: string[]) => translated(text(...lines), { isMdx: true })

test('tabs get their titles from the list on their parent, as in Fumadocs and Nextra', () => {
  const both = text('{% tabs %}', '{% tab title="npm" %}', 'One', '{% endtab %}', '', '{% tab title="It\'s pnpm" %}', 'Two', '{% endtab %}', '{% endtabs %}') // prettier-ignore
  const items = `items={['npm', "It's pnpm"]}`
  assert.equal(mdx(`<Tabs ${items}>`, '  <Tab>', '    One', '  </Tab>', '  <Tab>Two</Tab>', '</Tabs>'), both)
  assert.equal(mdx(`<Tabs ${items}>`, '<Tabs.Tab>', 'One', '</Tabs.Tab>', '<Tabs.Tab>Two</Tabs.Tab>', '</Tabs>'), both)
})

test('an unknown component shows the data passed to it as code, and its content', () => {
  const given = ['  content={[', '    {', "      name: 'It\\'s > all',", '    },', '  ]}', '  style={{ color: "red" }}']
  assert.equal(
    mdx('Before', '', '<Properties', ...given, '/>', '', 'Behind'),
    text('Before', '', '```js', '[', '  {', "    name: 'It\\'s > all',", '  },', ']', '```', '', '', 'Behind'),
  )
  assert.equal(
    mdx('Before', '', '<Chart onClick={() => a > b} size={3} />', '', 'Behind'),
    text('Before', '', '', 'Behind'),
  )
  const many = Array.from({ length: 500 }, (_, at) => `  'row ${at}',`)
  assert.equal(mdx('<Rows of={[', ...many, ']}', '/>').trimEnd(), text('```js', '[', ...many, ']', '```'))
  assert.equal(mdx('<Wide when={a}>', '', '## In it', '', '</Wide>'), '## In it')
  // Not closed, or not MDX: stays text.
  for (const same of ["<Wide when={'a}", '<Wide when={a}>\n\nText']) assert.equal(mdx(same), same)
  assert.equal(md('<Wide when={a} />'), '<Wide when={a} />')
  const endless = `<A${'.A'.repeat(40_000)} when={a}>\n\nText`
  assert.equal(mdx(endless), endless)
})

test('a snippet component becomes a code block', () => {
  assert.equal(
    mdx('<Snippet text={`import { one } from "a"`} prompt={false} />'),
    text('```', 'import { one } from "a"', '```'),
  )
  assert.equal(mdx('<Snippet', '  text="npm i a"', '  dark', '/>'), text('```', 'npm i a', '```'))
})

test('an image component with a light and a dark source becomes one picture with both', () => {
  const both =
    '<picture><source srcset="/dark.png" media="(prefers-color-scheme: dark)"><img src="/light.png" alt="A &#39;b&#39;" width="472"></picture>'
  const lines = ['<Image', '  alt="A \'b\'"', '  srcLight="/light.png"', '  srcDark="/dark.png"', '  width={472}', '/>']
  for (const read of [md, mdx]) assert.equal(read(...lines).replaceAll("'", '&#39;'), both)
})

test('the time to read unclosed tags grows linearly with their number', () => {
  assertLinear((size) => mdx(...Array.from({ length: size }, () => "<Wide when={'a")), 4000)
  assertLinear((size) => mdx('<Wide', ...Array.from({ length: size }, () => " a={{b: '{'}} c={'a'}"), '/>'), 16_000)
  assertLinear((size) => mdx(`<Wide ${'a={b} '.repeat(size)}/>`), 32_000)
})
