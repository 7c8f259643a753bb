import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { diffLines, type DiffLine } from './diff.ts'

const signs = { kept: ' ', removed: '-', added: '+' }

test('a change is shown with three lines of context on each side', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n'
  const hunks = diffLines(before, before.replace('five', 'FIVE'))
  assert.deepEqual(hunks.map(draw), [' two\n three\n four\n-five\n+FIVE\n six\n seven\n eight\n'])
  assert.deepEqual(hunks[0]!.lines[4], { type: 'added', text: 'FIVE\n', after: 5 })
  assert.deepEqual(hunks[0]!.lines[5], { type: 'kept', text: 'six\n', before: 6, after: 6 })
})

test('changes far apart are separate hunks, and changes whose contexts meet are one hunk', () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}\n`)
  const change = (...at: number[]) => lines.map((line, i) => (at.includes(i) ? `new ${i}\n` : line)).join('')
  assert.equal(diffLines(lines.join(''), change(2, 9)).length, 1)
  assert.equal(diffLines(lines.join(''), change(2, 10)).length, 2)
  assert.equal(diffLines(lines.join(''), change(2, 4), 0).length, 2)
})

test('equal texts have no hunks, and a missing last newline or another line ending is a change', () => {
  assert.deepEqual(diffLines('same\n', 'same\n'), [])
  assert.deepEqual(diffLines('', ''), [])
  assert.deepEqual(diffLines('a\nb', 'a\nb\n').map(draw), [' a\n-b+b\n'])
  assert.deepEqual(diffLines('a\r\n', 'a\n').map(draw), ['-a\r\n+a\n'])
})

test('with enough context, the hunks hold both texts, and their line numbers count through', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n'), { maxLength: 30 }).map((lines) => lines.join(''))
  fc.assert(
    fc.property(text, text, fc.boolean(), (before, after, cut) => {
      if (cut) after = after.slice(0, -1)
      const lines = diffLines(before, after, 1000).flatMap((hunk) => hunk.lines)
      const old = lines.filter((line) => line.type !== 'added')
      const current = lines.filter((line) => line.type !== 'removed')
      if (before !== after) {
        assert.equal(old.map((line) => line.text).join(''), before)
        assert.equal(current.map((line) => line.text).join(''), after)
      }
      old.forEach((line, i) => assert.equal(line.before, i + 1))
      current.forEach((line, i) => assert.equal(line.after, i + 1))
    }),
    { numRuns: 2000 },
  )
})

function draw({ lines }: { lines: DiffLine[] }): string {
  return lines.map((line) => signs[line.type] + line.text).join('')
}
