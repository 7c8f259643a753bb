// Pages are copied, within their space and into others, in a browser without scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { grant } from '../../../test/content.ts'
import { type EditedSpace, aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { png } from '../../../test/every-content.ts'
import { anOrganization } from '../../../test/factories.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { type Person, tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { assertSound } from '../../doctor/testing/sound.ts'
import { mostCopied } from '../../editing/copying/copy-pages.ts'
import { petstore } from '../../openapi/testing/petstore.ts'
import { putSpec } from '../../openapi/testing/specs.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

const page = (title: string, text: string, more: object = {}) => ({
  operation: 'insert_page',
  document: { markdown: `# ${title}\n\n${text}\n` },
  ...more,
})

/**
 * Creates Guide, with Setup, a group, a link and an API reference below it, and Other beside it. The texts link to each
 * other, show a picture, include a note with the same picture, and use a variable.
 */
async function aGuide() {
  const space = await aLiveSpace(app)
  await putSpec(space.who, space.org.id, 'shop', { text: JSON.stringify(petstore) })
  await space.edit(
    { operation: 'insert_files', files: [{ name: 'a.png', base64: png, contentType: 'image/png', ref: 'pic' }] },
    { operation: 'update_variables', variables: { version: '1.0', unused: 'x' } },
    {
      operation: 'insert_reusable_content',
      title: 'Note',
      ref: 'note',
      document: { markdown: 'Mind ![it](./pic), see [other](./other.md), {{ space.vars.version }}.\n' },
    },
    page('Guide', '[setup](guide/first-steps.md#first) [other](other.md) [gone](nowhere.md) ![p](./pic)\n\n{% include "./note" %}', {
      ref: 'guide',
      metadata: { icon: 'book', cover: { ref: { kind: 'file', file: 'pic' } } },
    }),
    page('Setup', '[up](../guide.md) {{ space.vars.version }}\n\n## First\n\n{% if visitor.claims.pro %}\nSecret\n{% endif %}', {
      ref: 'setup',
      into: 'guide',
      metadata: { slug: 'first-steps' },
    }),
    { operation: 'insert_page', type: 'group', into: 'guide', metadata: { title: 'Parts', hidden: true }, ref: 'parts' },
    page('Other', 'Text', { ref: 'other' }),
    { operation: 'insert_page', type: 'link', into: 'parts', metadata: { title: 'To setup' }, target: { kind: 'page', page: 'setup' } },
    page('Inner', 'Text', { into: 'parts' }),
    { operation: 'insert_page', type: 'computed', into: 'guide', metadata: { title: 'API' }, computed: { type: 'builtin:openapi', dependencies: { spec: { ref: { kind: 'openapi', spec: 'shop' } } } } },
  ) // prettier-ignore
  const ids = await idsAt(space, space.path)
  return { space, ids, home: homeOf(space) }
}

const homeOf = (space: EditedSpace) => `/app/o/${space.org.id}/s/${space.id}`

async function idsAt({ who }: EditedSpace, path: string): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  const walk = (pages: any[]): void =>
    pages.forEach(({ id, title, pages: below = [] }) => {
      ids[title] = id
      walk(below)
    })
  walk(expect(await who.get(`${path}/content?computed=false`), 200).pages)
  return ids
}

/** The outline, without the pages that are generated from a specification. */
const outlineAt = async ({ who }: EditedSpace, path: string): Promise<string> => {
  const named = (pages: any[]): string =>
    pages.map(({ title, pages = [] }) => (pages.length > 0 ? `${title} (${named(pages)})` : title)).join(' ')
  return named(expect(await who.get(`${path}/content?computed=false`), 200).pages)
}

const textAt = async ({ who }: EditedSpace, path: string, id: string): Promise<string> =>
  expect(await who.get(`${path}/content/page/${id}?format=markdown`), 200).markdown

async function copy(who: Person, address: string, fields: Record<string, string>) {
  return who.submit(await who.get(`${address}?to=${fields['to'] ?? ''}`), address, fields)
}

