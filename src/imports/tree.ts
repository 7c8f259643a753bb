import { percentDecoded } from '../percent.ts'
import type { Collected, FoundPage } from './collected.ts'
import { withoutNumber } from './files/former.ts'
import type { MenuItem } from './html/navigation.ts'
import { PageTargets, anchorOf } from './links.ts'
import { titleOf } from './names.ts'

/** A page in its place; one without a page of its own only holds others, or is a link. */
export interface TreeNode {
  title: string
  page?: FoundPage
  /** An address elsewhere. */
  link?: string
  /** A page that stands elsewhere, to which this is a link. */
  leadsTo?: { page: FoundPage; anchor: string }
  position?: number
  /** What the folder is called that it stands for. */
  folder?: string
  nodes: TreeNode[]
}

/**
 * How the pages belong together: as the menus of the site say, else as their addresses say. What no menu names goes
 * below the page whose address it is below.
 */
export function treeOf(collected: Collected): TreeNode[] {
  const tree = new Tree(collected)
  for (const contents of collected.contents ?? []) tree.addContents(contents)
  for (const menu of collected.menus) tree.addMenu(menu)
  return tree.finish()
}

class Tree {
  readonly #collected: Collected
  readonly #pages: ReadonlyMap<string, FoundPage>
  readonly #targets: PageTargets
  readonly #placed = new Map<string, TreeNode>()
  /** By their titles: to look through all that stand beside each other for each of them takes minutes where they are many. */
  readonly #headings = new Map<readonly TreeNode[], Map<string, TreeNode>>()
  readonly #roots: TreeNode[] = []

  constructor(collected: Collected) {
    this.#collected = collected
    this.#pages = new Map(collected.pages.map((page) => [page.key, page]))
    this.#targets = new PageTargets(collected)
  }

  /** Menus of several pages say different parts of one whole: where a page stands already, what is below it is added. */
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
   * As in a repository: of a page that is listed more than once, or by an anchor, the others are links to it. A link holds
   * no pages, so those below it stand beside it. Another table of contents adds to what stands already.
   */
  addContents(items: readonly MenuItem[], into = this.#roots, listed = new Set<FoundPage>()): void {
    for (const item of items) this.addContents(item.items, this.#list(item, into, listed).nodes, listed)
  }

  /** Where what is listed below an item goes. */
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
    // One that others are below may stand there by now.
    for (const page of left) if (!this.#placed.has(page.key)) this.#placeByAddress(page, useMenus)
    if (!useMenus) this.#moveBelowNamed()
    return prune([...(useMenus ? this.#roots : inPlace(this.#roots)), ...links])
  }

  #pageAt(url: string): FoundPage | undefined {
    return URL.canParse(url) ? this.#targets.find(url) : undefined
  }

  /** A heading is the same one in all menus if it has the same title in the same place. */
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
    // The page that a wiki begins with (GitHub, Wiki.js).
    if (page.position === undefined && page.key.toLowerCase() === `${root}/home`.toLowerCase())
      node.position = Number.MIN_SAFE_INTEGER
    const parts = page.key.startsWith(`${root}/`) ? page.key.slice(root.length + 1).split('/') : []
    if (useMenus) this.#above(parts).push(node)
    else this.#folder(parts.slice(0, -1)).push(node)
  }

  /**
   * Pages that name the one that they stand below go there, with all that is below them. One that names a page below it, or
   * one that names it in turn, stays where it is: it would take itself along.
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

  /** Below the nearest page above it. */
  #above(parts: readonly string[]): TreeNode[] {
    for (let depth = parts.length - 1; depth > 0; depth--) {
      const above = this.#placed.get(`${this.#collected.root}/${parts.slice(0, depth).join('/')}`)
      if (above) return above.nodes
    }
    return this.#roots
  }

  /** Folders on the way, each as the page at its address or else by its name. */
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

/** The first with each title. */
const headingsIn = (nodes: readonly TreeNode[]) =>
  new Map(
    nodes
      .filter(({ page, link }) => !page && link === undefined)
      .toReversed()
      .map((node) => [node.title, node]),
  )

/** No documentation is deeper. */
const deepest = 50

/** Whether it is this one, or stands somewhere below it; or so deep that nothing should go there. */
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

/** Those that say where they stand come first; the one at the top stays there. */
function inPlace(nodes: readonly TreeNode[]): TreeNode[] {
  const place = ({ position = Number.MAX_SAFE_INTEGER }: TreeNode) => position
  return nodes.map((node) => ({ ...node, nodes: inPlace(node.nodes) })).toSorted((a, b) => place(a) - place(b))
}

const linksIn = (nodes: readonly TreeNode[]): TreeNode[] =>
  nodes.flatMap((node) => (node.link === undefined ? linksIn(node.nodes) : [node]))

/** Headings that hold no page say nothing. */
function prune(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.flatMap((node) => {
    const inner = prune(node.nodes)
    return node.page || node.link !== undefined || node.leadsTo || inner.length > 0 ? [{ ...node, nodes: inner }] : []
  })
}
