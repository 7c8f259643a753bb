import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import fc from 'fast-check'
import jsep from 'jsep'
import { compile, holds } from './compile.ts'
import { ExpressionError } from './error.ts'

const scope = {
  visitor: {
    claims: { plan: 'pro', seats: 5, groups: ['api', 'ai'], unsigned: { isBeta: true }, odd: { length: 'x' } },
  },
  page: { vars: { count: '3', key: 'plan' } },
}
const evaluate = (source: string) => compile(source).evaluate(scope)

test('conditions as in the documentation of sites have the documented results', () => {
  assert.equal(evaluate('visitor.claims.plan == "pro" && visitor.claims.unsigned.isBeta'), true)
  assert.equal(evaluate("visitor.claims.groups.includes('ai')"), true)
  assert.equal(evaluate('["pro", "team", -1].includes(visitor.claims.plan)'), true)
  assert.equal(evaluate('visitor.claims.plan.startsWith("p") && visitor.claims.plan.endsWith("o")'), true)
  assert.equal(evaluate('visitor.claims.plan.toUpperCase().toLowerCase() === visitor.claims.plan'), true)
  assert.equal(evaluate('visitor.claims.seats >= 5 && !(visitor.claims.seats > 5) || false'), true)
  assert.equal(evaluate('visitor?.claims?.["plan"] !== "free" ? "paid" : "free"'), 'paid')
  assert.equal(evaluate('visitor.claims[page.vars.key]'), 'pro')
  assert.equal(evaluate('visitor.claims.groups.length + visitor.claims.groups[1].length'), 4)
})

test('operators behave as in JavaScript', () => {
  const javascript = createContext()
  const literal = fc.constantFrom('0', '1', '-2', '2.5', '"1"', '"a"', '""', 'true', 'false', 'null', 'undefined')
  const operator = fc.constantFrom('==', '!=', '===', '!==', '<', '<=', '>', '>=', '&&', '||')
  fc.assert(
    fc.property(literal, operator, literal, operator, literal, (a, first, b, second, c) => {
      const source = `${a} ${first} !${b} ${second} ${c}`
      assert.equal(compile(source).evaluate({}), runInContext(source, javascript), source)
    }),
    { numRuns: 3000 },
  )
  const number = fc.constantFrom('0', '1', '-2', '2.5', '"3"')
  fc.assert(
    fc.property(number, fc.constantFrom('+', '-', '*', '/', '%'), number, number, (a, operator, b, c) => {
      const source = `${a} ${operator} ${b} * ${c} - (${a})`
      assert.equal(compile(source).evaluate({}), runInContext(source, javascript), source)
    }),
    { numRuns: 1000 },
  )
})

test('a missing value is undefined, and text that includes it is undefined as a whole', () => {
  assert.equal(evaluate('visitor.claims.nothing.at.all'), undefined)
  assert.equal(evaluate('nobody'), undefined)
  assert.equal(evaluate('visitor.claims.nothing.includes("x")'), undefined)
  assert.equal(evaluate('"Hello " + visitor.claims.name'), undefined)
  assert.equal(evaluate('"Hello " + (visitor.claims.name || "you")'), 'Hello you')
  assert.equal(evaluate('visitor.claims.nothing * 2'), undefined)
  assert.equal(evaluate('page.vars.count * 2'), 6)
})

test('only own properties of plain data can be read', () => {
  for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'map', 'charAt']) {
    for (const object of ['visitor', 'visitor.claims.plan', 'visitor.claims.groups', '"text"', '[1]']) {
      assert.equal(evaluate(`${object}.${key}`), undefined, `${object}.${key}`)
      assert.equal(evaluate(`${object}["${key}"]`), undefined, `${object}["${key}"]`)
      assert.equal(evaluate(`${object}["" + "${key}"]`), undefined, `${object} computed ${key}`)
    }
  }
  const hostile = { data: JSON.parse('{"__proto__": {"x": 1}}') as object, date: new Date(), call: () => 1 }
  assert.equal(compile('data.__proto__.x').evaluate(hostile), undefined)
  assert.equal(compile('date.getTime || call.name || call.length').evaluate(hostile), undefined)
  assert.equal(evaluate('toString'), undefined)
})

test('objects are never converted to text or numbers', () => {
  const trap = { toString: 'not callable', valueOf: 1 }
  for (const operator of ['==', '<', '<=', '>', '>=']) {
    assert.equal(compile(`a ${operator} "x"`).evaluate({ a: trap }), false)
    assert.equal(compile(`"x" ${operator} a`).evaluate({ a: [['x']] }), false)
  }
  assert.equal(compile('a == a && a != b').evaluate({ a: trap, b: [] }), true)
  assert.equal(compile('a + "x"').evaluate({ a: trap }), undefined)
  assert.equal(compile('-a').evaluate({ a: trap }), undefined)
})

test('a condition that fails or is not true hides its content', () => {
  const shows = (source: string) => holds(compile(source), scope)
  assert.equal(shows('visitor.claims.plan'), true)
  assert.equal(shows('visitor.claims.seats.includes("x")'), false)
  assert.equal(shows('!visitor.claims.seats.includes("x")'), false)
  assert.equal(shows('visitor.claims.nothing'), false)
  assert.equal(shows('""'), false)
})

test('calling a method that a value does not have fails with the position', () => {
  assert.throws(() => evaluate('1 == 1 && visitor.claims.seats.includes("x")'), fails(31, /no includes/))
})

