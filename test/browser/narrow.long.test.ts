// A published site in a real browser: whatever authors write, the page itself never scrolls sideways.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { startBrowser } from './browser.ts'
import { newPage, newReference } from '../editing.ts'
import { putSpec } from '../../src/openapi/testing/specs.ts'
import { aSite, expect } from '../visitor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()

async function openPage(text: string, width: number, language = 'en'): Promise<Page> {
  const site = await aSite(app, { pages: [newPage('Text', { document: { markdown: `# Text\n\n${text}\n` } })] })
  expect(await site.who.patch(site.space.path, { language }), 200)
  const context = await browser.newContext({ viewport: { width, height: 800 } })
  after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${app.url}${site.address}`)
  return page
}

/** Elements that extend beyond the right edge of the block around them, or of the page. */
const standingOut = `(() => {
  const around = 'html, main, .fold, .hint, .update, .card, .step'
  return [...document.querySelectorAll('.prose *')]
    .filter((each) => !each.closest('pre, .table, math, svg'))
    .filter((each) => each.getBoundingClientRect().right > each.parentElement.closest(around).getBoundingClientRect().right + 1)
    .map((each) => each.outerHTML.slice(0, 80))
})()`

const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const blocks = {
  'a button': `<a href="https://example.com" class="button primary">${word}</a>`,
  'a key': `Press <kbd>${word}</kbd> or <kbd>Ctrl</kbd>`,
  'a fold': `<details>\n\n<summary>${word}</summary>\n\n${word}\n\n</details>`,
  'a prompt': `{% prompt description="${word}" %}\n${word}\n{% endprompt %}`,
  'an update': `{% updates %}\n{% update date="2026-11-12" tags="${word},b" %}\n## ${word}\n\n${word}\n{% endupdate %}\n{% endupdates %}`,
}

for (const [name, text] of Object.entries(blocks)) {
  test(`${name} with an unbreakable word stays within the page`, async () => {
    for (const width of [320, 820]) {
      const page = await openPage(text, width)
      assert.deepEqual(await page.evaluate(standingOut), [], String(width))
      assert.ok(await page.evaluate(`document.documentElement.scrollWidth <= ${width}`))
    }
  })
}

test('API models with very long names stay within the page, and overflow no heading', async () => {
  const name = `Model${'WithAVeryLongName'.repeat(6)}`
  const properties = { [`property_${'of_it_'.repeat(12)}`]: { type: 'string' }, id: { type: 'string', format: 'uuid' } }
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {},
    components: { schemas: { [name]: { type: 'object', properties }, Short: { type: 'object', properties } } },
  }
  const site = await aSite(app, { pages: [newPage('Text')] })
  await putSpec(site.who, site.org.id, 'things', { text: JSON.stringify(spec) })
  expect(await site.space.edit(newReference('API', { spec: 'things' })), 200)
  const page = await browser.newPage()
  after(() => page.close())
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${app.url}${site.address}models`)
    await page.getByRole('heading', { name }).waitFor()
    assert.deepEqual(await page.evaluate(standingOut), [], String(width))
    assert.ok(await page.evaluate(`document.documentElement.scrollWidth <= ${width}`), String(width))
    const over = `[...document.querySelectorAll('main :is(h1, h2, h3)')].filter((each) => each.scrollWidth > each.clientWidth).length`
    assert.equal(await page.evaluate(over), 0, String(width))
  }
})

test('a long formula in a text scrolls in its own box, by keyboard too, and short ones are on the line', async () => {
  const long = Array.from({ length: 40 }, (_, number) => `x_{${number}}`).join('+')
  const page = await openPage(`Take $$${long}$$ and add it up.\n\n- Or $$${long}$$ here.\n\nThen $$a$$ is done.`, 320)
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 320'))
  const boxes = page.locator('.prose [tabindex="0"]:has(math)')
  await boxes.nth(1).waitFor()
  assert.equal(await boxes.count(), 2)
  assert.ok(await boxes.first().evaluate((box: any) => box.scrollWidth > box.clientWidth))
  // The letters of a formula are on the same base line as the words around it.
  const [before, formula] = await page.evaluate<number[]>(`(() => {
    const math = document.querySelector('.prose p:last-child math')
    const probe = (at) => {
      const mark = document.createElement('span')
      mark.style.display = 'inline-block'
      at.before(mark)
      const { bottom } = mark.getBoundingClientRect()
      mark.remove()
      return bottom
    }
    const inside = math.closest('span') ?? math
    return [probe(inside), math.getBoundingClientRect().bottom]
  })()`)
  assert.ok(Math.abs(before! - formula!) < 4, `${before} ${formula}`)
})

test('in right-to-left text, a long formula is shown from its beginning', async () => {
  const long = Array.from({ length: 40 }, (_, number) => `x_{${number}}`).join('+')
  const page = await openPage(`A $$${long}$$ within.\n\n$$\n${long}\n$$`, 390, 'ar')
  const starts = await page.evaluate<number[][]>(`[...document.querySelectorAll('.formula, .math')].map((box) =>
    [box, box.querySelector('math')].map((each) => each.getBoundingClientRect().left))`)
  assert.equal(starts.length, 2)
  for (const [box, formula] of starts) assert.ok(Math.abs(box! - formula!) < 4, `${box} ${formula}`)
})
