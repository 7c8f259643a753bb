import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/growth.ts'
import { shownAgain } from './typed.ts'

const again = (address: string) => shownAgain({ typed: { address } } as Parameters<typeof shownAgain>[0]).address

test('a typed address with credentials is shown again without user and password, as a URL or in SSH form', () => {
  for (const [typed, shown] of [
    ['https://jo:secret@host.example/a.git', 'https://host.example/a.git'],
    ['https://jo:sec@ret@host.example/a.git', 'https://host.example/a.git'],
    ['jo:secret@host.example:a.git', 'host.example:a.git'],
    ['git@host.example:a.git', 'git@host.example:a.git'],
    ['host.example:a.git', 'host.example:a.git'],
  ] as const)
    assert.equal(again(typed), shown)
})

test('the time to redact an invalid address grows linearly with its length', () =>
  assertLinear((length) => again(':'.repeat(length)), 60_000))
