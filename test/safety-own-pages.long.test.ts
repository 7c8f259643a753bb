// The same for the pages on which people write, review, publish and invite others: nothing that is typed there runs in
// the browser of a person who is signed in.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { newId } from '../src/ids.ts'
import { putSpec } from '../src/openapi/testing/specs.ts'
import { aSession } from '../src/sessions/testing/signed-in.ts'
import { startApp } from './app.ts'
import { startBrowser } from './browser/browser.ts'
import { anOrganization } from './factories.ts'
import { idsOf } from './editing.ts'
import { png } from './every-content.ts'
import { pageOf } from './safety/places.ts'
import { asTitle, fits, inPages, inText, insert, sayHowMany, some, timeout } from './safety/trials.ts'
import { type Looking, bothWays, nowhereElse } from './safety/watch.ts'
import { regular } from './fonts.ts'
import { upload } from './uploading.ts'
import { aSite, expect } from './visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser(nowhereElse)
const app = await startApp()
after(() => console.log(sayHowMany()))

const withAndWithoutPolicy = (work: Looking) => bothWays(browser, app.url, work)

/** The targets of the forms on these pages, as opposed to the forms of a site. */
const ofOrganization = [
  '(?:people|teams|settings|c|sites|fonts|specifications|webhooks|single-sign-on|record)(?:/[\\w/-]+(?:#lines)?)?',
  'search|spaces|collections|export',
].join('|')
const ofSpace = [
  'changes(?:/1(?:(?:/~/links)?#pages|/[\\w/~-]+(?:#copy)?))?|comments(?:/[\\w-]{36}(?:/[a-z]+)+)?|pdf|export|edits|settings|move|order|language|merge-rules|delete',
  'icon|copy|search|watch|pages/[\\w-]{36}/copy(?:#copy)?|access/[\\w/-]+|imports/[a-z]+|git(?:/forget|/following(?:/end|/hook(?:/remove)?)?)?|history/[\\w-]{36}/revert|pages/[\\w-]{36}/history/[\\w-]{36}/restore',
].join('|')
const below = `app/o/[\\w-]{36}/(?:${ofOrganization}|s/[\\w-]{36}/~/(?:${ofSpace}))`
const ownForm = new RegExp(`^form: <form method="(?:post|get)" action="/(?:${below}|account/[a-z/-]+|logout)"`)

const isForeign = (found: string) => !ownForm.test(found)

