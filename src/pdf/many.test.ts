// Many files at once, for somebody who wants all of them and for others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSite } from '../../test/visitor.ts'

const app = await startApp()

test('whoever asks for many files at once keeps nobody else from getting theirs', async () => {
  const text = 'A paragraph of *some* words and `code`.\n\n'.repeat(300)
  const pages = Array.from({ length: 40 }, (_, at) => ({
    operation: 'insert_page',
    document: { markdown: `# Page ${at}\n\n${text}` },
  }))
  const site = await aSite(app, { pages })
  const other = await aSite(app)
  const { body } = await site.who.get(`${site.space.path}/content/pages`)
  const greedy = site.browser()
  const asked = (body.pages as { id: string }[]).map(({ id }) =>
    greedy.get(`${site.address}~/pdf?page=${id}&only=true`, { from: '127.0.0.2' }),
  )
  // From now on there is no room.
  const refused = await Promise.any(
    asked.map(async (each) => {
      const answer = await each
      assert.equal(answer.status, 503)
      return answer
    }),
  )
  assert.equal(refused.headers['retry-after'], '10')

  const theirs = await other.browser().get(`${other.address}~/pdf`)
  assert.equal(theirs.status, 200, theirs.text.slice(0, 300))
  const counts = Map.groupBy(await Promise.all(asked), ({ status }) => status)
  assert.deepEqual([...counts.keys()].toSorted(), [200, 503])
  assert.ok(counts.get(200)!.length >= 20, 'those who have a place keep it, but for one')
})
