import { setImmediate as breathe } from 'node:timers/promises'
import { type Block, everyBlock, exchangeBlocks } from '../../content/blocks.ts'
import { html as inPage, trusted } from '../../content/html/template.ts'
import type { Mention } from '../../content/inlines.ts'
import { plainText } from '../../content/inlines/text.ts'
import { parse } from '../../content/parse.ts'
import { toHtml } from '../../content/to-html.ts'
import { type Html, html } from '../../http/html.ts'
import { isPlain, withoutHeadings } from '../../openapi/draw/markdown.ts'

/**
 * Longer texts are shown as they were written, and so are all texts once this much of a page has been drawn: nobody
 * should have to wait for it.
 */
const longest = 20_000
const mostOfPage = 200_000

/** Draws the Markdown that people wrote outside the content. Returns the markup of each text, by the text itself. */
export async function drawTexts(texts: readonly string[]): Promise<ReadonlyMap<string, Html>> {
  const drawn = new Map<string, Html>()
  let left = mostOfPage
  for (const text of texts) {
    if (drawn.has(text)) continue
    const isDrawn = !isPlain(text) && text.length <= Math.min(longest, left)
    drawn.set(text, isDrawn ? drawText(text, `text-${drawn.size}-`) : asWritten(text))
    if (!isDrawn) continue
    left -= text.length
    // Lets other requests proceed between two texts.
    await breathe()
  }
  return drawn
}

function drawText(text: string, prefix: string): Html {
  // Parsed with an empty line before it, so that a rule at its beginning is not taken for front matter.
  const { blocks } = parse(`\n${text}`)
  const markup = toHtml(exchangeBlocks(blocks, headingsIn(blocks)), addresses)
  // A picture without a description, or a condition: the reader should see that there is something.
  if (markup.replace(/<[^>]*>/g, '').trim() === '') return asWritten(text)
  return html`<div class="review-text">${trusted(named(markup, prefix))}</div>`
}

/** Two texts may each have a footnote 1, so the ids and anchors of each text get a prefix of their own. */
const named = (markup: string, prefix: string) =>
  markup.replace(/<[a-z][^<>]*>/g, (tag) => tag.replace(/ (id="|href="#)/g, ` $1${prefix}`))

const asWritten = (text: string) => html`<div class="review-text"><p>${text}</p></div>`

/** Headings of a comment are not headings of the page, and get no anchors there. */
const headingsIn = (blocks: readonly Block[]) =>
  new Map(
    [...everyBlock(blocks)].filter(({ type }) => type === 'heading').map((block) => [block, [withoutHeadings(block)]]),
  )

/**
 * A comment does not know where it is shown, so relative addresses in it lead nowhere. Nothing is loaded from anywhere:
 * otherwise its author would learn who reads it, and when.
 */
const addresses = {
  link: (href: string) => (/^(https?:\/\/|mailto:)/i.test(href) ? href : undefined),
  image: () => undefined,
  unled: ({ href, inlines }: Mention) => {
    const name = plainText(inlines)
    return href.startsWith('/users/') ? inPage`<strong class="review-mention">@${name}</strong>` : inPage`${name}`
  },
}
