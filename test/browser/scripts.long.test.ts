// A published site in a real browser, in writing systems that run or are typed differently from English.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { startBrowser } from './browser.ts'
import { type TestSite, aSite, expect } from '../visitor.ts'
import { putSpec } from '../../src/openapi/testing/specs.ts'

// Started before the server so that it is closed first: the server would wait for the browser's open connections.
const browser = await startBrowser()
const app = await startApp()

async function openSite(language: string, ...texts: string[]): Promise<{ page: Page; url: string; site: TestSite }> {
  const pages = texts.map((markdown) => ({ operation: 'insert_page', document: { markdown } }))
  const site = await aSite(app, { pages })
  expect(await site.who.patch(site.space.path, { language }), 200)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  after(() => context.close())
  const page = await context.newPage()
  const url = `${app.url}${site.address}`
  await page.goto(url)
  return { page, url, site }
}

/** The letters of each element in the order in which they are drawn, from left to right. */
const drawn = (page: Page, selector: string) =>
  page.evaluate<string[]>(`(() => {
    const lettersOf = (element) => {
      const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
      return [...words.textContent].map((letter, at) => {
        const range = document.createRange()
        range.setStart(words, at)
        range.setEnd(words, at + 1)
        return { letter, left: range.getBoundingClientRect().left }
      })
    }
    return [...document.querySelectorAll('${selector}')].map((element) => {
      const inOrder = lettersOf(element).sort((a, b) => a.left - b.left)
      return inOrder.map(({ letter }) => letter).join('')
    })
  })()`)

test('on a right-to-left page, code and addresses run from left to right', async () => {
  const text = 'استخدم `--force` أو `run()` ثم افتح https://example.com/a/ و <kbd>Ctrl+</kbd> الآن.'
  const { page } = await openSite('ar', `# ابدأ\n\n${text}\n`)
  const words = await drawn(page, '.prose :is(code, kbd, a[href^="https://example.com"])')
  assert.deepEqual(words, ['--force', 'run()', 'https://example.com/a/', 'Ctrl+'])
})

test('on a right-to-left page, the types of an API run from left to right, and its words do not', async () => {
  const { page, site } = await openSite(
    'ar',
    '# ابدأ\n\n{% openapi-operation spec="shop" path="/pets" method="post" %}\n',
  )
  const properties = { tags: { type: 'array', items: { type: 'string' } }, id: { type: 'integer', format: 'int64' } }
  const requestBody = { content: { 'application/json': { schema: { type: 'object', properties } } } }
  const document = {
    openapi: '3.1.0',
    paths: { '/pets': { post: { requestBody, security: [{ key: [] }] } } },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  }
  await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(document) })
  await page.reload()
  assert.deepEqual(await drawn(page, '.props .type'), ['string[]', 'integer (int64)'])
  const [key, ...fields] = await drawn(page, '.props dt code')
  assert.match(key!, /^X-Key .* API /)
  assert.deepEqual(fields, ['tags', 'id'])
})

test('on a right-to-left page, the copy button does not cover a short line of code', async () => {
  const { page } = await openSite('ar', '# ابدأ\n\n```bash\nnpm start\n```\n')
  await page.hover('.code pre')
  const [button, code] = await page.evaluate<[number, number]>(`(() => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector('.code .line'))
    return [document.querySelector('.code .copy').getBoundingClientRect().left, range.getBoundingClientRect().right]
  })()`)
  assert.ok(button > code, `${button} ${code}`)
})

test('search marks its hits, typed with or without accents, whole or in quotes', async () => {
  const text = 'Cách cài đặt máy chủ. Die Größe der Straße. Łódź, IŞIKLAR, l’ÉCOLE. 全文検索です。 C, C#, C++17.'
  const { page } = await openSite('vi', `# Start\n\n${text}\n`)
  await page.keyboard.press('/')
  for (const [query, ...marked] of [
    ['cai dat', 'cài', 'đặt'],
    ['cài đặt'.normalize('NFD'), 'cài', 'đặt'],
    ['grosse', 'Größe'],
    ['lodz', 'Łódź'],
    ['ışıklar', 'IŞIKLAR'],
    ['ecole', 'ÉCOLE'],
    ['“máy chủ”', 'máy', 'chủ'],
    ['「検索」', '検索'],
    ['c++', 'C++'],
    ['C#', 'C#'],
  ] as const) {
    await page.fill('dialog.search input', query)
    const isMarked = (wanted: string) => {
      const marks: { textContent: string }[] = [...(globalThis as any).document.querySelectorAll('.hit small mark')]
      return marks.map((mark) => mark.textContent).join() === wanted
    }
    await page.waitForFunction(isMarked, marked.join(), { timeout: 10_000 })
  }
})

test('right-to-left input is at the right of its field, and other input at the left', async () => {
  const context = await browser.newContext()
  after(() => context.close())
  const [page, canvas] = [await context.newPage(), await context.newPage()]
  await page.goto(`${app.url}/login`)
  const field = page.getByLabel('E-mail address')
  const sideOf = async (text: string) => {
    await field.fill(text)
    const picture = (await field.screenshot()).toString('base64')
    return canvas.evaluate<string>(`(async () => {
      const picture = await createImageBitmap(await (await fetch('data:image/png;base64,${picture}')).blob())
      const drawing = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
      drawing.drawImage(picture, 0, 0)
      const half = Math.floor(picture.width / 2)
      const inkFrom = (left) => {
        const { data } = drawing.getImageData(left + 6, 6, half - 12, picture.height - 12)
        return data.filter((value, at) => at % 4 === 0 && value < 128).length
      }
      return inkFrom(half) > inkFrom(0) ? 'right' : 'left'
    })()`)
  }
  assert.deepEqual([await sideOf('שלום'), await sideOf('Tea')], ['right', 'left'])
})
