// Hosts of repositories report that somebody pushed. Looks happen when the test triggers them, or when a call makes one
// due.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { test } from 'node:test'
import { startApp } from '../../../../test/app.ts'
import { anOrganization } from '../../../../test/factories.ts'
import { type TestRepository, startGitServer } from '../../../../test/git-server.ts'
import { expect } from '../../../../test/visitor.ts'
import { sql } from '../../../db/sql.ts'
import { nobody, transaction } from '../../../db/transaction.ts'
import { assertSound } from '../../../doctor/testing/sound.ts'
import { archivesOf } from '../../../exports/testing/archives.ts'
import { newId } from '../../../ids.ts'
import { noteLooked, noteNotSucceeded } from '../queries.ts'
import { type SyncedSpace, aSyncedSpace } from '../../testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()

const book = { 'SUMMARY.md': '* [One](README.md)\n', 'README.md': '# One\n' }

let number = 0

/** A space that is kept in sync, has already imported everything, and is not due for a look. */
async function aHookedSpace() {
  const repository = await server.repository(`hooked-${number++}`, book)
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  await follow(space, repository)
  await settle()
  await pass(space)
  const hook = expect(await space.who.put(hookOf(space)), 200)
  const hands = {
    push: (title: string) => repository.commit({ 'README.md': `# ${title}\n` }),
    title: async () => (await space.outline()).split('/')[0],
    told: async () => expect(await space.who.get(hookOf(space)), 200),
  }
  return { repository, space, hook, secret: hook.secret as string, ...hands }
}

const hookOf = ({ path }: SyncedSpace) => `${path}/git/following/hook`

const follow = async (space: SyncedSpace, { url }: Pick<TestRepository, 'url'>, more: object = {}) =>
  expect(await space.who.put(`${space.path}/git/following`, { url, ref: 'main', ...more }), 200)

/** Does everything that is due, and what follows from it. */
async function settle(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await app.app.following.look()
    await app.app.git.settled()
  }
}

/** As if the last look and the last call were a while ago, with the next look still to come. */
const pass = (space: SyncedSpace) =>
  app.db.run(sql`
    update git_following set looked_at = looked_at - interval '1 minute', hook_called_at = hook_called_at - interval '1 minute',
      hook_refused_at = hook_refused_at - interval '1 minute',
      next_look_at = now() + interval '1 minute'
    where space_id = ${space.id} and next_look_at is not null`)

const hmac = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

const json = { 'content-type': 'application/json' }

/** Calls the hook as a host does. */
async function call(url: string, headers: Record<string, string>, body = '') {
  const answer = await fetch(url.replace('http://lectern.test', app.url), { method: 'POST', headers, body })
  const text = await answer.text()
  return { status: answer.status, text, body: JSON.parse(text) }
}

const pushed = (ref = 'refs/heads/main') => JSON.stringify({ ref, commits: [{ message: 'Someone’s — words' }] })

const asGitHub = (secret: string, body = pushed(), event = 'push') => ({
  ...json,
  'x-github-event': event,
  'x-hub-signature': 'sha1=0000000000000000000000000000000000000000',
  'x-hub-signature-256': hmac(secret, body),
})

const asGitLab = (secret: string) => ({ ...json, 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret })

const callAsGitHub = (hook: { url: string }, secret: string, body = pushed(), event?: string) =>
  call(hook.url, asGitHub(secret, body, event), body)

