import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { aLiveSpace } from '../../test/editing.ts'
import { type TestPerson, aPerson, anOrganization } from '../../test/factories.ts'
import { Person } from '../account/testing/person.ts'
import { readConfig } from '../config.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { signedIn } from '../sessions/testing/signed-in.ts'
import { Mailer } from './mailer.ts'
import { startMailServer } from './testing/mail-server.ts'

const mailServer = await startMailServer()
const app = await startApp({ LECTERN_SMTP_URL: mailServer.url, LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>' })
const silent = await startApp()
let mailer = startMailer()
// The database may already be gone by then, which the mailer tolerates.
after(() => mailer.close())

function startMailer(quietSeconds = 0): Mailer {
  const made = new Mailer(app.app, { everyMs: 20, firstRetrySeconds: 0.02, quietSeconds })
  made.start()
  return made
}

/** Runs the work while nothing is sent, so that only the state afterwards counts. */
async function beforeAnythingIsSent(work: () => Promise<unknown>): Promise<void> {
  await mailer.close()
  await work()
  mailer = startMailer()
}

const countMails = async (test = app) => (await test.db.one(sql<{ count: number }>`select count(*) from mails`)).count

/** Waits until all mails are sent or dropped. */
async function settled(): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 20) {
    if ((await countMails()) === 0) return
    await sleep(20)
  }
  assert.fail('mail is left')
}

const mailsTo = (person: TestPerson) => mailServer.mails.filter(({ to }) => to === person.user.email)

async function aChangeRequest() {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const change = await space.changeRequest()
  await org.admin.client.patch(change.path, { subject: `Better ${org.canary}` })
  const person = (role: 'read' | 'comment' | 'review') => org.member(role)
  return { org, space, change, person }
}

test('an invite by address is mailed, with the same link as in the answer', async () => {
  const org = await anOrganization(app)
  const email = `${newId()}@example.org`
  const { body } = await org.admin.client.post(`/v1/orgs/${org.id}/invites`, { emails: [email] })
  const mail = await mailServer.next(email)
  assert.equal(mail.subject, `You are invited to ${org.row.title}`)
  assert.ok(mail.text.includes(body.invites[0].url) && mail.html.includes(body.invites[0].url))
  assert.match(mail.headers, /^From: Lectern <lectern@example.com>$/m)
  assert.match(mail.headers, /^Auto-Submitted: auto-generated$/m)
})

test('an organization can mail a thousand invites a day, five to one address, and a refused request makes none', async () => {
  const [org, other] = [await anOrganization(app), await anOrganization(app)]
  const email = `${newId()}@example.org`
  const invite = (to: typeof org, ...emails: string[]) => to.admin.client.post(`/v1/orgs/${to.id}/invites`, { emails })
  for (let round = 0; round < 5; round++) assert.equal((await invite(org, email)).status, 200)
  const refused = await invite(org, `${newId()}@example.org`, email.toUpperCase())
  assert.deepEqual([refused.status, refused.body.error.type], [429, 'rate_limited'])
  assert.ok(Number(refused.headers.get('retry-after')) > 86_000)
  assert.equal((await invite(other, email)).status, 200)

  await app.db.run(sql`
    update invite_mail_counts set times = 999 where organization_id = ${org.id} and length(address_hash) = 0`)
  const stateOfInvites = () => app.db.all(sql`select id from invites where organization_id = ${org.id} order by id`)
  const before = await stateOfInvites()
  assert.equal((await invite(org, `${newId()}@example.org`, `${newId()}@example.org`)).status, 429)
  assert.deepEqual(await stateOfInvites(), before)
  assert.equal((await invite(org, `${newId()}@example.org`)).status, 200)
  assert.equal((await invite(org, `${newId()}@example.org`)).status, 429)
  await app.db.run(sql`
    update invite_mail_counts set since = now() - interval '25 hours' where organization_id = ${org.id}`)
  assert.equal((await invite(org, email)).status, 200)
  await settled()
})

