// A person who asks for an import or export may lose the right to it while it waits, or while the other side takes its
// time.
import assert from 'node:assert/strict'
import { type IncomingMessage, type ServerResponse, request as askThere } from 'node:http'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { newPage } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { type TestRepository, startGitServer } from '../../test/git-server.ts'
import { until } from '../../test/until.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { addMember } from '../organizations/members.actions.ts'
import { runGitOperations } from './run-operations.task.ts'
import { aSyncedSpace, ended } from './testing/syncing.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const server = await startGitServer()
const context = { db: app.db, config: app.config, store: app.app.store, secrets: app.app.secrets, log: app.app.log }
const lost = 'The person who started this is no longer allowed to sync this space.'

let number = 0

/** A space with an author who may sync it, besides its administrator. */
async function aSpaceWithAuthor(repository: Pick<TestRepository, 'url'>) {
  const org = await anOrganization(app)
  const space = await aSyncedSpace(app, repository, { org, space: { editMode: 'live' } })
  const author = await org.member('create')
  const ask = (direction: string, url: string) =>
    author.client.post(`${space.path}/git/${direction}`, { url, ref: 'main', commitMessage: 'Mine' })
  return { org, space, author, ask }
}

/** A host that does not respond until it is let go, with the number of requests it got. */
async function aSlowHost() {
  const slow = await startGitServer()
  const held = Promise.withResolvers<void>()
  let asked = 0
  slow.answer('/held', (_request, response) => {
    asked += 1
    void held.promise.then(() => response.writeHead(404).end())
  })
  return { url: `${slow.url}/held.git`, letGo: held.resolve, asked: () => asked }
}

test('a waiting import or export fails if its author was removed, demoted or disabled, or their token was revoked', async () => {
  const ways: [string, (by: Awaited<ReturnType<typeof aSpaceWithAuthor>>) => Promise<{ status: number }>][] = [
    ['removed', ({ org, author }) => org.admin.client.delete(`/v1/orgs/${org.id}/members/${author.id}`)],
    ['demoted', ({ org, author }) => org.admin.client.patch(`/v1/orgs/${org.id}/members/${author.id}`, { role: 'edit' })],
    ['off', ({ org, author }) => org.admin.client.patch(`/v1/orgs/${org.id}/members/${author.id}`, { disabled: true })],
    ['token', ({ author }) => revokeTokenOf(author.client)],
  ] // prettier-ignore
  for (const [name, lose] of ways) {
    const theirs = await server.repository(`theirs-${number++}`, { 'README.md': '# Theirs\n' })
    const before = await theirs.log()
    const slow = await aSlowHost()
    const by = await aSpaceWithAuthor(theirs)
    const { org, space, ask } = by
    await org.admin.client.post(`${space.path}/git/import`, { url: slow.url, ref: 'main' })
    await until('the host is asked', () => slow.asked() > 0)
    const empty = await server.repository(`empty-${number++}`)
    for (const [direction, url] of [
      ['import', theirs.url],
      ['export', empty.url],
    ] as const)
      // prettier-ignore
      assert.equal((await ask(direction, url)).status, 204)
    assert.ok((await lose(by)).status < 300, name)
    await space.who.post(`${space.path}/content`, { changes: [newPage('Written since')] })
    slow.letGo()
    await app.app.git.settled()
    const { state, error } = await ended(space.who, space.path)
    assert.deepEqual([state, error], ['failure', lost], name)
    assert.equal(await space.outline(), 'Untitled/untitled, Written since/written-since', name)
    assert.deepEqual(await theirs.log(), before, name)
    assert.equal(server.requests.filter(({ path }) => path.startsWith(new URL(empty.url).pathname)).length, 0, name)
  }
})

/** Revokes the only token they have: the one they ask with. */
async function revokeTokenOf(client: Awaited<ReturnType<typeof aSpaceWithAuthor>>['author']['client']) {
  const { body } = await client.get('/v1/user/tokens')
  assert.equal(body.items.length, 1)
  return client.delete(`/v1/user/tokens/${body.items[0].id}`)
}

