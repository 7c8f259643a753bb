// The pages for people with an account, in a real browser, with mail that is really delivered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { sql } from '../../src/db/sql.ts'
import { startMailServer } from '../../src/mail/testing/mail-server.ts'
import { petstore } from '../../src/openapi/testing/petstore.ts'
import { putSpec } from '../../src/openapi/testing/specs.ts'
import { flaws } from './accessible.ts'
import { startApp } from '../app.ts'
import { startBrowser } from './browser.ts'
import { aLiveSpace, idsOf, newPage } from '../editing.ts'
import { type TestOrganization, type TestPerson, anOrganization } from '../factories.ts'
import { regular } from '../fonts.ts'
import { inviting } from '../invites.ts'
import { upload } from '../uploading.ts'
import { expect } from '../visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const mailServer = await startMailServer()
const app = await startApp({ LECTERN_SMTP_URL: mailServer.url, LECTERN_MAIL_FROM: 'Lectern <lectern@example.com>' })
app.app.mail.start()
const { aLink, anAddress } = inviting(app)

async function open(options: BrowserContextOptions = {}): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: app.url, ...options })
  return { context, page: await context.newPage() }
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  const { text } = await mailServer.next(email)
  await page.getByLabel('Code').fill(/^(\d{4} \d{4})$/m.exec(text)![1]!)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const whoAmI = async (token: string, someone: TestPerson) =>
  (await app.client(token, [someone.user.email.split('.')[0]!]).get('/v1/user')).status

test('a member signs in by code, creates and revokes a token, ends another session, and signs out', async () => {
  const org = await anOrganization(app)
  const member = await org.member('edit')
  const [desk, phone] = [await open(), await open({ javaScriptEnabled: false })]
  for (const { page } of [phone, desk]) {
    await page.goto('/account')
    await signIn(page, member.user.email)
    await page.waitForURL('**/account')
  }
  const { page } = desk
  assert.ok(await page.getByRole('heading', { name: member.user.display_name }).isVisible())
  assert.ok(await page.getByText(org.row.title).isVisible())

  await page.setViewportSize({ width: 390, height: 400 })
  await page.getByLabel('Purpose').fill('Script')
  await page.getByRole('button', { name: 'Create token' }).click()
  const secret = (await page.locator('.fresh code').textContent())!
  // The token is in view, however much content is above it.
  await page.locator('.fresh:focus').waitFor()
  const [top, bottom] = await page.evaluate<[number, number]>(
    `(({ top, bottom }) => [top, bottom])(document.querySelector('.fresh code').getBoundingClientRect())`,
  )
  assert.ok(top >= 0 && bottom <= 400, `${top} to ${bottom}`)
  assert.equal(await whoAmI(secret, member), 200)
  await page.getByRole('button', { name: 'Revoke the token Script' }).click()
  await page.getByText('Token revoked.').waitFor()
  assert.equal(await whoAmI(secret, member), 401)

  await page.getByRole('button', { name: 'End the session of' }).click()
  await page.getByText('That browser is signed out').waitFor()
  await phone.page.goto('/account')
  assert.equal(new URL(phone.page.url()).pathname, '/login')

  const cookies = await desk.context.cookies()
  const session = cookies.find(({ name }) => name === 'lectern-session')!
  assert.deepEqual([session.httpOnly, session.sameSite], [true, 'Lax'])
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByText('You have signed out').waitFor()
  await page.goto('/account')
  assert.equal(new URL(page.url()).pathname, '/login')
})

test('a double click on sign-in signs in, and going back shows the account instead of the code form', async () => {
  const org = await anOrganization(app)
  for (const javaScriptEnabled of [true, false]) {
    const member = await org.member('edit')
    const { page, context } = await open({ javaScriptEnabled })
    await page.goto('/login')
    await page.getByLabel('E-mail address').fill(member.user.email)
    await page.getByRole('button', { name: 'Continue' }).click()
    const { text } = await mailServer.next(member.user.email)
    await page.getByLabel('Code').fill(/^(\d{4} \d{4})$/m.exec(text)![1]!)
    // The second click comes while the request of the first one is running. Browsers drop the answer to the first one.
    const button = page.getByRole('button', { name: 'Sign in' })
    await button.dblclick({ delay: 5, noWaitAfter: true })
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
    await page.goBack()
    await page.waitForURL('**/account')
    await context.close()
  }
})

