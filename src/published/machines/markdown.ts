import { childBlocks, everyBlock } from '../../content/blocks.ts'
import { type LinkPlace, exchangeAddresses, links as placesIn } from '../../content/links.ts'
import { type Document, parse } from '../../content/parse.ts'
import { write } from '../../content/write.ts'
import type { PageData } from '../../pages/entry-data.ts'
import type { Links } from '../links.ts'
import { markdownAddress } from '../page-view.ts'

/** A page as Markdown, for those who take it along: its title, what it is about, and its text as this reader sees it. */
export function writeMarkdown(
  { title, description }: Pick<PageData, 'title' | 'description'>,
  document: Document,
  links: Links,
): string {
  const about = description === undefined ? '' : `> ${description.replace(/\s+/g, ' ')}\n\n`
  return `# ${title.replace(/\s+/g, ' ')}\n\n${about}${writeBody(document, links).trim()}\n`
}

/** In the source a link names a page of the space; here it is where the site has the text of that page. */
function writeBody(document: Document, links: Links): string {
  const whole = document.blocks === document.parsed ? document : parse(write(document))
  const repeated = [...everyBlock(whole.blocks)].filter(({ type }) => type === 'content-ref').flatMap(childBlocks)
  const places = [...placesIn(whole), ...placesIn({ ...whole, blocks: repeated })].toSorted((a, b) => a.start - b.start)
  return exchangeAddresses(whole, places, (place) => addressFor(place, links))
}

/** Undefined where it says the same everywhere. What this reader may not see is nowhere, and is not named either. */
function addressFor({ kind, href }: LinkPlace, links: Links): string | undefined {
  if (kind === 'include' || kind === 'openapi') return undefined
  const address = kind === 'image' || kind === 'cover' ? links.image(href) : links.link(href)
  if (address === href) return undefined
  if (address === undefined) return '#'
  if (!links.pageOf(href)) return address
  const [page, anchor] = address.split('#')
  return markdownAddress(page!) + (anchor === undefined ? '' : `#${anchor}`)
}
