import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RisonError, readRison } from './rison.ts'

test('Rison expresses every kind of JSON value', () => {
  const cases: [string, unknown][] = [
    ['()', {}],
    ['', {}],
    ['(plan:pro)', { plan: 'pro' }],
    ['plan:pro,beta:!t', { plan: 'pro', beta: true }],
    ["(a:!f,b:!n,c:-1.5e3,d:'x y',e:'it!'s !!',f:!())", { a: false, b: null, c: -1500, d: 'x y', e: "it's !", f: [] }],
    ["(list:!(a,1,!t,(x:y)),'a key':(deep:!(!())))", { list: ['a', 1, true, { x: 'y' }], 'a key': { deep: [[]] } }],
    ['(v:1.2.3,w:-,x:007)', { v: '1.2.3', w: '-', x: '007' }],
    ['!(a)', ['a']],
  ]
  for (const [text, value] of cases) assert.deepEqual(readRison(text), value, text)
})

test('malformed Rison is refused', () => {
  const bad = [
    '(',
    '(a',
    '(a:',
    '(a:b',
    '(a:b))',
    '(a:b,)',
    '(:b)',
    "(a:'b)",
    '(a:!x)',
    '!(a',
    '!(a b)',
    '(a b)',
    '!',
    `${'(a:'.repeat(30)}b`,
  ]
  for (const text of bad) assert.throws(() => readRison(text), RisonError, text)
})
