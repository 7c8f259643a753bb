import { setImmediate as breathe } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Asked, pathOfPage } from '../audience/resolve.ts'
import type { SpacePages } from '../audience/pages.ts'
import type { SiteSnapshot, Variant } from '../audience/snapshots/snapshot.ts'
import { placeWithId } from '../audience/snapshots/structure.ts'
import type { Visitor } from '../audience/visitors/visitor.ts'
import type { App } from '../http/routes.ts'
import { ofSite } from '../insights/tally.ts'
import { pageData } from '../pages/entry-data.ts'
import { openToAgents } from './agents/address.ts'
import { drawResults } from './frame/notices.ts'
import type { Given } from '../http/given.ts'
import { describePage } from './sending/headers.ts'
import type { Found } from './links.ts'
import { writeFeed } from './machines/feed.ts'
import { type Listed, listPages } from './machines/listing.ts'
import { writeLlms, pageBreak } from './machines/llms.ts'
import { type MappedPage, partOf, writePart, writeRobots, writeSitemap } from './machines/sitemap.ts'
import { writeMarkdown } from './machines/markdown.ts'
import { languageLinks, metaLinksOf } from './meta-links/meta-links.ts'
import { withEmbedsNamed } from '../embeds/named.ts'
import { writeSpecsFor } from '../openapi/blocks.ts'
import { feedAddress, markdownAddress } from './page-view.ts'
import { answerPdf } from '../pdf/published.ts'
import { type Answer, type Question, mostPages, searchSite } from './search/search.ts'
import { type Way, sendMade } from './sending/send-made.ts'
import { leadTo } from './sign-in.ts'
import { frameAround, readDocument } from './show.ts'
import { languageAt } from './site-title.ts'
import { behindKey } from './visit.ts'

/** A visitor who was let in, and what they asked for. */
export interface Asking {
  snapshot: SiteSnapshot
  visitor: Visitor
  asked: Asked
  query: URLSearchParams
  way: Way
}

const text = 'text/plain; charset=utf-8'
const markdown = 'text/markdown; charset=utf-8'
const xml = 'application/xml; charset=utf-8'

/** These cost more the larger the site is, mostly for each request: every one counts towards the rate limit. */
const counted = new Set(['~/search', '~/search.json', 'llms-full.txt'])

/**
 * Answers what a site offers besides its pages, for search and for machines. Undefined if the path is none of these.
 */
export async function answerBelow(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  asking: Asking,
): Promise<Given | undefined> {
  const { snapshot, asked, way } = asking
  const path = asked.segments.join('/')
  const isCounted = counted.has(path)
  const send: Send = (type, write) =>
    sendMade(app, request, reply, { snapshot, way, name: `below ${path}`, type, isCounted }, async () => {
      const body = await write()
      return body === undefined ? undefined : { text: body, isWhole: true }
    })
  if (isCounted) app.limit?.count(request, reply)
  if (path === '~/search') return showResults(app, request, reply, asking)
  if (path === '~/search.json') return sendAnswers(app, request, reply, asking)
  if (/(?:^|\/)~(?:gitbook)?\/pdf$/.test(path)) return answerPdf(app, request, reply, asking)
  switch (path) {
    case 'robots.txt':
      return send(text, () =>
        writeRobots(way.manner.isIndexed, `${app.audience.canonicalAddress(snapshot)}sitemap.xml`),
      )
    case 'sitemap.xml':
      return send(xml, async () =>
        writeSitemap(await listIndexed(app, asking), (part) => sitemapPart(app, asking, part)),
      )
    case 'llms.txt':
    case 'llms-full.txt':
      return answerLlms(app, asking, path, send)
  }
  const [, part] = /^sitemap-(\d{1,4})\.xml$/.exec(path) ?? []
  if (part !== undefined) {
    return send(xml, async () => {
      const mapped = partOf(await listIndexed(app, asking), Number(part))
      return mapped.length === 0 ? undefined : writePart(mapped)
    })
  }
  if (path.endsWith('.md')) return answerMarkdown(app, reply, asking, send)
  return path === 'rss.xml' || path.endsWith('/rss.xml') ? answerFeed(app, reply, asking, send) : undefined
}

/** Undefined if nothing is written. */
type Send = (type: string, write: () => Promise<string | undefined> | string | undefined) => Promise<Given | undefined>

function questionIn(query: URLSearchParams): Question {
  const [sectionId, siteSpaceId] = [query.get('in'), query.get('at')]
  return {
    text: (query.get('q') ?? '').trim(),
    ...(sectionId !== null && { sectionId }),
    ...(siteSpaceId !== null && { siteSpaceId }),
  }
}

