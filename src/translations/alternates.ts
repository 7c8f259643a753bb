import { type SpacePages, firstDocument, pageAt, pageWithId } from '../audience/pages.ts'
import type { SiteSnapshot, Variant } from '../audience/snapshots/snapshot.ts'
import { type Place, visibleVariants } from '../audience/snapshots/structure.ts'
import type { Visitor } from '../audience/visitors/visitor.ts'
import type { Entry } from '../content/merge/entry.ts'
import type { App } from '../http/routes.ts'
import { pageData } from '../pages/entry-data.ts'
import type { PageTree } from '../pages/tree.ts'
import { type TranslatedSpace, listTranslatedSpaces } from './alternates.queries.ts'

/** A page in another language, with its place on the site. */
export interface Alternate {
  language: string
  place: Place
  pages: SpacePages
  page: Entry
}

/**
 * Lists a page of a site in all languages, including its own: pages of the variants beside it whose spaces are in the
 * same translation, as far as the visitor may read them. Empty if the page is in no translation.
 *
 * They belong together if one is marked as the translation of the other, or was copied with its space. Pages of which
 * neither is known, because somebody imported both spaces, belong together if they are at the same path.
 */
export async function pageAlternates(
  app: App,
  found: { snapshot: SiteSnapshot; visitor: Visitor; place: Place; pages: SpacePages; page: Entry },
  pagesOf = ({ head }: Variant) => app.audience.pages(head),
): Promise<Alternate[]> {
  const { snapshot, visitor, place, pages, page } = found
  const translated = await translatedSpaces(app, snapshot)
  const own = translated.filter(({ space_id }) => space_id === place.variant.space.id)
  if (own.length === 0) return []

  const level = place.section?.variants ?? snapshot.root
  const family = await Promise.all(
    visibleVariants(level, visitor).map(async (variant): Promise<Relative[]> => {
      const kin = kinOf(variant, own, translated)
      if (!kin) return []
      return [{ variant, kin, pages: variant === place.variant ? pages : await pagesOf(variant) }]
    }),
  )
  const relatives = family.flat()
  const isSource = own.every(({ is_source }) => is_source)
  const source = isSource
    ? pages
    : relatives.find(({ kin, variant }) => kin.is_source && variant !== place.variant)?.pages
  const root = isSource ? { id: page.entry, path: pathIn(pages, visitor, page) } : rootOf(page, pages, source, visitor)
  const alternates = relatives.flatMap((relative): Alternate[] => {
    const { variant, kin } = relative
    const language = kin.language ?? variant.space.language
    if (language === null) return []
    const same = variant === place.variant ? page : counterpart(relative, visitor, root, source ?? pages)
    return same ? [{ language, place: { section: place.section, variant }, pages: relative.pages, page: same }] : []
  })
  const byLanguage = new Map(alternates.map((each) => [each.language, each]))
  return [...byLanguage.values()]
}

/** A variant in the same translation. */
interface Relative {
  variant: Variant
  kin: TranslatedSpace
  pages: SpacePages
}

/** Returns what the space is in a translation that `own` is part of as well. */
function kinOf(
  { space }: Variant,
  own: readonly TranslatedSpace[],
  translated: readonly TranslatedSpace[],
): TranslatedSpace | undefined {
  return translated.find(
    ({ space_id, translation_id }) =>
      space_id === space.id && own.some((each) => each.translation_id === translation_id),
  )
}

/** A page of the source. */
interface Root {
  id: string
  /** Undefined if nothing but its id says which pages belong to it. */
  path?: string | undefined
}

/** Finds the page of the source that a page of another variant belongs to. Without a source, it stands for itself. */
function rootOf(page: Entry, pages: SpacePages, source: SpacePages | undefined, visitor: Visitor): Root {
  const origin = pageData(page).translatedFrom?.page
  const path = pathIn(pages, visitor, page)
  if (!source) return origin === undefined ? { id: page.entry, path } : { id: origin }
  const known = pageWithId(source, visitor, origin ?? page.entry)
  if (known) return { id: known.entry, path: pathIn(source, visitor, known) }
  const same = origin === undefined ? atPath(source, visitor, path) : undefined
  return same && !knows(pages, same.entry) ? { id: same.entry, path } : { id: origin ?? page.entry }
}

/** Finds the page that belongs to a page of the source. */
function counterpart(
  { pages, kin: { is_source } }: Relative,
  visitor: Visitor,
  { id: root, path }: Root,
  source: SpacePages,
): Entry | undefined {
  if (is_source || knows(pages, root)) {
    const page = pageWithId(pages, visitor, is_source ? root : (marksOf(pages.tree).get(root) ?? root))
    const origin = page && pageData(page).translatedFrom?.page
    const isOther = !is_source && origin !== undefined && origin !== root
    return page && !isOther && pageData(page).type === 'document' ? page : undefined
  }
  const same = path === undefined ? undefined : atPath(pages, visitor, path)
  const isOther = same && (pageData(same).translatedFrom || source.tree.byId.has(same.entry))
  return isOther ? undefined : same
}

/** Whether a page of a variant is marked as the translation of this page, or is a copy of it. */
const knows = ({ tree }: SpacePages, root: string) => marksOf(tree).has(root) || tree.byId.has(root)

/** The first page is shown at the address of its variant, so its slug does not matter. */
const pathIn = (pages: SpacePages, visitor: Visitor, page: Entry): string =>
  firstDocument(pages, visitor) === page ? '' : pages.tree.pathOf(page)

function atPath(pages: SpacePages, visitor: Visitor, path: string): Entry | undefined {
  const first = firstDocument(pages, visitor)
  const page = path === '' ? first : pageAt(pages, visitor, path.split('/'))
  return page && pageData(page).type === 'document' && (page === first) === (path === '') ? page : undefined
}

const marks = new WeakMap<PageTree, ReadonlyMap<string, string>>()

/** Returns which page of a variant is marked as the translation of which page of the source. Computed once per tree. */
function marksOf(tree: PageTree): ReadonlyMap<string, string> {
  let found = marks.get(tree)
  if (!found) {
    const marked = [...tree.byId.values()].flatMap((entry) => {
      const origin = pageData(entry).translatedFrom?.page
      return origin === undefined ? [] : [[origin, entry.entry] as const]
    })
    marks.set(tree, (found = new Map(marked)))
  }
  return found
}

const known = new WeakMap<SiteSnapshot, Promise<TranslatedSpace[]>>()

/** Every change of a translation touches the sites, so the result stays valid as long as the snapshot. */
function translatedSpaces({ db }: App, snapshot: SiteSnapshot): Promise<TranslatedSpace[]> {
  let found = known.get(snapshot)
  if (!found) {
    const spaceIds = [...snapshot.variants.values()].map(({ space }) => space.id)
    found = listTranslatedSpaces(db, snapshot.organization.id, spaceIds)
    found.catch(() => known.delete(snapshot))
    known.set(snapshot, found)
  }
  return found
}
