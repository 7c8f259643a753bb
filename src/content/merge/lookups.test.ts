import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleted, page } from './testing/examples.ts'
import type { Found, Wanted } from './lookups.ts'
import { mergeWith } from './merge.ts'
import { asDoc, fromDoc } from './testing/model.ts'

const nothing: Found = { base: [], theirs: [], children: [], slots: [], bodies: [], lines: [] }
const input = { revisions: { ours: 'branch', theirs: 'main' }, hash: asDoc }

test('the first round of lookups asks for everything that is known to matter', async () => {
  const asked: Wanted[] = []
  const overlay = [page('a', { parent: 'p', slug: 's' }), deleted('b')]
  await mergeWith(
    async (wanted) => {
      asked.push(wanted)
      return { ...nothing, theirs: [page('p')] }
    },
    { ...input, overlay },
  )

  assert.deepEqual(asked, [
    {
      base: ['a', 'b'],
      baseAncestors: [],
      theirs: ['a', 'b'],
      ancestors: ['p'],
      children: [],
      slots: [{ parent: 'p', kind: 1, slug: 's' }],
      bodies: [],
      lines: [],
    },
  ])
})

test('suffixes of a taken slug are looked up 64 at a time', async () => {
  const taken = Array.from({ length: 100 }, (_, i) => page(`t${i}`, { slug: i === 0 ? 's' : `s-${i}` }))
  const asked: number[] = []
  const { slugs } = await mergeWith(
    async ({ slots }) => {
      asked.push(slots.length)
      return { ...nothing, slots: taken.filter(({ slug }) => slots.some((slot) => slot.slug === slug)) }
    },
    { ...input, overlay: [page('new', { slug: 's' })] },
  )

  assert.deepEqual(asked, [1, 64, 64])
  assert.deepEqual(slugs, [{ entry: 'new', wanted: 's', given: 's-100' }])
})

test('the bodies of a page that both sides changed are looked up, and a missing one is an error, not an empty page', async () => {
  const found = {
    ...nothing,
    base: [page('a', { body: 'base' }), page('b', { body: 'base' })],
    theirs: [page('a', { body: 'theirs' }), page('b', { body: 'base' })],
  }
  const overlay = [page('a', { body: 'ours' }), page('b', { body: 'ours' })]
  let bodies: string[] = []
  const merging = mergeWith(
    async (wanted) => {
      bodies = wanted.bodies
      return found
    },
    { ...input, overlay },
  )

  await assert.rejects(merging, /is not stored/)
  assert.deepEqual(bodies.toSorted(), ['base', 'ours', 'theirs'].map(asDoc))
})

test('long bodies are merged elsewhere once all three are known, and short ones directly', async () => {
  const long = 'A line.\n'.repeat(40_000)
  const bodies = { base: `${long}1\n\n2\n`, ours: `${long}one\n\n2\n`, theirs: `${long}1\n\ntwo\n` }
  const asked: Wanted['lines'][] = []
  const { rows, bodies: merged } = await mergeWith(
    async (wanted) => {
      if (wanted.lines.length > 0) asked.push(wanted.lines)
      return {
        ...nothing,
        base: [page('a', { body: bodies.base }), page('b', { body: '1\n\n2\n' })],
        theirs: [page('a', { body: bodies.theirs }), page('b', { body: '1\n\ntwo\n' })],
        bodies: wanted.bodies.map((hash) => ({ hash, markdown: fromDoc(hash) })),
        lines: wanted.lines.map(({ key, texts }) => ({
          key,
          merge: { text: `elsewhere ${texts.ours.length}`, conflicts: [] },
        })),
      }
    },
    { ...input, overlay: [page('a', { body: bodies.ours }), page('b', { body: 'one\n\n2\n' })] },
  )
  assert.deepEqual(
    asked.map((lines) => lines.map(({ texts }) => texts)),
    [[bodies]],
  )
  assert.deepEqual(
    rows.map(({ doc }) => merged.get(doc!)),
    [`elsewhere ${bodies.ours.length}`, 'one\n\ntwo\n'],
  )
})

test('a deep part that main deleted comes back in at most four rounds of lookups', async () => {
  const depth = 30
  const part = Array.from({ length: depth }, (_, i) => page(`p${i}`, i === 0 ? {} : { parent: `p${i - 1}` }))
  let rounds = 0
  const { rows } = await mergeWith(
    async ({ baseAncestors }) => {
      rounds++
      return { ...nothing, base: baseAncestors.length > 0 ? part : [] }
    },
    { ...input, overlay: [page('new', { parent: `p${depth - 1}` })] },
  )
  assert.equal(rows.length, depth + 1)
  assert.ok(rounds <= 4, `${rounds} rounds`)
})

test('pages that main has below a page the branch deletes are looked up', async () => {
  const [parent, child] = [page('p'), page('c', { parent: 'p' })]
  const { conflicts } = await mergeWith(
    async (wanted) => ({
      ...nothing,
      base: [parent],
      theirs: [parent],
      children: wanted.children.includes('p') ? [child] : [],
    }),
    { ...input, overlay: [deleted('p')] },
  )
  assert.equal(conflicts[0]?.kind, 'parent-deleted-here')
})
