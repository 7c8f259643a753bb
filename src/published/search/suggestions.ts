import { type SpacePages, isOffMenu, visibleTree } from '../../audience/pages.ts'
import { pathOfPage } from '../../audience/resolve.ts'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import { type Place, visiblePlaces } from '../../audience/snapshots/structure.ts'
import type { Visitor } from '../../audience/visitors/visitor.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { App } from '../../http/routes.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import type { Suggestion } from '../frame/notices.ts'
import { titleAt } from '../site-title.ts'
import { namesOf, wayTo } from './search.ts'

const mostSuggested = 3
/** Beyond this number, examining every page would cost more than a wrong address is worth. */
const mostLookedAt = 5_000

/**
 * Finds pages that share words with an address at which there is nothing. Among equally close ones, those of the same
 * variant come first.
 */
export async function suggestionsFor(
  app: App,
  where: { snapshot: SiteSnapshot; visitor: Visitor; base: string; place: Place | undefined },
  words: string,
): Promise<Suggestion[]> {
  const { snapshot, visitor, base } = where
  const asked = wordsOf(words)
  if (asked.size === 0) return []
  const closest: Candidate[] = []
  let left = mostLookedAt
  const isElsewhere = ({ variant }: Place) => Number(variant !== where.place?.variant)
  for (const place of visiblePlaces(snapshot, visitor).toSorted((a, b) => isElsewhere(a) - isElsewhere(b))) {
    if (left <= 0) break
    const pages = await app.audience.pages(place.variant.head)
    const tree = visibleTree(pages, visitor)
    left -= tree.byId.size
    for (const document of documentsWith(asked, tree)) suggest(closest, { ...document, place, pages })
  }
  return closest.map(({ place, pages, page }) => ({
    href: base + pathOfPage(snapshot, visitor, { place, pages, page }),
    title: pageData(page).title,
    place: wayTo(where, place, pages, page),
  }))
}

/** Returns the name of a place among those that the visitor sees. */
export const nameOf = ({ snapshot, visitor }: { snapshot: SiteSnapshot; visitor: Visitor }, place: Place): string =>
  namesOf(snapshot, visitor, place).join(' › ') || titleAt(snapshot, place)

interface Candidate {
  place: Place
  pages: SpacePages
  page: Entry
  score: number
}

/** Among equally close candidates, the one that was suggested first stays in front. */
function suggest(closest: Candidate[], candidate: Candidate): void {
  const at = closest.findIndex(({ score }) => score < candidate.score)
  if (at === -1 && closest.length === mostSuggested) return
  closest.splice(at === -1 ? closest.length : at, 0, candidate)
  closest.length = Math.min(closest.length, mostSuggested)
}

/**
 * Documents in their order and, for each word of their paths and titles, the numbers of the documents that contain it.
 */
interface WordIndex {
  documents: { page: Entry; words: number }[]
  byWord: Map<string, number[]>
}

/**
 * Machines request missing addresses again and again, so the paths and titles of all pages are split into words only
 * once.
 */
const indexes = new WeakMap<PageTree, WordIndex>()

function documentsWith(asked: ReadonlySet<string>, tree: PageTree): Pick<Candidate, 'page' | 'score'>[] {
  let index = indexes.get(tree)
  if (!index) indexes.set(tree, (index = makeIndex(tree)))
  const { documents, byWord } = index
  const shared = new Map<number, number>()
  for (const word of asked) for (const at of byWord.get(word) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1)
  return [...shared]
    .toSorted(([a], [b]) => a - b)
    .map(([at, count]) => ({ page: documents[at]!.page, score: count / Math.sqrt(documents[at]!.words) }))
}

function makeIndex(tree: PageTree): WordIndex {
  const index: WordIndex = { documents: [], byWord: new Map() }
  for (const page of tree.byId.values().take(mostLookedAt)) {
    const { type, title } = pageData(page)
    if (type !== 'document' || isOffMenu(tree, page)) continue
    const words = wordsOf(`${tree.pathOf(page)} ${title}`)
    for (const word of words) {
      const having = index.byWord.get(word)
      if (having) having.push(index.documents.length)
      else index.byWord.set(word, [index.documents.length])
    }
    index.documents.push({ page, words: words.size })
  }
  return index
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 1),
  )
}
