import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aPerson, aStranger, anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'

const app = await startApp()

test('GET /v1/user returns the caller', async () => {
  const person = await aPerson(app)
  assert.deepEqual((await person.client.get('/v1/user')).body, {
    object: 'user',
    id: person.id,
    displayName: person.user.display_name,
    email: person.user.email,
    urls: { location: `http://lectern.test/v1/users/${person.id}` },
  })
})

test('people see themselves and the members of their organizations, guests only themselves, and others get 404', async () => {
  const org = await anOrganization(app)
  const [reader, other, guest] = [await org.member('read'), await org.member('edit'), await org.member(null)]
  const stranger = await aStranger(app)
  const loner = await aPerson(app)
  const see = async (who: typeof reader, whom: typeof reader) => (await who.client.get(`/v1/users/${whom.id}`)).status

  assert.equal(await see(reader, reader), 200)
  assert.equal(await see(reader, other), 200)
  assert.equal(await see(reader, guest), 200)
  assert.equal(await see(loner, loner), 200)
  assert.equal(await see(guest, guest), 200)
  assert.equal(await see(guest, reader), 404)
  assert.equal(await see(stranger, reader), 404)
  assert.equal(await see(reader, stranger), 404)
  assert.equal(await see(loner, reader), 404)

  const foreign = await stranger.client.get(`/v1/users/${reader.id}`)
  for (const id of [newId(), 'no-id'])
    assert.deepEqual(foreign.body, (await stranger.client.get(`/v1/users/${id}`)).body)
})

test('a removed or disabled member no longer sees the other members', async () => {
  const org = await anOrganization(app)
  const [removed, disabled] = [await org.member('read'), await org.member('read')]
  const see = async (who: typeof removed) => (await who.client.get(`/v1/users/${org.admin.id}`)).status
  assert.deepEqual([await see(removed), await see(disabled)], [200, 200])

  await org.admin.client.delete(`/v1/orgs/${org.id}/members/${removed.id}`)
  await org.admin.client.patch(`/v1/orgs/${org.id}/members/${disabled.id}`, { disabled: true })
  assert.deepEqual([await see(removed), await see(disabled)], [404, 404])
})

test('people change their own profile, field by field, and others see the change', async () => {
  const org = await anOrganization(app)
  const person = await org.member('read')
  const path = `/v1/users/${person.id}`

  const named = await person.client.patch(path, { displayName: 'Zoë 🌍' })
  assert.deepEqual([named.status, named.body.displayName, named.body.photoURL], [200, 'Zoë 🌍', undefined])
  const pictured = await person.client.patch(path, { photoURL: 'https://example.com/zoe.png' })
  assert.deepEqual([pictured.body.displayName, pictured.body.photoURL], ['Zoë 🌍', 'https://example.com/zoe.png'])
  assert.deepEqual((await org.admin.client.get(path)).body, pictured.body)
  assert.equal((await person.client.patch(path, {})).status, 200)
  const plain = await person.client.patch(path, { photoURL: null })
  assert.deepEqual([plain.status, 'photoURL' in plain.body], [200, false])
})

test("nobody changes another person's profile, not even an administrator", async () => {
  const org = await anOrganization(app)
  const person = await org.member('read')
  const stranger = await aStranger(app)
  const change = (who: typeof person) => who.client.patch(`/v1/users/${person.id}`, { displayName: 'Changed' })

  assert.equal((await change(org.admin)).status, 403)
  assert.equal((await change(stranger)).status, 404)
  assert.equal((await change(person)).status, 200)
})

test('a profile takes a name of 1 to 64 characters and a picture address, and errors name the field', async () => {
  const person = await aPerson(app)
  const path = `/v1/users/${person.id}`
  const refusal = async (body: unknown) => {
    const answer = await person.client.patch(path, body)
    assert.equal(answer.status, 400)
    return answer.body.error.details[0].path
  }
  assert.equal(await refusal({ displayName: '' }), 'body.displayName')
  assert.equal(await refusal({ displayName: ' \t' }), 'body.displayName', 'a name that nobody can see is none')
  assert.equal(await refusal({ displayName: 'x'.repeat(65) }), 'body.displayName')
  assert.equal(await refusal({ displayName: 5 }), 'body.displayName')
  assert.equal(await refusal({ displayName: null }), 'body.displayName')
  assert.equal(await refusal({ photoURL: 'javascript:alert(1)' }), 'body.photoURL')
  assert.equal(await refusal({ photoURL: `https://example.com/${'x'.repeat(2048)}` }), 'body.photoURL')
  assert.equal((await person.client.get(path)).body.displayName, person.user.display_name)
})

test('other fields, like the email or instance administrator, cannot be changed with a profile', async () => {
  const person = await aPerson(app, { emailVerified: false })
  const before = (await person.client.get('/v1/user')).body
  const { status, body } = await person.client.patch(`/v1/users/${person.id}`, {
    id: newId(),
    email: 'boss@example.com',
    emailVerified: true,
    email_verified: true,
    instanceAdmin: true,
    instance_admin: true,
    disabled: true,
  })
  assert.equal(status, 200)
  assert.deepEqual(body, before)
  const row = await app.db.one(sql<{ email_verified: boolean; instance_admin: boolean; disabled: boolean }>`
    select email_verified, instance_admin, disabled from users where id = ${person.id}`)
  assert.deepEqual({ ...row }, { email_verified: false, instance_admin: false, disabled: false })
})

test('a profile is changed only if If-Match names its current state', async () => {
  const person = await aPerson(app)
  const path = `/v1/users/${person.id}`
  const ifMatch = { 'if-match': (await person.client.get(path)).headers.get('etag')! }

  const first = await person.client.patch(path, { displayName: 'First' }, ifMatch)
  assert.equal(first.status, 200)
  assert.equal((await person.client.patch(path, { displayName: 'Second' }, ifMatch)).status, 412)
  const latest = { 'if-match': first.headers.get('etag')! }
  assert.equal((await person.client.patch(path, { displayName: 'Second' }, latest)).status, 200)
})
