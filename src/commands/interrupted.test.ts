import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const program = `
  import { endWhenInterrupted } from '${import.meta.resolve('./interrupted.ts')}'
  endWhenInterrupted()
  process.stdin.once('data', () => {
    process.stderr.write('half of it')
    setTimeout(() => process.stdout.write('all of it', () => process.exit()), 200)
  })`

test('a command continues when its progress output is no longer read', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
  child.stderr.destroy()
  await once(child.stderr, 'close')
  child.stdin.write('go on')
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.deepEqual([stdout, code], ['all of it', 0])
})
