// What fits on a sheet, and what has no place on one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from '../../content/parse.ts'
import { isWide } from './formula-width.ts'
import { printFormula } from './formulas.ts'
import type { PrintedBook } from './nodes.ts'
import { printBook } from './print.ts'

async function printed(title: string, markdown: string): Promise<PrintedBook> {
  const chapter = {
    entry: { entry: 'a', data: { type: 'document', title } },
    depth: 1,
    document: parse(markdown),
    around: { link: () => undefined, file: () => undefined },
  }
  const book = {
    organizationId: '',
    title,
    subtitle: undefined,
    language: 'en',
    isSingle: false,
    async *chapters() {
      yield chapter
    },
  }
  const { data } = await printBook(book, { depth: 10, pictures: true, formulas: true })
  return JSON.parse(Buffer.concat(data).toString())
}

test('a title is as large as others of its kind, unless a word of it would not fit on the sheet', async () => {
  const short = await printed('Internationalization and localization', '')
  assert.deepEqual([short.cover.scale, short.scales], [1, {}])
  const wide = await printed(`The ${'Schifffahrt'.repeat(4)}`, '')
  assert.ok(wide.cover.scale < 0.7 && wide.scales['c0']! < 1, JSON.stringify(wide))
  assert.ok(wide.cover.scale < wide.scales['c0']!)
  const endless = await printed('x'.repeat(400), '')
  assert.match(endless.chapters[0]!.title, /^(x{20}\u200b){19}x/)
  assert.equal(endless.title, 'x'.repeat(400))
})

test('scripts, styles and the like are no text, wherever they stand', async () => {
  const book = await printed(
    'Page',
    `Before <script>gone(1)</script> after <style>gone { }</style>.

<script>
gone(2) < 3

gone(3)
</script>

<div>kept<SCRIPT type="module">gone(4)</SCRIPT> too <svg><text>gone</text></svg></div>

# Title <script>gone(5)</script>

| A |
| --- |
| cell <script>gone(6)</script> |

<style>gone {}`,
  )
  const text = JSON.stringify(book.chapters)
  assert.doesNotMatch(text, /gone[ (<]/)
  for (const kept of ['Before ', ' after ', 'kept too', 'Title ', 'cell ']) assert.ok(text.includes(kept), kept)
})

test('a formula is too wide for running text where it has nothing to break at', () => {
  const terms = (count: number) =>
    Array.from({ length: count }, (_, number) => `a_{${number}} x^{${number}}`).join(' + ')
  for (const [formula, expected] of [
    ['a^2 + b^2 = c^2', false],
    [terms(40), false],
    ['abcdefghij'.repeat(8), true],
    [`\\frac{${terms(20)}}{2}`, true],
    [`\\sqrt{${terms(20)}}`, true],
    [`\\begin{pmatrix} ${Array.from({ length: 40 }, () => 'x').join(' & ')} \\end{pmatrix}`, true],
  ] as const) {
    assert.equal(isWide(printFormula(formula)!), expected, formula)
  }
})