test('no hostile text in a change request runs in the browser of a reviewer', { timeout }, async () => {
  const site = await aSite(app)
  const [disputed] = idsOf(await site.space.edit(insert('x', { title: 'x' })))
  const request = await site.space.changeRequest()
  const sides = fits(100).filter(({ text }) => !/[\r\n]/.test(text))
  // A drill writes all of them on both sides. They conflict only if their order differs.
  const inOrder = (at: number) => (at % 2 === 0 ? some(8, at, sides) : some(8, at, sides).toReversed())
  const rewrite = (at: number) => ({
    operation: 'update_page',
    page: disputed,
    document: {
      markdown: `${inOrder(at)
        .map(({ text }) => text)
        .join('\n')}\n`,
    },
    metadata: { title: asTitle(sides[at]!), description: sides[at]!.text },
  })
  expect(await request.edit(rewrite(1)), 200)
  expect(await site.space.edit(rewrite(2)), 200)
  const about = some(8, 5)
    .map(({ text }) => text)
    .join('\n\n')
  const [{ text: subject } = { text: '' }] = some(8, 5, fits(100))
  expect(await site.who.patch(request.path, { subject, description: about.slice(0, 60_000) }), 200)
  const texts: string[] = []
  for (const part of inPages(inText()).slice(0, 8)) texts.push(...idsOf(await request.edit(insert(pageOf(part)))))
  const named = some(8, 2, fits(100)).slice(0, 30)
  for (const each of named) expect(await request.edit(insert('x', { title: asTitle(each) })), 200)
  // Some comments are about a page, and are shown beside its changes.
  for (const [at, { text }] of some(8, 3).slice(0, 40).entries()) {
    const about = at % 4 === 0 ? { page: texts[0] } : {}
    expect(await site.who.post(`${request.path}/comments`, { ...about, body: { markdown: text } }), 200)
    if (at < 20) expect(await site.who.post(`${site.space.path}/comments`, { body: { markdown: text } }), 200)
  }

  // The names of files and branches come from a repository.
  for (const { text } of named) {
    const problems = [{ path: text, message: text }]
    await app.db.run(sql`
      insert into git_operations (organization_id, space_id, id, direction, state, url, ref, error, result, due_at, ended_at)
      values (${site.org.id}, ${site.space.id}, ${newId()}, 'import', 'failure', ${app.url}, ${text}, ${text},
        ${{ commit: text, problems }}::jsonb, null, now())`)
  }
  await app.db.run(sql`
    insert into git_following (organization_id, space_id, id, url, ref, project_directory, direction, message, branch_oid, problem,
      failing_since, hook_id, hook_secret, hook_set_at)
    values (${site.org.id}, ${site.space.id}, ${newId()}, ${app.url}, ${subject}, ${subject}, 'both', ${subject}, ${subject},
      ${about}, now(), ${newId()}, ${Buffer.alloc(40)}, now())`)
  const space = `${app.url}/app/o/${site.org.id}/s/${site.space.id}`
  const written: string[] = []
  for (const [at, part] of inPages(inText()).slice(0, 6).entries()) {
    expect(await site.space.edit(insert(pageOf(part), { title: `Page ${at}` })), 200)
    written.push(`${space}/page-${at}`)
  }
  const { secret } = await aSession(app, site.org.admin)
  const address = `${space}/~/changes/1`
  await withAndWithoutPolicy(async (watched) => {
    await watched.context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
    assert.deepEqual((await watched.visit(address)).filter(isForeign), [])
    assert.ok((await watched.page.locator('.diff').count()) > 4)
    assert.ok((await watched.page.locator('.review-text').count()) > 20)
    assert.deepEqual((await watched.visit(`${app.url}/account`)).filter(isForeign), [])
    assert.equal(await watched.page.locator('#changes').count(), 1)
    const { pages } = expect(await site.who.get(`${request.path}/content`), 200)
    for (const { id } of pages.slice(-12)) {
      assert.deepEqual((await watched.visit(`${address}/pages/${id}`)).filter(isForeign), [])
      assert.equal(await watched.page.locator('textarea[name=text]').count(), 1)
    }
    // A preview is drawn beside the text: by the script, and on the page that is sent to browsers without script.
    const editor = `${address}/pages/${texts[0]}`
    await watched.open(editor)
    const drawn = watched.page.locator('.writing-preview .work-text > *')
    await drawn.first().waitFor()
    assert.ok((await drawn.count()) > 10)
    assert.deepEqual((await watched.look()).filter(isForeign), [])
    // The visual editor, which draws all blocks in its own way.
    await watched.page.getByRole('button', { name: 'Visual' }).click()
    const seen = watched.page.locator('.writing-visual > *')
    await seen.first().waitFor()
    assert.ok((await seen.count()) > 10)
    assert.deepEqual((await watched.look()).filter(isForeign), [])
    await watched.page.locator('[data-way=markdown]').click()
    await drawn.first().waitFor()
    await watched.page.evaluate(`(() => {
      const form = document.querySelector('.review-edit')
      form.action = form.querySelector('[formaction]').formAction
      form.submit()
    })()`)
    await watched.page.getByText('Preview (not saved yet)').waitFor()
    const isMore = (found: string) => isForeign(found) && found !== `navigation to ${editor}/preview#~preview`
    assert.deepEqual((await watched.look()).filter(isMore), [])
    const { items } = expect(await site.who.get(`${site.space.path}/revisions`), 200)
    const since = [`?with=${items[0].id}`, `/${items[0].id}/since/${items[2].id}`]
    for (const each of ['', ...since, ...items.slice(0, 4).map((item: { id: string }) => `/${item.id}`)])
      assert.deepEqual((await watched.visit(`${space}/~/history${each}`)).filter(isForeign), [])
    assert.ok((await watched.page.locator('.diff').count()) > 0)
    const [{ id }] = pages
    for (const each of ['', `/${items[0].id}`])
      assert.deepEqual((await watched.visit(`${space}/~/pages/${id}/history${each}`)).filter(isForeign), [])
    const forms = ['place', 'copy', 'delete'].map((each) => `pages/${id}/${each}`)
    for (const each of ['files', '~/links', 'pages/new', `~/pages/${disputed}/undo`, ...forms])
      assert.deepEqual((await watched.visit(`${address}/${each}`)).filter(isForeign), [])
    assert.deepEqual((await watched.visit(`${address}/conflicts`)).filter(isForeign), [])
    assert.ok((await watched.page.locator('.review-sides').count()) > 2)
    for (const each of written) {
      assert.deepEqual((await watched.visit(each)).filter(isForeign), [])
      assert.ok((await watched.page.locator('.work-text > *').count()) > 10)
    }
    for (const each of [
      '',
      '/~/settings',
      '/~/import',
      '/~/reusable-contents',
      '/~/variables',
      '/~/download',
      '/~/comments',
      `/~/pages/${id}/copy`,
      '/~/git',
    ])
      assert.deepEqual((await watched.visit(address.replace(/\/~.*/, each))).filter(isForeign), [])
    assert.ok((await watched.page.locator('.rows li').count()) > 15)
    // Refused input is shown again as it was typed.
    for (const [form, button] of [
      ['[action$="/git"]', '[name=direction]'],
      ['[action$="/following"]', '.primary'],
    ] as const) {
      await watched.visit(`${space}/~/git`)
      await watched.page.$$eval('details', (all) => all.forEach((each) => (each.open = true)))
      for (const name of ['address', 'folder', 'user', 'message'])
        await watched.page.fill(`form${form} [name=${name}]`, subject)
      await watched.page.click(`form${form} button${button}`)
      await watched.page.waitForSelector('[role=alert]')
      const found = await watched.look()
      assert.deepEqual(
        found.filter((each) => isForeign(each) && each !== `navigation to ${space}/~/git/following`),
        [],
      )
    }
  })
})

