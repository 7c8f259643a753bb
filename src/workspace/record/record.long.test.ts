// The record of an organization, in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aSpace } from '../../../test/content.ts'
import { aStranger, anOrganization } from '../../../test/factories.ts'
import { rowsHandled } from '../../../test/rows-read.ts'
import { expect } from '../../../test/visitor.ts'
import { type Page, Person, tokenIn } from '../../account/testing/person.ts'
import { actions } from '../../audit/catalogue.ts'
import { listEntriesBefore } from '../../audit/queries.ts'
import { sql } from '../../db/sql.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { createToken } from '../../tokens/actions.ts'
import { actionsChosen, choices } from './kinds.ts'

const app = await startApp()
const nothing = (await new Person(app).get('/app/x')).text

async function aHouse() {
  const org = await anOrganization(app)
  const admin = await signedIn(app, org.admin)
  const call = (userId: string, name: string) =>
    app.db.run(sql`update users set display_name = ${name} where id = ${userId}`)
  await call(org.admin.id, 'Ada')
  return { org, admin, call, home: `/app/o/${org.id}`, path: `/app/o/${org.id}/record` }
}

/** The sentences of the record, as people read them. */
const sentencesIn = ({ text }: Page) =>
  [...text.matchAll(/<span class="work-done">([^]*?)<\/span>/g)].map(
    ([, inside]) =>
    inside!.replace(/<[^>]+>/g, '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replace(/\s+/g, ' ').trim(), // prettier-ignore
  )
const nextIn = ({ text }: Page) => /href="([^"]+)">Next</.exec(text)?.[1]?.replaceAll('&amp;', '&')
const anEntry = (organizationId: string, action: string, more: { actor?: string; at?: string } = {}) =>
  app.db.run(sql`
    insert into changes (id, organization_id, action, actor_id, target_type, target_id, at)
    values (${newId()}, ${organizationId}, ${action}, ${more.actor ?? null}, 'space', ${newId()},
      coalesce(${more.at ?? null}::timestamptz, now()))`)

test('administrators read who did what to what, newest first, with current names and links', async () => {
  const { org, admin, call, home, path } = await aHouse()
  const { client } = org.admin
  const [gone, other] = [await org.member('read'), await org.member('edit')]
  await call(gone.id, 'Bo')
  await call(other.id, 'Cy <b>')
  const space = await aSpace(client, org.id)
  expect(await client.patch(`/v1/spaces/${space.id}`, { title: 'Tea' }), 200)
  const team = expect(await client.put(`/v1/orgs/${org.id}/teams`, { title: 'Old' }), 201)
  expect(await client.post(`/v1/spaces/${space.id}/permissions`, { role: 'review', teams: [team.id] }), 204)
  expect(await client.post(`/v1/spaces/${space.id}/permissions`, { role: null, users: [other.id] }), 204)
  expect(await client.patch(`/v1/orgs/${org.id}/teams/${team.id}`, { title: 'New' }), 200)
  expect(await client.put(`/v1/orgs/${org.id}/teams/${team.id}/members/${gone.id}`, {}), 204)
  expect(await client.patch(`/v1/orgs/${org.id}/members/${gone.id}`, { disabled: true }), 200)
  expect(await client.delete(`/v1/orgs/${org.id}/members/${gone.id}`), 204)
  expect(await other.client.delete(`/v1/orgs/${org.id}/members/${other.id}`), 204)

  const webhook = expect(await client.post(`/v1/orgs/${org.id}/webhooks`, { url: 'https://hooks.example/' }), 201)
  const spec = { slug: 'cups', source: { text: '{"openapi":"3.1.0"}' } }
  expect(await client.post(`/v1/orgs/${org.id}/openapi`, spec), 201)

  const page = await admin.get(path)
  assert.ok(page.text.includes(`<a href="${home}/webhooks/${webhook.id}">hooks.example</a>`))
  assert.ok(page.text.includes(`<a href="${home}/specifications/cups">cups</a>`))
  assert.deepEqual(sentencesIn(page).slice(0, 7), [
    'Ada added the specification cups',
    'Ada created the webhook hooks.example',
    'Cy <b> left',
    'Ada removed Bo',
    'Ada suspended Bo',
    'Ada added Bo to the team New',
    'Ada changed the team New',
  ])
  assert.ok(sentencesIn(page).includes('Ada gave the team New a role on the space Tea'))
  assert.ok(sentencesIn(page).includes('Ada removed the access of Cy <b> to the space Tea'))
  assert.ok(page.text.includes(`<a href="${home}/s/${space.id}">Tea</a>`))
  assert.ok(page.text.includes(`<a href="${home}/teams/${team.id}">New</a>`))
  assert.match(page.text, /role: review · with a token · 127\.0\.0\.1/)
  assert.ok(!page.text.includes(`/people/${gone.id}`), 'nobody is led to who has left')

  expect(await client.delete(`/v1/spaces/${space.id}`), 205)
  expect(await client.delete(`/v1/orgs/${org.id}/teams/${team.id}`), 204)
  expect(await client.delete(`/v1/orgs/${org.id}/webhooks/${webhook.id}`), 204)
  const later = await admin.get(path)
  assert.ok(sentencesIn(later).includes('Ada gave a team that no longer exists a role on the space “Tea”'))
  assert.ok(!later.text.includes(`/s/${space.id}"`), 'nobody is led to what is in the trash')
  assert.ok(sentencesIn(later).includes('Ada created a webhook that no longer exists'))
  assert.match((await admin.get(`${home}/settings`)).text, new RegExp(`href="${path}"`))
})

