// Somebody is mentioned on the page of a change request: who that can be, how it reads, and who is notified.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../test/editing.ts'
import { type TestPerson, aPerson, aStranger } from '../../../test/factories.ts'
import { until } from '../../../test/until.ts'
import { expect } from '../../../test/visitor.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { Mailer } from '../../mail/mailer.ts'
import { startMailServer } from '../../mail/testing/mail-server.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const mailServer = await startMailServer()
const app = await startApp({ LECTERN_SMTP_URL: mailServer.url, LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>' })
let mailer = startMailer()
after(() => mailer.close())

function startMailer(quietSeconds = 0): Mailer {
  const made = new Mailer(app.app, { everyMs: 20, firstRetrySeconds: 0.02, quietSeconds })
  made.start()
  return made
}

/** Waits until all mails have been sent or dropped. */
async function settled(): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 20) {
    if ((await app.db.find(sql`select from mails`)) === undefined) return
    await sleep(20)
  }
  assert.fail('mail is left')
}

/** Runs the works, in which people comment and edit, before any mail about them is sent. Then sends all mails. */
async function whileNobodyIsTold(...works: (() => Promise<unknown>)[]): Promise<void> {
  await mailer.close()
  mailer = startMailer(600)
  for (const work of works) {
    await work()
    await until('it waits to be told', async () => !(await app.db.find(sql`select from mails where kind = 'said'`)))
  }
  await mailer.close()
  await app.db.run(sql`update mails set due_at = now()`)
  mailer = startMailer()
  await settled()
}

const mailsTo = ({ user }: TestPerson) => mailServer.mails.filter(({ to }) => to === user.email)

const rename = (person: TestPerson, name: string) =>
  app.db.run(sql`update users set display_name = ${name} where id = ${person.id}`)

async function aChange() {
  const space = await aLiveSpace(app)
  const { org } = space
  const request = await space.changeRequest()
  expect(await request.edit(newPage('Cups')), 200)
  const path = `/app/o/${org.id}/s/${space.id}/~/changes/1`
  const [jo, writer] = [await org.member('read'), await org.member('comment')]
  const name = `Jo ${org.canary}`
  await rename(jo, name)
  const person = await signedIn(app, writer)
  const say = async (comment: string, by = person) =>
    by.submit(await by.get(path), `${path}/review`, { status: 'said', comment })
  const said = async () =>
    (expect(await space.who.get(`${request.path}/comments`), 200).items as any[]).map(({ id, body }) => ({
      id: id as string,
      text: body.markdown as string,
    }))
  return { space, org, request, path, jo, name, writer, person, say, said }
}

const mention = (name: string, { id }: TestPerson) => `[${name}](/users/${id} "mention")`

test('@ with the name or address of someone who may read the space mentions them, by name on the page and by mail', async () => {
  const { org, space, request, path, jo, name, person, say, said } = await aChange()
  const typed = `**Hello** @${name.toUpperCase()}, look.\r\n\r\n- @${jo.user.email}: here`
  const shown = await person.follow(await say(typed))
  const [comment] = await said()
  assert.equal(comment!.text, `**Hello** ${mention(name, jo)}, look.\n\n- ${mention(name, jo)}: here`)
  assert.equal(shown.text.split(`<strong class="review-mention">@${name}</strong>`).length, 3)
  const document = expect(await space.who.get(`${request.path}/comments/${comment!.id}?format=document`), 200)
  assert.ok(JSON.stringify(document.body).includes(JSON.stringify({ ref: { kind: 'user', user: jo.id } })))

  const mail = await mailServer.next(jo.user.email)
  assert.match(mail.subject, /^Mention: A change/)
  assert.match(mail.text, /^.+ mentioned you in A change/)
  assert.ok(mail.text.includes(`> **Hello** @${name}, look.`), mail.text)
  assert.ok(mail.text.includes(`http://lectern.test${path}#said-`))
  await settled()
  assert.deepEqual([mailsTo(jo).length, mailsTo(org.admin).length], [1, 1])
})

test('every form of the page takes mentions, and people who would be notified anyway get one mail', async () => {
  const { org, path, jo, name, writer, person, say, said } = await aChange()
  await rename(org.admin, `Ada ${org.canary}`)
  await say('Which colour?')
  await settled()
  const { id } = (await said())[0]!
  const page = await person.get(path)
  const [, pageId] = /name="page" value="([^"]+)"/.exec(page.text)!
  await person.submit(page, `${path}/comments/${id}/reply`, { text: `@${name} red?` })
  // So that what comes next is not added to a mail that still waits.
  await settled()
  await person.submit(page, `${path}/comments`, { page: pageId!, line: '', text: `@${name} here` })
  await settled()
  const reviewer = await signedIn(app, await org.member('review'))
  const verdict = { status: 'changes-requested', comment: `@Ada ${org.canary} see` }
  await reviewer.submit(await reviewer.get(path), `${path}/review`, verdict)
  await settled()
  assert.deepEqual(
    mailsTo(jo).map(({ subject }) => subject.split(':')[0]),
    ['Mention', 'Mention'],
  )
  // For the first comment, the reply and the comment on a page; then for the review.
  assert.deepEqual(
    mailsTo(org.admin).map(({ subject }) => subject.split(':')[0]),
    ['Comment', 'Comment', 'Comment', 'Mention'],
  )
  assert.deepEqual(mailsTo(writer), [])
})

