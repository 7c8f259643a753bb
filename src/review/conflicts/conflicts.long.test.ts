// A user resolves the conflicts of a change request with nothing but a browser, and the change request is merged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { idsOf, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { pathWith } from '../../account/answer.ts'
import { type Page, Person, tokenIn } from '../../account/testing/person.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

const guideText = '---\nkeep: this\n---\n\n# Guide\n\none\ntwo\nthree\nfour\nfive\n'

/** Pages, a change request on them, and a user who may edit and merge. */
async function aScene() {
  const site = await aSite(app, { pages: [newPage('Welcome')] })
  const { space, who } = site
  const made = await who.post(`${space.path}/content?compat=false`, {
    changes: [
      { operation: 'insert_page', document: { markdown: guideText } },
      newPage('Other'),
      newPage('Third'),
      { operation: 'update_variables', variables: { product: 'Teapot' } },
    ],
  })
  const [guide, other, third] = idsOf(made) as [string, string, string]
  const request = await space.changeRequest()
  const path = `/app/o/${site.org.id}/s/${space.id}/~/changes/1`
  const author = await signedIn(app, await site.org.member('review'))
  return { site, space, who, request, path, author, guide, other, third }
}

type Scene = Awaited<ReturnType<typeof aScene>>

async function change({ request, space }: Scene, ours: object[], theirs: object[]): Promise<void> {
  assert.equal((await request.edit(...ours)).status, 200)
  assert.equal((await space.edit(...theirs)).status, 200)
}

const conflictsOf = async ({ who, request }: Scene) => expect(await who.get(`${request.path}/conflicts`), 200)
const headOf = async ({ who, request }: Scene) => expect(await who.get(request.path), 200).revision as string

/** Starts from the change request, as a person would: updates it from the main content, and is led to the conflicts. */
async function bringIn({ author, path }: Scene): Promise<Page> {
  const review = await author.get(path)
  assert.ok(review.text.includes(`href="${path}/conflicts"`), review.text)
  const led = await author.submit(review, `${path}/update`)
  assert.equal(led.location, `${path}/conflicts?done=updated`)
  return author.follow(led)
}

const actionsIn = ({ text }: Page) =>
  [...text.matchAll(/action="([^"]*\/conflicts\/[^"]+)"/g)].map(([, action]) => action!)

/** Takes a side of the first conflict that can be decided. */
async function take({ author }: Scene, page: Page, side: string): Promise<Page> {
  const [action] = actionsIn(page)
  assert.ok(action, page.text)
  return author.submit(page, action, { side })
}

const textOf = async ({ who, space }: Scene, page: string) =>
  expect(await who.get(`${space.path}/content/page/${page}?format=markdown`), 200).markdown as string

const write = (page: string, markdown: string) => ({ operation: 'update_page', page, document: { markdown } })
const say = (page: string, metadata: object) => ({ operation: 'update_page', page, metadata })

interface Case {
  about: string
  ours: (scene: Scene) => object[]
  theirs: (scene: Scene) => object[]
  /** What the page shows. */
  shows: RegExp[]
  /** What main has once it is merged. */
  after: Record<'ours' | 'theirs', (scene: Scene) => Promise<void>>
}

const hasText = (line: string) => async (scene: Scene) =>
  assert.equal(
    await textOf(scene, scene.guide),
    guideText.replace('two\n', `${line}\n`).replace('five\n', 'five\nsix\n'),
  )
const hasTitle = (title: string) => async (scene: Scene) =>
  assert.match(await textOf(scene, scene.guide), new RegExp(`\\n# ${title}\\n`))
const hasOutline = (outline: string) => async (scene: Scene) => assert.equal(await scene.space.outline(), outline)
const hasVariable = (value: string) => async (scene: Scene) =>
  assert.equal(expect(await scene.who.get(`${scene.space.path}/content`), 200).variables?.product, value)

