import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import pg from 'pg'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { aSite, expect, inSeconds, signToken } from '../../../test/visitor.ts'
import { sql } from '../../db/sql.ts'
import { hiddenFrom } from './search.ts'

const app = await startApp()

const body = (title: string, text: string, condition?: string) =>
  newPage(title, {
    document: { markdown: `${condition ? `---\nif: ${condition}\n---\n\n` : ''}# ${title}\n\n${text}\n` },
  })

async function aSiteToSearch() {
  const site = await aSite(app, {
    pages: [
      body('Welcome', 'A walrus is here.'),
      body('Secret', 'The walrus and the narwhal.', 'visitor.claims.plan == "pro"'),
      body(
        'Parts',
        'Intro of the otter.\n\n## Open\n\nThe seal.\n\n## Mixed\n\nThe heron.\n\n{% if visitor.claims.plan == "pro" %}\nThe lynx.\n{% endif %}\n',
      ),
    ],
  })
  await site.change({ adaptiveContent: { enabled: true } })
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  const reader = async (claims?: object) => {
    const visitor = claims && { jwtToken: signToken(privateKey, { ...claims, exp: inSeconds(60) }) }
    const url = `http://lectern.test${site.address}`
    const { apiToken } = expect(await site.who.post('/v1/urls/published', { url, ...(visitor && { visitor }) }), 200)
    return app.client(apiToken, [site.org.canary])
  }
  return { site, reader, path: `${site.path}/search` }
}

const found = (answer: any) => answer.items.flatMap(({ pages }: any) => pages.map(({ title }: any) => title))

test('a search covers what the caller sees: everything for a member, what the site shows for a visitor', async () => {
  const { site, reader, path } = await aSiteToSearch()
  const search = async (who: typeof site.who, query: string) =>
    expect(await who.post(path, { query, scope: { mode: 'all' } }), 200)
  const anybody = await reader()
  const pro = await reader({ plan: 'pro' })

  const hit = await search(anybody, 'walrus')
  assert.deepEqual([hit.count, found(hit)], [1, ['Welcome']])
  const [space] = hit.items
  assert.deepEqual([space.type, space.id], ['space', site.space.id])
  assert.equal(space.pages[0].urls.published, `http://lectern.test${site.address}`)
  assert.match(space.pages[0].sections[0].body, /walrus/)
  assert.deepEqual(found(await search(site.who, 'walrus')).toSorted(), ['Secret', 'Welcome'])
  assert.deepEqual(found(await search(pro, 'walrus')).toSorted(), ['Secret', 'Welcome'])
  assert.deepEqual(await search(anybody, 'narwhal'), { count: 0, items: [] })
  assert.deepEqual(found(await search(pro, 'narwhal')), ['Secret'])

  // On a page with hidden parts, only the open parts are found.
  assert.deepEqual(found(await search(anybody, 'seal')), ['Parts'])
  assert.deepEqual(found(await search(anybody, 'otter')), ['Parts'])
  assert.deepEqual(await search(anybody, 'lynx'), { count: 0, items: [] })
  assert.deepEqual(found(await search(pro, 'lynx')), ['Parts'])
  const whole = JSON.stringify(await search(anybody, 'parts'))
  assert.ok(whole.includes('Parts') && !whole.includes('lynx'), whole)

  // Content that was written just before is hidden as well.
  expect(await site.space.edit(body('Later', 'The ibex.', 'visitor.claims.plan == "pro"')), 200)
  assert.deepEqual([found(await search(anybody, 'ibex')), found(await search(pro, 'ibex'))], [[], ['Later']])
})

