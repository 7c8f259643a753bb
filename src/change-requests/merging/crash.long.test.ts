// Kills a server in the middle of a merge: afterwards, either all of the merge has happened or nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { startApp } from '../../../test/app.ts'
import { aChangeRequest, aSpace } from '../../../test/lines.ts'
import { startServer, temporaryFolder } from '../../../test/process.ts'
import { assertSound } from '../../doctor/testing/sound.ts'

const app = await startApp()
const folder = await temporaryFolder()

const points = {
  'merge.read': 'nothing',
  'merge.worked-out': 'nothing',
  'merge.written': 'nothing',
  'merge.followed': 'nothing',
  'merge.counted': 'nothing',
  'merge.committed': 'all',
  'update.written': 'nothing',
  'update.recorded': 'nothing',
} as const

for (const [point, left] of Object.entries(points)) {
  test(`a server killed at ${point} leaves ${left} of the change, and a retry succeeds unless it is already merged`, async () => {
    const space = await aSpace(app)
    const [guide] = (await space.main.add({ title: 'Guide' })) as [string]
    const change = await aChangeRequest(space)
    await change.branch.edit(guide, { title: 'Better' })
    await change.branch.add({ title: 'New' })
    await space.main.add({ title: 'Meanwhile' })
    const before = await change.get()
    const mainBefore = (await space.main.find()).head.id

    const [what] = point.split('.') as ['merge' | 'update']
    const server = await startServer({
      DATABASE_URL: app.databaseUrl,
      LECTERN_DATA: folder,
      LECTERN_SECRET: 'a secret for tests that is long enough',
      LECTERN_FAIL: `${point}:1:kill`,
    })
    const send = (url: string) =>
      fetch(`${url}${change.path}/${what}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${space.admin.client.token}` },
      })
    await assert.rejects(send(server.url), 'the connection breaks')
    await gone(server.child)

    const after = await change.get()
    const mainAfter = (await space.main.find()).head.id
    if (left === 'nothing') {
      assert.deepEqual(after, before)
      assert.equal(mainAfter, mainBefore)
      const again = await space.admin.client.post(`${change.path}/${what}`)
      assert.equal(again.body.result, what)
    } else {
      assert.deepEqual([after.status, after.revisionMerged], ['merged', mainAfter])
      assert.equal((await space.main.pages()).get(guide)!.data!.title, 'Better')
      assert.equal((await space.admin.client.post(`${change.path}/merge`)).status, 409)
    }
  })
}

test('after the crashes all data invariants hold and nothing waits for a lock', async () => {
  await assertSound(app.db)
  // Other tests have their own databases on the same server.
  const { waiting } = await app.db.one(sql<{ waiting: number }>`
    select count(*) as waiting from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`)
  assert.equal(waiting, 0)
})

async function gone(child: {
  exitCode: number | null
  signalCode: NodeJS.Signals | null
  once(event: 'exit', then: () => void): unknown
}) {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise<void>((resolve) => child.once('exit', resolve))
}
