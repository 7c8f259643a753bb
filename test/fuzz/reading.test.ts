import { test } from 'node:test'
import { expectNoFaults } from './expect.ts'

test('no input to a read operation causes a 5xx or changes anything', { timeout: 300_000 }, async (t) => {
  await expectNoFaults(t, ({ method }) => method === 'GET')
})
