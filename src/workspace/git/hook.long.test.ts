// The address that the host of a repository calls, with a browser that runs no script.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { startGitServer } from '../../../test/git-server.ts'
import { expect } from '../../../test/visitor.ts'
import { type Page, tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { aSyncedSpace } from '../../git/testing/syncing.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()

let number = 0

/** A user who may sync, on the page of a space that is kept in sync. */
async function aKeeper(direction = 'both') {
  const repository = await server.repository(`heard-${number++}`, { 'README.md': '# One\n' })
  const space = await aSyncedSpace(app, repository)
  const follow = (url = repository.url) => space.who.put(`${space.path}/git/following`, { url, ref: 'main', direction })
  expect(await follow(), 200)
  await settle()
  const keeper = await signedIn(app, await space.org.member('create'))
  const path = `/app/o/${space.org.id}/s/${space.id}/~/git`
  return { space, repository, keeper, path, at: `${path}/following/hook`, follow }
}

async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await app.app.following.look()
    await app.app.git.settled()
  }
}

const says = ({ text }: Page, what: RegExp) =>
  assert.ok(what.test(text), `${String(what)} in ${text.replace(/^[^]*<main/, '<main')}`)

const secretIn = ({ text }: Page) => /lgh_[\w-]+/.exec(text)?.[0]

/** Sends a push notification as GitHub does. */
async function push(page: Page, secret: string, body = '{"ref":"refs/heads/main"}') {
  const address = /http:\/\/lectern\.test(\/v1\/git\/hooks\/[\w-]+)/.exec(page.text)![1]!
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const headers = { 'x-github-event': 'push', 'x-hub-signature-256': signature }
  return (await fetch(app.url + address, { method: 'POST', headers, body })).status
}

test('an address for pushes can be created, called, given a new secret and removed with a browser', async () => {
  const { space, repository, keeper, path, at } = await aKeeper()
  const before = await keeper.get(path)
  says(before, /Push notifications<\/h2>[^]*Create address and secret/)
  const made = await keeper.submit(before, at)
  assert.equal(made.status, 200)
  says(
    made,
    /class="fresh" role="status">[^]*Copy the secret now[^]*lgh_[^]*<dt>GitHub<\/dt>[^]*<dt>GitLab<\/dt>[^]*<dt>Gitea, Forgejo<\/dt>/,
  )
  const secret = secretIn(made)!
  assert.equal(secretIn(await keeper.submit(before, at)), secret, 'a second click, or the answer loaded again')
  const shown = await keeper.get(path)
  assert.equal(secretIn(shown), undefined)
  says(shown, /Address for the host[^]*<dt>Last call<\/dt>\s*<dd>none yet<\/dd>/)

  assert.equal(await push(shown, 'lgh_another'), 404)
  says(await keeper.get(path), /<dt>Refused<\/dt>\s*<dd>[^]*a call without the secret, or with another one/)
  await repository.commit({ 'README.md': '# Pushed\n' })
  await app.db.run(sql`
    update git_following set looked_at = now() - interval '1 minute', next_look_at = now() + interval '1 minute'
    where space_id = ${space.id}`)
  assert.equal(await push(shown, secret), 202)
  await settle()
  const heard = await keeper.get(path)
  says(heard, /<dt>Last call<\/dt>\s*<dd>[^]*a push: the branch was checked/)
  assert.doesNotMatch(heard.text, /<dt>Refused/)
  assert.match(await space.outline(), /^Pushed/)
  await push(shown, secret, '{"ref":"refs/heads/other"}')
  says(await keeper.get(path), /a branch that is not followed/)

  const renewed = await keeper.submit(heard, at)
  const another = secretIn(renewed)!
  assert.notEqual(another, secret)
  assert.equal(await push(shown, secret), 404)
  assert.equal(await push(shown, another), 202)
  const overtaken = await keeper.submit(shown, `${at}/remove`)
  assert.equal(overtaken.status, 409)
  says(overtaken, /role="alert">Somebody has changed the address for pushes/)
  const gone = await keeper.follow(await keeper.submit(await keeper.get(path), `${at}/remove`))
  says(gone, /role="status">Address removed[^]*Create address and secret/)
  assert.equal(await push(shown, another), 404)
})

test('the address for pushes is only for people who can sync, and only for a space that imports', async () => {
  const { space, keeper, path, at, follow } = await aKeeper()
  const editor = await signedIn(app, await space.org.member('edit'))
  assert.doesNotMatch((await editor.get(path)).text, /Push notifications|~\/git\/following/)
  const { form } = tokenIn(await editor.get(path.replace('git', 'import')))
  for (const action of [at, `${at}/remove`])
    assert.equal((await editor.post(action, { form, seen: '' })).status, 403, action)
  const page = await keeper.get(path)
  expect(await follow('https://gitlab.com/me/book.git'), 200)
  const made = await keeper.submit(page, at)
  says(made, /<dt>GitLab<\/dt>[^]*Secret token/)
  assert.doesNotMatch(made.text, /<dt>GitHub<\/dt>/)
  await space.who.delete(`${space.path}/git/following`)
  assert.equal((await keeper.submit(page, at, { seen: 'x' })).status, 404)
  assert.doesNotMatch((await keeper.get(path)).text, /Push notifications/)

  const written = await aKeeper('export')
  assert.doesNotMatch((await written.keeper.get(written.path)).text, /Push notifications/)
})

test('a new secret stays in sight while an operation is running', async () => {
  const { space, repository, keeper, path, at } = await aKeeper()
  const page = await keeper.get(path)
  await app.db.run(sql`
    insert into git_operations (organization_id, space_id, id, direction, state, url, ref, due_at, started_at)
    values (${space.org.id}, ${space.id}, gen_random_uuid(), 'import', 'running', ${repository.url}, 'refs/heads/main',
      now() + interval '1 hour', now())`)
  says(await keeper.get(path), /http-equiv="refresh"/)
  const made = await keeper.submit(page, at)
  assert.ok(secretIn(made))
  assert.doesNotMatch(made.text, /http-equiv="refresh"/)
})
