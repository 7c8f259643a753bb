import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/process.ts'
import { until } from '../../test/until.ts'
import { writeNewFile } from './write-file.ts'

test('of two processes that write a file of the same name at once, the first to finish wins, and its file is whole', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'backup.zip')
  const first = new Readable({ read() {} })
  const second = new Readable({ read() {} })
  const firstWritten = writeNewFile(path, first)
  first.push('first, ')
  await hasFiles(folder, 1)
  const secondRefused = assert.rejects(writeNewFile(path, second), /already exists/)
  second.push('second, which is longer')
  await hasFiles(folder, 2)

  first.push('whole')
  first.push(null)
  await firstWritten
  second.push(null)
  await secondRefused
  assert.equal(await readFile(path, 'utf8'), 'first, whole')
  assert.deepEqual(await readdir(folder), ['backup.zip'])
})

const hasFiles = (folder: string, count: number) =>
  until(`${count} files in the folder`, async () => (await readdir(folder)).length === count)
