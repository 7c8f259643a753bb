import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/growth.ts'
import { mergeLines } from './lines.ts'
import { cases } from './testing/cases.ts'

test('changes in different places are both kept', () => {
  const merge = mergeLines('a\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\n', 'a\nb\nc\nd\ne\nf\n')
  assert.deepEqual(merge, { text: 'A\nb\nc\nd\ne\nf\n', conflicts: [] })
})

test('changes that overlap or touch are a conflict, and the text shows ours', () => {
  const overlap = mergeLines('a\nb\nc\n', 'a\nours\nc\n', 'a\ntheirs\nc\n')
  assert.deepEqual(overlap, {
    text: 'a\nours\nc\n',
    conflicts: [{ at: 2, base: 'b\n', ours: 'ours\n', theirs: 'theirs\n' }],
  })
  const touch = mergeLines('a\nb\nc\n', 'a\nB\nc\n', 'a\nb\nC\n')
  assert.deepEqual(touch.conflicts, [{ at: 2, base: 'b\nc\n', ours: 'B\nc\n', theirs: 'b\nC\n' }])
  const added = mergeLines('a\nb\n', 'a\nx\nb\n', 'a\ny\nb\n')
  assert.deepEqual(added.conflicts, [{ at: 2, base: '', ours: 'x\n', theirs: 'y\n' }])
})

test('the same change on both sides is made once, next to changes of one side', () => {
  const merge = mergeLines('a\nb\nc\nd\ne\nf\n', 'a\nX\nc\nd\ne\nf\n', 'a\nX\nc\nd\ne\nF\n')
  assert.deepEqual(merge, { text: 'a\nX\nc\nd\ne\nF\n', conflicts: [] })
})

test('a line that both sides added to a run of equal lines is there once', () => {
  const merge = mergeLines('u\nv\na\na\ny\n', 'u\nv\na\na\na\ny\n', 'U\nv\na\na\na\ny\n')
  assert.deepEqual(merge, { text: 'U\nv\na\na\na\ny\n', conflicts: [] })
})

test('a missing last newline and CRLF line endings are kept', () => {
  assert.equal(mergeLines('a\r\nb\r\nc\r\nd', 'A\r\nb\r\nc\r\nd', 'a\r\nb\r\nc\r\nD').text, 'A\r\nb\r\nc\r\nD')
  assert.equal(mergeLines('a\nb\nc\nd', 'a\nb\nc\nd\n', 'A\nb\nc\nd').text, 'A\nb\nc\nd\n')
})

test('another line ending or a missing last newline does not count as a change of a line', () => {
  const base = 'a\nb\nc\nd\ne\n'
  const crlf = (text: string) => text.replaceAll('\n', '\r\n')
  assert.deepEqual(mergeLines(base, crlf('A\nb\nc\nd\ne\n'), 'a\nb\nc\nd\nE\n'), {
    text: crlf('A\nb\nc\nd\nE\n'),
    conflicts: [],
  })
  assert.deepEqual(mergeLines(crlf(base), 'a\nb\nc\nd\ne\nf', crlf('A\nb\nc\nd\ne\n')), {
    text: 'A\nb\nc\nd\ne\nf',
    conflicts: [],
  })
  assert.deepEqual(mergeLines(base, 'A\nb\nc\nd\ne', `${base}f\n`), { text: 'A\nb\nc\nd\ne\nf', conflicts: [] })
  assert.deepEqual(mergeLines('a', '', 'a'), { text: '', conflicts: [] })
  assert.deepEqual(mergeLines(base, 'a\nb\nC', crlf('a\nb\nX\nd\ne\n')), {
    text: crlf('a\nb\nC\n'),
    conflicts: [{ at: 6, base: crlf('c\nd\ne\n'), ours: crlf('C\n'), theirs: crlf('X\nd\ne\n') }],
  })
  const twice = mergeLines(base, crlf('a\nB\nc\nD\ne\n'), 'a\nX\nc\nY\ne\n')
  assert.deepEqual(
    twice.conflicts.map(({ at, ours }) => [at, twice.text.slice(at, at + ours.length)]),
    [
      [3, 'B\r\n'],
      [9, 'D\r\n'],
    ],
  )
})

test('merging with an unchanged side gives the other, merging is symmetric, and a second pass changes nothing', () => {
  fc.assert(
    fc.property(texts, ([base, ours, theirs]) => {
      assert.deepEqual(mergeLines(base, base, theirs), { text: theirs, conflicts: [] })
      assert.deepEqual(mergeLines(base, ours, base), { text: ours, conflicts: [] })
      assert.deepEqual(mergeLines(base, ours, ours), { text: ours, conflicts: [] })

      const merge = mergeLines(base, ours, theirs)
      const mirrored = mergeLines(base, theirs, ours)
      assert.deepEqual(
        mirrored.conflicts.map(({ base, ours, theirs }) => ({ base, ours: theirs, theirs: ours })),
        merge.conflicts.map(({ base, ours, theirs }) => ({ base, ours, theirs })),
      )
      if (merge.conflicts.length === 0) assert.equal(mirrored.text, merge.text)
      assert.deepEqual(mergeLines(theirs, merge.text, theirs), { text: merge.text, conflicts: [] })
    }),
    cases(5000),
  )
})

