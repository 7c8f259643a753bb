// Pages that are only links, and links to addresses of this installation: readers get to the corresponding place on the
// site.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { newId } from '../ids.ts'
import { type TestSite, aSite, expect } from '../../test/visitor.ts'

const app = await startApp()

/** A site with two spaces. A third one of the organization is not in it. */
async function aSiteOfTwo() {
  const site = await aSite(app)
  const other = await aLiveSpace(app, site.org)
  const [, page] = idsOf(await other.edit(newPage('Front'), newPage('Inside')))
  expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: other.id }), 201)
  const { path } = (await site.who.get(`${site.path}/site-spaces?default=false`)).body.items[0]
  const unseen = await aLiveSpace(app, site.org)
  const [secret] = idsOf(await unseen.edit(newPage('Elsewhere')))
  return {
    site,
    other: { ...other, page: page! },
    unseen: { ...unseen, page: secret! },
    address: `${site.address}${path}/`,
  }
}

const linkPage = (title: string, target: object) => ({
  operation: 'insert_page',
  type: 'link',
  metadata: { title },
  target,
})

/** Returns a function that finds where the menu entry with a title leads; undefined if there is none. */
async function menuOf(site: TestSite): Promise<(title: string) => string | undefined> {
  const { text } = await site.browser().get(site.address)
  return (title) => new RegExp(`<a href="([^"]*)"[^>]*>${title}<`).exec(text)?.[1]
}

test('a link page is in the menu with its target, and is left out if the target is not shown', async () => {
  const { site, other, unseen, address } = await aSiteOfTwo()
  const file = { name: 'plan.txt', base64: btoa('x'), contentType: 'text/plain', ref: 'plan' }
  const hidden = newPage('Secret', { ref: 'secret', metadata: { condition: 'visitor.claims.staff' } })
  const made = await site.space.edit(
    { operation: 'insert_files', files: [file] },
    newPage('Target', { ref: 'target', document: { markdown: '# Target\n\n## Part\n' } }),
    hidden,
    linkPage('To a page', { kind: 'page', page: 'target' }),
    linkPage('To a part', { kind: 'anchor', page: 'target', anchor: 'part' }),
    linkPage('To a file', { kind: 'file', file: 'plan' }),
    linkPage('To a space', { kind: 'space', space: other.id }),
    linkPage('To its page', { kind: 'page', space: other.id, page: other.page }),
    linkPage('To its part', { kind: 'anchor', space: other.id, page: other.page, anchor: 'text' }),
    linkPage('To the web', { kind: 'url', url: 'https://web.example/' }),
    linkPage('To a secret', { kind: 'page', page: 'secret' }),
    linkPage('To what is not here', { kind: 'space', space: unseen.id }),
    linkPage('To nothing here', { kind: 'page', space: unseen.id, page: unseen.page }),
  )
  const [{ id: fileId }] = expect(made, 200).insertedFiles
  const menu = await menuOf(site)
  assert.deepEqual(['To a page', 'To a part', 'To a space', 'To its page', 'To its part', 'To the web'].map(menu), [
    `${site.address}target`,
    `${site.address}target#part`,
    address,
    `${address}inside`,
    `${address}inside#text`,
    'https://web.example/',
  ])
  assert.match(menu('To a file')!, new RegExp(`^${site.address}~/files/${fileId}/[\\w-]{12}/plan\\.txt$`))
  assert.equal((await site.browser().get(menu('To a file')!)).text, 'x')
  assert.deepEqual(['To a secret', 'To what is not here', 'To nothing here'].map(menu), [
    undefined,
    undefined,
    undefined,
  ])
})

