// The tenancy matrix: every operation, called by every kind of caller, with ids of their own things, of those of
// others, and of things that are deleted, closed or drafts. Its parts run in matrix/*.test.ts. This file checks that it
// is complete.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from './app.ts'
import { ofChangeRequests, ofContent } from './matrix/rules-content.ts'
import { ofOrganizations } from './matrix/rules-organizations.ts'
import { ofPeople } from './matrix/rules-people.ts'
import { ofSites } from './matrix/rules-sites.ts'
import { ofSpaces } from './matrix/rules-spaces.ts'
import type { Row } from './matrix/rules.ts'

const app = await startApp()
const parts = [ofPeople, ofOrganizations, ofSpaces, ofContent, ofChangeRequests, ofSites]

test('every operation has exactly one row in the rules of the matrix, and every row has its operation', () => {
  const rows = parts.flatMap((part) => Object.keys(part))
  assert.deepEqual(rows.toSorted(), [...new Set(rows)].toSorted(), 'an operation has two rows')
  assert.deepEqual(
    app.app.operations.map(({ schema }) => schema.operationId!).toSorted(),
    rows.toSorted(),
    'add a row to test/matrix/rules-*.ts',
  )
})

test('an operation is open in the rules exactly if its route is public', () => {
  const rows: Record<string, Row> = Object.fromEntries(parts.flatMap((part) => Object.entries(part)))
  for (const { schema, policy } of app.app.operations) {
    const isOpen = rows[schema.operationId!]!.open === true
    assert.equal(policy?.access === 'public', isOpen, String(schema.operationId))
  }
})
