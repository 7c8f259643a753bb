import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestApp } from '../../../test/app.ts'
import type { Statement } from '../../db/sql.ts'
import { invariants } from '../invariants.ts'

/** Damage that no constraint prevents, and words from the promise that it breaks. */
export type Damage = [what: string, damage: Statement, promise: string]

/**
 * Tests that the existing data keeps every promise, and that each kind of damage is found. The damage is rolled back.
 */
export function testDamages(app: TestApp, damages: readonly Damage[]): void {
  test('the doctor finds no problem in sound data', async () => {
    const found: string[] = []
    for (const { promise, broken } of invariants) if ((await app.db.one(broken)).count > 0) found.push(promise)
    assert.deepEqual(found, [])
  })

  for (const [what, damage, promise] of damages) {
    test(`the doctor finds that ${what}`, async () => {
      const client = await app.db.pool.connect()
      try {
        await client.query('begin')
        const { text, values } = damage.compile()
        assert.ok((await client.query(text, values as unknown[])).rowCount! > 0, 'nothing was damaged')
        const found: string[] = []
        for (const { promise, broken } of invariants) {
          const compiled = broken.compile()
          const { rows } = await client.query(compiled.text, compiled.values as unknown[])
          if (Number(rows[0].count) > 0) found.push(promise)
        }
        assert.ok(
          found.some((each) => each.includes(promise)),
          `${promise}: ${found.join('; ')}`,
        )
      } finally {
        await client.query('rollback')
        client.release()
      }
    })
  }
}
