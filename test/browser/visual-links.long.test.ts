// Links that are made in the visual editor, in a real browser.
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { newPage } from '../editing.ts'
import { startBrowser } from './browser.ts'
import { openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

test('a link inserted without selected words is named after the page it leads to, or else after its address', async () => {
  const pots = newPage('Pots', { ref: 'pots' })
  const { behind, key, type, becomes, page } = await openVisual(
    app,
    browser,
    '# Tea\n\nHot.\n',
    pots,
    newPage('Lids', { into: 'pots' }),
  )
  const address = page.getByRole('textbox', { name: 'Where the link leads' })
  await behind('Hot.')
  let text = 'Hot.'
  for (const [href, words] of [
    ['/pots/lids.md', 'Lids'],
    ['pots.md#iron', 'Pots'],
    ['nowhere.md', 'nowhere.md'],
    ['https://example.org/lids', undefined],
  ] as const) {
    await type(' ')
    await key('Control+k')
    await address.fill(href)
    await key('Enter')
    text += words === undefined ? ` <${href}>` : ` [${words}](${href})`
    await becomes(`# Tea\n\n${text}\n`)
  }
})
