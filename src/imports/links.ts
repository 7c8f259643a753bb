import type { LinkPlace } from '../content/links.ts'
import type { Anchors } from './anchors.ts'
import type { Asset } from './assets.ts'
import type { Collected, FoundPage } from './collected.ts'
import { pauses } from '../pauses.ts'
import { keyOf, wholeKeyOf } from './web/addresses.ts'

/** A link of a page, and the absolute address that it stands for. */
export interface FoundLink {
  place: LinkPlace
  address: string
}

/**
 * Returns the links at these places of a page. Links that cannot be followed stay as they are, and so do anchors within
 * a page of a website. There may be very many, and each may be looked for in many places.
 */
export async function linksOf(
  page: FoundPage,
  places: readonly LinkPlace[],
  collected: Collected,
  targets: PageTargets,
): Promise<FoundLink[]> {
  const { base } = page
  const tops = topsOf(base, collected.top ?? base)
  const isThere = (address: string) =>
    targets.find(address) !== undefined || collected.hasFile?.(withoutAnchor(address)) === true
  const meant = (href: string): string | undefined => {
    if (href.startsWith('embedded:')) return href
    if (href.startsWith('#')) return base.startsWith('archive:') ? base + href : undefined
    const numbered = targets.numbered(href)
    if (numbered) return numbered.base + anchorOf(href)
    // Docusaurus: relative to the top of the project.
    const written = href.replace(/^@site\//, '/')
    const isFromTop = /^\/(?!\/)/.test(written) && base.startsWith('archive:')
    return isFromTop ? addressFromTop(`.${written}`, tops, isThere) : addressFromPage(written, page, tops, isThere)
  }
  const found: FoundLink[] = []
  const pause = pauses()
  for (const place of places) {
    await pause()
    const address = meant(place.href)
    if (address !== undefined) found.push({ place, address })
  }
  return found
}

function addressFrom(path: string, from: string): string | undefined {
  if (!URL.canParse(path, from)) return undefined
  const url = new URL(path, from)
  // A query, such as for the size of an image, means nothing for a file.
  if (url.protocol === 'archive:') url.search = ''
  return /^(https?|archive):$/.test(url.protocol) ? url.href : undefined
}

/**
 * Resolves a path against the file of the page. If nothing is there, it is resolved as on a site where each page is a
 * folder (Hugo, HTML of MkDocs), and then from the top (references of Hugo).
 */
function addressFromPage(
  path: string,
  { base }: FoundPage,
  tops: readonly string[],
  isThere: (address: string) => boolean,
): string | undefined {
  // When HTML is read, all of its addresses become absolute.
  if (path.startsWith('archive:///') && !isThere(path))
    return addressFromTop(`./${path.slice('archive:///'.length)}`, tops, isThere)
  const address = addressFrom(path, base)
  if (!address?.startsWith('archive:') || isThere(address)) return address
  const places = [base.replace(/\.[a-z]+$/i, '/'), ...(/^\.\.?\//.test(path) ? [] : tops)]
  return places.flatMap((place) => addressFrom(path, place) ?? []).find(isThere) ?? address
}

/** Resolves a path from the first top where it exists, or from the top of everything if it exists in none. */
function addressFromTop(path: string, tops: readonly string[], isThere: (address: string) => boolean) {
  const address = addressIn(path, tops, isThere)
  if (address !== undefined) return address
  // Addresses of Wiki.js begin with the language of the page, which is not in the path of its file.
  const plain = path.replace(/^\.\/[a-z]{2}(?:-[a-z]{2,4})?\//i, './')
  return (plain === path ? undefined : addressIn(plain, tops, isThere)) ?? addressFrom(path, tops[0]!)
}

const addressIn = (path: string, tops: readonly string[], isThere: (address: string) => boolean) =>
  tops.flatMap((top) => addressFrom(path, top) ?? []).find(isThere)

/** No project keeps its pages at a deeper level. */
const deepestTop = 4

/**
 * Returns the folders that an address with a leading slash may refer to: the top of the archive, or the folder in it
 * that a site is made of. That folder is above the page, and has a folder of its own for files that are not pages.
 */
function topsOf(base: string, top: string): string[] {
  if (!base.startsWith(top) || !base.startsWith('archive:')) return [top]
  const names = base.slice(top.length).split('/').slice(0, -1)
  const above = names.slice(0, deepestTop).map((_, index) => `${top}${names.slice(0, index + 1).join('/')}/`)
  return [top, ...above.flatMap((folder) => [folder, `${folder}public/`, `${folder}static/`])]
}

/**
 * Whether a link leads to a file that is imported as well: pictures always, other files only from where the pages are.
 */
export function wantsFile({ place, address }: FoundLink, collected: Collected, targets: PageTargets): boolean {
  if (targets.find(address) || place.href.startsWith('#')) return false
  if (place.kind === 'image' || place.kind === 'cover' || place.kind === 'file') return true
  return place.kind === 'link' && collected.isOwnFile(withoutAnchor(address))
}

/** The imported pages, by all their addresses. */
export class PageTargets {
  readonly #byKey: ReadonlyMap<string, FoundPage>
  /** Pages whose key differs from that of their address, for example because another page has the same one. */
  readonly #byAddress: ReadonlyMap<string, FoundPage>
  readonly #byNumber: ReadonlyMap<string, FoundPage>
  readonly #aliases: Collected['aliases']
  readonly #top: string
  readonly #root: string

  constructor({ pages, aliases, top, root }: Collected) {
    this.#top = top === undefined ? '' : keyOf(top)
    this.#root = root
    this.#byAddress = new Map(
      pages.filter(({ key, base }) => key !== keyOf(base)).map((page) => [wholeKeyOf(page.base), page]),
    )
    this.#byKey = new Map(pages.map((page) => [page.key, page]))
    this.#byNumber = new Map(
      pages.flatMap((page) => (page.isNumbered ? [[/(\d+)\.html$/.exec(page.base)?.[1] ?? '', page]] : [])),
    )
    this.#aliases = aliases
  }

  /** Finds a page of Confluence by its number, which links contain if the file was unknown. */
  numbered(href: string): FoundPage | undefined {
    const number = this.#byNumber.size === 0 ? undefined : /[?&]pageId=(\d+)|\/pages\/(\d+)(?=[/?#]|$)/.exec(href)
    return number ? this.#byNumber.get(number[1] ?? number[2]!) : undefined
  }

  find(address: string): FoundPage | undefined {
    if (!/^(https?|archive):/.test(address)) return undefined
    const key = keyOf(address)
    return (
      this.#byAddress.get(wholeKeyOf(address)) ??
      this.#byKey.get(this.#aliases.get(key) ?? key) ??
      this.#byKey.get(this.#belowRoot(key)) ??
      this.#byKey.get(this.#withoutTop(key))
    )
  }

  /** On the site that is built from a project, the pages may be at the top. */
  #belowRoot(key: string): string {
    return this.#top !== '' && key.startsWith(`${this.#top}/`) ? this.#root + key.slice(this.#top.length) : ''
  }

  /** The one folder that everything is packed in may be a folder of the project, and not one around it. */
  #withoutTop(key: string): string {
    return this.#top !== '' && key.startsWith(`${this.#top}/`) ? `archive://${key.slice(this.#top.length)}` : ''
  }
}

