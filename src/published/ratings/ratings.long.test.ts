// Pages that ask their readers whether they help: who is asked, whose answer counts, and which abuse is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { newPage } from '../../../test/editing.ts'
import { assertLinear } from '../../../test/growth.ts'
import { type Browser, type Page, type TestSite, aSite, expect, inSeconds, signToken } from '../../../test/visitor.ts'
import { unescaped } from '../../account/testing/person.ts'
import { asReader, readersOf } from '../../insights/testing/readers.ts'
import { remarkOf } from '../../insights/texts.ts'

const app = await startApp()

const asking = { feedback: { enabled: true } }

async function anAskingSite(options: Parameters<typeof aSite>[1] = {}, test = app) {
  const site = await aSite(test, options)
  expect(await site.who.put(`${site.path}/customization`, asking), 200)
  const { told, get } = readersOf(test, site)
  return {
    site,
    get,
    told,
    ratings: async () => {
      const { items } = await told('ratings')
      return Object.fromEntries(items.map((item: any) => [item.title, [item.helpful, item.unhelpful]]))
    },
    remarks: async (): Promise<string[]> => (await told('remarks')).items.map((item: any) => item.text),
  }
}

/** The forms of a page, as a browser without script would send them. */
function formsIn({ text }: Page) {
  return [...text.matchAll(/<form class="rate-\w+"[^>]*action="([^"]*)">([^]*?)<\/form>/g)].map(
    ([, action, inside]) => ({
      action: unescaped(action!),
      fields: Object.fromEntries(
        [...inside!.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
      ),
    }),
  )
}

const asBrowser = (name: string, headers: Record<string, string> = {}) =>
  asReader({ 'user-agent': `Mozilla/5.0 (${name}) Firefox/145.0`, ...headers })

async function aQuestion(site: TestSite, path = '', by: Browser = site.browser()) {
  const [question] = formsIn(await by.get(site.address + path, asReader()))
  assert.ok(question, `${path} asks nothing`)
  const answer = (said: Record<string, string>, more = asReader()) =>
    by.post(question.action, { ...question.fields, ...said }, more)
  return { ...question, answer, by }
}

test('a page asks for a rating only if the site or the space enables it', async () => {
  const site = await aSite(app)
  const asks = async () => formsIn(await site.browser().get(site.address)).length
  assert.equal(await asks(), 0)
  expect(await site.who.put(`${site.path}/customization`, asking), 200)
  assert.equal(await asks(), 2)
  const own = `${site.path}/site-spaces/${site.siteSpaceId}/customization`
  expect(await site.who.patch(own, { feedback: { enabled: false } }), 200)
  assert.equal(await asks(), 0)
  expect(await site.who.patch(own, { feedback: null }), 200)
  assert.equal(await asks(), 2)
})

test('the rating form is in the language of the page, the same for every reader, without cookies, and keeps the ETag', async () => {
  const { site, get } = await anAskingSite()
  const first = await get('guide')
  assert.match(first.text, /Was this page helpful\?/)
  assert.equal(first.headers['set-cookie'], undefined)
  assert.equal(first.headers['cache-control'], 'public, no-cache')
  const { answer } = await aQuestion(site, 'guide')
  const answered = await answer({ answer: 'no' })
  assert.equal(answered.headers['set-cookie'], undefined)
  const again = await get('guide', { 'if-none-match': String(first.headers.etag) })
  assert.equal(again.status, 304)
  expect(await site.who.patch(site.space.path, { language: 'he' }), 200)
  assert.match((await get('guide')).text, /האם הדף הזה עזר לכם\?/)
})

test('readers rate without a script and are redirected to the page, where they can add a text', async () => {
  const { site, ratings, remarks } = await anAskingSite()
  const { answer, by } = await aQuestion(site, 'guide')
  const answered = await answer({ answer: 'no' })
  assert.deepEqual([answered.status, answered.location], [303, `${site.address}guide#~thanks`])
  const page = await by.get(`${site.address}guide`, asReader())
  assert.match(page.text, /<form class="rate-more" id="~thanks"/)
  const [, more] = formsIn(page)
  const written = await by.post(more!.action, { ...more!.fields, text: '  The\r\n<b>temperature</b>? ' }, asReader())
  assert.deepEqual([written.status, written.location], [303, `${site.address}guide#~sent`])
  assert.match(page.text, /id="~sent"/)
  assert.deepEqual(await ratings(), { Guide: [0, 1] })
  assert.deepEqual(await remarks(), ['The <b>temperature</b>?'])
  const start = await aQuestion(site)
  assert.equal((await start.answer({ answer: 'yes' })).location, `${site.address}#~thanks`)
  assert.deepEqual(await ratings(), { Guide: [0, 1], Welcome: [1, 0] })
})

