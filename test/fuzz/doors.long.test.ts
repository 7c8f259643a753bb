import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { formToken } from '../../src/account/forms.ts'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import { startApp } from '../app.ts'
import { aPerson, anOrganization } from '../factories.ts'
import { stateOf } from '../state.ts'
import { type Door, knock } from './doors.ts'
import { reviewDoors, uploadOf } from './review-doors.ts'
import { environment, setUp, testSeed, told } from './setting.ts'

const { world, touched, stop } = await setUp(await startApp(environment))
after(stop)

test('pages and forms of an organization give strangers nothing, nor do its ids below their own organization', async () => {
  const { app, own, words } = world
  const { admin, id } = await anOrganization(app)
  const sessions = [await aSession(app, admin), await aSession(app, await aPerson(app))]
  const doors = sessions.flatMap((session) => reviewDoors(world, session)).filter(({ url }) => url.startsWith('/app/'))
  const below = doors.map((door) => ({ ...door, url: door.url.replace(own.organizationId!, id) }))
  // Addresses that contain no id but that of their own organization lead to their own pages, which they may see and
  // change.
  const foreign = below.filter(({ url }) => /[0-9a-f-]{36}/.test(url.replace(id, '')))
  assert.ok(foreign.length > 100)
  const before = await stateOf(app.db)
  for (const { method, url, form, bodies, headers } of [...doors, ...foreign]) {
    const payload = form ? new URLSearchParams(form).toString() : bodies?.at(-1)
    const type = form && { 'content-type': 'application/x-www-form-urlencoded' }
    const origin = { origin: app.app.url }
    const {
      statusCode,
      body,
      headers: told,
    } = await app.app.inject({
      method: method as 'GET' | 'POST',
      url,
      headers: { ...origin, ...type, ...headers },
      ...(payload !== undefined && { payload }),
    })
    assert.ok(statusCode < 500, `${method} ${url} is ${statusCode}`)
    assert.ok(!body.includes(words.own), `${method} ${url} tells what is not theirs: ${body}`)
    // To them, what does not exist looks as if it had been removed already. The answer to that leads back to their own
    // organization.
    const isHome = String(told.location).startsWith(`/app/o/${id}`)
    assert.ok(isHome || [200, 403, 404, 409].includes(statusCode), `${method} ${url} is ${statusCode} ${told.location}`)
  }
  assert.equal(await stateOf(app.db), before)
})

test('a form is refused without its token, with the token of another session, or from another origin', async () => {
  const { app, who } = world
  const person = await who.get('/v1/user')
  const [session, other] = [await aSession(app, person), await aSession(app, person)]
  const own = formToken(app.app, { session })
  const headers = { cookie: `lectern-session=${session.secret}` }
  const ofAccount = [
    'name',
    'tokens',
    'tokens/revoke',
    'sessions/end',
    'sessions/end-others',
    'sessions/end-all',
    'mail',
  ]
  const plain = ['/logout', ...ofAccount.map((each) => `/account/${each}`)]
  const doors: Door[] = reviewDoors(world, session)
  doors.push(...plain.map((url) => ({ method: 'POST', url, form: {}, headers })))
  const forms = doors.filter(({ method }) => method === 'POST')
  assert.ok(forms.length > 100)
  const before = await stateOf(app.db)
  const ways: [string | undefined, Record<string, string>][] = [
    [undefined, {}],
    [formToken(app.app, { session: other }), {}],
    [formToken(app.app, { browser: session.secret }), {}],
    [own, { origin: 'https://elsewhere.example' }],
    [own, { 'sec-fetch-site': 'same-site' }],
  ]
  for (const { url, form, headers } of forms) {
    const type = form && { 'content-type': 'application/x-www-form-urlencoded' }
    for (const [token, from] of ways) {
      const { form: _, ...fields } = form ?? {}
      const payload = form
        ? new URLSearchParams({ ...fields, ...(token && { form: token }) }).toString()
        : uploadOf(token)
      const { statusCode } = await app.app.inject({
        method: 'POST',
        url,
        headers: { ...type, ...headers, ...from },
        payload,
      })
      assert.equal(statusCode, 403, `${url} with ${token} from ${JSON.stringify(from)}`)
    }
  }
  assert.equal(await stateOf(app.db), before)
})

test(
  'no address, header or form makes pages, files, uploads or sign-in fail with a 5xx',
  { timeout: 300_000 },
  async (t) => {
    const seed = testSeed()
    t.diagnostic(`TEST_SEED=${seed}`)
    const { statuses, faults } = await knock(world, touched, seed, Number(process.env.TEST_RUNS ?? 40))
    t.diagnostic(told(statuses))
    assert.equal(faults.length, 0, `TEST_SEED=${seed}\n${faults.slice(0, 40).join('\n')}`)
    assert.ok((statuses.get(200) ?? 0) > 100, 'too little of it gets through to be worth anything')
  },
)
