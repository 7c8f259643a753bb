import { setImmediate as breathe } from 'node:timers/promises'
import { type Block, everyBlock, exchangeBlocks } from '../../content/blocks.ts'
import { html as inPage, trusted } from '../../content/html/template.ts'
import type { Mention } from '../../content/inlines.ts'
import { plainText } from '../../content/inlines/text.ts'
import { parse } from '../../content/parse.ts'
import { toHtml } from '../../content/to-html.ts'
import { type Html, html } from '../../http/html.ts'
import { isPlain, withoutHeadings } from '../../openapi/draw/markdown.ts'

/** Longer ones are shown as they were written, and so is what comes when much has been drawn: nobody waits for that. */
const longest = 20_000
const mostOfPage = 200_000

/** What people wrote beside the content, as it reads. Each text has its markup, under the text itself. */
export async function drawTexts(texts: readonly string[]): Promise<ReadonlyMap<string, Html>> {
  const drawn = new Map<string, Html>()
  let left = mostOfPage
  for (const text of texts) {
    if (drawn.has(text)) continue
    const isDrawn = !isPlain(text) && text.length <= Math.min(longest, left)
    drawn.set(text, isDrawn ? drawText(text, `text-${drawn.size}-`) : asWritten(text))
    if (!isDrawn) continue
    left -= text.length
    // Others have their turn between two of them.
    await breathe()
  }
  return drawn
}

function drawText(text: string, prefix: string): Html {
  // Behind an empty line, so that what begins with a rule is not taken for front matter.
  const { blocks } = parse(`\n${text}`)
  const markup = toHtml(exchangeBlocks(blocks, headingsIn(blocks)), addresses)
  // A picture without words, a condition: whoever reads it should see that there is something.
  if (markup.replace(/<[^>]*>/g, '').trim() === '') return asWritten(text)
  return html`<div class="review-text">${trusted(named(markup, prefix))}</div>`
}

/** Two texts may each have a footnote 1: what a text has names for is its own. */
const named = (markup: string, prefix: string) =>
  markup.replace(/<[a-z][^<>]*>/g, (tag) => tag.replace(/ (id="|href="#)/g, ` $1${prefix}`))

const asWritten = (text: string) => html`<div class="review-text"><p>${text}</p></div>`

/** Headings of a text are none of the page, nor are their places. */
const headingsIn = (blocks: readonly Block[]) =>
  new Map(
    [...everyBlock(blocks)].filter(({ type }) => type === 'heading').map((block) => [block, [withoutHeadings(block)]]),
  )

/**
 * A text does not know where it is shown: what is relative in it leads nowhere. Nothing is loaded for it from anywhere:
 * whoever wrote it would learn who reads it, and when.
 */
const addresses = {
  link: (href: string) => (/^(https?:\/\/|mailto:)/i.test(href) ? href : undefined),
  image: () => undefined,
  unled: ({ href, inlines }: Mention) => {
    const name = plainText(inlines)
    return href.startsWith('/users/') ? inPage`<strong class="review-mention">@${name}</strong>` : inPage`${name}`
  },
}
