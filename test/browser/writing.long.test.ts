// The editor of a page in a real browser: what its script adds. Without script the form does the work, which is tested
// with the form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { flaws } from './accessible.ts'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { idsOf } from '../editing.ts'
import { openEditor } from './editor.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp({ LECTERN_UPLOAD_LIMIT: '5000' })

/** Opens a page of a change request in the editor. */
async function anEditor(markdown: string) {
  const opened = await openEditor(app, browser, markdown)
  const { page, text, request, id } = opened
  const undo = async (to: string) => {
    for (let times = 0; times < 60 && (await text()) !== to; times++) await page.keyboard.press('Control+z')
    assert.equal(await text(), to)
  }
  const saved = async () => (await request.page(id)).markdown as string
  return { ...opened, undo, saved }
}

/** Holds the next request to an address until the returned function is called. */
async function holding(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => promise.then(() => route.continue()), { times: 1 })
  return resolve
}

const drawn = (page: Page) => page.locator('.writing-preview section')

test('the preview follows the text with one request at a time, and keeps its scroll position and opened parts', async () => {
  const more = '<details><summary>More</summary>\n\nOf it.\n\n</details>'
  const { page, field, choose } = await anEditor(`# Tea\n\n${'A line of it.\n\n'.repeat(100)}${more}\n`)
  let [under, most, asked] = [0, 0, 0]
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/preview', async (route) => {
    asked++
    most = Math.max(most, ++under)
    if (asked === 1) await held
    const response = await route.fetch()
    under--
    await route.fulfill({ response })
  })
  await drawn(page).locator('summary').click()
  await field.focus()
  await choose(7)
  await page.evaluate(`document.querySelector('.writing-preview section').scrollTop = 300`)
  await page.evaluate(`globalThis.last = document.querySelector('.writing-preview article').lastElementChild`)
  const first = page.waitForRequest('**/preview')
  await page.keyboard.type('One. ')
  await first
  await page.keyboard.type('Two. ')
  await page.evaluate('new Promise((done) => setTimeout(done, 900))')
  assert.equal(asked, 1)
  assert.match((await drawn(page).textContent())!, /A line of it/)
  release()
  await drawn(page).getByText('One. Two. A line of it.').waitFor()
  assert.deepEqual([most, asked], [1, 2])
  assert.equal(await page.evaluate(`document.querySelector('.writing-preview section').scrollTop`), 300)
  // Unchanged parts keep their elements.
  assert.deepEqual(await page.evaluate('[last.isConnected, last.open]'), [true, true])
})

test('buttons and keys write Markdown, a list continues by itself, and all of it can be undone', async () => {
  const { page, field, choose, text, undo } = await anEditor('# Tea\n\nOne two three\n')
  await field.focus()
  await choose(11, 15)
  await page.keyboard.press('Control+b')
  assert.equal(await text(), '# Tea\n\nOne **two** three\n')
  await page.keyboard.press('Control+b')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('cups.md')
  assert.equal(await text(), '# Tea\n\nOne [two](cups.md) three\n')

  await page.keyboard.press('Control+End')
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await page.keyboard.type('a\nb\n\n\nText\n9. x\ny')
  assert.match(await text(), /\n- a\n- b\n\nText\n9\. x\n10\. y$/)
  await page.getByRole('button', { name: 'Hint' }).click()
  await page.keyboard.type('Hot!')
  assert.match(await text(), /10\. y\n\n\{% hint style="info" %\}\nHot!\n\{% endhint %\}\n$/)
  await drawn(page).locator('.hint', { hasText: 'Hot!' }).waitFor()

  await undo('# Tea\n\nOne two three\n')

  // Whole lines are selected, including the end of the last one. Nested items stay nested.
  await field.fill('a\n  - b\nc')
  await choose(0, 8)
  await page.getByRole('button', { name: 'Numbered list' }).click()
  assert.equal(await text(), '1. a\n  2. b\nc')
  // List items continue in quotes, but not in code. A text of many lines is wrapped in a single step.
  const lines = 'A line of <b>it</b> &amp;  more.\n'.repeat(400)
  await field.fill(`${lines}> - d\n\n~~~\n\`\`\`\n- e`)
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  assert.match(await text(), /- e\n$/)
  await choose(lines.length + 5)
  await page.keyboard.press('Enter')
  assert.match(await text(), /> - d\n> - \n\n~/)
  const all = await text()
  await choose(0, lines.length - 1)
  await page.getByRole('button', { name: 'Code block' }).click()
  assert.equal(await text(), `\`\`\`\n${lines}\`\`\`\n\n${all.slice(lines.length)}`)
  await undo(all)
  // If the letter of a key is not a Latin one, its place on the keyboard counts.
  await choose(2, 6)
  const key = `{ key: 'и', code: 'KeyB', ctrlKey: true, bubbles: true }`
  await page.evaluate(`document.querySelector('textarea').dispatchEvent(new KeyboardEvent('keydown', ${key}))`)
  assert.match(await text(), /^A \*\*line\*\* of/)

  // The Tab key leaves the field as usual, and the buttons together are one tab stop.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowRight')
  assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Italic')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Save')
})

