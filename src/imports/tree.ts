import { limits } from '../content/limits.ts'
import { percentDecoded } from '../percent.ts'
import type { Collected, FoundPage } from './collected.ts'
import { withoutNumber } from './files/former.ts'
import type { MenuItem } from './html/navigation.ts'
import { PageTargets, anchorOf } from './links.ts'
import { titleOf } from './names.ts'

/** A page in its place. A node without a page only contains others, or is a link. */
export interface TreeNode {
  title: string
  page?: FoundPage
  /** An external address. */
  link?: string
  /** A page elsewhere in the tree that this node links to. */
  leadsTo?: { page: FoundPage; anchor: string }
  position?: number
  /** The name of the folder that it represents. */
  folder?: string
  nodes: TreeNode[]
}

/**
 * Arranges the pages in a tree: by the menus of the site, else by their addresses. Pages that no menu contains go below
 * the page whose address is above theirs.
 */
export function treeOf(collected: Collected): TreeNode[] {
  const tree = new Tree(collected)
  for (const contents of collected.contents ?? []) tree.addContents(contents)
  for (const menu of collected.menus) tree.addMenu(menu)
  return tree.finish()
}

/** An import with this many levels is refused. It is not worth the time to look at all levels of all pages. */
const tooManyLevels = limits.pageLevels + 1

class Tree {
  readonly #collected: Collected
  readonly #pages: ReadonlyMap<string, FoundPage>
  readonly #targets: PageTargets
  readonly #placed = new Map<string, TreeNode>()
  /**
   * Headings by title, for each list of siblings. If there are many siblings, searching all of them for each heading
   * takes minutes.
   */
  readonly #headings = new Map<readonly TreeNode[], Map<string, TreeNode>>()
  readonly #roots: TreeNode[] = []

  constructor(collected: Collected) {
    this.#collected = collected
    this.#pages = new Map(collected.pages.map((page) => [page.key, page]))
    this.#targets = new PageTargets(collected)
  }

  /**
   * Adds a menu. The menus of several pages show different parts of the same tree: if a page is already placed, the
   * items below it are added there.
   */
  addMenu(items: readonly MenuItem[], into = this.#roots): void {
    for (const item of items) {
      const page = item.url === undefined ? undefined : this.#pageAt(item.url)
      const placed = page && this.#placed.get(page.key)
      const node = placed ?? this.#heading(item, page, into)
      if (page && !placed) this.#placed.set(page.key, node)
      this.addMenu(item.items, node.nodes)
    }
  }

  /**
   * Adds a table of contents, as in a repository: if a page is listed more than once, or by an anchor, the other
   * entries become links to it. A link cannot contain pages, so those below it are placed beside it. Another table of
   * contents adds to what is already placed.
   */
  addContents(items: readonly MenuItem[], into = this.#roots, listed = new Set<FoundPage>()): void {
    for (const item of items) this.addContents(item.items, this.#list(item, into, listed).nodes, listed)
  }

  /** Adds an item, and returns the node for what is listed below it. */
  #list({ title, url, link, items }: MenuItem, into: TreeNode[], listed: Set<FoundPage>): TreeNode {
    const page = url === undefined ? undefined : this.#pageAt(url)
    const anchor = page ? anchorOf(url!).slice(1) : ''
    if (page && (anchor !== '' || listed.has(page))) {
      const again: TreeNode = { title, leadsTo: { page, anchor: percentDecoded(anchor) ?? anchor }, nodes: [] }
      const node = items.length === 0 ? again : { title, nodes: [again] }
      into.push(node)
      return node
    }
    const placed = page && this.#placed.get(page.key)
    const node = placed ?? { title, ...(page && { page }), ...(link !== undefined && { link }), nodes: [] }
    if (!placed) into.push(node)
    if (page) this.#placed.set(page.key, node)
    if (page) listed.add(page)
    return node
  }

