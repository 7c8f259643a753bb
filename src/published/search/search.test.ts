// Where a reader's search looks: in the version and the language that they are reading.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace } from '../../../test/editing.ts'
import { aSite, expect, inSeconds, signToken, withoutMarks } from '../../../test/visitor.ts'

const app = await startApp()

const page = (title: string, text = 'It boils water.') => ({
  operation: 'insert_page',
  document: { markdown: `# ${title}\n\n${text}\n` },
})

/** Two sections: a guide in two versions, and a reference in two languages plus a third that nobody sees. */
async function aSiteOfVariants() {
  const site = await aSite(app, { pages: [page('Start one'), page('Kettle one')] })
  const { who, path } = site
  const spaceWith = async (name: string) => {
    const space = await aLiveSpace(app, site.org)
    expect(await space.edit(page(`Start ${name}`), page(`Kettle ${name}`)), 200)
    return space
  }
  const add = async (spaceId: string, sectionId: string) =>
    expect(await who.post(`${path}/site-spaces`, { spaceId, sectionId }), 201).id as string
  const german = await spaceWith('german')
  const reference = expect(
    await who.post(`${path}/sections`, { spaceId: (await spaceWith('english')).id, title: 'Reference' }),
    201,
  )
  const [guide] = expect(await who.get(`${path}/sections`), 200).items
  const two = await add((await spaceWith('two')).id, guide.id)
  const inGerman = await add(german.id, reference.id)
  const secret = await add((await spaceWith('secret')).id, reference.id)
  await site.change({ adaptiveContent: { enabled: true } })
  const hidden = { condition: 'visitor.claims.plan == "pro"', path: 'secret' }
  expect(await who.patch(`${path}/site-spaces/${secret}`, hidden), 200)
  for (const [id, name] of [
    [two, 'two'],
    [inGerman, 'german'],
  ])
    expect(await who.patch(`${path}/site-spaces/${id}`, { path: name }), 200)
  expect(await who.patch(german.path, { language: 'de' }), 200)

  const read = async (below: string) => {
    const page = await site.browser().get(`${site.address}${below}`)
    return { ...page, text: withoutMarks(page.text) }
  }
  const ask = async (query: Record<string, string>) => {
    const { status, text } = await read(`~/search.json?${new URLSearchParams(query).toString()}`)
    assert.equal(status, 200, text)
    return JSON.parse(text) as { count: number; hits: { title: string; href: string; place: string }[] }
  }
  const found = async (query: Record<string, string>) =>
    (await ask({ q: 'kettle', ...query })).hits.map(({ title }) => title).toSorted()
  return { site, guide, reference, two, inGerman, secret, add, read, ask, found }
}

