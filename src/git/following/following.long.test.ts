// A space that is kept in sync with its repository automatically. Looks happen when the test triggers them.
import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { type TestRepository, startGitServer } from '../../../test/git-server.ts'
import { expect } from '../../../test/visitor.ts'
import { sql } from '../../db/sql.ts'
import { assertSound } from '../../doctor/testing/sound.ts'
import { startMailServer } from '../../mail/testing/mail-server.ts'
import { purgeSpaces } from '../../spaces/purge.task.ts'
import { type SyncedSpace, aSyncedSpace, sync } from '../testing/syncing.ts'
import { Follower } from './follower.ts'

const mailServer = await startMailServer()
const app = await startApp({
  LECTERN_FETCH_ALLOW: '127.0.0.1',
  LECTERN_SMTP_URL: mailServer.url,
  LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>',
})
const server = await startGitServer()

const paragraphs = (...texts: string[]) => `${texts.join('\n\n')}\n`

const book = {
  'SUMMARY.md': '* [One](README.md)\n* [Two](two.md)\n',
  'README.md': paragraphs('# One', 'First', 'Middle', 'Last'),
  'two.md': paragraphs('# Two', 'Text'),
}

let number = 0

/** A space that is kept in sync with a repository, and has already imported all of it. */
async function aFollowingSpace(more: { direction?: string; space?: object } = {}) {
  const repository = await server.repository(`followed-${number++}`, book)
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live', ...more.space } })
  const { direction = 'both' } = more
  await follow(space, repository, { direction })
  await looks(space)
  return { repository, space, ...handsOn(space) }
}

const follow = async (space: SyncedSpace, { url }: Pick<TestRepository, 'url'>, more: object = {}, who = space.who) =>
  expect(await who.put(`${space.path}/git/following`, { url, ref: 'main', ...more }), 200)

const told = async ({ who, path }: SyncedSpace) => expect(await who.get(`${path}/git/following`), 200)

/** Does what is due now, and what follows from it. No other space is looked at. */
async function go(space: SyncedSpace, follower = app.app.following): Promise<void> {
  await app.db.run(sql`
    update git_following set next_look_at = now() + interval '1 hour' where space_id <> ${space.id} and next_look_at is not null`)
  for (let round = 0; round < 4; round++) {
    await follower.look()
    await app.app.git.settled()
  }
}

/** As if two minutes had passed, or an hour after a failure. */
async function looks(space: SyncedSpace): Promise<void> {
  await app.db.run(sql`
    update git_following set next_look_at = now() where space_id = ${space.id} and next_look_at is not null`)
  await go(space)
}

const handsOn = (space: SyncedSpace) => {
  const textOf = async (path: string) => space.markdown((await space.pages()).get(path).id)
  return {
    textOf,
    edit: async (path: string, markdown: string) => {
      const page = (await space.pages()).get(path).id
      const changes = [{ operation: 'update_page', page, document: { markdown } }]
      expect(await space.who.post(`${space.path}/content`, { changes }), 200)
    },
  }
}

const operationsOf = (space: SyncedSpace) =>
  app.db.all(sql<{ direction: string; state: string }>`
    select direction, state from git_operations where space_id = ${space.id} order by asked_at`)

/** Counts everything that a sync could add to. */
async function sizes(space: SyncedSpace, repository: TestRepository) {
  const { revisions, requests } = await app.db.one(sql<{ revisions: number; requests: number }>`
    select (select count(*) from revisions r join lines l on l.organization_id = r.organization_id and l.id = r.line_id
        where l.space_id = ${space.id}) as revisions,
      (select count(*) from change_requests where space_id = ${space.id}) as requests`)
  return {
    revisions,
    requests,
    commits: (await repository.log()).length,
    operations: (await operationsOf(space)).length,
  }
}