test('names cannot add lines or markup to a mail', async () => {
  const org = await anOrganization(app)
  const title = 'Us\r\nBcc: everyone@example.org\r\n\r\n<b>Go to</b> evil.example'
  await app.db.run(sql`update organizations set title = ${title} where id = ${org.id}`)
  await app.db.run(sql`update users set display_name = ${'Jo\n\nBelieve me'} where id = ${org.admin.id}`)
  const email = `${newId()}@example.org`
  await org.admin.client.post(`/v1/orgs/${org.id}/invites`, { emails: [email] })
  const mail = await mailServer.next(email)
  assert.equal(mail.subject, 'You are invited to Us Bcc: everyone@example.org <b>Go to</b> evil.example')
  assert.ok(!/^Bcc:/im.test(mail.headers))
  assert.match(mail.text, /^Jo Believe me invited you to Us Bcc: .*evil\.example\.$/m)
  assert.ok(!mail.html.includes('<b>') && mail.html.includes('&lt;b&gt;'))
})

test('a mail server without a sender or with a bad address stops the start, with a message without the password', () => {
  const start = (url: string, from?: string) => () =>
    readConfig({ LECTERN_SMTP_URL: url, ...(from !== undefined && { LECTERN_MAIL_FROM: from }) })
  assert.throws(start('smtps://jo:s3cret@mail.example.com'), /^Error: To send mail, set LECTERN_MAIL_FROM too/)
  for (const wrong of ['mail.example.com', 'https://jo:s3cret@mail.example.com', 'smtp://', 'smtp:jo:s3cret']) {
    assert.throws(start(wrong, 'a@example.com'), (error: Error) => {
      assert.match(error.message, /^LECTERN_SMTP_URL must be/)
      return !error.message.includes('s3cret')
    })
  }
  for (const wrong of ['"Docs <a@example.com>"', "'Docs <a@example.com>'", '"a@example.com"', 'docs', 'a@', '@b'])
    assert.throws(start('smtp://mail.example.com', wrong), /^Error: LECTERN_MAIL_FROM must be an address such as/)
  for (const from of [
    'a@localhost',
    'Docs a@example.com',
    '"Acme, Inc." <a@example.com>',
    "O'Neil <o'neil@example.com>",
  ])
    assert.equal(start('smtp://mail.example.com', from)().mailFrom, from)
  assert.equal(start('smtp://mail.example.com:2525', 'Docs <a@example.com>')().smtpUrl, 'smtp://mail.example.com:2525')
})

test('without a mail server no mail is queued, and an invite still returns its link', async () => {
  const org = await anOrganization(silent)
  const { body } = await org.admin.client.post(`/v1/orgs/${org.id}/invites`, { emails: [`${newId()}@example.org`] })
  assert.match(body.invites[0].url, /^http:\/\/lectern\.test\/invite\/[\w-]{43}$/)
  assert.equal(await countMails(silent), 0)
})

test('a requested reviewer is mailed, unless they lost access, muted it, or are no longer requested', async () => {
  const { org, change, person } = await aChangeRequest()
  const [reviewer, removed, muted, unasked] = [
    await person('review'),
    await person('review'),
    await person('review'),
    await person('review'),
  ]
  await app.db.run(sql`insert into muted_mail (user_id, kind) values (${muted.id}, 'review-request')`)
  const users = [reviewer, removed, muted, unasked].map(({ id }) => id)
  await beforeAnythingIsSent(async () => {
    assert.equal((await org.admin.client.post(`${change.path}/requested-reviewers`, { users })).status, 200)
    assert.equal(await countMails(), 4)
    await org.admin.client.delete(`/v1/orgs/${org.id}/members/${removed.id}`)
    await org.admin.client.delete(`${change.path}/requested-reviewers/${unasked.id}`)
  })

  const mail = await mailServer.next(reviewer.user.email)
  assert.match(mail.subject, new RegExp(`^Review: Better ${org.canary}`))
  assert.match(mail.text, /asked you to review the change request/)
  assert.match(mail.text, /http:\/\/lectern\.test\/app\/o\/[\w-]+\/s\/[\w-]+\/~\/changes\/1/)
  await settled()
  assert.deepEqual([mailsTo(removed), mailsTo(muted), mailsTo(unasked)], [[], [], []])
  assert.deepEqual(mailsTo(org.admin), [])
})

