import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { type TestPerson, aStranger, anOrganization } from '../../test/factories.ts'
import { assertLinear } from '../../test/growth.ts'
import { stateOf } from '../../test/state.ts'
import { assertSound } from '../doctor/testing/sound.ts'
import { newId } from '../ids.ts'
import { mentionOf, withNames } from './mentions.ts'

const app = await startApp()

/** A space with a page, a change request, people of several roles, and the two places where they can talk. */
async function aPlaceToTalk() {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const [page] = idsOf(await space.edit(newPage('Guide'))) as [string]
  const change = await space.changeRequest()
  const [author, other] = [await org.member('comment'), await org.member('comment')]
  const [reader, reviewer] = [await org.member('read'), await org.member('review')]
  return { org, space, page, change, author, other, reader, reviewer, places: [space.path, change.path] }
}

const say = (who: TestPerson, place: string, markdown = 'Nice', more: object = {}) =>
  who.client.post(`${place}/comments`, { body: { markdown }, ...more })

test('a comment shows its author, text and target, and what the caller may do with it', async () => {
  const { space, change, page, author, reader, places } = await aPlaceToTalk()
  for (const place of places) {
    const { status, body: made } = await say(author, place, 'Say *why*', { page })
    assert.equal(status, 200)
    const { revision } = (await reader.client.get(place)).body
    assert.deepEqual(
      [made.object, made.postedBy.id, made.body, made.replies, made.reactions, made.status, made.editedAt],
      ['comment', author.id, { markdown: 'Say *why*' }, 0, [], 'open', undefined],
    )
    assert.deepEqual(made.target.page.outdated, false)
    assert.deepEqual(
      [made.target.space, made.target.revision, made.target.changeRequest, made.target.page.id, made.target.page.path],
      [space.id, revision, place === change.path ? change.id : undefined, page, 'guide'],
    )
    assert.deepEqual(made.permissions, { view: true, edit: true, reply: true, delete: true })
    assert.equal(made.urls.location, `http://lectern.test${place}/comments/${made.id}`)
    assert.deepEqual((await author.client.get(`${place}/comments/${made.id}`)).body, made)

    const { body: seen } = await reader.client.get(`${place}/comments/${made.id}`)
    assert.deepEqual(seen.permissions, { view: true, edit: false, reply: false, delete: false })
    assert.deepEqual((await reader.client.get(`${place}/comments`)).body, { count: 1, items: [seen] })
  }
})

test('comments of a change request are not found in its space or in another change request, nor the other way round', async () => {
  const { space, change, author } = await aPlaceToTalk()
  const other = await space.changeRequest()
  const { id } = (await say(author, change.path)).body
  const { id: outside } = (await say(author, space.path)).body
  const status = async (path: string) => (await author.client.get(path)).status
  assert.equal(await status(`${change.path}/comments/${id}`), 200)
  assert.equal(await status(`${space.path}/comments/${id}`), 404)
  assert.equal(await status(`${other.path}/comments/${id}`), 404)
  assert.equal(await status(`${change.path}/comments/${outside}`), 404)
  assert.equal((await author.client.delete(`${other.path}/comments/${id}`)).status, 404)
})

test('a reader can read comments but not write, and a stranger gets 404 for all of them', async () => {
  const { places, author, reader } = await aPlaceToTalk()
  const stranger = await aStranger(app)
  for (const place of places) {
    const { id } = (await say(author, place)).body
    const calls: [method: string, path: string, body: object | undefined, read: number][] = [
      ['GET', '/comments', undefined, 200],
      ['GET', '/commenters', undefined, 200],
      ['GET', `/comments/${id}`, undefined, 200],
      ['GET', `/comments/${id}/replies`, undefined, 200],
      ['POST', '/comments', { body: { markdown: 'x' } }, 403],
      ['POST', `/comments/${id}/replies`, { body: { markdown: 'x' } }, 403],
      ['PUT', `/comments/${id}`, { addedReactions: ['👍'] }, 403],
      ['PUT', `/comments/${id}`, {}, 403],
      ['DELETE', `/comments/${id}`, undefined, 403],
    ]
    const before = await stateOf(app.db)
    for (const [method, path, body, status] of calls) {
      const call = (who: TestPerson) => who.client.send(method, `${place}${path}`, body)
      assert.equal((await call(reader)).status, status, `${method} ${path}`)
      assert.equal((await call(stranger)).status, 404, `${method} ${path}`)
    }
    assert.equal(await stateOf(app.db), before)
  }
})

test('a comment is resolved and reopened only by its author or a reviewer', async () => {
  const { places, author, other, reviewer } = await aPlaceToTalk()
  for (const place of places) {
    const path = `${place}/comments/${(await say(author, place)).body.id}`
    const resolve = (who: TestPerson, resolved: boolean) => who.client.put(path, { resolved })
    assert.equal((await resolve(other, true)).status, 403)

    const { body: resolved } = await resolve(author, true)
    assert.deepEqual([resolved.status, resolved.resolvedBy.id], ['resolved', author.id])
    assert.ok(resolved.resolvedAt >= resolved.postedAt)
    assert.equal((await resolve(other, false)).status, 403)
    assert.deepEqual((await resolve(reviewer, true)).body.resolvedBy.id, author.id, 'it is resolved already')

    const { body: reopened } = await resolve(reviewer, false)
    assert.deepEqual([reopened.status, reopened.resolvedAt, reopened.resolvedBy], ['open', undefined, undefined])
    assert.equal((await resolve(reviewer, true)).body.resolvedBy.id, reviewer.id)
  }
  await assertSound(app.db)
})