const cases: Case[] = [
  {
    about: 'lines of a text that both changed',
    ours: ({ guide }) => [write(guide, guideText.replace('two', '<b>OURS</b>'))],
    // Changes that do not conflict stay, whichever side is taken.
    theirs: ({ guide }) => [write(guide, guideText.replace('two', 'THEIRS').replace('five\n', 'five\nsix\n'))],
    shows: [
      /Both sides changed the same lines of its text/,
      /In the change request<\/p>[^]*?<tr class="removed">[^]*?<code>two<[^]*?<tr class="added">[^]*?<code>&lt;b&gt;OURS&lt;\/b&gt;<[^]*?In the main content<\/p>[^]*?<code>two<[^]*?<code>THEIRS</,
      /begin with &lt;&lt;&lt;&lt;&lt;&lt;&lt;/,
    ],
    after: { ours: hasText('<b>OURS</b>'), theirs: hasText('THEIRS') },
  },
  {
    about: 'a title that both changed',
    ours: ({ guide }) => [say(guide, { title: 'Ours' })],
    theirs: ({ guide }) => [say(guide, { title: 'Theirs' })],
    shows: [/Both sides changed its title/, /<dd>Ours<\/dd>[^]*<dd>Theirs<\/dd>[^]*<dt>Before<\/dt>\s*<dd>Guide<\/dd>/],
    after: { ours: hasTitle('Ours'), theirs: hasTitle('Theirs') },
  },
  {
    about: 'a page that it deletes, and main changed',
    ours: ({ other }) => [{ operation: 'delete_page', page: other }],
    theirs: ({ other }) => [say(other, { title: 'Changed' }), write(other, '# Changed\n\nMore words\n')],
    shows: [
      /The change request deletes this page; the main content has changed it/,
      /<del>Other<\/del>\s*<ins>Changed<\/ins>/,
      /<tr class="added">[^]*?<code>More words</,
      /value="ours">Delete the page<[^]*value="theirs">Keep the page</,
    ],
    after: { ours: hasOutline('Welcome Guide Third'), theirs: hasOutline('Welcome Guide Changed Third') },
  },
  {
    about: 'a page that it changes, and main deleted',
    ours: ({ other }) => [say(other, { title: 'Changed' })],
    theirs: ({ other }) => [{ operation: 'delete_page', page: other }],
    shows: [
      /The main content has deleted this page; the change request changes it/,
      /value="ours">Keep the page<[^]*value="theirs">Delete the page</,
    ],
    after: { ours: hasOutline('Welcome Guide Changed Third'), theirs: hasOutline('Welcome Guide Third') },
  },
  {
    about: 'a new page below one that main deleted',
    ours: ({ other }) => [newPage('Below', { into: other })],
    theirs: ({ other }) => [{ operation: 'delete_page', page: other }],
    shows: [
      /has deleted this page; the change request has another one below it/,
      /Delete the page, and the one below it/,
    ],
    after: { ours: hasOutline('Welcome Guide Other (Below) Third'), theirs: hasOutline('Welcome Guide Third') },
  },
  {
    about: 'a page that both moved',
    ours: ({ guide, other }) => [{ operation: 'update_page', page: guide, into: other }],
    theirs: ({ guide }) => [{ operation: 'update_page', page: guide, at: 3 }],
    shows: [/Both sides moved it/, /<dd>Below “Other”<\/dd>[^]*<dd>At the top level, after “Third”<\/dd>/],
    after: { ours: hasOutline('Welcome Other (Guide) Third'), theirs: hasOutline('Welcome Other Third Guide') },
  },
  {
    about: 'a variable that both set',
    ours: () => [{ operation: 'update_variables', variables: { product: 'Cup' } }],
    theirs: () => [{ operation: 'update_variables', variables: { product: 'Mug' } }],
    shows: [/<strong>product<\/strong>/, /<dd>Cup<\/dd>[^]*<dd>Mug<\/dd>/],
    after: { ours: hasVariable('Cup'), theirs: hasVariable('Mug') },
  },
]

for (const { about, ours, theirs, shows, after } of cases) {
  for (const side of ['ours', 'theirs'] as const) {
    test(`a conflict about ${about} is seen, resolved by taking ${side}, and merged`, async () => {
      const scene = await aScene()
      const { author, path, who } = scene
      await change(scene, ours(scene), theirs(scene))
      const coming = await author.get(`${path}/conflicts`)
      assert.match(coming.text, /Update from it first[^]*class="btn primary" ?>\s*Update from the main content/)
      assert.deepEqual(actionsIn(coming), [])
      const whole = await author.get(path)
      assert.match(
        whole.text,
        /<h2>Merge<\/h2>\s*<p class="aside">\s*First, <a href="[^"]+\/conflicts">its conflicts<\/a>/,
      )
      assert.match((await author.submit(whole, `${path}/merge`)).text, /Nothing was merged/)

      const page = await bringIn(scene)
      for (const said of shows) assert.match(page.text, said)
      assert.equal((await conflictsOf(scene)).items[0].state, 'open')
      assert.ok(!(await author.get(path)).text.includes(`action="${path}/update"`), 'there is nothing to bring in')

      const back = await author.follow(await take(scene, page, side))
      assert.match(back.text, /<h1>A change<\/h1>[^]*All conflicts are resolved\. It can be merged now\./)
      assert.deepEqual(await conflictsOf(scene), { count: 0, items: [] })
      const merged = await author.follow(await author.submit(back, `${path}/merge`))
      assert.match(merged.text, /Merged\. It is now part of the main content/)
      assert.equal(expect(await who.get(scene.request.path), 200).status, 'merged')
      await after[side](scene)
    })
  }
}

