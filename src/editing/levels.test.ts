// How far down pages may stand: what shows them goes down level by level.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { idsOf, newPage } from '../../test/editing.ts'
import { aSite, expect } from '../../test/visitor.ts'

const app = await startApp()

/** Pages below each other. */
const tower = (levels: number, into?: string, slug = 'level') =>
  Array.from({ length: levels }, (_, at) => ({
    operation: 'insert_page',
    title: `Level ${at}`,
    document: {},
    slug,
    ref: `level-${at}`,
    into: at === 0 ? into : `level-${at - 1}`,
  }))

test('pages stand on a hundred levels, and none is put further down, alone or with those below it', async () => {
  const site = await aSite(app)
  const edit = (...changes: object[]) => site.space.edit(...changes)
  const upper = idsOf(await edit(...tower(50)))
  const lower = idsOf(await edit(...tower(50, upper.at(-1))))
  const [small] = idsOf(await edit(newPage('Small')))
  const [, child] = idsOf(await edit(...tower(2, undefined, 'other')))

  const refused = async (change: object) => {
    const { status, body } = await edit(change)
    assert.deepEqual(
      [status, body.error.details[0].path, body.error.details[0].rule],
      [400, 'body.changes.0.into', 'levels'],
    )
  }
  await refused(newPage('Below', { into: lower.at(-1) }))
  await refused({ operation: 'update_page', page: small, into: lower.at(-1) })
  await refused({ operation: 'update_page', page: upper[1], into: child })
  expect(await edit({ operation: 'update_page', page: small, into: lower.at(-2) }), 200)
  expect(await edit({ operation: 'update_page', page: upper[1], into: upper[0] }), 200)

  const path = Array<string>(100).fill('level').join('/')
  assert.equal((await site.browser().get(site.address + path)).status, 200)
  expect(await site.who.get(`${site.space.path}/content`), 200)
})