/** Returns the text with rewritten links: to pages and files here, or to absolute addresses. */
export async function rewriteLinks(
  page: FoundPage,
  found: readonly FoundLink[],
  targets: PageTargets,
  assets: ReadonlyMap<string, Asset>,
  anchors: Anchors,
): Promise<string> {
  let text = ''
  let from = 0
  const pause = pauses()
  for (const link of found) {
    await pause()
    const { start, end } = link.place
    // If places overlap, as in a link around an image, only the first one is rewritten.
    if (start < from) continue
    text += page.body.slice(from, start) + addressFor(page, link, targets, assets, anchors)
    from = end
  }
  return text + page.body.slice(from)
}

function addressFor(
  page: FoundPage,
  { place, address }: FoundLink,
  targets: PageTargets,
  assets: ReadonlyMap<string, Asset>,
  anchors: Anchors,
): string {
  const asset = assets.get(withoutAnchor(address))
  if (asset) return `/files/${asset.id}`
  const target = targets.find(address)
  const asWritten = anchorOf(address)
  const anchor = (target && anchors.get(target)?.get(asWritten)) ?? asWritten
  if (target?.isPiece && place.kind === 'include') return `/reusable-contents/${target.id}`
  if (target) return target === page && anchor !== '' ? anchor : `/pages/${target.id}${anchor}`
  if (address.startsWith('archive:')) return place.raw.replace(/^archive:\/\/\//, '')
  return isWhole(place.href) ? place.raw : address.replaceAll('(', '%28').replaceAll(')', '%29')
}

const isWhole = (href: string) => /^[a-z][a-z0-9+.-]*:/i.test(href)

export const withoutAnchor = (address: string) => address.split('#')[0]!

export function anchorOf(address: string): string {
  const at = address.indexOf('#')
  return at === -1 ? '' : address.slice(at)
}