test('a comment is edited only by its author, and shows when it was edited', async () => {
  const { space, author, other, reviewer } = await aPlaceToTalk()
  const { body: made } = await say(author, space.path, 'Frist')
  const path = `${space.path}/comments/${made.id}`
  const put = (who: TestPerson, body: object) => who.client.put(path, { body })
  for (const who of [other, reviewer, space.org.admin]) assert.equal((await put(who, { markdown: 'x' })).status, 403)

  assert.deepEqual((await put(author, { markdown: 'Frist' })).body, made, 'the same words are no change')
  assert.deepEqual((await put(author, {})).body, made, 'nothing leaves the words as they are')
  const { body: edited } = await put(author, { markdown: 'First' })
  assert.deepEqual(edited.body, { markdown: 'First' })
  assert.ok(edited.editedAt >= made.postedAt)
  assert.deepEqual((await author.client.put(path, { resolved: true })).body.editedAt, edited.editedAt)
  assert.deepEqual((await put(author, { markdown: '' })).body.body, { markdown: '' })
})

test('a member who loses a role loses its rights, on their own comments too', async () => {
  const { org, space, author } = await aPlaceToTalk()
  const path = `${space.path}/comments/${(await say(author, space.path)).body.id}`
  await org.admin.client.patch(`/v1/orgs/${org.id}/members/${author.id}`, { role: 'read' })
  const { body } = await author.client.get(path)
  assert.deepEqual(body.permissions, { view: true, edit: false, reply: false, delete: false })
  assert.equal((await author.client.put(path, { body: { markdown: 'x' } })).status, 403)
  assert.equal((await author.client.delete(path)).status, 403)
})

test('a comment is deleted by its author or a reviewer, with its replies and reactions', async () => {
  const { places, author, other, reviewer } = await aPlaceToTalk()
  for (const place of places) {
    const [own, theirs] = [(await say(author, place)).body.id, (await say(author, place)).body.id]
    const at = (id: string) => `${place}/comments/${id}`
    const { body: reply } = await other.client.post(`${at(own)}/replies`, { body: { markdown: 'Yes' } })
    await other.client.put(at(own), { addedReactions: ['👍'] })
    await other.client.put(`${at(own)}/replies/${reply.id}`, { addedReactions: ['👍'] })

    assert.equal((await other.client.delete(at(own))).status, 403)
    assert.equal((await author.client.delete(at(own))).status, 205)
    assert.equal((await reviewer.client.delete(at(theirs))).status, 205)
    for (const path of [at(own), `${at(own)}/replies`, `${at(own)}/replies/${reply.id}`]) {
      assert.equal((await author.client.get(path)).status, 404, path)
    }
    assert.equal((await other.client.post(`${at(own)}/replies`, { body: { markdown: 'x' } })).status, 404)
    assert.equal((await author.client.put(at(own), { resolved: true })).status, 404)
    assert.equal((await author.client.delete(at(own))).status, 404)
  }
  await assertSound(app.db)
})

test('a comment body is sent as Markdown or as a document, and returned in the format asked for', async () => {
  const { space, author } = await aPlaceToTalk()
  const { body: made } = await say(author, space.path, 'Some *words*')
  const path = `${space.path}/comments/${made.id}`
  const { document } = (await author.client.get(`${path}?format=document`)).body.body
  assert.deepEqual([document.object, document.nodes[0].type], ['document', 'paragraph'])

  const post = (body: object, query = '') => author.client.post(`${space.path}/comments${query}`, { body })
  const { body: copy } = await post({ document })
  assert.match(copy.body.markdown, /^Some [*_]words[*_]\n$/)
  assert.deepEqual((await post({ document }, '?format=document')).body.body.document, document)
  assert.deepEqual((await post({})).body.body, { markdown: '' })
  const list = await author.client.get(`${space.path}/comments?format=document&limit=1`)
  assert.equal(list.body.items[0].body.document.object, 'document')
  assert.equal((await author.client.get(`${path}?format=text`)).body.error.details[0].path, 'query.format')
})

test('a comment shown as HTML runs no script, and its front matter is text', async () => {
  const { space, author } = await aPlaceToTalk()
  const hostile =
    '---\ntitle: x\n---\n\n<img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1))'
  const { id } = (await say(author, space.path, hostile)).body
  const { html } = (await author.client.get(`${space.path}/comments/${id}?format=html`)).body.body
  assert.doesNotMatch(html, /onerror|<script|javascript:/)
  assert.match(html, /title: x/)
})