/** There are never more than a hundred pages: only the best thousand results are counted. */
function pageIn(query: URLSearchParams): number {
  const [page = '1'] = /^[1-9]\d?$|^100$/.exec(query.get('page') ?? '') ?? []
  return Number(page)
}

/** Returns the address of the same query with other results. */
function resultsAt(query: URLSearchParams, page: number, sectionId = query.get('in')): string {
  const asked = new URLSearchParams()
  for (const name of ['q', 'at']) if (query.get(name) !== null) asked.set(name, query.get(name)!)
  if (sectionId) asked.set('in', sectionId)
  if (page > 1) asked.set('page', String(page))
  return `search?${asked.toString()}`
}

async function sendAnswers(app: App, request: FastifyRequest, reply: FastifyReply, asking: Asking) {
  const { snapshot, visitor, query, way } = asking
  const question = questionIn(query)
  const answer = await searchSite(app, { snapshot, visitor, base: way.base }, question)
  countSearch(app, request, asking, question, answer)
  const type = 'application/json; charset=utf-8'
  return { reply: describePage(reply, { isShared: false, isIndexed: false }, type).send(JSON.stringify(answer)) }
}

/** Counts a search. Looking at further pages of its results is not another search. */
function countSearch(
  { insights }: App,
  request: FastifyRequest,
  { snapshot, way }: Asking,
  { text, page = 1 }: Question,
  { count }: Pick<Answer, 'count'>,
): void {
  if (!way.isPreview && page === 1) insights.searched(request, ofSite(snapshot), text, count)
}

async function showResults(app: App, request: FastifyRequest, reply: FastifyReply, asking: Asking) {
  const { snapshot, visitor, query, way } = asking
  const page = pageIn(query)
  const question = { ...questionIn(query), page }
  const reader = { snapshot, visitor, base: way.base }
  const place = placeWithId(snapshot, visitor, question.siteSpaceId ?? '')
  const [frame, { hits, count }] = await Promise.all([
    frameAround(app, { ...reader, place, isPreview: way.isPreview }),
    searchSite(app, reader, question),
  ])
  if (!frame) return undefined
  countSearch(app, request, asking, question, { count })
  const last = Math.ceil(count / mostPages)
  const markup = drawResults(frame.site, frame.nav, {
    query: question.text,
    sectionId: question.sectionId,
    within: (sectionId) => resultsAt(query, 1, sectionId),
    count,
    hits,
    from: (page - 1) * mostPages + 1,
    to: Math.min(page * mostPages, count),
    ...(page > 1 && { previous: resultsAt(query, Math.min(page - 1, Math.max(last, 1))) }),
    ...(page < last && { next: resultsAt(query, page + 1) }),
  })
  return { reply: describePage(reply, { isShared: false, isIndexed: false }).send(markup) }
}

/** Finding the same page in other languages takes a while on a large site: other requests get their turn in between. */
const pagesAtOnce = 200

/** Lists the pages that search engines may show, with the language links that their heads contain. */
async function listIndexed(app: App, { snapshot, visitor, way }: Asking): Promise<MappedPage[]> {
  if (!way.manner.isIndexed) return []
  const mapped: MappedPage[] = []
  const byVariant = new Map<Variant, SpacePages | Promise<SpacePages>>()
  const pagesOf = (variant: Variant) => {
    const pages = byVariant.get(variant) ?? app.audience.pages(variant.head)
    byVariant.set(variant, pages)
    return pages
  }
  for (const each of await listPages(app, snapshot, visitor, ({ noRobotsIndex }) => !noRobotsIndex)) {
    if (mapped.length % pagesAtOnce === 0) await breathe()
    const alternates = languageLinks(await metaLinksOf(app, { snapshot, visitor, ...each }, pagesOf))
    mapped.push({ url: each.url, updatedAt: each.data.updatedAt, alternates })
  }
  return mapped
}

const sitemapPart = (app: App, { snapshot }: Asking, part: number) =>
  `${app.audience.canonicalAddress(snapshot)}sitemap-${part}.xml`

/** Nobody reads more than this in one go, and no model does either. */
const longestWhole = 20 * 1024 * 1024

async function answerLlms(app: App, asking: Asking, path: string, send: Send): Promise<Given | undefined> {
  const { snapshot, visitor } = asking
  if (snapshot.site.agents_context === 'excluded') return undefined
  const address = addressFor(app, asking)
  return send(markdown, async () => {
    const listed = await listPages(app, snapshot, visitor, ({ noIndex }) => !noIndex, address)
    if (path === 'llms.txt') return writeLlms(asking, listed, `${address}llms-full.txt`, openToAgents(app, snapshot))
    return writeWhole(app, asking, listed, address)
  })
}

