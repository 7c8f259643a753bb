// Our keys, for providers that want signed requests or encrypt their responses.
import assert from 'node:assert/strict'
import { X509Certificate, createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger } from '../../../test/factories.ts'
import { stateOf } from '../../../test/state.ts'
import { expect } from '../../../test/visitor.ts'
import { sql } from '../../db/sql.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import { addKey } from './keys.actions.ts'
import { makeKeyPair } from './self-signed.ts'
import { Browser } from '../testing/browser.ts'
import { makeCertificate } from '../testing/certificate.ts'
import { type Encrypting, encryptAssertion } from '../testing/encryption.ts'
import { type TestLogin, anIdentityProvider, anOrganizationWith, begin, logIn } from '../testing/login.ts'

const app = await startApp()
const idp = await anIdentityProvider()
const house = await anOrganizationWith(app, idp)
const key = expect(await house.org.admin.client.post(`${house.path}/keys`), 201)
const { startURL } = house.provider.service

const showing = async ({ org, path }: TestLogin) => expect(await org.admin.client.get(path), 200)
const useOf = async (login: TestLogin) =>
  (await showing(login)).keys.map(({ id, use }: { id: string; use: string }) => [id, use])
const metadataOf = async ({ provider }: TestLogin) => (await new Browser(app).get(provider.service.entityID)).text
const bare = (pem: string) => pem.replaceAll(/-----[^-]*-----|\s/g, '')

/** The certificates in our metadata, in their order. */
async function certificatesFor(use: 'signing' | 'encryption', login: TestLogin): Promise<string[]> {
  const descriptors = (await metadataOf(login)).split('<KeyDescriptor').filter((each) => each.includes(`use="${use}"`))
  return descriptors.map((each) => /X509Certificate>([^<]+)</.exec(each)![1]!)
}

const reasons = async () =>
  (
    await app.db.all(sql<{ reason: string }>`
      select details->>'reason' as reason from changes where action = 'saml-provider.login-refused' order by id`)
  ).map(({ reason }) => reason)

const encrypting = (how: Encrypting = {}, certificate = key.certificate) => ({
  tamper: (xml: string) => encryptAssertion(xml, certificate, how),
})

const accepts = async (how: Encrypting, message: string) =>
  assert.equal((await logIn(app, idp, startURL, encrypting(how))).seen.status, 303, message)

test('a key is made for one provider as a self-signed certificate, and its private half is never shown', async () => {
  const certificate = new X509Certificate(key.certificate)
  assert.ok(certificate.verify(certificate.publicKey))
  assert.ok(certificate.checkIssued(certificate))
  assert.equal(certificate.publicKey.asymmetricKeyDetails?.modulusLength, 3072)
  assert.equal(certificate.subject, 'CN=lectern.test')
  assert.equal(new Date(certificate.validTo).toISOString(), key.expiresAt)
  const shown = await showing(house)
  assert.deepEqual([shown.signRequests, shown.keys], [false, [key]])
  assert.ok(!JSON.stringify([shown, key, await metadataOf(house)]).includes('PRIVATE'))
  const [row] = await app.db.all(sql<{ private_key_sealed: Buffer }>`select private_key_sealed from saml_keys`)
  assert.ok(!row!.private_key_sealed.toString('latin1').includes('PRIVATE'), 'it is sealed')
})

test('our metadata lists the keys for signing and encryption, and none if there are none', async () => {
  const other = await anOrganizationWith(app, idp)
  assert.doesNotMatch(await metadataOf(other), /KeyDescriptor/)
  assert.match(await metadataOf(other), /AuthnRequestsSigned="false"/)
  for (const use of ['signing', 'encryption'] as const)
    assert.deepEqual(await certificatesFor(use, house), [bare(key.certificate)])
  assert.match(await metadataOf(house), /EncryptionMethod Algorithm="[^"]*#aes256-gcm"/)
  assert.doesNotMatch(await metadataOf(house), /rsa-1_5|cbc/)
})

