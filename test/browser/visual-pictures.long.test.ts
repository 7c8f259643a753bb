// Pictures in the visual editor, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { png } from '../every-content.ts'
import { flaws } from './accessible.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { between, openAskable } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

const openPicture = (markdown: string) => openAskable(app, browser, markdown, 'Picture')

async function aWriter(markdown: string) {
  const writer = await openPicture(between(markdown))
  return { ...writer, becomes: writer.middleBecomes }
}

test('the alternative text, caption, width and address of a picture can be changed, and no other line changes', async () => {
  const { open, ok, box, becomes } = await aWriter('![](https://example.org/pot.png "A  title")')
  await open('Picture without alternative text')
  await box.getByLabel('Alternative text').fill('A "pot"')
  await ok()
  await becomes('![A "pot"](https://example.org/pot.png "A  title")')
  await open('Picture: A "pot"')
  await box.getByRole('textbox', { name: 'Caption' }).fill('Of iron')
  await box.getByLabel('Width').selectOption('Half of the text width')
  await ok()
  const figure = (src: string, width: string, caption: string) =>
    `<figure><img src="${src}" alt="A &quot;pot&quot;" title="A  title"${width}><figcaption>${caption}</figcaption></figure>`
  await becomes(figure('https://example.org/pot.png', ' width="50%"', '<p>Of iron</p>'))
  await open('Picture: A "pot"')
  await box.getByLabel('Width').selectOption('In pixels')
  await box.getByLabel('Pixels', { exact: true }).fill('320')
  await box.getByLabel('Address').fill('https://example.org/other.png')
  await box.getByLabel('Address').press('Enter')
  await becomes(figure('https://example.org/other.png', ' width="320"', '<p>Of iron</p>'))
  await open('Picture: A "pot"')
  assert.equal(await box.getByLabel('Pixels', { exact: true }).inputValue(), '320')
  await box.getByLabel('Width').selectOption('Original size')
  await box.getByRole('textbox', { name: 'Caption' }).fill('')
  await ok()
  await becomes('![A "pot"](https://example.org/other.png "A  title")')
})

test('a picture saved without an edit stays byte for byte, and a changed caption keeps its marks, the height and other pictures', async () => {
  const one =
    '<figure><img   src="a.png" alt="One" height="20"><figcaption><p>A <strong>b</strong> <a href="x.md">c</a></p></figcaption></figure>'
  const both = (first: string) =>
    `<div>${first}<figure><img src="b.png" alt="Two"><figcaption></figcaption></figure></div>`
  const { open, ok, box, page, key, becomes } = await aWriter(both(one))
  await open('Picture: One')
  await ok()
  await open('Picture: Two')
  await key('Escape')
  await untilTrue(page, '!isWorking')
  await becomes(both(one))
  await open('Picture: One')
  await box.getByRole('textbox', { name: 'Caption' }).focus()
  await key('End')
  await page.keyboard.type(', d')
  await ok()
  await becomes(both(one.replace('<img   src', '<img src').replace('c</a>', 'c</a>, d')))
})

test('a picture within a line can be changed and removed with keys alone, and the cursor stays where it was', async () => {
  const { box, key, type, becomes, page } = await aWriter('Take ![pot](a.png) and *go*.')
  await page.evaluate(`visual.querySelector('[data-picture]').focus()`)
  await key('Enter')
  await box.waitFor()
  assert.ok(await box.getByRole('textbox', { name: 'Caption' }).isHidden())
  await type('kettle')
  await key('Enter')
  await becomes('Take ![potkettle](a.png) and _go_.')
  await untilTrue(page, `!isWorking && document.activeElement?.dataset.alt === 'potkettle'`)
  await key('Delete')
  await becomes('Take  and _go_.')
  await type('it')
  await becomes('Take it and _go_.')
  await key('Control+z')
  await becomes('Take  and _go_.')
})

test('a picture can be removed alone or from several, the others stay, and undo brings them all back', async () => {
  const { open, box, key, becomes } = await aWriter('![One](a.png) ![Two](b.png)')
  await open('Picture: One')
  await box.getByRole('button', { name: 'Remove the picture' }).click()
  await becomes('![Two](b.png)')
  await open('Picture: Two')
  await box.getByRole('button', { name: 'Remove the picture' }).click()
  await untilTrue(box.page(), `!field.value.includes('![')`)
  await key('Control+z')
  await becomes('![Two](b.png)')
  await key('Control+z')
  await becomes('![One](a.png) ![Two](b.png)')
})

test('a picture can be replaced by an upload, and a file that is not an image is refused in the dialog', async () => {
  const { open, ok, box, text, page, visual } = await aWriter('![Pot](a.png)')
  await open('Picture: Pot')
  const file = box.getByLabel('Replace the picture')
  await file.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await ok()
  await box.getByText('This is not a picture.').waitFor()
  await file.setInputFiles({ name: 'pot.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') })
  await ok()
  await visual.locator('figure img').waitFor()
  assert.match(await text(), /^!\[Pot\]\(\/files\/[\w-]+\)$/m)
  await untilTrue(page, '!isWorking')
})

