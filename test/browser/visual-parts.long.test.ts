// The names, kinds and parts of blocks in the visual editor.
import { test } from 'node:test'
import { flaws } from './accessible.ts'
import assert from 'node:assert/strict'
import { startApp } from '../app.ts'
import { startBrowser, untilTrue } from './browser.ts'
import { openVisual } from './editor.ts'

const browser = await startBrowser()
const app = await startApp()

async function aWriter(markdown: string) {
  const writer = await openVisual(app, browser, `# Tea\n\n${markdown}\n\n* Last\n`)
  const { page, visual } = writer
  const becomes = (now: string) => writer.becomes(`# Tea\n\n${now}\n\n* Last\n`)
  /** Presses a button beside the block, or part of a block, that contains these words. */
  const press = async (kind: string, words: string, name: string | RegExp) => {
    const frame = visual.locator(`[data-kind=${kind}]`, { hasText: words }).last()
    await frame.hover({ position: { x: 30, y: 8 } })
    await frame.locator(':scope > .frame-tools').getByRole('button', { name }).click()
  }
  const answer = async (question: string, words: string) => {
    await page.getByRole('textbox', { name: question }).waitFor()
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
  }
  return { ...writer, becomes, press, answer }
}

test('a button changes the kind of a hint and shows the current one', async () => {
  const { press, becomes, page } = await aWriter('{% hint style="info" icon="x" %}\nHot *water*.\n{% endhint %}')
  await press('hint', 'Hot', 'Kind: info')
  await becomes('{% hint style="success" icon="x" %}\nHot *water*.\n{% endhint %}')
  await untilTrue(page, `!isWorking`)
  await press('hint', 'Hot', 'Kind: success')
  await becomes('{% hint style="warning" icon="x" %}\nHot *water*.\n{% endhint %}')
})

test('typing goes on inside a hint after its kind was changed, also in a quote', async () => {
  for (const lead of ['', '> ']) {
    const hint = (kind: string, words: string) =>
      [`{% hint style="${kind}" %}`, words, '{% endhint %}'].map((line) => lead + line).join('\n')
    const { page, visual, type, becomes } = await openVisual(app, browser, `# Tea\n\n${hint('info', 'Hot')}\n\nEnd\n`)
    await visual.getByText('Hot').click()
    await visual.getByRole('button', { name: 'Kind: info' }).click()
    await visual.getByRole('button', { name: 'Kind: success' }).waitFor()
    await untilTrue(page, '!isWorking')
    await type(' water')
    await becomes(`# Tea\n\n${hint('success', 'Hot water')}\n\nEnd\n`)
  }
})

test('code can be given a language, an expandable block a title, and a tab another name', async () => {
  const { press, answer, becomes, page } = await aWriter(
    '```\nx()\n```\n\n<details>\n\n<summary>More</summary>\n\nHidden.\n\n</details>\n\n{% tabs %}\n{% tab title="A" icon="i" %}\nOne.\n{% endtab %}\n{% endtabs %}',
  )
  await press('code', 'x()', 'Language')
  await answer('The language of the code', 'js')
  await untilTrue(page, `!isWorking`)
  await press('details', 'Hidden', 'Title')
  await answer('The text shown while it is closed', 'A < B')
  await untilTrue(page, `!isWorking`)
  await press('tab', 'One', 'Title')
  await answer('Title of the tab', 'On "Linux"')
  await becomes(
    '```js\nx()\n```\n\n<details>\n\n<summary>A &lt; B</summary>\n\nHidden.\n\n</details>\n\n{% tabs %}\n{% tab title="On \\"Linux\\"" icon="i" %}\nOne.\n{% endtab %}\n{% endtabs %}',
  )
})

test('the title of a fold stands out from the words in it', async () => {
  const { page } = await aWriter('<details>\n\n<summary>More</summary>\n\nHidden words.\n\n</details>')
  assert.equal(await page.evaluate(`getComputedStyle(visual.querySelector('summary')).fontWeight`), '550')
})