test('an app address in a text becomes a link to the page on the site, if the site shows it', async () => {
  const { site, other, unseen, address } = await aSiteOfTwo()
  const appAddress = async (space: { path: string }, page: string) =>
    (await site.who.get(`${space.path}/content/page/${page}`)).body.urls.app as string
  const hidden = newPage('Secret', { metadata: { condition: 'visitor.claims.staff' } })
  const [own, secret] = idsOf(await site.space.edit(newPage('Own'), hidden))
  const urls = {
    own: await appAddress(site.space, own!),
    other: await appAddress(other, other.page),
    unseen: await appAddress(unseen, unseen.page),
    secret: await appAddress(site.space, secret!),
  }
  const markdown = Object.entries(urls).map(([name, url]) => `[${name}](${url}#part)`)
  await site.space.edit(newPage('Text', { document: { markdown: `# Text\n\n${markdown.join(' ')}\n` } }))
  const { text } = await site.browser().get(`${site.address}text`)
  const led = (name: string) => new RegExp(`<a href="([^"]*)"[^>]*>${name}</a>`).exec(text)?.[1]
  assert.deepEqual(
    [led('own'), led('other'), led('unseen'), led('secret')],
    [`${site.address}own#part`, `${address}inside#part`, `${urls.unseen}#part`, undefined],
  )
  assert.ok(!text.includes(urls.secret), 'what is hidden is nowhere')
})

test('a link by the ids of a space and page leads to where the site shows it, or nowhere if it does not', async () => {
  const { site, other, unseen, address } = await aSiteOfTwo()
  const [own] = idsOf(await site.space.edit(newPage('Own')))
  const links = {
    own: `/spaces/${site.space.id}/pages/${own}`,
    other: `/spaces/${other.id}/pages/${other.page}#part`,
    whole: `/spaces/${other.id}`,
    gone: `/spaces/${other.id}/pages/${newId()}`,
    unseen: `/spaces/${unseen.id}/pages/${unseen.page}`,
  }
  const named = Object.entries(links).map(([name, url]) => `[${name}](${url})`)
  const markdown = `# Text\n\n${named.join(' ')}\n\n{% content-ref url="/spaces/${other.id}/pages/${other.page}" %}\n[x](x)\n{% endcontent-ref %}\n`
  await site.space.edit(newPage('Text', { document: { markdown } }))
  const { text } = await site.browser().get(`${site.address}text`)
  const led = (name: string) => new RegExp(`<a href="([^"]*)"[^>]*>${name}</a>`).exec(text)?.[1]
  assert.deepEqual(Object.keys(links).map(led), [
    `${site.address}own`,
    `${address}inside#part`,
    address,
    undefined,
    undefined,
  ])
  assert.match(text, new RegExp(`<a[^>]* href="${address}inside"[^>]*>[^]*?Inside`), 'the card has the title')
  const machine = (await site.browser().get(`${site.address}text.md`)).text
  assert.ok(machine.includes(`[other](${address}inside.md#part) [whole](${address}) [gone](#) [unseen](#)`), machine)
})

test('a file linked by its signed address is served by the site instead', async () => {
  const site = await aSite(app)
  const files = [{ name: 'plan.txt', base64: btoa('x'), contentType: 'text/plain' }]
  const [file] = expect(await site.space.edit({ operation: 'insert_files', files }), 200).insertedFiles
  const markdown = `# Text\n\n![](${file.downloadURL}) [file](${file.downloadURL})\n`
  await site.space.edit(newPage('Text', { document: { markdown } }))
  const { items } = expect(await site.who.get(`${site.space.path}/links`), 200)
  assert.deepEqual(
    items.map(({ status, targetReference }: any) => [status, targetReference.kind]),
    [
      ['ok', 'file'],
      ['ok', 'file'],
    ],
  )
  const { text } = await site.browser().get(`${site.address}text`)
  const own = new RegExp(`^${site.address}~/files/${file.id}/[\\w-]{12}/plan\\.txt$`)
  assert.match(/<img[^>]* src="([^"]*)"/.exec(text)![1]!, own)
  assert.match(/<a href="([^"]*)"[^>]*>file</.exec(text)![1]!, own)
})
