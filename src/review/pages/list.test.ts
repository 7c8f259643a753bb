// The list of pages of a change request: where the user was in it, and what a script needs to move pages there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { newPage } from '../../../test/editing.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

/** Creates the pages Tea (with Green below it) and Cups, and a change request that has changed something. */
async function anAuthor() {
  const site = await aSite(app, {
    pages: [newPage('Tea', { ref: 'tea' }), newPage('Green', { into: 'tea' }), newPage('Cups')],
  })
  const author = await signedIn(app, await site.org.member('edit'))
  const space = `/app/o/${site.org.id}/s/${site.space.id}`
  await author.submit(await author.get(space), `${space}/~/changes`, { subject: 'Order' })
  const api = `${site.space.path}/change-requests/1`
  expect(await site.who.post(`${api}/content`, { changes: [newPage('Pots', { ref: 'pots' })] }), 200)
  const { pages } = expect(await site.who.get(`${api}/content`), 200)
  const ids: Record<string, string> = {}
  for (const { id, title, pages: below = [] } of pages) {
    ids[title] = id
    for (const each of below) ids[each.title] = each.id
  }
  return { site, author, space, path: `${space}/~/changes/1`, api, ids }
}

test('after a page is moved, given an address or deleted, the list is open there and keeps the search', async () => {
  const { site, author, path, api, ids } = await anAuthor()
  assert.match((await author.get(path)).text, /<details >\s*<summary class="btn">Edit pages/)
  const at = `${path}/pages/${ids.Cups}`
  const found = await author.get(`${path}?find=cup`)
  assert.ok(found.text.includes(`href="${at}/place?find=cup" aria-label="Move Cups"`))
  const form = await author.get(`${at}/place?find=cup`)
  assert.ok(form.text.includes(`href="${path}?find=cup&amp;pages=${ids.Cups}#page-${ids.Cups}">Back`))
  const moved = await author.submit(form, `${at}/place?find=cup`, { spot: 'first', near: ids.Tea! })
  assert.equal(moved.location, `${path}?done=moved&find=cup&pages=${ids.Cups}#page-${ids.Cups}`)
  const list = await author.follow(moved)
  assert.match(list.text, /<details open>\s*<summary class="btn">Edit pages<\/summary>\s*<p [^>]+>Page moved\.</)
  assert.match(list.text, new RegExp(`<li data-depth="0" id="page-${ids.Cups}"[^>]*data-here`))
  assert.equal(list.text.match(/Page moved\./g)!.length, 1)

  const addressed = await author.submit(await author.get(`${at}/place`), `${at}/address`, { slug: 'mugs' })
  assert.equal(addressed.location, `${path}?done=addressed&pages=${ids.Cups}#page-${ids.Cups}`)
  const gone = await author.submit(await author.get(`${at}/delete?find=cup`), `${at}/delete?find=cup`)
  assert.equal(gone.location, `${path}?done=deleted&find=cup&pages=open#pages`)
  assert.match((await author.follow(gone)).text, /<details open>\s*<summary class="btn">Edit pages/)
  assert.equal(expect(await site.who.get(`${api}/content`), 200).pages.length, 2)
})

test('the script that moves pages gets their positions only for writers, and may connect only to this server', async () => {
  const { site, author, path, ids } = await anAuthor()
  const list = await author.get(path)
  assert.match(list.headers.get('content-security-policy')!, /connect-src 'self'/)
  assert.match(list.text, /<script src="[^"]*\/assets\/tree\.\w+\.js" type="module">/)
  assert.ok(list.text.includes(`data-pages="${path}/pages" data-form="`))
  assert.ok(list.text.includes(`data-page="${ids.Green}" data-parent="${ids.Tea}"`))
  assert.match(list.text, new RegExp(`data-page="${ids.Cups}"(?! data-parent)`))
  // Search results are not siblings of each other.
  const found = await author.get(`${path}?find=e`)
  assert.doesNotMatch(found.text, /data-(?:pages|page|parent)="/)

  const reader = await signedIn(app, await site.org.member('comment'))
  const read = await reader.get(`${path}?pages=open&done=moved`)
  assert.match(read.headers.get('content-security-policy')!, /connect-src 'none'/)
  assert.doesNotMatch(read.text, /tree\.\w+\.js|data-page|Edit pages/)
  assert.match(read.text, /Page moved\./)
})

test('deleting a page says whether readers see it, and that a new page cannot be restored', async () => {
  const { site, author, path, api, ids } = await anAuthor()
  const question = async (id: string) => (await author.get(`${path}/pages/${id}/delete`)).text
  const [still, never] = [/readers see it until this change request is merged/, /no reader has seen (?:it|them)/]
  assert.match(await question(ids.Tea!), still)
  assert.match(await question(ids.Pots!), /It is new in this change request: no reader has seen it, and it cannot/)
  expect(await site.who.post(`${api}/content`, { changes: [newPage('Lids', { into: ids.Pots! })] }), 200)
  assert.match(await question(ids.Pots!), /They are new/)
  // A page that readers see, moved below a new one.
  const move = { operation: 'update_page', page: ids.Cups, into: ids.Pots, at: 0 }
  expect(await site.who.post(`${api}/content`, { changes: [move] }), 200)
  const both = await question(ids.Pots!)
  assert.match(both, still)
  assert.doesNotMatch(both, never)
})