test('a running import or export writes nothing on either side if its author loses the right to it', async () => {
  for (const direction of ['import', 'export']) {
    const repository = await server.repository(`under-way-${number++}`, { 'LICENSE': 'Free\n' }) // prettier-ignore
    const before = await repository.log()
    const { org, space, author, ask } = await aSpaceWithAuthor(repository)
    await space.who.post(`${space.path}/content`, { changes: [newPage('Ours')] })
    const front = await startGitServer()
    const held = Promise.withResolvers<void>()
    let asked = 0
    // All requests are forwarded to the repository, once they are let go.
    front.answer('/', (request, response) => {
      asked += 1
      void held.promise.then(() => forward(repository.url, request, response))
    })
    assert.equal((await ask(direction, `${front.url}${new URL(repository.url).pathname}`)).status, 204)
    await until('the host is asked', () => asked > 0)
    const demoted = await org.admin.client.patch(`/v1/orgs/${org.id}/members/${author.id}`, { role: 'edit' })
    assert.equal(demoted.status, 200)
    held.resolve()
    const { state, error } = await ended(space.who, space.path)
    assert.deepEqual([state, error], ['failure', lost], direction)
    assert.equal(await space.outline(), 'Untitled/untitled, Ours/ours')
    assert.deepEqual(await repository.log(), before)
  }
})

function forward(to: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url } = request
  const there = askThere(new URL(url!, to), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(response)
  })
  request.pipe(there)
}

test('a waiting export moves with its space to another organization, and runs there if its author may sync', async () => {
  for (const isMember of [true, false]) {
    const slow = await aSlowHost()
    const { org, space, ask } = await aSpaceWithAuthor({ url: slow.url })
    const other = await anOrganization(app)
    await transaction(app.db, nobody, (tx) =>
      addMember(tx, { organizationId: other.id, userId: org.admin.id, role: 'admin', sso: false }),
    )
    await space.who.post(`${space.path}/content`, { changes: [newPage('Ours')] })
    await org.admin.client.post(`${space.path}/git/import`, { url: slow.url, ref: 'main' })
    await until('the host is asked', () => slow.asked() > 0)
    const empty = await server.repository(`goes-along-${number++}`)
    const body = { url: empty.url, ref: 'main', commitMessage: 'On the way' }
    const asked = isMember ? await space.who.post(`${space.path}/git/export`, body) : await ask('export', empty.url)
    assert.equal(asked.status, 204)
    assert.equal((await space.who.post(`${space.path}/transfer`, { organization: other.id })).status, 200)
    slow.letGo()
    await app.app.git.settled()
    // The run that took it up does not find it there any more: it is due again, in its new organization.
    await app.db.run(sql`update git_operations set due_at = now() where space_id = ${space.id} and ended_at is null`)
    await runGitOperations.run(context)
    const { state, error } = await ended(space.who, space.path)
    assert.deepEqual([state, error], isMember ? ['success', undefined] : ['failure', lost])
  }
})

test('an organization with many waiting imports does not delay those of another organization until all are done', async () => {
  const [many, one] = [await anOrganization(app), await anOrganization(app)]
  const host = await startGitServer()
  const held = Promise.withResolvers<void>()
  const asked: string[] = []
  host.answer('/', (request, response) => {
    asked.push(request.url!.split('/')[1]!)
    void held.promise.then(() => response.writeHead(404).end())
  })
  const begin = async (org: typeof one, name: string) => {
    const url = `${host.url}/${name}.git`
    const space = await aSyncedSpace(app, { url }, { org })
    assert.equal((await space.who.post(`${space.path}/git/import`, { url, ref: 'main' })).status, 204)
  }
  for (let n = 0; n < 6; n++) await begin(many, `many-${n}`)
  await until('all places are taken', () => asked.length === 2)
  await begin(one, 'one')
  held.resolve()
  await app.app.git.settled()
  const order = [...new Set(asked)]
  assert.equal(order.length, 7)
  assert.ok(order.indexOf('one.git') <= 3, order.join(' '))
})
