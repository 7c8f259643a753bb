import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate, type Evaluation } from './evaluate.ts'
import { parse } from './parse.ts'
import { toPlainText } from './text.ts'

const contents: Record<string, string> = {
  note: 'Note {{ name }}',
  outer: 'Outer\n\n{% include "note" %}',
  self: 'x\n\n{% include "self" %}',
  twice: '{% include "twice2" %}\n\n{% include "twice2" %}',
}

const evaluation: Evaluation = {
  resolveInclude: (ref) => (contents[ref] === undefined ? undefined : parse(contents[ref])),
  compute: (expression) => {
    if (expression === 'name') return { value: 'Ada' }
    if (expression === 'yes') return { value: true }
    if (expression === 'list') return { value: [1] }
    return expression === 'no' ? { value: false } : { error: 'unknown' }
  },
}

const shown = (source: string, options = evaluation) => toPlainText(evaluate(parse(source), options).blocks)

test('includes, expressions and conditions are resolved, inside other blocks too', () => {
  assert.equal(shown('Hello {{ name }}, **{{ name }}**'), 'Hello Ada, Ada')
  assert.equal(shown('{% hint style="info" %}\n{% include "outer" %}\n{% endhint %}'), 'Outer\nNote Ada')
  assert.equal(shown('{% if yes %}\nseen\n{% endif %}\n\n{% if no %}\nhidden\n{% endif %}'), 'seen')
  assert.equal(shown('| {{ name }} |\n|---|\n| {{ name }} |'), 'Ada\nAda')
})

test('a condition that fails hides its content; an expression that fails, or gives no text, shows nothing', () => {
  assert.equal(shown('a\n\n{% if broken( %}\nhidden\n{% endif %}'), 'a')
  assert.equal(shown('a{{ broken( }}b {{ list }}c'), 'ab c')
})

test('a missing include, a circle and includes without end leave an error in their place', () => {
  assert.match(shown('{% include "nowhere" %}'), /does not exist/)
  assert.match(shown('{% include "self" %}'), /^x\nThe reusable content self includes itself/)
  const endless: Evaluation = {
    ...evaluation,
    resolveInclude: (ref) => parse(`{% include "${ref}1" %}\n\n{% include "${ref}2" %}\n\n`.repeat(4)),
  }
  assert.match(shown('{% include "a" %}', endless), /nested deeper than 10|too much content/)
})

test('what has nothing to evaluate stays the same object', () => {
  const document = parse('# A\n\n- b\n\n{{ name }}')
  const { blocks } = evaluate(document, evaluation)
  assert.equal(blocks[0], document.blocks[0])
  assert.equal(blocks[1], document.blocks[1])
  assert.notEqual(blocks[2], document.blocks[2])
})
