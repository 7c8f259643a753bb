// In a real browser: where an author continues to write when the editor shows what somebody else has changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { hold, openEditor, openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

const first = '# Tea\n\nHot.\n\nCold.\n\nMild.\n\nWarm.\n'

/** Types in one paragraph, puts the cursor behind others, and saves after somebody else has changed the page. */
const writers = {
  async Markdown(words: string, markdown: string) {
    const { page, field, choose, text, request, id } = await openEditor(app, browser, first)
    const behind = async (each: string) => {
      await field.focus()
      await choose((await text()).indexOf(each) + each.length)
    }
    await behind('Hot.')
    await page.keyboard.type(' Tea.')
    await behind(words)
    await request.edit({ operation: 'update_page', page: id, document: { markdown } })
    await page.keyboard.press('Control+s')
    return { page, text, behind }
  },
  async Visual(words: string, markdown: string) {
    const { page, behind, type, text, request, id } = await openVisual(app, browser, first)
    await behind('Hot.')
    await type(' Tea.')
    await behind(words)
    await request.edit({ operation: 'update_page', page: id, document: { markdown } })
    await page.keyboard.press('Control+s')
    return { page, text, behind }
  },
}

const isShown = (page: Page) => page.getByText(/together with what .* since you opened it\.$/).waitFor()

async function becomes(page: Page, text: () => Promise<string>, expected: string) {
  await untilTrue(page, `field.value === ${JSON.stringify(expected)}`).catch(() => undefined)
  assert.equal(await text(), expected)
}

for (const [way, save] of Object.entries(writers)) {
  test(`after a common save as ${way}, the cursor is beside the same words, whatever was written around them`, async () => {
    const cases = [
      { theirs: 'Iced.\n\nCool.\n\nMild.\n\nNew.\n\nWarm.\n', now: 'Mild.!' },
      { theirs: 'New.\n\nNew.\n\nCold.\n\nMild, not hot.\n\nWarm.\n', now: 'Mild, not hot.!' },
      { theirs: 'Mild.\n\nCold.\n\nWarm.\n', now: 'Mild.!' },
    ]
    for (const { theirs, now } of cases) {
      const { page, text } = await save('Mild.', `# Tea\n\nHot.\n\n${theirs}`)
      await isShown(page)
      await page.keyboard.type('!')
      await becomes(page, text, `# Tea\n\nHot. Tea.\n\n${theirs.replace(now.slice(0, -1), now)}`)
    }
  })

  test(`after a common save as ${way}, nothing is typed into other lines because those at the cursor were removed`, async () => {
    const { page, text, behind } = await save('Mild.', first.replace('Mild.\n\n', ''))
    await page.getByText('They have removed the lines where your cursor is').waitFor()
    await page.keyboard.type('!')
    await becomes(page, text, first.replace('Hot.', 'Hot. Tea.').replace('Mild.', 'Mild.!'))
    await page.keyboard.press('Backspace')
    await becomes(page, text, first.replace('Hot.', 'Hot. Tea.'))
    await behind('Warm.')
    await page.keyboard.press('Control+s')
    await isShown(page)
    await becomes(page, text, first.replace('Hot.', 'Hot. Tea.').replace('Mild.\n\n', ''))
  })
}

test('after a common save, a new line that is still empty is between the same lines as before', async () => {
  const { page, field, choose, text, request, id } = await openEditor(app, browser, first)
  await field.focus()
  await choose(first.indexOf('\n\nMild'))
  await page.keyboard.type('\n\nIced.\n\n')
  const markdown = first.replace('Hot.', 'New.\n\nNew.\n\nHot.').replace('Warm.', 'New.\n\nNew.\n\nWarm.')
  await request.edit({ operation: 'update_page', page: id, document: { markdown } })
  await page.keyboard.press('Control+s')
  await isShown(page)
  await page.keyboard.type('Cool.')
  assert.equal(await text(), markdown.replace('Cold.', 'Cold.\n\nIced.\n\nCool.'))
})

test('words that are composed while the place of the cursor is asked for are there once, and later saves show all', async () => {
  const hasSigns = (request: Request) => /%EF%B7%90|\uFDD0/.test(request.postData() ?? '')
  for (const isFinished of [true, false]) {
    const { page, behind, type, text, request, id } = await openVisual(app, browser, first)
    const keyboard = await page.context().newCDPSession(page)
    await behind('Cold.')
    await type(' Ice')
    const markdown = first.replace('Warm.', 'Warm, but not for long.')
    await request.edit({ operation: 'update_page', page: id, document: { markdown } })
    const { sent, letThrough } = await hold(page, hasSigns)
    await page.keyboard.press('Control+s')
    await sent
    await keyboard.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
    if (isFinished) await keyboard.send('Input.insertText', { text: '日' })
    letThrough()
    await untilTrue(page, '!isWorking')
    if (!isFinished) await keyboard.send('Input.insertText', { text: '日' })
    await becomes(page, text, first.replace('Cold.', 'Cold. Ice日'))
    await page.keyboard.press('Control+s')
    await isShown(page)
    await becomes(page, text, markdown.replace('Cold.', 'Cold. Ice日'))
    await type('!')
    await becomes(page, text, markdown.replace('Cold.', 'Cold. Ice日!'))
  }
})

