import { firstDocument, isOffMenu, visibleTree } from '../audience/pages.ts'
import { hrefOf } from '../content/document/reference.ts'
import { isSafeLink } from '../content/html/urls.ts'
import type { Entry } from '../content/merge/entry.ts'
import type { Document } from '../content/parse.ts'
import { outline } from '../content/sections.ts'
import { layoutDefaults, pageData } from '../pages/entry-data.ts'
import type { PageTree } from '../pages/tree.ts'
import { drawArticle } from './blocks/draw.ts'
import type { Surroundings } from './blocks/drawing.ts'
import { drawPage } from './frame/page.ts'
import { coverOf } from './look/cover.ts'
import { emojiOf } from './icons/emoji.ts'
import type { NavItem, PageView, SiteView } from './frame/view.ts'
import { Icons, iconNamed } from './icons/icons.ts'
import type { Found, Links } from './links.ts'
import { openingOf } from './opening.ts'
import { surroundingsOf } from './surroundings.ts'

/** A page that was found for a visitor, with everything needed to draw it. */
export interface Drawable extends Found {
  site: SiteView
  /** Evaluated for this visitor. */
  document: Document
  links: Links
  canonicalUrl: string
  /** Returns the address that other sites should know for an address that a page uses. */
  canonicalOf: (address: string) => string
  /** The same page in other languages. */
  alternates: PageView['alternates']
  offers: PageView['offers']
  isIndexed: boolean
  /** The address of the page as a PDF, if the site offers that. */
  pdf: string | undefined
  /** The address where its file can be edited, if the site shows that. */
  edit: string | undefined
  /** What is needed to rate the page, if the site asks for ratings. */
  rating: PageView['rating'] | undefined
  /** Draws the blocks that show parts of a specification. */
  drawSpecs: (icons: Icons) => Promise<Pick<Surroundings, 'drawn'>>
  /** What is known about the pages that it embeds. */
  embed: NonNullable<Surroundings['embed']>
}

export async function showPage(drawable: Drawable): Promise<string> {
  const { page, document, links, site, canonicalUrl, isIndexed } = drawable
  const data = pageData(page)
  const icons = new Icons()
  const { drawn } = await drawable.drawSpecs(icons)
  const around = { ...surroundingsOf(drawable), drawn, embed: drawable.embed }
  const { article, needs } = await drawArticle(document.blocks, around, icons)
  const tree = visibleTree(drawable.pages, drawable.visitor)
  const path = ancestorsOf(tree, page)
  const layout = { ...layoutDefaults, ...data.layout }
  const hasUpdates = document.blocks.some(({ type }) => type === 'updates')
  const address = links.page(page)
  const cover = coverOf(data.cover, layout.coverSize, links)
  const picture = cover?.light.src ?? site.picture
  const summary = data.description ?? openingOf(document.blocks)
  const view: PageView = {
    site,
    title: data.title,
    ...(data.description !== undefined && { description: data.description }),
    ...(summary !== undefined && { summary }),
    ...(data.emoji !== undefined && { emoji: emojiOf(data.emoji) }),
    ...(iconNamed(data.icon) && { icon: iconNamed(data.icon) }),
    ...(cover && { cover }),
    ...(picture !== undefined && { picture: drawable.canonicalOf(picture) }),
    canonical: canonicalUrl,
    alternates: drawable.alternates,
    offers: drawable.offers,
    noIndex: !isIndexed || isOffMenu(tree, page) || data.noRobotsIndex === true,
    nav: navOf(tree, drawable, new Set([...path, page].map(({ entry }) => entry))),
    crumbs: crumbsOf(path, site, links),
    outline: outline(document),
    article,
    ...neighboursOf(tree, drawable),
    updatedAt: new Date(data.updatedAt),
    // If agents are kept out, pages have no Markdown version.
    ...(drawable.snapshot.site.agents_context === 'included' && { markdown: markdownAddress(address) }),
    ...(drawable.pdf !== undefined && { pdf: drawable.pdf }),
    ...(drawable.edit !== undefined && { edit: drawable.edit }),
    ...(drawable.rating && { rating: drawable.rating }),
    ...(hasUpdates && { feed: feedAddress(address) }),
    needs,
    layout: { ...layout, wide: layout.width === 'wide' },
  }
  return drawPage(view, icons)
}