async function assertQuiet(space: SyncedSpace, repository: TestRepository): Promise<void> {
  const before = await sizes(space, repository)
  for (let time = 0; time < 3; time++) await looks(space)
  assert.deepEqual(await sizes(space, repository), before, 'neither side takes for news what the other has from it')
}

test('pushed commits are imported automatically, and nothing else happens until there is a new one', async () => {
  const { repository, space, textOf } = await aFollowingSpace()
  assert.equal(await space.outline(), 'One/one, Two/two')
  await repository.commit({ 'two.md': paragraphs('# Two', 'In git') })
  assert.match(await textOf('two.md'), /Text/)
  await looks(space)
  assert.match(await textOf('two.md'), /In git/)
  const { state, commit, problem, lastLookAt, nextLookAt, operation } = await told(space)
  assert.deepEqual(
    [state, problem, operation.direction, operation.state],
    ['following', undefined, 'import', 'success'],
  )
  assert.equal(commit, operation.result.commit)
  assert.ok(lastLookAt < nextLookAt)
  await assertQuiet(space, repository)
  assert.equal((await repository.log()).length, 2, 'nothing was written there')
})

test('several edits are exported as one commit once editing pauses, and so is a merged change request', async () => {
  const { repository, space, edit } = await aFollowingSpace()
  for (const last of ['A', 'B', 'C']) await edit('README.md', paragraphs('# One', 'First', 'Middle', last))
  await go(space)
  assert.equal((await repository.log()).length, 1, 'somebody may go on editing')
  const pass = () =>
    app.db.run(
      sql`update revisions set created_at = now() - interval '11 seconds' where organization_id = ${space.org.id}`,
    )
  await pass()
  await go(space)
  const [first, ...others] = await repository.log()
  assert.equal(first, `${space.org.admin.user.display_name}: Update Docs ${space.org.canary}`)
  assert.equal(others.length, 1)
  assert.equal((await repository.files())['README.md'], paragraphs('# One', 'First', 'Middle', 'C'))

  const request = expect(await space.who.post(`${space.path}/change-requests`, { subject: 'Better' }), 201)
  const at = `${space.path}/change-requests/${request.id}`
  const page = (await space.pages()).get('two.md').id
  const changes = [{ operation: 'update_page', page, document: { markdown: paragraphs('# Two', 'Merged') } }]
  expect(await space.who.post(`${at}/content`, { changes }), 200)
  expect(await space.who.post(`${at}/merge`), 200)
  await pass()
  await go(space)
  assert.deepEqual([(await repository.log()).length, (await repository.files())['two.md']], [3, '# Two\n\nMerged\n'])
  await assertQuiet(space, repository)
})

test('if both sides changed, one change request waits for a merge, after which both sides have all changes', async () => {
  const { repository, space, edit, textOf } = await aFollowingSpace()
  await edit('README.md', paragraphs('# One', 'First, by hand', 'Middle', 'Last'))
  await repository.commit({ 'README.md': paragraphs('# One', 'First', 'Middle', 'Last, in git') })
  await looks(space)
  const { state, changeRequest } = await told(space)
  assert.deepEqual([state, changeRequest.number], ['waiting', 1])
  await assertQuiet(space, repository)
  assert.match(await textOf('README.md'), /by hand[^]*Last\n$/)
  assert.equal((await repository.log()).length, 2, 'nothing is written out meanwhile')

  await repository.commit({ 'two.md': paragraphs('# Two', 'In git') })
  await looks(space)
  const waiting = (await told(space)).changeRequest
  assert.equal(waiting.number, 2, 'the branch has moved: this one has what the first had')
  const merged = expect(await space.who.post(`${space.path}/change-requests/${waiting.id}/merge`), 200)
  assert.equal(merged.result, 'merge')
  await looks(space)
  const both = paragraphs('# One', 'First, by hand', 'Middle', 'Last, in git')
  assert.deepEqual([await textOf('README.md'), (await repository.files())['README.md']], [both, both])
  assert.match(await textOf('two.md'), /In git/)
  const { state: now, changeRequest: left } = await told(space)
  assert.deepEqual([now, left, (await repository.log()).length], ['following', undefined, 4])
  await assertQuiet(space, repository)
})