  finish(): TreeNode[] {
    const useMenus = this.#placed.size >= Math.min(2, this.#pages.size)
    const links = useMenus ? [] : linksIn(this.#roots)
    if (!useMenus) {
      this.#placed.clear()
      this.#roots.length = 0
    }
    const left = this.#collected.pages.filter(({ key }) => !this.#placed.has(key))
    // The page may have been placed in the meantime, because another page is below it.
    for (const page of left) if (!this.#placed.has(page.key)) this.#placeByAddress(page, useMenus)
    if (!useMenus) this.#moveBelowNamed()
    return prune([...(useMenus ? this.#roots : inPlace(this.#roots)), ...links])
  }

  #pageAt(url: string): FoundPage | undefined {
    return URL.canParse(url) ? this.#targets.find(url) : undefined
  }

  /** Returns the heading for an item. Menus share a heading if it has the same title in the same place. */
  #heading({ title }: MenuItem, page: FoundPage | undefined, into: TreeNode[]): TreeNode {
    const known = this.#headings.get(into) ?? headingsIn(into)
    this.#headings.set(into, known)
    const heading = page ? undefined : known.get(title)
    if (heading) return heading
    const node: TreeNode = { title, ...(page && { page }), nodes: [] }
    into.push(node)
    if (!page) known.set(title, node)
    return node
  }

  #placeByAddress(page: FoundPage, useMenus: boolean): void {
    const node: TreeNode = { title: page.title, page, ...positionOf(page), nodes: [] }
    this.#placed.set(page.key, node)
    const { root } = this.#collected
    if (page.key === root) return void this.#roots.unshift({ ...node, position: Number.NEGATIVE_INFINITY })
    // The start page of a wiki (GitHub, Wiki.js).
    if (page.position === undefined && page.key.toLowerCase() === `${root}/home`.toLowerCase())
      node.position = Number.MIN_SAFE_INTEGER
    const parts = page.key.startsWith(`${root}/`) ? page.key.slice(root.length + 1).split('/') : []
    if (useMenus) this.#above(parts).push(node)
    else this.#folder(parts.slice(0, Math.min(parts.length - 1, tooManyLevels))).push(node)
  }

  /**
   * Moves pages that name their parent below it, with everything below them. A page stays where it is if the parent is
   * below it or names it as its own parent: it would be moved below itself.
   */
  #moveBelowNamed(): void {
    const byTitle = Map.groupBy(this.#pages.values(), ({ title }) => title)
    const above = new Map<TreeNode, TreeNode>()
    const note = (nodes: readonly TreeNode[], parent?: TreeNode) => {
      for (const node of nodes) {
        if (parent) above.set(node, parent)
        note(node.nodes, node)
      }
    }
    note(this.#roots)
    for (const page of this.#pages.values()) {
      const { above: wanted } = page
      const named = (wanted && byTitle.get(wanted.title)) ?? []
      const found = named.find((each) => wanted?.below === undefined || each.above?.title === wanted.below) ?? named[0]
      if (!found || page.key === this.#collected.root) continue
      const [node, target] = [this.#placed.get(page.key)!, this.#placed.get(found.key)!]
      if (isBelow(target, node, above)) continue
      const siblings = above.get(node)?.nodes ?? this.#roots
      siblings.splice(siblings.indexOf(node), 1)
      target.nodes.push(node)
      above.set(node, target)
    }
  }

  /** Returns the children of the nearest page above. */
  #above(parts: readonly string[]): TreeNode[] {
    for (let depth = parts.length - 1; depth > 0; depth--) {
      const above = this.#placed.get(`${this.#collected.root}/${parts.slice(0, depth).join('/')}`)
      if (above) return above.nodes
    }
    return this.#roots
  }

  /**
   * Returns the children of a folder. Each folder on the way becomes the page at its address, or else a node with its
   * name.
   */
  #folder(parts: readonly string[]): TreeNode[] {
    let nodes = this.#roots
    let key = this.#collected.root
    for (const part of parts) {
      key += `/${part}`
      const page = this.#pages.get(key)
      let node = this.#placed.get(key)
      if (!node) {
        const said = this.#collected.folders?.get(key)
        const name = this.#collected.isNumbered ? withoutNumber(part) : part
        const title = said?.title ?? page?.title ?? titleOf(name)
        node = {
          title,
          folder: part,
          ...(page && { page }),
          ...positionOf(said?.position === undefined ? page : said),
          nodes: [],
        }
        this.#placed.set(key, node)
        nodes.push(node)
      }
      nodes = node.nodes
    }
    return nodes
  }
}

/** The first heading with each title. */
const headingsIn = (nodes: readonly TreeNode[]) =>
  new Map(
    nodes
      .filter(({ page, link }) => !page && link === undefined)
      .toReversed()
      .map((node) => [node.title, node]),
  )

/** No documentation is nested more deeply. */
const deepest = 50

/** Whether the node is the other one or below it. Also true if it is so deep that nothing should be placed there. */
function isBelow(node: TreeNode, other: TreeNode, above: ReadonlyMap<TreeNode, TreeNode>): boolean {
  let up: TreeNode | undefined = node
  for (let depth = 0; up && depth < deepest; depth++) {
    if (up === other) return true
    up = above.get(up)
  }
  return up !== undefined
}

const positionOf = (said: { position?: number } | undefined) =>
  said?.position === undefined ? {} : { position: said.position }

/** Sorts nodes: those with a position come first, and the root page stays at the top. */
function inPlace(nodes: readonly TreeNode[]): TreeNode[] {
  const place = ({ position = Number.MAX_SAFE_INTEGER }: TreeNode) => position
  return nodes.map((node) => ({ ...node, nodes: inPlace(node.nodes) })).toSorted((a, b) => place(a) - place(b))
}

const linksIn = (nodes: readonly TreeNode[]): TreeNode[] =>
  nodes.flatMap((node) => (node.link === undefined ? linksIn(node.nodes) : [node]))

/** Removes headings that contain no page. */
function prune(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.flatMap((node) => {
    const inner = prune(node.nodes)
    return node.page || node.link !== undefined || node.leadsTo || inner.length > 0 ? [{ ...node, nodes: inner }] : []
  })
}
