import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { highlight } from './highlight.ts'

const textOf = (lines: Awaited<ReturnType<typeof highlight>>) =>
  lines.map((line) => line.map(({ text }) => text).join('')).join('\n')

test('a token that spans many lines has one colour throughout', async () => {
  const inside = Array.from({ length: 100 }, (_, at) => `line ${at}`)
  const code = ['const a = `', ...inside, '`', 'const b = 1'].join('\n')
  const lines = await highlight(code, 'js')
  assert.equal(textOf(lines), code)
  for (const line of lines.slice(1, -2)) assert.deepEqual([...new Set(line.map((token) => token.class))], ['t-s'])
  assert.deepEqual(lines.at(-1)![0], { text: 'const', class: 't-k' })
  assert.equal(textOf(await highlight(code.replaceAll('\n', '\r\n'), 'js')), code)
})

test('code that is ever slower to highlight ends as plain text, and does not block other work', async () => {
  const code = '(1\n'.repeat(20_000)
  let turns = 0
  const stop = new AbortController()
  const others = async () => {
    for (; !stop.signal.aborted; turns++) await setImmediate()
  }
  const waiting = others()
  const [lines, again] = await Promise.all([highlight(code, 'js'), highlight(code, 'js')])
  stop.abort()
  await waiting
  assert.equal(again, lines)
  assert.equal(textOf(lines), code)
  assert.ok(turns > 20, `${turns} turns`)
  assert.ok(lines[0]!.some((token) => token.class === 't-n'))
  assert.ok(lines.at(-2)!.every((token) => token.class === undefined))
})

test('highlighting runs outside the main thread, even while a grammar is loaded', async () => {
  const [all, mine] = [process.cpuUsage(), process.threadCpuUsage()]
  const lines = await highlight('#include <vector>\nint main() { return 0; }\n', 'cpp')
  assert.ok(lines.flat().some((token) => token.class === 't-k'))
  const [worked, here] = [process.cpuUsage(all).user, process.threadCpuUsage(mine).user]
  assert.ok(here < worked / 4, `${here} of ${worked} µs`)
})
