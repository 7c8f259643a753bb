import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reaches, roles } from './roles.ts'

test('each role can do what the weaker ones can, and a guest nothing', () => {
  roles.forEach((role, rank) => {
    roles.forEach((needed, needs) => assert.equal(reaches(role, needed), rank >= needs, `${role} ${needed}`))
    assert.equal(reaches(null, role), false)
  })
})