test('each setting of a page that both sides changed is decided separately, even if one side removed it', async () => {
  const before = { description: 'Before', emoji: '1f4c4', slug: 'before', layout: { outline: false } }
  const ours = { description: 'Ours', emoji: '1f600', slug: 'ours', layout: { outline: true, width: 'wide' } }
  const theirs = { description: '', emoji: '1f601', slug: 'theirs', layout: { outline: true, width: 'default' } }
  const cover = (name: string) => ({ ref: { kind: 'url', url: `https://a.example/${name}.png` } })
  for (const side of ['ours', 'theirs'] as const) {
    const scene = await aScene()
    const { guide, author, who, request, path } = scene
    assert.equal((await scene.space.edit(say(guide, { ...before, cover: cover('before') }))).status, 200)
    expect(await who.post(`${request.path}/update`), 200)
    const variables = { ours: { a: 'ours', b: 'ours', c: 'ours' }, theirs: { a: 'theirs', b: 'theirs', d: 'theirs' } }
    await change(
      scene,
      [say(guide, { ...ours, cover: cover('ours'), variables: variables.ours })],
      [say(guide, { ...theirs, cover: null, variables: variables.theirs })],
    )
    let page = await bringIn(scene)
    const { count, items } = await conflictsOf(scene)
    assert.ok(
      items.some(({ field }: { field: string }) => field === 'variables.a'),
      JSON.stringify(items),
    )
    // Variables are written all at once, so both conflicts are decided at once.
    assert.equal(actionsIn(page).length, count - 1)
    assert.match(page.text, /variable a, variable b|variable b, variable a/)
    while (page.text.includes('<h1>Conflicts')) page = await author.follow(await take(scene, page, side))
    assert.equal((await conflictsOf(scene)).count, 0)
    expect(await who.post(`${request.path}/merge`), 200)

    const kept = expect(await who.get(`${scene.space.path}/content/page/${guide}`), 200)
    const wanted = side === 'ours' ? ours : theirs
    assert.deepEqual([kept.emoji, kept.slug, kept.description ?? ''], [wanted.emoji, wanted.slug, wanted.description])
    assert.equal(kept.cover?.ref.url, side === 'ours' ? 'https://a.example/ours.png' : undefined)
    assert.deepEqual(kept.variables, { ...variables[side], c: 'ours', d: 'theirs' })
    assert.match((await author.get(path)).text, /merged/)
  }
})

test("a page's text conflict is resolved after its title and front matter, whose decisions are kept", async () => {
  const scene = await aScene()
  const { guide, author, path } = scene
  const as = (side: string) =>
    guideText.replace('# Guide', `# ${side}`).replace('two', side).replace('keep: this', `keep: ${side}`)
  await change(scene, [write(guide, as('ours'))], [write(guide, as('theirs'))])
  const page = await bringIn(scene)
  const found = (await conflictsOf(scene)).items as { id: string; field: string }[]
  assert.deepEqual(found.map(({ field }) => field).toSorted(), ['body', 'source', 'title'])
  const actionOf = (field: string) => `${path}/conflicts/${found.find((each) => each.field === field)!.id}`
  assert.deepEqual(actionsIn(page), [actionOf('title')])
  assert.match(page.text, /Decide about its title, front matter first/)

  const titled = await author.follow(await author.submit(page, actionOf('title'), { side: 'theirs' }))
  assert.match(titled.text, /Resolved\./)
  assert.deepEqual(actionsIn(titled), [actionOf('source')])
  const headed = await author.follow(await author.submit(titled, actionOf('source'), { side: 'ours' }))
  assert.deepEqual(actionsIn(headed), [actionOf('body')])
  const done = await author.follow(await author.submit(headed, actionOf('body'), { side: 'theirs' }))
  assert.match(done.text, /It can be merged now/)
  await author.submit(done, `${path}/merge`)
  assert.equal(
    await textOf(scene, guide),
    guideText.replace('this', 'ours').replace('# Guide', '# theirs').replace('two', 'theirs'),
  )
})