test('comments are mailed to the author of the change request, replies to all in the thread, once and never to the writer', async () => {
  const { org, change, person } = await aChangeRequest()
  const [first, second, reader] = [await person('comment'), await person('comment'), await person('read')]
  const say = async (who: TestPerson, path: string, markdown: string) =>
    (await who.client.post(path, { body: { markdown } })).body
  const comment = await say(first, `${change.path}/comments`, `Why <b>this</b>? ${org.canary}`)
  const toAuthor = await mailServer.next(org.admin.user.email)
  assert.match(toAuthor.subject, /^Comment: Better/)
  assert.ok(toAuthor.text.includes(`> Why <b>this</b>? ${org.canary}`))
  assert.ok(toAuthor.html.includes('Why &lt;b&gt;this&lt;/b&gt;?'))

  const replies = `${change.path}/comments/${comment.id}/replies`
  await say(second, replies, 'Because')
  assert.match((await mailServer.next(first.user.email)).subject, /^Re: Better/)
  assert.match((await mailServer.next(org.admin.user.email)).subject, /^Comment: Better/)
  await say(org.admin, replies, 'Right')
  await mailServer.next(first.user.email)
  await mailServer.next(second.user.email)
  await settled()
  assert.deepEqual(
    [org.admin, first, second, reader].map((who) => mailsTo(who).length),
    [2, 2, 1, 0],
  )
})

test('a person who muted replies or comments is mailed by the other kind about what is both', async () => {
  const { org, change, person } = await aChangeRequest()
  const [first, second] = [await person('comment'), await person('comment')]
  const say = async (who: TestPerson, path: string) =>
    (await who.client.post(path, { body: { markdown: 'Hm' } })).body.id as string
  const mute = (kind: string) =>
    app.db.run(sql`insert into muted_mail (user_id, kind) values (${org.admin.id}, ${kind})`)
  const comment = await say(first, `${change.path}/comments`)
  await mailServer.next(org.admin.user.email)
  const replies = `${change.path}/comments/${comment}/replies`
  await say(org.admin, replies)
  await mute('reply')
  await say(second, replies)
  assert.match((await mailServer.next(org.admin.user.email)).subject, /^Comment: Better/)
  await app.db.run(sql`delete from muted_mail where user_id = ${org.admin.id}`)
  await mute('comment')
  await say(second, replies)
  assert.match((await mailServer.next(org.admin.user.email)).subject, /^Re: Better/)
  await mute('reply')
  await say(second, replies)
  await settled()
  assert.equal(mailsTo(org.admin).length, 3)
})

test('no mail goes to an unverified address, except to members whose single sign-on vouches for it', async () => {
  const { org, change, person } = await aChangeRequest()
  const [claimed, athome] = [await person('review'), await person('review')]
  await app.db.run(sql`update users set email_verified = false where id in (${claimed.id}, ${athome.id})`)
  await app.db.run(sql`update users set home_organization_id = ${org.id} where id = ${athome.id}`)
  const users = [claimed.id, athome.id]
  assert.equal((await org.admin.client.post(`${change.path}/requested-reviewers`, { users })).status, 200)
  await mailServer.next(athome.user.email)
  await settled()
  assert.deepEqual(mailsTo(claimed), [])
})

