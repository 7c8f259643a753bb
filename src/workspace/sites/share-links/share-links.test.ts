// The expiry of secret links, in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/app.ts'
import { expect } from '../../../../test/visitor.ts'
import { type Page, tokenIn } from '../../../account/testing/person.ts'
import { sql } from '../../../db/sql.ts'
import { newId } from '../../../ids.ts'
import { aKeeper, refused } from '../testing/keeper.ts'

const app = await startApp()

async function aSharer() {
  const made = await aKeeper(app)
  expect(await made.who.patch(made.api, { visibility: 'share-link' }), 200)
  return made
}

test('a share link expires when its creator chose, and can be prolonged with the same address', async () => {
  const { keeper: maker, send, who, api, path } = await aSharer()
  const links = async () => expect(await who.get(`${api}/share-links`), 200).items as any[]
  const made = await maker.follow(await send('', 'links', { name: 'Partners', end: 'week' }))
  assert.match(made.text, /Partners[^]*>expires <time[^>]*>in 7 days</)
  const [link] = await links()
  assert.equal(Math.round((Date.parse(link.expiresAt) - Date.parse(link.createdAt)) / 86_400_000), 7)

  await app.db.run(sql`update share_links set expires_at = now() - interval '50 hours' where id = ${link.id}`)
  const ended = await maker.get(path)
  assert.match(ended.text, />expired <time[^>]*>2 days ago</)
  const typed = { name: 'Press', end: 'never', day: '2999-01-01' }
  refused(await send('', 'links', typed), 409, /choose “On a date” as well/)
  for (const [fields, reason] of [
    [{ end: 'date' }, /Enter the last day/],
    [{ end: 'date', day: '2999-02-30' }, /Enter the last day/],
    [{ end: 'date', day: '01.02.2999' }, /Enter the last day/],
    [{ end: 'date', day: '2020-02-01' }, /is in the past/],
    [{ end: 'toString' }, /Choose when the link expires/],
    [{ end: 'day', day: '2999-01-01' }, /choose “On a date” as well/],
  ] as const) {
    const answer = await maker.submit(ended, `${path}/links/end`, fields)
    refused(answer, 409, reason)
    assert.match(answer.text, /<details class="work-asking" open/)
    if ('day' in fields) assert.ok(answer.text.includes(`name="day" value="${fields.day}"`))
  }
  assert.equal((await links()).length, 1)

  const [prolonged, twice] = await Promise.all(
    [1, 2].map(() => maker.submit(ended, `${path}/links/end`, { end: 'date', day: '2999-01-01' })),
  )
  assert.deepEqual([prolonged!.status, twice!.status], [303, 303])
  assert.match((await maker.follow(prolonged!)).text, /Expiry saved/)
  const [again] = await links()
  assert.deepEqual(again, { ...link, expiresAt: '2999-01-02T00:00:00.000Z' })
  refused(await maker.submit(ended, `${path}/links/end`, { end: 'never' }), 409, /Somebody has changed the expiry/)
  const free = await maker.follow(await maker.submit(await maker.get(path), `${path}/links/end`, { end: 'never' }))
  assert.doesNotMatch(free.text, />expire[sd] <time/)
  const { expiresAt: _, ...endless } = again
  assert.deepEqual(await links(), [endless])
  for (const id of ['', 'x', newId()]) {
    const answer = await maker.post(`${path}/links/end`, { ...tokenIn(free), link: id, seen: '', end: 'day' })
    refused(answer, 404, /There is no such link/)
  }
})

test('a share link password can be set, changed and removed in a browser', async () => {
  const { keeper: maker, send, who, api, path } = await aSharer()
  const links = async () => expect(await who.get(`${api}/share-links`), 200).items as any[]
  refused(await send('', 'links', { name: 'Press', end: 'never', password: 'short' }), 409, /8 to 200 characters/)
  assert.deepEqual(await links(), [])
  const made = await maker.follow(await send('', 'links', { name: 'Press', end: 'never', password: 'a long one' }))
  assert.match(made.text, /Press[^]*>with a password</)
  assert.ok(!made.text.includes('a long one'))
  const [link] = await links()
  assert.equal(link.hasPassword, true)

  const short = await maker.submit(made, `${path}/links/password`, { password: 'short' })
  refused(short, 409, /8 to 200 characters/)
  assert.match(short.text, /<details class="work-asking" open[^]*value="short"/)
  const changed = await maker.follow(await maker.submit(made, `${path}/links/password`, { password: 'another one' }))
  assert.match(changed.text, /Password saved/)
  const free = await maker.follow(await maker.submit(changed, `${path}/links/password`, { password: '', none: 'yes' }))
  assert.match(free.text, /Password removed/)
  assert.doesNotMatch(free.text, />with a password</)
  assert.equal((await links())[0].hasPassword, false)
  for (const id of ['', 'x', newId()]) {
    const answer = await maker.post(`${path}/links/password`, { ...tokenIn(free), link: id, password: 'long enough' })
    refused(answer, 404, /There is no such link/)
  }
})

test('a share link password that is reported as saved is really set, even from an outdated form', async () => {
  const { keeper: maker, send, who, api, path } = await aSharer()
  const made = await maker.follow(await send('', 'links', { name: 'Press', end: 'never' }))
  const hasPassword = async () => expect(await who.get(`${api}/share-links`), 200).items[0].hasPassword as boolean
  const set = (page: Page) => maker.submit(page, `${path}/links/password`, { password: 'a long one' })
  const locked = await maker.follow(await set(made))
  await maker.submit(locked, `${path}/links/password`, { password: '', none: 'yes' })
  assert.equal(await hasPassword(), false)
  // After using the back button, with the form of the earlier page.
  assert.match((await maker.follow(await set(made))).text, /Password saved/)
  assert.equal(await hasPassword(), true)
})
