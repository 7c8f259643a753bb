import { referenceOf } from '../../content/document/reference.ts'
import { slugFrom, isSlug } from '../../editing/slugs.ts'
import type { ComputedSource } from '../../pages/entry-data.ts'
import { partsOf } from '../../pages/references.ts'
import { asObject } from '../../objects.ts'
import { readFieldsOf } from './fields.ts'
import type { Finder } from './finder.ts'
import { folderOf } from './paths.ts'
import type { BookPage, BookTarget, LayoutConfig, Listed, Problem } from './shape.ts'
import { titleOfPath } from './titles.ts'

interface Ground {
  config: LayoutConfig
  finder: Finder
  isDocument: (path: string) => boolean
  hasSummary: boolean
  problems: Problem[]
}

/**
 * Returns the pages that a table of contents lists. If it lists a file more than once, the further entries are links to
 * it.
 */
export function readContents(listed: readonly Listed[], ground: Ground): BookPage[] {
  const reader = new ContentsReader(ground, listed)
  const pages = reader.readAll(listed)
  const { readme } = ground.config
  // The first page always exists, listed or not.
  if (ground.hasSummary && !reader.used.has(readme) && ground.finder.find('', readme) === readme)
    pages.unshift({ type: 'document', path: readme, title: titleOfPath(readme), fields: {}, pages: [] })
  return pages
}

class ContentsReader {
  readonly used = new Set<string>()
  readonly #ground: Ground
  readonly #folder: string
  /** Files that are listed as a whole. A file that is listed only by one of its headings becomes a page, too. */
  readonly #whole = new Set<string>()

  constructor(ground: Ground, listed: readonly Listed[]) {
    this.#ground = ground
    this.#folder = ground.hasSummary ? folderOf(ground.config.summary) : ''
    this.#noteWhole(listed)
  }

  #noteWhole(listed: readonly Listed[]): void {
    for (const { href = '', items } of listed) {
      const path = href.includes('#') ? undefined : this.#find(href)
      if (path !== undefined) this.#whole.add(path)
      this.#noteWhole(items)
    }
  }

  readAll(listed: readonly Listed[]): BookPage[] {
    return listed.flatMap((item) => this.#read(item))
  }

  #read(item: Listed): BookPage[] {
    const { title, href, fields } = item
    if (fields) return this.#fromFields(fields, item)
    if (item.path !== undefined) return [this.#document(item.path, item)]
    // An entry with an empty address, as in drafts of other tools, leads nowhere.
    if (href === undefined || href === '') return [group(title || 'Untitled', this.readAll(item.items))]
    const { address, anchor } = partsOf(href)
    const path = this.#find(href)
    const isPage = anchor === undefined || (path !== undefined && !this.#whole.has(path))
    if (path !== undefined && isPage && this.#ground.isDocument(path) && !this.used.has(path)) {
      return [this.#document(path, item)]
    }
    const target = path === undefined ? { href } : { path, ...(anchor !== undefined && { anchor }) }
    if (path === undefined && !isElsewhere(href) && referenceOf(href).kind === 'url')
      return this.#missing(item, address)
    return this.#withItems({ type: 'link', title: title || address, target, fields: {}, pages: [] }, item)
  }

  /** A file whose name looks like a URL (`Foo::Bar.md`) is found if it exists. */
  #find(href: string): string | undefined {
    const { address } = partsOf(href)
    return address === '' || address.startsWith('//') ? undefined : this.#ground.finder.find(this.#folder, address)
  }

  #document(path: string, { title, items }: Listed): BookPage {
    this.used.add(path)
    return { type: 'document', path, title: title || titleOfPath(path), fields: {}, pages: this.readAll(items) }
  }

  /** A missing file has no page. The entries listed below it stay together in a group. */
  #missing(item: Listed, address: string): BookPage[] {
    const { problems, config } = this.#ground
    const other = this.#ground.finder.findInAnyCase(this.#folder, address)
    const called = other === undefined ? '' : `: case matters, and the file is called ${other}`
    problems.push({ path: config.summary, message: `lists ${address}, which is not in the repository${called}` })
    const pages = this.readAll(item.items)
    return pages.length > 0 ? [group(item.title || titleOfPath(address), pages)] : []
  }

  /** A link cannot have pages below it: if some are listed there, a group holds the link and the pages. */
  #withItems(page: BookPage, { items }: Listed): BookPage[] {
    return items.length === 0 ? [page] : [group(page.title, [page, ...this.readAll(items)])]
  }

  #fromFields(values: Record<string, unknown>, item: Listed): BookPage[] {
    const { type, slug, target, props, dependencies } = values
    const { title: _title, ...fields } = readFieldsOf(values)
    const known = { fields, ...(isSlug(slug) && { slug }) }
    const title = item.title || titleOfComputed(dependencies)
    if (type === 'group') return [{ ...group(title, this.readAll(item.items)), ...known }]
    if (type === 'link')
      return this.#withItems({ type, title, target: this.#targetOf(target), ...known, pages: [] }, item)
    if (typeof type === 'string' && /^[\w-]+:[\w-]+$/.test(type)) {
      const computed = {
        type,
        ...(props !== undefined && { props }),
        ...(dependencies !== undefined && { dependencies }),
      }
      const page: BookPage = { type: 'computed', title, computed: computed as ComputedSource, ...known, pages: [] }
      return this.#withItems(page, item)
    }
    this.#ground.problems.push({ path: this.#ground.config.summary, message: 'lists something of an unknown type' })
    return this.readAll(item.items)
  }

  #targetOf(href: unknown): BookTarget {
    if (typeof href !== 'string') return { href: '' }
    const { anchor } = partsOf(href)
    const path = this.#find(href)
    return path === undefined ? { href } : { path, ...(anchor !== undefined && { anchor }) }
  }
}

const group = (title: string, pages: BookPage[]): BookPage => ({ type: 'group', title, fields: {}, pages })

const isElsewhere = (href: string) => /^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(href)

/** The title comes from the specification that the page is made from, if nothing else provides one. */
function titleOfComputed(dependencies: unknown): string {
  const { spec } = asObject(asObject(asObject(dependencies)['spec'])['ref'])
  return typeof spec === 'string' && spec !== '' ? titleOfPath(slugFrom(spec)) : 'API reference'
}
