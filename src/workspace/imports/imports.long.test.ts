// Files and websites are imported as pages of a space, with a browser that runs no script.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import type { Client } from '../../../test/api-client.ts'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { until } from '../../../test/until.ts'
import { expect } from '../../../test/visitor.ts'
import { type Page, Person, tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { aSite as aWebsite } from '../../imports/testing/site.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { incomingFolder } from '../../storage/receive.ts'

const app = await startApp({
  LECTERN_FETCH_ALLOW: '127.0.0.1',
  LECTERN_IMPORT_LIMIT: '20000',
})

async function aWriter(role: 'edit' | 'review' = 'edit') {
  const space = await aLiveSpace(app)
  expect(await space.edit(newPage('Here')), 200)
  expect(await space.who.patch(space.path, { editMode: 'locked' }), 200)
  const path = `/app/o/${space.org.id}/s/${space.id}`
  const writer = await signedIn(app, await space.org.member(role))
  const importing = () => writer.get(`${path}/~/import`)
  const files = async (sent: [string, string][], fields: Record<string, string> = {}) =>
    writer.submitFiles(await importing(), `${path}/~/imports/files`, fields, sent)
  return { space, path, writer, importing, files }
}

async function ended(person: Person, started: Page): Promise<Page> {
  let page = await person.follow(started)
  await until('the import has ended', async () => {
    page = await person.get(started.location!)
    return !page.text.includes('http-equiv="refresh"')
  })
  return page
}

async function untilEnded({ who, org }: { who: Client; org: { id: string } }) {
  const runs = async () => expect(await who.get(`/v1/org/${org.id}/imports`), 200).items
  await until('all imports have ended', async () => (await runs()).every(({ completedAt }: any) => completedAt))
  return runs()
}

const outlineOf = (space: { outline: (at?: string) => Promise<string>; path: string }) =>
  space.outline(`${space.path}/change-requests/1`)

test('an editor imports files into a change request, which shows their pages', async () => {
  const { space, path, writer, files } = await aWriter()
  assert.ok((await writer.get(path)).text.includes(`href="${path}/~/import"`))
  const started = await files([
    ['tea.md', '# Tea\n\nHot.\n'],
    ['cups.md', '# Cups\n\nOf china.\n'],
  ])
  assert.match(started.location!, new RegExp(`^${path}/~/imports/[0-9a-f-]{36}$`))
  const done = await ended(writer, started)
  assert.match(done.text, /2 pages have\s+come, into a change request/)
  assert.ok(done.text.includes(`href="${path}/~/changes/1"`), done.text)
  assert.match((await writer.get(`${path}/~/changes/1`)).text, /<h1>Import of tea\.md<\/h1>[^]*Of china\./)
  assert.equal(await outlineOf(space), 'Here Tea Cups')
  assert.equal(await space.outline(), 'Here')
  assert.deepEqual(await readdir(incomingFolder(app.config)), [])
})

test('a member who may merge can import into the main content, and one who may not gets 403', async () => {
  const { space, writer, importing, files } = await aWriter('review')
  assert.match((await importing()).text, /<option value="main">/)
  const done = await ended(writer, await files([['tea.md', '# Tea\n']], { into: 'main' }))
  assert.match(done.text, /One page has\s+come\./)
  assert.equal(await space.outline(), 'Here Tea')

  const other = await aWriter('edit')
  assert.doesNotMatch((await other.importing()).text, /<option value="main">/)
  const refused = await other.files([['tea.md', '# Tea\n']], { into: 'main' })
  assert.deepEqual([refused.status, /role="alert">You may not import into this space/.test(refused.text)], [403, true])
  assert.equal(await other.space.outline(), 'Here')
})

test('if the rules require a review, importing into the main content is not offered, and an attempt gets 412 with the reason', async () => {
  const { space, importing, files } = await aWriter('review')
  const rules = { mergeRules: { type: 'rules', rules: [{ type: 'require_at_least_one_approved_review' }] } }
  expect(await space.who.patch(space.path, rules), 200)
  assert.doesNotMatch((await importing()).text, /<option value="main">/)
  const refused = await files([['tea.md', '# Tea\n']], { into: 'main' })
  assert.equal(refused.status, 412)
  assert.match(
    refused.text,
    /role="alert">The rules of this space require a review of every change[^<]*import into a change request\./,
  )
  assert.equal(await space.outline(), 'Here')
})

test('a website is imported, and the result lists the addresses that were not imported', async () => {
  const site = await aWebsite({ '/': '<main><h1>Root</h1><a href="/gone">x</a></main>' })
  const { space, path, writer, importing } = await aWriter()
  const page = await importing()
  const started = await writer.submit(page, `${path}/~/imports/website`, { address: site.url() })
  const again = await writer.submit(page, `${path}/~/imports/website`, { address: site.url() })
  assert.equal(again.location, started.location, 'a second click')
  const done = await ended(writer, started)
  assert.match(done.text, /One page has\s+come/)
  assert.match(done.text, /Not imported[^]*\/gone<\/strong>/)
  assert.equal(await outlineOf(space), 'Here Root')
})

test('a failed website import says what to check, and links back to try again', async () => {
  const site = await aWebsite({})
  const { path, writer, importing } = await aWriter()
  const started = await writer.submit(await importing(), `${path}/~/imports/website`, { address: site.url() })
  const { text } = await ended(writer, started)
  assert.match(text, /responds with an error\. Check that it opens in a browser without signing in/)
  assert.ok(text.includes(`href="${path}/~/import">Try again</a>`))
})

test('invalid files and addresses are refused with a reason, start no import, and leave no files behind', async () => {
  const { space, path, writer, importing, files } = await aWriter()
  for (const [sent, status, reason] of [
    [[], 409, 'Choose at least one file'],
    [[['tea.exe', 'x']], 409, 'tea\\.exe is not a \\.md'],
    [
      [
        ['a.md', 'x'],
        ['tea\nand.md', 'x'],
      ],
      409,
      'A file name contains line breaks or other control characters',
    ],
    [
      [
        ['a.md', 'x'],
        ['tea\u2028and.md', 'x'],
      ],
      409,
      'A file name contains line breaks or other control characters',
    ],
    [
      [
        ['a.md', 'x'],
        ['tea\0.md', 'x'],
      ],
      409,
      'A file name contains line breaks or other control characters',
    ],
    [[['tea.md', 'x'.repeat(20_001)]], 413, 'too large'],
    [Array.from({ length: 51 }, (_, at) => [`${at}.md`, 'x']), 409, 'At most 50 files'],
  ] as [[string, string][], number, string][]) {
    const refused = await files(sent)
    assert.equal(refused.status, status, refused.text)
    assert.match(refused.text, new RegExp(`role="alert">[^<]*${reason}`))
  }
  const longAddress = `https://example.org/${'x'.repeat(2048)}`
  for (const address of ['', 'x', 'ftp://example.org', 'https://me:pass@example.org/', longAddress]) {
    const refused = await writer.submit(await importing(), `${path}/~/imports/website`, { address })
    assert.equal(refused.status, 409)
    assert.ok(refused.text.includes(`value="${address}"`))
  }
  const failed = await ended(writer, await files([['tea.zip', 'no zip']]))
  assert.match(failed.text, /failed<\/span>[^]*Nothing was changed\./)
  assert.ok(failed.text.includes(`<a href="${path}/~/changes/1">its change request</a>: archive it`), failed.text)
  assert.equal((await space.who.get(`/v1/org/${space.org.id}/imports`)).body.count, 1)
  assert.deepEqual(await readdir(incomingFolder(app.config)), [])
})

test('a running import can be cancelled, and changes nothing', async () => {
  const site = await aWebsite({ '/': () => {} })
  const { space, path, writer, importing } = await aWriter()
  const started = await writer.submit(await importing(), `${path}/~/imports/website`, { address: site.url() })
  const page = await writer.follow(started)
  assert.match(page.text, /http-equiv="refresh" content="2"/)
  // Keyboard users need time to get from button to button.
  await app.db.run(sql`update import_runs set created_at = now() - interval '1 minute' where space_id = ${space.id}`)
  assert.match((await writer.get(started.location!)).text, /http-equiv="refresh" content="15"/)
  const cancelled = await writer.follow(await writer.submit(page, `${started.location}/cancel`))
  assert.match(cancelled.text, /cancelled<\/span>[^]*Nothing was changed\./)
  const again = await writer.post(`${started.location}/cancel`, tokenIn(await writer.get(path)))
  assert.equal(again.status, 400)
  assert.equal(await outlineOf(space), 'Here')
})

test('an import fails if the session that started it ends before the import does', async () => {
  let answer: (() => unknown) | undefined
  const site = await aWebsite({
    '/': (_request, response) => {
      answer = () => response.setHeader('content-type', 'text/html').end('<h1>Root</h1>')
    },
  })
  const { space, path, writer, importing } = await aWriter()
  await writer.submit(await importing(), `${path}/~/imports/website`, { address: site.url() })
  await until('the website is asked', () => answer !== undefined)
  await app.db.run(sql`delete from sessions`)
  answer!()
  const [run] = await untilEnded(space)
  assert.deepEqual([run.status, run.reason], ['failed', 'The person who started this import is no longer allowed to.'])
  assert.equal(await outlineOf(space), 'Here')
})

test('imports are offered only to members with write access, forged forms are refused, and imports of others are not found', async () => {
  const { space, path, writer, files } = await aWriter()
  const run = (await files([['tea.md', '# Tea\n']])).location!
  await ended(writer, { ...(await writer.get(path)), status: 303, location: run })
  const reader = await signedIn(app, await space.org.member('comment'))
  assert.equal((await reader.get(`${path}/~/import`)).location, path)
  assert.doesNotMatch((await reader.get(path)).text, /\/import"/)
  const form = 'x.x'
  for (const action of [`${path}/~/imports/files`, `${path}/~/imports/website`, `${run}/cancel`]) {
    for (const person of action.endsWith('files') ? [reader] : [reader, writer])
      assert.equal((await person.post(action, { form, address: 'https://example.org/' })).status, 403, action)
    assert.match((await new Person(app).post(action, { form })).location!, /^\/login/)
  }
  assert.equal((await files([['tea.md', '# Tea\n']], { form })).status, 403)
  const nothing = (await new Person(app).get('/app/x')).text
  const stranger = await signedIn(app, await aStranger(app))
  const elsewhere = await aWriter()
  for (const [person, address] of [
    [stranger, `${path}/~/import`],
    [stranger, run],
    [elsewhere.writer, run],
    [writer, `${path}/~/imports/${newId()}`],
    [elsewhere.writer, run.replace(path, elsewhere.path)],
  ] as const)
    assert.equal((await person.get(address)).text, nothing, address)
  assert.match((await reader.get(run)).text, /One page has/)
  assert.equal((await space.who.get(`/v1/org/${space.org.id}/imports`)).body.count, 1)
})

test('the page of a running import says how many pages are read, and what follows once all are', async () => {
  const { writer, files } = await aWriter()
  const started = await files([['tea.md', '# Tea\n']])
  await ended(writer, started)
  const id = started.location!.split('/').at(-1)!
  const at = async (found: number, done: number) => {
    await app.db.run(sql`update import_runs set status = 'in-progress', due_at = now() + interval '1 hour',
      completed_at = null, revision = null, found = ${found}, done = ${done} where id = ${id}`)
    return (await writer.get(started.location!)).text
  }
  assert.match(await at(0, 0), /Looking for the first pages/)
  assert.match(await at(12, 3), /3 of 12 pages read/)
  assert.match(
    await at(12, 12),
    /All pages have been read\. Now their files are fetched, and then everything is written/,
  )
  await app.db.run(
    sql`update import_runs set status = 'cancelled', completed_at = now(), due_at = null where id = ${id}`,
  )
})
