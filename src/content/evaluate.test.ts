import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate, type Evaluation } from './evaluate.ts'
import { parse } from './parse.ts'
import { toPlainText } from './text.ts'
import { toDocument } from './to-document.ts'
import { write } from './write.ts'

const contents: Record<string, string> = {
  note: 'Note <code class="expression">name</code>',
  outer: 'Outer\n\n{% include "note" %}',
  self: 'x\n\n{% include "self" %}',
  page: '{% include "the page" %}',
  footnote: 'Included[^1]\n\n[^1]: Note of the include',
}

const found = (id: string, source: string) => ({ id, document: parse(source) })

const evaluation: Evaluation = {
  include: (ref) => {
    const id = ref.replace('./', '')
    return contents[id] === undefined ? undefined : found(id, contents[id])
  },
  compute: (expression) => {
    if (expression === 'name') return { value: 'Ada' }
    if (expression === 'yes') return { value: true }
    if (expression === 'list') return { value: [1] }
    return expression === 'no' ? { value: false } : { error: 'unknown' }
  },
}

const shown = (source: string, options = evaluation) => toPlainText(evaluate('the page', parse(source), options).blocks)

test('includes, expressions and conditions are resolved, also inside other blocks', () => {
  assert.equal(
    shown('Hello <code class="expression">name</code>, **<code class="expression">name</code>**'),
    'Hello Ada, Ada',
  )
  assert.equal(shown('{% hint style="info" %}\n{% include "outer" %}\n{% endhint %}'), 'Outer\nNote Ada')
  assert.equal(shown('{% if yes %}\nseen\n{% endif %}\n\n{% if no %}\nhidden\n{% endif %}'), 'seen')
  assert.equal(
    shown('| <code class="expression">name</code> |\n|---|\n| <code class="expression">name</code> |'),
    'Ada\nAda',
  )
})

test('a failing condition hides its content, and an expression that fails or gives no text shows nothing', () => {
  assert.equal(shown('a\n\n{% if broken( %}\nhidden\n{% endif %}'), 'a')
  assert.equal(shown('a{{ space.vars.broken( }}b <code class="expression">list</code>c'), 'ab c')
})

test('braces that name no visitor claim or variable stay text, as in a manual about templates', () => {
  for (const text of ['{{ braces }}', 'Say {{ page.title }} or ${{ github.ref }}', '{{ .Values.space }}'])
    assert.equal(shown(text), text)
  assert.equal(shown('a{{ visitor.claims.name }}b{{page.vars.x}}c'), 'abc')
})

test('a missing include, a circular include and endless includes show an error in their place', () => {
  assert.match(shown('{% include "nowhere" %}'), /does not exist/)
  assert.match(shown('{% include "self" %}'), /^x\nThe reusable content self includes itself/)
  assert.match(shown('{% include "./self" %}'), /^x\nThe reusable content self includes itself/)
  const self: Evaluation = { ...evaluation, include: (ref) => found(ref, contents[ref] ?? 'never') }
  assert.match(shown('{% include "page" %}', self), /^The reusable content the page includes itself/)
  const known = new Map<string, ReturnType<typeof found>>()
  const endless: Evaluation = {
    ...evaluation,
    include: (ref) => {
      const twice = `{% include "${ref}1" %}\n\n{% include "${ref}2" %}\n\n`
      return known.get(ref) ?? known.set(ref, found(ref, twice.repeat(4))).get(ref)
    },
  }
  assert.match(shown('{% include "a" %}', endless), /nested deeper than 10|too much content/)
})

test('an include that is left for later stays an include', () => {
  const later: Evaluation = { ...evaluation, include: () => 'later' }
  const { blocks } = evaluate('the page', parse('{% include "note" %}\n\n<code class="expression">name</code>'), later)
  assert.equal(blocks[0]?.type, 'include')
})

test('an included text keeps its own footnotes and is written with its own text', () => {
  const source = 'Page[^1]\n\n{% include "footnote" %}\n\n[^1]: Note of the page\n'
  const document = evaluate('the page', parse(source), evaluation)
  assert.equal(write(document), 'Page[^1]\n\nIncluded[^1-1]\n\n[^1-1]: Note of the include\n\n[^1]: Note of the page\n')
  assert.deepEqual(JSON.stringify(toDocument(document.blocks)).match(/Note of the \w+/g), [
    'Note of the page',
    'Note of the include',
  ])
})

test('a footnote and an address that only hidden text names are hidden as well, wherever they are written', () => {
  const after = (source: string, options = evaluation) => write(evaluate('the page', parse(source), options))
  const notes =
    '[^1]: One[^2]\n\n[^2]: Two\n\n[^free]: Named nowhere\n\n[x]: https://x.example\n[y]: https://y.example\n'
  const hidden = '{% if no %}\nHush[^1], **[link][X]**\n{% endif %}\n\n'
  assert.equal(
    after(`Open [other][y]\n\n${hidden}> [^quoted]: q\n\n${notes}`),
    'Open [other][y]\n\n> [^quoted]: q\n\n[^free]: Named nowhere\n\n[y]: https://y.example\n',
  )
  // What is also named in text that is shown stays, also if only another footnote names it.
  assert.equal(
    after(`Open[^1], [link][x] [other][y]\n\n${hidden}${notes}`),
    `Open[^1], [link][x] [other][y]\n\n${notes}`,
  )
  assert.doesNotMatch(after(`Open[^2]\n\n${hidden}${notes}`), /One/)
  assert.match(after(`Open[^2]\n\n${hidden}${notes}`), /Two/)
  assert.match(after(`Open\n\n${hidden.replace('no', 'yes')}${notes}`), /One[^]*Two/)

  // A picture in a line of its own is no text, but has an address as well.
  const pictures = (name: string) => `{% if no %}\n![][x]\n{% endif %}\n\n![][${name}]\n\n${notes}`
  assert.doesNotMatch(after(pictures('y')), /x\.example/)
  assert.match(after(pictures('x')), /x\.example/)

  const included: Evaluation = { ...evaluation, include: (ref) => found(ref, `Text\n\n${hidden}${notes}`) }
  assert.equal(
    after(`Page[^1]\n\n{% include "a" %}\n\n[^1]: Of the page\n`, included)
      .match(/One|Of the page/g)
      ?.join(),
    'Of the page',
  )
  const later: Evaluation = { ...evaluation, compute: () => 'later' }
  assert.match(after(hidden + notes, later), /One/)
})

test('a block with nothing to evaluate stays the same object', () => {
  const document = parse('# A\n\n- b\n\n<code class="expression">name</code>')
  const { blocks } = evaluate('the page', document, evaluation)
  assert.equal(blocks[0], document.blocks[0])
  assert.equal(blocks[1], document.blocks[1])
  assert.notEqual(blocks[2], document.blocks[2])
})
