// Writing a page without seeing its Markdown, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { flaws } from './accessible.ts'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { newPage } from '../editing.ts'
import { png } from '../every-content.ts'
import { openEditor } from './editor.ts'
import { until } from '../until.ts'

const browser = await startBrowser()
const app = await startApp()

/** Somebody who has the page open as it is seen. */
async function aWriter(markdown: string, ...others: object[]) {
  const opened = await openEditor(app, browser, markdown, ...others)
  const { page, text } = opened
  await page.getByRole('button', { name: 'Visual' }).click()
  const visual = page.getByRole('textbox', { name: 'The page as it is seen' })
  await visual.locator('h1').waitFor()
  const key = (name: string) => page.keyboard.press(name)
  const type = (words: string) => page.keyboard.type(words)
  const tool = (name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true }).click()
  /** Behind some words, as with a click and the End key. */
  const behind = async (words: string) => {
    await visual.getByText(words, { exact: true }).click()
    await key('End')
  }
  const becomes = async (expected: string) => {
    await until('the text', async () => (await text()) === expected, 10_000).catch(() => undefined)
    assert.equal(await text(), expected)
  }
  return { ...opened, visual, key, type, tool, behind, becomes }
}

const saved = (page: Page) => page.getByText('Saved in the change request.').waitFor()

test('who writes into what they see changes these lines and no others, and saves them', async () => {
  const source =
    '# Tea\n\nHot *water*\nand __leaves__.\n\n* One\n* Two\n\n> Said.\n\n```js\nbrew()\n```\n\n| A | B |\n|---|---|\n| c | d |\n'
  const { behind, type, key, becomes, page, space, id, request } = await aWriter(source)
  await behind('Tea')
  await type(' time')
  await behind('Two')
  await key('Enter')
  await type('Three')
  await behind('Said.')
  await type(' By me.')
  await behind('brew()')
  await key('Enter')
  await type('pour()')
  const expected = source
    .replace('# Tea', '# Tea time')
    .replace('* Two', '* Two\n* Three')
    .replace('Said.', 'Said. By me.')
    .replace('brew()', 'brew()\npour()')
  await becomes(expected)
  await behind('d')
  await type(' & e')
  await key('Control+s')
  await saved(page)
  const { body } = await space.who.get(`${request.path}/content/page/${id}?format=markdown`)
  assert.equal(body.markdown, expected.replace('|---|---|\n| c | d |', '| --- | --- |\n| c | d & e |'))
})

test('buttons and keys make what they make of Markdown, where the cursor is', async () => {
  const { behind, type, key, tool, becomes, page } = await aWriter('# Tea\n\nHot water.\n\nLast.\n', newPage('Pots'))
  await behind('Hot water.')
  await key('Control+Shift+ArrowLeft')
  await key('Control+Shift+ArrowLeft')
  await key('Control+b')
  await becomes('# Tea\n\nHot **water.**\n\nLast.\n')
  await key('Control+b')
  await becomes('# Tea\n\nHot water.\n\nLast.\n')
  await key('End')
  await tool('Hint')
  await page.locator('.writing-visual .hint').waitFor()
  await untilTrue(page, `getSelection().toString() === 'Good to know.'`)
  await type('Mind the pot.')
  await key('Enter')
  await key('Enter')
  await type('Behind it.')
  await becomes('# Tea\n\nHot water.\n\n{% hint style="info" %}\nMind the pot.\n{% endhint %}\n\nBehind it.\n\nLast.\n')
  await behind('Last.')
  await tool('Page link')
  await page.getByRole('dialog').getByRole('button', { name: 'Pots' }).click()
  await untilTrue(page, `document.querySelector('.writing-visual a')?.textContent === 'Pots'`)
  await becomes(
    '# Tea\n\nHot water.\n\n{% hint style="info" %}\nMind the pot.\n{% endhint %}\n\nBehind it.\n\nLast.[Pots](/pots.md)\n',
  )
})

