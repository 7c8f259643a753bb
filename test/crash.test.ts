// The short form of `npm run drill -- crash`: docs/drills.md.
import { after, before, test } from 'node:test'
import { CrashDrill } from '../drill/crash.ts'
import { clearUp } from '../drill/leftovers.ts'

const seed = Number(process.env.TEST_SEED ?? 1)
let drill: CrashDrill

before(async () => {
  drill = await CrashDrill.begin(seed)
})
after(clearUp)

const rounds = [
  'server',
  'merge.counted',
  'database',
  'publish.before-commit',
  'both',
  'import.written',
  'backend',
  'upload.before-commit',
  'delete-space.before-commit',
  'server',
]

for (const [i, what] of rounds.entries()) {
  const who = what.includes('.')
    ? `the server kills itself at ${what}`
    : `a kill -9 hits the ${what === 'both' ? 'server and the database' : what}`
  test(`round ${i + 1}: ${who} under load, and no answered write is lost and no data is torn (seed ${seed})`, async () => {
    await drill.round(what)
  })
}

test('after all crashes every answered write is still there, and the jobs left behind are done', async () => {
  await drill.lookBack()
})
