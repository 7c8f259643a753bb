// Tests which of the searches that arrive while somebody types are counted, and when; and the counts that wait to be
// written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Questions } from './questions.ts'
import { Tally } from './tally.ts'

function listening() {
  const counted: string[] = []
  const questions = new Questions<string>(({ words, found }) => counted.push(found ? words : `${words}?`))
  const ask = (asker: string, words: string, at: number, found = true) =>
    questions.ask(asker, { place: 'site', words, found }, at)
  return { counted, questions, ask }
}

test('a search counts once its reader is silent for three seconds, with the result of the last words', () => {
  const { counted, questions, ask } = listening()
  ask('jo', 'ke', 0)
  ask('jo', 'kettle', 2_000, false)
  questions.settle(false, 4_999)
  assert.deepEqual(counted, [])
  assert.equal(questions.isEmpty, false)
  questions.settle(false, 5_000)
  assert.deepEqual(counted, ['kettle?'])
  assert.equal(questions.isEmpty, true)
})

test('people behind one IP address are told apart by what they type', () => {
  const { counted, questions, ask } = listening()
  for (const [at, words] of ['k', 't', 'ke', 'te', 'ket', 'tea', 'kettle', 'tea cups'].entries()) ask('all', words, at)
  questions.settle(false, 60_000)
  assert.deepEqual(counted, ['kettle', 'tea cups'])
})

test('the number of searches held back is limited per reader and in total', () => {
  const { counted, questions, ask } = listening()
  for (let at = 0; at < 25; at++) ask('one', `${at}.`, at)
  assert.deepEqual(counted, ['0.', '1.', '2.', '3.', '4.'])
  for (let at = 0; at < 10_005; at++) ask(`asker ${at}`, 'tea', at)
  assert.equal(counted.length, 5 + 20 + 5)
  questions.settle(true)
  assert.equal(counted.length, 25 + 10_005)
})

test('counts of different days stay apart, and their number is limited in total and for each site', () => {
  const tally = new Tally<{ organizationId: string; siteId: string }>(4, 2)
  const add = (siteId: string, key: string, day: string, always = false) =>
    tally.add({ key, about: { organizationId: 'o', siteId }, day, times: 1, unfound: 0 }, { always })
  assert.ok(add('a', 'x', '2026-11-17'))
  assert.ok(tally.again('x', '2026-11-17'))
  assert.ok(!tally.again('x', '2026-11-18'))
  assert.ok(add('a', 'x', '2026-11-18'))
  assert.ok(add('a', 'y', '2026-11-18'))
  assert.ok(!add('a', 'z', '2026-11-18'))
  assert.ok(add('a', 'z', '2026-11-18', true))
  assert.ok(add('b', 'w', '2026-11-18'))
  assert.ok(!add('c', 'v', '2026-11-18', true))
  const taken = tally.take().map(({ key, day, times }) => `${key} ${day.slice(-2)} ${times}`)
  assert.deepEqual(taken, ['x 17 2', 'x 18 1', 'y 18 1', 'z 18 1', 'w 18 1'])
  assert.deepEqual(tally.take(), [])
})

test('counts put back repeatedly while days change are neither lost nor counted twice', () => {
  const tally = new Tally<{ organizationId: string; siteId: string }>(3)
  const add = (day: string) =>
    tally.add({ key: 'x', about: { organizationId: 'o', siteId: 'a' }, day, times: 1, unfound: 0 })
  add('2026-11-17')
  add('2026-11-18')
  for (let round = 0; round < 10; round++) {
    const taken = tally.take()
    add('2026-11-18')
    for (const count of taken) tally.add(count, { always: true })
  }
  // The clock was set back.
  add('2026-11-17')
  const taken = tally.take().map(({ day, times }) => `${day.slice(-2)} ${times}`)
  assert.deepEqual(taken, ['17 2', '18 11'])
})