test('a text conflict is resolved by hand in the editor only once all its marker lines are gone', async () => {
  const scene = await aScene()
  const { guide, author, path } = scene
  await change(
    scene,
    [write(guide, guideText.replace('two', 'ours'))],
    [write(guide, guideText.replace('two', 'theirs'))],
  )
  const page = await bringIn(scene)
  const editor = `${path}/pages/${guide}`
  assert.ok(page.text.includes(`href="${editor}"`))
  const { id } = (await conflictsOf(scene)).items[0]
  const editing = await author.get(editor)
  const marked = `<<<<<<< change request ${id}\nours\n======= ${id}\ntheirs\n>>>>>>> main ${id}\n`
  assert.ok(editing.text.includes(marked.replaceAll('<', '&lt;').replaceAll('>', '&gt;')), editing.text)
  assert.match(editing.text, /role="status">This text is in conflict/)
  const save = async (text: string) => author.submit(await author.get(editor), editor, { text })

  // One of the three lines is still there, so a person has to decide what the text should be.
  const torn = await author.follow(await save(guideText.replace('two\n', `both\n>>>>>>> main ${id}\n`)))
  assert.match(torn.text, /<h1>Conflicts[^]*Your text is saved, but still in conflict/)
  assert.ok(torn.text.includes(`href="${editor}"`))
  assert.doesNotMatch(torn.text, /name="side"/)
  assert.equal((await take(scene, page, 'ours')).status, 409)

  const whole = await author.follow(await save(guideText.replace('two', 'both')))
  assert.match(whole.text, /It can be merged now/)
  assert.doesNotMatch((await author.get(editor)).text, /in conflict/)
  assert.equal((await conflictsOf(scene)).count, 0)
  await author.submit(whole, `${path}/merge`)
  assert.equal(await textOf(scene, guide), guideText.replace('two', 'both'))
})

test('taking a side of a text conflict keeps edits elsewhere in the text, exactly to the last line break', async () => {
  const scene = await aScene()
  const { guide, author, request, who } = scene
  const text = '# Guide\n\none\ntwo\nthree\nfour'
  assert.equal((await scene.space.edit(write(guide, text))).status, 200)
  expect(await who.post(`${request.path}/update`), 200)
  await change(scene, [write(guide, text.replace('four', 'ours'))], [write(guide, text.replace('four', 'theirs'))])
  await bringIn(scene)
  const now = (await request.page(guide)).markdown as string
  expect(await request.edit(write(guide, now.replace('one', 'ONE'))), 200)
  await take(scene, await author.get(`${scene.path}/conflicts`), 'theirs')
  assert.equal((await request.page(guide)).markdown, '# Guide\n\nONE\ntwo\nthree\ntheirs')
})

test("if two moves form a cycle, only main's move can be taken, until the other page is moved away", async () => {
  const scene = await aScene()
  const { guide, other, author, request } = scene
  const move = (page: string, into: string | null) => ({ operation: 'update_page', page, into })
  await change(scene, [move(guide, other)], [move(other, guide)])
  const page = await bringIn(scene)
  assert.match(page.text, /so that each would be below the other/)
  assert.doesNotMatch(page.text, /value="ours"/)
  const refused = await take(scene, page, 'ours')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /role="alert">This side cannot be used here\. Nothing was changed\./)
  assert.equal(await request.outline(), 'Welcome Guide (Other) Third')

  expect(await request.edit(move(other, null)), 200)
  await take(scene, await author.get(`${scene.path}/conflicts`), 'ours')
  assert.equal((await conflictsOf(scene)).count, 0)
  assert.equal(await request.outline(), 'Welcome Third Other (Guide)')
})