test('the results page tells parts of pages from pages by their icons', async () => {
  const site = await aSite(app, { pages: [page('Kettle', 'It boils.\n\n## Kettle lid\n\nA lid.')] })
  const { text } = await site.browser().get(`${site.address}~/search?q=kettle`)
  const rows = [...text.matchAll(/<a class="ref" href="[^"#]*(#[^"]*)?"\s*><span class="lead-icon">.*?#i-(\w+)"/gs)]
  assert.deepEqual(
    rows.map(([, part = '', icon]) => [part, icon]),
    [
      ['', 'page'],
      ['#kettle-lid', 'hash'],
    ],
  )
})

test('marks cover word forms, corrected words and whole names, and no part of an unrelated word', async () => {
  const text =
    'Proxies use a proxy, because a user is no reproxy. Set CURLOPT_URL for a URL, or call getUserName on-time. 全文検索機能と検索.'
  const site = await aSite(app, { pages: [page('Proxies of users', text)] })
  const marked = async (q: string) => {
    const answer = await site.browser().get(`${site.address}~/search.json?${new URLSearchParams({ q }).toString()}`)
    const [hit] = JSON.parse(answer.text).hits
    const cut = (from: string, marks: [number, number][]) => marks.map(([start, end]) => from.slice(start, end))
    return [cut(hit.title, hit.marks.title), cut(hit.text, hit.marks.text)]
  }
  assert.deepEqual(await marked('proxy'), [['Proxies'], ['Proxies', 'proxy']])
  assert.deepEqual(await marked('porxy'), [['Proxies'], ['Proxies', 'proxy']])
  assert.deepEqual(await marked('using'), [[], ['use']])
  assert.deepEqual(await marked('users'), [['users'], ['user', 'getUserName']])
  assert.deepEqual(await marked('CURLOPT_URL'), [[], ['CURLOPT_URL']])
  assert.deepEqual(await marked('user use'), [['users'], ['use', 'user', 'getUserName']])
  assert.deepEqual(await marked('CURLOPT_U'), [[], ['CURLOPT_URL']])
  assert.deepEqual(await marked('url'), [[], ['URL', 'URL']])
  assert.deepEqual(await marked('prox'), [['Prox'], ['Prox', 'prox']])
  assert.deepEqual(await marked('検索機能'), [[], ['検索機能']])
  assert.deepEqual(await marked('検索'), [[], ['検索', '検索']])
  assert.deepEqual(await marked('get-user-name'), [['users'], ['getUserName']])
  assert.deepEqual(await marked('ontime'), [[], ['on-time']])
  assert.deepEqual(await marked('set a'), [[], ['Set']])
})

test('the results page marks the hits, and escapes the text of the author', async () => {
  const site = await aSite(app, { pages: [page('A <i>kettle</i> & more', 'The `<kettle>` & its lid.')] })
  const { text } = await site.browser().get(`${site.address}~/search?q=kettle`)
  const [, title, small] = /<a class="ref".*?<b>(.*?)<\/b\s*><small>(.*?)<\/small>/s.exec(text)!
  assert.equal(title, 'A <mark>kettle</mark> &amp; more')
  assert.match(small!, / — The &lt;<mark>kettle<\/mark>&gt; &amp; its lid\.$/)
})

test('the results page shows the searched section, keeps it, and links to the others with the same query', async () => {
  const { guide, reference, two, secret, read } = await aSiteOfVariants()
  const at = `q=kettle&at=${two}`
  const scopes = (text: string) => {
    const [, drawn = ''] = /<nav class="scope"[^>]*>(.*?)<\/nav>/s.exec(text) ?? []
    return [...drawn.matchAll(/<a href="search\?([^"]*)"\s*(aria-current="true")?\s*>([^<]*)/g)].map(
      ([, query, current, title]) => [title, query!.replaceAll('&amp;', '&'), current !== undefined],
    )
  }
  const whole = await read(`~/search?${at}`)
  assert.deepEqual(scopes(whole.text), [
    ['All sections', at, true],
    [guide.title, `${at}&in=${guide.id}`, false],
    ['Reference', `${at}&in=${reference.id}`, false],
  ])
  assert.doesNotMatch(whole.text, /name="in"/)
  const one = await read(`~/search?${at}&in=${reference.id}`)
  assert.deepEqual(
    scopes(one.text).map(([, , isCurrent]) => isCurrent),
    [false, false, true],
  )
  assert.ok(one.text.includes(`<input type="hidden" name="in" value="${reference.id}" />`))
  assert.match(one.text, /<b>Kettle english<\/b>/)
  assert.doesNotMatch(one.text, /<b>Kettle two<\/b>/)
  // An id that is no section is not carried over into the form.
  assert.doesNotMatch((await read(`~/search?${at}&in=${secret}`)).text, /name="in"/)
  const alone = await aSite(app)
  assert.deepEqual(scopes((await alone.browser().get(`${alone.address}~/search?q=guide`)).text), [])
})

test('a search without hits suggests all sections only if it was limited to one', async () => {
  const { guide, read } = await aSiteOfVariants()
  assert.match((await read(`~/search?q=xyzzy&in=${guide.id}`)).text, /<p>[^<]* or search all sections\.<\/p>/)
  assert.match((await read('~/search?q=xyzzy')).text, /<p>[^<]* Try fewer or other words\.<\/p>/)
})

test('a search finds pages of the variant being read, and of the default variant in other sections', async () => {
  const { guide, reference, two, inGerman, ask, found } = await aSiteOfVariants()
  assert.deepEqual(await found({}), ['Kettle english', 'Kettle one'])
  assert.deepEqual(await found({ at: two }), ['Kettle english', 'Kettle two'])
  assert.deepEqual(await found({ at: inGerman }), ['Kettle german', 'Kettle one'])
  assert.equal((await ask({ q: 'kettle', at: two })).count, 2)

  assert.deepEqual(await found({ at: two, in: guide.id }), ['Kettle two'])
  assert.deepEqual(await found({ at: two, in: reference.id }), ['Kettle english'])
  assert.deepEqual(await found({ at: inGerman, in: reference.id }), ['Kettle german'])
  assert.deepEqual(await found({ in: guide.id }), ['Kettle one'])

  const suggested = async (query: Record<string, string>) => (await ask({ q: '', ...query })).hits[0]!.title
  assert.deepEqual(
    [await suggested({}), await suggested({ at: two }), await suggested({ at: two, in: reference.id })],
    ['Start one', 'Start two', 'Start english'],
  )
})

test('a search from an unknown, foreign or hidden variant gives the default results and reveals nothing', async () => {
  const { site, secret, read, ask, found } = await aSiteOfVariants()
  const other = await aSite(app)
  const defaults = ['Kettle english', 'Kettle one']
  for (const at of [secret, other.siteSpaceId, site.space.id, 'nothing', '', `${secret}'`, 'x'.repeat(2000)]) {
    assert.deepEqual(await found({ at }), defaults, at)
    assert.deepEqual(await ask({ q: 'secret', at }), { count: 0, hits: [] }, at)
    const results = await read(`~/search?${new URLSearchParams({ q: 'kettle', at }).toString()}`)
    assert.equal(results.status, 200)
    for (const word of [/Kettle secret/, /Kettle german/, /name="at"/]) assert.doesNotMatch(results.text, word)
  }
})

test('a search from a page is sent with its variant, with or without a script, and from the results page too', async () => {
  const { site, two, inGerman, read } = await aSiteOfVariants()
  const start = await read('two/')
  assert.equal(start.status, 200)
  const [, answers] = /data-answers="([^"]*)"/.exec(start.text)!
  const [, link] = /class="find"\s+href="([^"]*)"/.exec(start.text)!
  assert.deepEqual([answers, link], [`${site.address}~/search.json?at=${two}`, `${site.address}~/search?at=${two}`])

  const empty = await site.browser().get(link!)
  const field = `<input type="hidden" name="at" value="${two}" />`
  assert.ok(empty.text.includes(field))
  const results = await read(`~/search?q=kettle&at=${two}`)
  assert.ok(results.text.includes(field))
  assert.match(results.text, /<b>Kettle two<\/b>/)
  assert.doesNotMatch(results.text, /<b>Kettle one<\/b>/)
  assert.match((await read(`~/search?q=kettle&at=${inGerman}`)).text, /<html[^>]* lang="de"/)

  const missing = await read('two/nowhere')
  assert.equal(missing.status, 404)
  assert.ok(missing.text.includes(field))
  assert.doesNotMatch((await read('~/search?q=kettle')).text, /name="at"|search(?:\.json)?\?at=/)
})