test('a pasted or dropped file becomes a line of the text that can be undone, and a refused file leaves a message', async () => {
  const { space, request, page, field, choose, text, undo, saved } = await anEditor('# Tea\n\nHere:  there\n')
  const bring = async (how: 'paste' | 'drop', name: string, type: string, size = 9) =>
    page.evaluate(`(() => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(${size})], ${JSON.stringify(name)}, { type: '${type}' }))
      const more = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data }
      const event = '${how}' === 'paste' ? new ClipboardEvent('paste', more) : new DragEvent('drop', more)
      document.querySelector('textarea').dispatchEvent(event)
    })()`)
  const files = async () => (await space.who.get(`${request.path}/content/files`)).body.items as { id: string }[]
  await field.focus()
  await choose(13)
  const first = await holding(page, '**/files')
  await bring('drop', 'notes.txt', 'text/plain')
  await page.keyboard.type('x')
  assert.match(await text(), /^# Tea\n\nHere: \n\n!\[notes\.txt is on its way \(1\)\]\(\)\n\nx there\n$/)
  first()
  await untilTrue(page, `!document.querySelector('textarea').value.includes('on its way')`)
  const [notes] = await files()
  assert.equal(await text(), `# Tea\n\nHere: \n\n{% file src="/files/${notes!.id}" %}\n\nx there\n`)
  // A writer who went on typing in the meantime continues at the same place.
  await page.keyboard.type('y')
  assert.match(await text(), /\n\nxy there\n$/)
  await undo('# Tea\n\nHere:  there\n')

  await bring('paste', 'large.png', 'image/png', 5001)
  await page.getByText('large.png is too large: a file may have 5 kB.').waitFor()
  await bring('paste', '..', 'image/png')
  await page.getByText('.. was not uploaded. This is not a valid file name').waitFor()
  assert.equal(await text(), '# Tea\n\nHere:  there\n')

  // Saving first shows which files could not be uploaded, and leaves no trace of them in the text.
  const before = await saved()
  const both = await holding(page, '**/files')
  await bring('paste', '..', 'image/png')
  await bring('paste', 'a\rb', 'image/png')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  both()
  await page.getByText('A file name contains line breaks or other control characters.').waitFor()
  await page.getByText('.. was not uploaded').waitFor()
  assert.deepEqual([await text(), await saved()], ['# Tea\n\nHere:  there\n', before])

  // A file that is still being uploaded is included in what is saved.
  await choose(13)
  const second = await holding(page, '**/files')
  await bring('paste', 'pot.gif', 'image/gif', 1)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  second()
  await page.getByText('Saved in this change request.').waitFor()
  const names = (await files()).map(({ id }) => id)
  assert.equal(names.length, 2)
  assert.match(await saved(), /^# Tea\n\nHere: (?:!\[pot\]\(|\{% file src=")\/files\/[\w-]{36}(?:\)|" %\}) there\n$/)
})

test('Ctrl+S saves and stays on the page, leaving then asks nothing, and a text overtaken by another edit is kept', async () => {
  const { page, field, text, undo, saved, request, id } = await anEditor('# Tea\n\nWarm.\n')
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type())
    void dialog.accept()
  })
  await field.focus()
  for (const words of ['One', 'Two']) {
    await page.keyboard.press('Control+End')
    await page.keyboard.type(words)
    await page.keyboard.press('Control+s')
    await page.getByText('Saved in the change request.').waitFor()
    assert.equal(await saved(), await text())
  }
  await undo('# Tea\n\nWarm.\n')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved in the change request.').waitFor()
  await page.reload()
  assert.deepEqual(dialogs, [])

  // A text without a title keeps the title of its page, which does not count as a change by somebody else. If it is
  // saved twice in a row, everything is saved.
  await field.fill('Cold.')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved in the change request.').waitFor()
  const first = await holding(page, `**/pages/${id}`)
  for (const words of [' One', ' Two']) {
    await page.keyboard.type(words)
    await page.keyboard.press('Control+s')
  }
  first()
  await untilTrue(page, `(({ value, defaultValue }) => value === defaultValue)(document.querySelector('textarea'))`)
  assert.equal(await saved(), '# Tea\n\nCold. One Two')

  await field.focus()
  await page.keyboard.type('Mine')
  await request.edit({ operation: 'update_page', page: id, document: { markdown: '# Tea\n\nTheirs.\n' } })
  const mine = await text()
  await page.keyboard.press('Control+s')
  await page.getByText('Somebody has changed the same part of this page').waitFor()
  assert.deepEqual([await text(), await saved()], [mine, '# Tea\n\nTheirs.\n'])
})

