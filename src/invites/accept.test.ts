import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import type { Answer } from '../../test/api-client.ts'
import { startApp } from '../../test/app.ts'
import { inviting } from '../../test/invites.ts'
import { type TestPerson, aPerson, anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { newSecret } from '../secrets.ts'

const app = await startApp()
const { anAddress, secretOf, invite, anEmailInvite, aLink, acceptAsNewcomer, roleOf, countRows, change, passerby } =
  inviting(app)

test('a newcomer who accepts a link gets an account, with a token that works at once', async () => {
  const org = await anOrganization(app)
  const link = await aLink(org, 'comment')
  const email = anAddress()

  const accepted = await passerby.post(`/v1/invites/${link.secret}/accept`, { email, displayName: 'New One' })
  assert.equal(accepted.status, 200)
  assert.equal(accepted.body.organization, org.id)
  assert.deepEqual([accepted.body.user.email, accepted.body.user.displayName], [email, 'New One'])
  assert.match(accepted.body.token, /^lct_[\w-]{43}$/)

  const newcomer = app.client(accepted.body.token, [org.canary])
  assert.equal((await newcomer.get('/v1/user')).body.id, accepted.body.user.id)
  assert.equal((await newcomer.get(`/v1/orgs/${org.id}`)).status, 200)
  assert.equal(await roleOf(org, accepted.body.user.id), 'comment')
})

test('an account made with an invite has no verified address, by link or by e-mail invite', async () => {
  const org = await anOrganization(app)
  const [byLink, byEmail] = [anAddress(), anAddress()]
  await acceptAsNewcomer((await aLink(org)).secret, byLink)
  await acceptAsNewcomer(await anEmailInvite(org, byEmail), byEmail)
  const made = sql`select count(*) from users where email in (${byLink}, ${byEmail}) and not email_verified`
  assert.equal(await countRows(made), 2)
})

test('accepting with the address of an existing account gets 409 and never a token, whatever its spelling', async () => {
  const org = await anOrganization(app)
  const link = await aLink(org)
  const known = await aPerson(app)

  for (const secret of [link.secret, await anEmailInvite(org, known.user.email, [known])]) {
    const refused = await acceptAsNewcomer(secret, known.user.email.toUpperCase())
    assert.equal(refused.status, 409)
    assert.equal(refused.body.error.type, 'account_exists')
    assert.ok(!refused.text.includes('lct_'))
  }
  assert.equal(await roleOf(org, known.id), undefined)
})

test('a person who accepts an invite with a token joins, and no new token is made', async () => {
  const org = await anOrganization(app)
  const person = await aPerson(app, { sees: [org.canary] })
  const link = await aLink(org, 'review')

  const accepted = await person.client.post(`/v1/invites/${link.secret}/accept`, { email: anAddress() })
  assert.equal(accepted.status, 200)
  assert.equal(accepted.body.user.id, person.id)
  assert.ok(!('token' in accepted.body))
  assert.equal((await person.client.get(`/v1/orgs/${org.id}`)).status, 200)
  assert.equal(await roleOf(org, person.id), 'review')
})

test("the public API path joins with the secret, not with the id, and only in the invite's own organization", async () => {
  const org = await anOrganization(app)
  const elsewhere = await anOrganization(app)
  const person = await aPerson(app, { sees: [org.canary] })
  const link = await aLink(org, 'read')

  assert.equal((await person.client.post(`/v1/orgs/${org.id}/invites/${link.id}`)).status, 404)
  assert.equal((await person.client.post(`/v1/orgs/${elsewhere.id}/invites/${link.secret}`)).status, 404)
  assert.equal((await passerby.post(`/v1/orgs/${org.id}/invites/${link.secret}`)).status, 401)
  assert.equal(await roleOf(org, person.id), undefined)

  const joined = await person.client.post(`/v1/orgs/${org.id}/invites/${link.secret}`)
  assert.deepEqual([joined.status, joined.body], [200, {}])
  assert.equal(await roleOf(org, person.id), 'read')
})

test('a narrowed token cannot accept an invite, and a wrong token is not treated as no token', async () => {
  const org = await anOrganization(app)
  const person = await aPerson(app)
  const link = await aLink(org)
  const { body } = await person.client.post('/v1/user/tokens', {
    label: 'Narrow',
    scopes: ['organization:members:write'],
  })
  const narrow = app.client(body.token)

  for (const path of [`/v1/invites/${link.secret}/accept`, `/v1/orgs/${org.id}/invites/${link.secret}`]) {
    const refused = await narrow.post(path)
    assert.deepEqual([refused.status, refused.body.error.type], [403, 'insufficient_scope'])
  }
  const wrong = app.client(`lct_${newSecret()}`)
  assert.equal((await wrong.post(`/v1/invites/${link.secret}/accept`, { email: anAddress() })).status, 401)
  assert.equal(await roleOf(org, person.id), undefined)
})

test('an e-mail invite works only for its own address, and does not reveal it', async () => {
  const org = await anOrganization(app)
  const invited = await aPerson(app, { sees: [org.canary] })
  const other = await aPerson(app)
  const secret = await anEmailInvite(org, invited.user.email.toUpperCase(), [invited])

  const refused = await other.client.post(`/v1/invites/${secret}/accept`)
  assert.equal(refused.status, 403)
  const wrong = await acceptAsNewcomer(secret, anAddress())
  assert.deepEqual([wrong.status, wrong.body.error.details[0].path], [400, 'body.email'])
  for (const { text } of [refused, wrong]) assert.ok(!text.toLowerCase().includes(invited.user.email))

  assert.equal((await invited.client.post(`/v1/invites/${secret}/accept`)).status, 200)
})

test('an e-mail invite works once', async () => {
  const org = await anOrganization(app)
  const email = anAddress()
  const secret = await anEmailInvite(org, email)
  const accepted = await acceptAsNewcomer(secret, email)
  assert.equal(accepted.status, 200)

  assert.equal((await acceptAsNewcomer(secret, email)).status, 404)
  assert.equal((await app.client(accepted.body.token).post(`/v1/invites/${secret}/accept`)).status, 404)
})

test('accepting one e-mail invite several times at once makes one account and one member', async () => {
  const org = await anOrganization(app)
  const email = anAddress()
  const secret = await anEmailInvite(org, email)
  const statuses = await Promise.all(
    Array.from({ length: 6 }, async () => (await acceptAsNewcomer(secret, email)).status),
  )

  assert.deepEqual(statuses.toSorted(), [200, 404, 404, 404, 404, 404])
  assert.equal(await countRows(sql`select count(*) from members where organization_id = ${org.id}`), 2)
})

test('an e-mail invite expires after 30 days, a link never', async () => {
  const org = await anOrganization(app)
  const email = anAddress()
  const { body } = await invite(org, { emails: [email] })
  const [{ id, url }] = body.invites
  const link = await aLink(org)
  const days = sql`select count(*) from invites where organization_id = ${org.id}
    and expires_at between now() + interval '29 days' and now() + interval '31 days'`
  assert.equal(await countRows(days), 1)

  await change(sql`update invites set expires_at = now() where id = ${id}`)
  assert.equal((await acceptAsNewcomer(secretOf(url), email)).status, 404)
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/link-invites/${id}`)).status, 404)
  assert.equal(await countRows(sql`select count(*) from invites where id = ${link.id} and expires_at is null`), 1)
})

test('an e-mail invite can be revoked before it is used', async () => {
  const org = await anOrganization(app)
  const email = anAddress()
  const { body } = await invite(org, { emails: [email] })
  const [{ id, url }] = body.invites

  assert.equal((await org.admin.client.delete(`/v1/orgs/${org.id}/link-invites/${id}`)).status, 205)
  assert.equal((await acceptAsNewcomer(secretOf(url), email)).status, 404)
})

test('an unknown secret gets the same 404 for everybody, and so does the id of an invite', async () => {
  const org = await anOrganization(app)
  const link = await aLink(org)
  const used = await anEmailInvite(org, org.admin.user.email.replace('@', '+used@'))
  await change(sql`delete from invites where organization_id = ${org.id} and email is not null`)
  const person = await aPerson(app)

  const answers = await Promise.all(
    [newSecret(), link.id, used, 'x'].flatMap((secret) => [
      acceptAsNewcomer(secret, anAddress()),
      person.client.post(`/v1/invites/${secret}/accept`),
      org.admin.client.post(`/v1/invites/${secret}/accept`),
      person.client.post(`/v1/orgs/${org.id}/invites/${secret}`),
      person.client.post(`/v1/orgs/${newId()}/invites/${secret}`),
    ]),
  )
  for (const { status, body } of answers) {
    assert.equal(status, 404)
    assert.deepEqual(body, answers[0]!.body)
  }
})

test('without a token an address is required, and a name has at most 64 characters', async () => {
  const org = await anOrganization(app)
  const link = await aLink(org)
  const refusal = async (body?: unknown) => {
    const answer = await passerby.post(`/v1/invites/${link.secret}/accept`, body)
    assert.equal(answer.status, 400)
    return answer.body.error.details[0].path
  }
  assert.equal(await refusal(), 'body.email')
  assert.equal(await refusal({ email: 'nobody' }), 'body.email')
  assert.equal(await refusal({ email: anAddress(), displayName: 'x'.repeat(65) }), 'body.displayName')
})

test("fields other than name and address in a newcomer's request have no effect", async () => {
  const org = await anOrganization(app)
  const link = await aLink(org, 'read')
  const id = newId()
  const { body } = await passerby.post(`/v1/invites/${link.secret}/accept`, {
    email: anAddress(),
    id,
    role: 'admin',
    emailVerified: true,
    email_verified: true,
    instanceAdmin: true,
    instance_admin: true,
  })
  assert.notEqual(body.user.id, id)
  assert.equal(await roleOf(org, body.user.id), 'read')
  assert.equal(
    await countRows(sql`select count(*) from users
    where id = ${body.user.id} and not email_verified and not instance_admin`),
    1,
  )
})

test('a link lets in 20 people a minute, not counting members who follow it', async () => {
  const org = await anOrganization(app)
  const link = await aLink(org)
  const member = await org.member('read')

  const first = await Promise.all(Array.from({ length: 20 }, () => acceptAsNewcomer(link.secret, anAddress())))
  assert.deepEqual([...new Set(first.map(({ status }) => status))], [200])
  assert.equal((await member.client.post(`/v1/invites/${link.secret}/accept`)).status, 200)

  const email = anAddress()
  const refused = await acceptAsNewcomer(link.secret, email)
  assert.deepEqual([refused.status, refused.body.error.type], [429, 'rate_limited'])
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 60, `Retry-After: ${wait}`)
  assert.equal(await countRows(sql`select count(*) from users where email = ${email}`), 0)

  await change(sql`update invite_uses set minute = minute - interval '1 minute' where invite_id = ${link.id}`)
  assert.equal((await acceptAsNewcomer(link.secret, email)).status, 200)
})

test('a link lets in at most 20 of the people who follow it at once', async () => {
  const org = await anOrganization(app)
  const link = await aLink(org)
  // On a busy machine, so many at once wait too long for a connection, and are asked to try again.
  const accept = async (address: string, tries = 20): Promise<Answer> => {
    const answer = await acceptAsNewcomer(link.secret, address)
    return answer.status === 503 && tries > 1 ? accept(address, tries - 1) : answer
  }
  const answers = await Promise.all(Array.from({ length: 30 }, () => accept(anAddress())))
  assert.equal(answers.filter(({ status }) => status === 200).length, 20)
  assert.equal(answers.filter(({ status }) => status === 429).length, 10)
  assert.equal(await countRows(sql`select count(*) from members where organization_id = ${org.id}`), 21)
})

test('a member who accepts an invite keeps their role', async () => {
  const org = await anOrganization(app)
  const member = await org.member('read')
  const link = await aLink(org, 'admin')

  for (const path of [`/v1/invites/${link.secret}/accept`, `/v1/orgs/${org.id}/invites/${link.secret}`]) {
    assert.equal((await member.client.post(path)).status, 200)
  }
  assert.equal(await roleOf(org, member.id), 'read')
})

test('a disabled member and a barred token cannot come back with a link', async () => {
  const org = await anOrganization(app)
  const link = await aLink(org, 'admin')
  const [disabled, barred] = [await org.member('read'), await org.member('read')]
  await org.admin.client.patch(`/v1/orgs/${org.id}/members/${disabled.id}`, { disabled: true })
  const { body } = await barred.client.get('/v1/user/tokens')
  await org.admin.client.put(`/v1/orgs/${org.id}/members/${barred.id}/tokens/${body.items[0].id}/bar`)

  for (const who of [disabled, barred]) {
    assert.equal((await who.client.post(`/v1/invites/${link.secret}/accept`)).status, 403)
    assert.equal((await who.client.get(`/v1/orgs/${org.id}`)).status, 404)
  }
})

test('a removed member who had joined through a link cannot come back with an e-mail invite', async () => {
  const org = await anOrganization(app)
  const person = await aPerson(app)
  const byEmail = await anEmailInvite(org, person.user.email, [person])
  const link = await aLink(org)

  await person.client.post(`/v1/invites/${link.secret}/accept`)
  await org.admin.client.delete(`/v1/orgs/${org.id}/members/${person.id}`)
  assert.equal((await person.client.post(`/v1/invites/${byEmail}/accept`)).status, 404)
})

test('with links switched off, none can be made or used, not even older ones, but e-mail invites still work', async () => {
  const org = await anOrganization(app)
  const link = await aLink(org)
  const person = await aPerson(app)
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { inviteLinks: false })

  const refusals = [
    await org.admin.client.post(`/v1/orgs/${org.id}/link-invites`, { role: 'read' }),
    await acceptAsNewcomer(link.secret, anAddress()),
    await person.client.post(`/v1/invites/${link.secret}/accept`),
    await person.client.post(`/v1/orgs/${org.id}/invites/${link.secret}`),
  ]
  for (const { status, body } of refusals) {
    assert.equal(status, 403)
    assert.match(body.error.message, /switched/)
  }
  const email = anAddress()
  assert.equal((await acceptAsNewcomer(await anEmailInvite(org, email), email)).status, 200)

  await org.admin.client.patch(`/v1/orgs/${org.id}`, { inviteLinks: true })
  assert.equal((await acceptAsNewcomer(link.secret, anAddress())).status, 200)
})

test('where single sign-on is required, newcomers and existing users cannot accept an invite for it in another way', async () => {
  const org = await anOrganization(app)
  const emails = [anAddress(), anAddress()]
  const known = await aPerson(app, { email: emails[1]!, sees: [org.canary] })
  const { body } = await org.admin.client.post(`/v1/orgs/${org.id}/invites`, { emails, role: 'admin', sso: true })
  const secrets = new Map<string, string>(body.invites.map((each: any) => [each.email, each.url.split('/').at(-1)]))
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { sso: true })
  const accept = () =>
    Promise.all([
      passerby.post(`/v1/invites/${secrets.get(emails[0]!)}/accept`, { email: emails[0] }),
      known.client.post(`/v1/invites/${secrets.get(emails[1]!)}/accept`),
      known.client.post(`/v1/orgs/${org.id}/invites/${secrets.get(emails[1]!)}`),
    ])
  for (const { status, body } of await accept()) {
    assert.equal(status, 403)
    assert.match(body.error.message, /single sign-on/)
  }
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/members`)).body.count, 1)
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { sso: false })
  const [newcomer, ...twice] = await accept()
  assert.equal(newcomer.status, 200)
  // Both requests are about the same invite, and the first one uses it up.
  assert.equal(twice.filter(({ status }) => status < 300).length, 1)
})