test('spelling correction in a search ignores words of pages and parts that are hidden from the reader', async () => {
  const pro = 'visitor.claims.plan == "pro"'
  const site = await aSite(app, {
    pages: [
      body('Birds', `A platypus and a pelican.\n\n{% if ${pro} %}\nThe pelicnax.\n{% endif %}\n`),
      body('Secret', 'The plattypuzk.', pro),
    ],
  })
  await site.change({ adaptiveContent: { enabled: true } })
  const url = `http://lectern.test${site.address}`
  const { apiToken } = expect(await site.who.post('/v1/urls/published', { url }), 200)
  const reader = app.client(apiToken, [site.org.canary])
  for (const query of ['plattypuz', 'pelicna']) {
    const answer = expect(await reader.post(`${site.path}/search`, { query, scope: { mode: 'all' } }), 200)
    assert.deepEqual(found(answer), ['Birds'], query)
    const { text } = await site.browser().get(`${site.address}~/search.json?q=${query}`)
    assert.deepEqual([JSON.parse(text).count, JSON.parse(text).hits[0]?.title], [1, 'Birds'], query)
    assert.doesNotMatch(text + JSON.stringify(answer), /plattypuzk|pelicnax/)
  }
})

test('a page with conditions is found by everything a reader sees of it, and its hidden parts are not shown', async () => {
  const pro = 'visitor.claims.plan == "pro"'
  const site = await aSite(app, {
    pages: [
      body('Kettle', `Open heron.\n\n{% if ${pro} %}\nThe lynx.\n{% endif %}\n`),
      body(
        'Plans',
        `{% if ${pro} %}\n## Setup\n\nThe ibex.\n{% endif %}\n\n{% if !(${pro}) %}\n## Setup\n\nThe gnu.\n{% endif %}\n\nA badger.\n`,
      ),
      body(
        'Nested',
        `* One otter\n\n  {% if ${pro} %}\n  The walrus\n\n  {% if visitor.claims.beta %}\n  The seal\n  {% endif %}\n  {% endif %}\n`,
      ),
      body(
        'Leak',
        `{% if ${pro} %}\nTeapot: marten.\n{% endif %}\n\n## For all\n\nMany words around a teapot that is here for all.\n`,
      ),
    ],
  })
  await site.change({ adaptiveContent: { enabled: true } })
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  const readerOf = async (claims?: object) => {
    const browser = site.browser()
    const token = claims && signToken(privateKey, { ...claims, exp: inSeconds(60) })
    if (token) await browser.get(`${site.address}?jwt_token=${token}`)
    const visitor = token && { visitor: { jwtToken: token } }
    const url = `http://lectern.test${site.address}`
    const { apiToken } = expect(await site.who.post('/v1/urls/published', { url, ...visitor }), 200)
    const api = app.client(apiToken, [site.org.canary])
    return async (q: string) => {
      const page = await browser.get(`${site.address}~/search.json?q=${q}`)
      const answer = expect(await api.post(`${site.path}/search`, { query: q, scope: { mode: 'all' } }), 200)
      const { hits } = JSON.parse(page.text) as { hits: { title: string; heading?: boolean }[] }
      const titles = hits.flatMap(({ title, heading }) => (heading ? [] : [title]))
      assert.deepEqual(found(answer), titles, q)
      return { titles, text: page.text + JSON.stringify(answer) }
    }
  }
  const anybody = await readerOf()
  const paying = await readerOf({ plan: 'pro' })
  const both = await readerOf({ plan: 'pro', beta: true })
  const seen: [string, string[], string[], string[]][] = [
    ['kettle', ['Kettle'], ['Kettle'], ['Kettle']],
    ['heron', ['Kettle'], ['Kettle'], ['Kettle']],
    ['lynx', [], ['Kettle'], ['Kettle']],
    ['ibex', [], ['Plans'], ['Plans']],
    ['gnu', ['Plans'], [], []],
    ['badger', ['Plans'], ['Plans'], ['Plans']],
    ['otter', ['Nested'], ['Nested'], ['Nested']],
    ['walrus', [], ['Nested'], ['Nested']],
    ['seal', [], [], ['Nested']],
  ]
  for (const [q, ...expected] of seen) {
    const answers = [await anybody(q), await paying(q), await both(q)]
    assert.deepEqual(
      answers.map(({ titles }) => titles),
      expected,
      q,
    )
  }
  // If two headings have the same text, each reader is led to the one they see.
  for (const [ask, word] of [
    [anybody, 'gnu'],
    [paying, 'ibex'],
  ] as const) {
    assert.match((await ask(word)).text, /"href":"[^"]*plans#setup"/)
  }
  // The page is found by its open part. The rest is not quoted, even though it matches better.
  const { titles, text } = await anybody('teapot')
  assert.deepEqual(titles, ['Leak'])
  assert.match(text, /Many words/)
  assert.doesNotMatch(text, /marten/)
  assert.match((await paying('teapot')).text, /marten/)
  // Rows from an earlier version of the index that were not rebuilt yet may contain both.
  await app.db.run(sql`update search_sections set hash = 'before' where space_id = ${site.space.id} and body ~ 'heron'`)
  assert.deepEqual([(await anybody('heron')).titles, (await paying('heron')).titles], [[], ['Kettle']])
})