/** The start page of a variant has an address that ends in a slash. */
export const markdownAddress = (address: string) => (address.endsWith('/') ? `${address}index.md` : `${address}.md`)
export const feedAddress = (address: string) => (address.endsWith('/') ? `${address}rss.xml` : `${address}/rss.xml`)

/** From the top down, without the page itself. */
function ancestorsOf(tree: PageTree, page: Entry): Entry[] {
  const path: Entry[] = []
  for (let up = tree.byId.get(page.parent); up; up = tree.byId.get(up.parent)) path.unshift(up)
  return path
}

function crumbsOf(path: readonly Entry[], site: SiteView, links: Links): PageView['crumbs'] {
  const section = site.sections.flatMap((item) => item.items ?? [item]).find(({ current }) => current)
  const above = section && site.sections.length > 1 ? [{ title: section.title, href: section.href }] : []
  return [
    ...above,
    ...path.map((entry) => {
      const { title, type } = pageData(entry)
      return type === 'document' ? { title, href: links.page(entry) } : { title }
    }),
  ]
}

/** Returns the pages that a reader can go to, in their order. Hidden pages have an address but are in no menu. */
export function navOf(
  tree: PageTree,
  found: { page: Entry | undefined; links: Links },
  open: ReadonlySet<string>,
): NavItem[] {
  // Computed once for each page: if every level asked again, deeply nested pages would take a server minutes.
  const known = new Map<string, boolean>()
  const hasItems = (entry: Entry): boolean => {
    const has = known.get(entry.entry) ?? tree.childrenOf(entry.entry).some(isListed)
    known.set(entry.entry, has)
    return has
  }
  const isListed = (entry: Entry): boolean => {
    const { type, hidden } = pageData(entry)
    if (hidden || type === 'computed') return false
    // A group in which this reader sees nothing is left out.
    if (type === 'group') return hasItems(entry)
    return type === 'document' || addressOf(entry, found.links) !== undefined
  }
  const itemsBelow = (siblings: readonly Entry[]): NavItem[] =>
    siblings.filter(isListed).map((entry) => {
      const { type, title, emoji, icon, target } = pageData(entry)
      const href = addressOf(entry, found.links)
      let items: NavItem[] | undefined
      return {
        title,
        href,
        ...(emoji !== undefined && { emoji: emojiOf(emoji) }),
        ...(iconNamed(icon) && { icon: iconNamed(icon) }),
        external: target?.['kind'] === 'url' && href !== undefined && /^https?:/.test(href),
        current: entry.entry === found.page?.entry,
        open: open.has(entry.entry),
        hasItems: hasItems(entry),
        get items() {
          return (items ??= itemsBelow(tree.childrenOf(entry.entry)))
        },
        group: type === 'group',
      }
    })
  return itemsBelow(tree.roots)
}

function addressOf(entry: Entry, links: Links): string | undefined {
  const { type, target } = pageData(entry)
  if (type === 'document') return links.page(entry)
  const href = type === 'link' && target ? links.link(hrefOf(target)) : undefined
  // Links that come from a repository can contain anything.
  return href !== undefined && isSafeLink(href) ? href : undefined
}

/** Returns the documents before and after this one, depth first, as the menu shows them. */
function neighboursOf(tree: PageTree, { page, pages, visitor, links }: Drawable): Pick<PageView, 'previous' | 'next'> {
  const all: Entry[] = []
  const walk = (siblings: readonly Entry[]): void => {
    for (const entry of siblings) {
      const { type, hidden } = pageData(entry)
      if (hidden) continue
      if (type === 'document') all.push(entry)
      walk(tree.childrenOf(entry.entry))
    }
  }
  walk(tree.roots)
  const at = all.findIndex(({ entry }) => entry === page.entry)
  const link = (entry: Entry | undefined) => entry && { title: pageData(entry).title, href: links.page(entry) }
  // A page that is in no menu has no neighbours, but a link to the start.
  const [previous, next] = at === -1 ? [firstDocument(pages, visitor), undefined] : [all[at - 1], all[at + 1]]
  return { ...(previous && { previous: link(previous) }), ...(next && { next: link(next) }) }
}
