// The settings of a page, edited in the editor, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { png } from '../every-content.ts'
import { flaws } from './accessible.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { openEditor, openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

/** Formatted unusually, so that a rewritten line is noticed. */
const text = '---\n# ours\nicon:   cup\nvars: {a: 1}\n---\n\n# Tea\n\nSome *text*.\n'

test('page settings are edited without Markdown, and only changed ones are written', async () => {
  const { page, becomes, key, visual } = await openVisual(app, browser, text)
  const box = page.getByRole('dialog', { name: 'Page settings' })
  const open = async () => {
    await untilTrue(page, '!isWorking')
    await page.getByRole('button', { name: 'Page settings' }).click()
    await box.waitFor()
  }
  const ok = () => box.getByRole('button', { name: 'OK' }).click()
  await open()
  assert.equal(await box.getByLabel('Icon').inputValue(), 'cup')
  await ok()
  await open()
  await box.getByRole('textbox', { name: 'Title', exact: true }).fill('Green tea')
  await box.getByRole('textbox', { name: 'Description', exact: true }).fill('From: Japan')
  await box.getByLabel('Hide it from the menu').check()
  await box.getByLabel('Headings of the page').uncheck()
  await ok()
  const now =
    '---\n# ours\nicon:   cup\nvars: {a: 1}\ndescription: "From: Japan"\nhidden: true\nlayout:\n  outline:\n    visible: false\n---\n\n# Green tea\n\nSome *text*.\n'
  await becomes(now)
  await visual.getByRole('heading', { name: 'Green tea' }).waitFor()
  await open()
  assert.equal(await box.getByRole('textbox', { name: 'Description', exact: true }).inputValue(), 'From: Japan')
  assert.ok(!(await box.getByLabel('Headings of the page').isChecked()))
  await box.getByRole('textbox', { name: 'Description', exact: true }).fill('')
  await box.getByLabel('Hide it from the menu').uncheck()
  await box.getByLabel('Headings of the page').check()
  await ok()
  await becomes(text.replace('# Tea', '# Green tea'))
  await untilTrue(page, '!isWorking')
  await key('Control+z', 'Control+z')
  await becomes(text)
})

test('after changing a setting, a writer continues where they were in the text', async () => {
  const { page, becomes, key, type, before } = await openVisual(app, browser, `${text}\nMore.\n\n![Pot](a.png)\n`)
  await before('More.')
  await key('ArrowRight', 'ArrowRight')
  await page.getByRole('button', { name: 'Page settings' }).click()
  const box = page.getByRole('dialog', { name: 'Page settings' })
  await box.getByRole('textbox', { name: 'Title', exact: true }).fill('Green tea')
  await box.getByRole('button', { name: 'OK' }).click()
  await untilTrue(page, `!isWorking && field.value.includes('Green')`)
  await type('--')
  await becomes(`${text.replace('Tea', 'Green tea')}\nMo--re.\n\n![Pot](a.png)\n`)
})