test('a reader counts once per page and day, and a network address is limited whatever its user agent', async () => {
  const { site, ratings, remarks } = await anAskingSite()
  const { answer } = await aQuestion(site)
  for (const said of ['no', 'no', 'yes']) assert.equal((await answer({ answer: said })).status, 303)
  assert.deepEqual(await ratings(), { Welcome: [0, 1] })
  for (let n = 0; n < 30; n++) assert.equal((await answer({ answer: 'yes' }, asBrowser(`X${n}`))).status, 303)
  assert.deepEqual(await ratings(), { Welcome: [9, 1] })
  const guide = await aQuestion(site, 'guide')
  for (let n = 0; n < 30; n++) await (n % 2 ? answer : guide.answer)({ text: `Text ${n}` }, asBrowser(`X${n}`))
  assert.equal((await remarks()).length, 10)
})

test('ratings by robots, programs and previews are accepted but not counted', async () => {
  const { site, ratings, remarks } = await anAskingSite()
  const { answer } = await aQuestion(site)
  for (const name of ['Mozilla/5.0 (compatible; Googlebot/2.1)', 'curl/8.5.0', ''])
    for (const said of [{ answer: 'yes' }, { text: 'Buy' }] as Record<string, string>[])
      assert.equal((await answer(said, asReader({ 'user-agent': name }))).status, 303)
  const by = site.browser()
  const { url } = expect(await site.who.get(`${site.path}/publishing/preview`), 200)
  const { pathname, search } = new URL(url)
  await by.get(pathname + search, asReader())
  const preview = await aQuestion(site, '', by)
  for (const said of [{ answer: 'yes' }, { text: 'Draft' }] as Record<string, string>[])
    assert.equal((await preview.answer(said)).status, 303)
  assert.deepEqual([await ratings(), await remarks()], [{}, []])
})

test('a rating sent from another website gets 403 and is not counted', async () => {
  const { site, ratings } = await anAskingSite()
  const { answer } = await aQuestion(site)
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://lectern.test', 'sec-fetch-site': 'same-site' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of foreign) {
    const refused = await answer({ answer: 'no' }, asReader(headers))
    assert.equal(refused.status, 403, JSON.stringify(headers))
  }
  assert.deepEqual(await ratings(), {})
  assert.equal((await answer({ answer: 'no' }, asReader({ 'sec-fetch-site': 'same-origin' }))).status, 303)
  assert.deepEqual(await ratings(), { Welcome: [0, 1] })
})

test('a reader without access to a page gets the same 404 as for a missing page, and cannot rate it', async () => {
  const { site, ratings } = await anAskingSite({
    visibility: 'visitor-auth',
    pages: [
      newPage('Welcome'),
      newPage('Guide', { document: { markdown: '---\nif: visitor.claims.isStaff\n---\n\n# Guide\n' } }),
    ],
  })
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  const jsonSchema = { type: 'object', properties: { isStaff: { type: 'boolean' } } }
  expect(await site.who.put(`${site.path}/adaptive-schema`, { jsonSchema }), 200)
  await site.change({ adaptiveContent: { enabled: true } })
  const { pages } = expect(await site.who.get(`${site.space.path}/content`), 200)
  const guide = pages.find((page: any) => page.title === 'Guide').id
  const action = `${site.address}~/helpful`
  const send = (by: Browser, page: string, headers = {}) =>
    by.post(action, { at: site.siteSpaceId, page, answer: 'no' }, asReader({ origin: 'null', ...headers }))

  const stranger = await send(site.browser(), guide)
  assert.equal(stranger.status, 401)
  assert.equal(stranger.location, undefined, 'what they say goes nowhere else')
  const enter = async (claims: object) => {
    const by = site.browser()
    await by.get(`${site.address}?jwt_token=${signToken(privateKey, { ...claims, exp: inSeconds(600) })}`, asReader())
    return by
  }
  const [reader, staff] = [await enter({ sub: 'u' }), await enter({ sub: 's', isStaff: true })]
  const hidden = await send(reader, guide)
  const none = await send(reader, site.siteSpaceId)
  assert.deepEqual([hidden.status, hidden.text], [404, none.text])
  assert.deepEqual(await ratings(), {})
  assert.equal((await send(staff, guide)).location, `${site.address}guide#~thanks`)
  assert.deepEqual(await ratings(), { Guide: [0, 1] })
})

test('a share-link site accepts ratings only from readers with the link, and gives others 404', async () => {
  const { site, ratings } = await anAskingSite({ visibility: 'share-link' })
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'Friends' }), 201)
  const by = site.browser()
  await by.get(new URL(link.urls.published).pathname, asReader())
  const { action, fields, answer } = await aQuestion(site, '', by)
  const outside = await site.browser().post(action, { ...fields, answer: 'no' }, asReader())
  assert.deepEqual([outside.status, outside.text], [404, (await site.browser().get('/sites/none/none/')).text])
  assert.equal((await answer({ answer: 'no' }, asReader({ origin: 'null' }))).status, 303)
  assert.deepEqual(await ratings(), { Welcome: [0, 1] })
})

