import { spacesLinkedIn } from '../audience/links-away.ts'
import { pathOfPage } from '../audience/resolve.ts'
import { type SpacePages, pageAt, pageWithId } from '../audience/pages.ts'
import type { SiteSnapshot } from '../audience/snapshots/snapshot.ts'
import { type Place, segmentsTo, visiblePlaces } from '../audience/snapshots/structure.ts'
import type { Visitor } from '../audience/visitors/visitor.ts'
import type { Entry } from '../content/merge/entry.ts'
import type { App } from '../http/routes.ts'
import { entryWith } from '../pages/content-cache.ts'
import { type FileData, type Refs, fileData, refsOf } from '../pages/entry-data.ts'
import { type Binding, bindingIn, namedIn, partsOf } from '../pages/references.ts'
import { refsNow } from '../pages/refs-now.ts'
import { file, reusable } from '../revisions/entries.ts'
import { encodePath } from '../sites/redirects/match.ts'

/** A page, as one visitor finds it on a site. */
export interface Found {
  snapshot: SiteSnapshot
  visitor: Visitor
  place: Place
  pages: SpacePages
  page: Entry
}

/** The addresses of what a page refers to, for this visitor. Undefined for what they may not read. */
export interface Links {
  /** Resolves an address in the text. */
  link(href: string): string | undefined
  image(src: string): string | undefined
  /** Returns the page that an address in the text refers to. */
  pageOf(href: string): Entry | undefined
  /** Returns what is known about the file that an address refers to. */
  fileOf(src: string): FileData | undefined
  page(page: Entry): string
  place(place: Place): string
  file(fileId: string): string | undefined
}

/** `base` is the address of the site, with a slash at its end. */
export async function makeLinks(app: App, found: Found, base: string): Promise<Links> {
  const { snapshot, visitor, place, pages, page } = found
  const [files, contents] = await Promise.all([
    app.content.entries(pages.at, file),
    app.content.entries(pages.at, reusable),
  ])
  const written: Refs = Object.assign({}, ...contents.map(refsOf), refsOf(page))
  const refs = { ...written, ...(await followedFrom(app, found, written)) }
  const others = await loadOthers(app, found, refs)

  const fileWith = (id: string | undefined) => entryWith(files, id ?? '')
  const pageIn = (where: Located, binding: Binding): Target | undefined => {
    const page = pageFor(where.pages, visitor, binding)
    return page && { ...where, page }
  }
  const targetOf = (address: string): Target | undefined => {
    const binding = bindingIn(refs, address) ?? namedIn(address)
    if (!binding || binding.app) return undefined
    const isOwn = binding.space === undefined || binding.space === place.variant.space.id
    const where = isOwn ? { place, pages } : others.get(binding.space!)
    if (!where) return undefined
    if (binding.kind === 'file') {
      const found = isOwn ? fileWith(binding.id) : undefined
      return found && { file: found }
    }
    const isWhole = binding.id === undefined && binding.path === undefined
    return isWhole ? { place: where.place } : pageIn(where, binding)
  }
  /**
   * Whether an address of this installation refers to the content of this site, whether this visitor sees it or not. All
   * others are left as they are.
   */
  const leadsHere = (address: string) => {
    const { app: isOther, space, kind } = bindingIn(refs, address) ?? { app: true }
    if (isOther) return false
    return space === undefined || space === place.variant.space.id || (kind !== 'file' && isOfSite(snapshot, space))
  }
  const addressOf = (target: Target | undefined): string | undefined => {
    if (!target) return undefined
    if ('file' in target) return fileAddress(snapshot, visitor, place, base, target.file.entry, fileData(target.file))
    return base + ('page' in target ? pathOfPage(snapshot, visitor, target) : pathTo(snapshot, visitor, target.place))
  }

  return {
    link(href) {
      const { address, anchor } = partsOf(href)
      if (address === '' || (hasProtocol(address) && !leadsHere(address))) return href
      const to = addressOf(targetOf(address))
      return to === undefined || anchor === undefined ? to : `${to}#${anchor}`
    },
    image(src) {
      const { address } = partsOf(src)
      return hasProtocol(address) && !leadsHere(address) ? src : addressOf(targetOf(address))
    },
    pageOf(href) {
      const target = targetOf(partsOf(href).address)
      return target && 'page' in target ? target.page : undefined
    },
    fileOf(src) {
      const target = targetOf(partsOf(src).address)
      return target && 'file' in target ? fileData(target.file) : undefined
    },
    page: (page) => base + pathOfPage(snapshot, visitor, { place, pages, page }),
    place: (place) => base + pathTo(snapshot, visitor, place),
    file: (id) => {
      const found = fileWith(id)
      return found && fileAddress(snapshot, visitor, place, base, id, fileData(found))
    },
  }
}

function pageFor(pages: SpacePages, visitor: Visitor, { kind, id, path }: Binding): Entry | undefined {
  const byId = kind === 'page' && id !== undefined ? pageWithId(pages, visitor, id) : undefined
  return byId ?? (path === undefined ? undefined : pageAt(pages, visitor, path.split('/')))
}

/** Follows the paths that lead nowhere to the pages that were there before. Few texts have any, so it is rarely asked. */
function followedFrom({ db }: App, { visitor, pages }: Found, refs: Refs): Promise<Refs> {
  const lost = Object.entries(refs).filter(([address]) => {
    const binding = bindingIn(refs, address)
    return binding?.path !== undefined && binding.space === undefined && !pageFor(pages, visitor, binding)
  })
  return refsNow(db, pages.at, Object.fromEntries(lost))
}

interface Located {
  place: Place
  pages: SpacePages
}

/** What an address in the text refers to: a page, a file, or a whole space. */
type Target = (Located & { page: Entry }) | { file: Entry } | { place: Place }

const isOfSite = ({ skeleton }: SiteSnapshot, spaceId: string) =>
  skeleton.siteSpaces.some((each) => each.space_id === spaceId)

const hasProtocol = (address: string) => /^[a-z][a-z\d+.-]*:|^\/\//i.test(address)

/** Returns the address of a file on a site: different bytes have different addresses. */
export function fileAddress(
  snapshot: SiteSnapshot,
  visitor: Visitor,
  place: Place,
  base: string,
  id: string,
  { blob, name }: Pick<FileData, 'blob' | 'name'>,
): string {
  return base + encodePath(segmentsTo(snapshot, visitor, place, ['~', 'files', id, blob.slice(0, 12), name]))
}

export const pathTo = (snapshot: SiteSnapshot, visitor: Visitor, place: Place) =>
  segmentsTo(snapshot, visitor, place, [])
    .map((segment) => `${encodeURIComponent(segment)}/`)
    .join('')

/** Loads the pages of other spaces that the text or the menu links to, if the site shows them as well. */
async function loadOthers(app: App, { snapshot, visitor, pages }: Found, refs: Refs) {
  const inText = Object.keys(refs).flatMap((address) => bindingIn(refs, address)?.space ?? [])
  const wanted = new Set([...inText, ...spacesLinkedIn(pages.tree)])
  if (wanted.size === 0) return new Map<string, Located>()
  const shown = visiblePlaces(snapshot, visitor).filter(({ variant }) => wanted.has(variant.space.id))
  const loaded = await Promise.all(
    shown.map(async (place) => {
      const { head, space } = place.variant
      return [space.id, { place, pages: head.id === pages.at.id ? pages : await app.audience.pages(head) }] as const
    }),
  )
  // If a site contains a space twice, the first place is used.
  return new Map(loaded.toReversed())
}