test('a space that syncs in one direction transfers nothing in the other direction', async () => {
  const importing = await aFollowingSpace({ direction: 'import' })
  await importing.edit('two.md', paragraphs('# Two', 'By hand'))
  await assertQuiet(importing.space, importing.repository)

  const repository = await server.repository(`empty-${number++}`)
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  await follow(space, repository, { direction: 'export', commitMessage: 'Out' })
  await looks(space)
  assert.match((await repository.log())[0]!, /: Out$/, 'a branch that is not there yet is made')
  await repository.commit({ LICENSE: 'Free\n', 'other.md': '# Other\n' })
  await assertQuiet(space, repository)
  assert.equal(await space.outline(), 'Untitled/untitled')
})

test('an outage is reported with its cause, checked less and less often, and recovers automatically', async () => {
  const { repository, space, textOf } = await aFollowingSpace()
  await repository.commit({ 'two.md': paragraphs('# Two', 'In git') })
  const delay = async () => {
    const { nextLookAt } = await told(space)
    return (Date.parse(nextLookAt) - Date.now()) / 60_000
  }
  await rename(repository.bare, `${repository.bare}.away`)
  await looks(space)
  const { state, problem } = await told(space)
  assert.deepEqual([state, problem.times], ['failing', 1])
  assert.match(problem.message, /^There is no repository at this URL, or it requires signing in\.$/)
  assert.ok((await delay()) < 3)
  for (let time = 0; time < 2; time++) await looks(space)
  assert.ok((await delay()) > 6, `${await delay()}`)
  await app.db.run(sql`update git_following set failures = 100 where space_id = ${space.id}`)
  await looks(space)
  assert.ok((await delay()) > 50 && (await delay()) < 70)
  assert.equal((await told(space)).problem.since, problem.since)
  const operations = (await operationsOf(space)).length

  await rename(`${repository.bare}.away`, repository.bare)
  await looks(space)
  const healed = await told(space)
  assert.deepEqual([healed.state, healed.problem], ['following', undefined])
  assert.match(await textOf('two.md'), /In git/)
  assert.equal((await operationsOf(space)).length, operations + 1)
})

test('the person who set up the sync gets one mail after three days of failures', async () => {
  const { repository, space } = await aFollowingSpace()
  await rename(repository.bare, `${repository.bare}.away`)
  await looks(space)
  const mails = () => app.db.all(sql<{ kind: string }>`select kind from mails where organization_id = ${space.org.id}`)
  const fails = (days: number) =>
    app.db.run(sql`
      update git_following set failing_since = now() - make_interval(days => ${days}) where space_id = ${space.id}`)
  await fails(2)
  await looks(space)
  assert.deepEqual(await mails(), [])
  await fails(4)
  for (let time = 0; time < 2; time++) await looks(space)
  assert.deepEqual(await mails(), [{ kind: 'git-failing' }])
  await app.db.run(sql`update mails set due_at = now()`)
  app.app.mail.start()
  const { subject, text } = await mailServer.next(space.org.admin.user.email)
  assert.equal(subject, `Out of sync with Git: Docs ${space.org.canary}`)
  assert.match(text, /for three days\. There is no repository at this URL/)
  assert.ok(text.includes(`http://lectern.test/app/o/${space.org.id}/s/${space.id}/~/git`))
})