/** Returns the address of the site, for programs that follow it from here. */
const addressFor = (app: App, { snapshot, way }: Asking) => behindKey(app.audience.canonicalAddress(snapshot), way.key)

async function writeWhole(app: App, { snapshot, visitor }: Asking, listed: readonly Listed[], address: string) {
  let whole = ''
  for (const each of listed) {
    // Writing all of a large site takes a second: other requests get their turn in between.
    await breathe()
    const text = await markdownOf(app, { snapshot, visitor, ...each }, address)
    whole += (whole === '' ? `Source: ${each.url}\n\n` : pageBreak(each.url)) + text
    if (whole.length > longestWhole) return `${whole}\n\n---\n\nThe rest is left out: see llms.txt.\n`
  }
  return whole
}

/**
 * Answers `<page>.md`, and `index.md` for a page whose address ends in a slash. If the page redirects, so does its
 * Markdown twin.
 */
async function answerMarkdown(app: App, reply: FastifyReply, asking: Asking, send: Send): Promise<Given | undefined> {
  const { snapshot, visitor, asked, way } = asking
  if (snapshot.site.agents_context === 'excluded') return undefined
  const above = asked.segments.slice(0, -1)
  const name = asked.segments.at(-1)!.replace(/\.md$/, '')
  const segments = name === 'index' ? above : [...above, name]
  const twin = await send(markdown, async () => {
    const found = name === 'index' ? await findIndex(app, asking, above) : await findPage(app, asking, segments)
    return found && markdownOf(app, found, way.base)
  })
  if (twin) return twin
  const resolution = await app.audience.resolve(snapshot, visitor, { segments, hasSlash: false })
  if (resolution.kind !== 'moved') return undefined
  return { reply: leadTo(reply, markdownAddress(way.base + resolution.path), resolution.status) }
}

/**
 * Returns the page whose address ends in a slash; else the page that is called `index`; else the page without the
 * slash.
 */
async function findIndex(app: App, asking: Asking, above: readonly string[]): Promise<Found | undefined> {
  const { snapshot, visitor } = asking
  const first = await app.audience.resolve(snapshot, visitor, { segments: above, hasSlash: true })
  if (first.kind === 'page') return { ...first, snapshot, visitor }
  return (await findPage(app, asking, [...above, 'index'])) ?? findPage(app, asking, above)
}

/** `base` is the address of the site, with a slash at its end. */
export async function markdownOf(app: App, found: Found, base: string): Promise<string> {
  const { organizationId } = found.pages.at
  const { document: source, links } = await readDocument(app, found, base)
  const document = await withEmbedsNamed(app, organizationId, source)
  const specs = await writeSpecsFor(app, organizationId, document.blocks, {
    fileOf: (src) => links.fileOf(src),
    language: languageAt(found.snapshot, found.place),
  })
  return writeMarkdown(pageData(found.page), document, links, specs)
}

/** Answers `<page>/rss.xml`. If the page redirects, so does its feed: feed readers use an old address for years. */
async function answerFeed(app: App, reply: FastifyReply, asking: Asking, send: Send): Promise<Given | undefined> {
  const { snapshot, visitor, asked, way } = asking
  const segments = asked.segments.slice(0, -1)
  let isPage = false
  const feed = await send('application/rss+xml; charset=utf-8', async () => {
    const found = await findPage(app, asking, segments)
    isPage = found !== undefined
    if (!found) return undefined
    const { blocks } = (await readDocument(app, found, way.base)).document
    if (!blocks.some(({ type }) => type === 'updates')) return undefined
    const { title, description } = pageData(found.page)
    const path = pathOfPage(snapshot, visitor, found)
    const url = addressFor(app, asking) + path
    const name = app.audience.canonicalAddress(snapshot) + path
    return writeFeed({ title, description, url, name, address: feedAddress(url) }, blocks)
  })
  if (feed || isPage) return feed
  const resolution = await app.audience.resolve(snapshot, visitor, { segments, hasSlash: false })
  if (resolution.kind !== 'moved') return undefined
  return { reply: leadTo(reply, feedAddress(way.base + resolution.path), resolution.status) }
}

/** Returns the page at a path, whether its address ends in a slash or not. */
export async function findPage(
  app: App,
  { snapshot, visitor }: Pick<Asking, 'snapshot' | 'visitor'>,
  segments: readonly string[],
): Promise<Found | undefined> {
  for (const hasSlash of [false, true]) {
    const found = await app.audience.resolve(snapshot, visitor, { segments, hasSlash })
    if (found.kind === 'page') return { ...found, snapshot, visitor }
  }
  return undefined
}
