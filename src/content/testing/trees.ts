import fc from 'fast-check'
import type { Block } from '../blocks.ts'
import type { Inline } from '../inlines.ts'

/** Words full of characters that have a meaning in Markdown. */
const words = [
  ['word', 'two words', 'é', '😀', 'x_y', '1.', '- x', '# h', '*', '_', '**', '`', '``', '[', '](', '<b>', '&amp;'],
  ['$$', '{{ x }}', '{% hint %}', ':rocket:', '|', '~', '\\', '!', '+', '=', '===', '---', '>', '1) x', ':-', '"'],
  ['(', ')', '  ', '#', '{#id}', '<', '&', '//', 'a:b:c', '\t', '^', '[x]', '  end', '.', 'a*b', '_x_', '~~', "'"],
].flat()

// Bare addresses always become links, and control characters do not survive a parser.
const isPlain = (text: string): boolean =>
  text !== '' && !/@|www|http/i.test(text) && !/[^\P{C}\t]|[\u00a0\u2028\u2029]/u.test(text)

const text = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...words) },
      { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(''))
  .filter(isPlain)

/** Text with letters at both ends, because blanks there move out of a mark when it is written. */
const solidText = text.map((middle) => `x${middle.trim()}x`)

const href = fc.constantFrom(
  'x.md',
  '../a b.md',
  'https://a.b/c?d=e&f=g',
  'a(b)c',
  '#x',
  'a)b',
  '<x>',
  'a\\b',
  'mailto:a@b.c',
  'é',
)

const textInline = (value: fc.Arbitrary<string>): fc.Arbitrary<Inline> =>
  value.map((content) => ({ type: 'text', text: content }))

const markTypes = ['strong', 'emphasis', 'strikethrough', 'underline', 'keyboard', 'superscript', 'subscript'] as const

/** Inlines inside a mark, which holds no mark of its own kind. */
const marked = fc
  .tuple(fc.shuffledSubarray([...markTypes], { minLength: 1, maxLength: 3 }), textInline(solidText), href)
  .map(([types, inner, address]): Inline =>
    types.reduceRight<Inline>((inside, type) => ({ type, inlines: [inside, ...links(address)] }), inner),
  )

const links = (address: string): Inline[] =>
  address.length > 3 ? [{ type: 'link', href: address, inlines: [{ type: 'text', text: 'l' }] }] : []

const inline: fc.Arbitrary<Inline> = fc.oneof(
  textInline(text),
  textInline(text),
  marked,
  text.map((content): Inline => ({ type: 'code', text: content })),
  fc.constantFrom<Inline[]>(
    { type: 'math', text: '\\frac{1}{2}' },
    { type: 'expression', source: 'a == "x" && b[0] < 3' },
    { type: 'emoji', name: 'rocket', text: '🚀' },
    { type: 'icon', name: 'bolt' },
    { type: 'break' },
  ),
  fc.record({ type: fc.constant('link' as const), href, title: text, inlines: fc.tuple(textInline(text)) }),
  fc.record({ type: fc.constant('mention' as const), href, inlines: fc.tuple(textInline(text)) }),
  fc.record({
    type: fc.constant('button' as const),
    href,
    kind: fc.constant('primary' as const),
    inlines: fc.tuple(textInline(text)),
  }),
  fc.record({ type: fc.constant('image' as const), src: href, alt: text }),
  fc.record({
    type: fc.constant('color' as const),
    color: fc.constant('red'),
    inlines: fc.tuple(textInline(solidText)),
  }),
)

const inlines = fc
  .array(inline, { minLength: 1, maxLength: 5 })
  .map(mergeNeighbours)
  .filter((list) => list.some((item) => item.type === 'text' && item.text.trim() !== ''))

/** Joins neighbours that cannot be told apart in Markdown. */
function mergeNeighbours(list: readonly Inline[]): Inline[] {
  const merged: Inline[] = []
  for (const item of list) {
    const last = merged.at(-1)
    if ((item.type === 'text' || item.type === 'code') && last?.type === item.type) {
      merged[merged.length - 1] = { type: item.type, text: last.text + item.text }
    } else if (item.type !== last?.type) {
      merged.push(item)
    }
  }
  return merged
}