test('code can be given a title, shows it, and can lose it again, also in a quote and in a list', async () => {
  for (const lead of ['', '> ', '* ']) {
    const further = lead.replace('*', ' ')
    const lines = (...each: string[]) => lead + each.join(`\n${further}`)
    const plain = lines('```js', 'x()', '```')
    const { press, answer, becomes, page, visual } = await aWriter(plain)
    await press('code', 'x()', 'Title')
    await answer('Title of the code', 'my "pot".js')
    await becomes(lines('{% code title="my \\"pot\\".js" %}', '```js', 'x()', '```', '{% endcode %}'))
    await untilTrue(page, `!isWorking`)
    assert.match(await page.evaluate(`getComputedStyle(document.querySelector('pre'), '::before').content`), /my .*pot/)
    await press('code', 'x()', 'Title')
    await answer('Title of the code', 'cup.js')
    await becomes(lines('{% code title="cup.js" %}', '```js', 'x()', '```', '{% endcode %}'))
    await untilTrue(page, `!isWorking`)
    await press('code', 'x()', 'Title')
    await page.getByRole('textbox', { name: 'Title of the code' }).fill('')
    await page.keyboard.press('Enter')
    await becomes(plain)
    await untilTrue(page, `!isWorking`)
    assert.equal(await visual.locator('pre[title]').count(), 0)
  }
})

test('other attributes of a code block stay when its title is removed', async () => {
  const source = (title: string) => `{% code${title} lineNumbers="true" %}\n\`\`\`\nx()\n\`\`\`\n{% endcode %}`
  const { press, becomes, page } = await aWriter(source(' title="a"'))
  await press('code', 'x()', 'Title')
  await page.getByRole('textbox', { name: 'Title of the code' }).fill('')
  await page.keyboard.press('Enter')
  await becomes(source(''))
})

test('steps and columns are added after another, also in a quote, and deleting the last step removes the whole block', async () => {
  const step = (title: string, does: string) => `{% step %}\n### ${title}\n\n${does}\n{% endstep %}`
  const steps = (...all: string[]) => `{% stepper %}\n${all.join('\n\n')}\n{% endstepper %}`
  const quoted = '> {% columns %}\n> {% column %}\n> Left.\n> {% endcolumn %}\n> {% endcolumns %}'
  const [one, two] = [step('One', 'Do *it*.'), step('Two', 'Done.')]
  const { press, type, becomes, page } = await aWriter(`${steps(one, two)}\n\n${quoted}`)
  await press('step', 'Do it', 'Add')
  await untilTrue(page, `getSelection().toString() === 'Next'`)
  await type('Between')
  const between = step('Between', 'What to do.')
  await becomes(`${steps(one, between, two)}\n\n${quoted}`)
  await press('step', 'Do it', 'Delete')
  await becomes(`${steps(between, two)}\n\n${quoted}`)
  await press('column', 'Left', 'Add')
  await untilTrue(page, `getSelection().toString() === 'What it says.'`)
  await type('Right.')
  const both = quoted.replace('> {% endcolumns', '>\n> {% column %}\n> Right.\n> {% endcolumn %}\n> {% endcolumns')
  await becomes(`${steps(between, two)}\n\n${both}`)
  await press('step', 'Between', 'Delete')
  await becomes(`${steps(two)}\n\n${both}`)
  await press('step', 'Two', 'Delete')
  await becomes(both)
})

test('a tab can be added after one whose tags are on the line of its text, also in a quote and in a list', async () => {
  const tabs = (lead: string) => `{% tabs %}\n${lead}{% tab title="A" %}One.{% endtab %}\n${lead}{% endtabs %}`
  const more = (lead: string, says: string) =>
    tabs(lead).replace(
      '{% endtab %}',
      ['$&', '', '{% tab title="Another" %}', says, '{% endtab %}'].join(`\n${lead}`).replaceAll(/[ \t]+\n/g, '\n'),
    )
  const places = [
    ['> ', '> '],
    ['* ', '  '],
    ['> - ', '>   '],
    ['', ''],
  ] as const
  for (const [first, lead] of places) {
    const { press, type, becomes, page } = await aWriter(first + tabs(lead))
    await press('tab', 'One', 'Add')
    await untilTrue(page, `getSelection().toString() === 'What it says.'`)
    await type('Two.')
    await becomes(first + more(lead, 'Two.'))
  }
})