test('a push is imported as soon as its host calls the hook, for every supported host', async () => {
  const { space, hook, secret, push, title, told } = await aHookedSpace()
  assert.match(hook.url, /^http:\/\/lectern\.test\/v1\/git\/hooks\/[\w-]{36}$/)
  assert.match(secret, /^lgh_[\w-]{43}$/)
  assert.equal((await told()).lastCall, undefined)
  const cloud = JSON.stringify({ push: { changes: [{ new: { type: 'branch', name: 'main' }, old: null }] } })
  const ofOwn = JSON.stringify({ changes: [{ ref: { id: 'refs/heads/main', type: 'BRANCH' } }] })
  const form = new URLSearchParams({ payload: pushed() }).toString()
  const signed = (event: string, body: string) => ({
    ...json,
    'x-event-key': event,
    'x-hub-signature': hmac(secret, body),
  })
  const calls: [string, Record<string, string>, string][] = [
    ['GitHub', asGitHub(secret), pushed()],
    ['a form', { ...asGitHub(secret, form), 'content-type': 'application/x-www-form-urlencoded' }, form],
    ['Gitea', { ...asGitHub(secret), 'x-gitea-event': 'push' }, pushed()],
    ['GitLab', asGitLab(secret), pushed()],
    ['Bitbucket', signed('repo:push', cloud), cloud],
    ['Bitbucket of ones own', signed('repo:refs_changed', ofOwn), ofOwn],
    ['a script', { 'x-gitlab-token': secret }, ''],
    ['no JSON', { 'x-gitlab-token': secret, 'content-type': 'text/plain' }, '{"ref"'],
  ]
  await push('Pushed')
  await settle()
  assert.equal(await title(), 'One', 'not before somebody says so')
  for (const [host, headers, body] of calls) {
    await push(host)
    const answer = await call(hook.url, headers, body)
    assert.deepEqual([answer.status, answer.body.result], [202, 'look'], `${host}: ${answer.text}`)
    await settle()
    assert.equal(await title(), host)
    assert.equal((await told()).lastCall.result, 'look')
    await pass(space)
  }
  const row = await app.db.one(sql`select wanted_look <= looks as done from git_following where space_id = ${space.id}`)
  assert.deepEqual(row, { done: true })
})

test('calls about other branches, tests and other events are accepted with their own result and cause no look', async () => {
  const { space, hook, secret, push, title, told } = await aHookedSpace()
  await push('Pushed')
  server.requests.length = 0
  const other = (change: object) => JSON.stringify({ push: { changes: [change] } })
  const cases: [string, string, string | undefined][] = [
    ['other-branch', pushed('refs/heads/other'), undefined],
    ['other-branch', pushed('refs/heads/main2'), undefined],
    ['other-branch', pushed('refs/tags/main'), undefined],
    ['other-branch', other({ new: { type: 'tag', name: 'main' } }), undefined],
    ['other-branch', other({ new: null, old: { type: 'branch', name: 'gone' } }), undefined],
    ['no-push', '{"zen":"Keep it simple."}', 'ping'],
    ['no-push', '{"ref":"refs/heads/main"}', 'issues'],
  ]
  for (const [result, body, event] of cases) {
    const answer = await callAsGitHub(hook, secret, body, event)
    assert.deepEqual([answer.status, answer.body.result], [202, result], body)
    assert.equal((await told()).lastCall.result, result)
  }
  await settle()
  assert.deepEqual([server.requests.length, await title()], [0, 'One'])
  // One matching branch of several is enough.
  const several = JSON.stringify({
    push: { changes: ['other', 'main'].map((name) => ({ new: { type: 'branch', name } })) },
  })
  assert.equal((await callAsGitHub(hook, secret, several)).body.result, 'look')
  await settle()
  assert.equal(await title(), 'Pushed')
  assert.equal(expect(await space.who.get(`${space.path}/git/following`), 200).state, 'following')
})

