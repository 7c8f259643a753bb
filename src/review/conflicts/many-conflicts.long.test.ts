// Many conflicts at once, and conflicts about texts that one side has emptied.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { idsOf, newPage } from '../../../test/editing.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

async function aScene(pages: object[]) {
  const site = await aSite(app, { pages: [newPage('Welcome')] })
  const { space, who } = site
  const ids = idsOf(await who.post(`${space.path}/content?compat=false`, { changes: pages }))
  const request = await space.changeRequest()
  const path = `/app/o/${site.org.id}/s/${space.id}/~/changes/1`
  const author = await signedIn(app, await site.org.member('review'))
  const bringIn = async () => author.follow(await author.submit(await author.get(path), `${path}/update`))
  return { space, who, ids, request, path, author, bringIn }
}

const decidable = ({ text }: { text: string }) =>
  [...text.matchAll(/action="([^"]*\/conflicts\/[^"]+)"/g)].map(([, action]) => action!)

test("with more conflicts than are sorted, a page's conflicts are still shown whole, and each can be resolved", async () => {
  const titles = ['A', 'B', 'C', 'D', 'E', 'F']
  const { space, who, ids, request, path, author, bringIn } = await aScene(titles.map((title) => newPage(title)))
  const variables = (value: string) =>
    Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`v${at}`, `${value} ${at}`]))
  const say = (side: string) =>
    ids.map((page, at) => ({
      operation: 'update_page',
      page,
      metadata: { variables: variables(side) },
      document: { markdown: `# ${titles[at]} of ${side}\n\nThat of ${side}.\n` },
    }))
  expect(await request.edit(...say('ours')), 200)
  expect(await space.edit(...say('theirs')), 200)
  let page = await bringIn()
  assert.ok(expect(await who.get(`${request.path}/conflicts`), 200).count > 600)
  for (let decided = 0; decided < 18; decided++) {
    const [action] = decidable(page)
    assert.ok(action, page.text)
    page = await author.follow(await author.submit(page, action, { side: 'theirs' }))
  }
  assert.match(page.text, /It can be merged now/)
  assert.equal((await author.submit(page, `${path}/merge`)).location, `${path}?done=merged`)
  for (const [at, id] of ids.entries()) {
    const kept = expect(await who.get(`${space.path}/content/page/${id}?format=markdown`), 200)
    assert.deepEqual([kept.title, kept.variables], [`${titles[at]} of theirs`, variables('theirs')])
    assert.match(kept.markdown, /That of theirs\.\n$/)
  }
})

test("if one side has emptied the text below the title, the other side's text does not run into the title", async () => {
  for (const [head, lineBreak] of [
    ['# Tea', '\n'],
    ['---\ntitle: Tea\n---', '\n'],
    ['---\r\nkeep: this\r\n---\r\n# Tea', '\r\n'],
  ] as const) {
    const text = (line: string) => `${head}${lineBreak.repeat(2)}${line}`
    const { space, who, ids, request, author, path, bringIn } = await aScene([
      { operation: 'insert_page', document: { markdown: text('one') } },
    ])
    const write = (markdown: string) => ({ operation: 'update_page', page: ids[0], document: { markdown } })
    expect(await request.edit(write(head)), 200)
    expect(await space.edit(write(text('two'))), 200)
    const page = await bringIn()
    assert.match((await request.page(ids[0]!)).markdown, /\n<<<<<<< change request/)
    await author.submit(page, decidable(page)[0]!, { side: 'theirs' })
    assert.equal((await request.page(ids[0]!)).markdown, text('two'))
    await author.submit(await author.get(path), `${path}/merge`)
    const kept = expect(await who.get(`${space.path}/content/page/${ids[0]}?format=markdown`), 200)
    assert.deepEqual([kept.title, kept.markdown], ['Tea', text('two')])
  }
})
