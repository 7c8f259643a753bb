import { visibleTree } from '../audience/pages.ts'
import type { SiteSnapshot } from '../audience/snapshots/snapshot.ts'
import {
  type Place,
  firstVariant,
  segmentsTo,
  visiblePlaces,
  visibleSections,
} from '../audience/snapshots/structure.ts'
import type { Visitor } from '../audience/visitors/visitor.ts'
import { type Entry, newEntry } from '../content/merge/entry.ts'
import { withEmbedsNamed } from '../embeds/named.ts'
import type { App } from '../http/routes.ts'
import { withSpecsWritten } from '../openapi/blocks.ts'
import { pageData } from '../pages/entry-data.ts'
import { partsOf } from '../pages/references.ts'
import { type Found, type Links, makeLinks } from '../published/links.ts'
import { readDocument } from '../published/show.ts'
import { languageAt, titleAt, titleOfSite } from '../published/site-title.ts'
import { page } from '../revisions/entries.ts'
import { type Book, type Chapter, type Surroundings, bookLimits } from './book.ts'
import type { BookOrder } from './pdfs.ts'
import { type Selection, readChapters, selectPages } from './space-book.ts'

/** What a visitor wants to print: one variant, or the whole site if `place` is undefined. */
export interface SiteSelection extends Selection {
  snapshot: SiteSnapshot
  visitor: Visitor
  place: Place | undefined
}

interface Listed {
  entry: Entry
  depth: number
  found: Found | undefined
}

/**
 * Returns the order for a book of the pages that this visitor may read, as they read them. Undefined if there is no
 * such page for them.
 */
export async function orderSiteBook(
  app: App,
  selection: SiteSelection,
): Promise<(BookOrder & { title: string }) | undefined> {
  const { snapshot, visitor, place, page, only } = selection
  const places = place ? [place] : everyPlace(snapshot, visitor)
  const listed = await listChapters(app, selection, places)
  if (!listed.some(({ entry }) => pageData(entry).type === 'document')) return undefined
  const [first] = places
  const base = app.audience.canonicalAddress(snapshot)
  const title = only
    ? pageData(listed[0]!.entry).title
    : place
      ? titleOf(snapshot, place)
      : titleOfSite(snapshot, visitor)
  const language = first ? languageAt(snapshot, first) : 'en'
  // Links lead into other spaces too, so the content of the file depends on everything that this visitor may read of
  // the site.
  const addressOf = (each: Place) => segmentsTo(snapshot, visitor, each, [])
  const heads = visiblePlaces(snapshot, visitor).map((each) => [
    each.variant.head.id,
    ...addressOf(each),
    each.section?.row.title,
  ])
  // The addresses of the printed variants: several versions may show the same space, and links stay in the version that
  // they are in.
  const from = places.map(addressOf)
  const pages = listed.map(({ entry }) => entry.entry)
  const { organization, site } = snapshot
  const stamps = await Promise.all([app.openapi.stamp(organization.id), app.embeds.stamp(organization.id)])
  return {
    title,
    madeFrom: [
      'site',
      organization.id,
      site.id,
      heads,
      from,
      pages,
      page,
      only,
      title,
      language,
      base,
      visitor.scope,
      stamps,
    ],
    load: async (read): Promise<Book> => ({
      organizationId: organization.id,
      title,
      subtitle: undefined,
      language,
      isSingle: only,
      chapters: () => {
        const room = { characters: bookLimits.specCharacters }
        return readChapters(listed, (each) => loadChapter(app, each, base, room), read)
      },
    }),
  }
}

/** Returns the first visible variant of each section; the other variants say the same in other words. */
function everyPlace(snapshot: SiteSnapshot, visitor: Visitor): Place[] {
  const root = firstVariant(snapshot.root, visitor)
  return [
    ...(root ? [{ section: undefined, variant: root }] : []),
    ...visibleSections(snapshot, visitor).flatMap((section): Place[] => {
      const variant = firstVariant(section.variants, visitor)
      return variant ? [{ section, variant }] : []
    }),
  ]
}

function titleOf(snapshot: SiteSnapshot, place: Place): string {
  const title = titleAt(snapshot, place)
  return place.section ? `${title}: ${place.section.row.title}` : title
}

async function listChapters(
  app: App,
  { snapshot, visitor, page, only }: SiteSelection,
  places: readonly Place[],
): Promise<Listed[]> {
  const listed: Listed[] = []
  for (const place of places) {
    const pages = await app.audience.pages(place.variant.head)
    const selected = selectPages(visibleTree(pages, visitor), { page, only }) ?? []
    const title = places.length > 1 ? place.section?.row.title : undefined
    if (title !== undefined && selected.length > 0)
      listed.push({ entry: sectionTitle(title), depth: 1, found: undefined })
    const below = title === undefined ? 0 : 1
    for (const { entry, depth } of selected) {
      listed.push({ entry, depth: depth + below, found: { snapshot, visitor, place, pages, page: entry } })
    }
  }
  return listed
}

/** A section is listed in the contents like a group of pages. */
const sectionTitle = (title: string): Entry => ({ ...newEntry('', page), data: { type: 'group', title } })

async function loadChapter(
  app: App,
  { entry, depth, found }: Listed,
  base: string,
  room: { characters: number },
): Promise<Chapter> {
  if (!found) return { entry, depth, document: undefined, around: { link: () => undefined, file: () => undefined } }
  const isText = pageData(entry).type === 'document'
  const { document, links } = isText
    ? await readDocument(app, found, base)
    : { document: undefined, links: await makeLinks(app, found, base) }
  const { organizationId } = found.pages.at
  const around = { fileOf: (src: string) => links.fileOf(src), language: found.place.variant.space.language ?? 'en' }
  const named = document && (await withEmbedsNamed(app, organizationId, document))
  const written = named && (await withSpecsWritten(app, organizationId, named, room, around))
  return { entry, depth, document: written, around: surroundingsOf(links) }
}

function surroundingsOf(links: Links): Surroundings {
  return {
    link(href) {
      const url = links.link(href)
      if (url === undefined) return undefined
      const page = links.pageOf(href)
      const { anchor } = partsOf(href)
      return { url, ...(page && { page: page.entry, title: pageData(page).title }), ...(anchor && { anchor }) }
    },
    file: (src) => links.fileOf(src),
  }
}
