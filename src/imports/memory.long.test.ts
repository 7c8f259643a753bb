// Everything that is imported is kept in memory until it is written: a small archive must not unfold into more of it
// than there is.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { png } from '../../test/every-content.ts'
import type { Progress } from './collected.ts'
import { inRun, limits } from './limits.ts'
import { prepareImport } from './prepare.ts'
import { type Packed, zipOf } from './testing/zip.ts'

const app = await startApp()

/** Prepares the import of an archive, and returns the pages that are still said to be pending. */
async function imported(files: Packed[]) {
  // Files that are all alike would be packed too well.
  const unpacked = files.reduce((total, { bytes }) => total + bytes.length, 0)
  const bytes = zipOf([...files, { name: 'noise.bin', bytes: randomBytes(unpacked / 50 + 50_000) }])
  const pending = new Set<string>()
  const progress: Progress = {
    found: ({ id }) => void pending.add(id),
    done: (id) => void pending.delete(id),
    dropped: (id) => void pending.delete(id),
  }
  const read = async () => [{ kind: 'zip' as const, name: 'docs.zip', bytes }]
  const stopping = new AbortController().signal
  const preparing = { config: app.config, limits: inRun(1_000), language: null, progress, stopping }
  const prepared = await prepareImport({ type: 'files', read }, { ...preparing, fetcher: app.app.fetcher })
  await prepared.cleanUp()
  return { ...prepared, pending }
}

test('an archive whose pages take in more text than fits into memory is imported in part, and says so', async () => {
  const part = { name: 'part.txt', bytes: 'x'.repeat(900_000) }
  const pages = Array.from({ length: 90 }, (_, at) => ({
    name: `docs/${at}.md`,
    bytes: `# ${at}\n\n--8<-- "part.txt"\n`,
  }))
  const { pages: kept, total, pending } = await imported([...pages, part])
  assert.deepEqual([kept.length, total, pending.size], [Math.ceil(limits.textLength / 900_000), 90, 0])
})

test('an archive whose pages have more links than fit into memory is refused', async () => {
  const pages = Array.from({ length: 4 }, (_, at) => ({
    name: `${at}.md`,
    bytes: '[](#) '.repeat(limits.links / 4 + 1),
  }))
  await assert.rejects(imported(pages), /more than 500000 links/)
})

test('of tables of contents that list more than fits into memory, some are left out and reported', async () => {
  const list = '* [a](b#c)\n'.repeat(90_000)
  const contents = Array.from({ length: 7 }, (_, at) => ({ name: `${at}/SUMMARY.md`, bytes: list }))
  const { skipped, total } = await imported([...contents, { name: 'a.md', bytes: '# A\n' }])
  assert.equal(skipped.length, limits.skipped)
  assert.ok(total > 4 * 90_000 - 1_000 && total < 7 * 90_000, `${total} in all`)
})

test('of the pictures in many pages of an archive, as many are kept as fit into memory', async () => {
  const size = 4 * 1024 ** 2
  const picture = () => Buffer.concat([Buffer.from(png, 'base64'), randomBytes(size)]).toString('base64')
  const pages = Array.from({ length: 30 }, (_, at) => ({
    name: `${at}.html`,
    bytes: `<h1>A</h1><p>Text</p><img src="data:image/png;base64,${picture()}">`,
  }))
  const { files, skipped } = await imported(pages)
  assert.equal(files.length, Math.floor(limits.filesBytes / (size + 100)))
  assert.deepEqual(new Set(skipped.map(({ reason }) => reason)).size, 1)
  assert.match(skipped[0]!.reason, /there are too many like it/)
})
