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
  /** Where a link leads; nothing for one that leads nowhere, which then stays plain text. */
  link?(href: string): string | undefined
  image?(src: string): string | undefined
  /** What stands for a picture that has no address here; without it, its words do. */
  unloaded?: (image: InlineImage) => Html
  /** What stands for a mention that leads nowhere here; without it, its words do. */
  unled?: (mention: Mention) => Html
  /** How a formula is seen, on lines of its own or within one; without it, as it was written. */
  formula?: (text: string, isBlock: boolean) => Html
}

/** Plain, safe, semantic HTML without any style. Conditions and includes show what `evaluate` made of them. */
export function toHtml(blocks: readonly Block[], options: HtmlOptions = {}): string {
  const draw = htmlWriter(blocks, options)
  const drawn = blocks.map((block) => kindOf(block).toHtml(block, draw).toString())
  return drawn.filter((markup) => markup !== '').join('\n')
}

/** What draws the parts of these blocks. */
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

/** Whatever an address was resolved to, it may not run anything. */
function checked(address: string | undefined, isSafe: (address: string) => boolean): string | undefined {
  return address !== undefined && isSafe(address) ? address : undefined
}