test('a page is copied with all below it: links between the copies lead to the copies, and other links stay', async () => {
  const { space, ids, home } = await aGuide()
  const author = await signedIn(app, await space.org.member('edit'))
  const request = await space.changeRequest()
  const address = `${home}/~/changes/1/pages/${ids.Guide}/copy`
  assert.ok((await author.get(`${home}/~/changes/1`)).text.includes(`href="${address}"`))
  const opened = await author.get(address)
  assert.match(opened.text, /<h1>Copy “Guide”<\/h1>[^]*value="1"\s+selected[^]*With the 5 pages below it/)
  const before = expect(await space.who.get(request.path), 200)
  const done = await author.submit(opened, address, { to: space.id, change: '1', below: '', whole: 'on' })
  assert.equal(done.location, `${home}/~/changes/1?done=copied`)
  // A second click on the same button.
  await author.submit(opened, address, { to: space.id, change: '1', below: '', whole: 'on' })
  const said = await author.follow(done)
  assert.match(said.text, /Page copied\.[^]*New page<\/span>\s*<strong>Guide \(copy\)</)

  const parts = 'Setup Parts (To setup Inner) API'
  assert.equal(await outlineAt(space, request.path), `Guide (${parts}) Guide (copy) (${parts}) Other`)
  const { pages } = expect(await space.who.get(`${request.path}/content?computed=false`), 200)
  const [guide, made] = pages
  const [setup, group] = made.pages
  assert.deepEqual([made.slug, made.path, setup.path], ['guide-copy', 'guide-copy', 'guide-copy/first-steps'])
  assert.deepEqual([made.icon, made.cover.ref.file, group.hidden], ['book', guide.cover.ref.file, true])
  assert.deepEqual(group.pages[0].target, { kind: 'page', page: setup.id })
  const [text, below] = [await textAt(space, request.path, made.id), await textAt(space, request.path, setup.id)]
  const links = await linksOf(space, `${request.path}/content/page/${made.id}`)
  assert.deepEqual(links, [
    'a.png ok',
    'guide-copy/first-steps#first ok',
    'other ok',
    'nowhere.md broken',
    'a.png ok',
    'Note ok',
  ])
  assert.match(text, /^# Guide \(copy\)$/m)
  assert.deepEqual(await linksOf(space, `${request.path}/content/page/${setup.id}`), ['guide-copy ok'])
  assert.match(below, /\{% if visitor\.claims\.pro %\}\s*Secret/)
  // The original is unchanged.
  assert.equal(await textAt(space, request.path, guide.id), await textAt(space, space.path, guide.id))
  const { files, reusableContents } = expect(await space.who.get(`${request.path}/content`), 200)
  assert.deepEqual([files.length, reusableContents.length], [1, 1])
  const after = expect(await space.who.get(request.path), 200)
  assert.notEqual(before.revision, after.revision)
  const { rows } = await changesRecorded(space)
  assert.deepEqual(rows, ['change-request.created', 'change-request.content-updated'])
  await assertSound(app.db)
})

test('in a copy elsewhere, a link that was written before its page existed still leads there', async () => {
  const space = await aLiveSpace(app)
  const [original, folder] = idsOf(await space.edit(page('First', '[to](later.md)'), page('Folder', 'Text')))
  await space.edit(page('Later', 'Text'))
  const request = await space.changeRequest()
  const author = await signedIn(app, await space.org.member('edit'))
  const address = `${homeOf(space)}/~/changes/1/pages/${original}/copy`
  const done = await copy(author, address, { to: space.id, change: '1', below: folder! })
  assert.match(done.location!, /done=copied$/)
  const [, { pages: copies }] = expect(await space.who.get(`${request.path}/content`), 200).pages
  assert.deepEqual(await linksOf(space, `${request.path}/content/page/${copies[0].id}`), ['later ok'])
})

/** What the links of a page lead to, and whether the target exists. */
async function linksOf({ who }: EditedSpace, path: string): Promise<string[]> {
  const { items } = expect(await who.get(`${path}/links`), 200)
  return items.map(({ status, targetReference: to }: any) => {
    const anchor = to.internalLocation ? `#${to.internalLocation.anchor}` : ''
    return `${to.page?.path ?? to.file?.name ?? to.reusableContent?.title ?? to.url}${anchor} ${status}`
  })
}

async function changesRecorded({ org }: EditedSpace) {
  const rows = await app.db.all(sql<{ action: string }>`
    select action from changes where organization_id = ${org.id} and action like 'change-request.%' order by id`)
  return { rows: rows.map(({ action }) => action) }
}

test('copying into another space brings what the texts need, once, and links to the first space still lead there', async () => {
  const { space, ids, home } = await aGuide()
  const other = await aLiveSpace(app, space.org)
  await other.edit(newPage('Guide'))
  const blobs = () => app.db.all(sql`select hash from blobs where organization_id = ${space.org.id}`)
  const before = await blobs()
  const author = await signedIn(app, await space.org.member('edit'))
  const address = `${home}/~/pages/${ids.Guide}/copy`
  assert.ok((await author.get(`${home}/guide`)).text.includes(`href="${address}"`))
  const opened = await author.get(`${address}?to=${other.id}`)
  assert.match(opened.text, /<option value="">A new one<\/option>[^]*None \(top level\)[^]*Guide\s*<\/option>/)
  const done = await author.submit(opened, address, { to: other.id, change: '', below: '', whole: 'on' })
  assert.equal(done.location, `${homeOf(other)}/~/changes/1?done=copied`)
  assert.match((await author.follow(done)).text, /Copy Guide[^]*Page copied\./)

  const at = `${other.path}/change-requests/1`
  assert.equal(await outlineAt(other, at), 'Guide Guide (Setup Parts (To setup Inner) API)')
  const { pages, files, reusableContents, variables } = expect(await other.who.get(`${at}/content?computed=false`), 200)
  const made = pages[1]
  assert.deepEqual([made.slug, made.pages[0].slug], ['guide-1', 'first-steps'])
  assert.deepEqual(variables, { version: '1.0' })
  assert.deepEqual([files.length, reusableContents.length], [1, 1])
  assert.notEqual(files[0].id, ids.Guide)
  assert.equal(made.cover.ref.file, files[0].id)
  assert.deepEqual(await blobs(), before)
  const own = `${at}/content/page/${made.id}`
  assert.deepEqual(await linksOf(other, own), [
    'a.png ok',
    'guide-1/first-steps#first ok',
    'other ok',
    'nowhere.md broken',
    'a.png ok',
    'Note ok',
  ])
  const there = `http://lectern.test/app/o/${space.org.id}/s/${space.id}/other`
  assert.ok((await textAt(other, at, made.id)).includes(`[other](${there})`))
  const note = expect(
    await other.who.get(`${at}/content/reusable-contents/${reusableContents[0].id}?format=markdown`),
    200,
  )
  assert.equal(note.markdown, `Mind ![it](/files/${files[0].id}), see [other](${there}), {{ space.vars.version }}.\n`)
  const downloaded = await app.app.inject({
    url: new URL(files[0].downloadURL).pathname + new URL(files[0].downloadURL).search,
  })
  assert.deepEqual([downloaded.statusCode, downloaded.rawPayload.toString('base64')], [200, png])

  // Copied again into the same change request: files and reusable contents are already there.
  const again = await copy(author, address, { to: other.id, change: '1', below: made.id })
  assert.equal(again.location, done.location)
  const now = expect(await other.who.get(`${at}/content?computed=false`), 200)
  assert.deepEqual([now.files.length, now.reusableContents.length], [1, 1])
  assert.equal(await outlineAt(other, at), 'Guide Guide (Setup Parts (To setup Inner) API Guide)')
  // A copy without its subpages links to the originals of the pages that were not copied.
  const alone = now.pages[1].pages.at(-1)
  assert.ok(
    (await textAt(other, at, alone.id)).includes(`[setup](${there.replace('other', 'guide/first-steps')}#first)`),
  )
  await assertSound(app.db)
})

test('a copy says what does not come along: variables with another value there, and targets the user may not see', async () => {
  const { space, ids, home } = await aGuide()
  const other = await aLiveSpace(app, space.org)
  const hidden = await aLiveSpace(app, space.org)
  await other.edit({ operation: 'update_variables', variables: { version: '2.0' } })
  await space.edit({ operation: 'insert_page', type: 'link', into: ids.Guide, metadata: { title: 'Away' }, target: { kind: 'space', space: hidden.id } }) // prettier-ignore
  const leading = (title: string, to: string | undefined) =>
    ({ operation: 'insert_page', type: 'link', into: ids.Guide, metadata: { title }, target: { kind: 'page', page: to } }) // prettier-ignore
  const sum = page('Sum', '[api](/guide/api.md) [s](/guide/to-api.md)\n\n{% include "/other.md" %}', {
    into: ids.Guide,
  })
  await space.edit(sum, leading('To API', ids.API), leading('To a link', ids['To setup']))
  const guest = await space.org.member(null)
  await grant(space.who, { object: 'space', id: space.id }, { users: [guest.id] }, 'read')
  await grant(other.who, { object: 'space', id: other.id }, { users: [guest.id] }, 'edit')
  const visitor = await signedIn(app, guest)
  const address = `${home}/~/pages/${ids.Guide}/copy`
  const opened = await visitor.get(address)
  // The user may write in one space only, so there is no space to choose.
  assert.doesNotMatch(opened.text, /Target space/)
  assert.match(opened.text, new RegExp(`name="to" value="${other.id}"`))
  const done = await visitor.submit(opened, address, { to: other.id, change: '', below: '', whole: 'on' })
  assert.equal(done.status, 200)
  for (const said of [
    '“Away” was not copied: its target does not exist, or you may not see it.',
    '“API” was not copied: you may not see its source.',
    '“Other” is included, and stays in ',
    'The variable “version” is “2.0” there, and “1.0” in ',
  ])
    assert.ok(done.text.includes(said), said)
  const at = `${other.path}/change-requests/1`
  assert.ok(done.text.includes(`href="${homeOf(other)}/~/changes/1"`))
  assert.equal(await outlineAt(other, at), 'Guide (Setup Parts (To setup Inner) Sum To API To a link)')
  const { variables, pages } = expect(await other.who.get(`${at}/content`), 200)
  assert.deepEqual(variables, { version: '2.0' })
  // Links to what was not copied lead to the original.
  const [, , Sum, toApi, toLink] = pages[0].pages
  const text = await textAt(other, at, Sum.id)
  assert.ok(text.includes(`[api](http://lectern.test${home}/guide/api) [s](/pages/${toApi.id})`), text)
  assert.deepEqual(toApi.target, { kind: 'page', page: ids.API, space: space.id })
  assert.deepEqual(toLink.target, { kind: 'page', page: ids['To setup'], space: space.id })
})

test('copying between change requests of one space brings along what only the first one has', async () => {
  const { space, ids, home } = await aGuide()
  const [first, second] = [await space.changeRequest(), await space.changeRequest()]
  const made = await first.edit(
    { operation: 'insert_files', files: [{ name: 'b.png', base64: png, contentType: 'image/png', ref: 'pic' }] },
    { operation: 'insert_reusable_content', title: 'Draft', ref: 'draft', document: { markdown: 'Draft\n' } },
    { operation: 'update_variables', variables: { fresh: '3' } },
    page('New', '![p](./pic) {{ space.vars.fresh }} [o](/other.md)\n\n{% include "./draft" %}', { ref: 'new' }),
  )
  const { id } = expect(made, 200).changes.find(({ ref }: any) => ref === 'new').page
  const author = await signedIn(app, await space.org.member('edit'))
  const address = `${home}/~/changes/1/pages/${id}/copy`
  const done = await copy(author, address, { to: space.id, change: '2', below: ids.Guide! })
  assert.equal(done.location, `${home}/~/changes/2?done=copied`)
  const { pages, files, variables } = expect(await space.who.get(`${second.path}/content?computed=false`), 200)
  const there = pages[0].pages.at(-1)
  assert.deepEqual([there.path, files.length, variables.fresh], ['guide/new-copy', 2, '3'])
  const at = `${second.path}/content/page/${there.id}`
  assert.deepEqual(await linksOf(space, at), ['b.png ok', 'other ok', 'Draft ok'])
  for (const each of [second, first]) expect(await space.who.post(`${each.path}/merge`), 200)
  await assertSound(app.db)
})

/** Sends a form with the user's token, whatever page the token came from. */
async function sendTo(who: Person, from: string, address: string, fields: Record<string, string>) {
  const { form } = tokenIn(await who.get(from))
  return who.post(address, { form, ...fields })
}

test('copying requires read access to the source and write access to the target, and otherwise creates nothing', async () => {
  const { space, ids, home } = await aGuide()
  const other = await aLiveSpace(app, space.org)
  const foreign = await aLiveSpace(app)
  await space.changeRequest()
  const merged = await other.changeRequest()
  await merged.edit(newPage('Merged'))
  expect(await other.who.post(`${merged.path}/merge`), 200)
  const guest = await space.org.member(null)
  await grant(other.who, { object: 'space', id: other.id }, { users: [guest.id] }, 'edit')
  const stranger = await signedIn(app, guest)
  const reader = await signedIn(app, await space.org.member('read'))
  const author = await signedIn(app, await space.org.member('edit'))
  const [inMain, inChange] = [`${home}/~/pages/${ids.Guide}/copy`, `${home}/~/changes/1/pages/${ids.Guide}/copy`]
  const form = await author.get(`${inMain}?to=${other.id}`)
  for (const address of [inMain, inChange]) {
    assert.equal((await stranger.get(address)).status, 404)
    assert.equal((await sendTo(stranger, homeOf(other), address, { to: other.id })).status, 404)
    assert.match((await reader.get(address)).text, /There is no space you can write in/)
    const read = await sendTo(reader, '/account', address, { to: other.id })
    assert.deepEqual([read.status, read.text.includes('role="alert"')], [403, true])
  }
  assert.equal((await author.get(`${home}/~/pages/${other.id}/copy`)).status, 404)
  for (const [fields, status, reason] of [
    [{ to: foreign.id }, 404, 'There is no such space'],
    [{ to: 'x' }, 404, 'There is no such space'],
    [{ to: other.id, change: '1' }, 409, 'is merged'],
    [{ to: other.id, change: '../1' }, 404, 'There is no such change request'],
    [{ to: other.id, below: ids.Guide! }, 400, 'no longer exists'],
  ] as const) {
    const refused = await author.submit(form, inMain, fields)
    assert.equal(refused.status, status, refused.text)
    assert.match(refused.text, new RegExp(`role="alert">[^<]*${reason}`))
  }
  assert.equal(expect(await other.who.get(`${other.path}/change-requests?status=draft`), 200).count, 0)
  assert.equal(await outlineAt(other, other.path), 'Merged')
})

test('copying more pages than the limit is refused with their number, and creates nothing', async () => {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const [root] = idsOf(await space.edit(newPage('Root')))
  const below = (count: number) => Array.from({ length: count }, (_, at) => newPage(`P${at}`, { into: root }))
  for (let left = mostCopied; left > 0; left -= 50) expect(await space.edit(...below(Math.min(left, 50))), 200)
  const author = await signedIn(app, await org.member('edit'))
  const address = `${homeOf(space)}/~/pages/${root}/copy`
  const refused = await copy(author, address, { to: space.id, whole: 'on' })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /role="alert">At most 200 pages can be copied at once, and these are 201/)
  assert.equal(expect(await space.who.get(`${space.path}/change-requests`), 200).count, 0)
  const { id } = expect(await space.who.get(`${space.path}/content`), 200).pages[0].pages[0]
  await space.edit({ operation: 'delete_page', page: id })
  assert.ok((await copy(author, address, { to: space.id, whole: 'on' })).location)
  const copied = expect(await space.who.get(`${space.path}/change-requests/1/content`), 200).pages[1]
  assert.deepEqual([copied.title, copied.pages.length], ['Root (copy)', mostCopied - 1])
  assert.deepEqual(copied.pages.map(({ slug }: any) => slug).slice(0, 2), ['p1', 'p2'])
})

