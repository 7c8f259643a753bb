import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../test/growth.ts'
import { FreeSlugs } from './slugs.ts'

test('the time to find free slugs for pages with the same title is linear in their number', () => {
  assertLinear((length) => {
    const free = new FreeSlugs()
    let last = ''
    for (let at = 0; at < length; at++) {
      last = free.next('untitled')
      free.take(last)
    }
    assert.equal(last, `untitled-${length - 1}`)
  }, 16_000)
})

test('slugs that were taken otherwise are skipped, and given out again by nobody', () => {
  const free = new FreeSlugs()
  free.take('page-1')
  const taken = ['page', 'page', 'page-2', 'page-1'].map((wanted) => {
    const slug = free.next(wanted)
    free.take(slug)
    return slug
  })
  assert.deepEqual(taken, ['page', 'page-2', 'page-2-1', 'page-1-1'])
})