test('what is clicked and typed while a common save is on its way to the editor is where it was done', async () => {
  const first = '# Tea\n\nHot.\n\nWarm.\n\nMild.\n\nCool.\n\nCold.\n\nIced.\n'
  const markdown = first.replace('Warm.', 'New.\n\nWarm.').replace('Iced.', 'New.\n\nIced.')
  const [mine, both] = [first, markdown].map((each) => each.replace('# Tea', '# Tea time')) as [string, string]
  for (const typed of ['!', '']) {
    const { page, visual, behind, key, type, text, request, id } = await openVisual(app, browser, first)
    await behind('Tea')
    await type(' time')
    await request.edit({ operation: 'update_page', page: id, document: { markdown } })
    const { sent, letThrough } = await hold(page, (each) => each.url().endsWith('/visual'))
    await key('Control+s')
    await sent
    await visual.getByText('Cool.').click()
    await key('End')
    await type(typed)
    letThrough()
    await untilTrue(page, '!isWorking')
    await becomes(page, text, typed === '' ? both : mine.replace('Cool.', 'Cool.!'))
    if (typed === '') await type('!')
    else await key('Control+s')
    await becomes(page, text, both.replace('Cool.', 'Cool.!'))
  }
})

test('an author who has put the cursor nowhere sees what was saved together, and continues there', async () => {
  const described = '---\ndescription: Hot\n---\n\n# Tea\n\nHot.\n'
  for (const after of ['', '\n{% hint style="info" %}\nCold.\n{% endhint %}\n']) {
    const { page, visual, key, type, text, request, id } = await openVisual(app, browser, described + after)
    await page.getByRole('button', { name: 'Page settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Page settings' })
    await settings.getByRole('textbox', { name: 'Description' }).fill('Warm')
    await settings.getByRole('button', { name: 'OK' }).click()
    await untilTrue(page, "field.value.includes('Warm')")
    const markdown = described.replace('Hot.', 'Hot, not cold.') + after
    await request.edit({ operation: 'update_page', page: id, document: { markdown } })
    await key('Control+s')
    await isShown(page)
    await becomes(page, text, markdown.replace(': Hot', ': Warm'))
    await visual.getByText('Hot, not cold.').click()
    await key('End')
    await type('!')
    await becomes(page, text, markdown.replace(': Hot', ': Warm').replace('cold.', 'cold.!'))
  }
})

test('a cursor in a line that is not written in standard Markdown stays there on a common save', async () => {
  for (const line of ['Hot *and* warm.', '__Hot__ &amp; warm.', '|a|warm.|\n|-|-|\n|b|c|', '* Hot\n*   warm.']) {
    const first = `# Tea\n\nCold.\n\n${line}\n\nMild.\n`
    const { page, visual, behind, key, type, text, request, id } = await openVisual(app, browser, first)
    await behind('Cold.')
    await type(' Ice')
    await visual.getByText('warm.').click()
    await key('End')
    const markdown = first.replace('Mild.', 'Mild, not hot.')
    await request.edit({ operation: 'update_page', page: id, document: { markdown } })
    await key('Control+s')
    await isShown(page)
    await becomes(page, text, markdown.replace('Cold.', 'Cold. Ice'))
    await type('!')
    await untilTrue(page, `/warm\\.!/.test(field.value)`)
  }
})

test('a button used by keyboard after a common save does what it does at the place of the cursor', async () => {
  const { page, behind, key, type, text, request, id } = await openVisual(app, browser, first)
  await behind('Hot.')
  await type(' Tea.')
  await behind('Cold.')
  const markdown = first.replace('Warm.', 'Warm, but not for long.')
  await request.edit({ operation: 'update_page', page: id, document: { markdown } })
  const button = page.getByRole('toolbar').getByRole('button', { name: 'Hint', exact: true })
  await button.focus()
  await key('Control+s')
  await isShown(page)
  await button.press('Enter')
  await untilTrue(page, "field.value.includes('hint') && !isWorking")
  assert.match(await text(), /Cold\.\n\n\{% hint[^]*\n\nMild\./)
})

test('a menu that is open on a common save stays open, and does what it says', async () => {
  const { page, behind, key, type, text, request, id } = await openVisual(app, browser, first)
  await behind('Cold.')
  await key('Enter')
  await type('/quo')
  const markdown = first.replace('Warm.', 'Warm, but not for long.')
  await request.edit({ operation: 'update_page', page: id, document: { markdown } })
  await key('Control+s')
  await page.getByText('You see that here when you save again').waitFor()
  await key('Enter')
  await type('Mild')
  await becomes(page, text, first.replace('Cold.', 'Cold.\n\n> Mild'))
})