test('copying more text than the limit is refused, and creates nothing', async () => {
  const space = await aLiveSpace(app)
  const [root] = idsOf(await space.edit(newPage('Root')))
  const long = 'word '.repeat(180_000)
  for (let at = 0; at < 5; at++) expect(await space.edit(page(`P${at}`, long, { into: root })), 200)
  const author = await signedIn(app, await space.org.member('edit'))
  const refused = await copy(author, `${homeOf(space)}/~/pages/${root}/copy`, { to: space.id, whole: 'on' })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /role="alert">At most 4 MB of text can be copied at once/)
  assert.equal(expect(await space.who.get(`${space.path}/change-requests`), 200).count, 0)
})

test('on a site with both spaces, a copied link leads readers to the page that was not copied', async () => {
  const link = { operation: 'insert_page', document: { markdown: '# From\n\n[lead on](deep/here.md)\n' } }
  const pages = [link, newPage('Deep', { ref: 'd' }), newPage('Here', { into: 'd' })]
  const site = await aSite(app, { pages })
  const other = await aLiveSpace(app, site.org)
  const { path } = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: other.id }), 201)
  const { From: from } = await idsAt(other, site.space.path)
  const author = await signedIn(app, site.org.admin)
  await copy(author, `/app/o/${site.org.id}/s/${site.space.id}/~/pages/${from}/copy`, { to: other.id })
  expect(await other.who.post(`${other.path}/change-requests/1/merge`), 200)
  const read = await (await fetch(`${app.url}${site.address}${path}/`)).text()
  assert.match(read, new RegExp(`<a href="${site.address}deep/here">lead on</a>`))
})

