import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace } from '../../test/editing.ts'
import { search, written } from './testing/asking.ts'

const app = await startApp()

test('the numbers of an ordered list are found, and shown in the text', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Exit codes', 'What is returned:\n\n27. Out of memory.\n\n28. Too slow.\n\n    1. Or too far away.'),
    written('Exits', 'Code of an exit.'),
  )
  const { items } = await search(space, 'exit code 28')
  assert.deepEqual(items[0].title, 'Exit codes')
  assert.equal(items[0].sections[0].body, 'What is returned: 27. Out of memory. 28. Too slow. 1. Or too far away.')
})
