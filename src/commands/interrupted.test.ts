import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { lectern, temporaryFolder } from '../../test/process.ts'

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

/** Runs before the program, and sends the signal from another thread as soon as the program is loaded. */
const interrupting = `
  import { registerHooks } from 'node:module'
  import { Worker, isMainThread } from 'node:worker_threads'
  if (isMainThread) {
    const begun = new Int32Array(new SharedArrayBuffer(4))
    const interrupt = "Atomics.wait(require('worker_threads').workerData, 0, 0); process.kill(process.pid, 'SIGTERM')"
    new Worker(interrupt, { eval: true, workerData: begun }).unref()
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier.endsWith('/main.ts')) {
          Atomics.store(begun, 0, 1)
          Atomics.notify(begun, 0)
        }
        return next(specifier, context)
      },
    })
  }`

test('a server told to stop while it is being loaded ends normally, and makes nothing', async () => {
  const dataFolder = join(await temporaryFolder(), 'new')
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(interrupting)}`
  const ended = await lectern(['serve'], { PORT: '0', LECTERN_DATA: dataFolder, NODE_OPTIONS })
  assert.deepEqual(ended, { stdout: '', stderr: '', code: 0 })
  await assert.rejects(stat(dataFolder), { code: 'ENOENT' })
})
