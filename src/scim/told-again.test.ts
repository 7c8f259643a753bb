// An address changes hands: its new owner gets the account of the former one, and nobody else gets in along with them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { expect } from '../../test/visitor.ts'
import { Person } from '../account/testing/person.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { anIdentityProvider, anOrganizationWith, logIn } from '../saml/testing/login.ts'
import { createToken } from '../tokens/actions.ts'
import { aUser, idsFound, pathOf, scimJson } from './testing/provider.ts'

const app = await startApp()

test('tokens and sessions of a removed user stay invalid after their address is provisioned again', async () => {
  const idp = await anIdentityProvider()
  const { org, provider } = await anOrganizationWith(app, idp)
  const { id, sent, path } = await aUser(org)
  idp.person = { id: 'left', email: sent.userName, displayName: 'Left' }
  const { browser } = await logIn(app, idp, provider.service.startURL)
  const before = new Person(app)
  before.cookies.set('lectern-session', browser.cookies.get('lectern-session')!)
  const { secret } = await transaction(app.db, nobody, (tx) => createToken(tx, { userId: id, label: 'Theirs' }))
  const client = app.client(secret, [org.canary])
  expect(await client.get(`/v1/orgs/${org.id}`), 200)
  assert.equal((await before.get(`/app/o/${org.id}`)).status, 200)

  expect(await org.admin.client.delete(path), 204)
  const again = expect(await org.admin.client.post(`${pathOf(org)}/Users`, sent, scimJson), 201)
  assert.equal(again.id, id)
  expect(await client.get(`/v1/orgs/${org.id}`), 401)
  assert.match((await before.get(`/app/o/${org.id}`)).location!, /^\/login/)
})

test('a user who is provisioned again signs in as the same member, even with a new identifier at the provider', async () => {
  const idp = await anIdentityProvider()
  const { org, provider } = await anOrganizationWith(app, idp)
  for (const name of ['another', 'the-same']) {
    const { id, sent, path } = await aUser(org)
    idp.person = { id: 'the-same', email: sent.userName, displayName: 'Somebody' }
    await logIn(app, idp, provider.service.startURL)
    expect(await org.admin.client.delete(path), 204)
    expect(await org.admin.client.post(`${pathOf(org)}/Users`, sent, scimJson), 201)
    idp.person = { id: name, email: sent.userName, displayName: 'Somebody' }
    assert.equal((await logIn(app, idp, provider.service.startURL)).seen.status, 303)
    assert.deepEqual(await idsFound(org, 'Users', `emails eq "${sent.userName}"`), [id], name)
  }
})