test('a repeat with the same Idempotency-Key gets the same token and makes only one account', async () => {
  const org = await anOrganization(app)
  for (const secretFor of [(email: string) => anEmailInvite(org, email), async () => (await aLink(org)).secret]) {
    const email = anAddress()
    const secret = await secretFor(email)
    const accept = (body: object) => passerby.post(`/v1/invites/${secret}/accept`, body, { 'idempotency-key': 'again' })

    const first = await accept({ email })
    const second = await accept({ email })
    assert.equal(first.status, 200)
    assert.deepEqual([second.status, second.body], [200, first.body])
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    assert.equal(await countRows(sql`select count(*) from users where email = ${email}`), 1)
    assert.equal(await countRows(sql`select count(*) from tokens where user_id = ${first.body.user.id}`), 1)

    const other = await accept({ email: anAddress() })
    assert.deepEqual([other.status, other.body.error.type], [400, 'idempotency_key_reused'])
  }
})

test("one person's Idempotency-Key does not replay for another, even on the same link", async () => {
  const org = await anOrganization(app)
  const link = await aLink(org)
  const [one, other] = [await aPerson(app), await aPerson(app)]
  const accept = (who: TestPerson) =>
    who.client.post(`/v1/invites/${link.secret}/accept`, undefined, { 'idempotency-key': 'same' })

  assert.equal((await accept(one)).body.user.id, one.id)
  assert.equal((await accept(other)).body.user.id, other.id)
})

