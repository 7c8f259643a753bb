import fc from 'fast-check'

/** Pieces of Markdown to be combined into a page in any order. Most results are damaged somewhere. */
const pieces = [
  [
    '# Title',
    '## Head {#own}',
    'text',
    '**bold**',
    '_slanted_',
    '`code`',
    '[link](page.md "title")',
    '![image](a.png)',
  ],
  ['<kbd>key</kbd>', '- item', '  - inner', '1. first', '- [x] done', '> quote', '> ', '```js', '```', '~~~', '***'],
  ['{% hint style="info" %}', '{% endhint %}', '{% tabs %}', '{% tab title="A" %}', '{% endtab %}', '{% endtabs %}'],
  ['\n{% hint %} text ', ' text {% endhint %}\n', '\n{% tab title="B" %} text {% endtab %}\n', '> [!NOTE]\n> '],
  ['{% code title="x" %}', '{% endcode %}', '{% embed url="https://a.b" %}', '{% include "x.md" %}', '{% endif %}'],
  ['{% if a.b == 1 %}', '{% foo %}', '{% endfoo %}', '{% broken', '%}', '{%x%}', '<details>', '</details>', '<div>'],
  ['<summary>s</summary>', '</div>', '<figure><img src="a"></figure>', '| a | b |', '|---|:-:|', '| 1 | 2 |', '---'],
  [
    '$$',
    '$$x$$',
    '[^1]',
    '[^1]: note',
    '[ref]: /url',
    '[ref]',
    ':rocket:',
    '{{ page.vars.b }}',
    '<!-- comment -->',
    '<br>',
  ],
  ['\t', '    ', '  ', '\r\n', '\r', 'é😀', '\\', '*', '_', '\uFEFF', '&amp;', '<https://a.b>', 'a@b.c', '\0'],
].flat()

/** Any character, all equally likely. `unit: 'binary'` is the same, but takes seconds to list them first. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

/** Random and damaged sources. */
export const sources: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...pieces) },
      { weight: 2, arbitrary: fc.constantFrom('\n', '\n\n', '\n> ', '\n  ') },
      { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 6 }) },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))

/** Runs a property with a seed that can be passed in again: `SEED=123 node --test`. */
export function check<T>(property: fc.IProperty<T>, numRuns: number): void {
  const seed = Number(process.env['SEED'] ?? Date.now() % 0x7fffffff)
  console.log(`seed ${seed}`)
  fc.assert(property, { seed, numRuns, includeErrorInReport: true })
}