test('a problem of an operation is reported as the problem of the sync, and nothing is ever forced', async () => {
  const { repository, space, edit } = await aFollowingSpace()
  await follow(space, repository, { direction: 'export' })
  await repository.commit({ 'two.md': paragraphs('# Two', 'In git') })
  await edit('two.md', paragraphs('# Two', 'By hand'))
  await looks(space)
  const { state, problem } = await told(space)
  assert.deepEqual([state, problem.times], ['failing', 1])
  assert.match(problem.message, /changes that have not been imported/)
  assert.equal((await repository.files())['two.md'], paragraphs('# Two', 'In git'))
  // Somebody imports by hand: the repository is looked at again at once.
  assert.equal((await space.import()).result.changeRequest.number, 1)
  await go(space)
  assert.equal((await told(space)).state, 'waiting')
  const branch = await aFollowingSpace()
  await follow(branch.space, branch.repository, { ref: 'nowhere', direction: 'import' })
  await looks(branch.space)
  assert.match((await told(branch.space)).problem.message, /^There is no branch nowhere in the repository\. Create it/)
})

test('the sync uses the rights of the person who set it up, and without them it stops and forgets the token', async () => {
  const repository = await server.repository(`rights-${number++}`, book)
  const space = await aSyncedSpace(app, repository)
  const keeper = await space.org.member('create')
  const url = repository.url.replace('//', '//user:secret@')
  await follow(space, { url }, {}, keeper.client)
  await looks(space)
  await repository.commit({ 'two.md': paragraphs('# Two', 'In git') })
  expect(await space.who.patch(`/v1/orgs/${space.org.id}/members/${keeper.id}`, { role: 'edit' }), 200)
  const asked = (await operationsOf(space)).length
  await looks(space)
  await looks(space)
  const { state, problem, hasCredentials, nextLookAt } = await told(space)
  assert.deepEqual([state, hasCredentials, nextLookAt], ['stopped', false, undefined])
  assert.match(problem.message, /is no longer allowed to sync this space\. Somebody who is can set it up again/)
  assert.equal((await operationsOf(space)).length, asked)
  assert.match(await handsOn(space).textOf('two.md'), /Text/)

  await follow(space, repository)
  await looks(space)
  assert.match(await handsOn(space).textOf('two.md'), /In git/)
  expect(await space.who.delete(`/v1/orgs/${space.org.id}/members/${keeper.id}`), 204)
  await looks(space)
  assert.equal((await told(space)).state, 'following', 'whoever set it up last counts')
})

test('a stored token is used at each look, appears in no answer or record, and is dropped for another branch or person', async () => {
  const password = 'p@ss-w0rd'
  const locked = await startGitServer({ password })
  const repository = await locked.repository('locked', book)
  const space = await aSyncedSpace(app, repository)
  const url = repository.url.replace('//', `//user:${encodeURIComponent(password)}@`)
  const answers = [await follow(space, { url })]
  await looks(space)
  assert.equal(await space.outline(), 'One/one, Two/two')
  answers.push(await follow(space, repository, { direction: 'import' }))
  await repository.commit({ 'two.md': '# Second\n' })
  await looks(space)
  assert.equal(await space.outline(), 'One/one, Second/two', 'the token of the same place stays')
  answers.push(await told(space), expect(await space.who.get(`${space.path}/git/info`), 200))
  const other = await space.org.member('create')
  const theirs = await follow(space, repository, {}, other.client)
  assert.equal(theirs.hasCredentials, false, 'whoever gave it may leave')
  answers.push(theirs, await follow(space, { url }))
  const changed = await follow(space, repository, { ref: 'other' })
  assert.equal(changed.hasCredentials, false)
  await looks(space)
  const refused = await told(space)
  assert.match(refused.problem.message, /requires a user and a password with sufficient rights/)
  answers.push(changed, refused)
  const rows = await app.db.all(sql`
    select to_jsonb(f) as kept from git_following f union all select to_jsonb(o) from git_operations o
    union all select to_jsonb(c) from changes c where c.organization_id = ${space.org.id}`)
  const all = JSON.stringify([answers, rows])
  for (const secret of [password, encodeURIComponent(password), Buffer.from(`user:${password}`).toString('base64')])
    assert.ok(!all.includes(secret), secret)
})

