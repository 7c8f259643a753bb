// Links that lead out of a site, managed in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/app.ts'
import { aStranger } from '../../../../test/factories.ts'
import { expect } from '../../../../test/visitor.ts'
import { type Page } from '../../../account/testing/person.ts'
import { newId } from '../../../ids.ts'
import { signedIn } from '../../../sessions/testing/signed-in.ts'
import { aKeeper, refused } from '../testing/keeper.ts'

const app = await startApp()

const url = 'https://status.example.com/'

async function aKeeperOfLinks() {
  const kept = await aKeeper(app)
  const { who, api, send, keeper, path } = kept
  const structure = async () => expect(await who.get(`${api}/structure`), 200).structure as any[]
  const links = async () => (await structure()).filter((each) => each.object === 'site-external-link')
  const add = (title: string, more: object = {}) =>
    who.post(`${api}/external-links`, { title, url, ...more }).then((answer) => expect(answer, 201))
  /** Submits the current form of a link, with these fields changed. */
  const save = async (id: string, fields: Record<string, string>) => {
    const page = await keeper.get(`${path}/external-links/${id}`)
    return keeper.submit(page, `${path}/external-links/${id}`, { ...filledIn(page), ...fields })
  }
  return { ...kept, structure, links, add, save, send }
}

/** Returns the values of the fields in the form of a link. */
function filledIn({ text }: Page): Record<string, string> {
  const form = text.split('<form ').find((each) => each.includes('name="url"'))!
  const inputs = [...form.matchAll(/<input\s[^>]*?name="(\w+)"[^>]*>/g)].filter(
    ([input]) => !/hidden|checkbox/.test(input),
  )
  const fields = inputs.map(([input, name]) => [name!, /\bvalue="([^"]*)"/.exec(input)?.[1] ?? ''])
  return Object.fromEntries(fields)
}

