// Creating an organization with a browser that runs no script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { anOrganization } from '../../../test/factories.ts'
import { tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()
const path = '/account/new-organization'

/** An administrator of the installation, who is a member of an organization. */
async function aRunner() {
  const org = await anOrganization(app)
  await app.db.run(sql`update users set instance_admin = true where id = ${org.admin.id}`)
  return { org, runner: await signedIn(app, org.admin) }
}

test('an administrator of the installation creates an organization, with or without a site, and administers it', async () => {
  const { org, runner } = await aRunner()
  assert.ok((await runner.get('/account')).text.includes(`href="${path}"`))
  const page = await runner.get(path)
  const [made, again] = [
    await runner.submit(page, path, { title: '  Kettles & Co ' }),
    await runner.submit(page, path, { title: '  Kettles & Co ' }),
  ]
  assert.match(made.location!, /^\/app\/o\/[\w-]{36}$/)
  // A second click creates no second one.
  assert.equal(again.location, made.location)
  const home = await runner.follow(made)
  assert.match(home.text, /<h1>Kettles &amp; Co<\/h1>/)
  assert.match(home.text, /Settings<\/a>/)
  const id = made.location!.split('/').at(-1)
  const { body } = await org.admin.client.get(`/v1/orgs/${id}`)
  assert.equal(body.title, 'Kettles & Co')
  const furnished = await runner.submit(page, path, { title: 'Teapots', site: 'on' })
  assert.match((await runner.get(`${furnished.location}/sites`)).text, />Teapots<\/strong>/)
  const { body: record } = await org.admin.client.get(`/v1/orgs/${id}/audit-events`)
  assert.ok(record.items.some(({ action }: any) => action === 'organization.created'))
})

test('an organization title outside 2 to 255 characters is refused, and stays in its field', async () => {
  const { runner } = await aRunner()
  const page = await runner.get(path)
  for (const title of ['x', '', 'x'.repeat(256)]) {
    const refused = await runner.submit(page, path, { title, site: 'on' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /role="alert">An organization needs a title of 2 to 255 characters/)
    assert.ok(refused.text.includes(`value="${title}"`))
    assert.match(refused.text, /name="site" value="on"\s+checked/)
  }
})

test('other members and sessions for one organization are not offered a new organization, and get 403', async () => {
  const { org, runner } = await aRunner()
  const member = await signedIn(app, await org.member('admin'))
  const bound = await signedIn(app, org.admin, { organizationId: org.id })
  for (const person of [member, bound]) {
    const account = await person.get('/account')
    assert.doesNotMatch(account.text, /New organization/)
    assert.equal((await person.get(path)).location, '/account')
    const { form } = tokenIn(account)
    assert.equal((await person.post(path, { form: form, title: 'Mine' })).status, 403)
  }
  assert.equal((await runner.post(path, { form: 'x', title: 'Mine' })).status, 403)
})