test('after a save, the page around the editor has the title that was saved', async () => {
  const { page, field, request, id } = await anEditor('# Tea\n\nWarm.\n')
  await field.fill('# Green *tea*\n\nWarm.\n')
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Green tea', level: 1 }).waitFor()
  assert.match(await page.title(), /^Green tea/)
  await field.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Cold.')
  await request.edit({ operation: 'update_page', page: id, metadata: { title: 'Coffee' } })
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Coffee', level: 1 }).waitFor()
})

test("a save whose answer was lost does not count as another person's change for the next save", async () => {
  const { page, field, saved, id } = await anEditor('# Tea\n\nWarm.')
  await field.press('Control+End')
  const losing = () =>
    page.route(
      `**/pages/${id}`,
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
  for (const words of [' One', ' Two']) {
    await losing()
    await page.keyboard.type(words)
    await page.keyboard.press('Control+s')
    await page.getByText('The server did not answer.').waitFor()
    await page.keyboard.type(' and more')
    if (words === ' One') await page.keyboard.press('Control+s')
    else await page.getByText('Save', { exact: true }).click()
    await page.getByText(/^Saved in (the|this) change request\./).waitFor()
  }
  assert.equal(await saved(), '# Tea\n\nWarm. One and more Two and more')
})

test('a text that could not be saved stays on its page, and does not come back over a later change by another person', async () => {
  const { page, field, text, request, id } = await anEditor('# Tea\n\nWarm.\n')
  page.on('dialog', (dialog) => void dialog.accept())
  const address = `**/pages/${id}`
  // So long that the server reads it only for users who are signed in.
  const mine = `# Tea\n\n${`${'Mine. '.repeat(50)}\n`.repeat(1000)}`
  await field.fill(mine)
  const isKept = async (reason: string) => {
    for (const ask of [() => field.press('Control+s'), () => page.getByText('Save', { exact: true }).click()]) {
      await Promise.all([page.waitForResponse(address), ask()])
      await page.getByText(reason).waitFor()
      assert.ok((await text()) === mine)
    }
  }
  await page.route(address, async (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
  await isKept('The server did not answer.')
  await page.unroute(address)
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await isKept('You are no longer signed in.')

  await page.context().addCookies(cookies)
  await request.edit({ operation: 'update_page', page: id, document: { markdown: '# Tea\n\nTheirs.\n' } })
  await page.goto('/account')
  await page.goBack()
  assert.equal((await text()).slice(0, 20), '# Tea\n\nTheirs.\n')
})

test('a reusable content is chosen from a list, by mouse or keys, and its line is inserted at the cursor', async () => {
  const { request, id, page, field, choose, text, undo } = await anEditor('# Tea\n\nAbove.\n\nBelow.\n')
  const menuButton = page.getByRole('button', { name: 'Reusable content', exact: true })
  const menu = page.getByRole('dialog', { name: 'Include a reusable content' })
  await menuButton.click()
  await menu.getByText('None yet. Create one under Reusable contents').waitFor()
  await page.keyboard.press('Escape')
  const [note, other] = idsOf(
    await request.edit(
      { operation: 'insert_reusable_content', title: 'Safety "note" <b>', document: { markdown: 'Hot *steam*.\n' } },
      { operation: 'insert_reusable_content', title: 'Other', document: { markdown: 'Other.\n' } },
    ),
  )
  const line = `{% include "/reusable-contents/${note}" %}`
  await field.focus()
  await choose(13)
  await menuButton.click()
  await menu.getByText('2 found').waitFor()
  assert.deepEqual(await flaws(page), [])
  await menu.getByRole('button', { name: 'Safety "note" <b>' }).click()
  assert.equal(await text(), `# Tea\n\nAbove.\n\n${line}\n\nBelow.\n`)
  assert.equal(await menu.isVisible(), false)
  await drawn(page).getByText('Hot steam.').waitFor()
  await page.keyboard.type('!')
  assert.equal(await text(), `# Tea\n\nAbove.\n\n${line}!\n\nBelow.\n`)
  await undo('# Tea\n\nAbove.\n\nBelow.\n')

  // The toolbar is one tab stop, and this is its last button. Escape leads back to it.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await menu.waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Reusable content')
  await page.keyboard.press('Enter')
  await page.keyboard.type('oth')
  await page.keyboard.press('Enter')
  await menu.waitFor({ state: 'hidden' })
  assert.match(await text(), new RegExp(`include "/reusable-contents/${other}"`))

  // The text of reusable content has the same editor, which does not offer the content itself.
  await page.goto(page.url().replace(`pages/${id}`, `~/reusable-contents/${note}`))
  await page.locator('.writing-preview', { hasText: 'Hot steam.' }).waitFor()
  await menuButton.click()
  await menu.getByText('1 found').waitFor()
  assert.deepEqual(await menu.locator('li').allTextContents(), ['Other not included anywhere'])
  await page.keyboard.press('Escape')
  await page.getByLabel('The reusable content as Markdown').fill('Cold.\n')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved in the change request.').waitFor()
  await drawn(page).getByText('Cold.').waitFor()
})
