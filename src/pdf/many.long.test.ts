// Many files at once, for a client that asks for all of them and for others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { aSite } from '../../test/visitor.ts'
import { findPress } from './testing/pressing.ts'

const app = await startApp()

test('a client that requests many PDFs at once does not keep others from getting theirs', async () => {
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
  // From here on there is no room.
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

test('a client that waits for the same PDF as another gets it even if the other client lost its place', async () => {
  const pages = Array.from({ length: 30 }, (_, at) => ({
    operation: 'insert_page',
    document: { markdown: `# Page ${at}\n\nText.\n` },
  }))
  const site = await aSite(app, { pages })
  const { body } = await site.who.get(`${site.space.path}/content/pages`)
  const [first, ...others] = body.pages as { id: string }[]
  const ask = ({ id }: { id: string }, from: string, headers: Record<string, string> = {}) =>
    site.browser().get(`${site.address}~/pdf?page=${id}&only=true`, { from, headers })
  const begin = (page: { id: string }, from: string) => ask(page, from, { prefer: 'respond-async' })
  assert.equal((await ask(first!, '127.0.0.2')).status, 200)
  const press = findPress()!
  process.kill(press, 'SIGSTOP')
  try {
    const greedy = others.slice(0, 24)
    for (const page of greedy) assert.equal((await begin(page, '127.0.0.2')).status, 202)
    assert.equal((await begin(others[24]!, '127.0.0.2')).status, 503)
    const same = ask(greedy.at(-1)!, '127.0.0.3')
    // If this wait is too short, the test still passes: then nobody is waiting who could get an error.
    await sleep(300)
    assert.equal((await begin(others[25]!, '127.0.0.4')).status, 202)
    // The place of that page went to the request above. This request gets another place of the same client.
    assert.equal((await begin(greedy.at(-2)!, '127.0.0.5')).status, 202, 'nobody hears of what others have lost')
    process.kill(press, 'SIGCONT')
    assert.equal((await same).status, 200)
  } finally {
    process.kill(press, 'SIGCONT')
  }
})