test('record entries about tokens name their owner and who made them', async () => {
  const { org, admin, path } = await aHouse()
  const member = await org.member('read')
  await transaction(app.db, nobody, (tx) => createToken(tx, { userId: member.id, label: 'By the operator' }))
  const { body } = await member.client.post('/v1/user/tokens', { label: 'Own' })
  expect(await member.client.delete(`/v1/user/tokens/${body.id}`), 204)

  const name = member.user.display_name
  const [revoked, made, byOperator] = sentencesIn(await admin.get(path))
  assert.deepEqual([revoked, made], [`${name} revoked an API token`, `${name} made an API token`])
  assert.match(byOperator!, new RegExp(` made an API token for ${name}$`))
})

test('the record can be filtered by action, person and day, paged, and exported as filtered', async () => {
  const { org, admin, path } = await aHouse()
  const busy = await org.member('create')
  const quiet = await org.member('read')
  for (let at = 0; at < 60; at += 1) await anEntry(org.id, 'space.created', { actor: busy.id })
  await anEntry(org.id, 'space.moved', { actor: quiet.id })
  await anEntry(org.id, 'site.created', { actor: busy.id })
  const many = `${path}?what=space.created`
  const first = await admin.get(many)
  assert.equal(sentencesIn(first).length, 50)
  const rest = await admin.get(nextIn(first)!)
  assert.deepEqual([sentencesIn(rest).length, nextIn(rest)], [10, undefined])

  const count = async (query: string) => sentencesIn(await admin.get(`${path}?${query}`)).length
  assert.equal(sentencesIn(await admin.get(nextIn(await admin.get(`${path}?what=spaces`))!)).length, 11)
  assert.equal(await count('what=sites'), 1)
  assert.equal(await count(`person=${quiet.id}`), 1)
  assert.equal(await count(`what=site.created&person=${quiet.user.email}`), 0)
  assert.match((await admin.get(`${path}?person=${quiet.id}`)).text, new RegExp(`name="person" value="${quiet.user.email}"`)) // prettier-ignore
  const today = new Date().toISOString().slice(0, 10)
  assert.equal(await count(`what=sites&from=${today}&to=${today}`), 1)
  assert.equal(await count('what=sites&to=2020-01-01'), 0)
  assert.equal(await count(`what=sites&from=2999-12-31`), 0)
  for (const day of ['0000-01-01', '2026-02-30']) {
    const odd = await admin.get(`${path}?what=sites&from=${day}`)
    assert.equal(odd.status, 400)
    assert.match(odd.text, /role="alert">Enter a day as[^]*<option value="sites"\s+selected/)
    assert.ok(odd.text.includes(`name="from" type="date" value="${day}"`))
  }
  for (const query of ['person=a&person=b', 'what=x', 'page=x', 'what=constructor'])
    assert.equal((await admin.get(`${path}?${query}`)).status, 200, query)
  const elsewhere = await aStranger(app)
  for (const each of [elsewhere.id, elsewhere.user.email]) {
    const page = await admin.get(`${path}?person=${each}`)
    assert.match(page.text, new RegExp(`name="person" value="${each}"[^]*No entry matches`))
  }

  const taken = await admin.get(`${path}/export?what=spaces&person=${busy.user.email}`)
  assert.match(taken.headers.get('content-disposition')!, /attachment/)
  const lines = taken.text.trim().split('\n').map((line) => JSON.parse(line)) // prettier-ignore
  assert.equal(lines.length, 60)
  const { items } = expect(await org.admin.client.get(`/v1/orgs/${org.id}/audit-events?action=space.created`), 200)
  assert.deepEqual(lines.slice(0, 3), items.slice(0, 3))
})

