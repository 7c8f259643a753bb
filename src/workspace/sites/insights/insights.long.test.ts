// What readers read, search for and do not find, for those who manage a site, in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../../test/editing.ts'
import { expect } from '../../../../test/visitor.ts'
import { sql } from '../../../db/sql.ts'
import { asReader } from '../../../insights/testing/readers.ts'
import { signedIn } from '../../../sessions/testing/signed-in.ts'
import { unescaped } from '../../../account/testing/person.ts'
import { aKeeper, filledIn } from '../testing/keeper.ts'

const app = await startApp()

const textOf = (markup: string) =>
  unescaped(markup.replace(/<svg[^]*?<\/svg>/g, '').replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

test('a site editor sees page reads, searches and missing addresses, and can redirect a missing address', async () => {
  const kept = await aKeeper(app)
  const { keeper, path, reader, address, space } = kept
  const see = async (below = '') => {
    await app.app.insights.flush({ end: true })
    return keeper.get(`${path}/insights${below}`)
  }
  assert.match((await keeper.get(path)).text, new RegExp(`href="${path}/insights">Insights</a>`))
  assert.match((await see()).text, /No page was read in this period/)

  const get = (at: string) => reader.get(address + at, asReader().headers)
  for (const at of ['', '', 'coffee', 'old/gr%C3%BCn', '~/search?q=Oolong', '~/search?q=coffee']) await get(at)
  const page = await see()
  const text = textOf(page.text)
  assert.match(text, /Pages read 3 Searches 2 Without results 1 Not found 1/)
  assert.match(text, /Most read pages Tea \/ 2 times Coffee \/coffee 1 time/)
  assert.match(
    text,
    /Searches (coffee 1 time oolong 1 time|oolong 1 time coffee 1 time) Searches without results oolong 1 time/,
  )
  assert.match(text, /Addresses not found \/old\/grün Redirect… 1 time$/)
  // The label of the chart says where its numbers are: in the table, which has every day.
  assert.match(
    page.text,
    /<svg[^>]*\srole="img"\s+aria-label="Pages read each day from [^"]* The numbers are in the table below./,
  )
  assert.equal(page.text.match(/<th scope="row">/g)!.length, 30)
  for (const [days, rows] of [
    [7, 7],
    [90, 90],
    ['x', 30],
  ] as const)
    assert.equal((await see(`?days=${days}`)).text.match(/<th scope="row">/g)!.length, rows)

  const [, href] = /href="([^"]*)" aria-label="Redirect \/old\/grün"/.exec(page.text)!
  const form = await keeper.get(unescaped(href!))
  assert.match(form.text, /name="source" value="\/old\/grün"/, 'as people type it')
  assert.match(form.text, /name="to"\s[^>]*autofocus/, 'what is left to say comes first')
  const refused = await keeper.submit(form, `${path}/redirects`, { source: '/old/grün', to: '/gone' })
  assert.equal(refused.status, 400)
  const added = await keeper.submit(refused, `${path}/redirects`, { source: '/old/grün', to: '/coffee' })
  assert.equal(added.location, `${path}/insights/missing?days=30&done=redirected`, 'back to where others are')
  assert.match(textOf((await keeper.follow(added)).text), /Redirect added\.[^]*\/old\/grün now redirected 1 time$/)
  assert.equal((await get('old/gr%C3%BCn')).status, 307)
  assert.match(textOf((await see()).text), /\/old\/grün now redirected 1 time$/)

  const [tea] = expect(await space.who.get(`${space.path}/content`), 200).pages
  expect(await space.edit({ operation: 'delete_page', page: tea.id }), 200)
  assert.match(textOf((await see('/pages')).text), /A deleted page 2 times/)
})

test('long insight lists have pages of their own, split into parts', async () => {
  const { keeper, path, site, org } = await aKeeper(app)
  await app.db.run(sql`
    insert into site_missing_paths (organization_id, site_id, day, path, requests)
    select ${org.id}, ${site.id}, (now() at time zone 'utc')::date, '/old/' || n, n from generate_series(1, 60) n`)
  const page = await keeper.get(`${path}/insights?days=7`)
  assert.equal(page.text.match(/<code>\/old/g)!.length, 10)
  const [, all] = /href="([^"]*)" aria-label="All 60: Addresses not found"/.exec(page.text)!
  assert.equal(all, `${path}/insights/missing?days=7`)
  const first = await keeper.get(all)
  assert.equal(first.text.match(/<code>\/old/g)!.length, 50)
  const next = unescaped(/href="([^"]*)">Next</.exec(first.text)![1]!)
  assert.equal((await keeper.get(next)).text.match(/<code>\/old/g)!.length, 10)
})

test('members who may not edit a site are redirected to its page, and insights hide spaces a person cannot see', async () => {
  const { keeper, path, org, who, api, reader, address } = await aKeeper(app)
  const hidden = await aLiveSpace(app, org)
  expect(await hidden.edit(newPage('Merger')), 200)
  expect(await who.patch(hidden.path, { defaultLevel: null }), 200)
  const placed = expect(await who.post(`${api}/site-spaces`, { spaceId: hidden.id }), 201)
  assert.equal((await reader.get(`${address}${placed.path}/`, asReader().headers)).status, 200)
  await app.app.insights.flush({ end: true })
  assert.match((await (await signedIn(app, org.admin)).get(`${path}/insights`)).text, /Merger/)
  for (const each of ['', '/pages']) {
    const { status, text } = await keeper.get(`${path}/insights${each}`)
    assert.equal(status, 200)
    assert.match(text, /No page was read in this period/)
    assert.doesNotMatch(text, /Merger/)
  }
  const member = await signedIn(app, await org.member('review'))
  for (const each of ['', '/missing']) {
    const led = await member.get(`${path}/insights${each}`)
    assert.deepEqual([led.status, led.location], [303, path])
  }
  assert.doesNotMatch((await member.get(path)).text, /insights/)
})

