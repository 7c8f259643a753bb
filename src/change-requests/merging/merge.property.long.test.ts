// Random edits on main and on a branch, merged through HTTP and the database, compared with the model of whole spaces.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hash } from 'node:crypto'
import { cases } from '../../content/merge/testing/cases.ts'
import { type Entry, type Row, sameEntry, top } from '../../content/merge/entry.ts'
import { type Space, asDoc, fromDoc, mergeSpaces } from '../../content/merge/testing/model.ts'
import { editSpace, history, overlayOf, withRows } from '../../content/merge/testing/random-space.ts'
import { bodyHash, listBodies } from '../../revisions/bodies.ts'
import { listAll } from '../../revisions/entries.ts'
import type { Revision } from '../../revisions/revision.ts'
import { startApp } from '../../../test/app.ts'
import { type TestLine, type TestSpace, aChangeRequest, aSpace } from '../../../test/lines.ts'
import { anOrganization } from '../../../test/factories.ts'

const app = await startApp()
const organization = await anOrganization(app)
const run = cases(40)

test('random merges through the API come out as in the model, including conflicts', async (t) => {
  t.diagnostic(`MERGE_SEED=${run.seed} MERGE_CASES=${run.numRuns}`)
  const seen = { merged: 0, conflicts: 0 }
  await fc.assert(
    fc.asyncProperty(history, async (edits) => {
      const base = named(editSpace(new Map(), edits.before, 'b'))
      const ours = named(editSpace(unnamed(base), edits.ours, 'a'))
      const theirs = named(editSpace(unnamed(base), edits.theirs, 't'))

      const space = await aSpace(app, organization)
      const { client } = space.admin
      await write(space.main, new Map(), base)
      const change = await aChangeRequest(space)
      await write(change.branch, base, ours, edits.idle)
      await write(space.main, base, theirs)

      const { items } = (await client.get(`${change.path}/conflicts?limit=1000`)).body
      const ids = new Map(items.map((each: any) => [`${each.entry.id} ${each.field}`, each.id]))
      const model = mergeSpaces(base, ours, theirs, (key) => String(ids.get(key)))
      assert.deepEqual(
        items.map((each: any) => `${each.entry.id} ${each.field} ${each.kind}`).toSorted(),
        model.conflicts,
      )

      const merged = (await client.post(`${change.path}/merge`)).body
      if (model.conflicts.length === 0) {
        seen.merged++
        assert.equal(merged.result, 'merge')
        assertSame(await read(space, (await space.main.find()).head), model.space)
      } else {
        seen.conflicts++
        assert.equal(merged.result, 'conflicts')
        assertSame(await read(space, (await space.main.find()).head), theirs)
        assert.equal((await client.post(`${change.path}/update`)).body.result, 'conflicts')
        assertSame(await read(space, (await change.branch.find()).head), model.space)
      }
    }),
    { ...run, endOnFailure: run.numRuns <= 40 },
  )
  t.diagnostic(JSON.stringify(seen))
  assert.ok(seen.merged > 0 && seen.conflicts > 0)
})

/** The random spaces name entries like `b01`. The database needs UUIDs that sort in the same order. */
function asId(name: string): string {
  if (name === top) return top
  const hex = Buffer.from(name.padEnd(6, ' ')).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-${hash('sha256', name).slice(0, 12)}`
}

const names = new Map<string, string>([[top, top]])

function named(space: Space): Space {
  return rename(space, (name) => {
    const id = asId(name)
    names.set(id, name)
    return id
  })
}

const unnamed = (space: Space) => rename(space, (id) => names.get(id)!)

function rename(space: Space, to: (id: string) => string): Space {
  const renamed = [...space.values()].map((entry) => ({ ...entry, entry: to(entry.entry), parent: to(entry.parent) }))
  return new Map(renamed.map((entry) => [entry.entry, entry]))
}

async function write(line: TestLine, before: Space, after: Space, idle = 0): Promise<void> {
  const bodies = new Map<string, string>()
  const rows = overlayOf(before, after, idle).map((row): Row => {
    if (row.state !== 0 || row.doc === null) return row
    const markdown = fromDoc(row.doc)
    bodies.set(bodyHash(markdown), markdown)
    return { ...row, doc: bodyHash(markdown) }
  })
  await line.write(rows, bodies)
}

/** Reads the content of a revision, with bodies in place of their hashes. */
async function read(space: TestSpace, at: Revision): Promise<Space> {
  const kinds = await Promise.all(([1, 2, 3, 4] as const).map((kind) => listAll(app.db, at, kind)))
  const docs = kinds.flat().flatMap(({ doc }) => doc ?? [])
  const found = await listBodies(app.db, space.organization.id, [...new Set(docs)])
  const bodies = new Map(found.map(({ hash, markdown }) => [hash, markdown]))
  const entries = kinds
    .flat()
    .map((entry): Entry => ({ ...entry, doc: entry.doc === null ? null : asDoc(bodies.get(entry.doc)!) }))
  return withRows(new Map(), entries)
}

function assertSame(actual: Space, expected: Space): void {
  assert.deepEqual([...actual.keys()].toSorted(), [...expected.keys()].toSorted())
  for (const [id, entry] of actual) {
    if (!sameEntry(entry, expected.get(id)!)) assert.deepEqual(entry, expected.get(id))
  }
}