test('text hidden by a condition is found by no other visitor, whichever white space begins its tag', async () => {
  const blanks = ['', ' ', '\t', '\v', '\u00a0', '\u2003', '\u202f', '\u3000', '\ufeff']
  const site = await aSite(app, {
    pages: blanks.map((blank, at) =>
      body(`Page ${at}`, `{%${blank}if visitor.claims.plan == "pro" %}\nThe lynx.\n{%${blank}endif %}\n`),
    ),
  })
  await site.change({ adaptiveContent: { enabled: true } })
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  const [anybody, paying] = [site.browser(), site.browser()]
  await paying.get(`${site.address}?jwt_token=${signToken(privateKey, { plan: 'pro', exp: inSeconds(60) })}`)
  const count = async (who: typeof anybody) =>
    JSON.parse((await who.get(`${site.address}~/search.json?q=lynx`)).text).count
  assert.deepEqual([await count(anybody), await count(paying)], [0, blanks.length])
})

test('what conditions hide from readers is found once for all of them who see the same, whatever their claims are', async () => {
  const { site } = await aSiteToSearch()
  const snapshot = (await app.app.audience.snapshots.get(site.id))!
  const [variant] = snapshot.variants.values()
  const hidden = (claims: object) => hiddenFrom(app.app, variant!, { scope: { visitor: { claims } }, isKnown: true })
  const [free, other, pro] = [
    await hidden({ plan: 'free' }),
    await hidden({ plan: 'x', id: 7 }),
    await hidden({ plan: 'pro' }),
  ]
  assert.deepEqual([free.pages.length, free.partly.length], [1, 1])
  assert.equal(other, free)
  assert.deepEqual(pro, { pages: [], partly: [] })
})

test('on a site that ignores claims, search decides a condition without claims as the page does', async () => {
  const site = await aSite(app, {
    pages: [
      body(
        'Start',
        '{% if space.vars.quokka != "none" %}\nThe quokka.\n{% endif %}\n\n{% if !visitor.claims.plan %}\nThe tapir.\n{% endif %}\n',
      ),
    ],
  })
  const read = async (path: string) => (await site.browser().get(site.address + path)).text
  const page = await read('')
  assert.deepEqual([/The quokka/.test(page), /The tapir/.test(page)], [true, false])
  const count = async (word: string) => JSON.parse(await read(`~/search.json?q=${word}`)).count
  assert.deepEqual([await count('quokka'), await count('tapir')], [1, 0])
})