test('a review is mailed to the author of the change request, with or without a comment, and never to its reviewer', async () => {
  const { org, change, person } = await aChangeRequest()
  const reviewer = await person('review')
  const review = async (who: TestPerson, body: object) =>
    assert.equal((await who.client.post(`${change.path}/reviews`, body)).status, 201)

  await review(reviewer, { status: 'approved', comment: { markdown: 'Good' } })
  const approved = await mailServer.next(org.admin.user.email)
  assert.match(approved.subject, /^Approved: Better/)
  assert.match(approved.text, new RegExp(`^${reviewer.user.display_name} approved Better`))
  assert.match(approved.text, /^> Good$/m)
  await review(reviewer, { status: 'changes-requested' })
  const refused = await mailServer.next(org.admin.user.email)
  assert.match(refused.subject, /^Changes requested: Better/)
  assert.match(refused.text, / requested changes in Better/)
  assert.doesNotMatch(refused.text, /^>/m)

  await review(org.admin, { status: 'approved', comment: { markdown: 'Mine' } })
  await settled()
  assert.deepEqual([mailsTo(org.admin).length, mailsTo(reviewer).length], [2, 0])
})

const threadOf = ({ headers }: { headers: string }) => {
  const [, references] = /^References: (<[\w-]+@lectern\.test>)$/m.exec(headers)!
  assert.equal(/^In-Reply-To: (.+)$/m.exec(headers)![1], references)
  return references
}

test('mails about one change request, or about one comment on a space, form one conversation', async () => {
  const { org, space, change, person } = await aChangeRequest()
  const [reviewer, second] = [await person('review'), await person('comment')]
  const say = async (who: TestPerson, path: string) =>
    (await who.client.post(path, { body: { markdown: 'Hm' } })).body.id as string
  await org.admin.client.post(`${change.path}/requested-reviewers`, { users: [reviewer.id] })
  const asked = threadOf(await mailServer.next(reviewer.user.email))
  const comment = await say(reviewer, `${change.path}/comments`)
  const told = threadOf(await mailServer.next(org.admin.user.email))
  await say(second, `${change.path}/comments/${comment}/replies`)
  assert.deepEqual([told, threadOf(await mailServer.next(reviewer.user.email))], [asked, asked])

  const onSpace = `/v1/spaces/${space.id}/comments`
  const threads = []
  for (const first of [await say(second, onSpace), await say(second, onSpace)]) {
    for (let round = 0; round < 2; round++) {
      await say(reviewer, `${onSpace}/${first}/replies`)
      threads.push(threadOf(await mailServer.next(second.user.email)))
    }
  }
  assert.deepEqual([threads[0], threads[2]], [threads[1], threads[3]])
  assert.equal(new Set([asked, ...threads]).size, 3)
})

