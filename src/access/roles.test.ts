import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccessLevel, effectiveRole, reaches, roles } from './roles.ts'

const nothingSaid: AccessLevel = { memberGrant: undefined, teamGrants: [], level: undefined }

test('each role can do what the weaker ones can, and a guest nothing', () => {
  roles.forEach((role, rank) => {
    roles.forEach((needed, needs) => assert.equal(reaches(role, needed), rank >= needs, `${role} ${needed}`))
    assert.equal(reaches(null, role), false)
  })
})

test('an administrator of the organization is one everywhere, whatever was said', () => {
  assert.equal(effectiveRole('admin', [{ ...nothingSaid, memberGrant: null, level: null }]), 'admin')
})

test('the first that says something decides: member, best team, level, then the collection around, then the organization', () => {
  const cases: [AccessLevel[], ReturnType<typeof effectiveRole>][] = [
    [[], 'edit'],
    [[nothingSaid], 'edit'],
    [[{ ...nothingSaid, level: 'read' }], 'read'],
    [[{ ...nothingSaid, level: 'read', teamGrants: ['comment', 'review'] }], 'review'],
    [[{ memberGrant: 'read', teamGrants: ['review'], level: 'create' }], 'read'],
    [[nothingSaid, { ...nothingSaid, memberGrant: 'comment' }], 'comment'],
    [[nothingSaid, nothingSaid, { ...nothingSaid, teamGrants: ['create'] }], 'create'],
    [
      [
        { ...nothingSaid, level: 'read' },
        { ...nothingSaid, memberGrant: 'create' },
      ],
      'read',
    ],
  ]
  for (const [chain, expected] of cases) assert.equal(effectiveRole('edit', chain), expected, JSON.stringify(chain))
})

test('a level of null closes a thing to all that was said above it; a grant of null closes it to one', () => {
  assert.equal(
    effectiveRole('create', [
      { ...nothingSaid, level: null },
      { ...nothingSaid, level: 'create' },
    ]),
    null,
  )
  assert.equal(effectiveRole('create', [{ ...nothingSaid, memberGrant: null }]), null)
  assert.equal(effectiveRole('create', [{ ...nothingSaid, teamGrants: [null] }]), null)
  assert.equal(effectiveRole('create', [{ ...nothingSaid, teamGrants: [null, 'read'] }]), 'read')
})

test('a guest has what was granted, and nothing by default', () => {
  assert.equal(effectiveRole(null, [nothingSaid]), null)
  assert.equal(effectiveRole(null, [{ ...nothingSaid, memberGrant: 'edit' }]), 'edit')
})