test('operations on large data count as steps, and too many steps are refused', () => {
  const groups = Array.from({ length: 6_000 }, (_, i) => `group ${i}`)
  const claims = { groups, text: 'x'.repeat(400_000) }
  const once = 'claims.groups.includes("none")'
  assert.equal(compile(once).evaluate({ claims }), false)
  assert.throws(() => compile(`${once} || ${once}`).evaluate({ claims }), fails(0, /10000 steps/))
  assert.throws(() => compile('claims.text + claims.text').evaluate({ claims }), fails(0, /steps/))
  assert.equal(holds(compile(`${once} || ${once} || true`), { claims }), false)

  const half = 'a'.repeat(1_000)
  const search = (text: string) => compile('claims.text.includes(claims.part)').evaluate({ claims: { text, part: `${half}b${half}` } }) // prettier-ignore
  assert.equal(search('a'.repeat(100)), false)
  assert.throws(() => search(half.repeat(4)), fails(0, /steps/))
})

test('an expression lists the properties that it reads, so that unknown claims can be refused', () => {
  assert.deepEqual(compile('visitor.claims.plan == "pro" || visitor["claims"].groups.includes(page.vars.key)').names, [
    ['visitor', 'claims', 'plan'],
    ['visitor', 'claims', 'groups'],
    ['page', 'vars', 'key'],
  ])
  assert.deepEqual(compile('visitor.claims[page.vars.key].x').names, [
    ['visitor', 'claims'],
    ['page', 'vars', 'key'],
  ])
  assert.deepEqual(compile('"a".length + [1].length').names, [])
})

test('invalid syntax is refused with its position', () => {
  const refused: [string, number, RegExp][] = [
    ['', 0, /missing/],
    ['(', 1, /missing/],
    ['(a', 2, /Expected \)/],
    ['a)', 1, /Unexpected \)/],
    ['a ==', 4, /after ==/],
    ['a.', 2, /end/],
    ['a b', 2, /Unexpected b/],
    ['a; b', 1, /Unexpected ;/],
    ['a, b', 1, /Unexpected ,/],
    ['(a, b)', 2, /Expected \)/],
    ['[1 2]', 3, /Expected ,/],
    ['[1,,2]', 3, /Expected an expression/],
    ['[a]', 1, /only literals/],
    ['"open', 5, /Unclosed/],
    ['"a\nb"', 2, /line/],
    ['a ? b', 5, /Expected :/],
    ['f()', 0, /can be called/],
    ['a.map(b)', 2, /can be called/],
    ['a["includes"](b)', 2, /can be called/],
    ['a.includes()', 2, /one argument/],
    ['a.toLowerCase(1)', 2, /no arguments/],
  ]
  for (const [source, index, message] of refused) assert.throws(() => compile(source), fails(index, message), source)
})

test('the rest of JavaScript is refused with its position', () => {
  const refused: [string, number][] = [
    ['a = 1', 2],
    ['a.b = 1', 4],
    ['a += 1', 3],
    ['a++', 3],
    ['--a', 0],
    ['new Date()', 0],
    ['1 + this', 4],
    ['typeof a', 0],
    ['delete a.b', 0],
    ['void 0', 0],
    ['import("fs")', 0],
    ['await a', 0],
    ['function () {}', 0],
    ['a => a', 2],
    ['() => a', 1],
    ['/a/.test("a")', 0],
    ['`a`', 0],
    ['a`b`', 1],
    ['{ a: 1 }', 0],
    ['[...a]', 2],
    ['a // comment', 3],
    ['a /* comment */', 3],
    ['a in b', 2],
    ['a ?? b', 3],
    ['a ** b', 3],
    ['a | b', 2],
    ['~a', 0],
    ['"\\u0041"', 1],
    ['"a\\x41"', 2],
    ['\\u0061', 0],
    ['a\u00a0b', 0],
    ['\u200ba', 0],
    ['a.constructor.constructor("return 1")()', 0],
  ]
  for (const [source, index] of refused) assert.throws(() => compile(source), fails(index), source)
})

test('too long and too deeply nested expressions are refused', () => {
  assert.throws(() => compile('('.repeat(5_000)), fails(1_024, /1024 characters/))
  assert.throws(() => compile(`${'('.repeat(500)}1${')'.repeat(500)}`), fails(50, /deeply/))
  assert.equal(compile(`${'('.repeat(49)}1${')'.repeat(49)}`).evaluate({}), 1)
  for (const deep of ['!', '- ', '[', 'a[', 'a.includes(', '1?', '1?1:', '(']) {
    assert.throws(() => compile(deep.repeat(1_000 / deep.length)), ExpressionError, deep)
  }
  assert.equal(compile(Array(300).fill('1').join('+')).evaluate({}), 300)
})

test('compiling any text throws nothing but an ExpressionError with a valid position', () => {
  const piece = fc.constantFrom(...'abc.()[]?:!+-*/%<>=&|,"\'\\ 1', '&&', '==', '.includes(', 'this', '\n', '€', '😀')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        holds(compile(pieces.join('')), scope)
      } catch (error) {
        assert.ok(error instanceof ExpressionError)
        assert.ok(error.index >= 0 && error.index <= pieces.join('').length)
      }
    }),
    { numRuns: 5000 },
  )
})

test('changes by others to the shared parser do not affect expressions, nor the other way round', () => {
  const before = jsep('a ** ~b')
  jsep.removeBinaryOp('==')
  jsep.addUnaryOp('@')
  try {
    assert.equal(evaluate('1 == 1'), true)
    assert.throws(() => compile('@a'), fails(0))
  } finally {
    jsep.addBinaryOp('==', 6)
    jsep.removeUnaryOp('@')
  }
  assert.equal(before.type, 'BinaryExpression')
})

function fails(index: number, message = /./) {
  return (error: unknown) => {
    assert.ok(error instanceof ExpressionError, String(error))
    assert.equal(error.index, index)
    assert.match(error.message, message)
    return true
  }
}