test('an invite link leads through sign-in to joining, and a newcomer joins directly', async () => {
  const org = await anOrganization(app)
  const member = await (await anOrganization(app)).member('read')
  const link = (await aLink(org, 'read')).urls.invite.replace('http://lectern.test', '')

  const { page } = await open()
  await page.goto(link)
  await page.getByRole('link', { name: 'Sign in to join' }).click()
  await signIn(page, member.user.email)
  await page.getByRole('button', { name: `Join ${org.row.title}` }).click()
  await page.getByText('Welcome: you have joined').waitFor()
  assert.ok(await page.getByText(org.row.title).isVisible())

  const newcomer = await open({ javaScriptEnabled: false })
  await newcomer.page.goto(link)
  await newcomer.page.getByLabel('Your name').fill('Ada')
  await newcomer.page.getByLabel('E-mail address').fill(anAddress())
  await newcomer.page.getByRole('button', { name: 'Create account and join' }).click()
  await newcomer.page.getByText('Welcome: you have joined').waitFor()
})

test('a reviewer follows a link, signs in, reads the change, approves it and merges it', async () => {
  const org = await anOrganization(app)
  const reviewer = await org.member('review')
  const path = await aChange(org)
  const { page } = await open()
  await page.goto(path)
  await signIn(page, reviewer.user.email)
  await page.getByRole('heading', { name: 'A change' }).waitFor()
  assert.ok(await page.locator('.diff .added', { hasText: 'A cup of tea.' }).isVisible())
  await page.getByLabel('Comment (Markdown)', { exact: true }).fill('Good.')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved.').waitFor()
  await page.getByRole('button', { name: 'Merge into main content' }).click()
  await page.getByText('Merged. It is now part of the main content.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
})

test('a reviewer comments on a line by keyboard alone on a small screen, and edits the comment', async () => {
  const org = await anOrganization(app)
  const reviewer = await org.member('review')
  const path = await aChange(org)
  const { page } = await open({ viewport: { width: 360, height: 700 }, javaScriptEnabled: false })
  await page.goto(path)
  await signIn(page, reviewer.user.email)
  await page.getByLabel('Comment on this page: Tea').focus()
  for (const key of ['Enter', 'Tab', 'ArrowDown', 'Tab']) await page.keyboard.press(key)
  await page.keyboard.type('One cup?')
  for (const key of ['Tab', 'Enter']) await page.keyboard.press(key)
  await page.getByText('Comment posted.').waitFor()
  const beside = page.locator('article', { hasText: 'One cup?' })
  assert.ok(await beside.locator('blockquote', { hasText: 'Text of Tea' }).isVisible())
  await page.getByLabel('Edit your comment').focus()
  for (const key of ['Enter', 'Tab', 'End', 'ControlOrMeta+End']) await page.keyboard.press(key)
  await page.keyboard.type(' Two?')
  for (const key of ['Tab', 'Enter']) await page.keyboard.press(key)
  await page.getByText('Comment saved.').waitFor()
  assert.ok(await beside.locator('.review-text', { hasText: 'One cup? Two?' }).isVisible())
})

test('on a phone, the page of a change request links to the account', async () => {
  const org = await anOrganization(app)
  const author = await org.member('edit')
  const change = await aChange(org)
  const { page } = await open()
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto(change)
  await signIn(page, author.user.email)
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.waitForURL('**/account')
})

test('with forced colours, the tab of the current page looks different from the others', async () => {
  const org = await anOrganization(app)
  const { page } = await open({ forcedColors: 'active' })
  await page.goto(`/app/o/${org.id}`)
  await signIn(page, org.admin.user.email)
  const edges = () =>
    page.$$eval('.work-tabs a', (tabs) =>
      tabs.map((tab: any) => tab.ownerDocument.defaultView.getComputedStyle(tab).borderBottomColor as string),
    )
  await page.locator('.work-tabs [aria-current]').waitFor()
  const [current, ...others] = await edges()
  assert.equal(new Set(others).size, 1)
  assert.notEqual(current, others[0])
})

/** Creates a change request and returns its address, as mails contain it. */
async function aChange(org: TestOrganization): Promise<string> {
  const space = await aLiveSpace(app, org)
  await space.edit(newPage('Tea'))
  const [tea] = (await space.who.get(`${space.path}/content/pages`)).body.pages
  const request = await space.changeRequest()
  const edited = { operation: 'update_page', page: tea.id, document: { markdown: '# Tea\n\nA cup of tea.\n' } }
  assert.equal((await request.edit(edited, newPage('Cups'))).status, 200)
  return `/app/o/${org.id}/s/${space.id}/~/changes/1`
}

/** Adds comments to a change request: on a page, with a reply, resolved, and by somebody else. */
async function commentOn(space: string, org: TestOrganization, { client, id }: TestPerson): Promise<void> {
  const comments = `/v1/spaces/${space.split('/').at(-1)}/change-requests/1/comments`
  const page = (await client.get(comments.replace('comments', 'content/pages'))).body.pages[0].id
  const say = async (path: string, markdown: string, about = {}) => {
    const answer = await client.post(path, { ...about, body: { markdown } })
    assert.equal(answer.status, 200)
    return `${comments}/${answer.body.id}`
  }
  const first = await say(comments, `> \`${'W'.repeat(200)}\`\n\n[W](/users/${id} "mention")`, { page })
  await say(`${first}/replies`, 'W'.repeat(200))
  await client.put(await say(comments, 'Settled'), { resolved: true })
  assert.equal((await org.admin.client.post(comments, { page, body: { markdown: 'Of somebody else' } })).status, 200)
}

/** Opens all foldable parts, and switches off transitions so that no colour is changing. */
const openAndStill = `
  const still = new CSSStyleSheet()
  still.replaceSync('* { transition: none !important }')
  document.adoptedStyleSheets = [still]
  document.querySelectorAll('details').forEach((each) => (each.open = true))`

/** Elements that scroll by a few pixels only. Most desktop browsers would show a useless scroll bar there. */
const hardlyScrolling = `[...document.querySelectorAll('body *')].filter((each) => {
  const over = each.scrollHeight - each.clientHeight
  return over > 0 && over < 4 && ['auto', 'scroll'].includes(getComputedStyle(each).overflowY)
}).map((each) => each.outerHTML.slice(0, 80))`

/** Markup that HTML forbids and browsers draw: a block in inline text, a term without a description. */
const misplaced = `[...document.querySelectorAll(
  ':is(span, p, strong, button) :is(form, div, ul, ol, dl, section, p, table, h2, h3), dl > div:not(:has(> dd))',
)].map((each) => each.parentElement.outerHTML.slice(0, 200))`

/** Checks pages for accessibility problems with all foldable parts open, and whether they fit the screen. */
function checking(page: Page) {
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  const check = async (path: string, shown = 'h1') => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(path)
    await page.locator(shown).first().waitFor()
    await page.evaluate(openAndStill)
    assert.deepEqual(await flaws(page), [], path)
    // In the dark, only colours differ.
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await flaws(page, { rules: ['color-contrast'] }), [], `${path} in the dark`)
    // Forms that record what was seen must not be filled in by the browser when the user goes back:
    // test/browser/going-back.long.test.ts.
    const filled = await page.evaluate(`[...document.forms].filter((form) => form.autocomplete !== 'off'
      && form.querySelector('[name^=seen]') && form.querySelector('select, textarea, input:not([type=hidden])')).length`)
    assert.equal(filled, 0, path)
    assert.deepEqual(await page.evaluate(misplaced), [], path)
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      // Rows fit their contents to the width in the next animation frame.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      const scrolls = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
      assert.equal(scrolls, false, `${path} fits ${width}`)
      assert.deepEqual(await page.evaluate(hardlyScrolling), [], `${path} at ${width}`)
    }
  }
  return { check, problems }
}