test(
  'no hostile text in reusable contents and variables runs in the browser of their writer',
  { timeout },
  async () => {
    const site = await aSite(app)
    const request = await site.space.changeRequest()
    const [part = []] = inPages(inText())
    const titles = some(8, 2, fits(500)).slice(0, 20)
    const pieces = titles.map((each, at) => ({
      operation: 'insert_reusable_content',
      title: asTitle(each),
      document: { markdown: at === 0 ? pageOf(part) : '' },
    }))
    const ids: string[] = []
    for (const piece of pieces) ids.push(...idsOf(await request.edit(piece)))
    const [first] = ids
    const values = some(8, 4, fits(256)).slice(0, 40)
    const variables = Object.fromEntries(values.map(({ text }, at) => [`value${at}`, text]))
    expect(await request.edit({ operation: 'update_variables', variables }), 200)
    const text = Object.keys(variables).map((name) => `{{ space.vars.${name} }}`)
    const [page] = idsOf(
      await request.edit(insert(`${text.join('\n\n')}\n\n{% include "/reusable-contents/${first}" %}\n`)),
    )
    const space = `${app.url}/app/o/${site.org.id}/s/${site.space.id}`
    const address = `${space}/~/changes/1`
    const { secret } = await aSession(app, site.org.admin)
    await withAndWithoutPolicy(async (watched) => {
      await watched.context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
      const one = `~/reusable-contents/${first}`
      for (const each of ['', '/~/pdf', '/~/reusable-contents', `/${one}/title`, `/${one}/delete`])
        assert.deepEqual((await watched.visit(address + each)).filter(isForeign), [])
      for (const each of [one, `pages/${page}`]) {
        await watched.open(`${address}/${each}`)
        const drawn = watched.page.locator('.writing-preview .work-text > *')
        await drawn.first().waitFor()
        assert.ok((await drawn.count()) > 10)
        assert.deepEqual((await watched.look()).filter(isForeign), [])
      }
      await watched.page.getByRole('button', { name: 'Reusable content', exact: true }).click()
      await watched.page.locator('.writing-choice li').nth(10).waitFor()
      assert.deepEqual((await watched.look()).filter(isForeign), [])
      assert.deepEqual((await watched.visit(`${address}/~/variables`)).filter(isForeign), [])
      assert.ok((await watched.page.locator('.code').count()) > 20)
      // Refused input is shown again as it was typed.
      await watched.page.fill('[name=name]', 'value0')
      await watched.page.fill(
        'form:has([name=name]) [name=value]',
        values
          .map(({ text }) => text)
          .join('')
          .slice(0, 256),
      )
      await watched.page.click('form:has([name=name]) button')
      await watched.page.waitForSelector('[role=alert]')
      assert.deepEqual((await watched.look()).filter(isForeign), [])
    })
    assert.equal((await site.who.post(`${request.path}/merge`, {})).status, 200)
    await withAndWithoutPolicy(async (watched) => {
      await watched.context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
      for (const each of ['download', 'variables', 'reusable-contents', `reusable-contents/${first}`])
        assert.deepEqual((await watched.visit(`${space}/~/${each}`)).filter(isForeign), [])
      assert.ok((await watched.page.locator('.work-text > *').count()) > 10)
    })
  },
)