test('a search without a variant shows results as at the default section and variant, not as at the first one', async () => {
  const site = await aSite(app, { pages: [page('Kettle')] })
  const german = await aLiveSpace(app, site.org)
  expect(await german.edit(page('Kessel')), 200)
  expect(await site.who.patch(german.path, { language: 'de' }), 200)
  const { id } = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: german.id }), 201)
  const languageAt = async (path: string) =>
    /<html lang="(\w+)"/.exec((await site.browser().get(site.address + path)).text)?.[1]
  const both = async () => [await languageAt(''), await languageAt('~/search?q=kettle'), await languageAt('nowhere')]
  assert.deepEqual(await both(), ['en', 'en', 'en'])
  await site.change({ defaultSiteSpace: id })
  assert.deepEqual(await both(), ['de', 'de', 'de'])
  assert.equal(await languageAt(`~/search?at=${site.siteSpaceId}`), 'en')

  const section = expect(
    await site.who.post(`${site.path}/sections`, { spaceId: site.space.id, title: 'English' }),
    201,
  )
  await site.change({ defaultSiteSection: section.id })
  assert.deepEqual(await both(), ['en', 'en', 'en'])
})

test('a page whose space is in a site twice is found at the place where the reader is', async () => {
  const { site, reference, two, inGerman, add, ask } = await aSiteOfVariants()
  const again = await add(site.space.id, reference.id)
  const links = async (at: string) =>
    (await ask({ q: '"kettle one"', at })).hits.map(({ href }) => href.slice(site.address.length))
  assert.deepEqual(await links(two), [])
  assert.deepEqual(await links(inGerman), ['kettle-one'])
  const [here] = await links(again)
  assert.match(here!, /^reference\/.+\/kettle-one$/)
})

test('a site with one space searches without a variant in the address', async () => {
  const site = await aSite(app)
  const { text } = await site.browser().get(site.address)
  assert.match(text, /data-answers="[^"?]*~\/search\.json"/)
})

test('a page titled like the query is first in site results, even if the reader sees only part of it', async () => {
  const secret = '{% if visitor.claims.plan == "pro" %}\nA secret.\n{% endif %}\n\n## For all\n\nSome words.\n'
  const site = await aSite(app, {
    pages: [page('Form form', 'Form'), page('Form', secret), page('Forms', 'Form'), page('Other', '## Form\n\nForm')],
  })
  await site.change({ adaptiveContent: { enabled: true } })
  const { text } = await site.browser().get(`${site.address}~/search.json?q=form`)
  assert.equal(JSON.parse(text).hits[0].href, `${site.address}form`)
  const answer = expect(await site.who.post(`${site.path}/search`, { query: 'FORM' }), 200)
  assert.equal(answer.items[0].pages[0].title, 'Form')
})

