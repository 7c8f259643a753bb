import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reaches, roles } from './roles.ts'

test('each role has the rights of the weaker roles, and a guest has none', () => {
  roles.forEach((role, rank) => {
    roles.forEach((needed, needs) => assert.equal(reaches(role, needed), rank >= needs, `${role} ${needed}`))
    assert.equal(reaches(null, role), false)
  })
})
