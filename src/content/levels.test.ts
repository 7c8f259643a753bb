import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onLevels } from './levels.ts'
import { limits } from './limits.ts'

interface Page {
  at: number
  pages: Page[]
}

test('pages nested beyond the limit are put on the last level in their order, however deep they were', () => {
  const deepest = 20_000
  let page: Page = { at: deepest, pages: [] }
  for (let at = deepest - 1; at > 0; at--) page = { at, pages: [page] }

  let level = onLevels([page], 'pages')
  for (let depth = 1; depth < limits.pageLevels; depth++) {
    assert.deepEqual(
      level.map(({ at }) => at),
      [depth],
    )
    level = level[0]!.pages
  }
  assert.deepEqual(
    level.map(({ at }) => at),
    Array.from({ length: deepest - limits.pageLevels + 1 }, (_, at) => at + limits.pageLevels),
  )
  assert.ok(level.every(({ pages }) => pages.length === 0))
})
