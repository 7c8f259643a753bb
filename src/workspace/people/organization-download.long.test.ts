// A whole organization as a file, and its progress in a real browser.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { startBrowser } from '../../../test/browser/browser.ts'
import { aLiveSpace, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { until } from '../../../test/until.ts'
import { tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const browser = await startBrowser()
const app = await startApp()

async function anOrganizationToSend() {
  const space = await aLiveSpace(app)
  await space.edit(newPage('Tea'))
  const home = `/app/o/${space.org.id}`
  return { space, org: space.org, home, page: `${home}/download` }
}

test('administrators download the whole organization as a zip, and the page and the API show that it was sent', async () => {
  const { org, home, page } = await anOrganizationToSend()
  const admin = await signedIn(app, org.admin)
  assert.ok((await admin.get(`${home}/settings`)).text.includes(`href="${page}"`))
  const shown = await admin.get(page)
  assert.match(shown.text, /What is in it[^]*members with names[^]*What is not in it[^]*secrets: tokens/)
  const sent = await admin.submit(shown, `${home}/export`)
  assert.equal(sent.headers.get('content-type'), 'application/zip')
  assert.match(sent.headers.get('content-disposition')!, /^attachment; filename="[^"]+\.zip"/)
  assert.equal(sent.headers.get('cache-control'), 'private, no-store')
  assert.match(sent.text, /organization\.json[^]*manifest\.json/)
  await until('it is sent', async () => (await admin.get(page)).text.includes('>sent</span>'))
  const run = (await org.admin.client.get(`/v1/orgs/${org.id}/exports/${sent.headers.get('lectern-export')}`)).body
  assert.deepEqual([run.status, run.target], ['completed', {}])
  // Another administrator sees it too, with the name of the person, and its progress while it is under way.
  const other = await org.member('admin')
  await app.db.run(sql`update export_runs set status = 'in-progress', completed_at = null, files = 2, total_files = 9,
    updated_at = now() where id = ${run.id}`)
  const under = await (await signedIn(app, other)).get(page)
  assert.ok(under.text.includes(org.admin.user.display_name))
  assert.match(under.text, /role="status">\s*A download is being prepared[^]*2 of about 9 files[^]*under way/)
  assert.match(under.text, /http-equiv="refresh"/)
})

test('only administrators can download an organization, and downloads of a space are not listed there', async () => {
  const { space, org, home, page } = await anOrganizationToSend()
  const member = await signedIn(app, await org.member('create'))
  assert.equal((await member.get(page)).location, home)
  const { form } = tokenIn(await member.get(`${home}/s/${space.id}`))
  assert.equal((await member.post(`${home}/export`, { form: form })).status, 403)
  const stranger = await signedIn(app, await aStranger(app))
  assert.doesNotMatch((await stranger.get(page)).text, /zip/)
  const admin = await signedIn(app, org.admin)
  assert.equal((await admin.post(`${home}/export`, { form: 'x' })).status, 403)
  assert.equal((await admin.get(`/v1/spaces/${space.id}/export`)).status, 401)
  assert.equal((await org.admin.client.get(`/v1/spaces/${space.id}/export`)).status, 200)
  assert.doesNotMatch((await admin.get(page)).text, /class="rows"/)
})

test('in a browser, a finished download of an organization or a space is shown as sent without a page reload', async () => {
  const { space, org, home } = await anOrganizationToSend()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  after(() => context.close())
  const admin = await signedIn(app, org.admin)
  await context.addCookies([...admin.cookies].map(([name, value]) => ({ name, value, url: app.url })))
  const tab = await context.newPage()
  for (const path of [`${home}/download`, `${home}/s/${space.id}/~/download`]) {
    await tab.goto(app.url + path)
    await tab.evaluate('window.isTheSame = true')
    const download = tab.waitForEvent('download')
    await tab.getByRole('button', { name: 'Download zip' }).click()
    await (await download).delete()
    await tab.locator('[data-sent] .tag', { hasText: 'sent' }).waitFor()
    assert.equal(await tab.evaluate('window.isTheSame'), true)
    assert.equal(await tab.evaluate('document.activeElement.textContent.trim()'), 'Download zip')
  }
})

test('the page stops checking the progress of a download after the user is signed out, and asks for a reload', async () => {
  const { org, page } = await anOrganizationToSend()
  const context = await browser.newContext()
  after(() => context.close())
  const admin = await signedIn(app, org.admin)
  await context.addCookies([...admin.cookies].map(([name, value]) => ({ name, value, url: app.url })))
  const tab = await context.newPage()
  await tab.clock.install()
  await tab.goto(app.url + page)
  let looks = 0
  tab.on('response', (response) => {
    if (response.url() === app.url + page) looks++
  })
  // The request is intercepted, so no archive is ever sent and the page keeps looking.
  await tab.route('**/export', (route) => route.fulfill({ status: 204 }))
  await tab.getByRole('button', { name: 'Download zip' }).click()
  const afterAWhile = () => tab.clock.runFor(6000)
  await until('it is looked once', async () => (await afterAWhile(), looks > 0))
  await context.clearCookies()
  const before = looks
  await until('it is looked once more', async () => (await afterAWhile(), looks > before))
  await tab.getByText('Reload this page to see the progress.').waitFor()
  const then = looks
  for (let times = 0; times < 5; times++) {
    await afterAWhile()
    await tab.evaluate('fetch(location.href).catch(() => {})')
  }
  assert.equal(looks, then + 5)
})
