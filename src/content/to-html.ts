import { kindOf } from './blocks/all.ts'
import type { HtmlWriter } from './blocks/kind.ts'
import { everyBlock, type Block } from './blocks.ts'
import { withAddresses } from './html/addresses.ts'
import { sanitize } from './html/sanitize.ts'
import { serialize } from './html/serialize.ts'
import { html, type Html } from './html/template.ts'
import { isSafeImage, isSafeLink } from './html/urls.ts'
import type { InlineImage, Mention } from './inlines.ts'
import { drawInlines } from './inlines/to-html.ts'
import { readFragment } from './html/fragment.ts'
import { anchorsOf } from './sections.ts'

export interface HtmlOptions {
  /** Returns where a link leads, or undefined if it leads nowhere and stays plain text. */
  link?(href: string): string | undefined
  image?(src: string): string | undefined
  /** Returns what to show for a picture that has no address here. Without this, its words are shown. */
  unloaded?: (image: InlineImage) => Html
  /** Returns what to show for a mention that leads nowhere here. Without this, its words are shown. */
  unled?: (mention: Mention) => Html
  /** Draws a formula, on lines of its own or within one. Without this, it is shown as it was written. */
  formula?: (text: string, isBlock: boolean) => Html
}

/** Returns plain, safe, semantic HTML without any style. Conditions and includes show the result of `evaluate`. */
export function toHtml(blocks: readonly Block[], options: HtmlOptions = {}): string {
  const draw = htmlWriter(blocks, options)
  const drawn = blocks.map((block) => kindOf(block).toHtml(block, draw).toString())
  return drawn.filter((markup) => markup !== '').join('\n')
}

/** Returns the writer that draws the parts of these blocks. */
export function htmlWriter(blocks: readonly Block[], options: HtmlOptions): HtmlWriter {
  const anchors = anchorsOf([...everyBlock(blocks)])
  const draw: HtmlWriter = {
    blocks: (children) => html`${children.map((block) => kindOf(block).toHtml(block, draw))}`,
    inlines: (inlines) => drawInlines(inlines, draw),
    raw(source) {
      const tree = readFragment(source)
      withAddresses(tree, draw)
      return serialize(sanitize(tree).children)
    },
    link: (href) => checked(options.link ? options.link(href) : href, isSafeLink),
    image: (src) => checked(options.image ? options.image(src) : src, isSafeImage),
    anchor: (block) => anchors.get(block),
    unloaded: options.unloaded,
    unled: options.unled,
    formula: options.formula,
  }
  return draw
}

/** Drops an address that could run code, regardless of how it was resolved. */
function checked(address: string | undefined, isSafe: (address: string) => boolean): string | undefined {
  return address !== undefined && isSafe(address) ? address : undefined
}