test('a dropped picture is inserted where it was dropped', async () => {
  const { page, text, visual, key, behind } = await aWriter('First and second.')
  await behind('Last')
  await page.evaluate(`{
    const words = document.createTreeWalker(visual, NodeFilter.SHOW_TEXT)
    while (words.nextNode() && !words.currentNode.data.startsWith('First')) {}
    const range = document.createRange()
    range.setStart(words.currentNode, 5)
    range.setEnd(words.currentNode, 6)
    const { left: clientX, top, height } = range.getBoundingClientRect()
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([Uint8Array.from(atob('${png}'), (each) => each.charCodeAt(0))], 'pot.png', { type: 'image/png' }))
    const more = { bubbles: true, cancelable: true, dataTransfer, clientX, clientY: top + height / 2 }
    words.currentNode.parentElement.dispatchEvent(new DragEvent('drop', more))
  }`)
  await visual.locator('[data-picture] img').waitFor()
  assert.match(await text(), /^First!\[pot\]\(\/files\/[\w-]+\) and second\.$/m)
  await key('Control+z')
})

test('after a pasted picture, typing goes on below it, or behind it if it is within a line', async () => {
  const { page, paste, behind, key, type, text, visual } = await aWriter('One line.\n\nTwo.')
  const address = /\/files\/[\w-]+/g
  const reads = async (expected: string) => {
    await untilTrue(page, `!isWorking && !asSeen.isTouched && field.value.includes('below')`)
    assert.equal((await text()).replace(address, 'F'), expected)
  }
  await behind('One line.')
  await paste({}, png)
  await visual.locator('[data-picture] img').waitFor()
  await type(' behind')
  await behind('Two.')
  await key('Enter')
  await paste({}, png)
  await visual.locator('figure img').waitFor()
  await type('below')
  await reads(between('One line.![pot](F) behind\n\nTwo.\n\n![pot](F)\n\nbelow'))
})

test('there is room to type after a picture that ends a page', async () => {
  const { page, becomes, type, key, open, ok, box } = await openPicture('# Tea\n\n![Pot](a.png)\n')
  await type('End')
  await becomes('# Tea\n\n![Pot](a.png)\n\nEnd\n')
  await open('Picture: Pot')
  await box.getByLabel('Alternative text').fill('Iron')
  await ok()
  await becomes('# Tea\n\n![Iron](a.png)\n\nEnd\n')
  await key('Control+z')
  await becomes('# Tea\n\n![Pot](a.png)\n\nEnd\n')
  await untilTrue(page, '!isWorking')
  await type('The ')
  await becomes('# Tea\n\n![Pot](a.png)\n\nThe End\n')
})

test('the picture dialog is accessible, wide and light, and narrow and dark', async () => {
  const { page, open } = await aWriter('![A pot](https://example.org/pot.png)\n\nA line with ![one](b.png).')
  assert.deepEqual(await flaws(page), [])
  await open('Picture: A pot')
  assert.deepEqual(await flaws(page), [])
  await page.setViewportSize({ width: 360, height: 700 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  assert.deepEqual(await flaws(page), [])
})

test('a picture can be aligned and have another picture for dark pages, by address or as an upload', async () => {
  const { open, ok, box, becomes, page, visual } = await aWriter('![Pot](https://example.org/pot.png)')
  await open('Picture: Pot')
  assert.equal(await box.getByLabel('Alignment').inputValue(), '')
  await box.getByLabel('Alignment').selectOption('Right')
  await ok()
  const figure = (img: string, side = ' align="right"') => `<figure${side}>${img}<figcaption></figcaption></figure>`
  const img = '<img src="https://example.org/pot.png" alt="Pot">'
  await becomes(figure(img))
  await visual.locator('figure[align=right] [data-picture]').waitFor()
  await open('Picture: Pot')
  assert.equal(await box.getByLabel('Alignment').inputValue(), 'right')
  await box.getByLabel('On dark pages').fill('https://example.org/dark.png')
  await ok()
  const dark = (src: string) => `<picture><source srcset="${src}" media="(prefers-color-scheme: dark)">${img}</picture>`
  await becomes(figure(dark('https://example.org/dark.png')))
  await open('Picture: Pot')
  await box.getByLabel('Alignment').selectOption('Centre')
  await box.getByLabel('Upload one for dark pages').setInputFiles({
    name: 'night.png',
    mimeType: 'image/png',
    buffer: Buffer.from(png, 'base64'),
  })
  await ok()
  await untilTrue(page, `!isWorking && field.value.includes('/files/')`)
  const [file] = /\/files\/[\w-]{36}/.exec(await page.getByLabel('The page as Markdown').inputValue())!
  await becomes(figure(dark(file), ''))
  await open('Picture: Pot')
  await box.getByLabel('On dark pages').fill('')
  await ok()
  await becomes('![Pot](https://example.org/pot.png)')
})

test('alignment applies to all pictures of a group, and a file for dark pages that is not an image is refused in the dialog', async () => {
  const both = (align: string) =>
    `<div><figure${align}><img src="a.png" alt="One"><figcaption></figcaption></figure><figure${align}><img src="b.png" alt="Two"><figcaption></figcaption></figure></div>`
  const { open, ok, box, becomes } = await aWriter(both(''))
  await open('Picture: Two')
  await box.getByLabel('Alignment').selectOption('Left')
  const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('No picture.') }
  await box.getByLabel('Upload one for dark pages').setInputFiles(file)
  await ok()
  await box.getByText('This is not a picture.').waitFor()
  await box.getByLabel('Upload one for dark pages').setInputFiles([])
  await ok()
  await becomes(both(' align="left"'))
})