test('of pages with the same title, the one in the section being read is first, then the one nearest to the top', async () => {
  const { site, inGerman, ask } = await aSiteOfVariants()
  const deep = { ...page('Overview'), into: 'top' }
  expect(
    await site.space.edit({ ...page('Top', 'Text'), ref: 'top' }, deep, page('Overview', 'Long '.repeat(200))),
    200,
  )
  const { items } = expect(await site.who.get(`${site.path}/site-spaces`), 200)
  const german = items.find(({ id }: any) => id === inGerman).space.id
  expect(await site.who.post(`/v1/spaces/${german}/content`, { changes: [page('Overview')] }), 200)
  const found = async (at: string) =>
    (await ask({ q: 'overview', at })).hits.map(({ href }) => href.slice(site.address.length))
  assert.deepEqual(await found(inGerman), ['reference/german/overview', 'overview', 'top/overview'])
  assert.deepEqual(await found(site.siteSpaceId), ['overview', 'top/overview'])
})

test('what a reader may not see does not change the order of pages with the same title', async () => {
  const secret = 'Words.\n\n{% if visitor.claims.plan == "pro" %}\nHere is: gulls terns report yearly.\n{% endif %}\n'
  const site = await aSite(app, {
    pages: [page('Yearly report terns gulls', 'Words. '.repeat(200)), page('Yearly report terns gulls', secret)],
  })
  await site.change({ adaptiveContent: { enabled: true } })
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  const [everybody, some] = [site.browser(), site.browser()]
  await some.get(`${site.address}?jwt_token=${signToken(privateKey, { plan: 'pro', exp: inSeconds(600) })}`)
  const found = async (reader: typeof some) => {
    const { hits } = JSON.parse((await reader.get(`${site.address}~/search.json?q=gulls+terns+report+yearly`)).text)
    return hits.map(({ href }: { href: string }) => href.slice(site.address.length))
  }
  assert.deepEqual(await found(some), ['yearly-report-terns-gulls-1', ''])
  assert.deepEqual(await found(everybody), ['', 'yearly-report-terns-gulls-1'])
})

test('the results page links to further pages of results, with the same query', async () => {
  const site = await aSite(app, { pages: Array.from({ length: 23 }, (_, n) => page(`Kettle ${n}`)) })
  const read = async (query: string) =>
    withoutMarks((await site.browser().get(`${site.address}~/search?${query}`)).text)
  const found: string[] = []
  let query: string | undefined = `q=kettle&at=${site.siteSpaceId}`
  const ranges: (string | undefined)[] = []
  while (query !== undefined) {
    const text: string = await read(query)
    found.push(...[...text.matchAll(/<b>(Kettle \d+)<\/b>/g)].map(([, title]) => title!))
    ranges.push(/<h2>(23 pages[^<]*)/.exec(text)?.[1])
    assert.equal(/rel="prev"/.test(text), ranges.length > 1)
    query = /rel="next" href="search\?([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    assert.ok(query === undefined || query.includes(`at=${site.siteSpaceId}`))
  }
  assert.deepEqual(ranges, ['23 pages (1–10)', '23 pages (11–20)', '23 pages (21–23)'])
  assert.deepEqual([found.length, new Set(found).size], [23, 23])
  for (const nonsense of ['0', '-1', '1.5', 'x', '101', '9'.repeat(400)])
    assert.match(await read(`q=kettle&page=${nonsense}`), /23 pages \(1–10\)/, nonsense)
  const behind = await read('q=kettle&page=50')
  assert.match(behind, /rel="prev" href="search\?q=kettle&(?:amp;|#38;)?page=3"/)
  assert.doesNotMatch(behind, /rel="next"|<p>Nothing found/)
  assert.doesNotMatch(await read('q=kettle+7'), /more-hits/)
})

test('the place of a deep hit shows only the ends of its path, and a repeated title only once', async () => {
  const { site, guide, ask } = await aSiteOfVariants()
  const way = ['Stove', 'Pot', 'Lid', 'Spout']
  const below = way.map((title, level) => ({ ...page(title), ref: title, ...(level > 0 && { into: way[level - 1] }) }))
  expect(await site.space.edit(...below), 200)
  const place = async (q: string) => (await ask({ q })).hits.find(({ title }) => title.toLowerCase() === q)?.place
  assert.match((await place('spout'))!, /^[^›]+ › … › Lid$/)
  const named = { title: guide.title }
  expect(await site.who.patch(`${site.path}/site-spaces/${site.siteSpaceId}`, named), 200)
  assert.equal(await place('stove'), guide.title)
})
