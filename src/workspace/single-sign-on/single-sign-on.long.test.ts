// Single sign-on of an organization, set up in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger, anOrganization } from '../../../test/factories.ts'
import { stateOf } from '../../../test/state.ts'
import { expect } from '../../../test/visitor.ts'
import { type Page, Person, tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { anIdentityProvider, logIn } from '../../saml/testing/login.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()
const idp = await anIdentityProvider()
const nothing = (await new Person(app).get('/app/x')).text
const { entityID: entity, ssoURL: address, certificate } = idp.settings
const complete = { entity, address, certificate }

async function aHouse() {
  const org = await anOrganization(app)
  const home = `/app/o/${org.id}`
  const path = `${home}/single-sign-on`
  const admin = await signedIn(app, org.admin)
  const add = async (label: string) => (await admin.submit(await admin.get(path), path, { label })).location!
  const save = async (at: string, fields: Record<string, string>) =>
    admin.submit(await admin.get(at), at, { ...fieldsIn(await admin.get(at)), ...fields })
  const insist = async (insisting: string) => admin.submit(await admin.get(path), `${path}/insisting`, { insisting })
  const providers = async () => expect(await org.admin.client.get(`/v1/orgs/${org.id}/saml`), 200).items
  return { org, home, path, admin, add, save, insist, providers }
}

/** Returns the values of the fields of a provider, as a browser would send them. */
function fieldsIn({ text }: Page): Record<string, string> {
  const typed = [...text.matchAll(/<input name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!])
  const areas = [...text.matchAll(/<textarea name="(\w+)"[^>]*>\n([^<]*)</g)].map(([, name, value]) => [
    name!,
    value!.replace(/\r?\n/g, '\r\n'),
  ])
  const chosen = text.split('<select name="').slice(1).map((each) => [each.split('"')[0]!, /value="([^"]*)"\s+selected/.exec(each.split('</select>')[0]!)?.[1] ?? '']) // prettier-ignore
  return Object.fromEntries([...typed, ...areas, ...chosen])
}

const said = ({ text }: Page) => /role="alert">([^<]*)/.exec(text)?.[1]

test('an identity provider is set up in the browser alone, and new people get the chosen role and team', async () => {
  const { org, home, path, admin, add, save, providers } = await aHouse()
  const team = expect(await org.admin.client.put(`/v1/orgs/${org.id}/teams`, { title: 'Newcomers' }), 201)
  assert.ok((await admin.get(`${home}/settings`)).text.includes(`href="${path}"`))
  const at = await add('Acme')
  const empty = await admin.get(at)
  const base = `http://lectern.test${at.replace(home, `/saml/${org.id}`).replace('/single-sign-on', '')}`
  for (const each of [base, `${base}/acs`, `${base}/start`])
    assert.ok(empty.text.includes(`<code>${each}</code>`), each)
  assert.ok(empty.text.includes(`href="${base}"`), 'our metadata')
  assert.match(empty.text, /not set up yet[^]*missing below: its entity ID, its address, its certificate\./)

  const saved = await save(at, { ...complete, role: 'comment', team: team.id })
  const page = await admin.follow(saved)
  assert.match(page.text, /Saved\.[^]*The certificate expires on/)
  assert.match(page.text, /works<\/span>/)
  assert.match((await admin.get(path)).text, /Acme[^]*certificate until[^]*works/)
  idp.person = { id: 'first', email: 'first@idp.example', displayName: 'First' }
  const { seen } = await logIn(app, idp, page.text.match(/<a href="([^"]+)">Try it/)![1]!)
  assert.equal(seen.location, '/account')
  const { items } = expect(await org.admin.client.get(`/v1/orgs/${org.id}/members?search=first@idp`), 200)
  assert.deepEqual([items[0].role, items[0].teams, items[0].sso], ['comment', 1, true])

  const [{ id }] = await providers()
  expect(await org.admin.client.patch(`/v1/orgs/${org.id}/saml/${id}`, { certificate }), 200)
  const before = await stateOf(app.db)
  assert.equal((await save(at, {})).status, 303)
  assert.equal(await stateOf(app.db), before, 'what is saved as it was is no change')
  await app.db.run(sql`update saml_providers set certificate_expires_at = now() - interval '1 day' where id = ${id}`)
  assert.match((await admin.get(at)).text, /The certificate expired on[^]*save its\s+current certificate/)
})

test('invalid settings are refused with the reason, stay in the form, and change nothing', async () => {
  const { org, path, admin, add, save } = await aHouse()
  const at = await add('Acme')
  await save(at, complete)
  const theirs = await aStranger(app)
  const before = await stateOf(app.db)
  const wrong: [Record<string, string>, RegExp][] = [
    [{ certificate: 'hello <b>' }, /^The certificate must be an X\.509 certificate/],
    [{ address: 'javascript:alert(1)' }, /^The address for logins must be an http/],
    [{ address: `https://idp.example/${'x'.repeat(2048)}` }, /^The address for logins/],
    [{ label: '' }, /^The name/],
    [{ role: 'owner' }, /^Choose one of the roles/],
    [{ team: newId() }, /^The team of new members: there is no such team/],
    [{ team: 'x' }, /team/],
    [{ entity: 'x'.repeat(1025) }, /^The entity ID/],
  ]
  for (const [fields, sentence] of wrong) {
    const page = await save(at, { entity: 'https://kept.example', ...fields })
    assert.ok(page.status === 400 || page.status === 409, `${page.status}`)
    assert.match(said(page)!, sentence)
    if (fields.entity === undefined) assert.match(page.text, /name="entity" value="https:\/\/kept\.example"/)
  }
  for (const label of ['', ' ', 'x'.repeat(31)])
    assert.match(said(await admin.submit(await admin.get(path), path, { label }))!, /^The name/)
  for (const odd of [`${path}/${newId()}`, at.replace(org.id, theirs.id)])
    assert.equal((await admin.get(odd)).text, nothing)
  assert.equal(await stateOf(app.db), before)
})

test('a setting changed by another administrator is reported and not overwritten, and other settings are saved', async () => {
  const { admin, add, save, providers } = await aHouse()
  const at = await add('Acme')
  const old = await admin.get(at)
  await save(at, { entity: 'https://theirs.example' })
  const beside = await admin.submit(old, at, { ...fieldsIn(old), role: 'edit' })
  assert.equal(beside.status, 303)
  assert.deepEqual((await providers()).map((each: any) => [each.entityID, each.defaultRole]), [['https://theirs.example', 'edit']]) // prettier-ignore
  const late = await admin.submit(old, at, { ...fieldsIn(old), entity: 'https://mine.example' })
  assert.equal(late.status, 409)
  assert.match(said(late)!, /Somebody has changed this[^]*the entity ID \(now “https:\/\/theirs\.example”\)/)
  assert.match(late.text, /value="https:\/\/mine\.example"/)
  assert.equal((await providers())[0].entityID, 'https://theirs.example')
  assert.equal((await admin.submit(late, at, fieldsIn(late))).status, 303)
  assert.deepEqual((await providers()).map((each: any) => [each.entityID, each.defaultRole]), [['https://mine.example', 'edit']]) // prettier-ignore
})

test('with too many teams to list, the team for new members is entered by name, and can be removed again', async () => {
  const { org, admin, add, save, providers } = await aHouse()
  const at = await add('Acme')
  await app.db.run(sql`
    insert into teams (id, organization_id, title)
    select gen_random_uuid(), ${org.id}, 'Team ' || n from generate_series(1, 201) n`)
  const team = async () => (await providers())[0].defaultTeam?.title
  assert.equal((await save(at, { name: 'team 7' })).status, 303)
  assert.equal(await team(), 'Team 7')
  assert.match((await admin.get(at)).text, /name="name" value="Team 7"/)
  assert.match(said(await save(at, { name: 'Nobody' }))!, /There is no team with this name/)
  assert.equal((await save(at, { role: 'edit' })).status, 303)
  assert.equal(await team(), 'Team 7')
  assert.equal((await save(at, { name: ' ' })).status, 303)
  assert.equal(await team(), undefined)
})

test('pasted provider metadata replaces the settings, and invalid metadata is refused with the reason and kept', async () => {
  const { admin, add, save, providers } = await aHouse()
  const at = await add('Acme')
  const metadata = `<EntityDescriptor entityID="${entity}"><IDPSSODescriptor WantAuthnRequestsSigned="true"><KeyDescriptor>
    <KeyInfo><X509Data><X509Certificate>${certificate.replaceAll(/-----[^-]*-----/g, '')}</X509Certificate></X509Data></KeyInfo>
    </KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${address}"/>
    </IDPSSODescriptor></EntityDescriptor>`
  const refused = await save(at, { metadata: metadata.slice(0, -1), label: 'Kept' })
  assert.deepEqual([refused.status, said(refused)?.slice(0, 25)], [400, 'The metadata must be XML,'])
  assert.match(refused.text, /<textarea name="metadata"[^>]*>\n&lt;EntityDescriptor[^]*name="label" value="Kept"/)
  const page = await admin.follow(await save(at, { metadata }))
  assert.match(page.text, /works<\/span>[^]*Requests to the provider are signed\./)
  assert.doesNotMatch(page.text, /EntityDescriptor/)
  assert.deepEqual((await providers()).map((each: any) => [each.entityID, each.ssoURL, each.signRequests]), [[entity, address, true]]) // prettier-ignore
})

test('request signing is turned on and off, and its keys are created, replaced and removed with instructions', async () => {
  const { admin, add, save, providers } = await aHouse()
  const at = await add('Acme')
  await save(at, complete)
  const keys = async () => (await providers())[0].keys.map(({ use }: { use: string }) => use)
  const empty = await admin.get(at)
  assert.match(empty.text, /Only if the provider requires it[^]*Some providers accept only signed requests/)
  const made = await Promise.all([1, 2].map(() => admin.submit(empty, `${at}/keys`, { seen: '0' })))
  assert.deepEqual([made.map(({ status }) => status), await keys()], [[303, 303], ['current']], 'two clicks, one key')
  const one = await admin.follow(made[0]!)
  assert.match(one.text, /Key created\.[^]*BEGIN CERTIFICATE[^]*Requests to the provider are not signed/)
  assert.doesNotMatch(one.text, /PRIVATE KEY/)

  const first = (await providers())[0].keys[0].id
  await admin.submit(one, `${at}/keys/${first}/delete`)
  assert.deepEqual(await keys(), [])
  assert.match((await admin.follow(await save(at, { signing: 'yes' }))).text, /Requests to the provider are signed\./)
  const [{ id }] = (await providers())[0].keys
  const { form } = tokenIn(await admin.get(at))
  const refused = await admin.post(`${at}/keys/${id}/delete`, { form })
  assert.deepEqual([refused.status, said(refused)], [409, 'Requests are signed with this key. Create another one first, or stop signing requests.']) // prettier-ignore

  await admin.submit(await admin.get(at), `${at}/keys`, { seen: '1' })
  const both = await admin.get(at)
  assert.match(both.text, /New certificate of Lectern[^]*the old one on[^]*Remove the old key/)
  const gone = await Promise.all([1, 2].map(() => admin.submit(both, `${at}/keys/${id}/delete`)))
  assert.deepEqual([gone.map(({ status }) => status), await keys()], [[303, 303], ['current']])
  assert.equal((await save(at, { signing: 'no' })).status, 303)
  assert.equal((await providers())[0].signRequests, false)
})

test('before an identity provider is deleted, the page names its members and how they will sign in', async () => {
  const { org, path, admin, add, save, insist, providers } = await aHouse()
  const at = await add('Acme')
  await save(at, complete)
  assert.match((await admin.get(at)).text, /Nobody has signed in through it yet/)
  const { startURL } = (await providers())[0].service
  idp.person = { id: 'leaving', email: 'leaving@idp.example', displayName: 'Lee <b>' }
  const { browser } = await logIn(app, idp, startURL)
  const page = await admin.get(at)
  assert.match(
    page.text,
    /1 member signed in through it[^]*: Lee &lt;b&gt;\. They are signed\s+out at once[^]*They sign in with a code from the operator of this server/,
  )
  await insist('on')
  const shutOut =
    /No other provider works[^]*1 member must use single sign-on: they could no longer sign\s+in[^]*Administrators can still sign in with a code/
  assert.match((await admin.get(at)).text, shutOut)
  await save(at, { certificate: '' })
  const unfinished = (await admin.get(at)).text
  assert.match(unfinished, /missing below: its certificate\.[^]*1 member signed in through it and cannot use codes/)
  assert.match(unfinished, shutOut)
  await save(at, complete)
  const other = await add('Other')
  await save(other, complete)
  assert.match(
    (await admin.get(at)).text,
    /They sign in through another of your identity providers, with the same address\.\s*</,
  )

  const [one, two] = await Promise.all([1, 2].map(() => admin.submit(page, `${at}/delete`)))
  assert.deepEqual([one!.status, two!.status], [303, 303])
  assert.match((await admin.follow(one!)).text, /Identity provider deleted/)
  assert.deepEqual((await providers()).map(({ label }: any) => label), ['Other']) // prettier-ignore
  assert.equal((await admin.get(at)).text, nothing)
  const lee = new Person(app)
  lee.cookies.set('lectern-session', browser.cookies.get('lectern-session')!)
  assert.match((await lee.get(`/app/o/${org.id}`)).location!, /^\/login/, 'they are signed out')
  assert.equal((await admin.get(path)).status, 200)
})

test('members can be marked for single sign-on, and once it is required, no other sign-in lets them in', async () => {
  const { org, home, path, admin, add, save, insist } = await aHouse()
  const member = await org.member('edit')
  const at = `${home}/people/${member.id}`
  assert.doesNotMatch((await admin.get(at)).text, /Mark for single sign-on/, 'there is none')
  const provider = await add('Acme')
  await save(provider, complete)
  const page = await admin.get(at)
  assert.match(page.text, /while single sign-on is required here/)
  const marked = await admin.follow(await admin.submit(page, `${at}/single-sign-on`))
  assert.match(marked.text, /Marked for single sign-on\./)
  assert.doesNotMatch(marked.text, /Mark for single sign-on/)
  assert.match((await admin.get(`${home}/record?what=people`)).text, /changed: single sign-on/)
  const person = await signedIn(app, member)
  assert.equal((await person.get(home)).status, 200)
  assert.match((await admin.get(path)).text, /1 member is marked/)
  const late = await admin.get(path)
  assert.match((await admin.follow(await insist('on'))).text, /Saved\.[^]*value="on"\s+checked/)
  const next = `${home}/people/${(await org.member('edit')).id}`
  const warned = /and codes and tokens no longer let them in here/
  assert.match((await admin.get(next)).text, warned)
  assert.doesNotMatch((await admin.get(`${home}/people/${org.admin.id}`)).text, warned, 'administrators are spared')
  await save(provider, { certificate: '' })
  assert.match((await admin.get(next)).text, /No identity provider is working, so they could not sign in/)
  assert.equal((await person.get(home)).text, nothing)
  expect(await member.client.get(`/v1/orgs/${org.id}`), 404)
  assert.equal((await admin.get(home)).status, 200)
  assert.equal((await insist('maybe')).status, 409)
  assert.equal((await admin.submit(late, `${path}/insisting`, { insisting: 'on' })).status, 303)
  await insist('off')
  assert.match((await person.get(home)).text, /<h1>/)
})

test('a SCIM token is shown once, manages only members, and repeated clicks or a reload create no second one', async () => {
  const { org, path, admin } = await aHouse()
  const page = await admin.get(path)
  const url = `/v1/orgs/${org.id}/scim/v2`
  assert.ok(page.text.includes(`<code>http://lectern.test${url}</code>`))
  const made = await Promise.all([1, 2].map(() => admin.submit(page, `${path}/token`, { life: '30' })))
  const [secret, again] = made.map(({ text }) => /lct_[\w-]+/.exec(text)![0])
  assert.equal(secret, again)
  assert.match(made[0]!.text, /<h1>[^]*Copy the token now[^]*lct_[^]*<h2/, 'it is the first thing that is seen')
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
  const reloaded = await admin.submit(page, `${path}/token`, { life: '30' })
  mock.timers.reset()
  assert.ok(reloaded.text.includes(secret!))
  assert.ok(!(await admin.get(path)).text.includes('lct_'))
  const client = app.client(secret, [org.canary])
  expect(await client.get(`${url}/Users`), 200)
  expect(await client.get(`/v1/orgs/${org.id}/saml`), 403)
  const tokens = await app.db.all(sql<{ days: number }>`
    select extract(day from expires_at - created_at)::int as days from tokens
    where user_id = ${org.admin.id} and label = 'SCIM'`)
  assert.deepEqual(tokens.map(({ days }) => days >= 29), [true]) // prettier-ignore
  for (const life of ['', '5', 'constructor'])
    assert.match(said(await admin.submit(page, `${path}/token`, { life }))!, /how long the token is valid/)
})

test('only administrators can see or change single sign-on, and forged forms are refused', async () => {
  const { org, home, path, admin, add } = await aHouse()
  const at = await add('Acme')
  const [member, maker] = [await org.member('read'), await signedIn(app, await org.member('create'))]
  const stranger = await signedIn(app, await aStranger(app))
  const before = await stateOf(app.db)
  const fields = { label: 'x', insisting: 'on', seen: 'off', life: '30' }
  const formOf = async (person: Person) => tokenIn(await person.get('/account'))
  for (const each of [path, at]) {
    assert.equal((await maker.get(each)).location, home)
    assert.equal((await stranger.get(each)).text, nothing)
    assert.match((await new Person(app).get(each)).location!, /^\/login/)
  }
  const marking = `${home}/people/${member.id}/single-sign-on`
  for (const each of [
    path,
    `${path}/insisting`,
    `${path}/token`,
    at,
    `${at}/keys`,
    `${at}/keys/${newId()}/delete`,
    `${at}/delete`,
    marking,
  ]) {
    assert.equal((await maker.post(each, { ...(await formOf(maker)), ...fields })).status, 403, each)
    assert.equal((await stranger.post(each, { ...(await formOf(stranger)), ...fields })).text, nothing, each)
    const own = { ...(await formOf(admin)), ...fields }
    assert.equal((await admin.post(each, own, { origin: 'https://evil.example' })).status, 403, each)
    assert.equal((await admin.post(each, { ...fields, form: 'x.x' })).status, 403, each)
  }
  assert.equal(await stateOf(app.db), before)
})
