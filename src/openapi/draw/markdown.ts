import type { Block } from '../../content/blocks.ts'
import { type Html, html, trusted } from '../../content/html/template.ts'
import { parse } from '../../content/parse.ts'
import { toHtml } from '../../content/to-html.ts'
import { shortened } from '../../shortened.ts'

/** Limit for descriptions. Longer ones should be pages. */
const longest = 20_000

/** Draws a description in Markdown. Most are a single sentence, and need no parser. */
export function drawMarkdown(text: string | undefined): Html | undefined {
  const source = text?.trim()
  if (!source) return undefined
  if (isPlain(source)) return html`<p>${source}</p>`
  const { blocks } = parse(source.length > longest ? `${shortened(source, longest)}…` : source)
  const markup = trusted(toHtml(blocks.map(withoutHeadings), addresses))
  return blocks.length > 1 || blocks[0]?.type === 'code' ? html`<div class="flow">${markup}</div>` : markup
}

/** Whether the text means the same as Markdown and as plain text. */
export const isPlain = (text: string) =>
  text.length < 2_000 && !/[\n*_`[\]<>#|~\\&{}$!^]|https?:|^\s*(\d+[.)]|[-+=])/.test(text)

/** Turns headings of a description into bold paragraphs, because they are not part of the outline of the page. */
export function withoutHeadings(block: Block): Block {
  return block.type === 'heading' ? { type: 'paragraph', inlines: [{ type: 'strong', inlines: block.inlines }] } : block
}

/** A description does not know where it is displayed, so relative addresses in it lead nowhere. */
const addresses = {
  link: (href: string) => (/^(https?:\/\/|mailto:)/i.test(href) ? href : undefined),
  image: (src: string) => (/^https?:\/\//i.test(src) ? src : undefined),
}
