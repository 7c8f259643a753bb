// Two people edit the same text of a change request: one opened it before the other one saved it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace } from '../../../test/editing.ts'
import { expect } from '../../../test/visitor.ts'
import { pathWith } from '../../account/answer.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { anAuthor, begin, spaceOf, teapots, textIn } from './testing/author.ts'

const app = await startApp()

test('a text that changes the same line or setting as somebody else overwrites nothing, and is handed back', async () => {
  const theirs = teapots.replace('For tea', 'For two').replace('Odd', 'Other')
  const { author, path, write, markdown } = await aPageOpenedBefore(theirs)
  for (const mine of [teapots.replace('Odd', 'My <b>'), teapots.replace('For tea', 'For me')]) {
    let late = await write(mine)
    for (let times = 0; times < 2; times++) {
      assert.equal(late.status, 409)
      assert.match(late.text, /role="alert">Somebody has changed the same part of this page/)
      assert.match(late.text, new RegExp(`<a href="${path}" target="_blank"[^>]*>Open the page as it is now`))
      assert.equal(textIn(late), mine)
      late = await author.submit(late, path, { text: mine })
    }
  }
  assert.match(await markdown(), /For two[^]*Other {3}spaces/)
})

test('what two people change in different parts of the same page is saved together, and the second one is told so', async () => {
  const theirs = teapots.replace('For tea', 'For two').replace('# Teapots', '# Pots')
  const { author, path, write, markdown } = await aPageOpenedBefore(theirs)
  const mine = teapots.replace('keep: this\n', 'icon: leaf\n').replace('<b>', 'Warm <b>').replaceAll('\n', '\r\n')
  const both = '---\ndescription: For two\nicon: leaf\n---\n\n# Pots\n\n\n*  Odd   spaces \nWarm <b>&amp;</b>\n'
  const said = /Saved in (?:this|the) change request, together with what somebody else has changed/
  const asked = await write(mine, 'ask')
  assert.deepEqual([asked.status, textIn(asked)], [200, mine.replaceAll('\r\n', '\n')])
  assert.equal(await markdown(), theirs)

  const [one, two] = await Promise.all([write(mine), write(mine)])
  for (const saved of [one, two, await write(mine)]) assert.match((await author.follow(saved)).text, said)
  assert.equal(await markdown(), both)
  // A script that stays on the page has to show what others wrote as well.
  const stayed = await write(mine, 'stay')
  assert.equal(stayed.location, pathWith(path, { done: 'combined' }))
  const shown = await author.follow(stayed)
  assert.match(shown.text, said)
  assert.equal(textIn(shown), both)
  const next = await author.follow(await author.submit(shown, path, { text: `${both}More\n` }))
  assert.match(next.text, /Saved in this change request\. /)
  assert.equal(await markdown(), `${both}More\n`)
})

test('a text is only merged with what its author has seen: another revision, or none, is refused', async () => {
  const { site, author, page, write, markdown } = await aPageOpenedBefore(`${teapots}\nTheirs.\n`)
  const elsewhere = await aLiveSpace(app, site.org)
  const [{ revision: now }, { revision: foreign }] = [
    expect(await site.who.get(`${site.space.path}/change-requests/1`), 200),
    expect(await site.who.get(elsewhere.path), 200),
  ]
  const mine = teapots.replace('# Teapots', '# Pots')
  for (const from of ['', 'x', page, foreign, now]) {
    const refused = await write(mine, '', { from })
    assert.equal(refused.status, 409, from)
    assert.equal(textIn(refused), mine)
  }
  assert.equal(await markdown(), `${teapots}\nTheirs.\n`)
  assert.match((await author.follow(await write(mine))).text, /together with/)
})