test('conflicts of files and reusable contents can be resolved', async () => {
  for (const side of ['ours', 'theirs'] as const) {
    const scene = await aScene()
    const { space, who, request, author } = scene
    const gif = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
    const made = expect(
      await who.post(`${space.path}/content`, {
        changes: [
          { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'one\ntwo\n' } },
          {
            operation: 'insert_files',
            files: ['a', 'b'].map((name) => ({ name: `${name}.gif`, base64: gif, contentType: 'image/gif' })),
          },
        ],
      }),
      200,
    )
    const piece = made.changes[0].reusableContent as string
    const [first, second] = made.insertedFiles.map(({ id }: { id: string }) => id) as [string, string]
    expect(await who.post(`${request.path}/update`), 200)
    const rewrite = (word: string) => ({
      operation: 'update_reusable_content',
      reusableContent: piece,
      title: word,
      document: { markdown: `one\n${word}\n` },
    })
    const rename = (file: string, name: string) => ({ operation: 'update_file', file, name: `${name}.gif` })
    await change(
      scene,
      [rewrite('ours'), rename(first, 'ours'), { operation: 'delete_file', file: second }],
      [rewrite('theirs'), rename(first, 'theirs'), rename(second, 'kept')],
    )
    let page = await bringIn(scene)
    assert.equal(actionsIn(page).length, 4)
    while (page.text.includes('<h1>Conflicts')) page = await author.follow(await take(scene, page, side))
    expect(await who.post(`${request.path}/merge`), 200)
    const files = expect(await who.get(`${space.path}/content/files`), 200).items.map(({ name }: any) => name)
    assert.deepEqual(files.toSorted(), side === 'ours' ? ['ours.gif'] : ['kept.gif', 'theirs.gif'])
    const kept = expect(await who.get(`${space.path}/content/reusable-contents/${piece}?format=markdown`), 200)
    assert.deepEqual([kept.title, kept.markdown], [side, `one\n${side}\n`])
  }
})

test('resolving a conflict that changed since shown, is resolved or never existed is refused and changes nothing', async () => {
  const scene = await aScene()
  const { guide, author, request, path } = scene
  await change(
    scene,
    [say(guide, { title: 'Ours' }), newPage('Below', { into: scene.other })],
    [say(guide, { title: 'Theirs' }), { operation: 'delete_page', page: scene.other }],
  )
  const page = await bringIn(scene)
  const actions = actionsIn(page)
  assert.equal(actions.length, 2)
  const refuses = async (action: string, side: string, reason: RegExp) => {
    const before = await headOf(scene)
    const refused = await author.submit(page, action, { side })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /role="alert">[^<]*Nothing was changed\./)
    assert.match(refused.text, reason)
    assert.match(refused.text, /<h1>Conflicts with the main content<\/h1>/)
    assert.equal(await headOf(scene), before)
    return refused
  }
  for (const action of actions) await refuses(action, 'nobody', /Choose one of the buttons/)
  // The deletion would take one more page than the user was told.
  expect(await request.edit(newPage('Second below', { into: scene.other })), 200)
  const [deletion, title] =
    page.text.indexOf('Delete the page') < page.text.indexOf('<dd>Ours') ? actions : actions.toReversed()
  assert.match((await refuses(deletion!, 'theirs', /since you opened the page/)).text, /and the 2 below it/)
  expect(await request.edit(write(guide, guideText)), 200)
  await refuses(title!, 'theirs', /has already been resolved/)
  assert.equal((await conflictsOf(scene)).count, 1)

  const { form } = tokenIn(page)
  for (const id of [guide, 'x', '%00', '__proto__']) {
    const before = await headOf(scene)
    const refused = await author.post(`${path}/conflicts/${id}`, { form, side: 'ours', seen: 'x' })
    assert.ok([404, 409].includes(refused.status), `${id} ${refused.status}`)
    assert.equal(await headOf(scene), before)
  }
  expect(await scene.who.patch(request.path, { status: 'archived' }), 200)
  const closed = await author.post(deletion!, { form, side: 'theirs', seen: 'x' })
  assert.match(closed.text, /is archived/)
  assert.equal((await conflictsOf(scene)).count, 1)
  assert.doesNotMatch((await author.get(`${path}/conflicts`)).text, /<form method="post"/)
})

