import { test } from 'node:test'
import { expectNoFaults } from './expect.ts'

test('no input makes a read fail on our side, or change anything', { timeout: 300_000 }, async (t) => {
  await expectNoFaults(t, ({ method }) => method === 'GET')
})