test('a call without the right secret gets the same 404 as an unknown hook, and causes no look', async () => {
  const { space, hook, secret, push, title, told } = await aHookedSpace()
  const other = await aHookedSpace()
  await push('Pushed')
  const nowhere = hook.url.replace(/[^/]+$/, newId())
  const { text: unknown } = await callAsGitHub({ url: nowhere }, secret)
  assert.deepEqual(Object.keys(JSON.parse(unknown)), ['error'])
  const wrong: Record<string, string>[] = [
    {},
    asGitHub('lgh_x'),
    asGitHub(other.secret),
    asGitHub(secret, 'another body'),
    { ...json, 'x-hub-signature-256': hmac(secret, pushed()).slice('sha256='.length) },
    { ...json, 'x-hub-signature-256': '' },
    { ...json, 'x-hub-signature': `sha1=${createHmac('sha1', secret).update(pushed()).digest('hex')}` },
    { ...json, 'x-gitlab-token': '' },
    { ...json, 'x-gitlab-token': `${secret}x` },
    { ...json, 'x-gitlab-token': hmac(secret, pushed()) },
    { ...json, 'x-hub-signature-256': secret },
  ]
  for (const headers of wrong)
    assert.deepEqual(await call(hook.url, headers, pushed()), { status: 404, text: unknown, body: JSON.parse(unknown) })
  // An invalid id, and the id of something else.
  assert.equal((await callAsGitHub({ url: hook.url.replace(/[^/]+$/, 'x') }, secret)).status, 404)
  assert.equal((await callAsGitHub({ url: hook.url.replace(/[^/]+$/, space.id) }, secret)).status, 404)
  await settle()
  assert.equal(await title(), 'One')
  const { lastCall, lastRefusedAt } = await told()
  assert.equal(lastCall, undefined)
  assert.ok(lastRefusedAt, 'whoever set it up sees that something is wrong')
  assert.equal((await other.told()).lastRefusedAt, undefined)
})

test('many calls cause a single look, never two at once, and one more for a push during the look', async () => {
  const { space, hook, secret, push, title } = await aHookedSpace()
  const asked = () => server.requests.filter(({ path }) => path.includes('info/refs')).length
  server.requests.length = 0
  const flood = () => Promise.all(Array.from({ length: 40 }, () => callAsGitHub(hook, secret)))
  assert.ok((await flood()).every(({ status }) => status === 202))
  await Promise.all([settle(), settle()])
  assert.equal(asked(), 1)
  // Right after a look, a call has to wait for its turn.
  await flood()
  await settle()
  assert.equal(asked(), 1)
  const { waits } = await app.db.one(sql<{ waits: boolean }>`
    select next_look_at between now() and now() + interval '6 seconds' as waits from git_following where space_id = ${space.id}`)
  assert.ok(waits)

  // A look is under way that has already asked the host, so it does not see what was pushed since.
  await pass(space)
  await callAsGitHub(hook, secret)
  await app.db.run(sql`
    update git_following set looks = looks + 1, claimed_until = now() + interval '2 minutes',
      next_look_at = now() + interval '2 minutes' where space_id = ${space.id}`)
  await push('Meanwhile')
  await flood()
  await settle()
  assert.equal(asked(), 1, 'nobody else looks meanwhile')
  const [taken] = await app.db.all(sql<any>`select * from git_following where space_id = ${space.id}`)
  await noteLooked(app.db, taken, { branchOid: taken.branch_oid, mainSeq: taken.main_seq })
  await app.db.run(
    sql`update git_following set next_look_at = next_look_at - interval '6 seconds' where space_id = ${space.id}`,
  )
  await settle()
  assert.equal(await title(), 'Meanwhile')
})

test('a call after a failure causes a look soon, even if a running operation fails after the call', async () => {
  const { repository, space, hook, secret, push, title } = await aHookedSpace()
  await rename(repository.bare, `${repository.bare}.away`)
  await callAsGitHub(hook, secret)
  await app.db.run(sql`update git_following set failures = 8 where space_id = ${space.id}`)
  await settle()
  const told = async () => expect(await space.who.get(`${space.path}/git/following`), 200)
  assert.equal((await told()).state, 'failing')
  await rename(`${repository.bare}.away`, repository.bare)
  await push('Mended')
  await pass(space)
  await callAsGitHub(hook, secret)
  await settle()
  assert.deepEqual([(await told()).state, await title()], ['following', 'Mended'])

  // A call comes while an operation runs that fails later: the next look does not wait for an hour.
  await pass(space)
  const operation = newId()
  await app.db.run(sql`
    insert into git_operations (organization_id, space_id, id, direction, state, url, ref, due_at)
    values (${space.org.id}, ${space.id}, ${operation}, 'import', 'running', ${repository.url}, 'refs/heads/main', now() + interval '1 hour')`)
  await app.db.run(sql`
    update git_following set operation_id = ${operation}, failures = 8 where space_id = ${space.id}`)
  await push('Later')
  await callAsGitHub(hook, secret)
  await app.app.following.look()
  assert.equal(await title(), 'Mended')
  await transaction(app.db, nobody, async (tx) => {
    tx.leaveRights()
    await tx.run(sql`delete from git_operations where id = ${operation}`)
    await noteNotSucceeded(tx, { organization_id: space.org.id, space_id: space.id, id: operation }, 'It failed.')
  })
  await app.db.run(
    sql`update git_following set next_look_at = next_look_at - interval '6 seconds' where space_id = ${space.id}`,
  )
  await settle()
  assert.equal(await title(), 'Later')
})

