import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeLines } from './lines.ts'
import { hasMarkers, readMarkers, takeSide, writeMarkers } from './markers.ts'

const id = '5e0f0a52-8c5e-8f6e-9d52-000000000001'

test('both sides of a conflict are between whole marker lines that carry its id', () => {
  const merge = mergeLines('a\nb\nc\nd\ne\n', 'a\nours\nc\nd\nE\n', 'a\ntheirs\nc\nd\ne!\n')
  assert.equal(
    writeMarkers(merge, id),
    [
      'a',
      `<<<<<<< change request ${id}`,
      'ours',
      `======= ${id}`,
      'theirs',
      `>>>>>>> main ${id}`,
      'c',
      'd',
      `<<<<<<< change request ${id}`,
      'E',
      `======= ${id}`,
      'e!',
      `>>>>>>> main ${id}`,
      '',
    ].join('\n'),
  )
})

test('a side without a last newline, or without lines, still gets whole marker lines', () => {
  const text = writeMarkers(mergeLines('a\nb', 'a\nours', 'a\n'), id)
  assert.equal(text, `a\n<<<<<<< change request ${id}\nours\n======= ${id}\n>>>>>>> main ${id}\n`)
})

test('a conflict stays while one of its marker lines does, and other marker lines do not count', () => {
  const text = writeMarkers(mergeLines('a\n', 'b\n', 'c\n'), id)
  assert.ok(hasMarkers(text, id))
  assert.ok(hasMarkers(`b\r\n======= ${id}\r\n`, id))
  assert.ok(!hasMarkers(text, id.replace('1', '2')))
  assert.ok(!hasMarkers('<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> main\n', id))
  assert.ok(!hasMarkers(`This page once had the conflict ${id}.\n`, id))
})

test('a conflict stays in what a document makes of its marker lines', () => {
  const kept = [
    String.raw`\<\<\<\<\<\<\< change request ${id} ours`,
    `* a ======= ${id}`,
    String.raw`\======= ${id}`,
    `> > > > > > > main ${id}`,
    `<td>&gt;&gt;&gt;&gt;&gt;&gt;&gt; main ${id}</td>`,
  ]
  for (const line of kept) assert.ok(hasMarkers(`before\n\n${line}\n\nafter\n`, id), line)
  assert.ok(!hasMarkers(`> main ${id}\n\nThe change request ${id} and = ${id}\n`, id))
})

test('both sides are read back from between the marker lines, and either one can be taken for the text', () => {
  const merge = mergeLines('a\nb\nc\nd\ne\n', 'a\nours\nc\nd\nE\n', 'a\ntheirs\nc\nd\n')
  const text = writeMarkers(merge, id)
  for (const written of [text, text.replaceAll('\n', '\r\n')]) {
    const lines = (side: string) => (written === text ? side : side.replaceAll('\n', '\r\n'))
    const marked = readMarkers(written, id)!
    assert.deepEqual(marked[1], { ours: lines('ours\n'), theirs: lines('theirs\n') })
    assert.equal(takeSide(marked, 'ours'), lines('a\nours\nc\nd\nE\n'))
    assert.equal(takeSide(marked, 'theirs'), lines('a\ntheirs\nc\nd\n'))
  }
})

test('marker lines that are missing, doubled, broken or out of order are not read', () => {
  const text = writeMarkers(mergeLines('a\n', 'b\n', 'c\n'), id)
  const [first, , between, , last] = text.split('\n') as [string, string, string, string, string]
  const torn = [
    ...[first, between, last].map((line) => text.replace(`${line}\n`, '')),
    text.replace(between, first),
    text.replace(first, last).replace(/>>>(.*)$/, '<<<$1'),
    `${text}> ${last}\n`,
    'b\n',
    '',
  ]
  for (const each of torn) assert.equal(readMarkers(each, id), undefined, each)
  assert.equal(readMarkers(text, id.replace('1', '2')), undefined)
})