test('every merged line comes from ours or theirs', () => {
  fc.assert(
    fc.property(texts, ([base, ours, theirs]) => {
      const known = new Set([...ours.split('\n'), ...theirs.split('\n')])
      for (const line of mergeLines(base, ours, theirs).text.split('\n')) assert.ok(known.has(line), line)
    }),
    cases(2000),
  )
})

test('git merges to the same text, unless one of the two finds a conflict', (t) => {
  const { seed, numRuns } = cases(300)
  const samples = fc.sample(texts, { seed, numRuns: Math.min(numRuns, 20_000) })
  const count = { same: 0, conflictInBoth: 0, conflictHere: 0, conflictInGit: 0 }
  for (const [i, merged] of mergedByGit(samples).entries()) {
    const [base, ours, theirs] = samples[i]!
    const here = mergeLines(base, ours, theirs)
    if (here.conflicts.length > 0) count[merged === undefined ? 'conflictInBoth' : 'conflictHere']++
    else if (merged === undefined) count.conflictInGit++
    else {
      assert.equal(here.text, merged, JSON.stringify(samples[i]))
      count.same++
    }
  }
  t.diagnostic(JSON.stringify(count))
})

/**
 * Returns the result of git for each sample, or undefined if git finds a conflict. One shell starts git each time:
 * starting it from here would take ten times as long.
 */
function mergedByGit(samples: [string, string, string][]): (string | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), 'merge-file-'))
  for (const [i, [base, ours, theirs]] of samples.entries()) {
    for (const [name, text] of Object.entries({ ours, base, theirs })) writeFileSync(join(folder, `${i}.${name}`), text)
  }
  const script = `for ours in *.ours; do i=\${ours%.ours}; git merge-file -q $i.ours $i.base $i.theirs || echo $i; done`
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' })
  assert.equal(stderr, '')
  const clashed = new Set(stdout.split('\n').filter(Boolean).map(Number))
  const merged = samples.map((_, i) => (clashed.has(i) ? undefined : readFileSync(join(folder, `${i}.ours`), 'utf8')))
  rmSync(folder, { recursive: true })
  return merged
}

/** A base of few different lines, so that many are equal, and two sides with a few edits each. */
const texts = fc
  .record({ letters: fc.integer({ min: 4, max: 26 }), length: fc.nat(20) })
  .chain(({ letters, length }) => {
    const line = fc.nat(letters - 1).map((n) => `${String.fromCharCode(97 + n)}\n`)
    const edits = fc.array(fc.tuple(fc.constantFrom('add', 'remove', 'replace'), fc.nat(), line), { maxLength: 3 })
    return fc.tuple(fc.array(line, { minLength: length, maxLength: length }), edits, edits)
  })
  .map(([base, ours, theirs]): [string, string, string] => {
    const edited = (edits: [string, number, string][]) => {
      const lines = [...base]
      for (const [edit, at, line] of edits) {
        const place = at % (lines.length + 1)
        lines.splice(place, edit === 'add' ? 0 : 1, ...(edit === 'remove' ? [] : [line]))
      }
      return lines.join('')
    }
    return [base.join(''), edited(ours), edited(theirs)]
  })

const hostile: Record<string, (size: number) => [string, string, string]> = {
  'two letters, unrelated': (size) => [letters(size, 1), letters(size, 2), letters(size, 3)],
  'back to front': (size) => [numbered(size), numbered(size).split('\n').toReversed().join('\n'), numbered(size + 1)],
  'many unrelated stretches': (size) => [stretches(size, 1), stretches(size, 2), stretches(size, 3)],
  'a clash in every other line, and other endings': (size) => [
    clashing(size, 'b'),
    clashing(size, 'o').replaceAll('\n', '\r\n'),
    clashing(size, 't'),
  ],
  // With this many lines, the differences have grown to the limit of what is compared at both measured lengths.
  'in turn, some left out': (size) => [inTurn(4 * size, 0), inTurn(4 * size, 61), inTurn(4 * size, 53)],
}

function letters(size: number, seed: number): string {
  let dice = seed
  return Array.from({ length: size }, () => ((dice = (dice * 48271) % 2147483647) % 2 ? 'a\n' : 'b\n')).join('')
}

function numbered(size: number): string {
  return Array.from({ length: size }, (_, i) => `line ${i}\n`).join('')
}

function clashing(size: number, side: string): string {
  return Array.from({ length: size }, (_, i) => `${i % 2 ? side : ''}${i}\n`).join('')
}

function stretches(size: number, seed: number): string {
  return Array.from({ length: size / 5000 }, (_, i) => `stretch ${i}\n${letters(5000, seed * 100 + i + 1)}`).join('')
}

function inTurn(size: number, leftOut: number): string {
  return Array.from({ length: size }, (_, i) => (i % leftOut === 7 ? '' : i % 2 ? 'a\n' : 'b\n')).join('')
}

for (const [name, make] of Object.entries(hostile)) {
  test(`merging takes linear time, also for texts made to be slow: ${name}`, () =>
    assertLinear((size) => mergeLines(...make(size)), 40_000))
}
