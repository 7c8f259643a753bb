import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Entry, type Row, gone, top } from '../content/merge/entry.ts'
import { presentTree, writeTree } from './present.ts'
import { PageTree } from './tree.ts'

const view = { appUrl: 'http://lectern.test/app/', withGit: false }
const textOf = (tree: PageTree, as = view) => writeTree(tree, as).toString()

const ids = Array.from({ length: 12 }, (_, i) => `page-${String(i).padStart(2, '0')}`)

const pageOf = (id: number, parent: number | undefined, name: string): Entry => ({
  entry: ids[id]!,
  kind: 1,
  state: 0,
  parent: parent === undefined ? top : ids[parent]!,
  slug: name,
  position: name,
  doc: null,
  refs: null,
  data: { type: 'document', title: name },
})

/**
 * A page is always below one with a lower number, so there are no circles. Pages below a deleted one cannot be reached.
 */
const edit = fc.oneof(
  fc.record({
    id: fc.nat(11),
    parent: fc.option(fc.nat(11), { nil: undefined }),
    name: fc.constantFrom('a', 'b', 'ü'),
  }),
  fc.record({ id: fc.nat(11), gone: fc.constant(true as const) }),
)

const rowOf = (change: { id: number; parent?: number | undefined; name?: string; gone?: true }): Row =>
  change.gone
    ? gone(ids[change.id]!, 1, 1)
    : pageOf(
        change.id,
        change.parent !== undefined && change.parent < change.id ? change.parent : undefined,
        change.name!,
      )

test('an incrementally updated tree is written the same as one built from scratch', () => {
  fc.assert(
    fc.property(fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { maxLength: 12 }), (batches) => {
      let tree = PageTree.of(ids.map((_, i) => pageOf(i, i % 3 === 0 ? undefined : i - (i % 3), 'start')))
      textOf(tree)
      for (const batch of batches) {
        // One row per entry, as in a revision.
        tree = tree.with([...new Map(batch.map((change) => [change.id, rowOf(change)])).values()])
        assert.equal(textOf(tree), JSON.stringify({ pages: presentTree(PageTree.of([...tree.byId.values()]), view) }))
      }
    }),
    { seed: process.env.SEED === undefined ? undefined : Number(process.env.SEED) },
  )
})

test('the same tree is written separately for each view', () => {
  const tree = PageTree.of([pageOf(0, undefined, 'start')])
  const elsewhere = { ...view, appUrl: 'http://lectern.test/elsewhere/' }
  const [first, other, again] = [textOf(tree), textOf(tree, elsewhere), textOf(tree)]
  assert.match(other, /elsewhere\/start/)
  assert.equal(again, first)
})
