import { type Block, everyBlock } from '../../content/blocks.ts'
import { escapeHtml } from '../../content/html/escape.ts'
import { plainText } from '../../content/inlines/text.ts'
import { anchorsOf } from '../../content/sections.ts'
import { toPlainText } from '../../content/text.ts'
import { shortened } from '../../shortened.ts'

export interface FeedOf {
  title: string
  description: string | undefined
  url: string
  /** Prefix of the ids of the updates. It is the same whichever way the feed is read. */
  name: string
  /** The address of the feed itself. */
  address: string
}

const mostItems = 100
const longestText = 2_000

/** Writes the updates of a page as RSS, the newest first. */
export function writeFeed(of: FeedOf, blocks: readonly Block[]): string {
  const anchors = anchorsOf([...everyBlock(blocks)])
  const at = (part: string, address = of.url) => `${address}#${encodeURIComponent(part)}`
  const items = [...everyBlock(blocks)].flatMap((block) => {
    if (block.type !== 'update') return []
    const time = Date.parse(block.date ?? '')
    const heading = [...everyBlock(block.blocks)].find((each) => each.type === 'heading')
    const anchor = heading && anchors.get(heading)
    return [
      {
        time: Number.isNaN(time) ? undefined : time,
        date: block.date ?? '',
        slug: heading ? anchorsOf([heading]).get(heading) : undefined,
        title: heading ? plainText(heading.inlines).trim() : (block.date ?? of.title),
        link: anchor === undefined ? of.url : at(anchor),
        text: shortened(toPlainText(block.blocks.filter((each) => each !== heading)), longestText),
      },
    ]
  })
  const newest = items.toSorted((a, b) => (b.time ?? 0) - (a.time ?? 0))
  const names = namesOf(newest)
  const written = newest
    .slice(0, mostItems)
    .map(
      ({ time, title, link, text }, index) =>
        `<item><title>${escapeHtml(title)}</title><link>${escapeHtml(link)}</link>` +
        `<guid isPermaLink="false">${escapeHtml(at(names[index]!, of.name))}</guid>` +
        (time === undefined ? '' : `<pubDate>${new Date(time).toUTCString()}</pubDate>`) +
        `<description>${escapeHtml(text)}</description></item>`,
    )
  const feed =
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>' +
    `<title>${escapeHtml(of.title)}</title><link>${escapeHtml(of.url)}</link>` +
    `<description>${escapeHtml(of.description ?? of.title)}</description>` +
    `<atom:link href="${escapeHtml(of.address)}" rel="self" type="application/rss+xml"/>` +
    `${written.join('')}</channel></rss>\n`
  return feed.replace(unwritable, '\ufffd')
}

/**
 * Returns the id of each update, by which programs distinguish it from all others and recognize it again: its heading,
 * plus its date if an earlier update has the same heading. Newer updates are added above it, so neither its position
 * nor its anchor is stable.
 */
function namesOf(newest: readonly { date: string; slug: string | undefined }[]): string[] {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  const named = newest.toReversed().map(({ date, slug }) => {
    const dated = slug === undefined ? date : `${slug}-${date}`
    let name = taken.has(slug ?? date) ? dated : (slug ?? date)
    while (taken.has(name)) {
      const count = (counts.get(dated) ?? 1) + 1
      counts.set(dated, count)
      name = `${dated}-${count}`
    }
    taken.add(name)
    return name
  })
  return named.toReversed()
}

/**
 * Characters that XML cannot contain, not even escaped. A single one of them would make every feed reader reject the
 * feed.
 */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