test(
  'no hostile name of a site, space, section, link, operation or webhook runs in the browser of its administrator',
  { timeout },
  async () => {
    const site = await aSite(app, { visibility: 'share-link' })
    const [title = '', ...names] = some(8, 7, fits(50))
      .map(({ text }) => text)
      .filter((text) => text.trim().length > 1 && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
    const make = async (path: string, body: object) => expect(await site.who.post(path, body), 201).id as string
    expect(await site.who.patch(site.path, { title }), 200)
    expect(await site.who.patch(site.space.path, { title: names[0] }), 200)
    const section = await make(`${site.path}/sections`, { spaceId: site.space.id, title: names[1] })
    await make(`${site.path}/section-groups`, { title: names[2], sections: [section] })
    const address = (name: string) => `https://example.org/?${encodeURIComponent(name)}#${name}`
    const [outward = ''] = await Promise.all(
      names.slice(0, 10).map((name) =>
        make(`${site.path}/external-links`, {
          title: name,
          description: name,
          icon: name.slice(0, 50),
          url: address(name),
        }),
      ),
    )
    for (const name of names.slice(0, 20)) {
      const id = await make(`${site.path}/site-spaces`, { spaceId: site.space.id, sectionId: section })
      expect(await site.who.patch(`${site.path}/site-spaces/${id}`, { title: name }), 200)
    }
    for (const name of names.slice(0, 40)) await make(`${site.path}/share-links`, { name })
    for (const name of names.slice(0, 40)) await make(`/v1/orgs/${site.org.id}/spaces`, { title: name })
    const [outer = '', inner = ''] = names
    const parent = await make(`/v1/orgs/${site.org.id}/collections`, { title: outer })
    const collection = await make(`/v1/orgs/${site.org.id}/collections`, { title: inner, parent })
    expect(await site.who.patch(`/v1/collections/${collection}`, { description: outer }), 200)
    const links = names.slice(0, 20).map((name) => ({ title: name, to: { kind: 'url', url: '/x' }, links: [] }))
    const copyright = names.join('').slice(0, 512)
    expect(await site.who.put(`${site.path}/customization`, { header: { links }, footer: { copyright } }), 200)
    for (const name of names.slice(0, 10)) {
      const who = { client: site.who, organizationId: site.org.id }
      const key = await upload(app, who, { bytes: Buffer.from(png, 'base64'), name })
      await make(`${site.path}/pictures`, { key })
    }
    const fonts: string[] = []
    for (const fontFamily of names.slice(0, 10)) {
      const who = { client: site.who, organizationId: site.org.id }
      const storageKey = await upload(app, who, { bytes: regular, name: fontFamily, kind: 'customization_font' })
      const body = { fontFamily, fontFaces: [{ weight: 400, storageKey }] }
      fonts.push(expect(await site.who.put(`/v1/orgs/${site.org.id}/fonts`, body), 201).id)
    }
    const url = `https://example.org/?${names.join('').slice(0, 500)}`
    const claims = names
      .slice(0, 20)
      .map((name) => [name, { type: 'string', description: name, enum: names.slice(0, 5) }])
    const jsonSchema = { type: 'object', properties: Object.fromEntries(claims) }
    expect(await site.who.put(`${site.path}/adaptive-schema`, { jsonSchema }), 200)
    for (const name of names) {
      await app.db.run(sql`
        insert into site_searches (organization_id, site_id, day, words, searches, unfound)
        values (${site.org.id}, ${site.id}, current_date, ${name}, 1, 1) on conflict do nothing`)
      await app.db.run(sql`
        insert into site_missing_paths (organization_id, site_id, day, path, requests)
        values (${site.org.id}, ${site.id}, current_date, ${`/${name}`}, 1) on conflict do nothing`)
      await app.db.run(sql`
        insert into site_page_remarks (organization_id, site_id, day, id, space_id, page_id, text)
        values (${site.org.id}, ${site.id}, current_date, ${newId()}, ${site.space.id}, ${newId()}, ${name.slice(0, 500)})`)
    }
    const redirect = await make(`${site.path}/redirects`, { source: '/old', destination: { kind: 'external', url } })
    const paths = Object.fromEntries(names.map((name, at) => [`/${at}/${name}`, { get: { summary: name } }]))
    const text = JSON.stringify({ openapi: '3.1.0', info: { title, version: '1' }, paths })
    await putSpec(site.who, site.org.id, 'shop', { text })
    const webhooks = `/v1/orgs/${site.org.id}/webhooks`
    const webhook = await make(webhooks, { title, url })
    for (const name of names.slice(0, 20)) await make(webhooks, { title: name, url })
    const { secret } = await aSession(app, site.org.admin)
    const home = `${app.url}/app/o/${site.org.id}`
    await withAndWithoutPolicy(async (watched) => {
      await watched.context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
      const sought = `specifications/shop?search=${encodeURIComponent(names[0]!)}`
      for (const each of ['fonts', `fonts/${fonts[0]}`])
        assert.deepEqual((await watched.visit(`${home}/${each}`)).filter(isForeign), [])
      for (const each of ['webhooks', `webhooks/${webhook}`, sought, 'specifications/shop'])
        assert.deepEqual((await watched.visit(`${home}/${each}`)).filter(isForeign), [])
      assert.equal(await watched.page.locator('.code').count(), 10)
      await watched.visit(`${home}/specifications`)
      await watched.page.fill('[name=name]', 'shop')
      await watched.page.fill('[name=text]', copyright)
      await watched.page.click('form:has([name=text]) button')
      await watched.page.waitForSelector('[role=alert]')
      assert.deepEqual((await watched.look()).filter(isForeign), [])
      assert.deepEqual((await watched.visit(`${home}/sites`)).filter(isForeign), [])
      assert.ok((await watched.page.locator('.choice').count()) > 20)
      assert.deepEqual((await watched.visit(`${home}/sites/${site.id}`)).filter(isForeign), [])
      assert.ok((await watched.page.locator('.code').count()) > 20)
      const prefilled = `redirects?source=${encodeURIComponent(names[0]!)}`
      for (const each of ['insights', 'insights/remarks', 'insights/unfound', 'insights/missing', prefilled])
        assert.deepEqual((await watched.visit(`${home}/sites/${site.id}/${each}`)).filter(isForeign), [])
      for (const each of ['look', 'pictures', 'address', 'claims', `redirects/${redirect}`, 'redirects'])
        assert.deepEqual((await watched.visit(`${home}/sites/${site.id}/${each}`)).filter(isForeign), [])
      // Refused input is shown again as it was typed.
      await watched.page.fill('[name=source]', copyright)
      await watched.page.fill('[name=to]', copyright)
      await watched.page.click('form:has([name=source]) button')
      await watched.page.waitForSelector('[role=alert]')
      assert.deepEqual((await watched.look()).filter(isForeign), [])
      assert.deepEqual((await watched.visit(`${home}/s/${site.space.id}`)).filter(isForeign), [])
      assert.equal(await watched.page.locator('.work-places li').count(), 1)
      const query = encodeURIComponent(names[0]!)
      for (const path of ['search', `s/${site.space.id}/~/search`])
        assert.deepEqual((await watched.visit(`${home}/${path}?query=${query}`)).filter(isForeign), [])
      for (const each of [`external-links/${outward}`, `sections/${section}`, 'sections'])
        assert.deepEqual((await watched.visit(`${home}/sites/${site.id}/${each}`)).filter(isForeign), [])
      assert.equal(await watched.page.locator('.work-menu').count(), 1)
      const below = ['', '/settings', '/access'].map((each) => `/c/${collection}${each}`)
      for (const each of ['', ...below, `/s/${site.space.id}/~/settings`])
        assert.deepEqual((await watched.visit(home + each)).filter(isForeign), [])
      assert.ok((await watched.page.locator('option').count()) > 30)
    })
  },
)

test(
  'no hostile name of a person, team or organization runs in the browser of an administrator who manages people',
  { timeout },
  async () => {
    const org = await anOrganization(app)
    const { client } = org.admin
    const names = some(8, 1, fits(64)).filter(({ text }) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text.trim() !== '')
    assert.ok(names.length > 20, `${names.length}`)
    const path = `/v1/orgs/${org.id}`
    const shown = names.slice(0, 40)
    for (const { text } of shown) {
      const { id } = await org.member('edit')
      await app.db.run(sql`update users set display_name = ${text}, email = ${`${text}@${id}`} where id = ${id}`)
    }
    expect(await client.patch(path, { title: names.at(-1)!.text }), 200)
    const { items } = expect(await client.get(`${path}/members?limit=1000`), 200)
    const teams: string[] = []
    for (const { text: title } of shown.slice(0, 20))
      teams.push(expect(await client.put(`${path}/teams`, { title, members: items.map(({ id }: any) => id) }), 201).id)
    const space = expect(await client.post(`${path}/spaces`, { title: names.at(-2)!.text.slice(0, 50) }), 201)
    const users = items.map(({ id }: any) => id)
    expect(await client.post(`/v1/spaces/${space.id}/permissions`, { role: 'edit', users }), 204)
    expect(await client.post(`/v1/spaces/${space.id}/permissions`, { role: 'edit', teams }), 204)
    const label = names.find(({ text }) => text.length <= 30)!.text
    const saml = expect(
      await client.post(`${path}/saml`, { label, entityID: names.at(-1)!.text, signRequests: true }),
      201,
    ).id
    const home = `${app.url}/app/o/${org.id}`
    const asked = `${home}/people?search=${encodeURIComponent(
      shown
        .map(({ text }) => text)
        .join('')
        .slice(0, 256),
    )}`
    const { secret } = await aSession(app, org.admin)
    await withAndWithoutPolicy(async (watched) => {
      await watched.context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
      for (const each of [asked, `${home}/people/invites`, `${home}/people/invited`, `${home}/teams`, `${home}/people`])
        assert.deepEqual((await watched.visit(each)).filter(isForeign), [])
      assert.ok((await watched.page.locator('.rows li').count()) > 20)
      const access = `${home}/s/${space.id}/~/access`
      for (const each of [`${home}/settings`, `${access}/who`, access])
        assert.deepEqual((await watched.visit(each)).filter(isForeign), [])
      assert.ok((await watched.page.locator('.rows li').count()) > 40)
      for (const { id } of items.slice(0, 4))
        assert.deepEqual((await watched.visit(`${home}/people/${id}`)).filter(isForeign), [])
      for (const id of teams.slice(0, 2)) {
        assert.deepEqual((await watched.visit(`${home}/teams/${id}`)).filter(isForeign), [])
        assert.ok((await watched.page.locator('.rows li').count()) > 20)
      }
      // Refused input is shown again as it was typed.
      const provider = `${home}/single-sign-on/${saml}`
      const record = [`${home}/record`, asked.replace('people?search', 'record?from=x&person')]
      for (const each of [...record, `${home}/single-sign-on`, provider])
        assert.deepEqual((await watched.visit(each)).filter(isForeign), [])
      for (const name of ['metadata', 'certificate'])
        await watched.page.fill(`textarea[name=${name}]`, shown.map(({ text }) => text).join('\n'))
      await watched.page.click('form:has(textarea) button')
      await watched.page.waitForSelector('[role=alert]')
      assert.deepEqual((await watched.look()).filter(isForeign), [])
      await watched.visit(`${home}/people/invites`)
      await watched.page.fill('textarea', shown.map(({ text }) => text).join('\n'))
      await watched.page.click('form:has(textarea) button')
      await watched.page.waitForSelector('[role=alert]')
      assert.deepEqual((await watched.look()).filter(isForeign), [])
    })
  },
)
