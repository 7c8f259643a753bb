import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cases } from './testing/cases.ts'
import type { Conflict } from './conflicts.ts'
import { sameEntry, samePlace, top, type Entry, type Row } from './entry.ts'
import { mergeLines } from './lines.ts'
import type { Found, Lookups, Wanted } from './lookups.ts'
import { merge, mergeWith, type MergeOutcome } from './merge.ts'
import { asDoc, fromDoc, mergeSpaces, type Space } from './testing/model.ts'
import { editSpace, history, overlayOf, withRows } from './testing/random-space.ts'
import { revertOverlay, updateRows } from './rows.ts'

const run = cases(2000)
const revisions = { ours: 'branch', theirs: 'main' }

test('random merges', async (t) => {
  t.diagnostic(`MERGE_SEED=${run.seed} MERGE_CASES=${run.numRuns}`)

  await t.test('come out as in a model of whole spaces, with the same conflicts', () => {
    const seen: Record<string, number> = {}
    everyHistory(({ base, ours, theirs, outcome }) => {
      const ids = new Map(outcome.conflicts.map(({ id, entry, field }) => [`${entry} ${field}`, id]))
      const model = mergeSpaces(base, ours, theirs, (key) => ids.get(key)!)
      for (const { kind } of outcome.conflicts) seen[kind] = (seen[kind] ?? 0) + 1
      assert.deepEqual(outcome.conflicts.map(describe).toSorted(), model.conflicts)
      assertSame(withRows(theirs, outcome.rows), model.space)
    })
    t.diagnostic(`conflicts met: ${JSON.stringify(seen)}`)
    assert.equal(Object.keys(seen).length, 8, 'every kind of conflict was met')
  })

  await t.test('lose no page, and leave no orphan, no cycle and no duplicate address', () => {
    everyHistory(({ base, ours, theirs, outcome }) => {
      const merged = withRows(theirs, outcome.rows)
      assertTree(merged)
      assert.equal(new Set(outcome.rows.map((row) => row.entry)).size, outcome.rows.length, 'no entry twice')
      for (const id of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
        if (merged.has(id)) continue
        const [b, o, t] = [base.get(id) ?? null, ours.get(id) ?? null, theirs.get(id) ?? null]
        assert.ok((!o && (!t || sameEntry(t, b))) || (!t && (!o || sameEntry(o, b))), `${id} was lost`)
      }
    })
  })

  await t.test('never change an address of main that the branch left alone', () => {
    everyHistory(({ base, ours, theirs, outcome }) => {
      const merged = withRows(theirs, outcome.rows)
      for (const [id, { parent, slug }] of theirs) {
        const [b, o, m] = [base.get(id), ours.get(id), merged.get(id)]
        if (b && o && m && samePlace(b, o) && b.slug === o.slug) {
          assert.deepEqual([m.parent, m.slug], [parent, slug])
        }
      }
    })
  })

  await t.test('give the same result directly and after an update', () => {
    everyHistory(({ overlay, theirs, outcome }) => {
      const updated = withUpdate(overlay, updateRows(overlay, outcome))
      assertSame(withRows(theirs, updated), withRows(theirs, outcome.rows))
      const again = merge(lookupsOf(theirs, theirs), input(updated))
      assert.deepEqual(again.conflicts, [])
      assertSame(withRows(theirs, again.rows), withRows(theirs, outcome.rows))
      assert.deepEqual(updateRows(updated, again), [], 'a second update has nothing to write')
    })
  })

  await t.test('of two branches agree in either order, apart from slugs and bodies', () => {
    everyHistory(({ base, ours, theirs, outcome }) => {
      const mirrored = merge(lookupsOf(base, ours), input(overlayOf(base, theirs, 0)))
      const rest = ({ conflicts }: MergeOutcome) =>
        conflicts.filter(({ field }) => field !== 'slug' && field !== 'body')
      assert.equal(rest(mirrored).length > 0, rest(outcome).length > 0)
      if (rest(outcome).length > 0) return
      const strip = (space: Space) =>
        new Map([...space].map(([id, entry]): [string, Entry] => [id, { ...entry, slug: null, doc: null }]))
      assertSame(strip(withRows(ours, mirrored.rows)), strip(withRows(theirs, outcome.rows)))
    })
  })

  await t.test('can be undone: reverting a merge gives the old state', () => {
    everyHistory(({ theirs, outcome }) => {
      const after = withRows(theirs, outcome.rows)
      const overlay = revertOverlay(outcome.rows, (id) => theirs.get(id) ?? null)
      const undone = merge(lookupsOf(after, after), input(overlay))
      assert.deepEqual(undone.conflicts, [])
      assertSame(withRows(after, undone.rows), theirs)
    })
  })

  await t.test('read from a database in at most eight rounds, and come out the same', async () => {
    let most = 0
    await fc.assert(
      fc.asyncProperty(history, async (edits) => {
        const { base, theirs, overlay, outcome } = mergeHistory(edits)
        let rounds = 0
        const fetched = await mergeWith(async (wanted) => {
          rounds++
          return fetchFrom(base, theirs, wanted)
        }, input(overlay))
        most = Math.max(most, rounds)
        assert.deepEqual(fetched, outcome)
      }),
      { ...run, numRuns: Math.ceil(run.numRuns / 3) },
    )
    t.diagnostic(`at most ${most} rounds`)
    assert.ok(most <= 8, `${most} rounds`)
  })
})