test('a new link appears beside the content of the site, which keeps its address', async () => {
  const { keeper, path, reader, address, structure } = await aKeeperOfLinks()
  const page = await keeper.get(`${path}/sections`)
  assert.match(page.text, /<h2>New link<\/h2>[^]*What the site shows now then becomes a section/)
  const sent = () => keeper.submit(page, `${path}/external-links`, { title: 'Status & more', url })
  const [first, second] = await Promise.all([sent(), sent()])
  assert.deepEqual([first.status, second.status], [303, 303])
  const shown = await keeper.follow(first)
  assert.match(shown.text, /Link created.[^]*Status &amp; more<\/strong>[^]*a link to <a href="https:\/\/status/)
  assert.deepEqual(
    (await structure()).map(({ object }) => object),
    ['site-section', 'site-external-link'],
    'a second click is taken for the first',
  )
  const read = await reader.get(address)
  assert.equal(read.status, 200)
  assert.match(read.text, /<nav class="wrap sections"[^]*Status &amp; more/)
})

test('a draft link is hidden from readers and marked as a draft until it is shown', async () => {
  const { send, keeper, path, reader, address, links, save } = await aKeeperOfLinks()
  const made = await send('sections', 'external-links', { title: 'Status', url, draft: 'on' })
  assert.match(
    (await keeper.follow(made)).text,
    /Link created as a draft\. Readers do not see it yet[^]*hidden from readers/,
  )
  assert.doesNotMatch((await reader.get(address)).text, /Status/)
  const [{ id }] = await links()
  assert.match(
    (await keeper.get(`${path}/external-links/${id}`)).text,
    /hidden from readers[^]*name="draft" value="on" checked/,
  )
  for (const at of ['sections', `external-links/${id}`])
    assert.match(
      (await keeper.get(`${path}/${at}`)).text,
      new RegExp(`href="${path}/preview" aria-label="Preview: Status"`),
    )
  const { location } = await keeper.get(`${path}/preview`)
  assert.ok(location!.startsWith(`http://lectern.test${address}`), location)
  const saved = await keeper.follow(await save(id, {}))
  assert.match(saved.text, /Link saved/)
  assert.doesNotMatch(saved.text, /hidden from readers|Preview/)
  assert.match((await reader.get(address)).text, /Status/)
})

test('all fields of a link are changed in one form, and untouched ones stay', async () => {
  const { save, add, who, api, structure, keeper, path } = await aKeeperOfLinks()
  const menu = expect(await who.post(`${api}/section-groups`, { title: 'More' }), 201)
  const link = await add('Status', { icon: 'heart', description: 'Up or down' })
  const fields = { title: 'Health', url: 'https://health.example.com', icon: 'bolt', menu: menu.id, condition: '' }
  assert.equal((await save(link.id, fields)).status, 303)
  const [, shown] = await structure()
  assert.deepEqual(shown.children, [
    {
      object: 'site-external-link',
      id: link.id,
      title: 'Health',
      description: 'Up or down',
      icon: 'bolt',
      url: 'https://health.example.com/',
      sectionGroup: menu.id,
      draft: false,
    },
  ])
  const rows = (await keeper.get(`${path}/sections`)).text
  assert.match(rows, /a menu, in which readers find[^]*Health<\/strong>/)
  assert.equal((await save(link.id, { menu: '', icon: '', description: '' })).status, 303)
  const [, , last] = await structure()
  assert.deepEqual(
    [last.title, last.icon, last.description, last.sectionGroup],
    ['Health', ...Array(3)],
    'behind the menu',
  )
})

test('links are moved among sections, and removed', async () => {
  const { send, add, structure, keeper, path, who, api } = await aKeeperOfLinks()
  const [one, two] = [await add('One'), await add('Two')]
  const titles = async () => (await structure()).map(({ title }) => title).slice(-2)
  const near = { near: one.id, side: 'before' }
  const moved = await send('sections', `external-links/${two.id}/move`, near)
  assert.equal(moved.location, `${path}/sections?done=moved#${two.id}`)
  assert.deepEqual(await titles(), ['Two', 'One'])
  const [section] = await structure()
  await send('sections', `sections/${section.id}/move`, { near: two.id, side: 'after' })
  assert.deepEqual((await structure()).map(({ title }) => title)[0], 'Two')
  refused(
    await send('sections', `external-links/${one.id}/move`, { near: newId(), side: 'before' }),
    409,
    /changed the order since you opened this page\. Reload it/,
  )

  const asked = await keeper.get(`${path}/external-links/${one.id}`)
  assert.match(asked.text, /Remove the link “One” from the header of the site\?/)
  const gone = await keeper.submit(asked, `${path}/external-links/${one.id}/remove`)
  assert.match((await keeper.follow(gone)).text, /Link removed/)
  refused(await keeper.get(`${path}/external-links/${one.id}`), 404, /There is no such link/)
  refused(await keeper.submit(asked, `${path}/external-links/${one.id}`, filledIn(asked)), 404, /There is no such link/)
  expect(await who.get(`${api}/structure`), 200)
})

test('links go into a new menu with sections, in their current order', async () => {
  const { add, keeper, path, structure } = await aKeeperOfLinks()
  const [one, two] = [await add('One'), await add('Two')]
  const [section] = await structure()
  const page = await keeper.get(`${path}/sections`)
  const chosen = Object.fromEntries([section, two].map(({ id }) => [`section-${id}`, 'on']))
  const made = await keeper.follow(await keeper.submit(page, `${path}/menus`, { title: 'More', ...chosen }))
  const [first, menu] = await structure()
  assert.deepEqual([first.title, menu.title], ['One', 'More'])
  assert.deepEqual(
    menu.children.map(({ id }: { id: string }) => id),
    [section.id, two.id],
  )
  const offered = (id: string) => made.text.includes(`name="section-${id}"`)
  assert.deepEqual(
    [one, section, two].map(({ id }) => offered(id)),
    [true, false, false],
  )
  const again = await keeper.submit(page, `${path}/menus`, { title: 'Other', [`section-${two.id}`]: 'on' })
  refused(again, 409, /“Two” has been added to a menu in the meantime/)
})

test('an invalid link is refused with the reason and stays in the form, and a newer change is not overwritten', async () => {
  const { send, save, add, who, api, structure, keeper, path } = await aKeeperOfLinks()
  const link = await add('Status')
  const before = await structure()
  for (const [fields, reason] of [
    [{ title: 'x', url }, /^A link needs a title of 2 to 128 characters/],
    [{ title: 'Fine', url: 'javascript:alert(1)' }, /^Where it leads must be an address that starts with http/],
    [{ title: 'Fine', url: `https://x.example/${'x'.repeat(2050)}` }, /^Where it leads/],
  ] as [Record<string, string>, RegExp][]) {
    for (const answer of [await send('sections', 'external-links', fields), await save(link.id, fields)]) {
      refused(answer, answer.status, reason)
      assert.ok(answer.text.includes(`value="${fields.url}"`) && answer.text.includes(`value="${fields.title}"`))
    }
  }
  refused(await save(link.id, { icon: 'no-such' }), 409, /There is no icon called “no-such”/)
  refused(await save(link.id, { menu: newId() }), 400, /^The menu: there is no such section group/)
  refused(await save(link.id, { condition: '1 +' }), 400, /^The condition/)
  assert.deepEqual(await structure(), before)

  const page = await keeper.get(`${path}/external-links/${link.id}`)
  expect(await who.patch(`${api}/external-links/${link.id}`, { title: 'Theirs' }), 200)
  const late = await keeper.submit(page, `${path}/external-links/${link.id}`, { ...filledIn(page), title: 'Mine' })
  refused(late, 409, /Somebody has changed this link since you opened this page/)
  assert.match(late.text, /value="Mine"/)
  assert.match(
    (await keeper.follow(await keeper.submit(late, `${path}/external-links/${link.id}`, filledIn(late)))).text,
    /<h1>Mine/,
  )
})

test('members who may only read the site see where links lead and no form, and strangers see nothing', async () => {
  const { org, path, add } = await aKeeperOfLinks()
  const link = await add('Status')
  const reader = await signedIn(app, await org.member('read'))
  for (const below of ['/sections', `/external-links/${link.id}`]) {
    const page = await reader.get(path + below)
    assert.equal(page.status, 200)
    assert.match(page.text, /href="https:\/\/status\.example\.com\/"/)
    assert.doesNotMatch(page.text, /external-links[^"]*" class="(?:fields|review-ask)/)
  }
  const stranger = await signedIn(app, await aStranger(app))
  const nothing = (await stranger.get('/app/x')).text
  assert.equal((await stranger.get(`${path}/external-links/${link.id}`)).text, nothing)
})
