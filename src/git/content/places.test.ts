import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/growth.ts'
import { type SlugToSay, assignSlugs, chooseSlugs } from './places.ts'

/** The slugs of siblings of the same title, in the opposite order of their numbers. */
const backwards = (length: number): SlugToSay[] =>
  Array.from({ length }, (_, at) => ({
    slug: at === length - 1 ? 'untitled' : `untitled-${length - 1 - at}`,
    implied: 'untitled',
    hasFile: true,
    isSaid: false,
  }))

const given = (siblings: readonly SlugToSay[]) => {
  const chosen = chooseSlugs(siblings)
  return assignSlugs(siblings.map(({ slug, implied }, i) => ({ chosen: chosen.has(i) ? slug : undefined, implied })))
}

test('the time to choose which of very many pages of the same title state their slug is linear in their number', () => {
  assertLinear((length) => assert.equal(chooseSlugs(backwards(length)).size, length - 1), 8_000)
})

test('with the slugs that are stated, all siblings get theirs, in whatever order they are', () => {
  const numbers = fc.uniqueArray(fc.nat({ max: 12 }), { maxLength: 10 })
  const sibling = fc.record({ hasFile: fc.boolean(), isSaid: fc.boolean(), isOther: fc.boolean() })
  fc.assert(
    fc.property(numbers, fc.array(sibling, { minLength: 10, maxLength: 10 }), (order, all) => {
      const siblings = order.map((number, at) => {
        const { hasFile, isSaid, isOther } = all[at]!
        return { slug: number === 0 ? 'a' : `a-${number}`, implied: isOther ? 'a-1' : 'a', hasFile, isSaid }
      })
      assert.deepEqual(
        given(siblings),
        siblings.map(({ slug }) => slug),
      )
    }),
    { numRuns: 2_000 },
  )
})

test('only as many pages state their slug as it takes', () => {
  const numbers = [0, 2, 3, 1, 4]
  const siblings = numbers.map((number) => ({
    slug: number === 0 ? 'a' : `a-${number}`,
    implied: 'a',
    hasFile: true,
    isSaid: false,
  }))
  assert.deepEqual([...chooseSlugs(siblings)], [1, 2])
})
