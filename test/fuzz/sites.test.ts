import { test } from 'node:test'
import { expectNoFaults } from './expect.ts'

test('no input for sites makes a 5xx, or a change where it is refused', { timeout: 300_000 }, async (t) => {
  await expectNoFaults(t, ({ method, url }) => method !== 'GET' && url.includes('/sites'))
})
