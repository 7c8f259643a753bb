// The metadata of providers, pasted by an administrator.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { stateOf } from '../../test/state.ts'
import { expect } from '../../test/visitor.ts'
import { Browser } from './testing/browser.ts'
import { makeCertificate } from './testing/certificate.ts'
import { anIdentityProvider, logIn } from './testing/login.ts'

const app = await startApp()
const idp = await anIdentityProvider()
const bare = (pem: string) => pem.replaceAll(/-----[^-]*-----|\s/g, '')
const keyOf = (certificate: string, use = ' use="signing"') =>
  `<md:KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>\n${certificate}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`
const bindings = 'urn:oasis:names:tc:SAML:2.0:bindings'

/** As Keycloak, Okta and others write it. */
function metadata({ keys = keyOf(bare(idp.keys.certificate)), wants = '', sso = idp.settings.ssoURL } = {}) {
  return `\ufeff<?xml version="1.0" encoding="UTF-8"?><!-- Made by a > provider -->
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${idp.entityID}">
  <md:IDPSSODescriptor ${wants} protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    ${keys}
    <md:SingleLogoutService Binding="${bindings}:HTTP-Redirect" Location="https://idp.example/out"/>
    <md:SingleSignOnService Binding="${bindings}:HTTP-POST" Location="https://idp.example/post"/>
    <md:SingleSignOnService Location='${sso}' Binding='${bindings}:HTTP-Redirect'></md:SingleSignOnService>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`
}

async function aPlace() {
  const org = await anOrganization(app)
  const path = `/v1/orgs/${org.id}/saml`
  const { id } = expect(await org.admin.client.post(path, { label: 'Company' }), 201)
  const change = (body: object) => org.admin.client.patch(`${path}/${id}`, body)
  return { org, path, change }
}

test('a provider is set up by its metadata alone, and people sign in through it', async () => {
  const { org, path, change } = await aPlace()
  const { entityID, ssoURL, status, signRequests, service } = expect(await change({ metadata: metadata() }), 200)
  assert.deepEqual([entityID, ssoURL, status, signRequests], [idp.entityID, idp.settings.ssoURL, 'active', false])
  assert.equal((await logIn(app, idp, service.startURL)).seen.status, 303)
  const made = await org.admin.client.post(path, { label: 'At once', metadata: metadata(), entityID: 'https://mine' })
  assert.deepEqual([made.body.status, made.body.entityID], ['active', 'https://mine'], 'what is said by itself counts')
})

test('requests are signed if the metadata asks for it, and metadata that does not ask changes nothing', async () => {
  const { change } = await aPlace()
  const wanting = metadata({ wants: 'WantAuthnRequestsSigned="true"' })
  const { signRequests, keys, service } = expect(await change({ metadata: wanting }), 200)
  assert.deepEqual([signRequests, keys.length], [true, 1])
  assert.ok(new URL((await new Browser(app).get(service.startURL)).location).searchParams.has('Signature'))
  for (const wants of ['', 'WantAuthnRequestsSigned="false"'])
    assert.equal(expect(await change({ metadata: metadata({ wants }) }), 200).signRequests, true)
  assert.equal(expect(await change({ metadata: wanting, signRequests: false }), 200).signRequests, false)
})

test('the signing certificates in the metadata are used, both of them during a key change', async () => {
  const { change } = await aPlace()
  const [one, two, other] = [1, 2, 3].map(() => bare(makeCertificate().certificate))
  const keys = keyOf(one!) + keyOf(two!, '') + keyOf(one!) + keyOf(other!, ' use="encryption"')
  assert.equal(expect(await change({ metadata: metadata({ keys }) }), 200).certificate, `${one}\n\n${two}`)
  const { ssoURL } = expect(await change({ metadata: metadata({ sso: 'https://idp.example/?a=1&amp;b=2' }) }), 200)
  assert.equal(ssoURL, 'https://idp.example/?a=1&b=2')
})

test('numeric character references in metadata are decoded', async () => {
  const { change } = await aPlace()
  const certificate = bare(idp.keys.certificate)
  const keys = keyOf(certificate.replaceAll(/.{64}/g, '$&&#13;\n'))
  const read = expect(
    await change({ metadata: metadata({ keys, sso: 'https://idp.example/?a=1&#38;b=2&#x26;c=3' }) }),
    200,
  )
  assert.deepEqual([read.certificate, read.ssoURL], [certificate, 'https://idp.example/?a=1&b=2&c=3'])
})

test('text inside an attribute value is not read as an attribute', async () => {
  const { change } = await aPlace()
  const sso = `https://idp.example/' x=" Binding='none' " y='`
  const read = expect(await change({ metadata: metadata({ sso, wants: `x=" WantAuthnRequestsSigned='true' "` }) }), 200)
  assert.deepEqual([read.ssoURL, read.signRequests], ['https://idp.example/', false])
})

test('text that is not provider metadata is refused, with what it is instead', async () => {
  const { change, org } = await aPlace()
  const ours = (await new Browser(app).get((await org.admin.client.get(`/v1/orgs/${org.id}/saml`)).body.items[0].service.entityID)).text // prettier-ignore
  const whole = metadata().replace(/^[^]*?-->/, '')
  const before = await stateOf(app.db)
  const wrong: [string, RegExp][] = [
    ['', /must be XML/],
    ['https://idp.example/metadata', /must be XML/],
    [whole.slice(0, -10), /must be XML/],
    [`<!DOCTYPE x [<!ENTITY a "b">]>${whole}`, /must be XML/],
    ['<!--'.repeat(60_000), /must be XML/],
    ...['#0', '#9999999', '#xffffff', '#xd800'].map((number): [string, RegExp] => [
      metadata({ sso: `https://idp.example/&${number};` }),
      /must be XML/,
    ]),
    ['<html><body>Sign in</body></html>', /is not the metadata/],
    [ours, /that of a service, such as Lectern/],
    [`<EntitiesDescriptor>${whole}${whole}</EntitiesDescriptor>`, /several providers/],
    [whole.replace('HTTP-Redirect"', 'x"').replace("HTTP-Redirect'", "x'"), /no address for logins/],
    [metadata({ keys: '' }), /no certificate/],
    [metadata({ keys: keyOf('AAAA') }), /body\.certificate/],
  ]
  for (const [text, sentence] of wrong) {
    const { status, body } = await change({ metadata: text })
    assert.equal(status, 400, text.slice(0, 60))
    assert.match(body.error.message, sentence)
  }
  assert.equal(await stateOf(app.db), before)
})
