// A page as members read it in the app, in a real browser: near to what readers of a site see.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aSession } from '../../src/sessions/testing/signed-in.ts'
import { startApp } from '../app.ts'
import { aLiveSpace } from '../editing.ts'
import { expect } from '../visitor.ts'
import { flaws } from './accessible.ts'
import { startBrowser } from './browser.ts'

const browser = await startBrowser()
const app = await startApp()

/** Somebody who reads a page of this text. */
async function openPage(text: string, width = 1280) {
  const space = await aLiveSpace(app)
  expect(await space.edit({ operation: 'insert_page', document: { markdown: `# Tea\n\n${text}\n` } }), 200)
  const { secret } = await aSession(app, space.org.admin)
  const context = await browser.newContext({ baseURL: app.url, viewport: { width, height: 800 } })
  after(() => context.close())
  await context.addCookies([{ name: 'lectern-session', value: secret, url: app.url }])
  const page = await context.newPage()
  await page.goto(`/app/o/${space.org.id}/s/${space.id}/tea`)
  const boxOf = async (words: string) => (await page.getByText(words, { exact: true }).boundingBox())!
  return { page, boxOf, text: page.locator('.work-text') }
}

test('a wide table keeps its words whole and its columns aligned, and goes on to the side on a phone', async () => {
  const { page } = await openPage(
    '| Option | Meaning | Default | Since | Notes |\n| --- | --- | :-: | --: | --- |\n| `--a-very-long-option-name` | What it does, in a sentence | none | 1.0 | See also the other one |',
    390,
  )
  const linesOf = (words: string) =>
    page.evaluate<number>(`(() => {
      const cells = [...document.querySelectorAll('th, td')]
      const range = document.createRange()
      range.selectNodeContents(cells.find(({ textContent }) => textContent === '${words}'))
      return new Set([...range.getClientRects()].map(({ top }) => top)).size
    })()`)
  for (const name of ['Meaning', 'Default', 'Since', 'Notes']) assert.equal(await linesOf(name), 1, name)
  assert.ok((await linesOf('What it does, in a sentence')) <= 3)
  const sides = await page.evaluate(
    `[...document.querySelectorAll('td')].map((cell) => getComputedStyle(cell).textAlign)`,
  )
  assert.deepEqual(sides, ['start', 'start', 'center', 'right', 'start'])
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  assert.deepEqual(await flaws(page), [])
})
