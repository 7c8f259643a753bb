// The command line: everything out, and in again.
import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { cloneTemplate } from '../../test/database.ts'
import { lectern, temporaryFolder } from '../../test/process.ts'
import { readConfig } from '../config.ts'
import { Database } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { createOrganization } from '../organizations/actions.ts'
import { createSpace } from '../spaces/actions.ts'
import { createUser } from '../users/actions.ts'

async function anInstallation() {
  const database = await cloneTemplate()
  after(() => database.drop())
  const environment = { DATABASE_URL: database.url, LECTERN_DATA: await temporaryFolder(), LECTERN_LOG: 'silent' }
  const run = async (...args: string[]) => {
    const { stdout, stderr, code } = await lectern([...args, '--json'], environment)
    return { code, stderr, said: stdout === '' ? undefined : JSON.parse(stdout) }
  }
  const ask = async (text: string) => {
    const client = new pg.Client(database.url)
    await client.connect()
    return (await client.query(text).finally(() => client.end())).rows
  }
  return { run, ask, environment }
}

/** Before anybody has started it. */
async function makeSpace(url: string): Promise<void> {
  const db = new Database({ connectionString: url }, readConfig({}).limits)
  await migrate(db)
  await transaction(db, nobody, async (tx) => {
    const user = (await createUser(tx, { email: 'ada@example.com', displayName: 'Ada', emailVerified: true }))!
    const { id: organizationId } = await createOrganization(tx, { title: 'Teapots', adminId: user.id })
    const firstPage = { title: 'Tea', slug: 'tea', markdown: 'Hot.\n' }
    await createSpace(tx, { parent: { organizationId, id: null }, title: 'Brewing', firstPage, creatorId: user.id })
  })
  await db.close()
}

test('export, import, backup and restore work from the command line and lose nothing', async () => {
  const folder = await temporaryFolder()
  const here = await anInstallation()
  await makeSpace(here.environment.DATABASE_URL)
  const backup = await here.run('backup', '--to', folder)
  assert.equal(backup.code, 0, backup.stderr)
  assert.equal((await stat(backup.said.path)).mode & 0o777, 0o600)
  assert.equal(backup.said.secret, true)

  const there = await anInstallation()
  const restored = await there.run('restore', '--from', backup.said.path)
  assert.deepEqual([restored.code, restored.said?.ok], [0, true], restored.stderr)
  const counts = `select (select count(*) from entries) as entries, (select count(*) from tokens) as tokens,
    (select array_agg(title order by title) from spaces) as titles`
  assert.deepEqual(await there.ask(counts), await here.ask(counts))

  const [space] = await here.ask(`select id, title, organization_id as org from spaces where title = 'Brewing'`)
  const file = join(folder, 'space.zip')
  const exported = await here.run('export', '--space', space.id, '--to', file)
  assert.equal(exported.code, 0, exported.stderr)
  const imported = await there.run('import', file, '--org', space.org)
  assert.equal(imported.code, 0, imported.stderr)
  assert.deepEqual([imported.said.spaces[0].title, imported.said.problems], [space.title, []])
  const refused = await there.run('restore', '--from', backup.said.path)
  assert.deepEqual([refused.code, /Restore into an empty/.test(refused.stderr)], [1, true])
})