test('a hook secret is shown once, a renewed one invalidates the old one, and a removed hook invalidates its address', async () => {
  const { space, hook, secret, told } = await aHookedSpace()
  const at = hookOf(space)
  const shown = await space.who.get(at)
  assert.deepEqual(Object.keys(shown.body), ['url', 'setUpAt'])
  await callAsGitHub(hook, secret)
  const etag = shown.headers.get('etag')!
  assert.equal((await space.who.put(at, undefined, { 'if-match': '"other"' })).status, 412)
  const renewed = expect(await space.who.put(at, undefined, { 'if-match': etag }), 200)
  assert.equal(renewed.url, hook.url, 'whoever set it up there changes the secret alone')
  assert.notEqual(renewed.secret, secret)
  assert.equal((await told()).lastCall, undefined, 'what came before says nothing about the new one')
  assert.equal((await callAsGitHub(hook, secret)).status, 404)
  assert.equal((await callAsGitHub(hook, renewed.secret)).status, 202)

  assert.equal((await space.who.delete(at, { 'if-match': etag })).status, 412)
  assert.equal((await space.who.delete(at)).status, 205)
  assert.equal((await space.who.delete(at)).status, 404)
  assert.equal((await space.who.get(at)).status, 404)
  assert.equal((await callAsGitHub(hook, renewed.secret)).status, 404)
  assert.equal(expect(await space.who.get(`${space.path}/git/following`), 200).state, 'following')
  const again = expect(await space.who.put(at), 200)
  assert.notEqual(again.url, hook.url)

  const record = expect(await space.who.get(`/v1/orgs/${space.org.id}/audit-events?limit=100`), 200).items
  const actions = record.map(({ action }: { action: string }) => action).filter((each: string) => each.includes('hook'))
  assert.deepEqual(actions.toReversed(), [
    'space.git-hook-set',
    'space.git-hook-secret-rotated',
    'space.git-hook-removed',
    'space.git-hook-set',
  ])
  const rows = await app.db.all(sql`
    select to_jsonb(f) as kept from git_following f
    union all select to_jsonb(c) from changes c where c.organization_id = ${space.org.id}
    union all select to_jsonb(a) from idempotency a`)
  const all = JSON.stringify([rows, record])
  for (const each of [secret, renewed.secret, again.secret])
    for (const form of [each, Buffer.from(each).toString('hex')]) assert.ok(!all.includes(form))
})

test('a hook can be managed only by members who may sync, and only for a space kept in sync', async () => {
  const repository = await server.repository(`rights-${number++}`, book)
  const space = await aSyncedSpace(app, repository)
  const at = hookOf(space)
  assert.equal((await space.who.put(at)).status, 404, 'there is nothing to look at')
  await follow(space, repository)
  const editor = await space.org.member('edit')
  const creator = await space.org.member('create')
  const stranger = (await anOrganization(app)).admin
  for (const method of ['get', 'put', 'delete'] as const) {
    assert.equal((await editor.client[method](at)).status, 403)
    assert.equal((await stranger.client[method](at)).status, 404)
    assert.equal((await app.client()[method](at)).status, 401)
  }
  expect(await creator.client.put(at), 200)
  expect(await creator.client.get(at), 200)
})

