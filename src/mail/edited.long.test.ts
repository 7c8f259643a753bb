import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../test/api-client.ts'
import { startApp } from '../../test/app.ts'
import { type EditedSpace, aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import type { TestPerson } from '../../test/factories.ts'
import { startGitServer } from '../../test/git-server.ts'
import { expect } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'
import { aSyncedSpace } from '../git/testing/syncing.ts'
import { signedIn } from '../sessions/testing/signed-in.ts'
import { Mailer } from './mailer.ts'
import { tellWatchers } from './tell-watchers.task.ts'
import { startMailServer } from './testing/mail-server.ts'

const mailServer = await startMailServer()
const gitServer = await startGitServer()
const app = await startApp({
  LECTERN_SMTP_URL: mailServer.url,
  LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>',
  LECTERN_FETCH_ALLOW: '127.0.0.1',
})
const mailer = new Mailer(app.app, { everyMs: 20, firstRetrySeconds: 0.02, quietSeconds: 0 })
mailer.start()
after(() => mailer.close())

/** Writes the mails that are due, and waits until all of them are sent or dropped. */
async function told(): Promise<void> {
  await tellWatchers.run({ db: app.db, config: app.app.config, store: app.app.store, log: app.app.log })
  for (let waited = 0; waited < 30_000; waited += 20) {
    if ((await app.db.find(sql`select from mails`)) === undefined) return
    await sleep(20)
  }
  assert.fail('mail is left')
}

const editsTo = ({ user }: TestPerson) =>
  mailServer.mails.filter(({ to, subject }) => to === user.email && subject.startsWith('Edited: '))

async function watch(who: TestPerson, { org, id }: Pick<EditedSpace, 'org' | 'id'>) {
  const home = `/app/o/${org.id}/s/${id}`
  const person = await signedIn(app, who)
  await person.submit(await person.get(home), `${home}/~/watch`)
}

const minutesPass = (minutes: number) =>
  Promise.all([
    app.db.run(sql`update revisions set created_at = created_at - make_interval(mins => ${minutes})`),
    app.db.run(sql`update watched_spaces set told_at = told_at - make_interval(mins => ${minutes})`),
  ])

test('a watcher of a space gets one mail an hour about what others wrote there, and about nothing else', async () => {
  const space = await aLiveSpace(app)
  const { org } = space
  const [watcher, writer, muted, gone] = [
    await org.member('edit'),
    await org.member('edit'),
    await org.member('read'),
    await org.member('read'),
  ]
  expect(await space.edit(newPage('Before')), 200)
  for (const each of [watcher, writer, muted, gone]) await watch(each, space)
  await app.db.run(sql`insert into muted_mail (user_id, kind) values (${muted.id}, 'edited')`)
  const write = (who: TestPerson, ...titles: string[]) =>
    who.client.post(`${space.path}/content`, { changes: titles.map((title) => newPage(title)) })

  expect(await write(writer, 'Cups', 'Plates'), 200)
  await told()
  assert.equal(mailServer.mails.length, 0, 'what is written now is gathered first')

  await minutesPass(15)
  expect(await write(writer, 'Forks'), 200)
  expect(await write(watcher, 'Mine'), 200)
  expect(await org.admin.client.delete(`/v1/orgs/${org.id}/members/${gone.id}`), 204)
  await told()
  await told()
  const [mail, ...more] = editsTo(watcher)
  assert.deepEqual([more.length, editsTo(muted).length, editsTo(gone).length], [0, 0, 0])
  assert.match(mail!.text, /Cups/)
  assert.match(mail!.text, /Plates/)
  assert.match(mail!.text, /Forks/)
  assert.match(mail!.text, new RegExp(`/s/${space.id}/~/history`))
  assert.doesNotMatch(mail!.text, /Mine|Before/)
  assert.equal(editsTo(writer).length, 0, 'what the watcher wrote has just been written')

  expect(await write(writer, 'Spoons'), 200)
  await minutesPass(30)
  await told()
  assert.equal(editsTo(watcher).length, 1, 'not twice in an hour')
  const [own] = editsTo(writer)
  assert.match(own!.text, /Mine/)
  assert.doesNotMatch(own!.text, /Cups|Forks|Spoons/)
  await minutesPass(40)
  await told()
  assert.equal(editsTo(watcher).length, 2)
  assert.match(editsTo(watcher)[1]!.text, /Spoons/)
  assert.doesNotMatch(editsTo(watcher)[1]!.text, /Cups/)

  const request = await space.changeRequest()
  await request.edit(newPage('Merged'))
  expect(await space.who.post(`${request.path}/merge`), 200)
  await minutesPass(90)
  await told()
  assert.equal(editsTo(watcher).length, 2, 'a merge has a mail of its own')
})

test('a watcher who may no longer read a space is not mailed about edits there', async () => {
  const space = await aLiveSpace(app)
  const watcher = await space.org.member('read')
  await watch(watcher, space)
  expect(await space.edit(newPage('Secret page')), 200)
  await minutesPass(15)
  expect(await space.who.patch(space.path, { defaultLevel: null }), 200)
  assert.equal((await watcher.client.get(space.path)).status, 404)
  await told()
  assert.deepEqual(editsTo(watcher), [])
})

test('an export to Git mails nobody, and a mail about deleted pages says that they are deleted', async () => {
  const repository = await gitServer.repository('edited', { 'README.md': '# Welcome\n' })
  const space = await aSyncedSpace(app, repository, { space: { editMode: 'live' } })
  const watcher = await space.org.member('edit')
  await watch(watcher, space)
  const write = (who: Client, change: object) => who.post(`${space.path}/content`, { changes: [change] })
  assert.equal((await space.import()).state, 'success')
  const [cups] = idsOf(await write(watcher.client, newPage('Cups')))
  await minutesPass(15)
  await told()
  assert.match(editsTo(watcher)[0]!.text, /“Welcome”/)

  assert.equal((await space.export()).state, 'success')
  const { body } = await space.who.get(`${space.path}/content/page/${cups}`)
  assert.equal(body.git.path, 'cups.md')
  await minutesPass(90)
  await told()
  assert.equal(editsTo(watcher).length, 1)

  expect(await write(space.who, { operation: 'delete_page', page: cups }), 200)
  await minutesPass(90)
  await told()
  assert.match(editsTo(watcher)[1]!.text, / wrote in the main content of [^:]+: one deleted page\.\n/)
})
