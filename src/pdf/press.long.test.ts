// Tests about how long a book may take: the processor time it uses counts, not how long other processes held it up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Press, PressFailure } from './press.ts'
import { sheetsOf } from './testing/book.ts'
import { findPress } from './testing/pressing.ts'

test('the time limit of a PDF counts its own processor time, not time spent waiting for other processes', async () => {
  const patient = new Press(undefined, 6000)
  const hasty = new Press(undefined, 100)
  try {
    const made = patient.print(await sheetsOf('Text.'))
    const press = findPress()!
    process.kill(press, 'SIGSTOP')
    await sleep(8000)
    process.kill(press, 'SIGCONT')
    assert.match(Buffer.from((await made).subarray(0, 5)).toString(), /^%PDF-/)

    const long = hasty.print(await sheetsOf('A paragraph of *some* words and `code`.\n\n'.repeat(30_000)))
    await assert.rejects(long, (error) => error instanceof PressFailure && error.message === 'It takes too long')
  } finally {
    patient.close()
    hasty.close()
  }
})
