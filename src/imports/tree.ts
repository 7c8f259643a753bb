import type { Collected, FoundPage } from './collected.ts'
import type { MenuItem } from './html/navigation.ts'
import { PageTargets } from './links.ts'
import { titleOf } from './markdown.ts'

/** A page in its place; one without a page of its own only holds others, or is a link. */
export interface TreeNode {
  title: string
  page?: FoundPage
  /** An address elsewhere. */
  link?: string
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
  for (const menu of collected.menus) tree.addMenu(menu)
  return tree.finish()
}

class Tree {
  readonly #collected: Collected
  readonly #pages: ReadonlyMap<string, FoundPage>
  readonly #targets: PageTargets
  readonly #placed = new Map<string, TreeNode>()
  readonly #roots: TreeNode[] = []

  constructor(collected: Collected) {
    this.#collected = collected
    this.#pages = new Map(collected.pages.map((page) => [page.key, page]))
    this.#targets = new PageTargets(collected)
  }

  /** Menus of several pages say different parts of one whole: where a page stands already, what is below it is added. */
  addMenu(items: readonly MenuItem[], into = this.#roots): void {
    for (const item of items) {
      if (item.link !== undefined) {
        into.push({ title: item.title, link: item.link, nodes: [] })
        continue
      }
      const page = item.url === undefined ? undefined : this.#pageAt(item.url)
      const placed = page && this.#placed.get(page.key)
      const node = placed ?? this.#heading(item, page, into)
      if (page && !placed) this.#placed.set(page.key, node)
      this.addMenu(item.items, node.nodes)
    }
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
    return prune([...(useMenus ? this.#roots : inPlace(this.#roots)), ...links])
  }

  #pageAt(url: string): FoundPage | undefined {
    return URL.canParse(url) ? this.#targets.find(url) : undefined
  }

  /** A heading is the same one in all menus if it has the same title in the same place. */
  #heading({ title }: MenuItem, page: FoundPage | undefined, into: TreeNode[]): TreeNode {
    const known = page ? undefined : into.find((node) => !node.page && node.link === undefined && node.title === title)
    if (known) return known
    const node: TreeNode = { title, ...(page && { page }), nodes: [] }
    into.push(node)
    return node
  }

  #placeByAddress(page: FoundPage, useMenus: boolean): void {
    const node: TreeNode = { title: page.title, page, ...positionOf(page), nodes: [] }
    this.#placed.set(page.key, node)
    const { root } = this.#collected
    if (page.key === root) return void this.#roots.unshift({ ...node, position: Number.NEGATIVE_INFINITY })
    const parts = page.key.startsWith(`${root}/`) ? page.key.slice(root.length + 1).split('/') : []
    if (useMenus) this.#above(parts).push(node)
    else this.#folder(parts.slice(0, -1)).push(node)
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
        const title = said?.title ?? page?.title ?? titleOf(part)
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
    return node.page || node.link !== undefined || inner.length > 0 ? [{ ...node, nodes: inner }] : []
  })
}
