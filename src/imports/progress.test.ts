import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectFiles } from './files/collect.ts'
import { atOnce } from './limits.ts'
import { PageReader } from './reader/reading.ts'
import { zipOf } from './testing/zip.ts'

/** Returns the progress events for an archive, with a limit on the number of pages. */
async function told(files: Record<string, string>, pages = 200): Promise<string> {
  const bytes = zipOf(Object.entries(files).map(([name, text]) => ({ name, bytes: text })))
  const sources = new Map<string, string>()
  const said: string[] = []
  const progress = {
    found: ({ id, source }: { id: string; source: string }) => {
      sources.set(id, source)
      said.push(`found ${source}`)
    },
    done: (id: string) => void said.push(`read ${sources.get(id)}`),
    dropped: (id: string) => void said.push(`left out ${sources.get(id)}`),
  }
  await collectFiles([{ name: 'x.zip', kind: 'zip', bytes }], {
    reader: new PageReader(null),
    progress,
    limits: { ...atOnce, pages },
    maxFileBytes: 1000,
    language: null,
    stopping: new AbortController().signal,
    download: () => assert.fail('nothing stands elsewhere'),
  })
  return said.join(', ')
}

test('the number of pages in an archive is reported before the first page is read', async () => {
  const files = { 'a.md': '# A\n', 'b.md': '---\ndraft: true\n---\n', 'c.md': '# C\n', 'd.md': '# D\n' }
  assert.equal(
    await told(files),
    'found a.md, found b.md, found c.md, found d.md, read a.md, left out b.md, read c.md, read d.md',
  )
  // A page that is left out does not take the place of another one.
  assert.equal(await told(files, 2), 'found a.md, found b.md, read a.md, left out b.md, found c.md, read c.md')
})
