import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '../content/merge/entry.ts'
import { newId } from '../ids.ts'
import { PageTree } from '../pages/tree.ts'
import { page, top } from '../revisions/entries.ts'
import type { Links } from './links.ts'
import { navOf } from './page-view.ts'

const pageBelow = (parent: string, title: string, data: object = {}): Entry => ({
  entry: newId(),
  kind: page,
  state: 0,
  parent,
  slug: title,
  position: title,
  doc: null,
  refs: null,
  data: { type: 'document', title, ...data },
})

test('a menu creates links only for the top level and for open branches', () => {
  const branches = Array.from({ length: 20 }, (_, i) => pageBelow(top, `branch-${i + 10}`))
  const leaves = branches.flatMap(({ entry }) =>
    Array.from({ length: 50 }, (_, i) => pageBelow(entry, `leaf-${i + 10}`, { hidden: i === 0 })),
  )
  const emptyGroup = pageBelow(top, 'empty', { type: 'group' })
  const unseen = pageBelow(emptyGroup.entry, 'unseen', { hidden: true })
  const tree = PageTree.of([...branches, ...leaves, emptyGroup, unseen])
  let made = 0
  const links = { page: ({ slug }: Entry) => `/${slug}/${made++}` } as Partial<Links> as Links

  const nav = navOf(tree, { page: undefined, links }, new Set([branches[3]!.entry]))
  assert.deepEqual(
    nav.map(({ title, hasItems, open }) => [title, hasItems, open]),
    branches.map((branch, i) => [branch.slug, true, i === 3]),
  )
  const [first, , , shown] = nav
  assert.deepEqual([shown!.items.length, shown!.items[0]!.title, shown!.items[0]!.hasItems], [49, 'leaf-11', false])
  assert.equal(shown!.items, shown!.items)
  assert.ok(first!.hasItems && made < 100, `${made} of ${branches.length + leaves.length} were made`)
})