test('sign-in, account, space and change request pages have no accessibility flaws, in light and dark', async () => {
  const org = await anOrganization(app)
  const member = await org.member('review')
  const link = (await aLink(org, 'read')).urls.invite.replace('http://lectern.test', '')
  const { page, context } = await open()
  const { check, problems } = checking(page)
  for (const path of [`/login/code?email=${member.user.email}`, link]) await check(path)
  await page.goto('/login')
  await signIn(page, member.user.email)
  await page.waitForURL('**/account')
  await page.getByLabel('Your name').fill('W'.repeat(64))
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByRole('heading', { name: 'WWW' }).waitFor()
  await check('/account?done=mail')
  const change = await aChange(org)
  const space = change.replace(/\/~.*/, '')
  await commentOn(space, org, member)
  for (const path of [change, space, `${space}/~/closed`, `/app/o/${org.id}`]) await check(path)
  for (const path of ['pages/new', 'files', '~/links', '~/reusable-contents', '~/variables', '~/pdf'])
    await check(`${change}/${path}`)
  await page.goto(change)
  await check(
    (await page
      .getByRole('link', { name: /^Edit / })
      .first()
      .getAttribute('href'))!,
    '.writing-preview h2',
  )
  assert.deepEqual(
    problems.filter((problem) => !/404/.test(problem)),
    [],
  )
  await context.close()
})