test('a rating sent while the share link asks for a password is discarded, and the form returns to the site', async () => {
  const { site, ratings } = await anAskingSite({ visibility: 'share-link' })
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'Friends' }), 201)
  const by = site.browser()
  await by.get(new URL(link.urls.published).pathname, asReader())
  const { answer } = await aQuestion(site, '', by)
  expect(await site.who.patch(`${site.path}/share-links/${link.id}`, { password: 'long enough' }), 200)
  const asked = await answer({ answer: 'no' })
  assert.equal(asked.status, 401)
  const [, location] = /name="location" value="([^"]*)"/.exec(asked.text)!
  assert.equal(location, '')
  assert.deepEqual(await ratings(), {})
})

test('an invalid rating is refused and not counted', async () => {
  const { site, ratings, remarks } = await anAskingSite()
  const { answer, action, fields } = await aQuestion(site)
  assert.equal((await answer({})).status, 400)
  assert.equal((await answer({ answer: 'maybe' })).status, 400)
  assert.equal((await answer({ text: 'x'.repeat(10_000) })).status, 413)
  for (const other of [{ at: 'x' }, { page: 'x' }, { at: site.id }] as Record<string, string>[])
    assert.equal((await answer({ answer: 'no', ...other })).status, 404)
  assert.equal((await answer({ text: ' \n\u0000\u202e' })).status, 303, 'nothing written is nothing told')
  const json = asReader({ 'content-type': 'application/json' })
  assert.equal((await answer({ answer: 'no' }, json)).status, 415)
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const refused = await site.browser().get(action, { method, ...asReader() })
    assert.deepEqual([refused.status, refused.headers.allow], [405, 'POST'], method)
  }
  // Where pages do not ask, no answers are accepted.
  expect(await site.who.put(`${site.path}/customization`, {}), 200)
  assert.equal((await site.browser().post(action, { ...fields, answer: 'no' }, asReader())).status, 404)
  assert.deepEqual([await ratings(), await remarks()], [{}, []])
})

test('a text of a reader is kept in one line, shortened, without e-mail addresses and text direction marks', async () => {
  const { site, remarks } = await anAskingSite({ pages: ['A', 'B', 'C'].map((title) => newPage(title)) })
  const write = async (path: string, text: string) => (await aQuestion(site, path)).answer({ text })
  await write('', `${'𝒘'.repeat(490)} and much more than that`)
  await write('b', 'Mail me: jo.doe+x@mail.example.org, it is \u202egnorw\u0007\n\nreact@18.2.0')
  assert.deepEqual(await remarks(), ['Mail me: …, it is gnorw react@18.2.0', `${'𝒘'.repeat(490)} and much`])
})

test('cleaning a text of a reader takes linear time, whatever it contains', () => {
  for (const begin of ['', 'a@', 'a@b.', '.@'])
    for (const part of ['a', '.', '.a', 'a@', 'a@b.', 'a@b.cd'])
      assertLinear((length) => remarkOf(begin + part.repeat(length / part.length)), 8_000)
})

test('a site keeps at most a hundred texts per day', async () => {
  const { site, remarks } = await anAskingSite()
  const { insights } = app.app
  const { fields } = await aQuestion(site)
  const page = {
    key: 'x',
    organizationId: site.org.id,
    siteId: site.id,
    spaceId: site.space.id,
    pageId: fields['page']!,
  }
  const write = (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      const request = { ip: `192.0.2.${n}`, raw: { method: 'POST', headers: asReader().headers } } as never
      insights.remarked(request, page, `Text ${n}`)
    }
  }
  write(0, 60)
  await insights.flush()
  write(60, 250)
  assert.equal((await app.db.pool.query('select from site_page_remarks where site_id = $1', [site.id])).rowCount, 60)
  assert.equal((await remarks()).length, 50)
  const { rowCount } = await app.db.pool.query('select from site_page_remarks where site_id = $1', [site.id])
  assert.equal(rowCount, 100)
})

test('without insights no page asks for a rating', async () => {
  const quiet = await startApp({ LECTERN_INSIGHTS: 'off' })
  const { site } = await anAskingSite({}, quiet)
  assert.deepEqual(formsIn(await site.browser().get(site.address, asReader())), [])
  const fields = { at: site.siteSpaceId, page: site.siteSpaceId, answer: 'yes' }
  assert.equal((await site.browser().post(`${site.address}~/helpful`, fields, asReader())).status, 404)
})

test('a reader who rates too often gets a page with 429', async () => {
  const strict = await startApp({ LECTERN_RATE_LIMIT: '6000' })
  const { site } = await anAskingSite({}, strict)
  const { answer } = await aQuestion(site)
  const many = () => Promise.all(Array.from({ length: 100 }, () => answer({ answer: 'yes' })))
  let last = await answer({ answer: 'yes' })
  for (let tries = 0; tries < 10 && last.status === 303; tries++) last = (await many()).at(-1)!
  assert.equal(last.status, 429)
  assert.match(last.text, /Try again in a minute/)
})