test('a link is put around what is chosen, leads elsewhere when asked again, and goes when it leads nowhere', async () => {
  const { behind, key, becomes, page } = await aWriter('# Tea\n\nHot water\n')
  await behind('Hot water')
  await key('Control+Shift+ArrowLeft')
  await key('Control+k')
  const address = page.getByRole('textbox', { name: 'Where the link leads' })
  await address.fill('https://example.org/water')
  await key('Enter')
  await becomes('# Tea\n\nHot [water](https://example.org/water)\n')
  await page.locator('.writing-visual a').click()
  await key('Control+k')
  assert.equal(await address.inputValue(), 'https://example.org/water')
  await address.fill('pots.md')
  await key('Enter')
  await becomes('# Tea\n\nHot [water](pots.md)\n')
  await page.locator('.writing-visual a').click()
  await key('Control+k')
  await address.fill('')
  await key('Enter')
  await becomes('# Tea\n\nHot water\n')
})

test('whoever types Markdown gets what it makes', async () => {
  const { behind, key, type, becomes } = await aWriter('# Tea\n\nFirst\n')
  await behind('First')
  await key('Enter')
  await type('## Pots')
  await key('Enter')
  await type('Made of **iron** or `clay`, or *both*.')
  await key('Enter')
  await type('- one')
  await key('Enter')
  await type('two')
  await key('Enter')
  await key('Enter')
  await type('1. first')
  await key('Enter')
  await key('Enter')
  await type('[] do it')
  await key('Enter')
  await key('Enter')
  await type('> said')
  await key('Enter')
  await key('Enter')
  await type('---')
  await type(' ```js ')
  await type('brew()')
  await key('Control+Enter')
  await type('End')
  await becomes(
    '# Tea\n\nFirst\n\n## Pots\n\nMade of **iron** or `clay`, or _both_.\n\n- one\n- two\n\n1. first\n\n- [ ] do it\n\n> said\n\n***\n\n```js\nbrew()\n```\n\nEnd\n',
  )
})

test('tasks are ticked with a click or a key, and the next one is not', async () => {
  const { behind, key, type, becomes, visual } = await aWriter('# Tea\n\n- [x] boil\n- [ ] pour\n')
  const box = await visual.locator('li').nth(1).boundingBox()
  await visual.page().mouse.click(box!.x - 14, box!.y + 12)
  await becomes('# Tea\n\n- [x] boil\n- [x] pour\n')
  await behind('boil')
  await key('Control+Enter')
  await becomes('# Tea\n\n- [ ] boil\n- [x] pour\n')
  await behind('pour')
  await key('Enter')
  await type('drink')
  await becomes('# Tea\n\n- [ ] boil\n- [x] pour\n- [ ] drink\n')
})

test('what was written is taken back step by step, and forth again', async () => {
  const { behind, key, type, tool, becomes } = await aWriter('# Tea\n\nFirst\n')
  await behind('First')
  await type(' word')
  await becomes('# Tea\n\nFirst word\n')
  await tool('Code block')
  const whole = '# Tea\n\nFirst word\n\n```\ncode\n```\n'
  await becomes(whole)
  await key('Control+z')
  await becomes('# Tea\n\nFirst word\n')
  await key('Control+z')
  await becomes('# Tea\n\nFirst\n')
  await key('Control+Shift+z')
  await becomes('# Tea\n\nFirst word\n')
  await key('Control+y')
  await becomes(whole)
})

test('a block is edited as Markdown, written below, and deleted', async () => {
  const { key, type, becomes, page, visual } = await aWriter('# Tea\n\n{% hint style="info" %}\nHot.\n{% endhint %}\n')
  const frame = visual.locator('.frame').first()
  await frame.hover()
  await frame.getByRole('button', { name: 'Markdown' }).click()
  const source = page.getByRole('textbox', { name: 'This block as Markdown' })
  assert.equal(await source.inputValue(), '{% hint style="info" %}\nHot.\n{% endhint %}')
  await source.fill('{% hint style="danger" %}\nHot.\n{% endhint %}')
  await page.getByRole('button', { name: 'OK' }).click()
  await becomes('# Tea\n\n{% hint style="danger" %}\nHot.\n{% endhint %}\n')
  await visual.locator('.frame').hover()
  await visual.locator('.frame').getByRole('button', { name: 'Text below' }).click()
  await type('Below.')
  await becomes('# Tea\n\n{% hint style="danger" %}\nHot.\n{% endhint %}\n\nBelow.\n')
  await visual.locator('.frame').hover()
  await visual.locator('.frame').getByRole('button', { name: 'Delete' }).click()
  await becomes('# Tea\n\nBelow.\n')
  await key('Control+z')
  await becomes('# Tea\n\n{% hint style="danger" %}\nHot.\n{% endhint %}\n\nBelow.\n')
})

