// Any two revisions of a space, or of one page, are compared with a browser that runs no script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { expect } from '../../../test/visitor.ts'
import { newId } from '../../ids.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

/** Tea, which was rewritten twice; milk, which came and went; and cups, which were there from the beginning. */
async function aStory() {
  const space = await aLiveSpace(app)
  const rewrite = (what: string) => ({
    operation: 'update_page',
    page: tea,
    document: { markdown: `# Tea\n\n${what}\n` },
  })
  const [tea, cups] = idsOf(await space.edit(newPage('Tea'), newPage('Cups')))
  expect(await space.edit(rewrite('Green.')), 200)
  const [milk] = idsOf(await space.edit(newPage('Milk & more')))
  expect(await space.edit(rewrite('Black.')), 200)
  expect(await space.edit({ operation: 'delete_page', page: milk }), 200)
  const path = `/app/o/${space.org.id}/s/${space.id}`
  const ids = (expect(await space.who.get(`${space.path}/revisions`), 200).items as { id: string }[])
    .map(({ id }) => id)
    .toReversed()
  const reader = await signedIn(app, await space.org.member('read'))
  return { space, tea: tea!, cups: cups!, path, history: `${path}/~/history`, ids, reader }
}

const hrefs = ({ text }: { text: string }, label: string) =>
  [...text.matchAll(new RegExp(`href="([^"]+)" aria-label="${label}[:"]`, 'g'))].map(([, href]) => href!)

test('two revisions are chosen from the history in either order, and are compared from the older to the newer', async () => {
  const { history, ids, reader, path } = await aStory()
  const list = await reader.get(history)
  assert.deepEqual(
    hrefs(list, 'Compare'),
    ids.toReversed().map((id) => `${history}?with=${id}`),
  )
  const [, , written, , rewritten, last] = ids
  for (const [first, second] of [
    [rewritten, written],
    [written, rewritten],
  ]) {
    const choosing = await reader.get(`${history}?with=${first}`)
    assert.match(choosing.text, /Choose what to compare with “Edited in the main content”/)
    const both = `${history}/${rewritten}/since/${written}`
    assert.ok(hrefs(choosing, 'Compare with this one').includes(both), `${second}`)
    assert.equal(hrefs(choosing, 'Compare with this one').length, ids.length - 1)
    const { text } = await reader.get(both)
    assert.match(text, /2 changes<\/strong>: (?:1 edited page, 1 new page|1 new page, 1 edited page)/)
    assert.match(text, /class="removed">[^]*?<code>Green\.<[^]*class="added">[^]*?<code>Black\.</)
    assert.match(text, /New page<\/span>\s*<strong>Milk &amp; more</)
    assert.doesNotMatch(text, /Cups/)
    assert.ok(text.includes(`href="${path}/~/revisions/${rewritten}/tea"`))
  }
  // Something that was added and deleted again is no change. An address that names the revisions the other way round
  // shows the same.
  const whole = await reader.get(`${history}/${last}/since/${written}`)
  assert.match(whole.text, /Edited page<\/span>\s*<strong>Tea</)
  assert.doesNotMatch(whole.text, /Milk/)
  const turned = await reader.get(`${history}/${written}/since/${last}`)
  assert.equal(turned.text, whole.text)
  assert.match((await reader.get(`${history}/${last}/since/${last}`)).text, /Nothing changed between them/)
})

test('two versions of a page are compared without the changes to other pages meanwhile', async () => {
  const { path, tea, cups, ids, reader } = await aStory()
  const history = `${path}/~/pages/${tea}/history`
  const list = await reader.get(history)
  const chosen = hrefs(list, 'Compare')
  assert.equal(chosen.length, 3)
  const both = hrefs(await reader.get(chosen[0]!), 'Compare with this one')
  assert.deepEqual(both, [`${history}/${ids[4]}/since/${ids[2]}`, `${history}/${ids[4]}/since/${ids[1]}`])
  const { text } = await reader.get(both[0]!)
  assert.match(text, /<h1>Comparison of “Tea”<\/h1>/)
  assert.match(text, /class="removed">[^]*?<code>Green\.<[^]*class="added">[^]*?<code>Black\.</)
  assert.doesNotMatch(text, /Milk/)
  // A page with only one version cannot be compared with anything.
  assert.deepEqual(hrefs(await reader.get(`${path}/~/pages/${cups}/history`), 'Compare'), [])
})

test('a long comparison is shown in parts, and the chosen revision is kept across the pages of the history', async () => {
  const { space, history, ids, reader } = await aStory()
  expect(await space.edit(...Array.from({ length: 30 }, (_, at) => newPage(`Page ${at}`))), 200)
  for (let times = 0; times < 50; times++) expect(await space.edit(newPage(`More ${times}`)), 200)
  const newest = (expect(await space.who.get(`${space.path}/revisions`), 200).items as { id: string }[])[0]!.id
  const both = `${history}/${newest}/since/${ids[1]}`
  const first = await reader.get(both)
  assert.match(first.text, /Showing 1 to 25\./)
  assert.ok(first.text.includes(`href="${both}?from=25#changes"`))
  assert.match((await reader.get(`${both}?from=25`)).text, /Showing 26 to 50\./)
  const list = await reader.get(`${history}?with=${newest}`)
  const [, next] = /href="([^"]+)">Next</.exec(list.text)!
  assert.match(next!, new RegExp(`\\?with=${newest}&amp;page=`))
  const further = await reader.get(next!.replaceAll('&amp;', '&'))
  assert.ok(hrefs(further, 'Compare with this one').includes(both))
})

test('revisions that are missing, of a change request or of another space cannot be compared, nor any by strangers', async () => {
  const { space, history, path, tea, ids, reader } = await aStory()
  const request = await space.changeRequest()
  const draft = expect(await request.edit(newPage('Draft')), 200).revision as string
  const other = await aStory()
  const stranger = await signedIn(app, await aStranger(app))
  const [one, two] = [ids[2]!, ids[4]!]
  for (const list of [history, `${path}/~/pages/${tea}/history`]) {
    assert.equal((await reader.get(`${list}/${two}/since/${one}`)).status, 200)
    assert.equal((await stranger.get(`${list}/${two}/since/${one}`)).status, 404)
    for (const wrong of [newId(), draft, other.ids[2]!, 'x', '0'.repeat(36)]) {
      assert.equal((await reader.get(`${list}/${two}/since/${wrong}`)).status, 404)
      assert.equal((await reader.get(`${list}/${wrong}/since/${one}`)).status, 404)
      const chosen = await reader.get(`${list}?with=${wrong}`)
      assert.deepEqual([chosen.status, /Choose what to compare/.test(chosen.text)], [200, false])
    }
  }
  assert.equal((await reader.get(`${path}/~/pages/${newId()}/history/${two}/since/${one}`)).status, 404)
})