test('the link in a mail about a comment or review leads to its place on the change request page', async () => {
  const { org, space, change, person } = await aChangeRequest()
  const [first, reviewer] = [await person('comment'), await person('review')]
  const reader = await signedIn(app, org.admin)
  const path = `/app/o/${org.id}/s/${space.id}/~/changes/1`
  const linkTo = async (who: TestPerson) =>
    /^http:\/\/lectern\.test(\/app\S+)$/m.exec((await mailServer.next(who.user.email)).text)![1]
  const words = { body: { markdown: 'Hm' } }
  const comment = (await first.client.post(`${change.path}/comments`, words)).body.id
  assert.equal(await linkTo(org.admin), `${path}#said-${comment}`)
  assert.ok((await reader.get(path)).text.includes(`id="said-${comment}"`))
  await reviewer.client.post(`${change.path}/comments/${comment}/replies`, words)
  assert.equal(await linkTo(first), `${path}#said-${comment}`)
  await mailServer.next(org.admin.user.email)
  await reviewer.client.post(`${change.path}/reviews`, { status: 'approved', comment: { markdown: 'Good' } })
  const link = await linkTo(org.admin)
  assert.match(link!, /#said-[\w-]{36}$/)
  assert.ok((await reader.get(path)).text.includes(`id="${link!.split('#')[1]}"`))
  await reviewer.client.post(`${change.path}/reviews`, { status: 'changes-requested' })
  assert.equal(await linkTo(org.admin), path)
})

test('comments and reviews in quick succession come as one mail, once nobody has written for a while', async () => {
  const { org, change, person } = await aChangeRequest()
  const [first, second] = [await person('review'), await person('comment')]
  const waiting = () =>
    app.db.all(sql<{ kind: string; seconds: number }>`
      select kind, extract(epoch from due_at - created_at)::int as seconds from mails where user_id = ${org.admin.id}`)
  const told = async () => {
    while ((await app.db.find(sql`select from mails where kind = 'said'`)) !== undefined) await sleep(20)
    return (await waiting()).map((row) => ({ ...row }))
  }
  await mailer.close()
  mailer = startMailer(60)
  const say = (who: TestPerson, markdown: string) => who.client.post(`${change.path}/comments`, { body: { markdown } })
  await say(first, 'One')
  assert.deepEqual(await told(), [{ kind: 'comment', seconds: 60 }])
  // People who keep writing do not delay the mail for ever.
  await app.db.run(sql`update mails set created_at = now() - interval '541 seconds' where user_id = ${org.admin.id}`)
  await say(second, 'Two')
  await first.client.post(`${change.path}/reviews`, { status: 'changes-requested' })
  assert.deepEqual(await told(), [{ kind: 'comment', seconds: 600 }])

  await mailer.close()
  await app.db.run(sql`update mails set due_at = now() where user_id = ${org.admin.id}`)
  mailer = startMailer()
  const mail = await mailServer.next(org.admin.user.email)
  await settled()
  assert.equal(mailsTo(org.admin).length, 1)
  assert.match(mail.subject, /^Comment: Better/)
  assert.match(mail.text, /^There are 3 comments and reviews of Better/)
  const { display_name: one } = first.user
  const said = [
    `${one} wrote:`,
    '> One',
    '',
    `${second.user.display_name} wrote:`,
    '> Two',
    '',
    `${one} asks for changes.`,
  ]
  assert.ok(mail.text.includes(said.join('\n')), mail.text)
  assert.ok(mail.html.includes('One') && mail.html.includes('asks for changes.'))
})

test("a link in each notice mutes its kind without signing in, by the mail program's button or after a question", async () => {
  const { org, change, person } = await aChangeRequest()
  const reviewer = await person('review')
  const ask = () => org.admin.client.post(`${change.path}/requested-reviewers`, { users: [reviewer.id] })
  await ask()
  const mail = await mailServer.next(reviewer.user.email)
  const [, link] = /^List-Unsubscribe: <http:\/\/lectern\.test(.+)>$/m.exec(mail.headers)!
  assert.match(mail.headers, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)

  const program = new Person(app)
  const asked = await program.get(link!)
  assert.equal(asked.status, 200)
  assert.match(asked.text, /Unsubscribe\?/)
  await ask()
  await mailServer.next(reviewer.user.email)

  const done = await program.post(link!, { 'List-Unsubscribe': 'One-Click' }, { origin: 'https://mail.example' })
  assert.equal(done.status, 200)
  await ask()
  await settled()
  assert.equal(mailsTo(reviewer).length, 2)
  for (const forged of [`${link}x`, link!.replace(/\.[\w-]+$/, '.AAAA'), '/mail/unsubscribe/x']) {
    assert.equal((await program.post(forged, {})).status, 404)
  }
})

test('each mail is sent once, even if two nodes are sending', async () => {
  const org = await anOrganization(app)
  const other = startMailer()
  const emails = Array.from({ length: 30 }, () => `${newId()}@example.org`)
  assert.equal((await org.admin.client.post(`/v1/orgs/${org.id}/invites`, { emails })).status, 200)
  await settled()
  await other.close()
  const counts = emails.map((email) => mailServer.mails.filter(({ to }) => to === email).length)
  assert.deepEqual(new Set(counts), new Set([1]))
})

test('a mail is retried if the server is away or answers "later", and not if it answers "never"', async () => {
  const org = await anOrganization(app)
  const [later, never] = [`${newId()}@example.org`, `${newId()}@example.org`]
  mailServer.answers.push(451, 421)
  assert.equal((await org.admin.client.post(`/v1/orgs/${org.id}/invites`, { emails: [later] })).status, 200)
  await mailServer.next(later)
  await settled()
  mailServer.answers.push(550)
  assert.equal((await org.admin.client.post(`/v1/orgs/${org.id}/invites`, { emails: [never] })).status, 200)
  await settled()
  assert.deepEqual([mailServer.mails.filter(({ to }) => to === never).length, mailServer.answers.length], [0, 0])

  const lost = await startApp({ LECTERN_SMTP_URL: 'smtp://127.0.0.1:1', LECTERN_MAIL_FROM: 'a@example.com' })
  lost.app.mail.start()
  const there = await anOrganization(lost)
  const invited = await there.admin.client.post(`/v1/orgs/${there.id}/invites`, { emails: [later] })
  assert.equal(invited.status, 200)
  for (let waited = 0; waited < 30_000; waited += 20) {
    const row = await lost.db.find(sql<{ waits: boolean }>`select due_at > now() as waits from mails where tries = 1`)
    if (row?.waits) break
    await sleep(20)
  }
  assert.equal(await countMails(lost), 1)
  await lost.stop()
})

test('a mail waits while the server refuses the sender, however permanently, since the operator can mend that', async () => {
  const org = await anOrganization(app)
  const refusals = [
    { status: 530, says: 'Authentication required', at: 'sender' },
    { status: 553, says: '5.7.1 Sender address rejected: not owned by user' },
    { status: 554, says: '5.7.1 Relay access denied' },
    { status: 550, says: '5.1.8 Bad sender' },
  ] as const
  for (const refusal of refusals) {
    const email = `${newId()}@example.org`
    mailServer.answers.push(refusal)
    assert.equal((await org.admin.client.post(`/v1/orgs/${org.id}/invites`, { emails: [email] })).status, 200)
    await mailServer.next(email)
    await settled()
  }
  const nobody = `${newId()}@example.org`
  mailServer.answers.push({ status: 550, says: `5.1.1 <${nobody}>: unknown` })
  assert.equal((await org.admin.client.post(`/v1/orgs/${org.id}/invites`, { emails: [nobody] })).status, 200)
  await settled()
  assert.equal(mailServer.mails.filter(({ to }) => to === nobody).length, 0)
})

test('an invite that is revoked before its mail is sent is not mailed', async () => {
  const org = await anOrganization(app)
  const email = `${newId()}@example.org`
  await beforeAnythingIsSent(async () => {
    const { body } = await org.admin.client.post(`/v1/orgs/${org.id}/invites`, { emails: [email] })
    const { status } = await org.admin.client.delete(`/v1/orgs/${org.id}/link-invites/${body.invites[0].id}`)
    assert.deepEqual([status, await countMails()], [205, 1])
  })
  await settled()
  assert.ok(!mailServer.mails.some(({ to }) => to === email))
})

test('a sign-in code that waits to be mailed cannot be read in the database', async () => {
  const someone = await aPerson(silent)
  const waiting = await startApp({ LECTERN_SMTP_URL: 'smtp://127.0.0.1:1', LECTERN_MAIL_FROM: 'a@example.com' })
  const there = await aPerson(waiting, { email: someone.user.email })
  const person = new Person(waiting)
  await person.submit(await person.get('/login'), '/login', { email: there.user.email })
  const { row } = await waiting.db.one(sql<{ row: string }>`select m::text as row from mails m`)
  const isNoCode = /\\x[0-9a-f]+|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d [\d:.+]+|\S+@example\.com/g
  assert.doesNotMatch(row.replace(isNoCode, ''), /\d{8}/)
  await waiting.stop()
})