type Merged = { base: Space; ours: Space; theirs: Space; overlay: Row[]; outcome: MergeOutcome }
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never

function everyHistory(check: (merged: Merged) => void): void {
  fc.assert(
    fc.property(history, (edits) => check(mergeHistory(edits))),
    run,
  )
}

function mergeHistory(edits: History): Merged {
  const base = editSpace(new Map(), edits.before, 'b')
  // Ids of the branch sort before those of the base, so that the test shows whether older pages come first.
  const ours = editSpace(base, edits.ours, 'a')
  const theirs = editSpace(base, edits.theirs, 't')
  const overlay = overlayOf(base, ours, edits.idle)
  return { base, ours, theirs, overlay, outcome: merge(lookupsOf(base, theirs), input(overlay)) }
}

function input(overlay: Row[]) {
  return { overlay, revisions, hash: asDoc }
}

function lookupsOf(base: Space, theirs: Space): Lookups {
  const all = [...theirs.values()]
  return {
    base: (id) => base.get(id) ?? null,
    baseWithAncestors: (id) => base.get(id) ?? null,
    theirs: (id) => theirs.get(id) ?? null,
    parentOf: (id) => theirs.get(id)?.parent ?? null,
    childrenOf: (id) => all.filter((entry) => entry.parent === id),
    occupant: (slot) => all.find(isAt(slot))?.entry ?? null,
    body: fromDoc,
    lines: (_, { base, ours, theirs }) => mergeLines(base, ours, theirs),
  }
}

function fetchFrom(base: Space, theirs: Space, wanted: Wanted): Found {
  const main = [...theirs.values()]
  return {
    base: [...wanted.base, ...withAncestors(base, wanted.baseAncestors)].flatMap((id) => base.get(id) ?? []),
    theirs: [...wanted.theirs, ...withAncestors(theirs, wanted.ancestors)].flatMap((id) => theirs.get(id) ?? []),
    children: main.filter((entry) => wanted.children.includes(entry.parent)),
    slots: wanted.slots.flatMap((slot) => main.find(isAt(slot)) ?? []),
    bodies: wanted.bodies.map((hash) => ({ hash, markdown: fromDoc(hash) })),
    lines: [],
  }
}

function withAncestors(space: Space, ids: string[]): Set<string> {
  const all = new Set(ids)
  for (const id of all) if (space.has(id)) all.add(space.get(id)!.parent)
  return all
}

function isAt({ parent, kind, slug }: { parent: string; kind: number; slug: string }) {
  return (entry: Entry) => entry.parent === parent && entry.kind === kind && entry.slug === slug
}

function withUpdate(overlay: Row[], rows: Row[]): Row[] {
  return [...new Map([...overlay, ...rows].map((row) => [row.entry, row])).values()]
}

function assertTree(space: Space): void {
  const addresses = new Set<string>()
  for (const entry of space.values()) {
    let steps = 0
    for (let at = entry.parent; at !== top; at = space.get(at)!.parent) {
      assert.ok(space.has(at), `${entry.entry} is an orphan`)
      assert.ok(steps++ <= space.size, `${entry.entry} is in a cycle`)
    }
    if (entry.slug === null) continue
    const address = `${entry.parent} ${entry.kind} ${entry.slug}`
    assert.ok(!addresses.has(address), `${address} is there twice`)
    addresses.add(address)
  }
}

function assertSame(actual: Space, expected: Space): void {
  for (const id of new Set([...actual.keys(), ...expected.keys()])) {
    if (sameEntry(actual.get(id) ?? null, expected.get(id) ?? null)) continue
    assert.deepEqual(actual.get(id), expected.get(id))
    assert.fail(`${id} differs`)
  }
}

function describe({ entry, field, kind }: Conflict): string {
  return `${entry} ${field} ${kind}`
}
