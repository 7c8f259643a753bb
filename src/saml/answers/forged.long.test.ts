// Responses that an attacker made up, changed, kept or stole. Each is derived from an honest one, which is accepted.
import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { sql } from '../../db/sql.ts'
import { Browser } from '../testing/browser.ts'
import { makeCertificate } from '../testing/certificate.ts'
import type { Answering } from '../testing/identity-provider.ts'
import { anIdentityProvider, anOrganizationWith, begin, logIn } from '../testing/login.ts'

const app = await startApp()
const idp = await anIdentityProvider()
const { org, provider } = await anOrganizationWith(app, idp)
const { startURL, acsURL, entityID } = provider.service
const minuteMs = 60_000

/** Counts everything except the logins themselves, their failed attempts, and the record of those. */
async function made() {
  const { count } = await app.db.one(sql<{ count: number }>`
    select (select count(*) from users) + (select count(*) from members) + (select count(*) from sessions)
      + (select count(*) from saml_identities) + (select count(*) from saml_assertions)
      + (select count(*) from saml_logins where answer is not null) as count`)
  return count
}

const reasons = async () =>
  (
    await app.db.all(sql<{ reason: string }>`
      select details->>'reason' as reason from changes where action = 'saml-provider.login-refused' order by id`)
  ).map(({ reason }) => reason)

/** Asserts that the response is refused for this reason, and that nothing is created from it. */
async function refuses(reason: string, answering: Answering, name?: string) {
  const before = await made()
  const { browser, seen } = await logIn(app, idp, startURL, answering)
  assert.ok([400, 403].includes(seen.status), `${name ?? reason}: ${seen.status} ${seen.location}`)
  assert.match(seen.text, /<h1>You are not signed in<\/h1>/)
  assert.ok(!/node_modules|at \w+ \(|Error:/.test(seen.text), 'it tells nothing of what happened in here')
  assert.ok(!browser.cookies.has('lectern-session'))
  assert.equal(await made(), before, name ?? reason)
  assert.equal((await reasons()).at(-1), reason, name ?? reason)
  await forgetTries()
}

/** There are more attempts here than one network is allowed. */
const forgetTries = () => app.db.run(sql`update saml_logins set tries = 0`)

const accepts = async (answering: Answering = {}) =>
  assert.equal((await logIn(app, idp, startURL, answering)).seen.status, 303)

const elsewhere = 'http://elsewhere.example'
const assertionIn = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)![0]
const signatureIn = (xml: string) => /<Signature .*?<\/Signature>/s.exec(assertionIn(xml))![0]
/** An assertion as an attacker would want it: for another person, and without a signature. */
const forgedFrom = (xml: string, id = '_forged') =>
  assertionIn(xml)
    .replace(/ ID="[^"]*"/, ` ID="${id}"`)
    .replace(signatureIn(xml), '')
    .replaceAll('jo@idp.example', 'boss@idp.example')
    .replace(/(<saml:NameID[^>]*>)[^<]*/, '$1boss')

test('a valid response is accepted, whether or not its envelope is signed as well', async () => {
  await accepts()
  await accepts({ options: { signResponse: true } })
  await accepts({ options: { signatureAlgorithm: 'rsa-sha256', digestAlgorithm: 'sha256' } })
})

