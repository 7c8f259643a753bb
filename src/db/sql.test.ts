import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from './sql.ts'

test('a statement that is planned anew each time has no name, so that nothing of it is kept', () => {
  const filtered = (part: ReturnType<typeof sql>) => sql`select from users where ${part}`
  const [one, other] = [sql`id = ${1}`, sql`id <> ${1}`].map((part) => filtered(part).asSlow().compile())
  assert.deepEqual([one!.text, one!.name], ['select from users where id = $1', ''])
  assert.equal(other!.name, '')
  // Statements that are planned once each have a name of their own.
  assert.notEqual(filtered(sql`id = ${1}`).compile().name, filtered(sql`id <> ${1}`).compile().name)
})
