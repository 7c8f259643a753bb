// The reader chooses which server the samples of an API call, in a real browser.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { everything } from '../../src/openapi/testing/everything.ts'
import { putSpec } from '../../src/openapi/testing/specs.ts'
import { flaws } from './accessible.ts'
import { startApp } from '../app.ts'
import { startBrowser } from './browser.ts'
import { newPage } from '../editing.ts'
import { aSite } from '../visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()

const operation = '{% openapi-operation spec="parcels" path="/parcels" method="post" %}\n{% endopenapi-operation %}'
const pages = ['Welcome', 'Once', 'Twice'].map((title, at) =>
  newPage(title, { document: { markdown: `# ${title}\n\n${`${operation}\n\n`.repeat(at)}` } }),
)

async function aReader(options: { javaScriptEnabled?: boolean } = {}) {
  const site = await aSite(app, { pages })
  await putSpec(site.who, site.org.id, 'parcels', { text: JSON.stringify(everything) })
  const context = await browser.newContext({ baseURL: app.url, ...options })
  after(() => context.close())
  const page = await context.newPage()
  const samples = async () =>
    (await page.locator('.op-aside .code:first-of-type pre code').allTextContents()).map(
      (code) => /https?:\/\/[^'"]+/.exec(code)![0],
    )
  return { site, page, samples }
}

test('API samples call the server that a reader chooses, with their values, on this page and the next', async () => {
  const { site, page, samples } = await aReader()
  await page.goto(`${site.address}twice`)
  const calls = async (address: string, count: number) =>
    assert.deepEqual(
      await samples(),
      Array.from({ length: count }, () => `${address}/parcels`),
    )
  // Two operations with samples in three languages each.
  await calls('https://api.example.com/v2', 6)

  const box = page.locator('.servers').first()
  await box.locator('summary').click()
  await box.getByRole('combobox', { name: 'region' }).selectOption('us')
  await calls('https://us.example.com:8443/v2', 6)
  assert.equal(await page.locator('.servers summary code').nth(1).textContent(), 'https://us.example.com:8443/v2')
  await box.getByRole('textbox', { name: 'port' }).fill('')
  await calls('https://us.example.com:{port}/v2', 6)
  await box.getByRole('textbox', { name: 'port' }).fill('<b>1')
  await calls('https://us.example.com:<b>1/v2', 6)
  assert.equal(await page.locator('.op b', { hasText: '1' }).count(), 0)

  await page.goto(`${site.address}once`)
  await calls('https://us.example.com:<b>1/v2', 3)
  await page.locator('.servers summary').click()
  assert.deepEqual(await flaws(page), [])
  await page.getByRole('radio', { name: '/local' }).check()
  await calls('https://api.example.com/local', 3)
  await page.goto(`${site.address}twice`)
  await calls('https://api.example.com/local', 6)

  // Invalid values in local storage do no harm: the default server is used, and the search still opens.
  for (const kept of ['{', 'null', '"x"', '{"url":"/local"}']) {
    await page.evaluate(
      `for (const key of Object.keys(localStorage)) if (key.includes('server:')) localStorage[key] = ${JSON.stringify(kept)}`,
    )
    await page.reload()
    await calls('https://api.example.com/v2', 6)
    await page.keyboard.press('/')
    await page.locator('dialog[open]').waitFor()
  }
})

test('without script, all API servers are listed and no input is shown', async () => {
  const { site, page, samples } = await aReader({ javaScriptEnabled: false })
  await page.goto(`${site.address}once`)
  assert.equal((await samples())[0], 'https://api.example.com/v2/parcels')
  await page.locator('.servers summary').click()
  const text = await page.locator('.servers').innerText()
  for (const part of ['Production', '{region}', 'eu', 'us', 'Default: 8443', '/local', 'On this machine'])
    assert.ok(text.includes(part), part)
  assert.equal(await page.locator('.servers :is(input, select):visible').count(), 0)
})
