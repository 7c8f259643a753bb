import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, newPage } from '../../test/editing.ts'
import type { TestPerson } from '../../test/factories.ts'
import { expect } from '../../test/visitor.ts'
import { tokenIn } from '../account/testing/person.ts'
import { sql } from '../db/sql.ts'
import { signedIn } from '../sessions/testing/signed-in.ts'
import { Mailer } from './mailer.ts'
import { type ReceivedMail, startMailServer } from './testing/mail-server.ts'

const mailServer = await startMailServer()
const app = await startApp({ LECTERN_SMTP_URL: mailServer.url, LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>' })
const mailer = new Mailer(app.app, { everyMs: 20, firstRetrySeconds: 0.02, quietSeconds: 0 })
mailer.start()
after(() => mailer.close())

/** Waits until all mails are sent or dropped. */
async function settled(): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 20) {
    if ((await app.db.find(sql`select from mails`)) === undefined) return
    await sleep(20)
  }
  assert.fail('mail is left')
}

const mergesTo = ({ user }: TestPerson) =>
  mailServer.mails.filter(({ to, subject }) => to === user.email && subject.startsWith('Merged: '))

/** A change request with a person in each possible role. */
async function aWholeChange() {
  const space = await aLiveSpace(app)
  const { org } = space
  const [author, writer, commenter, asked, reviewer, muted, gone, uninvolved, watcher, former] = [
    await org.member('edit'),
    await org.member('edit'),
    await org.member('comment'),
    await org.member('review'),
    await org.member('review'),
    await org.member('comment'),
    await org.member('comment'),
    await org.member('review'),
    await org.member('read'),
    await org.member('read'),
  ]
  const requests = `/v1/spaces/${space.id}/change-requests`
  const { id } = expect(await author.client.post(requests, { subject: `Better ${org.canary}` }), 201)
  const change = `${requests}/${id}`
  expect(await writer.client.post(`${change}/content?compat=false`, { changes: [newPage('Cups')] }), 200)
  for (const { client } of [commenter, muted, gone])
    expect(await client.post(`${change}/comments`, { body: { markdown: 'Hm' } }), 200)
  expect(await author.client.post(`${change}/requested-reviewers`, { users: [asked.id] }), 200)
  expect(await reviewer.client.post(`${change}/reviews`, { status: 'approved' }), 201)
  await app.db.run(sql`insert into muted_mail (user_id, kind) values (${muted.id}, 'merged')`)
  expect(await org.admin.client.delete(`/v1/orgs/${org.id}/members/${gone.id}`), 204)
  const home = `/app/o/${org.id}/s/${space.id}`
  for (const each of [watcher, former, author]) {
    const person = await signedIn(app, each)
    await person.submit(await person.get(home), `${home}/~/watch`)
    assert.match((await person.get(home)).text, /Stop watching/)
  }
  const back = await signedIn(app, former)
  await back.submit(await back.get(home), `${home}/~/watch`)
  const path = `${home}/~/changes/1`
  return {
    org,
    change,
    path,
    author,
    told: [author, writer, commenter, asked, reviewer, watcher],
    others: [muted, gone, uninvolved, former],
  }
}

test('a merge is mailed once to participants, requested reviewers and watchers, not to people without access or who muted it', async () => {
  const { org, change, path, author, told, others } = await aWholeChange()
  expect(await org.admin.client.post(`${change}/merge`), 200)
  await settled()
  const [mail] = mergesTo(author) as [ReceivedMail]
  assert.match(mail.subject, new RegExp(`^Merged: Better ${org.canary}`))
  assert.match(mail.text, /merged the change request “Better .*” into the main content of/)
  assert.ok(mail.text.includes(`http://lectern.test${path}\n`), mail.text)
  assert.deepEqual(
    [...told, ...others, org.admin].map((person) => mergesTo(person).length),
    [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0],
  )

  const [, link] = /^List-Unsubscribe: <http:\/\/lectern\.test(.+)>$/m.exec(mail.headers)!
  assert.match((await (await signedIn(app, author)).get(link!)).text, /Unsubscribe\?/)
})

test('the person who merges on the page is not mailed, and a refused merge mails nobody', async () => {
  const { change, path, told, org } = await aWholeChange()
  const [, , commenter, , reviewer] = told as [TestPerson, TestPerson, TestPerson, TestPerson, TestPerson]
  const person = await signedIn(app, reviewer)
  const before = await person.get(path)
  expect(await org.admin.client.post(`${change}/content?compat=false`, { changes: [newPage('Plates')] }), 200)
  assert.equal((await person.submit(before, `${path}/merge`)).status, 409)
  await settled()
  assert.deepEqual(mergesTo(commenter), [])
  const merged = await person.follow(await person.submit(await person.get(path), `${path}/merge`))
  assert.match(merged.text, /Merged\. It is now part of the main content/)
  await settled()
  assert.deepEqual([mergesTo(commenter).length, mergesTo(org.admin).length, mergesTo(reviewer).length], [1, 1, 0])
})

test('nobody can watch a space they may not read, and a watcher who lost access is not mailed', async () => {
  const { org, change, path } = await aWholeChange()
  const home = path.replace(/\/~\/.*/, '')
  const stranger = await signedIn(app, (await aLiveSpace(app)).org.admin)
  const { form } = tokenIn(await stranger.get('/account'))
  const id = home.split('/').at(-1)!
  const watchers = async () => (await app.db.all(sql`select from watched_spaces where space_id = ${id}`)).length
  const before = await watchers()
  const refused = await stranger.post(`${home}/~/watch`, { form, watch: 'on' })
  assert.deepEqual([refused.status, await watchers()], [404, before])

  const leaving = await org.member('read')
  const person = await signedIn(app, leaving)
  await person.submit(await person.get(home), `${home}/~/watch`)
  assert.equal(await watchers(), before + 1)
  expect(await org.admin.client.delete(`/v1/orgs/${org.id}/members/${leaving.id}`), 204)
  assert.equal(await watchers(), before)
  expect(await org.admin.client.post(`${change}/merge`), 200)
  await settled()
  assert.deepEqual(mergesTo(leaving), [])
})
