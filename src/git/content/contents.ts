import { hrefOf } from '../../content/document/reference.ts'
import { type PageData, pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import type { Entry } from '../../revisions/entries.ts'
import { fieldsOf } from '../layout/fields.ts'
import { encodePath, relativePath } from '../layout/paths.ts'
import type { BookPage, Listed } from '../layout/shape.ts'
import { impliedSlug } from './documents.ts'
import { assignSlugs } from './places.ts'
import { slugsTo } from './rewrite.ts'

export interface ToList {
  tree: PageTree
  paths: ReadonlyMap<string, string>
  /** The slugs of pages without a file that have to be stated. */
  slugs: ReadonlyMap<string, string>
  /** The file of the table of contents. */
  summary: string
  /** The titles of pages in its earlier version, if they still have the title they had then. */
  titles: ReadonlyMap<string, Pick<Listed, 'title' | 'menuTitle'>>
}

/** Returns the table of contents of a space. */
export function listContents(to: ToList): Listed[] {
  const lister = new Lister(to)
  return lister.listAll(to.tree.roots)
}

class Lister {
  readonly #to: ToList
  /** Files that are listed further up: a second item with one of them is read as a link. */
  readonly #listed = new Set<string>()

  constructor(to: ToList) {
    this.#to = to
  }

  listAll(entries: readonly Entry[]): Listed[] {
    return entries.map((entry) => this.#list(entry))
  }

  #list(entry: Entry): Listed {
    const { tree, paths, slugs, titles } = this.#to
    const data = pageData(entry)
    const path = paths.get(entry.entry)
    if (path !== undefined) {
      this.#listed.add(path)
      const said = titles.get(entry.entry) ?? { title: data.title }
      return { ...said, href: this.#hrefTo(path), items: this.listAll(tree.childrenOf(entry.entry)) }
    }
    const slug = slugs.get(entry.entry)
    const { title, ...fields } = fieldsOf(data)
    const isPlain = Object.keys(fields).length === 0 && slug === undefined && data.title.trim() !== ''
    const items = this.listAll(tree.childrenOf(entry.entry))
    const asYaml = (more: object): Listed => ({
      title: data.title,
      fields: { ...more, title: title ?? data.title, ...(slug !== undefined && { slug }), ...fields },
      items,
    })
    if (data.type === 'computed') return asYaml({ ...data.computed })
    if (data.type === 'group') return isPlain ? { title: data.title, items } : asYaml({ type: 'group' })
    const href = this.#hrefOf(data)
    return isPlain && this.#readsAsLink(data, href)
      ? { title: data.title, href, items }
      : asYaml({ type: 'link', target: href })
  }

  #hrefOf({ target }: PageData): string {
    const { paths, tree } = this.#to
    const id = target?.kind === 'file' ? target['file'] : target?.['space'] === undefined ? target?.['page'] : undefined
    const path = typeof id === 'string' ? paths.get(id) : undefined
    const address = path === undefined ? typeof id === 'string' && slugsTo(tree, id) : this.#hrefTo(path)
    if (!address) return hrefOf(target)
    return address + (typeof target?.['anchor'] === 'string' ? `#${target['anchor']}` : '')
  }

  #hrefTo = (path: string) => encodePath(relativePath(this.#to.summary, path))

  /**
   * Whether a plain item is read as a link. A file that is listed for the first time is read as a page, and an address
   * that leads nowhere as nothing.
   */
  #readsAsLink({ target }: PageData, href: string): boolean {
    if (/[\s<>()]/.test(href)) return false
    if (target?.kind === 'url') return /^[a-z][a-z0-9+.-]*:/i.test(href)
    const path = this.#to.paths.get((target?.['page'] ?? target?.['file'] ?? '') as string)
    // A target with a file is recognized by its path; any other one needs fields that state what it is.
    return path !== undefined && (target?.kind !== 'page' || this.#listed.has(path))
  }
}

/** What is known about a page besides the table of contents. */
export interface Own {
  title: string
  slug: string | undefined
}

/** Returns what a table of contents means: two that are read the same have equal results. */
export function outlineOf(pages: readonly BookPage[], root: string, ownOf: (page: BookPage) => Own): unknown[] {
  const own = pages.map(ownOf)
  const slugs = assignSlugs(
    pages.map((page, i) => ({ chosen: own[i]!.slug, implied: impliedSlug({ ...page, title: own[i]!.title }, root) })),
  )
  return pages.map((page, i) => [
    page.type,
    page.path ?? null,
    own[i]!.title,
    slugs[i],
    page.fields,
    page.target ?? null,
    page.computed ?? null,
    outlineOf(page.pages, root, ownOf),
  ])
}
