import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import type { TestOrganization } from '../../../test/factories.ts'
import { newId } from '../../ids.ts'
import { anIdentityProvider, anOrganizationWith, logIn } from '../testing/login.ts'

const app = await startApp()
const idp = await anIdentityProvider()

test('the audit log names disabled people who could not sign in, also under another name', async () => {
  const { org, provider } = await anOrganizationWith(app, idp)
  const { startURL } = provider.service
  const person = aNewPerson()
  await logIn(app, idp, startURL)
  const [member] = (await org.admin.client.get(`/v1/orgs/${org.id}/members?search=${person.email}`)).body.items
  await org.admin.client.patch(`/v1/orgs/${org.id}/members/${member.id}`, { disabled: true })

  for (const id of [person.id, `${person.id}-again`]) {
    idp.person = { ...person, id }
    assert.equal((await logIn(app, idp, startURL)).seen.status, 403)
    const [refused] = await recorded(org, 'saml-provider.login-refused')
    assert.deepEqual([refused.actor.id, refused.payload.details], [member.id, { reason: 'disabled' }])
  }
  // A person named by a response that is not trusted is not recorded as the actor.
  const form = { tamper: (xml: string) => xml.replace(person.email, 'other@idp.example') }
  assert.equal((await logIn(app, idp, startURL, form)).seen.status, 400)
  const [forged] = await recorded(org, 'saml-provider.login-refused')
  assert.deepEqual([forged.actor, forged.payload.details], [{ type: 'system' }, { reason: 'signature' }])
})

test("an address that changed at the provider is in the organization's audit log, without the address", async () => {
  const { org, provider } = await anOrganizationWith(app, idp)
  const { startURL } = provider.service
  const person = aNewPerson()
  await logIn(app, idp, startURL)
  await logIn(app, idp, startURL)
  assert.deepEqual(await recorded(org, 'member.updated'), [])
  idp.person = { ...person, email: `moved-${person.email}` }
  await logIn(app, idp, startURL)

  const [changed, ...others] = await recorded(org, 'member.updated')
  assert.deepEqual(others, [])
  assert.deepEqual(changed.payload, { fields: ['email'] })
  assert.deepEqual([changed.actor.id, changed.target], [changed.target.id, { type: 'member', id: changed.target.id }])
  assert.doesNotMatch(JSON.stringify({ ...changed, actor: undefined }), /moved-/)
})

function aNewPerson() {
  const id = newId()
  return (idp.person = { id, email: `${id}@idp.example`, displayName: 'Jo' })
}

/** Returns the newest first. */
async function recorded(org: TestOrganization, action: string): Promise<any[]> {
  return (await org.admin.client.get(`/v1/orgs/${org.id}/audit-events?action=${action}`)).body.items
}