test('a hook works for its repository only, and not after the sync moved, ended or was forgotten, or in the trash', async () => {
  const { repository, space, hook, secret } = await aHookedSpace()
  const heard = async () => (await callAsGitHub(hook, secret)).status
  await follow(space, repository, { direction: 'import', ref: 'other' })
  assert.equal((await callAsGitHub(hook, secret, pushed('refs/heads/other'))).body.result, 'look')
  await follow(space, repository)
  await space.who.delete(space.path)
  assert.equal(await heard(), 404)
  expect(await space.who.post(`${space.path}/restore`), 200)
  assert.equal(await heard(), 202)
  const copy = expect(await space.who.post(`${space.path}/duplicate`), 201)
  assert.equal((await space.who.get(`/v1/spaces/${copy.id}/git/following/hook`)).status, 404)

  const elsewhere = await server.repository(`elsewhere-${number++}`, book)
  await follow(space, elsewhere)
  assert.equal(await heard(), 404, 'its secret is known where the repository was')
  for (const end of ['following', 'info']) {
    await follow(space, repository)
    const { url, secret: another } = expect(await space.who.put(hookOf(space)), 200)
    assert.equal((await callAsGitHub({ url }, another)).status, 202)
    await settle()
    assert.equal((await space.who.delete(`${space.path}/git/${end}`)).status, 205)
    assert.equal((await callAsGitHub({ url }, another)).status, 404)
  }
  const removed = await app.db.one(sql<{ times: number }>`
    select count(*)::int as times from changes where action = 'space.git-hook-removed' and organization_id = ${space.org.id}`)
  assert.deepEqual(removed, { times: 3 })
})

test('a call to a stopped sync answers that it stopped, and the hook works again once the sync is set up again', async () => {
  const { repository, space, hook, secret, push, title } = await aHookedSpace()
  await app.db.run(sql`
    update git_following set next_look_at = null, claimed_until = null, problem = 'It has stopped.', failing_since = now()
    where space_id = ${space.id}`)
  await push('Pushed')
  assert.deepEqual((await callAsGitHub(hook, secret)).body.result, 'stopped')
  await settle()
  assert.equal(await title(), 'One')
  await follow(space, repository)
  await settle()
  assert.equal(await title(), 'Pushed')
  assert.equal((await callAsGitHub(hook, secret)).body.result, 'look')
})

test('a space that moves to another organization keeps its hook, and an archive does not contain it', async () => {
  const { space, hook, secret, push, title } = await aHookedSpace()
  const archives = await archivesOf(app)
  const said: string[] = []
  const file = await archives.download(space.who, `/v1/orgs/${space.org.id}/export`)
  await archives.rewritten(file, (path, bytes) => void said.push(path, bytes.toString('latin1')))
  for (const each of [secret, hook.url.split('/').at(-1)!]) assert.ok(!said.join('\n').includes(each))
  const restored = await archives.restore(file, (await anOrganization(app)).id)
  assert.ok(restored)
  const hooks = await app.db.all(
    sql`select from git_following where hook_secret is not null and hook_id = ${hook.url.split('/').at(-1)}`,
  )
  assert.equal(hooks.length, 1)
  const to = await anOrganization(app)
  await app.db.run(sql`
    insert into members (organization_id, user_id, role) values (${to.id}, ${space.org.admin.id}, 'admin')`)
  const moved = await space.who.post(`${space.path}/transfer`, { organization: to.id })
  assert.ok(moved.status < 300, moved.text)
  await push('Moved')
  assert.equal((await callAsGitHub(hook, secret)).body.result, 'look')
  await settle()
  assert.equal(await title(), 'Moved')
})

test('a call to the hook larger than the limit is refused with 413', async () => {
  const { hook, secret } = await aHookedSpace()
  const large = JSON.stringify({ ref: 'refs/heads/main', more: 'x'.repeat(2 * 1024 * 1024) })
  assert.equal((await callAsGitHub(hook, secret, large)).status, 202)
  const tooLarge = await callAsGitHub(hook, secret, 'x'.repeat(4 * 1024 * 1024 + 1))
  assert.deepEqual([tooLarge.status, tooLarge.body.error.type], [413, 'body_too_large'])
})

test('the invariants of the data hold after all tests of this file', async () => {
  await assertSound(app.db)
})
