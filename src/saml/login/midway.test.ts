// Events in the middle of a login: other tabs, going back, and changes by administrators.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { anOrganization } from '../../../test/factories.ts'
import { until } from '../../../test/until.ts'
import { expect } from '../../../test/visitor.ts'
import { sql } from '../../db/sql.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { endSessionsThrough } from './identities.queries.ts'
import { deleteProvider, lockProvider } from '../queries.ts'
import { Browser } from '../testing/browser.ts'
import { anIdentityProvider, anOrganizationWith, begin, logIn } from '../testing/login.ts'

const app = await startApp()
const idp = await anIdentityProvider()

const aNewPerson = (email = `${newId()}@idp.example`) => (idp.person = { id: newId(), email, displayName: 'Somebody' })

const sessionsOf = async (organizationId: string) =>
  (
    await app.db.one(sql<{ count: number }>`
      select count(*) from sessions where organization_id = ${organizationId} and method = 'saml'`)
  ).count

test('each tab leads to its own destination, even if the login of another tab overtook its own', async () => {
  const { provider } = await anOrganizationWith(app, idp)
  const { startURL } = provider.service
  aNewPerson()
  const browser = new Browser(app)
  const forms = [
    await begin(browser, idp, `${startURL}?next=/account%3Ftab=1`),
    await begin(browser, idp, `${startURL}?next=/account%3Ftab=2`),
  ]
  const ends = []
  for (const form of forms) ends.push((await browser.post(form)).location)
  const seen = []
  for (const end of ends) seen.push((await browser.get(end)).location)
  assert.deepEqual(seen, ['/account?tab=1', '/account?tab=2'])
  const unknown = `${ends[0]!.split('?')[0]}?login=`
  assert.equal((await browser.get(`${unknown}${newId()}`)).location, '/account')
  assert.equal((await browser.get(`${unknown}x`)).location, '/account')
})

test('going back to the provider, which sends its response again, leads on instead of saying you are not signed in', async () => {
  const { provider } = await anOrganizationWith(app, idp)
  const { startURL } = provider.service
  aNewPerson()
  const browser = new Browser(app)
  const form = await begin(browser, idp, `${startURL}?next=/account%3Fa`)
  await browser.get((await browser.post(form)).location)
  const again = await browser.post(form)
  assert.equal(again.status, 400)
  assert.doesNotMatch(again.text, /You are not signed in/)
  const way = /<a class="btn primary big" href="([^"]+)">Continue/.exec(again.text)![1]!
  assert.equal((await browser.get(way)).location, '/account?a')
  assert.equal((await new Browser(app).get(way)).status, 400, 'nobody else gets in by that')
})

test('a provider that is deleted during a login signs nobody in', async () => {
  const { org, provider } = await anOrganizationWith(app, idp)
  aNewPerson()
  await logIn(app, idp, provider.service.startURL)
  const browser = new Browser(app)
  const { location } = await browser.post(await begin(browser, idp, provider.service.startURL))
  let ended = Promise.resolve<unknown>(undefined)
  await transaction(app.db, nobody, async (tx) => {
    tx.hold()
    const row = (await lockProvider(tx, org.id, provider.id))!
    await endSessionsThrough(tx, row)
    ended = browser.get(location)
    // The request waits for this transaction, or has already ended.
    await Promise.race([ended, until('it waits', isWaiting)])
    await deleteProvider(tx, row)
  })
  await ended
  assert.equal(await sessionsOf(org.id), 0)
  assert.ok(!browser.cookies.has('lectern-session'))
})

const isWaiting = async () =>
  (
    await app.db.one(sql<{ waits: boolean }>`
      select exists (select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()) as waits`)
  ).waits

test('a disabled member does not come back through a second, removed account of theirs', async () => {
  const { org, provider } = await anOrganizationWith(app, idp, { defaultRole: 'read' })
  const own = await org.member('edit')
  aNewPerson(own.user.email)
  const { startURL } = provider.service
  await logIn(app, idp, startURL)
  const { items } = expect(await org.admin.client.get(`/v1/orgs/${org.id}/members?search=${own.user.email}`), 200)
  const second = items.map(({ id }: { id: string }) => id).find((id: string) => id !== own.id)
  expect(await org.admin.client.delete(`/v1/orgs/${org.id}/members/${second}`), 204)
  expect(await org.admin.client.patch(`/v1/orgs/${org.id}/members/${own.id}`, { disabled: true }), 200)
  const { seen } = await logIn(app, idp, startURL)
  assert.equal(seen.status, 403)
  assert.match(seen.text, /suspended/)
  expect(await org.admin.client.patch(`/v1/orgs/${org.id}/members/${own.id}`, { disabled: false }), 200)
  assert.equal((await logIn(app, idp, startURL)).seen.status, 303)
})

test("a session from before an account became the organization's opens nothing while the account is suspended there", async () => {
  const { org, provider } = await anOrganizationWith(app, idp)
  const awaited = await org.member('edit', { sso: true })
  const browser = await signedIn(app, awaited)
  aNewPerson(awaited.user.email)
  await logIn(app, idp, provider.service.startURL)
  const isIn = async () => (await browser.get('/account')).status === 200
  const path = `/v1/orgs/${org.id}/members/${awaited.id}`
  assert.equal(await isIn(), true)
  expect(await org.admin.client.patch(path, { disabled: true }), 200)
  assert.equal(await isIn(), false)
  expect(await org.admin.client.patch(path, { disabled: false }), 200)
  assert.equal(await isIn(), true)
  expect(await org.admin.client.delete(path), 204)
  assert.equal(await isIn(), false)
})

test('addresses of Lectern itself are refused as those of the provider', async () => {
  const org = await anOrganization(app)
  const path = `/v1/orgs/${org.id}/saml`
  const { id, service } = expect(await org.admin.client.post(path, { label: 'Company' }), 201)
  const wrong: [string, string][] = [
    ['ssoURL', service.startURL],
    ['ssoURL', service.acsURL],
    ['entityID', service.entityID],
    ['entityID', ` ${service.acsURL}`],
  ]
  for (const [field, value] of wrong) {
    const { status, body } = await org.admin.client.patch(`${path}/${id}`, { [field]: value })
    assert.deepEqual([status, body.error?.details?.[0]?.path], [400, `body.${field}`], value)
    assert.match(body.error.message, /of Lectern itself/)
  }
})