test('a new page starts from a template or from any page of its space, with the given title', async () => {
  const { space, ids, home } = await aGuide()
  const templates = await aLiveSpace(app, space.org)
  await templates.who.patch(templates.path, { title: 'Templates' })
  await templates.edit(
    {
      operation: 'insert_files',
      files: [{ name: 'logo.png', base64: png, contentType: 'image/png', ref: 'logo' }],
    },
    page('Decision', '![l](./logo)\n\n## Why\n\nBecause', { metadata: { icon: 'gavel', slug: 'decision-template' } }),
    { operation: 'insert_page', type: 'group', metadata: { title: 'More' } },
  )
  const [decision] = Object.values(await idsAt(templates, templates.path))
  const member = await space.org.member('edit')
  const author = await signedIn(app, member)
  const request = await space.changeRequest()
  const path = `${home}/~/changes/1`
  const form = await author.get(`${path}/pages/new`)
  const start = `${templates.id}/${decision}`
  assert.match(
    form.text,
    new RegExp(
      `An empty page[^]*<optgroup label="Templates">\\s*<option value="${start}"[^]*<optgroup label="This space">`,
    ),
  )
  assert.doesNotMatch(form.text, />\s*More\s*</)
  const added = await author.submit(form, `${path}/pages`, {
    title: 'Use tea',
    kind: 'document',
    below: ids.Parts!,
    start,
  })
  const made = added.location!.split('/').at(-1)!
  assert.equal(added.location, `${path}/pages/${made}`)
  const text = await textAt(space, request.path, made)
  assert.match(text, /icon: gavel[^]*# Use tea\n\n!\[l\]\(\/files\/[0-9a-f-]{36}\)\n\n## Why\n\nBecause/)
  const { slug } = expect(await space.who.get(`${request.path}/content/page/${made}`), 200)
  assert.equal(slug, 'use-tea')
  assert.match(await outlineAt(space, request.path), /Parts \(To setup Inner Use tea\)/)
  const own = await author.submit(form, `${path}/pages`, { title: 'Second', kind: 'document', below: '', start: `${space.id}/${ids.Setup}` }) // prettier-ignore
  assert.match((await author.follow(own)).text, /<h1>Second<\/h1>[^]*Secret/)

  const now = await outlineAt(space, request.path)
  for (const [fields, status, reason] of [
    [{ kind: 'group', start }, 409, 'Only a page can start from another page'],
    [{ kind: 'document', start: `${templates.id}/${ids.Guide}` }, 404, 'There is no such page'],
    [{ kind: 'document', start: 'x' }, 404, 'There is no such space'],
  ] as const) {
    const refused = await author.submit(form, `${path}/pages`, { title: 'Kept', below: '', ...fields })
    assert.equal(refused.status, status, refused.text)
    assert.match(refused.text, new RegExp(`role="alert">[^<]*${reason}[^]*name="title" value="Kept"`))
  }
  // A user who may not read the templates is offered none.
  const guest = await space.org.member(null)
  await grant(space.who, { object: 'space', id: space.id }, { users: [guest.id] }, 'edit')
  const visitor = await signedIn(app, guest)
  const theirs = await visitor.get(`${path}/pages/new`)
  assert.doesNotMatch(theirs.text, /Templates/)
  const tried = await visitor.submit(theirs, `${path}/pages`, { title: 'Kept', kind: 'document', below: '', start })
  assert.equal(tried.status, 404)
  assert.equal(await outlineAt(space, request.path), now)
})

test('in a very large space a copy is offered beside its original, wherever that is', async () => {
  const space = await aLiveSpace(app)
  const group = (title: string) => ({ operation: 'insert_page', type: 'group', metadata: { title } })
  for (let count = 0; count < 2000; count += 50)
    expect(await space.edit(...Array.from({ length: 50 }, (_, at) => group(`Group ${count + at}`))), 200)
  const [last, inner] = idsOf(
    await space.edit({ ...group('Last'), ref: 'last' }, page('Inner', 'Text', { into: 'last' })),
  )
  const author = await signedIn(app, space.org.admin)
  const { text } = await author.get(`${homeOf(space)}/~/pages/${inner}/copy`)
  assert.match(text, new RegExp(`<option value="${last}"\\s+selected`))
})