test('the pages for administrators have no accessibility flaws, however long names are', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const member = await org.member('edit')
  const long = 'W'.repeat(50)
  const space = await aLiveSpace(app, org)
  const tea = { operation: 'insert_page', document: { markdown: `# Tea\n\n## Content\n\n${long}\n` } }
  const [, longId] = idsOf(await space.edit(tea, newPage(long + long)))
  await client.patch(space.path, { title: long })
  const piece = { operation: 'insert_reusable_content', title: long.repeat(5), document: { markdown: long } }
  const [pieceId] = idsOf(await space.edit(piece))
  const include = `# Cups\n\n{% include "/reusable-contents/${pieceId}" %}\n`
  await space.edit({ operation: 'insert_page', document: { markdown: include } })
  await space.edit({ operation: 'update_variables', variables: { [`${long}_name`]: long.repeat(5) } })
  await space.changeRequest()
  const templates = await aLiveSpace(app, org)
  await client.patch(templates.path, { title: 'Templates' })
  await templates.edit(newPage(long))
  await aLink(org, 'read')
  const made = { title: long, visibility: 'share-link', spaces: [space.id] }
  const site = (await client.post(`/v1/orgs/${org.id}/sites`, made)).body
  await client.post(`/v1/orgs/${org.id}/sites/${site.id}/share-links`, {
    name: long,
    expiresAt: '2999-01-01T00:00:00Z',
  })
  const team = (await client.put(`/v1/orgs/${org.id}/teams`, { title: long, members: [org.admin.id, member.id] })).body
  const { page, context } = await open()
  const { check, problems } = checking(page)
  const home = `/app/o/${org.id}`
  await page.goto(`${home}/people?role=admin`)
  await signIn(page, org.admin.user.email)
  await page.waitForURL(`**${home}/people?role=admin`)
  for (const path of ['/sites', `/sites/${site.id}`, '/people', `/people/${member.id}`, '/people/invites'])
    await check(home + path)
  for (const path of ['/teams', `/teams/${team.id}`]) await check(home + path)
  const collection = (await client.post(`/v1/orgs/${org.id}/collections`, { title: long })).body
  for (const on of [space.path, `/v1/collections/${collection.id}`]) {
    await client.post(`${on}/permissions`, { role: 'edit', users: [member.id] })
    await client.post(`${on}/permissions`, { role: 'edit', teams: [team.id] })
  }
  for (const path of ['', '/settings', '/access']) await check(`${home}/c/${collection.id}${path}`)
  for (const path of ['', '/settings', '/download', `/sites/${site.id}/access`]) await check(home + path)
  const repository = { url: 'https://gitlab.example/book.git', ref: 'main' }
  await client.put(`${space.path}/git/following`, repository)
  assert.equal((await client.put(`${space.path}/git/following/hook`)).status, 200)
  for (const path of ['/~/settings', '/~/access', '/~/access/who', '/~/import', '/~/git', '/tea'])
    await check(`${home}/s/${space.id}${path}`)
  const [newest, before] = (await client.get(`${space.path}/revisions`)).body.items
  for (const path of [`?with=${newest.id}`, `/${newest.id}/since/${before.id}`])
    await check(`${home}/s/${space.id}/~/history${path}`)
  const pieces = ['/~/reusable-contents', `/~/reusable-contents/${pieceId}`]
  await client.post(`${space.path}/comments`, { body: { markdown: `**${long}**` }, page: longId })
  for (const path of [...pieces, '/~/variables', '/~/download', `/~/download?page=${longId}`, '/~/comments'])
    await check(`${home}/s/${space.id}${path}`)
  for (const path of ['', '/~/search?query=tea']) await check(`${home}/s/${space.id}${path}`)
  const copying = [`/pages/${longId}/copy`, '/pages/new']
  for (const path of [...pieces, `${pieces[1]}/title`, `${pieces[1]}/delete`, '/~/variables', '/~/pdf', ...copying])
    await check(`${home}/s/${space.id}/~/changes/1${path}`)
  await app.db.run(sql`update users set instance_admin = true where id = ${org.admin.id}`)
  for (const path of ['/account', '/account/new-organization']) await check(path)
  const hook = (await client.post(`/v1/orgs/${org.id}/webhooks`, { title: long, url: `https://x.example/${long}` }))
    .body
  const provider = expect(
    await client.post(`/v1/orgs/${org.id}/saml`, { label: long.slice(0, 30), signRequests: true }),
    201,
  )
  expect(await client.post(`/v1/orgs/${org.id}/saml/${provider.id}/keys`), 201)
  await putSpec(client, org.id, 'shop', { text: JSON.stringify(petstore) })
  const leading = { title: long, description: long, url: `https://x.example/${long.repeat(4)}`, draft: true }
  const link = (await client.post(`/v1/orgs/${org.id}/sites/${site.id}/external-links`, leading)).body
  const newOne = { spaceId: space.id, title: long, draft: true }
  const section = (await client.post(`/v1/orgs/${org.id}/sites/${site.id}/sections`, newOne)).body
  const built = ['sections', `sections/${section.id}`, `external-links/${link.id}`]
  for (const path of ['look', 'pictures', 'address', 'redirects', 'redirects?drafts=on', 'claims', ...built])
    await check(`${home}/sites/${site.id}/${path}`)
  const file = { bytes: regular, name: `${long}.woff2`, kind: 'customization_font' }
  const storageKey = await upload(app, { client, organizationId: org.id }, file)
  const faces = [{ weight: 400, storageKey }]
  const font = (await client.put(`/v1/orgs/${org.id}/fonts`, { fontFamily: long, fontFaces: faces })).body
  for (const path of ['/fonts', `/fonts/${font.id}`]) await check(home + path)
  await app.db.run(sql`
    insert into site_searches (organization_id, site_id, day, words, searches, unfound)
    select ${org.id}, ${site.id}, current_date - n, ${long} || n, n, n from generate_series(1, 20) n`)
  await app.db.run(sql`
    insert into site_missing_paths (organization_id, site_id, day, path, requests)
    select ${org.id}, ${site.id}, current_date - n, ${`/${long}`} || n, n from generate_series(1, 20) n`)
  await app.db.run(sql`
    insert into site_page_ratings (organization_id, site_id, day, space_id, page_id, helpful, unhelpful)
    select ${org.id}, ${site.id}, current_date, ${space.id}, gen_random_uuid(), n, n from generate_series(1, 20) n`)
  await app.db.run(sql`
    insert into site_page_remarks (organization_id, site_id, day, id, space_id, page_id, text)
    select ${org.id}, ${site.id}, current_date, gen_random_uuid(), ${space.id}, gen_random_uuid(), ${long} || n
    from generate_series(1, 20) n`)
  for (const path of ['insights', 'insights/missing', 'insights/ratings', 'insights/remarks'])
    await check(`${home}/sites/${site.id}/${path}`)
  for (const path of ['/specifications', '/specifications/shop', '/webhooks', `/webhooks/${hook.id}`])
    await check(home + path)
  for (const path of ['/single-sign-on', `/single-sign-on/${provider.id}`, '/record']) await check(home + path)
  assert.deepEqual(problems, [])
  await context.close()
})