test('an unknown name, or a name in code, a link or an address, stays as typed and notifies nobody', async () => {
  const { org, jo, name, say, said } = await aChange()
  const hidden = await org.member(null)
  await rename(hidden, `Hidden ${org.canary}`)
  const stranger = await aPerson(app, { email: `${newId()}@example.org` })
  const texts = [
    `@Nobody and @types/node, a\\@${name}`,
    `Hidden: @Hidden ${org.canary}, @${hidden.user.email}`,
    `Elsewhere: @${stranger.user.email}`,
    `\`@${name}\` and\n\n\`\`\`\n@${name}\n\`\`\``,
    `[@${name}](https://example.org) https://example.org/@${name}`,
    `x@${name} ${jo.user.email}`,
    `@${name}x`,
  ]
  for (const text of texts) await say(text)
  await settled()
  assert.deepEqual((await said()).map(({ text }) => text).toReversed(), texts)
  assert.deepEqual([jo, hidden, stranger].map(mailsTo), [[], [], []])
})

test('a mention must match the whole name, not the beginning of an address or a longer word', async () => {
  const { org, jo, say, said } = await aChange()
  const name = `jo${org.canary.replaceAll(/[^a-z0-9]/gi, '')}`
  await rename(jo, name)
  const texts = [`@${name}@example.org`, `@${name}.smith@example.org`, `@${name}-ann`, `@${name}_x`, `@${name}/cups`]
  for (const text of texts) await say(text)
  await settled()
  assert.deepEqual((await said()).map(({ text }) => text).toReversed(), texts)
  assert.deepEqual(mailsTo(jo), [])
  await say(`@${name}: see. Or @${name}, or @${name}'s: @${name}- and @${name}.`)
  const whole = mention(name, jo)
  assert.equal((await said())[0]!.text, `${whole}: see. Or ${whole}, or ${whole}'s: ${whole}- and ${whole}.`)
})

test('mentions find names with non-ASCII letters', async () => {
  const { org, jo, say, said } = await aChange()
  for (const name of [`İrem ${org.canary}`, `ΝΙΚΟΣ ${org.canary}`, `Émile ${org.canary}`]) {
    await rename(jo, name)
    await say(`Hello @${name}`)
    assert.equal((await said())[0]!.text, `Hello ${mention(name, jo)}`)
  }
})

test('the mail about a mention in a review also states the verdict', async () => {
  const { org, path } = await aChange()
  const reviewer = await signedIn(app, await org.member('review'))
  for (const [status, told] of [
    ['changes-requested', / requested changes in A change.* and mentioned you\./],
    ['approved', / approved A change.* and mentioned you\./],
  ] as const) {
    const verdict = { status, comment: `@${org.admin.user.email} see` }
    await reviewer.submit(await reviewer.get(path), `${path}/review`, verdict)
    await settled()
    assert.match(mailsTo(org.admin).at(-1)!.text, told)
  }
})

test("an ambiguous name must be given by address, and a user named like another's address gets none of their mentions", async () => {
  const { org, jo, name, writer, person, path, say, said } = await aChange()
  const [other, cheat] = [await org.member('read'), await org.member('read')]
  await rename(other, name)
  await rename(cheat, jo.user.email.slice(0, 64))
  const refused = await say(`Hello @${name}`)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /role="alert">Several people here are called Jo/)
  assert.ok(refused.text.includes(`>\nHello @${name}</textarea>`))
  await say(`Hello @${other.user.email} and @${jo.user.email}`)
  await settled()
  await rename(other, 'J*o* [x](y) <b>')
  await say(`Hello @J*o* [x](y) <b> and @${other.user.email}`)
  const [last, first] = (await said()).map(({ text }) => text)
  assert.equal(first, `Hello ${mention(name, other)} and ${mention(name, jo)}`)
  assert.match((await person.get(path)).text, /class="review-mention">@J\*o\* \[x\]\(y\) &lt;b&gt;<\/strong>/)
  await settled()
  assert.deepEqual([mailsTo(jo).length, mailsTo(other).length, mailsTo(cheat).length], [1, 2, 0], last)
  assert.ok(mailsTo(other)[1]!.text.includes('and @J*o* [x](y) <b>'), mailsTo(other)[1]!.text)
  assert.deepEqual(mailsTo(writer), [])
})

test("a guest, who may not see the organization's members, can mention only participants", async () => {
  const { org, space, request, jo, name, writer, say, said } = await aChange()
  const guest = await org.member(null)
  expect(await space.who.post(`${space.path}/permissions`, { role: 'comment', users: [guest.id] }), 204)
  await rename(writer, `Kim ${org.canary}`)
  expect(await writer.client.post(`${request.path}/comments`, { body: { markdown: 'Hm' } }), 200)
  await say(`@${name} @${jo.user.email} @Kim ${org.canary}`, await signedIn(app, guest))
  const [comment] = await said()
  assert.equal(comment!.text, `@${name} @${jo.user.email} ${mention(`Kim ${org.canary}`, writer)}`)
})