test('what is pasted keeps its shape, and a picture stands where it was pasted', async () => {
  const { behind, becomes, page, text, visual } = await aWriter('# Tea\n\nFirst\n')
  const paste = (types: Record<string, string>, picture = '') =>
    page.evaluate(`{
      const clipboardData = new DataTransfer()
      for (const [type, data] of Object.entries(${JSON.stringify(types)})) clipboardData.setData(type, data)
      const bytes = Uint8Array.from(atob('${picture}'), (each) => each.charCodeAt(0))
      if (bytes.length > 0) clipboardData.items.add(new File([bytes], 'pot.png', { type: 'image/png' }))
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('.writing-visual').dispatchEvent(event)
    }`)
  await behind('First')
  await paste({ 'text/html': '<h2>Pots</h2><ul><li>of <b>iron</b></li></ul>', 'text/plain': 'Pots\nof iron' })
  await becomes('# Tea\n\nFirst\n\n## Pots\n\n- of **iron**\n')
  await untilTrue(page, `document.querySelector('.writing-visual h2')?.textContent === 'Pots'`)
  await behind('First')
  await paste({ 'text/plain': ' *word* ' })
  await becomes('# Tea\n\nFirst \\*word\\*\n\n## Pots\n\n- of **iron**\n')
  await behind('Pots')
  await page.keyboard.press('ArrowDown')
  await paste({}, png)
  await visual.locator('[data-piece] img, figure img').waitFor()
  assert.match(await text(), /!\[pot\]\(\/files\/[\w-]+\)/)
})

test('the way of writing is kept, goes back and forth, and a text that cannot be shown stays Markdown with a reason', async () => {
  const { behind, type, becomes, page, field, visual } = await aWriter('# Tea\n\nFirst\n')
  await behind('First')
  await type(' word')
  await page.getByRole('button', { name: 'Markdown', exact: true }).click()
  await becomes('# Tea\n\nFirst word\n')
  await field.fill('# Tea\n\nFirst word, *twice*\n')
  await page.getByRole('button', { name: 'Visual' }).click()
  await visual.getByText('twice').waitFor()
  await page.keyboard.press('Control+s')
  await saved(page)
  await page.reload()
  await visual.getByText('twice').waitFor()
  await page.getByRole('button', { name: 'Markdown', exact: true }).click()
  await field.fill(`# Tea\n\n${`${'x'.repeat(1000)}\n`.repeat(263)}`)
  await page.getByRole('button', { name: 'Visual' }).click()
  await page.getByText('This is not shown as it is seen.').waitFor()
  assert.ok(await field.isVisible())
  assert.ok(await visual.isHidden())
})

test('who leaves what they wrote is asked first, and where the server does not answer it stays there', async () => {
  const { behind, type, page, visual, text } = await aWriter('# Tea\n\nFirst\n')
  await page.route('**/visual/text', (route) => route.abort())
  await behind('First')
  await type(' word')
  await page.getByText('The server did not answer.').waitFor()
  await page.keyboard.press('Control+s')
  assert.equal(await text(), '# Tea\n\nFirst\n')
  assert.ok(await visual.getByText('First word').isVisible())
  const asked = page.waitForEvent('dialog')
  void page.close({ runBeforeUnload: true })
  await (await asked).dismiss()
  await page.unroute('**/visual/text')
  await page.keyboard.press('Control+s')
  await saved(page)
  assert.equal(await text(), '# Tea\n\nFirst word\n')
})

test('what is seen can be used by everybody', async () => {
  const source =
    '# Tea\n\n- [ ] One\n\n{% hint style="info" %}\nHot.\n{% endhint %}\n\n| A |\n|---|\n| b |\n\n```\ncode\n```\n'
  const { page } = await aWriter(source)
  assert.deepEqual(await flaws(page), [])
  await page.setViewportSize({ width: 360, height: 700 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  assert.deepEqual(await flaws(page), [])
})