test('a path that would change its meaning when decoded stays encoded in the redirect form', async () => {
  const { keeper, path } = await aKeeper(app)
  for (const source of ['/100%25', '/a%2Fb', '/old/%2A', '/old%20', '/%E0'])
    assert.match(
      (await keeper.get(`${path}/redirects?source=${encodeURIComponent(source)}`)).text,
      new RegExp(`name="source" value="${source}"`),
    )
  const tooLong = await keeper.get(`${path}/redirects?source=${encodeURIComponent(`/${'x'.repeat(510)}😀`)}`)
  assert.match(tooLong.text, /name="source" value="\/x{510}"/, 'cut between two characters')
})

test('the insights of an unpublished site say that nothing is counted', async () => {
  const { keeper, path, who, api } = await aKeeper(app)
  const said = /The site is not published, so nothing is counted/
  assert.doesNotMatch((await keeper.get(`${path}/insights`)).text, said)
  expect(await who.post(`${api}/unpublish`), 200)
  assert.match((await keeper.get(`${path}/insights`)).text, said)
})

test('the list of sites links editors to the insights of each published site', async () => {
  const { keeper, path, org, who, api } = await aKeeper(app)
  const link = `href="${path}/insights"`
  const list = path.replace(/\/[^/]*$/, '')
  assert.ok((await keeper.get(list)).text.includes(link))
  assert.ok(!(await (await signedIn(app, await org.member('review'))).get(list)).text.includes(link))
  expect(await who.post(`${api}/unpublish`), 200)
  assert.ok(!(await keeper.get(list)).text.includes(link))
})

test('the insights say if counting is turned off on the server', async () => {
  const quiet = await startApp({ LECTERN_INSIGHTS: 'off' })
  const { keeper, path } = await aKeeper(quiet)
  assert.match((await keeper.get(`${path}/insights`)).text, /Counting is turned off on this server/)
})

test('a site editor sees ratings and comments of readers verbatim, and can delete comments', async () => {
  const { keeper, path, reader, address, save, site, org } = await aKeeper(app)
  const see = async (below = '') => {
    await app.app.insights.flush()
    return keeper.get(`${path}/insights${below}`)
  }
  const tip = /Pages can ask readers whether they were helpful: the look has the switch/
  assert.match(textOf((await see()).text), tip)
  assert.equal((await save({ feedback: 'on' })).status, 303)
  const empty = textOf((await see()).text)
  assert.doesNotMatch(empty, tip)
  assert.match(empty, /Nobody rated a page..*Nobody left a comment./)

  const page = await reader.get(`${address}coffee`, asReader().headers)
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)![1]!
  const say = async (said: Record<string, string>, name = 'X') =>
    reader.post(
      `${address}~/helpful`,
      { at: field('at'), page: field('page'), ...said },
      { ...asReader().headers, 'user-agent': `Mozilla/5.0 (${name})` },
    )
  for (const [said, name] of [
    [{ answer: 'no' }, 'A'],
    [{ answer: 'no' }, 'B'],
    [{ answer: 'yes' }, 'C'],
    [{ text: `${'x'.repeat(39)}😀` }, 'D'],
    [{ text: '<img src=x onerror=alert(1)> & more' }, 'A'],
    [{ text: 'How hot?' }, 'B'],
  ] as [Record<string, string>, string][])
    assert.equal((await say(said, name)).status, 303)
  const overview = await see()
  const text = textOf(overview.text)
  assert.match(
    text,
    /Helpful or not Coffee \/coffee 2 no, 1 yes What readers say How hot\? Coffee · \d+ \w+ \d+ Delete/,
  )
  assert.ok(!overview.text.includes('<img src=x'))
  assert.ok(overview.text.includes(`“${'x'.repeat(39)}”`), 'its name is cut between two characters')
  assert.match(text, /<img src=x onerror=alert\(1\)> & more Coffee/)
  assert.match(textOf((await see('/ratings')).text), /Coffee \/coffee 2 no, 1 yes$/)

  const list = await see('/remarks?days=7')
  const [, remark] = /name="remark" value="([^"]*)"/.exec(list.text)!
  const sent = { remark: remark!, days: '7' }
  const deleted = await keeper.submit(list, `${path}/insights/remarks/delete`, sent)
  assert.equal(deleted.location, `${path}/insights/remarks?days=7&done=unsaid`)
  const left = textOf((await keeper.follow(deleted)).text)
  assert.match(left, /Deleted./)
  assert.doesNotMatch(left, /How hot/)
  assert.match(left, /<img/)
  const recorded = await (await signedIn(app, org.admin)).get(`/app/o/${org.id}/record`)
  assert.match(textOf(recorded.text), /deleted what a reader wrote about/)
  assert.doesNotMatch(recorded.text, /How hot/)
  const other = await aKeeper(app)
  const [, foreign] = /name="remark" value="([^"]*)"/.exec((await see('/remarks')).text)!
  const { form } = filledIn(await other.keeper.get(`${other.path}/look`))
  const refused = await other.keeper.post(`${other.path}/insights/remarks/delete`, { form: form!, remark: foreign! })
  assert.equal(refused.status, 404)
  assert.equal(expect(await site.who.get(`${site.path}/insights/remarks`), 200).count, 2)
})
