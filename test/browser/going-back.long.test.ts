// Going back in a real browser: the browser restores the values of fields in a page that is loaded anew.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { petstore } from '../../src/openapi/testing/petstore.ts'
import { putSpec } from '../../src/openapi/testing/specs.ts'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import { startApp } from '../app.ts'
import { startBrowser } from './browser.ts'
import { newPage } from '../editing.ts'
import { aSite, expect } from '../visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()

/** Opens a browser for the administrator of a new site. */
async function atWork() {
  const site = await aSite(app)
  const { secret } = await aSession(app, site.org.admin)
  const context = await browser.newContext({ baseURL: app.url, viewport: { width: 1280, height: 800 } })
  after(() => context.close())
  await context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  return { site, page, home: `/app/o/${site.org.id}` }
}

const all = `[...document.forms].filter((form) => form.querySelector('[name^=seen]')).flatMap((form) =>
  [...form.elements].filter((each) => each.name && each.type !== 'hidden' && each.type !== 'file' && each.type !== 'submit'))`

/** Types into every field of the forms that record what was seen, and changes every choice. */
const fillIn = `(${all}).map((each) => {
  if (each.type === 'checkbox' || each.type === 'radio') each.checked = !each.checked
  else if (each.tagName === 'SELECT') each.selectedIndex = (each.selectedIndex + 1) % each.options.length
  else each.value += 'x'
}).length`

/** Fields of these forms whose value the server did not write. */
const brought = `(${all}).filter((each) => each.tagName === 'SELECT'
  ? [...each.options].some((option) => option.defaultSelected && !option.selected)
  : each.checked !== each.defaultChecked || (each.type !== 'checkbox' && each.type !== 'radio' && each.value !== each.defaultValue))
  .map((each) => each.form.getAttribute('action').replace(/.*[0-9a-f-]{36}/, '') + ' ' + each.name)`

test('going back restores no typed values in forms that record what was seen', async () => {
  const { site, page, home } = await atWork()
  const { who, org } = site
  const make = async (path: string, body: object) => expect(await who.post(path, body), 201).id as string
  const collection = await make(`/v1/orgs/${org.id}/collections`, { title: 'Drinks' })
  const section = await make(`${site.path}/sections`, { spaceId: site.space.id, title: 'Tea' })
  await make(`${site.path}/section-groups`, { title: 'More', sections: [section] })
  const destination = { kind: 'external', url: 'https://example.org/' }
  const redirect = await make(`${site.path}/redirects`, { source: '/old', destination })
  const webhook = await make(`/v1/orgs/${org.id}/webhooks`, { url: 'https://example.org/', events: ['site_published'] })
  const provider = await make(`/v1/orgs/${org.id}/saml`, { label: 'Company' })
  await putSpec(who, org.id, 'shop', { text: JSON.stringify(petstore) })
  const member = await org.member('edit')
  const users = [member.id]
  const team = expect(await who.put(`/v1/orgs/${org.id}/teams`, { title: 'Team', members: users }), 201).id
  expect(await who.post(`${site.space.path}/permissions`, { role: 'edit', users }), 204)
  await (await site.space.changeRequest()).edit(newPage('Cups'))
  const space = `${home}/s/${site.space.id}/~`
  const inSite = `${home}/sites/${site.id}`
  const pages = [
    ...['settings', 'access', 'git', 'changes/1'].map((each) => `${space}/${each}`),
    ...['', '/sections', `/sections/${section}`, '/look', `/redirects/${redirect}`, '/address', '/claims'].map(
      (each) => inSite + each,
    ),
    ...['settings', `c/${collection}/settings`, `people/${member.id}`, `teams/${team}`, 'people/invites'].map(
      (each) => `${home}/${each}`,
    ),
    ...['specifications/shop', `webhooks/${webhook}`, 'single-sign-on', `single-sign-on/${provider}`].map(
      (each) => `${home}/${each}`,
    ),
  ]
  const found: Record<string, string[]> = {}
  let fields = 0
  for (const path of pages) {
    await page.goto(path)
    fields += await page.evaluate<number>(fillIn)
    await page.goto('/account')
    await page.goBack()
    const left = await page.evaluate<string[]>(brought)
    if (left.length > 0) found[path.replaceAll(/[0-9a-f-]{36}/g, '…')] = left
  }
  assert.deepEqual(found, {})
  assert.ok(fields > 60, `${fields}`)
})