test('a title with quotes or special characters is edited as it reads, and none of them is lost', async () => {
  const source = (summary: string, title: string) =>
    `<details>\n\n<summary>${summary}</summary>\n\nHidden.\n\n</details>\n\n{% tabs %}\n{% tab icon="50%" title="${title}" %}\nOne.\n{% endtab %}\n{% endtabs %}`
  const { press, key, type, becomes, page } = await aWriter(source('a &gt; &quot;b&quot; &amp; c', 'Say \\"hi\\" now'))
  for (const [kind, words] of [
    ['details', 'Hidden'],
    ['tab', 'One'],
  ] as const) {
    await press(kind, words, 'Title')
    await page.locator('.writing-question[open] input').waitFor()
    await key('End')
    await type('!')
    await key('Enter')
    await untilTrue(page, `!isWorking`)
  }
  await becomes(source('a > "b" &amp; c!', 'Say \\"hi\\" now!'))
})

test('a button changes its own block, even after a picture became a block or an empty quote was begun elsewhere', async () => {
  const hint = (words: string, style = 'info') => `{% hint style="${style}" %}\n${words}.\n{% endhint %}`
  const { press, key, type, text, becomes, visual, page } = await aWriter(
    `One ![a](a.png)\n\n${hint('Hot')}\n\n${hint('Cold')}\n\nTwo`,
  )
  // A picture alone in its paragraph is a block.
  await visual.getByText('One').click({ position: { x: 2, y: 8 } })
  await key('Home', 'Delete', 'Delete', 'Delete', 'Delete')
  await press('hint', 'Cold', 'Kind: info')
  await becomes(`![a](a.png)\n\n${hint('Hot')}\n\n${hint('Cold', 'success')}\n\nTwo`)
  await untilTrue(page, `!isWorking`)
  await visual.locator('h1').click()
  await key('End')
  await type('!')
  await key('Enter')
  await type('> ')
  await press('hint', 'Hot', 'Kind: info')
  await untilTrue(page, `!isWorking`)
  assert.deepEqual((await text()).match(/style="\w+" %}\n\w+/g), [
    'style="success" %}\nHot',
    'style="success" %}\nCold',
  ])
})

test('the buttons of parts are accessible, wide and light, and narrow and dark', async () => {
  const { page, visual } = await aWriter('{% tabs %}\n{% tab title="A" %}\nDo.\n{% endtab %}\n{% endtabs %}')
  await visual.getByText('Do.').hover()
  assert.deepEqual(await flaws(page), [])
  await page.setViewportSize({ width: 360, height: 700 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await visual.getByText('Do.').hover()
  assert.deepEqual(await flaws(page), [])
})

test('on a phone, the buttons over a block stay in one row that scrolls, and its language is there without a label', async () => {
  const code = '```typescript\nboil()\n```'
  const { page, visual } = await aWriter(
    `${code}\n\n{% tabs %}\n{% tab title="A" %}\n${code}\n{% endtab %}\n{% endtabs %}`,
  )
  await page.setViewportSize({ width: 390, height: 844 })
  await (await page.context().newCDPSession(page)).send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await untilTrue(page, `matchMedia('(hover: none)').matches`)
  const rows = await visual.locator('[data-kind=code] > .frame-tools').evaluateAll((all) =>
    all.map((tools) => {
      const [around, buttons] = [tools.getBoundingClientRect(), [...tools.querySelectorAll('button')]]
      const isWithin = around.right <= tools.parentElement!.getBoundingClientRect().right + 1
      return { rows: new Set(buttons.map((each) => each.getBoundingClientRect().top)).size, isWithin }
    }),
  )
  assert.deepEqual(rows, [
    { rows: 1, isWithin: true },
    { rows: 1, isWithin: true },
  ])
  const language = visual.getByRole('button', { name: 'Language: typescript', exact: true }).first()
  const { width } = (await language.boundingBox())!
  assert.ok(width < 80, `${width}`)
  await language.locator('xpath=..').getByRole('button', { name: 'Delete' }).click()
  await visual.locator('[data-kind=code]').nth(1).waitFor({ state: 'detached' })
})