test('the scope of a search selects the spaces of a site that are searched', async () => {
  const { site, path } = await aSiteToSearch()
  const other = await aLiveSpace(app, site.org)
  await other.edit(body('Other', 'Another walrus.'))
  const added = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: other.id }), 201)
  const spaces = async (more: object) =>
    expect(await site.who.post(path, { query: 'walrus', ...more }), 200)
      .items.map(({ id }: any) => id)
      .toSorted()
  const [first, second] = [site.space.id, other.id]
  assert.deepEqual(await spaces({}), [first])
  assert.deepEqual(await spaces({ scope: { mode: 'default' } }), [first])
  assert.deepEqual(await spaces({ scope: { mode: 'default', currentSiteSpace: added.id } }), [second])
  assert.deepEqual(
    await spaces({ scope: { mode: 'default', includedSiteSpaces: [added.id] } }),
    [first, second].toSorted(),
  )
  assert.deepEqual(await spaces({ scope: { mode: 'specific', siteSpaceIds: [added.id] } }), [second])
  assert.deepEqual(await spaces({ mode: 'all' }), [first, second].toSorted())
  assert.deepEqual(await spaces({ siteSpaceIds: [added.id] }), [second])
  assert.deepEqual(await spaces({ mode: 'current', siteSpaceId: added.id }), [second])

  const one = expect(await site.who.post(`${path}?limit=1`, { query: 'walrus', scope: { mode: 'all' } }), 200)
  assert.deepEqual([one.count, one.items.length], [2, 1])
  const more = (query: string) =>
    site.who.post(`${path}?limit=1&page=${one.next.page}`, { query, scope: { mode: 'all' } })
  assert.notEqual(expect(await more('walrus'), 200).items[0].id, one.items[0].id)
  assert.equal((await more('another')).status, 400)
  for (const bad of [
    {},
    { query: 'x'.repeat(513) },
    { query: 'x', scope: { mode: 'x' } },
    { query: 'x', scope: { mode: 'specific', siteSpaceIds: [] } },
    { query: 'x', scope: { mode: 'specific', siteSpaceIds: [first] } },
    { query: 'x', mode: 'specific' },
    { query: 'x', mode: 'current' },
  ]) {
    assert.equal((await site.who.post(path, bad)).status, 400, JSON.stringify(bad))
  }
})

test('a caller cannot search a site, or a space in it, that they may not see', async () => {
  const { site, reader, path } = await aSiteToSearch()
  const query = { query: 'walrus' }
  assert.equal((await (await aStranger(app)).client.post(path, query)).status, 404)
  const other = await aSiteToSearch()
  assert.equal((await (await other.reader()).post(path, query)).status, 404)
  const limited = await site.org.member('read')
  expect(await site.who.post(`/v1/spaces/${site.space.id}/permissions`, { users: [limited.id], role: null }), 204)
  assert.deepEqual(expect(await limited.client.post(path, query), 200), { count: 0, items: [] })
  const visitor = await reader()
  expect(await site.who.post(`${site.path}/unpublish`), 200)
  assert.equal((await visitor.post(path, query)).status, 401)
})

/** Calls `write` each time a search has read, before it checks whether what it read is still the newest. */
async function whileOthersWrite<Result>(write: () => Promise<unknown>, search: () => Promise<Result>): Promise<Result> {
  const send = Reflect.get(pg.Client.prototype, 'query') as (this: pg.Client, ...given: unknown[]) => unknown
  const sent = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...given: any[]) {
    if (!String(given[0]?.text).includes('held (organization_id, id, seq)')) return send.apply(this, given)
    return write().then(() => send.apply(this, given))
  })
  try {
    return await search()
  } finally {
    sent.mock.restore()
  }
}

test('a search of a site that keeps changing answers 503 with Retry-After, by the API, the page and the script', async () => {
  const { site, reader, path } = await aSiteToSearch()
  const anybody = await reader()
  let writes = 0
  const write = async () => expect(await site.space.edit(newPage(`Page ${writes++}`)), 200)
  const asked = async (way: () => Promise<[number, unknown]>) => {
    writes = 0
    return [...(await whileOthersWrite(write, way)), writes]
  }
  const read = async (below: string): Promise<[number, unknown]> => {
    const { status, headers } = await site.browser().get(site.address + below)
    return [status, headers['retry-after']]
  }
  const call = async (): Promise<[number, unknown]> => {
    const { status, headers } = await anybody.post(path, { query: 'walrus' })
    return [status, headers.get('retry-after')]
  }
  assert.deepEqual(await asked(call), [503, '1', 3])
  assert.deepEqual(await asked(() => read('~/search.json?q=walrus')), [503, '1', 3])
  assert.deepEqual(await asked(() => read('~/search?q=walrus')), [503, '1', 3])
  assert.deepEqual(
    [await call(), await read('~/search?q=walrus')].map(([status]) => status),
    [200, 200],
  )
})