test('a look connects to permitted addresses only, and follows no redirect', async () => {
  const { repository, space } = await aFollowingSpace()
  const problemAt = async (url: string) => {
    await follow(space, { url })
    await looks(space)
    return (await told(space)).problem.message
  }
  assert.match(await problemAt('http://10.0.0.1/x.git'), /at an address that is not public/)
  server.answer('/moved', (request, response) => {
    response.writeHead(302, { location: request.url!.replace('/moved', new URL(repository.url).pathname) }).end()
  })
  const { href } = new URL('/moved', repository.url)
  assert.match(await problemAt(href), /has moved\. Use its new URL/)
  assert.equal((await operationsOf(space)).length, 1)
})

test('several nodes look at a repository only once, and another node takes over from one that died', async () => {
  const { repository, space, textOf } = await aFollowingSpace()
  await repository.commit({ 'two.md': paragraphs('# Two', 'In git') })
  await app.db.run(sql`update git_following set next_look_at = now() where space_id = ${space.id}`)
  server.requests.length = 0
  const nodes = [app.app.following, new Follower(app.app), new Follower(app.app)]
  await Promise.all(nodes.map((node) => node.look()))
  await app.app.git.settled()
  const asked = server.requests.filter(({ path }) => path.includes('info/refs'))
  assert.equal(asked.length, 2, 'one look, and one import')
  assert.match(await textOf('two.md'), /In git/)
  await looks(space)

  // Taken by a node that never comes back.
  const lost = sql`update git_following set claimed_until = now() + interval '2 minutes',
    next_look_at = now() + interval '2 minutes', looks = looks + 1 where space_id = ${space.id}`
  await app.db.run(lost)
  await repository.commit({ 'two.md': paragraphs('# Two', 'Later') })
  await go(space)
  assert.match(await textOf('two.md'), /In git/, 'not while somebody has it')
  await looks(space)
  assert.match(await textOf('two.md'), /Later/)
})

test('a space kept in sync refuses other repositories, and is not looked at any more once ended, forgotten or purged', async () => {
  const { repository, space } = await aFollowingSpace()
  const elsewhere = { url: repository.url, ref: 'other' }
  const refused = await space.who.post(`${space.path}/git/import`, elsewhere)
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /kept in sync with the branch main of followed-\d+\. Use that one/)
  const at = `${space.path}/git/following`
  const gone = async () => {
    server.requests.length = 0
    await looks(space)
    assert.equal((await space.who.get(at)).status, 404)
    assert.equal(server.requests.length, 0)
  }
  const etag = (await space.who.get(at)).headers.get('etag')!
  await looks(space)
  assert.equal((await space.who.delete(at, { 'if-match': '"other"' })).status, 412)
  assert.equal((await space.who.delete(at, { 'if-match': etag })).status, 205, 'a look is no change of it')
  assert.equal((await space.who.delete(at)).status, 404)
  await gone()
  assert.equal((await sync(space.who, `${space.path}/git/import`, elsewhere)).state, 'failure')

  await follow(space, repository)
  assert.equal((await space.who.delete(`${space.path}/git/info`)).status, 205)
  await gone()

  await follow(space, repository)
  const copy = expect(await space.who.post(`${space.path}/duplicate`), 201)
  assert.equal((await space.who.get(`/v1/spaces/${copy.id}/git/following`)).status, 404)
  await space.who.delete(space.path)
  await gone()
  await app.db.run(sql`update spaces set deleted_at = now() - interval '8 days' where id = ${space.id}`)
  await purgeSpaces.run({ db: app.db, config: app.config, store: app.app.store, log: app.app.log })
  assert.deepEqual(await app.db.all(sql`select from git_following where space_id = ${space.id}`), [])
})

test('the invariants of the data hold after all tests of this file', async () => {
  await assertSound(app.db)
})