test('someone mentioned when a comment is edited is notified then, from the page and the API, and never twice', async () => {
  const { org, request, path, jo, name, person, writer, say, said } = await aChange()
  const kim = await org.member('read')
  await rename(kim, `Kim ${org.canary}`)
  await say(`Hello @${name}`)
  await settled()
  const { id } = (await said())[0]!
  const edit = async (text: string) => person.submit(await person.get(path), `${path}/comments/${id}/edit`, { text })
  await edit(`Hello ${mention(name, jo)} and @Kim ${org.canary}`)
  await settled()
  assert.deepEqual([mailsTo(jo).length, mailsTo(kim).length, mailsTo(org.admin).length], [1, 1, 1])
  await edit(`Hello ${mention(name, jo)} and ${mention(`Kim ${org.canary}`, kim)}!`)
  await settled()
  const markdown = `${mention('x', jo)} ${mention('x', kim)} ${mention('x', org.admin)} ${mention('x', writer)}`
  expect(await writer.client.put(`${request.path}/comments/${id}`, { body: { markdown } }), 200)
  await settled()
  assert.deepEqual(
    [jo, kim, org.admin, writer].map((each) => mailsTo(each).length),
    [1, 1, 2, 0],
  )
  assert.match(mailsTo(org.admin)[1]!.subject, /^Mention:/)
})

test('a mention removed before its mail is sent notifies nobody, and other recipients get the usual comment mail', async () => {
  const { org, path, jo, name, person, say, said } = await aChange()
  await rename(org.admin, `Ada ${org.canary}`)
  const edit = async (text: string) =>
    person.submit(await person.get(path), `${path}/comments/${(await said())[0]!.id}/edit`, { text })
  await whileNobodyIsTold(
    () => say(`Hello @${name} and @Ada ${org.canary}`),
    () => edit('Hello'),
  )
  assert.deepEqual(mailsTo(jo), [])
  assert.deepEqual(
    mailsTo(org.admin).map(({ subject }) => subject.split(':')[0]),
    ['Comment'],
  )
  assert.match(mailsTo(org.admin)[0]!.text, / commented on [^]*> Hello\n/)
  // Of two mentions, the one that still exists.
  await whileNobodyIsTold(
    () => say(`First @${name}`),
    () => say(`Second @${name}`),
    () => edit('Second'),
  )
  assert.equal(mailsTo(jo).length, 1)
  assert.match(mailsTo(jo)[0]!.text, /mentioned you in [^]*> First @/)
  assert.doesNotMatch(mailsTo(jo)[0]!.text, /Second/)
})

test('someone mentioned by an edit before the comment was mailed gets one mail, for the mention', async () => {
  const { org, path, person, say, said } = await aChange()
  await rename(org.admin, `Ada ${org.canary}`)
  const edit = async (text: string) =>
    person.submit(await person.get(path), `${path}/comments/${(await said())[0]!.id}/edit`, { text })
  const kinds = () => mailsTo(org.admin).map(({ subject }) => subject.split(':')[0])
  await whileNobodyIsTold(
    () => say('Look'),
    () => edit(`Look @Ada ${org.canary}`),
  )
  assert.deepEqual(kinds(), ['Mention'])
  // A mail still goes out for what else was said, and only for that.
  await whileNobodyIsTold(
    () => say('Something else'),
    () => say('And this'),
    () => edit(`And this @Ada ${org.canary}`),
  )
  assert.deepEqual(kinds().toSorted(), ['Comment', 'Mention', 'Mention'])
  const other = mailsTo(org.admin).find(({ subject }) => subject.startsWith('Comment'))!
  assert.match(other.text, /Something else/)
  assert.doesNotMatch(other.text, /And this/)
})

test('people who cannot read a mention when it is sent get no mail, and those who muted mentions only the usual mail', async () => {
  const { org, space, request, jo, writer } = await aChange()
  const [gone, hidden, stranger] = [await org.member('read'), await org.member(null), await aStranger(app)]
  await app.db.run(sql`insert into muted_mail (user_id, kind)
    select id, 'mention' from unnest(${[jo.id, org.admin.id]}::uuid[]) id`)
  await mailer.close()
  const all = [jo, org.admin, gone, hidden, stranger, writer]
  const markdown = `Secret ${all.map((each) => mention('x', each)).join(' ')} ${mention('x', { id: org.id } as TestPerson)}`
  expect(await writer.client.post(`${request.path}/comments`, { body: { markdown } }), 200)
  expect(await space.who.delete(`/v1/orgs/${org.id}/members/${gone.id}`), 204)
  mailer = startMailer()
  await settled()
  assert.deepEqual(
    all.map((each) => mailsTo(each).map(({ subject }) => subject.split(':')[0])),
    [[], ['Comment'], [], [], [], []],
  )
})