test('an assertion that is unsigned, signed with another key or weakly signed is refused, each with its own reason', async () => {
  const other = makeCertificate()
  await refuses('unsigned', { options: { signAssertion: false } })
  await refuses('unsigned', { options: { signAssertion: false, signResponse: true } })
  await refuses('unsigned', { tamper: (xml) => xml.replace(signatureIn(xml), '') })
  await refuses('signature', { options: { key: other.key, cert: other.certificate } })
  await refuses('signature', { options: { key: other.key } })
  await refuses('algorithm', { options: { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' } })
  await refuses('algorithm', { tamper: (xml) => xml.replaceAll('xmldsig-more#rsa-sha256', 'xmldsig-more#rsa-sha384') })
})

test('an encrypted assertion or name is refused as encrypted, not as wrongly signed', async () => {
  const { certificate } = makeCertificate()
  const encryptionPublicKey = createPublicKey(certificate).export({ type: 'spki', format: 'pem' })
  await refuses('encrypted', { options: { encryptionCert: certificate, encryptionPublicKey } })
  await refuses('encrypted', {
    tamper: (xml) => xml.replaceAll(/<(\/?)saml:NameID\b[^>]*>/g, '<$1saml:EncryptedID>'),
  })
})

test('changing the name, address, signature or digest of a response invalidates it', async () => {
  await refuses('signature', { tamper: (xml) => xml.replace(/(<saml:NameID[^>]*>)[^<]*/, '$1boss') })
  await refuses('signature', { tamper: (xml) => xml.replaceAll('jo@idp.example', 'boss@idp.example') })
  const other = (text: string) => text.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  await refuses('signature', { tamper: (xml) => xml.replace(/<SignatureValue>./, other) })
  await refuses('signature', { tamper: (xml) => xml.replace(/<DigestValue>./, other) })
})

test('a signed assertion that is wrapped into a forged one, or hidden elsewhere, is refused', async () => {
  await forgetTries()
  const forms: Record<string, (xml: string) => string> = {
    'forged before signed': (xml) => xml.replace(assertionIn(xml), forgedFrom(xml) + assertionIn(xml)),
    'forged after signed': (xml) => xml.replace(assertionIn(xml), assertionIn(xml) + forgedFrom(xml)),
    'signed inside forged': (xml) =>
      xml.replace(assertionIn(xml), forgedFrom(xml).replace('</saml:Issuer>', `</saml:Issuer>${assertionIn(xml)}`)),
    'forged inside signed': (xml) =>
      xml.replace('</saml:Issuer><Signature', `</saml:Issuer>${forgedFrom(xml)}<Signature`),
    'signed in extensions': (xml) =>
      xml.replace(assertionIn(xml), `<samlp:Extensions>${assertionIn(xml)}</samlp:Extensions>${forgedFrom(xml)}`),
    'signed in the signature of the forged': (xml) => {
      const whole = assertionIn(xml).replace(signatureIn(xml), '')
      const holding = signatureIn(xml).replace('</Signature>', `<Object>${whole}</Object></Signature>`)
      return xml.replace(assertionIn(xml), forgedFrom(xml).replace('</saml:Issuer>', `</saml:Issuer>${holding}`))
    },
    'the same id twice': (xml) => {
      const id = / ID="([^"]*)"/.exec(assertionIn(xml))![1]!
      return xml.replace(
        assertionIn(xml),
        `<samlp:Extensions>${assertionIn(xml)}</samlp:Extensions>${forgedFrom(xml, id)}`,
      )
    },
    'signature of the signed moved to the forged': (xml) =>
      xml.replace(assertionIn(xml), forgedFrom(xml).replace('</saml:Issuer>', `</saml:Issuer>${signatureIn(xml)}`)),
    'two envelopes': (xml) =>
      xml.replace('</samlp:Response>', `${xml.replace(assertionIn(xml), forgedFrom(xml))}</samlp:Response>`),
    'forged around the envelope': (xml) => `<saml:Assertion xmlns:saml="urn:x">${xml}</saml:Assertion>`,
  }
  for (const [name, tamper] of Object.entries(forms)) {
    const before = await made()
    const { seen } = await logIn(app, idp, startURL, { tamper })
    assert.deepEqual([seen.status, await made()], [400, before], name)
  }
  const signedEnvelope = { options: { signResponse: true } }
  for (const [name, tamper] of Object.entries(forms)) {
    const { seen } = await logIn(app, idp, startURL, { ...signedEnvelope, tamper })
    assert.equal(seen.status, 400, name)
  }
})

test('document types, entities, comments and processing instructions are refused as malformed', async () => {
  const inName = (text: string) => (xml: string) => xml.replace(/(<saml:NameID[^>]*>)jo/, `$1${text}`)
  await refuses('malformed', { tamper: (xml) => `<!DOCTYPE foo>${xml}` })
  await refuses('malformed', { tamper: (xml) => `<!doctype foo [<!ENTITY who SYSTEM "file:///etc/passwd">]>${xml}` })
  await refuses('malformed', {
    tamper: (xml) => `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${inName('&b;')(xml)}`,
  })
  await refuses('malformed', { tamper: inName('j<!-- -->o') })
  await refuses('malformed', { tamper: inName('<![CDATA[jo]]>') })
  await refuses('malformed', { tamper: inName('j<?x y?>o') })
  await refuses('malformed', { tamper: (xml) => `${xml}<!-- after -->` })
})

test('an XML comment cannot cut a name short', async () => {
  idp.person = { id: 'jo@idp.example.evil.example', email: 'jo@idp.example', displayName: 'Mallory' }
  await refuses('malformed', {
    tamper: (xml) => xml.replace('jo@idp.example.evil.example<', 'jo@idp.example<!-- -->.evil.example<'),
  })
  idp.person = { id: 'jo', email: 'jo@idp.example', displayName: 'Jo Doe' }
})

test('a response that is too large, has too much markup or is no XML is refused', async () => {
  await refuses('malformed', { tamper: () => 'hello' })
  await refuses('malformed', { tamper: () => '' })
  await refuses('malformed', { tamper: () => '<a>' })
  await refuses('request', { tamper: () => '<a/>' })
  await refuses('too-large', {
    tamper: (xml) => xml.replace('</samlp:Response>', `${' '.repeat(300_000)}</samlp:Response>`),
  })
  await refuses('too-large', {
    tamper: (xml) => xml.replace('</samlp:Response>', `${'<a>'.repeat(20_000)}</samlp:Response>`),
  })
  await refuses('malformed', {
    tamper: (xml) =>
      xml.replace(
        '<samlp:Status>',
        `<a ${Array.from({ length: 1300 }, (_, i) => `a${i}=""`).join(' ')}/><samlp:Status>`,
      ),
  })
  await refuses('malformed', { tamper: (xml) => xml.replace('<samlp:Status>', '\u0001<samlp:Status>') })
})

test('a form that is too large, repeats a field or lacks one is answered with a page', async () => {
  const send = async (body: string, type = 'application/x-www-form-urlencoded') => {
    const response = await fetch(acsURL.replace(app.app.url, app.url), {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    })
    return [response.status, response.headers.get('content-type')]
  }
  const page = [400, 'text/html; charset=utf-8']
  assert.deepEqual(await send('x'.repeat(700_000)), page)
  assert.deepEqual(await send('SAMLResponse=a&SAMLResponse=b&RelayState=c'), page)
  assert.deepEqual(await send('RelayState=c'), page)
  assert.deepEqual(await send('{}', 'application/json'), page)
  assert.deepEqual(await send('a', 'text/plain'), page)
})

test('a response for another audience, recipient or destination, or from another issuer, is refused', async () => {
  await refuses('audience', { options: { audience: elsewhere } })
  await refuses('audience', { options: { audience: `${entityID}/` } })
  await refuses('recipient', { options: { recipient: elsewhere } })
  await refuses('recipient', { options: { recipient: undefined } })
  await refuses('recipient', { options: { destination: elsewhere } })
  await refuses('issuer', { options: { issuer: elsewhere } })
})

test('a response to another provider is refused, even from the same identity provider', async () => {
  const other = await anOrganizationWith(app, idp)
  const browser = new Browser(app)
  const before = await made()
  const form = await begin(browser, idp, other.provider.service.startURL)
  assert.equal((await browser.post({ ...form, action: acsURL })).status, 400)
  const own = await begin(browser, idp, startURL)
  assert.equal((await browser.post({ ...own, SAMLResponse: form.SAMLResponse })).status, 400)
  assert.equal(await made(), before)
  assert.equal((await browser.post(await begin(browser, idp, startURL))).status, 303)
})

test('a signature by the certificate of another provider is refused', async () => {
  const otherIdp = await anIdentityProvider()
  await anOrganizationWith(app, otherIdp)
  const { key, certificate } = otherIdp.keys
  await refuses('signature', { options: { key, cert: certificate } })
})

test('an expired or not yet valid response is refused, and a clock off by half a minute is tolerated', async () => {
  await accepts({ clockMs: -minuteMs / 2 })
  await accepts({ clockMs: minuteMs / 2 })
  await refuses('time', { clockMs: 5 * minuteMs })
  await refuses('time', { clockMs: -10 * minuteMs })
  await refuses('time', { options: { lifetimeInSeconds: -3600 } })
})

test('a response is accepted only once, from whatever browser', async () => {
  const browser = new Browser(app)
  const form = await begin(browser, idp, startURL)
  const first = await browser.post(form)
  assert.equal(first.status, 303)
  const before = await made()
  assert.equal((await browser.post(form)).status, 400)
  assert.equal((await reasons()).at(-1), 'repeated')
  assert.equal((await browser.get(first.location)).status, 303)
  assert.equal((await new Browser(app).post(form)).status, 400)
  assert.equal(await made(), before + 1)
})

test('if the same response is posted several times at once, one is accepted', async () => {
  const browser = new Browser(app)
  const form = await begin(browser, idp, startURL)
  const posted = await Promise.all([1, 2, 3].map(() => browser.post(form)))
  assert.deepEqual(posted.map(({ status }) => status).toSorted(), [303, 400, 400])
})

test('a used assertion is refused for another login request as well', async () => {
  const used = await begin(new Browser(app), idp, startURL)
  assert.equal((await new Browser(app).post(used)).status, 303)
  await refuses('request', { tamper: () => Buffer.from(used.SAMLResponse, 'base64').toString() })
  await app.db.run(sql`
    update saml_logins set answer = null, answered_at = null where id = ${used.RelayState}`)
  assert.equal((await new Browser(app).post(used)).status, 400)
  assert.equal((await reasons()).at(-1), 'repeated')
})

test('a response that nobody requested is refused', async () => {
  await refuses('request', { options: { inResponseTo: '_made-up' } })
  await refuses('request', { tamper: (xml) => xml.replace(/(<samlp:Response[^>]*) InResponseTo="[^"]*"/, '$1') })
  const before = await made()
  for (const relayState of ['', 'https://evil.example/', '//evil.example', '00000000-0000-7000-8000-000000000000']) {
    const { seen } = await logIn(app, idp, startURL, { relayState })
    assert.deepEqual([seen.status, seen.location], [400, ''], relayState)
    assert.match(seen.text, /start again/)
  }
  assert.equal(await made(), before)
})

test('a login that was begun or answered too long ago has expired', async () => {
  const browser = new Browser(app)
  const form = await begin(browser, idp, startURL)
  await app.db.run(sql`update saml_logins set created_at = now() - interval '21 minutes' where id = ${form.RelayState}`)
  assert.equal((await browser.post(form)).status, 400)

  const inTime = await begin(browser, idp, startURL)
  const posted = await browser.post(inTime)
  await app.db.run(
    sql`update saml_logins set answered_at = now() - interval '6 minutes' where id = ${inTime.RelayState}`,
  )
  assert.equal((await browser.get(posted.location)).status, 400)
})

test('after too many refused responses in a network, further ones get 429 for a while', async () => {
  const browser = new Browser(app)
  await app.db.run(
    sql`update saml_logins set tries = 100 where id in (select id from saml_logins where answer is null limit 1)`,
  )
  const form = await begin(browser, idp, startURL)
  const refused = await browser.post(form)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '300'])
  await forgetTries()
  assert.equal((await browser.post(form)).status, 303)
})

test('after five refused responses a login accepts no other, and the audit log stops growing', async () => {
  const browser = new Browser(app)
  const form = await begin(browser, idp, startURL)
  const wrong = { ...form, SAMLResponse: Buffer.from('<a/>').toString('base64') }
  const before = (await reasons()).length
  for (let i = 0; i < 8; i++) assert.equal((await browser.post(wrong)).status, 400)
  assert.equal((await reasons()).length, before + 5)
  assert.equal((await browser.post(form)).status, 400)
  const { items } = (await org.admin.client.get(`/v1/orgs/${org.id}/audit-events?action=saml-provider.login-refused`))
    .body
  assert.ok(items.length > 0)
})
