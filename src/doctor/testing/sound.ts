import assert from 'node:assert/strict'
import type { Db } from '../../db/connect.ts'
import { invariants } from '../invariants.ts'

/** Asserts that the data keeps all promises. */
export async function assertSound(db: Db): Promise<void> {
  for (const { promise, broken } of invariants) assert.equal((await db.one(broken)).count, 0, promise)
}