test('settings beside Markdown are cancelled with Escape, keep the cursor in place, and are saved with the page', async () => {
  const { page, field, choose, text: now, space, request, id } = await openEditor(app, browser, text)
  const box = page.getByRole('dialog', { name: 'Page settings' })
  await field.focus()
  await choose(text.indexOf('text'))
  await page.getByRole('button', { name: 'Page settings' }).click()
  await box.getByLabel('Icon').fill('mug')
  await box.getByLabel('Full width').check()
  await page.keyboard.press('Escape')
  await untilTrue(page, '!isWorking')
  assert.equal(await now(), text)
  await page.getByRole('button', { name: 'Page settings' }).click()
  await box.getByLabel('Icon').fill('mug')
  await box.getByLabel('Full width').check()
  await box.getByLabel('Icon').press('Enter')
  const changed = text.replace('icon:   cup', 'icon: mug').replace('{a: 1}\n', '{a: 1}\nlayout:\n  width: wide\n')
  await untilTrue(page, `field.value === ${JSON.stringify(changed)}`)
  await untilTrue(page, '!isWorking')
  await page.keyboard.type('new ')
  assert.equal(await now(), changed.replace('*text', '*new text'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.endsWith(id))
  const saved = (await space.who.get(`${request.path}/content/page/${id}`)).body as { icon: string }
  assert.equal(saved.icon, 'mug')
})

test('settings that cannot be read are reported and not overwritten', async () => {
  const { page, field, text: now } = await openEditor(app, browser, text)
  await field.fill('---\nicon: [\n---\n\n# Tea\n')
  await page.getByRole('button', { name: 'Page settings' }).click()
  await page.getByText('has settings that cannot be read').waitFor()
  assert.equal(await now(), '---\nicon: [\n---\n\n# Tea\n')
})

test('the page settings dialog has no accessibility flaws', async () => {
  const { page } = await openVisual(app, browser, text)
  await page.getByRole('button', { name: 'Page settings' }).click()
  await page.getByRole('dialog').waitFor()
  assert.deepEqual(await flaws(page), [])
  await page.setViewportSize({ width: 360, height: 700 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  assert.deepEqual(await flaws(page), [])
})

test('a cover is set by address or upload, and an invalid one is refused without closing the dialog', async () => {
  const { page, becomes, text: now, space, request, id } = await openVisual(app, browser, text)
  const box = page.getByRole('dialog', { name: 'Page settings' })
  const open = async () => {
    await untilTrue(page, '!isWorking')
    await page.getByRole('button', { name: 'Page settings' }).click()
    await box.waitFor()
  }
  const ok = () => box.getByRole('button', { name: 'OK' }).click()
  const address = box.getByLabel('Cover picture (address)')
  await open()
  await box.getByLabel('Icon').fill('mug')
  await address.fill('pot.png')
  await ok()
  await box.getByText('A cover has an address that begins with https://, or is uploaded.').waitFor()
  assert.equal(await box.getByLabel('Icon').inputValue(), 'mug')
  await untilTrue(page, `document.activeElement.name === 'cover'`)
  assert.equal(await now(), text)
  await address.fill('https://example.org/pot.png')
  await box.getByLabel('The cover as wide as the window').check()
  await ok()
  const withCover = (cover: string) =>
    text
      .replace('icon:   cup', 'icon: mug')
      .replace('{a: 1}\n', `{a: 1}\n${cover}layout:\n  cover:\n    visible: true\n    size: full\n`)
  await becomes(withCover('cover: https://example.org/pot.png\n'))
  await open()
  assert.ok(await box.getByLabel('The cover as wide as the window').isChecked())
  await box
    .getByLabel('Upload cover')
    .setInputFiles({ name: 'pot.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') })
  await ok()
  await untilTrue(page, `!isWorking && field.value.includes('/files/')`)
  const [file] = /\/files\/[\w-]{36}/.exec(await now())!
  await becomes(withCover(`cover: ${file}\n`))
  await open()
  await box.getByLabel('Cover on dark pages').fill('https://example.org/dark.png')
  await ok()
  await untilTrue(page, `!isWorking && field.value.includes('coverDark: https://example.org/dark.png')`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.endsWith(id))
  const saved = (await space.who.get(`${request.path}/content/page/${id}`)).body
  assert.equal(saved.cover.ref.file, file.slice('/files/'.length))
})

test('removing the cover removes its settings, and unchanged cover settings stay byte for byte', async () => {
  const covered =
    '---\ncover:   https://example.org/a.png\ncoverY: 12\ncoverDark: https://example.org/b.png\nlayout: {cover: {visible: true, size: full}}\n---\n\n# Tea\n\nText.\n'
  const { page, becomes } = await openVisual(app, browser, covered)
  const box = page.getByRole('dialog', { name: 'Page settings' })
  await page.getByRole('button', { name: 'Page settings' }).click()
  await box.getByLabel('Icon').fill('mug')
  await box.getByRole('button', { name: 'OK' }).click()
  await becomes(covered.replace('---\n\n#', 'icon: mug\n---\n\n#'))
  await untilTrue(page, '!isWorking')
  await page.getByRole('button', { name: 'Page settings' }).click()
  await box.getByLabel('Icon').fill('')
  await box.getByLabel('Cover picture (address)').fill('')
  await box.getByLabel('The cover as wide as the window').uncheck()
  await box.getByRole('button', { name: 'OK' }).click()
  await becomes('---\n---\n\n# Tea\n\nText.\n')
})

for (const way of ['Visual', 'Markdown'])
  test(`${way}: leaving the settings dialog with Escape returns the focus to its button, which opens it again`, async () => {
    const opened = way === 'Visual' ? await openVisual(app, browser, text) : await openEditor(app, browser, text)
    const { page } = opened
    const box = page.getByRole('dialog', { name: 'Page settings' })
    await page.getByRole('button', { name: 'Page settings' }).focus()
    for (let time = 0; time < 3; time++) {
      await page.keyboard.press('Enter')
      await box.waitFor()
      await untilTrue(page, `document.activeElement.name === 'title'`)
      await page.keyboard.press('Escape')
      await untilTrue(page, `document.activeElement.matches('[data-settings]')`)
    }
    await untilTrue(page, `!isWorking && !document.querySelector('.writing-settings').open`)
  })