test('invalid comment input is refused with the name of the field and changes nothing', async () => {
  const { org, space, page, author } = await aPlaceToTalk()
  const elsewhere = await aLiveSpace(app, org)
  const [foreign] = idsOf(await elsewhere.edit(newPage('Foreign'))) as [string]
  const body = { markdown: 'x' }
  const { id } = (await say(author, space.path)).body
  const before = await stateOf(app.db)
  const posts: [object, string][] = [
    [{}, 'body.body'],
    [{ body: null }, 'body.body'],
    [{ body: 'text' }, 'body.body'],
    [{ body: { markdown: 5 } }, 'body.body.markdown'],
    [{ body: { text: 'x' } }, 'body.body.markdown'],
    [{ body: { markdown: 'x'.repeat(65_537) } }, 'body.body.markdown'],
    [{ body: { document: { object: 'page' } } }, 'body.body.document.object'],
    [{ body: { document: { object: 'document', data: {}, nodes: 5 } } }, 'body.body.document.nodes'],
    [{ body, page: foreign }, 'body.page'],
    [{ body, page: newId() }, 'body.page'],
    [{ body, page: '../x' }, 'body.page'],
    [{ body, page: 5 }, 'body.page'],
    [{ body, page, node: 'no-such-block' }, 'body.node'],
    [{ body, node: 'x' }, 'body.page'],
  ]
  for (const [bad, fault] of posts) {
    const { status, body: answer } = await author.client.post(`${space.path}/comments`, bad)
    assert.deepEqual([status, answer.error.details[0].path], [400, fault], JSON.stringify(bad).slice(0, 100))
  }
  const puts: [object, string][] = [
    [{ resolved: 'yes' }, 'body.resolved'],
    [{ body: { markdown: 5 } }, 'body.body.markdown'],
    [{ addedReactions: ['x'] }, 'body.addedReactions.0'],
    [{ addedReactions: ['👍', '👍👍'] }, 'body.addedReactions.1'],
    [{ addedReactions: [''] }, 'body.addedReactions.0'],
    [{ removedReactions: ['no'] }, 'body.removedReactions.0'],
    [{ addedReactions: '👍' }, 'body.addedReactions'],
  ]
  for (const [bad, fault] of puts) {
    const { status, body: answer } = await author.client.put(`${space.path}/comments/${id}`, bad)
    assert.deepEqual([status, answer.error.details[0].path], [400, fault], JSON.stringify(bad))
  }
  for (const query of ['status=closed', 'order=up', 'targetPage=x', 'authors=x', 'limit=-1', 'page=x']) {
    const { status, body: answer } = await author.client.get(`${space.path}/comments?${query}`)
    assert.equal(status, 400, query)
    assert.match(answer.error.details[0].path, new RegExp(`^query.${query.split('=')[0]}`))
  }
  for (const bad of ['x', newId()]) {
    assert.equal((await author.client.get(`${space.path}/comments/${bad}`)).status, 404)
    assert.equal((await author.client.get(`${space.path}/comments/${id}/replies/${bad}`)).status, 404)
  }
  assert.equal(await stateOf(app.db), before)
})

test('a comment change with an outdated If-Match is refused with 412, in either format', async () => {
  const { space, author, other } = await aPlaceToTalk()
  const path = `${space.path}/comments/${(await say(author, space.path)).body.id}`
  const tagOf = async (query = '') => (await author.client.get(path + query)).headers.get('etag')!
  const put = (tag: string) => author.client.put(path, { resolved: true }, { 'if-match': tag })
  const [markdown, document] = [await tagOf(), await tagOf('?format=document')]
  await other.client.put(path, { addedReactions: ['👍'] })
  for (const tag of [markdown, document]) assert.equal((await put(tag)).status, 412)
  assert.equal((await author.client.delete(path, { 'if-match': markdown })).status, 412)
  assert.equal((await put(await tagOf('?format=document'))).status, 200)
  assert.equal((await author.client.delete(path, { 'if-match': await tagOf() })).status, 205)
})

test('a comment that is sent twice with one idempotency key is posted once', async () => {
  const { space, page, author } = await aPlaceToTalk()
  const post = () =>
    author.client.post(`${space.path}/comments`, { page, body: { markdown: 'Once' } }, { 'idempotency-key': 'a' })
  const first = await post()
  await space.edit({ operation: 'delete_page', page })
  assert.deepEqual((await post()).body, first.body)
  assert.equal((await author.client.get(`${space.path}/comments`)).body.count, 1)
})

test('a mail shows the names of mentioned people, and many brackets in it take linear time', () => {
  const name = 'Jo [from] \\ here'
  assert.equal(withNames(`So ${mentionOf({ id: newId(), display_name: name })} said`), `So @${name} said`)
  for (const brackets of ['[{', '[\\', '\\[']) assertLinear((length) => withNames(brackets.repeat(length)), 10_000)
  const mention = mentionOf({ id: newId(), display_name: name })
  assert.equal(withNames(`\\\\${mention} \\${mention}`), `\\\\@${name} \\${mention}`)
})
