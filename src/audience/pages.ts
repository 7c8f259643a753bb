import { type Entry, top } from '../content/merge/entry.ts'
import { composed, isPlain } from '../content/composed.ts'
import type { ContentCache } from '../pages/content-cache.ts'
import { type PageData, pageData, variableData } from '../pages/entry-data.ts'
import { PageTree } from '../pages/tree.ts'
import { variable } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { conditionOf, isShown } from './snapshots/conditions.ts'
import type { Visitor } from './visitors/visitor.ts'

/** The pages of a revision, and the space variables that their conditions may use besides the visitor. */
export interface SpacePages {
  at: Revision
  tree: PageTree
  variables: Readonly<Record<string, string>>
  /** The versions of the specifications that some of the pages were made from. */
  made?: string
}

/** Built from data that is cached by revision, so it costs no query while the space is being read. */
export async function loadPages(content: ContentCache, at: Revision): Promise<SpacePages> {
  const [tree, entries] = await Promise.all([content.tree(at), content.entries(at, variable)])
  const variables = Object.fromEntries(entries.map((entry) => [entry.slug!, variableData(entry).value]))
  return { at, tree, variables }
}

/**
 * Returns the page at a path of slugs, if neither the page nor anything above it is hidden from the visitor by a
 * condition.
 */
export function pageAt(pages: SpacePages, visitor: Visitor, slugs: readonly string[]): Entry | undefined {
  let found: Entry | undefined
  for (const slug of slugs) {
    found = childAt(pages.tree.childrenOf(found?.entry ?? top), slug)
    if (!found || !isPageShown(pages, visitor, found)) return undefined
  }
  return found
}

/** The same for a page id. */
export function pageWithId(pages: SpacePages, visitor: Visitor, id: string): Entry | undefined {
  const page = pages.tree.byId.get(id)
  for (let up = page; up; up = pages.tree.byId.get(up.parent)) if (!isPageShown(pages, visitor, up)) return undefined
  return page
}

/**
 * Returns the first document below a page, or of the whole tree: the one shown if no page is named. Skips hidden pages.
 */
export function firstDocument(pages: SpacePages, visitor: Visitor, below: string = top): Entry | undefined {
  for (const child of pages.tree.childrenOf(below)) {
    const { type, hidden } = pageData(child)
    if (hidden || !isPageShown(pages, visitor, child)) continue
    if (type === 'document') return child
    const inside = type === 'group' ? firstDocument(pages, visitor, child.entry) : undefined
    if (inside) return inside
  }
  return undefined
}

/** Whether a page is in no menu, because it or a page above it is hidden there. */
export function isOffMenu(tree: PageTree, page: Entry): boolean {
  for (let up: Entry | undefined = page; up; up = tree.byId.get(up.parent)) if (pageData(up).hidden) return true
  return false
}

/**
 * For trees without conditions: the tree that every visitor sees. Most trees are such, and each answer to a reader
 * needs it.
 */
const shownToAll = new WeakMap<PageTree, PageTree>()

/** The target of a page of the type `link`. */
export type LinkTarget = NonNullable<PageData['target']>

/** Returns the part of the tree that a visitor sees. `isLost` tells which links to other spaces are not for them. */
export function visibleTree(pages: SpacePages, visitor: Visitor, isLost?: (target: LinkTarget) => boolean): PageTree {
  const known = isLost ? undefined : shownToAll.get(pages.tree)
  if (known) return known
  const left: Entry[] = []
  let isAlike = true
  const walk = (parent: string): void => {
    for (const child of pages.tree.childrenOf(parent)) {
      isAlike &&= pageData(child).condition === undefined
      if (!isPageShown(pages, visitor, child) || leadsNowhere(pages, visitor, child, isLost)) continue
      const above = left.push(child)
      walk(child.entry)
      // A group in which this visitor sees nothing is left out.
      const isEmptied = left.length === above && pages.tree.childrenOf(child.entry).length > 0
      if (isEmptied && pageData(child).type === 'group') left.pop()
    }
  }
  walk(top)
  const visible = left.length === pages.tree.byId.size ? pages.tree : PageTree.of(left)
  if (isAlike && !isLost) shownToAll.set(pages.tree, visible)
  return visible
}

/** Whether a page is only a link to a page that is hidden from this visitor. */
function leadsNowhere(
  pages: SpacePages,
  visitor: Visitor,
  page: Entry,
  isLost: (target: LinkTarget) => boolean = () => false,
): boolean {
  const { type, target } = pageData(page)
  if (type !== 'link' || !target || pages.tree.childrenOf(page.entry).length > 0) return false
  if (target['space'] !== undefined) return isLost(target)
  const id = target['page']
  return typeof id === 'string' && pages.tree.byId.has(id) && !pageWithId(pages, visitor, id)
}

export const slugsOf = (tree: PageTree, page: Entry) => tree.pathOf(page).split('/')

export function isPageShown({ variables }: Pick<SpacePages, 'variables'>, { scope }: Visitor, page: Entry): boolean {
  const { condition, variables: own = {} } = pageData(page)
  if (condition === undefined) return true
  return isShown(conditionOf(condition), scope && { ...scope, space: { vars: variables }, page: { vars: own } })
}

const indexes = new WeakMap<readonly Entry[], Map<string, Entry>>()
const worthAnIndex = 8

/**
 * Finds a child by its slug. A list of siblings stays the same object across revisions in which none of them changes,
 * and so does its index.
 */
function childAt(children: readonly Entry[], slug: string): Entry | undefined {
  return withSlug(children, slug) ?? (isPlain(slug) ? undefined : lookingLike(children, slug))
}

function withSlug(children: readonly Entry[], slug: string): Entry | undefined {
  if (children.length < worthAnIndex) return children.find((child) => child.slug === slug)
  let index = indexes.get(children)
  if (!index) indexes.set(children, (index = new Map(children.map((child) => [child.slug!, child]))))
  return index.get(slug)
}

/**
 * Compares normalized forms: some machines compose typed characters differently, and readers cannot tell the two apart.
 */
function lookingLike(children: readonly Entry[], slug: string): Entry | undefined {
  const wanted = composed(slug)
  return children.find((child) => composed(child.slug!) === wanted)
}