test('every recorded action can be chosen exactly once, and has a readable label', () => {
  const offered = choices.flatMap((kind) => kind.actions)
  assert.deepEqual(offered.map(({ action }) => action).toSorted(), actions.toSorted())
  for (const { action, label } of offered) assert.doesNotMatch(label, /[{}]|undefined/, action)
  for (const { kind } of choices) assert.ok(actionsChosen(kind)!.length > 0, kind)
})

test('filtering a long record by any kind or person reads few rows', async () => {
  const { org } = await aHouse()
  // The oldest entries have an action and a person that do not occur in any newer entry.
  const former = await org.member('read')
  await app.db.run(sql`
    insert into changes (id, organization_id, action, actor_id, target_type, target_id)
    select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${org.id},
      case when n <= 2000 then 'site.published' else 'space.updated' end,
      case when n <= 2000 then ${former.id}::uuid else ${org.admin.id}::uuid end, 'space', 'x'
    from generate_series(1, 40000) n`)
  await app.db.run(sql`analyze changes`)
  const asked = [
    [{}],
    [{ actor: former.id }],
    ...choices.map(({ kind }) => actionsChosen(kind)!.map((action) => ({ action }))),
  ]
  for (const filters of asked) {
    const handled = await rowsHandled(app.db, (db) => listEntriesBefore(db, org.id, filters, undefined, 51))
    assert.ok(handled < 1000, `${JSON.stringify(filters)} handles ${handled} rows`)
  }
})

test('refused actions from the browser are recorded, as those from the API are', async () => {
  const { org, admin, call, home, path } = await aHouse()
  const [maker, other] = [await org.member('create'), await org.member('read')]
  await call(maker.id, 'Mo')
  await call(other.id, 'Bo')
  const label = { label: 'Acme' }
  const at = (await admin.submit(await admin.get(`${home}/single-sign-on`), `${home}/single-sign-on`, label)).location!
  const person = await signedIn(app, maker)
  const form = tokenIn(await person.get('/account'))
  for (const each of [`${at}/delete`, `${home}/webhooks`, `${home}/people/${other.id}/role`])
    assert.equal((await person.post(each, form)).status, 403, each)
  const elsewhere = await aStranger(app)
  expect(await maker.client.patch(`/v1/orgs/${org.id}/members/${elsewhere.id}`, { role: 'admin' }), 403)
  await app.app.audit.flush()
  assert.deepEqual(sentencesIn(await admin.get(`${path}?what=refusals`)).toSorted(), [
    'Mo asked for what they may not do with Bo',
    'Mo asked for what they may not do with somebody',
    'Mo asked for what they may not do with the identity provider Acme',
    'Mo asked for what they may not do with the organization',
  ])
})

test('only administrators can read or export the record', async () => {
  const { org, home, path } = await aHouse()
  const maker = await signedIn(app, await org.member('create'))
  const stranger = await signedIn(app, await aStranger(app))
  for (const each of [path, `${path}/export`]) {
    assert.equal((await maker.get(each)).location, home, each)
    assert.equal((await stranger.get(each)).text, nothing, each)
    assert.match((await new Person(app).get(each)).location!, /^\/login/)
  }
})
