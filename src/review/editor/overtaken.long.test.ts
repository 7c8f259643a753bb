// Two people edit the same text of a change request: one opened it before the other one saved it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace } from '../../../test/editing.ts'
import { expect } from '../../../test/visitor.ts'
import { pathWith } from '../../account/answer.ts'
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

/** A user opens a page in a change request. Then somebody else saves this text. */
async function aPageOpenedBefore(theirs: string) {
  const started = await anAuthor(app)
  const { site, author, page } = started
  await begin(started)
  const path = `${spaceOf(site)}/~/changes/1/pages/${page}`
  const editing = await author.get(path)
  const api = `${site.space.path}/change-requests/1/content`
  const other = { operation: 'update_page', page, document: { markdown: theirs } }
  expect(await site.who.post(api, { changes: [other] }), 200)
  return {
    ...started,
    path,
    write: (text: string, next = '', fields = {}) => author.submit(editing, path, { text, next, ...fields }),
    markdown: async (): Promise<string> =>
      expect(await site.who.get(`${api}/page/${page}?format=markdown`), 200).markdown,
  }
}
