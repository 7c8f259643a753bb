import { randomUUID } from 'node:crypto'
import { type Block, exchangeBlocks } from '../../content/blocks.ts'
import { type LinkPlace, exchangeAddresses, linksWithRepeated } from '../../content/links.ts'
import { type Document, parse } from '../../content/parse.ts'
import { write } from '../../content/write.ts'
import type { PageData } from '../../pages/entry-data.ts'
import type { Links } from '../links.ts'
import { markdownAddress } from '../page-view.ts'

/** Writes a page as Markdown to take along: its title, its description, and its text as this reader sees it. */
export function writeMarkdown(
  { title, description }: Pick<PageData, 'title' | 'description'>,
  document: Document,
  links: Links,
  specs: ReadonlyMap<Block, string> = new Map(),
): string {
  const about = description === undefined ? '' : `> ${description.replace(/\s+/g, ' ')}\n\n`
  return `# ${title.replace(/\s+/g, ' ')}\n\n${about}${writeWithSpecs(document, links, specs).trim()}\n`
}

/**
 * The parts of a specification that a page shows are not in its text, so they are inserted where the page shows them.
 * They are long and contain no links to rewrite, so a mark stands in for each of them until everything else is written.
 */
function writeWithSpecs(document: Document, links: Links, specs: ReadonlyMap<Block, string>): string {
  if (specs.size === 0) return writeBody(document, links)
  const mark = `spec${randomUUID()}n`
  const texts = [...specs.values()]
  const marks = new Map([...specs.keys()].map((block, at): [Block, Block[]] => [block, [paragraph(`${mark}${at}`)]]))
  const blocks = exchangeBlocks(document.blocks, marks)
  const lines = new RegExp(`^(.*)${mark}(\\d+)$`, 'gm')
  return writeBody({ ...document, blocks }, links).replace(lines, (_, before: string, at: string) => {
    // Inside a quote or a list, every line needs the prefix that makes it a part of that.
    const further = before.replace(/[^\s>]/g, ' ')
    const [first = '', ...others] = texts[Number(at)]!.split('\n')
    return [before + first, ...others.map((line) => (further + line).trimEnd())].join('\n')
  })
}

const paragraph = (text: string): Block => ({ type: 'paragraph', inlines: [{ type: 'text', text }] })

/**
 * In the source, a link refers to a page of the space. Here it is replaced by the address of that page's Markdown on
 * the site.
 */
function writeBody(document: Document, links: Links): string {
  const whole = document.blocks === document.parsed ? document : parse(write(document))
  return exchangeAddresses(whole, linksWithRepeated(whole), (place) => addressFor(place, links))
}

/**
 * Returns undefined if the address is the same everywhere. A target that this reader may not see has no address, and is
 * not named either.
 */
function addressFor({ kind, href }: LinkPlace, links: Links): string | undefined {
  if (kind === 'include' || kind === 'openapi') return undefined
  const address = kind === 'image' || kind === 'cover' ? links.image(href) : links.link(href)
  if (address === href) return undefined
  if (address === undefined) return '#'
  if (!links.pageOf(href)) return address
  const [page, anchor] = address.split('#')
  return markdownAddress(page!) + (anchor === undefined ? '' : `#${anchor}`)
}