test('a mergeable change request is updated from main, and newer conflicts wait until the open ones are resolved', async () => {
  const scene = await aScene()
  const { guide, other, author, path, request } = scene
  await change(scene, [say(guide, { title: 'Ours' })], [say(other, { title: 'Elsewhere' })])
  const behind = await author.get(path)
  assert.match(behind.text, /The main content has changed since, but this can still be merged/)
  assert.match((await author.get(`${path}/conflicts`)).text, /No conflicts, although/)
  const updated = await author.follow(await author.submit(behind, `${path}/update`))
  assert.match(updated.text, /Updated from the main content\./)
  assert.equal(expect(await scene.who.get(request.path), 200).outdated, false)
  assert.ok(!updated.text.includes(`action="${path}/update"`))
  assert.equal((await author.submit(behind, `${path}/update`)).location, `${path}?done=updated`)

  assert.equal((await scene.space.edit(say(guide, { title: 'Theirs' }))).status, 200)
  await bringIn(scene)
  await change(scene, [say(other, { title: 'Ours, too' })], [say(other, { title: 'Theirs, too' })])
  const both = await author.get(`${path}/conflicts`)
  assert.equal(actionsIn(both).length, 1)
  assert.match(both.text, /changed again[^]*<dd>Ours, too<\/dd>/)
  assert.ok(!both.text.includes(`action="${path}/update"`))
  const left = await author.follow(await take(scene, both, 'theirs'))
  assert.match(left.text, /Update from it first/)
  const next = await author.follow(await author.submit(left, `${path}/update`))
  assert.match((await author.follow(await take(scene, next, 'ours'))).text, /It can be merged now/)
})

test('with very many conflicts only some are shown, with the number of the rest, which appear as these are resolved', async () => {
  const scene = await aScene()
  const { space, who, request, author, path } = scene
  const some = (from: number) => Array.from({ length: 30 }, (_, at) => newPage(`Page ${from + at}`))
  const ids: string[] = []
  for (const from of [0, 30]) ids.push(...idsOf(await who.post(`${space.path}/content`, { changes: some(from) })))
  expect(await who.post(`${request.path}/update`), 200)
  for (const part of [ids.slice(0, 30), ids.slice(30)])
    await change(
      scene,
      part.map((id) => say(id, { title: 'Ours' })),
      part.map((id) => say(id, { title: 'Theirs' })),
    )
  let page = await bringIn(scene)
  assert.equal(actionsIn(page).length, 50)
  assert.match(page.text, /And 10 more, which appear when these are resolved/)
  page = await author.follow(await take(scene, page, 'ours'))
  assert.match(page.text, /And 9 more/)
  assert.match((await author.get(path)).text, /59 conflicts with the main content/)
})

test('a member who may not edit sees conflicts but cannot resolve them, and outsiders learn nothing', async () => {
  const scene = await aScene()
  const { guide, site, path, author } = scene
  await change(scene, [say(guide, { title: 'Ours <i>' })], [say(guide, { title: 'Theirs' })])
  const reader = await signedIn(app, await site.org.member('comment'))
  const outdated = await reader.get(path)
  assert.match(outdated.text, /See conflicts/)
  assert.ok(!outdated.text.includes(`${path}/update`))
  const { form } = tokenIn(outdated)
  const before = await headOf(scene)
  assert.equal((await reader.post(`${path}/update`, { form })).status, 403)
  assert.equal(await headOf(scene), before)

  const own = await bringIn(scene)
  const [action] = actionsIn(own)
  const seen = await reader.get(`${path}/conflicts`)
  assert.match(seen.text, /<dd>Ours &lt;i&gt;<\/dd>[^]*<dd>Theirs<\/dd>/)
  assert.match(seen.text, /Somebody who can edit this space must resolve these/)
  assert.doesNotMatch(seen.text, /<form method="post"/)
  const open = await headOf(scene)
  const state = /name="seen" value="([^"]+)"/.exec(own.text)![1]!
  assert.equal((await reader.post(action!, { form, side: 'ours', seen: state })).status, 403)
  for (const sent of [`${path}/update`, action!]) {
    assert.equal((await author.post(sent, { side: 'ours', seen: state })).status, 403)
    const foreign = { ...tokenIn(own), side: 'ours', seen: state }
    assert.equal((await author.post(sent, foreign, { origin: 'https://evil.example' })).status, 403)
  }
  assert.equal(await headOf(scene), open)

  const nobody = new Person(app)
  const stranger = await signedIn(app, await aStranger(app))
  assert.equal((await nobody.get(`${path}/conflicts`)).location, pathWith('/login', { next: `${path}/conflicts` }))
  const hidden = await stranger.get(`${path}/conflicts`)
  assert.deepEqual([hidden.status, hidden.text], [404, (await stranger.get('/app/x')).text])
})