test('a title keeps its marks in a common save, and settings that cannot be read stay in the text', async () => {
  const body = '\n\nHot.\n'
  const icon = '---\nicon: leaf\n---\n\n'
  const tea = `# Tea${body}`
  for (const marked of [
    '# Tea with `leaves` and [a link](https://example.com)',
    '# *Tea*',
    '# Tea ![Pot](x.png)\n## Hot',
  ]) {
    const { write, markdown } = await aPageOpenedBefore(`${marked}${body}`, tea)
    assert.equal((await write(`${icon}${tea}`)).status, 303, marked)
    assert.equal((await markdown()).replace(/\n+##/, '\n##'), `${icon}${marked}${body}`)
  }
  const described = `---\ndescription: Hot\n---\n\n${tea}`
  const cases = [
    // Which of two titles is meant is not known, wherever they are.
    {
      before: `${icon}${tea}`,
      theirs: `${icon}# Green${body}`,
      mine: `${icon.replace('icon', 'title: Mine\nicon')}${tea}`,
    },
    {
      before: described,
      theirs: described.replace('Hot\n', 'Hot\nicon: leaf\n'),
      mine: described.replace('Hot', '[Hot'),
    },
  ]
  for (const { before, theirs, mine } of cases) {
    const { write, markdown } = await aPageOpenedBefore(theirs, before)
    const refused = await write(mine)
    assert.equal(refused.status, 409)
    assert.equal(textIn(refused), mine)
    assert.equal(await markdown(), theirs)
  }
})

test('two people who save at the same moment keep what both wrote, in one page and in two', async () => {
  const { site, author, page, path, write, markdown } = await aPageOpenedBefore(teapots)
  const other = await signedIn(app, await site.org.member('edit'))
  const elsewhere = expect(await site.who.get(`${site.space.path}/content/pages`), 200).pages[0].id
  const welcome = path.replace(page, elsewhere)
  const [same, another] = [await other.get(path), await author.get(welcome)]
  const saved = await Promise.all([
    write(teapots.replace('For tea', 'For two')),
    other.submit(same, path, { text: teapots.replace('Odd', 'Other') }),
    author.submit(another, welcome, { text: '# Welcome\n\nHello.\n' }),
  ])
  for (const { status } of saved) assert.equal(status, 303)
  assert.equal(await markdown(), teapots.replace('For tea', 'For two').replace('Odd', 'Other'))
  assert.match(textIn(await author.get(welcome)), /Hello/)
})

test('a save settles no conflict that its author has not seen', async () => {
  const { site, author, page, path, write } = await aPageOpenedBefore(teapots.replace('For tea', 'For two'))
  const seen = await author.get(path)
  const { id } = expect(await site.who.post(`${site.space.path}/change-requests`, { subject: 'Main' }), 201)
  const [main, mine] = [id, 1].map((each) => `${site.space.path}/change-requests/${each}`) as [string, string]
  const asked = { operation: 'update_page', page, document: { markdown: teapots.replace('For tea', 'For three') } }
  expect(await site.who.post(`${main}/content`, { changes: [asked] }), 200)
  expect(await site.who.post(`${main}/merge`), 200)
  // The text stays as it is in the change request, so it does not tell that there is a conflict.
  assert.equal(expect(await site.who.post(`${mine}/update`, {}), 200).result, 'conflicts')
  const text = textIn(seen).replace('Odd', 'Other')
  for (const late of [await write(teapots.replace('Odd', 'Other')), await author.submit(seen, path, { text })]) {
    assert.equal(late.status, 409)
    assert.match(late.text, /role="alert">This page has come into conflict with the main content/)
    assert.match(textIn(late), /Other/)
  }
  assert.equal(expect(await site.who.get(`${mine}/conflicts`), 200).count, 1)
  assert.equal((await author.submit(await author.get(path), path, { text })).status, 303)
  assert.equal(expect(await site.who.get(`${mine}/conflicts`), 200).count, 0)
})

test('only a text that contains both sides of a conflict is said to contain them', async () => {
  const { site, author, page, path, write } = await aPageOpenedBefore(teapots.replace('Odd', 'Two'))
  const { id } = expect(await site.who.post(`${site.space.path}/change-requests`, { subject: 'Main' }), 201)
  const [main, mine] = [id, 1].map((each) => `${site.space.path}/change-requests/${each}`) as [string, string]
  const asked = { operation: 'update_page', page, document: { markdown: teapots.replace('Odd', 'Three') } }
  expect(await site.who.post(`${main}/content`, { changes: [asked] }), 200)
  expect(await site.who.post(`${main}/merge`), 200)
  assert.equal(expect(await site.who.post(`${mine}/update`, {}), 200).result, 'conflicts')
  const said = 'This text is in conflict: it contains both sides'
  const late = await write(teapots.replace('# Teapots', '# Pots'))
  assert.match(late.text, /This page has come into conflict with the main content/)
  assert.ok(!late.text.includes(said))
  const now = await author.get(path)
  assert.ok(now.text.includes(said))
  const preview = (text: string) => author.submit(now, path, { text }, {}, `${path}/preview`)
  assert.ok((await preview(textIn(now).replace('Three', 'Four'))).text.includes(said))
  assert.ok(!(await preview(teapots)).text.includes(said))
})

test('whoever writes on without seeing yet what was saved with their text is not refused because of their own words', async () => {
  const { author, path, write, markdown } = await aPageOpenedBefore(teapots.replace('For tea', 'For two'))
  const mine = teapots.replace('Odd', 'My')
  assert.equal((await write(mine, 'stay')).status, 303)
  const next = mine.replace('My', 'My own')
  assert.equal((await write(next, 'stay')).status, 409)
  assert.equal((await write(next, 'stay', { base: mine.replaceAll('\n', '\r\n') })).status, 303)
  assert.equal(await markdown(), next.replace('For tea', 'For two'))
  // Taking back what was saved is a change, too, even if the text is then as it was when the author opened it.
  assert.equal((await author.submit(await author.get(path), path, { text: teapots })).status, 303)
  assert.equal((await write(`${next}\nMore.\n`, 'stay', { base: next })).status, 303)
  assert.equal(await markdown(), `${teapots}\nMore.\n`)
})

test('who saves with a preview is told that the text was saved together with another one', async () => {
  const { author, write } = await aPageOpenedBefore(teapots.replace('For tea', 'For two'))
  const { text } = await author.follow(await write(teapots.replace('Odd', 'Other'), 'look'))
  assert.match(text, /saved together with what somebody else has changed[^]*Preview as a reader/)
  assert.doesNotMatch(text, /http-equiv="refresh"/)
})

/** A user opens a page in a change request. Then somebody else saves the text `theirs`. */
async function aPageOpenedBefore(theirs: string, before = teapots) {
  const started = await anAuthor(app)
  const { site, author, page } = started
  await begin(started)
  const path = `${spaceOf(site)}/~/changes/1/pages/${page}`
  const api = `${site.space.path}/change-requests/1/content`
  const save = async (text: string) =>
    assert.equal((await author.submit(await author.get(path), path, { text })).status, 303)
  await save(before)
  const editing = await author.get(path)
  await save(theirs)
  return {
    ...started,
    path,
    write: (text: string, next = '', fields = {}) => author.submit(editing, path, { text, next, ...fields }),
    markdown: async (): Promise<string> =>
      expect(await site.who.get(`${api}/page/${page}?format=markdown`), 200).markdown,
  }
}