test('every step of an invite is recorded in the changes, without address or secret', async () => {
  const org = await anOrganization(app)
  const link = await aLink(org)
  await org.admin.client.patch(`/v1/orgs/${org.id}/link-invites/${link.id}`, { role: 'edit' })
  await acceptAsNewcomer(link.secret, anAddress())
  await org.admin.client.delete(`/v1/orgs/${org.id}/link-invites/${link.id}`)

  const rows = await app.db.all(sql<{ action: string; line: string }>`
    select action, changes::text as line from changes where target_type = 'invite' and target_id = ${link.id} order by tx`)
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['invite.created', 'invite.updated', 'invite.accepted', 'invite.deleted'],
  )
  for (const { line } of rows) assert.ok(!line.includes(link.secret) && !line.includes('@'))
})

test('no invite secret or token is written to the log', async (t) => {
  const talkative = await startApp({ LECTERN_LOG: 'info' })
  const lines: string[] = []
  const { streamSym } = pino.symbols as unknown as { streamSym: symbol }
  const stream = (talkative.app.log as any)[streamSym]
  t.mock.method(stream, 'write', (line: string) => lines.push(line))

  const org = await anOrganization(talkative)
  const link = await aLink(org)
  const accepted = await acceptAsNewcomer(link.secret, anAddress(), talkative.client())
  await acceptAsNewcomer(link.secret, accepted.body.user.email, talkative.client())
  await talkative.client(accepted.body.token).post(`/v1/orgs/${org.id}/invites/${link.secret}`)
  await talkative.stop()

  const log = lines.join('')
  assert.match(log, /\/v1\/invites\/:inviteSecret\/accept/)
  assert.ok(!log.includes(link.secret) && !log.includes(accepted.body.token))
})