test('right-to-left text runs from right to left in titles, lists, changes and pages', async () => {
  const org = await anOrganization(app)
  const hebrew = 'שלום (API)'
  const space = await aLiveSpace(app, org)
  await space.edit({ operation: 'insert_page', document: { markdown: '# Tea\n' } })
  await org.admin.client.patch(space.path, { title: hebrew })
  const request = await space.changeRequest()
  const [tea] = (await space.who.get(`${space.path}/content/pages`)).body.pages
  const text = { markdown: `# ${hebrew}\n\n${hebrew}\n\n* ${hebrew}\n` }
  await request.edit({ operation: 'update_page', page: tea.id, document: text })
  await org.admin.client.patch(request.path, { subject: hebrew, description: hebrew })
  const { page } = await open()
  const at = `/app/o/${org.id}/s/${space.id}`
  await page.goto(at)
  await signIn(page, org.admin.user.email)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // For each text that ends with `(API)`: whether the closing bracket is left of the Hebrew letters.
  const leftmost = (query: string) =>
    page.evaluate(`[...document.querySelectorAll(${JSON.stringify(query)})].filter((each) => each.textContent.trim().endsWith('(API)')).map((each) => {
      const walk = document.createTreeWalker(each, NodeFilter.SHOW_TEXT)
      let last
      while (walk.nextNode()) if (walk.currentNode.data.includes('(API)')) last = walk.currentNode
      const box = (from, to) => { const range = new Range(); range.setStart(last, from); range.setEnd(last, to); return range.getBoundingClientRect() }
      const end = last.data.indexOf(')')
      return box(end, end + 1).left < box(last.data.indexOf('ש'), last.data.indexOf('ש') + 1).left
    })`)
  assert.deepEqual(await leftmost('h1'), [true])
  assert.deepEqual(await leftmost('.row-main strong'), [true])
  await page.goto(`${at}/~/changes/1`)
  assert.deepEqual(await leftmost('h1, .review-space a, .review-text p'), [true, true, true])
  assert.deepEqual(await leftmost('.diff .added code'), [true, true])
  await page.goto(`${at}/~/changes/1/tea`)
  assert.deepEqual(await leftmost('h1, .work-text :is(p, li)'), [true, true, true])
})

test('the code of a box can be copied, and no button offers it if the browser cannot copy', async () => {
  const { context, page } = await open()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  await page.hover('.code')
  // Waiting starts before the action, because the mark is shown only briefly.
  const copiedNow = page.waitForSelector('.copy[data-done]')
  await page.click('.code .copy')
  await copiedNow
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), await page.textContent('.code pre code'))

  // Browsers offer no clipboard to pages that come over plain HTTP from another machine.
  await context.addInitScript('Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined })')
  await page.goto('/')
  await page.waitForFunction('document.readyState === "complete"')
  assert.equal(await page.locator('.copy').count(), 0)
  await context.close()
})
