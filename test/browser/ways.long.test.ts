// Switching between the visual editor and Markdown, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { png } from '../every-content.ts'
import { hold, openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

const press = (page: Page, way: 'Visual' | 'Markdown') =>
  page.getByRole('group', { name: 'Way of writing' }).getByRole('button', { name: way }).click()

async function switchTo(page: Page, way: 'Visual' | 'Markdown') {
  await press(page, way)
  await untilTrue(page, `asSeen.isOn === ${way === 'Visual'} && !isWorking`)
}

test('switching between the editors keeps the cursor where it was, and shows it', async () => {
  const long = `# Tea\n\n${Array.from({ length: 60 }, (_, at) => `Cup ${at}.\n\n`).join('')}`
  const { behind, type, becomes, page, field } = await openVisual(app, browser, long)
  await behind('Cup 30.')
  await type(' Hot')
  await switchTo(page, 'Markdown')
  await type(' tea')
  await becomes(long.replace('Cup 30.', 'Cup 30. Hot tea'))
  assert.ok((await field.evaluate(({ scrollTop }) => scrollTop)) > 200)
  await switchTo(page, 'Visual')
  await type(' now')
  await becomes(long.replace('Cup 30.', 'Cup 30. Hot tea now'))
})

test('the visual editor opens with all of its tools, although some scripts arrive later than the page', async () => {
  const { page, visual } = await openVisual(app, browser, '# Tea\n\n{% hint style="info" %}\nHot\n{% endhint %}\n')
  await page.route(/visual-(?:parts|cards)/, async (route) => {
    await sleep(1500)
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await visual.getByRole('button', { name: 'Kind', includeHidden: true }).waitFor({ state: 'attached' })
})

test('what is typed as Markdown until the visual editor is there is in it', async () => {
  const { page, field, choose, visual, type, becomes } = await openVisual(app, browser, '# Tea\n\nHot\n\nCold\n')
  await switchTo(page, 'Markdown')
  const { sent, letThrough } = await hold(page, (request) => request.url().endsWith('/visual'))
  await press(page, 'Visual')
  await sent
  await field.focus()
  await choose('# Tea\n\nHot'.length)
  await type(' tea')
  letThrough()
  await visual.getByText('Hot tea').waitFor()
  await type('!')
  await becomes('# Tea\n\nHot tea!\n\nCold\n')
})

test('the visual editor opens when files that are on their way to the Markdown have arrived there', async () => {
  const { page, field, choose, visual, behind, type, text } = await openVisual(app, browser, '# Tea\n\nHot\n\nCold\n')
  await switchTo(page, 'Markdown')
  await field.focus()
  await choose('# Tea\n\nHot'.length)
  const { sent, letThrough } = await hold(page, (request) => request.url().endsWith('/files'))
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'pot.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') })
  await sent
  await press(page, 'Visual')
  await page.getByText('The visual editor opens once the files are uploaded').waitFor()
  assert.ok(await visual.isHidden())
  letThrough()
  await visual.getByRole('button', { name: 'Picture: pot' }).waitFor()
  assert.equal(await page.getByText('The visual editor opens once').count(), 0)
  await behind('Cold')
  await type('!')
  await untilTrue(page, "field.value.includes('Cold!')")
  assert.match(await text(), /^# Tea\n\nHot!\[pot\]\(\/files\/[\w-]+\)\n\nCold!\n$/)
})
