// A page as members read it in the app, in a real browser: close to what readers of a site see.
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

/** Opens a page with this text in the app. */
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

test('a wide table keeps its words whole and columns aligned, and does not widen the page on a phone', async () => {
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

test('columns are side by side, and cards are shown as cards, without their column names', async () => {
  const head =
    '<thead><tr><th>Name</th><th>About</th><th data-hidden data-card-target data-type="content-ref">Target</th></tr></thead>'
  const card = (name: string, to: string) =>
    `<tr><td><strong>${name}</strong></td><td>About ${name}.</td><td>${to}</td></tr>`
  const text = `{% columns %}\n{% column %}\nLeft\n{% endcolumn %}\n\n{% column %}\nRight\n{% endcolumn %}\n{% endcolumns %}\n\n<table data-view="cards">${head}<tbody>${card('Pots', '<a href="https://example.org">All pots</a>')}${card('Cups', '')}</tbody></table>`
  const { page, boxOf } = await openPage(text)
  const [left, right] = [await boxOf('Left'), await boxOf('Right')]
  assert.equal(left.y, right.y)
  assert.ok(left.x < right.x)
  const [pots, cups, about] = [await boxOf('Pots'), await boxOf('Cups'), await boxOf('About Pots.')]
  assert.equal(pots.y, cups.y)
  assert.ok(pots.x < cups.x && about.y > pots.y)
  assert.ok(await page.getByText('Target', { exact: true }).isHidden())
  assert.ok(await page.getByRole('link', { name: 'All pots' }).isVisible())
  assert.deepEqual(await flaws(page), [])
})

test('tasks have no bullet, and a fold shows that it opens', async () => {
  const { page } = await openPage(
    '- [x] Boil\n- [ ] Pour\n\n<details>\n\n<summary>More</summary>\n\nHidden words.\n\n</details>',
  )
  assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('.work-text li')).listStyleType`), 'none')
  const summary = page.locator('.work-text summary')
  const mark = () =>
    page.evaluate(
      `(({ width, rotate }) => [width, rotate])(getComputedStyle(document.querySelector('.work-text summary'), '::before'))`,
    )
  assert.deepEqual(await mark(), ['6px', '45deg'])
  await summary.click()
  assert.deepEqual(await mark(), ['6px', '135deg'])
  assert.ok(await page.getByText('Hidden words.').isVisible())
})

test('the box of a task is beside its words, also in a list with paragraphs, and these begin where those of others do', async () => {
  const { page } = await openPage('- Plain\n- [ ] Tight\n\nNow:\n\n- [x] Loose\n\n  More of it.\n\n- [ ] Last')
  const [plain, ...tasks] = await page.evaluate<{ left: number; off: number }[]>(`(() => {
    const middle = ({ top, bottom }) => (top + bottom) / 2
    return [...document.querySelectorAll('.work-text li')].map((item) => {
      const nodes = document.createTreeWalker(item, NodeFilter.SHOW_TEXT, (node) => node.data.trim() ? 1 : 2)
      const words = document.createRange()
      words.setStart(nodes.nextNode(), nodes.currentNode.data.search(/\\S/))
      words.setEndAfter(nodes.currentNode)
      const [at, box] = [words.getBoundingClientRect(), item.querySelector('input')?.getBoundingClientRect()]
      return { left: at.left, off: box ? Math.abs(middle(box) - middle(at)) : 0 }
    })
  })()`)
  assert.equal(tasks.length, 3)
  for (const { left, off } of tasks)
    assert.ok(Math.abs(left - plain!.left) < 1 && off < 3, `${left - plain!.left}, ${off}`)
})

test('tasks with numbers keep them', async () => {
  const { page } = await openPage('1. [ ] Boil\n2. [x] Pour')
  const item = page.locator('.work-text li').first()
  assert.equal(
    await page.evaluate(`getComputedStyle(document.querySelector('.work-text li')).listStyleType`),
    'decimal',
  )
  const [box, own] = [(await item.locator('input').boundingBox())!, (await item.boundingBox())!]
  assert.ok(box.x >= own.x)
})

test('tables have the chosen column widths, tick boxes and stars, and no header that was hidden', async () => {
  const head =
    '<th width="100">Name</th><th width="300">About</th><th data-type="checkbox">Done</th><th data-type="rating" data-max="3">Stars</th>'
  const row =
    '<tr><td>Pot</td><td>Green</td><td>true</td><td>2</td></tr><tr><td>Cup</td><td>Red</td><td>false</td><td>many</td></tr>'
  const { text } = await openPage(
    `<table><thead><tr>${head}</tr></thead><tbody>${row}</tbody></table>\n\n` +
      '<table data-header-hidden><thead><tr><th>Hidden</th></tr></thead><tbody><tr><td>Seen</td></tr></tbody></table>',
  )
  const widthOf = async (name: string) => (await text.getByRole('columnheader', { name }).boundingBox())!.width
  assert.deepEqual([Math.round(await widthOf('Name')), Math.round(await widthOf('About'))], [100, 300])
  const boxes = text.getByRole('cell').getByRole('checkbox')
  assert.deepEqual(
    [await boxes.count(), await boxes.nth(0).isChecked(), await boxes.nth(1).isChecked()],
    [2, true, false],
  )
  await text.getByRole('img', { name: '2/3' }).getByText('★★☆').waitFor()
  assert.ok(await text.getByRole('cell', { name: 'many' }).isVisible())
  assert.ok(await text.getByText('Seen').isVisible())
  assert.ok(!(await text.getByText('Hidden').isVisible()))
})

test('the title of a card that is a heading is at the top of the card', async () => {
  const { page } = await openPage(
    '<table data-view="cards"><thead><tr><th></th></tr></thead><tbody><tr><td><h4>Pots</h4></td></tr></tbody></table>',
  )
  const [card, title] = await page.evaluate<[number, number]>(
    `['tbody tr', 'h4'].map((each) => document.querySelector('.work-text [data-view] ' + each).getBoundingClientRect().top)`,
  )
  assert.ok(title - card < 20)
})

test('a divider is a thin line in a colour of the page', async () => {
  const { page } = await openPage('Above\n\n***\n\nBelow')
  const line = await page.evaluate(
    `(({ borderTopStyle, borderBottomWidth, width }) => [borderTopStyle, borderBottomWidth, width])(getComputedStyle(document.querySelector('.work-text hr')))`,
  )
  const { width } = (await page.locator('.work-text').boundingBox())!
  assert.deepEqual(line, ['solid', '0px', `${width}px`])
})