const code = fc.constantFrom('a', '```\nx', '{% hint %}\n', '  i\n\n~~~', '')
const cell = fc
  .array(
    fc.oneof(
      textInline(text),
      text.map((content): Inline => ({ type: 'code', text: content })),
    ),
    { maxLength: 2 },
  )
  .map(mergeNeighbours)

/** Running text in HTML, where consecutive blanks become one. */
const htmlInlines = fc.tuple(textInline(solidText.map((content) => content.replace(/\s+/g, ' '))))

const figure = fc.record({
  type: fc.constant('image' as const),
  src: href,
  alt: text,
  width: fc.constantFrom('100', '50%'),
  caption: htmlInlines,
})

/** Trees as code would build them. Written as Markdown, they must read back as the same tree. */
export const trees: fc.Arbitrary<Block[]> = fc.letrec<{ blocks: Block[]; block: Block }>((tie) => ({
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 4 }),
  block: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'block' },
    fc.record({ type: fc.constant('paragraph'), inlines }),
    fc.record({ type: fc.constant('heading'), level: fc.constantFrom(1, 2, 3, 4, 5, 6), inlines }),
    fc.constant({ type: 'divider' }),
    fc.constant({ type: 'math', text: 'x^2\n$' }),
    fc.record({ type: fc.constant('code'), language: fc.constantFrom('js', 'mermaid'), text: code }),
    fc.record({ type: fc.constant('code'), title: text, lineNumbers: fc.boolean(), text: fc.constant('x') }),
    fc.record({ type: fc.constant('quote'), blocks: tie('blocks') }),
    fc.record({
      type: fc.constant('hint'),
      style: fc.constantFrom('info', 'danger'),
      title: text,
      blocks: tie('blocks'),
    }),
    fc.record({ type: fc.constant('if'), expression: fc.constant('a == 1'), blocks: tie('blocks') }),
    fc.record({ type: fc.constant('embed'), url: href, blocks: fc.constant([]) }),
    fc.record({
      type: fc.constant('embed'),
      url: href,
      blocks: fc.tuple(fc.record({ type: fc.constant('paragraph'), inlines })),
    }),
    fc.record({ type: fc.constant('file'), src: href, name: text, blocks: fc.constant([]) }),
    fc.record({ type: fc.constant('include'), ref: fc.constantFrom('x.md', '../a b.md') }),
    fc.record({ type: fc.constant('paragraph'), align: fc.constantFrom('center', 'right'), inlines: htmlInlines }),
    fc.record({ type: fc.constant('images'), images: fc.array(figure, { minLength: 1, maxLength: 2 }) }),
    fc.record({
      type: fc.constant('columns'),
      blocks: fc.array(
        fc.record({ type: fc.constant('column'), width: fc.constantFrom('50%', '33.5%', 'x'), blocks: tie('blocks') }),
        { minLength: 1, maxLength: 2 },
      ),
    }),
    fc.record({
      type: fc.constant('updates'),
      format: fc.constant('full'),
      blocks: fc.tuple(
        fc.record({
          type: fc.constant('update'),
          date: fc.constant('2030-01-02'),
          tags: fc.constant('a,b'),
          blocks: tie('blocks'),
        }),
      ),
    }),
    fc.record({
      type: fc.constant('details'),
      open: fc.boolean(),
      summary: fc.tuple(textInline(solidText.map((content) => content.replace(/\s+/g, ' ')))),
      blocks: tie('blocks'),
    }),
    fc.record({
      type: fc.constant('list'),
      kind: fc.constantFrom('ordered', 'unordered'),
      loose: fc.boolean(),
      blocks: fc.array(fc.record({ type: fc.constant('list-item'), blocks: tie('blocks') }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    fc.record({
      type: fc.constant('tabs'),
      blocks: fc.array(fc.record({ type: fc.constant('tab'), title: text, blocks: tie('blocks') }), {
        minLength: 1,
        maxLength: 2,
      }),
    }),
    fc.record({
      type: fc.constant('table'),
      columns: fc.tuple(fc.record({ inlines: cell }), fc.record({ inlines: cell })),
      rows: fc.array(fc.tuple(cell, cell), { maxLength: 2 }),
    }),
  ),
})).blocks

/** Returns a tree without what only a source provides: keys, places, and the spacing of its lists. */
export function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => !['key', 'range', 'loose', 'reference'].includes(name))
  return Object.fromEntries(entries.map(([name, inside]) => [name, bare(inside)]))
}
