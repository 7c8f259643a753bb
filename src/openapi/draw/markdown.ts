import type { Block } from '../../content/blocks.ts'
import { type Html, html, trusted } from '../../content/html/template.ts'
import { parse } from '../../content/parse.ts'
import { toHtml } from '../../content/to-html.ts'
import { shortened } from '../../shortened.ts'

/** Longer descriptions are pages, and belong there. */
const longest = 20_000

/** The Markdown of a description. Most are a sentence, and need no parser. */
export function drawMarkdown(text: string | undefined): Html | undefined {
  const source = text?.trim()
  if (!source) return undefined
  if (isPlain(source)) return html`<p>${source}</p>`
  const { blocks } = parse(source.length > longest ? `${shortened(source, longest)}…` : source)
  const markup = trusted(toHtml(blocks.map(withoutHeadings), addresses))
  return blocks.length > 1 || blocks[0]?.type === 'code' ? html`<div class="flow">${markup}</div>` : markup
}

/** Whether it says the same as Markdown and as it is. */
export const isPlain = (text: string) =>
  text.length < 2_000 && !/[\n*_`[\]<>#|~\\&{}$!^]|https?:|^\s*(\d+[.)]|[-+=])/.test(text)

/** Headings of a description are none of the page: the list of its parts does not know them. */
export function withoutHeadings(block: Block): Block {
  return block.type === 'heading' ? { type: 'paragraph', inlines: [{ type: 'strong', inlines: block.inlines }] } : block
}

/** A description does not know where it is shown: what is relative in it leads nowhere. */
const addresses = {
  link: (href: string) => (/^(https?:\/\/|mailto:)/i.test(href) ? href : undefined),
  image: (src: string) => (/^https?:\/\//i.test(src) ? src : undefined),
}
