import { type SpacePages, pageWithId } from '../audience/pages.ts'
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

  const root = own.some(({ is_source }) => !is_source)
    ? (pageData(page).translatedFrom?.page ?? page.entry)
    : page.entry
  const level = place.section?.variants ?? snapshot.root
  const alternates = await Promise.all(
    visibleVariants(level, visitor).map(async (variant): Promise<Alternate[]> => {
      const kin = kinOf(variant, own, translated)
      if (!kin) return []
      const language = kin.language ?? variant.space.language
      if (language === null) return []
      const isHere = variant === place.variant
      const theirs = isHere ? pages : await pagesOf(variant)
      const same = isHere ? page : counterpart(theirs, visitor, root, kin)
      return same ? [{ language, place: { section: place.section, variant }, pages: theirs, page: same }] : []
    }),
  )
  const byLanguage = new Map(alternates.flat().map((each) => [each.language, each]))
  return [...byLanguage.values()]
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

/** Finds the page that corresponds to a page of the source. */
function counterpart(
  pages: SpacePages,
  visitor: Visitor,
  root: string,
  { is_source }: TranslatedSpace,
): Entry | undefined {
  const id = is_source ? root : (marksOf(pages.tree).get(root) ?? root)
  const page = pageWithId(pages, visitor, id)
  const origin = page && pageData(page).translatedFrom?.page
  const isOther = !is_source && origin !== undefined && origin !== root
  return page && !isOther && pageData(page).type === 'document' ? page : undefined
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
