import { test } from 'node:test'
import { expectNoFaults } from './expect.ts'

test(
  'no input to writes on spaces and collections causes a 5xx, and refused input changes nothing',
  { timeout: 300_000 },
  async (t) => {
    await expectNoFaults(t, ({ method, url }) => method !== 'GET' && /^\/v1\/(spaces|collections)/.test(url))
  },
)
