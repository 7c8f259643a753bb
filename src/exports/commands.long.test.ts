// Tests the command line: exports and backups, and restoring them.
import assert from 'node:assert/strict'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import pg from 'pg'
import { cloneTemplate, emptyDatabase } from '../../test/database.ts'
import { lectern, temporaryFolder } from '../../test/process.ts'
import { readConfig } from '../config.ts'
import { Database } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { createOrganization } from '../organizations/actions.ts'
import { createSpace } from '../spaces/actions.ts'
import { createTeam } from '../teams/actions.ts'
import { createUser } from '../users/actions.ts'
import { packArchive } from './archive.ts'
import { notePath } from './backup/backup.ts'
import { Archive } from './open-archive.ts'

async function anInstallation(makeDatabase = cloneTemplate) {
  const database = await makeDatabase()
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

/** Creates a space before the server has ever been started there. */
async function makeSpace(url: string): Promise<void> {
  const db = new Database({ connectionString: url }, readConfig({}).limits)
  await migrate(db)
  await transaction(db, nobody, async (tx) => {
    const user = (await createUser(tx, { email: 'ada@example.com', displayName: 'Ada', emailVerified: true }))!
    const { id: organizationId } = await createOrganization(tx, { title: 'Teapots', adminId: user.id })
    const firstPage = { title: 'Tea', slug: 'tea', markdown: 'Hot.\n' }
    await createSpace(tx, { parent: { organizationId, id: null }, title: 'Brewing', firstPage, creatorId: user.id })
    const viewerId = user.id
    await createTeam(tx, { organizationId, title: 'Brewers', members: [user.id], viewerId })
    const other = (await createUser(tx, { email: 'bob@example.com', displayName: 'Bob', emailVerified: true }))!
    await createOrganization(tx, { title: 'Kettles', adminId: other.id })
  })
  await db.close()
}

const counts = `select (select count(*) from entries) as entries, (select count(*) from tokens) as tokens,
  (select array_agg(title order by title) from spaces) as titles`

test('export, import, backup and restore work from the command line without loss, once there is an installation', async () => {
  const folder = await temporaryFolder()
  const here = await anInstallation()
  await makeSpace(here.environment.DATABASE_URL)
  for (const args of [
    ['backup', '--to', folder],
    ['tokens', 'list', '--email', 'ada@example.com'],
  ]) {
    const early = await here.run(...args)
    assert.deepEqual([early.code, /There is no installation/.test(early.stderr)], [1, true], args.join(' '))
  }
  assert.deepEqual([await here.ask('select from instance'), await readdir(folder)], [[], []])
  await here.run('migrate')
  const backup = await here.run('backup', '--to', folder)
  assert.equal(backup.code, 0, backup.stderr)
  assert.equal((await stat(backup.said.path)).mode & 0o777, 0o600)
  assert.equal(backup.said.secret, true)
  for (const nights of [1, 2]) {
    const nightly = await here.run('backup', '--to', join(folder, 'nightly'))
    assert.deepEqual([nightly.code, (await readdir(join(folder, 'nightly'))).length], [0, nights], nightly.stderr)
  }

  const there = await anInstallation()
  const restored = await there.run('restore', '--from', backup.said.path)
  assert.deepEqual([restored.code, restored.said?.ok], [0, true], restored.stderr)
  assert.deepEqual(await there.ask(counts), await here.ask(counts))

  const [space] = await here.ask(`select id, title, organization_id as org from spaces where title = 'Brewing'`)
  const file = join(folder, 'space.zip')
  const exported = await here.run('export', '--space', space.id, '--to', file)
  assert.equal(exported.code, 0, exported.stderr)
  const again = await here.run('export', '--space', space.id, '--to', file)
  assert.deepEqual(
    [again.code, again.stderr.split('\n')[0]],
    [1, `${file} already exists. Choose another file name, or move this file away first.`],
  )
  assert.match((await there.run('restore', '--from', file)).stderr, /contains a space, not .*use "lectern import"/)
  const imported = await there.run('import', file, '--org', space.org)
  assert.equal(imported.code, 0, imported.stderr)
  assert.deepEqual([imported.said.spaces[0].title, imported.said.problems], [space.title, []])
  const refused = await there.run('restore', '--from', backup.said.path)
  assert.deepEqual([refused.code, /Restore into an empty/.test(refused.stderr)], [1, true])
})

test('a backup of an older version is restored and migrated, and refused where newer tables already exist', async () => {
  const folder = await temporaryFolder()
  const here = await anInstallation()
  await makeSpace(here.environment.DATABASE_URL)
  await here.run('migrate')
  const { said } = await here.run('backup', '--to', folder)
  const older = join(folder, 'older.zip')
  const whole = await Archive.open(said.path, 'instance')
  await writeFile(older, packArchive('instance', withoutLastMigration(whole)))
  whole.close()

  const there = await anInstallation(emptyDatabase)
  const restored = await there.run('restore', '--from', older)
  assert.deepEqual([restored.code, restored.said?.ok], [0, true], restored.stderr)
  assert.deepEqual(await there.ask(counts), await here.ask(counts))
  const names = 'select name from migrations order by name'
  assert.deepEqual(await there.ask(names), await here.ask(names))

  const newer = await anInstallation()
  const refused = await newer.run('restore', '--from', older)
  assert.deepEqual([refused.code, /Restore into an empty/.test(refused.stderr)], [1, true])
})

/** The archive as the version before the last migration would have made it. */
async function* withoutLastMigration(archive: Archive) {
  for (const path of archive.paths()) {
    const content = await text(archive.read(path))
    if (path !== notePath) yield { path, content }
    else {
      const note = JSON.parse(content) as { migrations: string[] }
      yield { path, content: JSON.stringify({ ...note, migrations: note.migrations.slice(0, -1) }) }
    }
  }
}

test('importing an organization from the command line restores its teams and reports people who are not members', async () => {
  const folder = await temporaryFolder()
  const here = await anInstallation()
  await makeSpace(here.environment.DATABASE_URL)
  await here.run('migrate')
  const [{ teapots, kettles, team, ada }] = await here.ask(`
    select (select id from organizations where title = 'Teapots') as teapots, (select id from teams) as team,
      (select id from organizations where title = 'Kettles') as kettles,
      (select id from users where email = 'ada@example.com') as ada`)
  const file = join(folder, 'organization.zip')
  const exported = await here.run('export', '--org', 'teapots', '--to', file)
  assert.equal(exported.code, 0, exported.stderr)

  await here.ask(`delete from teams`)
  const imported = await here.run('import', file)
  assert.equal(imported.code, 0, imported.stderr)
  assert.equal(imported.said.organization, teapots)
  assert.deepEqual(imported.said.teams, [{ id: team, title: 'Brewers', created: true, added: 1 }])
  assert.deepEqual(imported.said.notMembers, [])
  assert.deepEqual(await here.ask('select team_id, user_id from team_members'), [{ team_id: team, user_id: ada }])

  const elsewhere = await lectern(['import', file, '--org', kettles], here.environment)
  assert.equal(elsewhere.code, 2, elsewhere.stderr)
  assert.match(elsewhere.stdout, /Team Brewers \(new\): 0 people/)
  assert.match(elsewhere.stderr, /Ada \(ada@example\.com\) is not a member here\. Invite them.*the team "Brewers"/)
  const counts = `select (select count(*) from teams) as teams, (select count(*) from spaces) as spaces,
    (select count(*) from members where organization_id = '${kettles}') as members`
  const before = await here.ask(counts)
  assert.deepEqual(before, [{ teams: 2, spaces: 3, members: 1 }])
  const refused = await here.run('import', file, '--org', team)
  assert.deepEqual([refused.code !== 0, /There is no organization/.test(refused.stderr)], [true, true])
  assert.deepEqual(await here.ask(counts), before)
})
