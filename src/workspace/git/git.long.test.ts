// A space and its Git repository with a browser that runs no script.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger } from '../../../test/factories.ts'
import { startGitServer } from '../../../test/git-server.ts'
import { until } from '../../../test/until.ts'
import { expect } from '../../../test/visitor.ts'
import { type Page, Person, tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { type SyncedSpace, aSyncedSpace } from '../../git/testing/syncing.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { lookedAt } from './looked-at.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()
const book = {
  'README.md': '# One\n',
  'SUMMARY.md': '# Mine\n\n- [One](README.md)\n',
  'docs/README.md': '# Two\n',
  LICENSE: 'Free\n',
}

type Fields = Record<string, string>

/** A user who may sync, on the page. */
async function aKeeper(repository: { url: string }) {
  const space = await aSyncedSpace(app, repository)
  const home = `/app/o/${space.org.id}/s/${space.id}`
  const path = `${home}/~/git`
  const keeper = await signedIn(app, await space.org.member('create'))
  const typed = { address: repository.url, branch: 'main', folder: '', message: 'From here' }
  const send = async (direction: string, more: Fields = {}) =>
    keeper.submit(await keeper.get(path), path, { ...typed, direction, ...more })
  const run = async (direction: string, more: Fields = {}) => ended(keeper, await send(direction, more))
  return { space, home, path, keeper, typed, send, run }
}

async function ended(person: Person, asked: Page): Promise<Page> {
  let page = await person.follow(asked)
  await until('it has ended', async () => {
    page = await person.get(asked.location!)
    return !page.text.includes('http-equiv="refresh"')
  })
  return page
}

/** The operations requested so far. */
const operationsOf = (space: SyncedSpace) =>
  app.db.all(sql<{ direction: string; info: object }>`
    select direction, info from git_operations where space_id = ${space.id} order by asked_at`)

const says = ({ text }: Page, what: RegExp) =>
  assert.ok(what.test(text), `${String(what)} in ${text.replace(/^[^]*<main/, '<main')}`)

test('a repository is connected, imported and exported with a browser, and a second click starts nothing more', async () => {
  const repository = await server.repository('whole', book)
  const { space, home, path, keeper, typed, run } = await aKeeper(repository)
  assert.ok((await keeper.get(home)).text.includes(`href="${path}"`))
  const before = await keeper.get(path)
  says(before, /Connect a repository<\/h2>/)
  // Pressing Enter in the field for the commit message must not start an import: browsers use the first button for
  // that.
  says(before, /class="work-sync">(?:(?!<button)[^])*<button hidden disabled><\/button>/)
  const asked = await keeper.submit(before, path, { ...typed, direction: 'import' })
  await keeper.submit(before, path, { ...typed, direction: 'import' })
  const came = await ended(keeper, asked)
  assert.equal((await operationsOf(space)).length, 1)
  assert.equal(await space.outline(), 'One/one')
  const { commit } = expect(await space.who.get(`${space.path}/git/info`), 200)
  says(came, /done<\/span>\s+Imported/)
  assert.ok(came.text.includes(`<code>${commit.slice(0, 7)}</code>`))
  assert.ok(
    came.text.includes(`<a href="${repository.url}" rel="noopener noreferrer">${repository.url}</a>`),
    came.text,
  )
  assert.ok(came.text.includes(`name="address" value="${repository.url}"`))

  const went = await run('export', { folder: 'copy', message: 'A copy of it' })
  says(went, /done<\/span>\s+Exported[^]*written, 0 removed[^]*<dd>copy<\/dd>[^]*Earlier<\/h2>[^]*Imported,/)
  assert.equal((await repository.files())['copy/README.md'], '# One\n')
  assert.match((await repository.log())[0]!, /: A copy of it$/)
})

test('an import can go into a change request, which the page links to, and nothing is overwritten unless forced', async () => {
  const repository = await server.repository('both', book)
  const { space, home, run } = await aKeeper(repository)
  await run('import')
  const theirs = await repository.commit({ 'README.md': '# One\n\nTheirs.\n' })
  says(await run('import', { into: 'change' }), /1 page or file created, changed or removed\s+in change request #1/)
  const refused = await run('export')
  says(refused, /failed<\/span>[^]*They are in change request #1\. Merge them first\./)
  assert.ok(refused.text.includes(`href="${home}/~/changes/1">Change request #1</a>`), refused.text)
  assert.equal((await repository.log()).length, 2)
  says(await run('import', { into: 'force' }), /in the main content, at commit/)
  assert.match(await space.markdown((await space.pages()).get('README.md').id), /Theirs/)
  assert.equal(expect(await space.who.get(`${space.path}/git/info`), 200).commit, theirs)
  await repository.commit({ 'README.md': '# Else\n' })
  says(await run('export'), /changes that have not been imported/)
  says(await run('export', { over: 'force' }), /1 file written/)
  assert.equal((await repository.files())['README.md'], '# One\n\nTheirs.\n')
})

test('a token opens the repository, alone or with a user name, and is shown on no page afterwards', async () => {
  const token = 'p@ss/w%41 ö'
  const locked = await startGitServer({ password: token })
  const repository = await locked.repository('locked', book)
  const { path, keeper, typed, send, run } = await aKeeper(repository)
  says(await run('import'), /requires a user and a password/)
  const pages = [await run('import', { user: 'user', token })]
  says(pages[0]!, /done<\/span>\s+Imported/)
  const inAddress = repository.url.replace('//', `//user:${encodeURIComponent(token)}@`)
  pages.push(await run('import', { address: inAddress }))
  says(pages[1]!, /done<\/span>\s+Imported/)
  await send('import', { token })
  await until('it is asked without a name', () =>
    locked.requests.some(
      ({ authorization }) => authorization === `Basic ${Buffer.from(`git:${token}`).toString('base64')}`,
    ),
  )
  pages.push(await ended(keeper, { ...pages[0]!, status: 303, location: path }))
  for (const address of [inAddress, `user:${token}@x`, `https://user:${token}@x y/`, `https://${token}@x/`]) {
    pages.push(await send('import', { ...typed, address, branch: 'a b' }))
    says(pages.at(-1)!, /role="alert">[^<]* The token is not stored: enter it again./)
  }
  pages.push(await send('import', { ...typed, user: 'user', token, branch: 'a b' }))
  says(pages.at(-1)!, /role="alert">Enter the name of a branch[^<]* The token is not stored: enter it again./)
  for (const { text } of pages) {
    assert.ok(!text.includes('p@ss') && !text.includes('p%40ss') && !text.includes('w%41'), text)
    assert.match(text, /name="token" value=""/)
  }
})

test('a running operation is shown until it has ended, and the repository cannot be disconnected meanwhile', async () => {
  const waiting: ServerResponse[] = []
  server.answer('/slow', (_request, response) => void waiting.push(response))
  const { space, path, keeper, typed, send, run } = await aKeeper(await server.repository('quick', book))
  const connected = await run('import')
  const asked = await send('import', { address: `${server.url}/slow.git` })
  await until('the repository is asked', () => waiting.length > 0)
  const page = await keeper.follow(asked)
  says(
    page,
    /http-equiv="refresh" content="2"[^]*under way<\/span>[^]*Fetching the repository\. You can leave this page/,
  )
  assert.doesNotMatch(page.text, /<form /)
  assert.equal((await keeper.submit(connected, `${path}/forget`)).status, 409)
  const refused = await keeper.submit(connected, path, { ...typed, direction: 'import', branch: 'a b' })
  says(refused, /role="alert">Enter the name of a branch[^]*under way<\/span>[^]*name="branch" value="a b"/)
  assert.doesNotMatch(refused.text, /http-equiv="refresh"/, 'what was typed stays')
  assert.equal((await space.who.delete(`${space.path}/git/info`)).status, 409)
  assert.ok(expect(await space.who.get(`${space.path}/git/info`), 200).updatedAt)
  await app.db.run(sql`update git_operations set started_at = now() - interval '1 minute' where space_id = ${space.id}`)
  says(await keeper.get(path), /http-equiv="refresh" content="15"/)
  for (const response of waiting) response.writeHead(404).end()
  const failed = await ended(keeper, asked)
  says(failed, /failed<\/span>[^]*There is no repository at this URL/)
  // The form shows what was mistyped.
  says(failed, /<details open>/)
  assert.ok(failed.text.includes(`name="address" value="${server.url}/slow.git"`))
  assert.ok(failed.text.includes(`<a href="${typed.address}"`), 'that it is connected with the other one')
})

test('invalid input is refused with a message, starts nothing and stays in the form', async () => {
  const { space, path, keeper, send, typed } = await aKeeper({ url: `${server.url}/none.git` })
  const ruled = { mergeRules: { type: 'rules', rules: [{ type: 'require_at_least_one_review' }] } }
  expect(await space.who.patch(space.path, ruled), 200)
  const cases: [Fields, number, string][] = [
    [{ address: 'git@example.com:me/book.git' }, 400, 'Enter the address of the repository as for'],
    [{ address: '' }, 400, 'Enter the address of the repository as for'],
    [{ address: `https://example.com/${'x'.repeat(2048)}` }, 400, 'Enter the address of the repository as for'],
    [{ branch: 'a b' }, 400, 'Enter the name of a branch'],
    [{ branch: '' }, 400, 'Enter the name of a branch'],
    [{ folder: '../x' }, 400, 'Enter the folder as a path'],
    [{ direction: 'export', message: '' }, 400, 'Enter a commit message'],
    [{ direction: 'both' }, 409, 'Choose whether to import or export'],
    [{ into: 'force' }, 412, 'The merge rules of this space'],
  ]
  for (const [fields, status, reason] of cases) {
    const refused = await send('import', { ...fields, user: 'me' })
    assert.equal(refused.status, status, refused.text)
    says(refused, new RegExp(`role="alert">${reason}`))
    const { direction: _, into: __, ...shown } = { ...typed, ...fields, user: 'me' } as Fields
    for (const [name, value] of Object.entries(shown))
      assert.ok(refused.text.includes(`name="${name}" value="${value}"`), `${name} ${JSON.stringify(fields)}`)
  }
  assert.deepEqual(await operationsOf(space), [])
  says(await keeper.get(path), /Connect a repository<\/h2>/)
})

test('each role sees what the API shows it, and only people who can sync start an operation or disconnect', async () => {
  const repository = await server.repository('seen', {
    ...book,
    'SUMMARY.md': '- [One](README.md)\n- [Gone](gone.md)\n',
  })
  const { space, home, path, keeper, run } = await aKeeper(repository)
  const reader = await signedIn(app, await space.org.member('read'))
  const editor = await signedIn(app, await space.org.member('edit'))
  says(await reader.get(path), /is not connected to a Git repository/)
  assert.doesNotMatch((await reader.get(home)).text, /~\/git"/)
  await run('import', { folder: 'docs' })
  says(await run('import'), /What was not imported, or only partly[^]*gone\.md/)

  const [forReader, forEditor] = [await reader.get(path), await editor.get(path)]
  for (const { text } of [forReader, forEditor]) {
    assert.ok(text.includes(`<a href="${repository.url}"`))
    assert.doesNotMatch(text, /<form |<dd>docs</)
  }
  assert.doesNotMatch(forReader.text, /Imported|gone\.md/)
  says(forEditor, /Imported[^]*gone\.md/)
  says(await reader.get(home), /~\/git">Git</)

  const asked = (await operationsOf(space)).length
  const fields = { address: repository.url, branch: 'main', direction: 'import', message: 'x' }
  for (const action of [path, `${path}/forget`]) {
    const own = tokenIn(await editor.get(`${home}/~/import`))
    const refused = await editor.post(action, { ...fields, ...own })
    assert.equal(refused.status, 403)
    says(refused, /role="alert">You may not synchronize this space\./)
    assert.equal((await keeper.post(action, { ...fields, form: 'x.x' })).status, 403)
    assert.match((await new Person(app).post(action, fields)).location!, /^\/login/)
  }
  const stranger = await signedIn(app, await aStranger(app))
  assert.equal((await stranger.get(path)).text, (await new Person(app).get('/app/x')).text)
  assert.equal((await operationsOf(space)).length, asked)
})

test('disconnecting asks first, forgets nothing but the repository, and is refused if it was used meanwhile', async () => {
  const repository = await server.repository('left', book)
  const { space, path, keeper, run } = await aKeeper(repository)
  const before = await run('import')
  says(
    before,
    /<summary class="btn" >Disconnect<\/summary>[^]*the repository itself stay as they\s+are[^]*are exported when/,
  )
  const now = await run('import')
  const overtaken = await keeper.submit(before, `${path}/forget`)
  assert.equal(overtaken.status, 409)
  says(overtaken, /role="alert">Somebody has used this repository/)
  const pages = await space.pages()
  const left = await keeper.submit(now, `${path}/forget`)
  assert.equal((await keeper.submit(now, `${path}/forget`)).location, left.location, 'a second click')
  says(await keeper.follow(left), /role="status">Disconnected\.[^]*Connect a repository<\/h2>/)
  assert.equal((await space.who.get(`${space.path}/git/info`)).status, 404)
  assert.deepEqual(await space.pages(), pages)
  assert.deepEqual(await repository.files(), book)
  // After reconnecting, pages keep their ids.
  says(await run('export'), /The branch already had everything/)
  assert.deepEqual([...(await space.pages()).keys()], [...pages.keys()])
})

test("the web addresses of a repository's files are kept as set through the API, or derived from its host", async () => {
  const repository = await server.repository('looked', book)
  const { space, run } = await aKeeper(repository)
  const views = { repoTreeURL: 'https://code.example.com/tree/', repoCommitURL: 'https://code.example.com/commit/' }
  assert.equal((await space.import({ ...views, gitInfo: { provider: 'gitlab' } })).state, 'success')
  await run('import')
  await run('import', { branch: 'other' })
  const kept = { tree_url: views.repoTreeURL, commit_url: views.repoCommitURL, provider: 'gitlab' }
  const none = { tree_url: null, commit_url: null, provider: null }
  assert.deepEqual(
    (await operationsOf(space)).map(({ info }) => info),
    [kept, kept, none],
  )
  const remote = { credentials: undefined, ref: 'refs/heads/main', projectDirectory: 'docs/a b' }
  assert.deepEqual(lookedAt({ ...remote, url: 'https://github.com/me/book.git' }), {
    repoTreeURL: 'https://github.com/me/book/tree/main/docs/a%20b/',
    repoCommitURL: 'https://github.com/me/book/commit/',
    gitInfo: { provider: 'github' },
  })
  assert.equal(
    lookedAt({ ...remote, url: 'https://gitlab.com/me/us/book/' }).repoTreeURL,
    'https://gitlab.com/me/us/book/-/tree/main/docs/a%20b/',
  )
  // An address that would be too long is left out, since the API would refuse it.
  assert.deepEqual(lookedAt({ ...remote, url: 'https://github.com/me/book', projectDirectory: 'ü'.repeat(400) }), {})
})

test('a space is kept in sync with a browser, its token is never shown, and stale pages undo no later changes', async () => {
  const token = 'k3pt-sealed'
  const locked = await startGitServer({ password: token })
  const repository = await locked.repository('kept', book)
  const { space, path, keeper, typed } = await aKeeper(repository)
  const at = `${path}/following`
  const first = await keeper.get(path)
  const asked = { ...typed, direction: 'both', user: 'user', token, message: 'Kept' }
  const refused = await keeper.submit(first, at, { ...asked, branch: 'a b', direction: 'import' })
  says(refused, /role="alert">Enter the name of a branch[^<]* The token is not stored: enter it again./)
  says(refused, /git\/following"[^]*name="branch" value="a b"[^]*value="import"\s+checked/)
  assert.equal((await keeper.submit(first, at, { ...asked, direction: 'x' })).status, 400)
  assert.equal((await space.who.get(`${space.path}/git/following`)).status, 404)

  const pages = [refused, await keeper.follow(await keeper.submit(first, at, asked))]
  says(pages[1]!, /The space is now kept in sync[^]*will be checked in a moment/)
  assert.equal(
    (await keeper.submit(first, at, { ...asked, branch: 'other' })).status,
    409,
    'somebody has set it up since',
  )
  await app.app.following.look()
  await app.app.git.settled()
  await app.app.following.look()
  pages.push(await keeper.get(path))
  says(
    pages[2]!,
    /in sync<\/span>\s+Both directions[^]*Both sides are the same[^]*<dt>Next check<\/dt>[^]*stored encrypted/,
  )
  assert.equal(await space.outline(), 'One/one')
  // Another direction, with the stored token.
  await keeper.submit(pages[2]!, at, { ...asked, direction: 'import', user: '', token: '' })
  assert.equal(expect(await space.who.get(`${space.path}/git/following`), 200).hasCredentials, true)
  await keeper.submit(await keeper.get(path), at, { ...asked, branch: 'gone' })
  await app.app.following.look()
  await app.app.git.settled()
  await app.db.run(sql`
    update git_following set problem = 'There is none.', failing_since = now() where space_id = ${space.id}`)
  pages.push(await keeper.get(path))
  says(pages[3]!, /not in sync<\/span>[^]*There is none\. This has been so since <time/)
  for (const { text } of pages) assert.ok(!text.includes(token), text)

  assert.equal((await keeper.submit(pages[1]!, `${at}/end`)).status, 409)
  says(await keeper.follow(await keeper.submit(pages[3]!, `${at}/end`)), /The token was deleted[^]*Keep in sync</)
  assert.equal((await space.who.get(`${space.path}/git/following`)).status, 404)
  await keeper.submit(await keeper.get(path), at, asked)
  await keeper.submit(await keeper.get(path), `${path}/forget`)
  assert.equal((await space.who.get(`${space.path}/git/following`)).status, 404)
  const editor = await signedIn(app, await space.org.member('edit'))
  assert.doesNotMatch((await editor.get(path)).text, /Keep in sync/)
})