test("login requests are signed with the provider's own key if it asks for that", async () => {
  const login = await anOrganizationWith(app, idp, { signRequests: true })
  const { keys, signRequests } = await showing(login)
  assert.deepEqual([signRequests, keys.length, keys[0].use], [true, 1, 'current'], 'a key was made for it')
  assert.match(await metadataOf(login), /AuthnRequestsSigned="true"/)
  const { location } = await new Browser(app).get(login.provider.service.startURL)
  assert.ok(isSignedWith(keys[0].certificate, location))
  assert.ok(!isSignedWith(key.certificate, location))
  assert.equal((await logIn(app, idp, login.provider.service.startURL)).seen.status, 303)

  expect(await login.org.admin.client.patch(login.path, { signRequests: false }), 200)
  const unsigned = await new Browser(app).get(login.provider.service.startURL)
  assert.equal(new URL(unsigned.location).searchParams.get('Signature'), null)
})

/** Verifies it as a provider does: the query as it was sent, up to the signature. */
function isSignedWith(certificate: string, location: string): boolean {
  const { search, searchParams } = new URL(location)
  assert.equal(searchParams.get('SigAlg'), 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')
  const signed = ['SAMLRequest', 'RelayState', 'SigAlg'].map((name) => new RegExp(`${name}=[^&]+`).exec(search)![0])
  const signature = Buffer.from(searchParams.get('Signature')!, 'base64')
  return verify('sha256', Buffer.from(signed.join('&')), createPublicKey(certificate), signature)
}

test('a key can be replaced while people go on signing in', async () => {
  const login = await anOrganizationWith(app, idp, { signRequests: true })
  const { client } = login.org.admin
  const { startURL } = login.provider.service
  const [old] = (await showing(login)).keys
  const signedWith = async ({ certificate }: { certificate: string }) =>
    isSignedWith(certificate, (await new Browser(app).get(startURL)).location)
  const reads = async ({ certificate }: { certificate: string }) =>
    (await logIn(app, idp, startURL, encrypting({}, certificate))).seen.status === 303

  const next = expect(await client.post(`${login.path}/keys`), 201)
  assert.deepEqual(await useOf(login), [[old.id, 'current'], [next.id, 'next']]) // prettier-ignore
  assert.deepEqual([await signedWith(old), await reads(old), await reads(next)], [true, true, true])
  assert.deepEqual(await certificatesFor('signing', login), [bare(old.certificate), bare(next.certificate)])
  assert.deepEqual(await certificatesFor('encryption', login), [bare(next.certificate), bare(old.certificate)])
  expect(await client.post(`${login.path}/keys`), 409)

  expect(await client.delete(`${login.path}/keys/${old.id}`), 204)
  assert.deepEqual(await useOf(login), [[next.id, 'current']])
  assert.deepEqual([await signedWith(next), await reads(old), await reads(next)], [true, false, true])
  expect(await client.delete(`${login.path}/keys/${old.id}`), 404)
})

test('the last key cannot be removed while requests are signed with it', async () => {
  const login = await anOrganizationWith(app, idp, { signRequests: true })
  const { client } = login.org.admin
  const [only] = (await showing(login)).keys
  expect(await client.delete(`${login.path}/keys/${only.id}`), 409)
  expect(await client.patch(login.path, { signRequests: false }), 200)
  expect(await client.delete(`${login.path}/keys/${only.id}`), 204)
  const { startURL } = login.provider.service
  assert.equal((await logIn(app, idp, startURL, encrypting({}, only.certificate))).seen.status, 400)
  assert.equal((await reasons()).at(-1), 'encrypted')
  assert.equal((await logIn(app, idp, startURL)).seen.status, 303)
})

test('of three simultaneous requests for a first key, two make one and the third gets 409', async () => {
  const login = await anOrganizationWith(app, idp)
  const made = await Promise.all([1, 2, 3].map(() => login.org.admin.client.post(`${login.path}/keys`)))
  assert.deepEqual(made.map(({ status }) => status).toSorted(), [201, 201, 409])
  assert.equal((await showing(login)).keys.length, 2)
})

test('of two key creations at once, the one that finishes later makes the later key, whichever began first', async () => {
  const login = await anOrganizationWith(app, idp)
  const provider = { organization_id: login.org.id, id: login.provider.id }
  const [early, late] = await Promise.all(['early', 'late'].map(makeKeyPair))
  const first = await transaction(app.db, nobody, async (waiting) => {
    // The time within a transaction is that of its beginning.
    await waiting.run(sql`select now()`)
    const first = await transaction(app.db, nobody, (tx) => addKey(tx, app.app.secrets, provider, early!))
    const second = await addKey(waiting, app.app.secrets, provider, late!)
    assert.equal(second.certificate, late!.certificate)
    return first
  })
  assert.deepEqual((await useOf(login))[0], [first.id, 'current'], 'the provider may know it by now')
})

test('a key belongs to its provider, and only administrators add or remove one', async () => {
  const other = await anOrganizationWith(app, idp)
  const { client } = other.org.admin
  const [creator, stranger] = [await house.org.member('create'), await aStranger(app)]
  const before = await stateOf(app.db)
  expect(await client.delete(`${other.path}/keys/${key.id}`), 404)
  expect(await client.delete(`${other.path}/keys/${newId()}`), 404)
  expect(await client.post(`${house.path}/keys`), 404)
  for (const [person, status] of [
    [creator, 403],
    [stranger, 404],
  ] as const) {
    // prettier-ignore
    expect(await person.client.post(`${house.path}/keys`), status)
    expect(await person.client.delete(`${house.path}/keys/${key.id}`), status)
  }
  assert.equal(await stateOf(app.db), before)
})

test('adding and removing keys is recorded in the audit log, without the keys', async () => {
  const login = await anOrganizationWith(app, idp)
  const { client } = login.org.admin
  const made = expect(await client.post(`${login.path}/keys`), 201)
  expect(await client.delete(`${login.path}/keys/${made.id}`), 204)
  const { items } = expect(await client.get(`/v1/orgs/${login.org.id}/audit-events`), 200)
  const actions = items.map(({ action }: { action: string }) => action)
  assert.deepEqual(actions.slice(0, 2), ['saml-provider.key-removed', 'saml-provider.key-added'])
  assert.ok(!JSON.stringify(items).includes('CERTIFICATE'))
})

test('an encrypted assertion is read with every sound cipher, hash and layout that providers use', async () => {
  for (const cipher of ['aes-128-cbc', 'aes-192-cbc', 'aes-256-cbc', 'aes-128-gcm', 'aes-256-gcm'] as const)
    await accepts({ cipher }, cipher)
  for (const hash of ['sha1', 'sha256', 'sha512'] as const) await accepts({ transport: 'rsa-oaep', hash }, hash)
  await accepts({ isKeyBeside: true }, 'the key beside the data')
  await accepts({ plaintext: (each) => `<?xml version="1.0"?>${each}` }, 'with a declaration')
  const encryptionPublicKey = createPublicKey(key.certificate).export({ type: 'spki', format: 'pem' })
  for (const encryptionAlgorithm of [
    'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  ]) {
    // prettier-ignore
    const lax = { disallowEncryptionWithInsecureAlgorithm: false, warnOnInsecureEncryptionAlgorithm: false }
    const options = { encryptionCert: key.certificate, encryptionPublicKey, encryptionAlgorithm, ...lax }
    assert.equal((await logIn(app, idp, startURL, { options })).seen.status, 303, encryptionAlgorithm)
    const around = { ...options, signResponse: true }
    assert.equal((await logIn(app, idp, startURL, { options: around })).seen.status, 303, 'signed around it as well')
  }
})

test('a weakly encrypted assertion is refused, with that reason', async () => {
  const weak: [string, Encrypting][] = [
    ['RSA 1.5', { transport: 'rsa-1_5' }],
    ['triple DES', { cipher: 'des-ede3-cbc' }],
    ['a hash that Node does not take for one part', { hash: 'sha256' }],
    ['a label', { extra: '<e:OAEPparams>AAAA</e:OAEPparams>' }],
  ]
  for (const [name, how] of weak) {
    const { seen } = await logIn(app, idp, startURL, encrypting(how))
    assert.deepEqual([seen.status, (await reasons()).at(-1)], [400, 'weak-encryption'], name)
    assert.match(seen.text, /RSA-OAEP/)
  }
})

test('an encrypted assertion counts only by its own signature, because anyone can encrypt for us', async () => {
  const other = makeCertificate()
  const signature = /<Signature .*?<\/Signature>/s
  const inside = (change: (assertion: string) => string): Encrypting => ({ plaintext: change })
  const forged: [string, string, Encrypting, object?][] = [
    ['no signature', 'unsigned', inside((xml) => xml.replace(signature, ''))],
    ['one around it alone', 'unsigned', {}, { signAssertion: false, signResponse: true }],
    ['another key', 'signature', {}, { key: other.key, cert: other.certificate }],
    ['another name', 'signature', inside((xml) => xml.replace(/(<saml:NameID[^>]*>)[^<]*/, '$1boss'))],
    ['SHA-1', 'algorithm', {}, { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' }],
    ['a comment', 'malformed', inside((xml) => xml.replace(/(<saml:NameID[^>]*>)jo/, '$1j<!-- -->o'))],
    ['a type', 'malformed', inside((xml) => `<!DOCTYPE x>${xml}`)],
    ['two of them', 'malformed', inside((xml) => xml + xml.replace(/ ID="[^"]*"/, ' ID="_b"').replace(signature, ''))],
    ['no XML', 'malformed', inside(() => 'hello')],
    ['an end of the envelope', 'malformed', inside((xml) => `</samlp:Response>${xml}`)],
    ['another one inside', 'encrypted', inside(() => '<x:EncryptedAssertion xmlns:x="x"/>')],
    ['a name that is encrypted', 'encrypted', inside((xml) => xml.replaceAll(/<(\/?)saml:NameID\b[^>]*>/g, '<$1saml:EncryptedID>'))], // prettier-ignore
  ]
  const count = async () => (await app.db.one(sql<{ count: number }>`select count(*) from sessions`)).count
  const before = await count()
  for (const [name, reason, how, options = {}] of forged) {
    const { seen } = await logIn(app, idp, startURL, { options, ...encrypting(how) })
    assert.deepEqual([seen.status, (await reasons()).at(-1)], [400, reason], name)
  }
  assert.equal(await count(), before)
})

test('a changed encrypted response does not reveal what is wrong with it', async () => {
  const flipped = (at: number) => (bytes: Buffer) => {
    const changed = Buffer.from(bytes)
    changed[changed.length - at]! ^= 1
    return changed
  }
  const changed: [string, Encrypting, string?][] = [
    ['the padding', { cipher: 'aes-256-cbc', damage: flipped(17) }],
    ['the text', { cipher: 'aes-256-cbc', damage: flipped(400) }],
    ['the beginning', { cipher: 'aes-256-cbc', damage: (bytes) => flipped(bytes.length)(bytes) }],
    ['a tag', { damage: flipped(1) }],
    ['all of it', { damage: () => Buffer.from('short') }],
    ['no signature', { plaintext: (xml) => xml.replace(/<Signature .*?<\/Signature>/s, '') }],
    ['another key', {}, makeCertificate().certificate],
  ]
  const told = new Set<string>()
  for (const [name, how, certificate] of changed) {
    const { seen } = await logIn(app, idp, startURL, encrypting(how, certificate))
    assert.equal(seen.status, 400, name)
    told.add(seen.text.replaceAll(/[\w-]{20,}/g, ''))
  }
  assert.equal(told.size, 1)
  assert.match([...told][0]!, /not encrypted for one of Lectern’s keys, or was not signed/)
})

test('an oddly wrapped encrypted assertion is refused as malformed', async () => {
  await app.db.run(sql`update saml_logins set tries = 0`)
  const odd: [string, (xml: string) => string][] = [
    ['two keys', (xml) => xml.replace(/<e:EncryptedKey.*<\/e:EncryptedKey>/s, (each) => each + each)],
    ['no key', (xml) => xml.replace(/<e:EncryptedKey.*<\/e:EncryptedKey>/s, '')],
    ['elsewhere', (xml) => xml.replace(/<xenc:CipherValue>[^<]*<\/xenc:CipherValue>/, '<xenc:CipherReference URI="http://x"/>')], // prettier-ignore
    ['no base64', (xml) => xml.replace(/<xenc:CipherValue>/, '$&&amp;')],
    ['two methods', (xml) => xml.replace(/<xenc:EncryptionMethod[^>]*>/, (each) => each + each)],
    ['no data', (xml) => xml.replace(/<xenc:EncryptedData.*<\/xenc:EncryptedData>/s, '')],
  ]
  for (const [name, change] of odd) {
    const { seen } = await logIn(app, idp, startURL, { tamper: (xml) => change(encrypting().tamper(xml)) })
    assert.deepEqual([seen.status, (await reasons()).at(-1)], [400, 'malformed'], name)
  }
})

test('an encrypted response is accepted once, and only for its own login', async () => {
  const browser = new Browser(app)
  const form = await begin(browser, idp, startURL, encrypting())
  assert.equal((await browser.post(form)).status, 303)
  assert.equal((await browser.post(form)).status, 400)
  assert.equal((await reasons()).at(-1), 'repeated')
  const other = await begin(browser, idp, startURL)
  assert.equal((await browser.post({ ...other, SAMLResponse: form.SAMLResponse })).status, 400)
})
