import type { FastifyReply, FastifyRequest } from 'fastify'
import { pageWithId, visibleTree } from '../audience/pages.ts'
import { placeOfPath } from '../audience/resolve.ts'
import { type Place, segmentsTo } from '../audience/snapshots/structure.ts'
import { withoutLost } from '../content/lost.ts'
import type { Document } from '../content/parse.ts'
import { embedsIn } from '../embeds/address.ts'
import type { App } from '../http/routes.ts'
import { loadSpecsFor } from '../openapi/blocks.ts'
import { editAddress } from '../git/edit-address.ts'
import { percentDecoded } from '../percent.ts'
import { evaluateFor } from '../pages/evaluate.ts'
import { offersPdf, pdfAddress } from '../pdf/offer.ts'
import { drawNotFound } from './frame/notices.ts'
import type { NavItem, SiteView } from './frame/view.ts'
import { offersAt } from './meta-links/language-offers.ts'
import type { Given } from '../http/given.ts'
import { type Manner, describePage } from './sending/headers.ts'
import { type Found, type Links, makeLinks, pathTo } from './links.ts'
import { languageLinks, metaLinksOf } from './meta-links/meta-links.ts'
import { navOf, showPage } from './page-view.ts'
import { asksReaders } from './ratings/answer.ts'
import { ratingAddress } from './ratings/address.ts'
import { readOf } from './read-of.ts'
import { samePages } from './meta-links/same-page.ts'
import { type Made, type Way, sendMade } from './sending/send-made.ts'
import { type Whereabouts, searchFrom, viewSite } from './site-view.ts'
import { nameOf, suggestionsFor } from './search/suggestions.ts'

/** Shows a page of documentation. */
export async function showFound(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Found,
  way: Way,
): Promise<FastifyReply> {
  const { snapshot, place, page } = found
  const shown = { snapshot, way, name: `${place.variant.row.id} ${page.entry}`, read: readOf(found) }
  const sent = await sendMade(app, request, reply, shown, () => draw(app, found, way))
  return sent!.reply
}

async function draw(app: App, found: Found, { manner, base, isPreview }: Way): Promise<Made> {
  const { snapshot, visitor } = found
  const [{ links, document }, view, meta, same, edit] = await Promise.all([
    readDocument(app, found, base),
    viewSite(app, { ...found, base, isPreview }),
    metaLinksOf(app, found),
    samePages(app, found, base),
    editAddress(app.db, found),
  ])
  // Readers who change the version or the language stay on the same page.
  const inOtherWords = meta.alternates.map(
    (each) => [base + pathTo(snapshot, visitor, each.place), base + each.path] as const,
  )
  const inOthers = new Map([...same, ...inOtherWords])
  const variants = view.variants.map((each) => ({ ...each, href: inOthers.get(each.href) ?? each.href }))
  const site = { ...view, variants }
  const { site: canonical } = meta
  const embedded = [...embedsIn(document.blocks)].map(({ url }) => url)
  let isWhole = true
  const text = await showPage({
    ...found,
    site,
    document,
    links,
    canonicalUrl: canonical + meta.path,
    canonicalOf: (address) => (address.startsWith(base) ? canonical + address.slice(base.length) : address),
    alternates: languageLinks(meta),
    offers: offersAt(found, meta, base).filter(({ language }) => language !== site.language),
    isIndexed: manner.isIndexed,
    edit,
    rating: asksReaders(app, snapshot, found.place)
      ? { action: base + ratingAddress, at: found.place.variant.row.id, page: found.page.entry }
      : undefined,
    pdf: offersPdf(snapshot, found.place) ? pdfAddress(links.place(found.place), found.page.entry) : undefined,
    embed: await app.embeds.known(found.pages.at.organizationId, embedded),
    drawSpecs: async (icons) => {
      const specs = await loadSpecsFor(app, found.pages.at.organizationId, document.blocks, icons, {
        fileOf: (src) => links.fileOf(src),
        language: site.language,
      })
      isWhole = specs.isWhole
      return specs
    },
  })
  return { text, isWhole }
}

/** Returns the text of a page, evaluated for its reader, and where its links lead. `base` is where the site begins. */
export async function readDocument(
  app: App,
  found: Found,
  base: string,
): Promise<{ document: Document; links: Links }> {
  const [links, document] = await Promise.all([makeLinks(app, found, base), evaluated(app, found)])
  return { document: withoutLost(document, (href) => links.link(href) === undefined), links }
}

async function evaluated(app: App, { pages, page, visitor }: Found): Promise<Document> {
  const source = await app.content.document(pages.at.organizationId, page.doc)
  return evaluateFor(app, pages.at, page, source, {
    scope: visitor.scope,
    seesPage: (id) => pageWithId(pages, visitor, id) !== undefined,
  })
}

/** Shows a reader of the site that there is no such page, with pages that come close to what they asked for. */
export async function showMissing(
  app: App,
  reply: FastifyReply,
  where: Omit<Whereabouts, 'place'> & { place: Place | undefined },
  path: string,
  manner: Manner,
): Promise<Given | undefined> {
  const frame = await frameAround(app, where)
  if (!frame) return undefined
  const { site, nav, place } = frame
  const asked = percentDecoded(path) ?? path
  const words = wordsBelow(where, asked)
  const missing = { path: asked, words, place: nameOf(where, place) }
  const markup = drawNotFound(site, nav, missing, await suggestionsFor(app, where, words))
  return { reply: describePage(reply.code(404), { ...manner, isShared: false, isIndexed: false }).send(markup) }
}

/**
 * Returns the words that the reader may have looked for, without the section and the version, which say nothing about
 * it.
 */
function wordsBelow({ snapshot, visitor, place }: Parameters<typeof suggestionsFor>[1], asked: string): string {
  const segments = asked.split('/').filter((each) => each !== '')
  const above = place ? segmentsTo(snapshot, visitor, place, []) : []
  const isBelow = segments.length > above.length && above.every((each, at) => each === segments[at])
  const named = isBelow ? segments.slice(above.length) : segments
  return named
    .join(' ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * Returns the frame of a page that is not a page of a space: that of the place where the reader is, or of the place
 * where readers begin.
 */
export async function frameAround(
  app: App,
  where: Omit<Whereabouts, 'place'> & { place: Place | undefined },
): Promise<{ site: SiteView; nav: NavItem[]; place: Place } | undefined> {
  const { snapshot, visitor, base } = where
  const { emptied: _, ...whole } = visitor
  // A visitor from whom every page is hidden gets the frame of the place where others begin, without its menus.
  const place = where.place ?? placeOfPath(snapshot, visitor, []) ?? placeOfPath(snapshot, whole, [])
  if (!place) return undefined
  const pages = await app.audience.pages(place.variant.head)
  const tree = visibleTree(pages, visitor)
  const [page] = tree.roots
  const view = await viewSite(app, { ...where, place })
  const site = where.place ? view : { ...view, search: searchFrom(where, undefined) }
  if (!page) return { site, nav: [], place }
  const links: Links = await makeLinks(app, { snapshot, visitor, place, pages, page }, base)
  return { site, nav: navOf(tree, { page: undefined, links }, new Set()), place }
}
