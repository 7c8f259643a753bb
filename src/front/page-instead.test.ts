import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization, aStranger } from '../../test/factories.ts'
import { assertLinear } from '../../test/growth.ts'
import { Person } from '../account/testing/person.ts'
import { newId } from '../ids.ts'
import { signedIn } from '../sessions/testing/signed-in.ts'
import { pageInstead } from './page-instead.ts'

const app = await startApp()

const asBrowser = { accept: 'text/html' }

test('the address of a form redirects to the page of the form, for everyone and whether it exists or not', async () => {
  const org = await anOrganization(app)
  const people = [await signedIn(app, org.admin), await signedIn(app, await aStranger(app))]
  const [home, id] = [`/app/o/${org.id}`, newId()]
  const pages = {
    '/account/tokens/revoke': '/account',
    '/logout': '/account',
    [`${home}/spaces/restore`]: home,
    [`${home}/webhooks/${id}/secret`]: `${home}/webhooks/${id}`,
    [`${home}/sites/${id}/redirects/delete?search=x`]: `${home}/sites/${id}/redirects`,
    [`${home}/sites/${id}/menus/${id}/title`]: `${home}/sites/${id}/sections`,
    [`${home}/c/${id}/move`]: `${home}/c/${id}/settings`,
    [`${home}/people/links/${id}/role`]: `${home}/people/invites`,
    [`${home}/s/${id}/~/icon`]: `${home}/s/${id}/~/settings`,
    [`${home}/s/${id}/~/access/people/${id}/role`]: `${home}/s/${id}/~/access`,
    [`${home}/s/${id}/~/imports/website`]: `${home}/s/${id}/~/import`,
    [`${home}/s/${id}/~/git/following/end`]: `${home}/s/${id}/~/git`,
    [`${home}/s/${id}/~/git/following/hook/remove`]: `${home}/s/${id}/~/git`,
  }
  for (const [address, page] of Object.entries(pages))
    for (const person of people) {
      const { status, location, headers } = await person.get(address, asBrowser)
      assert.deepEqual([status, location, headers.get('cache-control')], [303, page, 'private, no-store'], address)
    }
  // Programs get the error for the wrong method.
  assert.equal((await people[0]!.get('/account/name')).status, 405)
  assert.equal((await people[0]!.get('/account/nothing', asBrowser)).status, 404)
})

test('a trailing slash in the address of a page is removed by a redirect that keeps the query', async () => {
  const org = await anOrganization(app)
  const person = await signedIn(app, org.admin)
  const home = `/app/o/${org.id}`
  for (const path of ['/docs', '/docs/api', '/account', '/login', '/app', home, `${home}/people`]) {
    const { status, location } = await person.get(`${path}/?search=x%2F`, asBrowser)
    assert.deepEqual([status, location], [303, `${path}?search=x%2F`])
  }
  for (const path of ['/docs', '/docs/api', '/account', '/login', '/login/code', '/invite/x', `${home}/people`]) {
    const { status, location } = await person.get(`${path}/?a=1`, { accept: '*/*' })
    assert.deepEqual([status, location], [303, `${path}?a=1`], 'for programs, too')
  }
  assert.equal((await person.get(`${home}/nothing/`, asBrowser)).status, 404)
  // The address of a form has no page of its own, so programs get an error.
  assert.equal((await person.get('/account/name/', { accept: '*/*' })).status, 404)
  assert.equal((await person.post('/login/', {})).status, 404)
  for (const path of ['/nothing/', '//example.org/', '/%2F/'])
    assert.equal((await person.get(path, asBrowser)).status, 404)
})

test('a signed-out person who sends a form returns after sign-in to the page of the form', async () => {
  const home = `/app/o/${newId()}`
  const next = async (path: string) =>
    new URLSearchParams((await new Person(app).post(path, {})).location!.split('?')[1]).get('next')
  assert.equal(await next(`${home}/spaces`), home)
  assert.equal(await next(`${home}/webhooks`), `${home}/webhooks`)
})

test('the time to find the page for an address grows linearly with its slashes', () =>
  assertLinear((length) => pageInstead(app.app, `/a${'/'.repeat(length)}b`), 40_000))
