import type { Entry } from '../content/merge/entry.ts'
import type { App } from '../http/routes.ts'
import { withEmbedsNamed } from '../embeds/named.ts'
import { withSpecsWritten } from '../openapi/blocks.ts'
import type { Content } from '../pages/access.ts'
import { type PageData, type Refs, fileData, pageData, refsOf } from '../pages/entry-data.ts'
import { evaluateFor } from '../pages/evaluate.ts'
import { bindingIn, namedIn, partsOf } from '../pages/references.ts'
import type { PageTree } from '../pages/tree.ts'
import { file, reusable } from '../revisions/entries.ts'
import { type Book, type Chapter, type Surroundings, bookLimits } from './book.ts'
import type { ReadSoFar } from './pdfs.ts'

/** Which pages to print: all of them, one with those below it, or one alone. */
export interface Selection {
  page: string | undefined
  only: boolean
}

/** Returns the pages to print in order, with their depth. Undefined if there is no such page. */
export function selectPages(
  tree: PageTree,
  { page, only }: Selection,
  isLeftOut: (data: PageData) => boolean = ({ hidden }) => hidden === true,
): { entry: Entry; depth: number }[] | undefined {
  const selected: { entry: Entry; depth: number }[] = []
  const add = (entry: Entry, depth: number, isAsked = false): void => {
    const data = pageData(entry)
    const { type } = data
    if ((!isAsked && isLeftOut(data)) || (type !== 'document' && type !== 'group')) return
    selected.push({ entry, depth })
    if (only) return
    const above = selected.length
    for (const child of tree.childrenOf(entry.entry)) add(child, depth + 1)
    // A group of which no page is printed is left out.
    if (type === 'group' && !isAsked && selected.length === above) selected.pop()
  }
  if (page === undefined) {
    for (const entry of tree.roots) add(entry, 1)
    return selected
  }
  const asked = tree.byId.get(page)
  if (!asked || !['document', 'group'].includes(pageData(asked).type)) return undefined
  add(asked, 1, true)
  return selected
}

/** Yields chapters one after the other, up to the limits of one file. */
export async function* readChapters<Item>(
  items: readonly Item[],
  load: (item: Item) => Promise<Chapter>,
  read: ReadSoFar,
): AsyncGenerator<Chapter> {
  let characters = 0
  for (const [index, item] of items.entries()) {
    if (index === bookLimits.chapters || characters > bookLimits.characters) {
      yield theRest
      return
    }
    const chapter = await load(item)
    characters += chapter.document?.source.length ?? 0
    read(index + 1, items.length)
    yield chapter
  }
}

const theRest: Chapter = {
  entry: {
    entry: '',
    data: {
      type: 'group',
      title: 'The rest is left out',
      description: 'This is too much for one file: print it in parts.',
    },
  },
  depth: 1,
  document: undefined,
  around: { link: () => undefined, file: () => undefined },
}

/** Loads the pages of a revision, as seen by a visitor about whom nothing is known. */
export async function loadSpaceBook(
  app: App,
  content: Content,
  tree: PageTree,
  selection: Selection,
  read: ReadSoFar,
): Promise<Book> {
  const { at, space } = content
  const selected = selectPages(tree, selection, isNotForAll) ?? []
  const [files, contents] = await Promise.all([app.content.entries(at, file), app.content.entries(at, reusable)])
  const shared: Refs = Object.assign({}, ...contents.map(refsOf))
  const known = { tree, files: new Map(files.map((each) => [each.entry, each])) }
  return {
    organizationId: at.organizationId,
    title: selection.only && selected[0] ? pageData(selected[0].entry).title : space.title,
    subtitle: undefined,
    language: space.language ?? 'en',
    isSingle: selection.only,
    chapters: () => {
      const room = { characters: bookLimits.specCharacters }
      return readChapters(
        selected,
        async ({ entry, depth }) => ({
          entry,
          depth,
          document: pageData(entry).type === 'document' ? await readFor(app, content, entry, room) : undefined,
          around: surroundingsIn(content, known, { ...shared, ...refsOf(entry) }),
        }),
        read,
      )
    },
  }
}

/**
 * Whether a page is left out for a visitor about whom nothing is known. A page with a condition is printed only when it
 * is requested itself.
 */
export const isNotForAll = ({ hidden, condition }: PageData) => hidden === true || condition !== undefined

async function readFor(app: App, { at, space }: Content, entry: Entry, room: { characters: number }) {
  const source = await app.content.documentOnce(at.organizationId, entry.doc)
  const document = await evaluateFor(app, at, entry, source, 'hidden')
  const named = await withEmbedsNamed(app, at.organizationId, document)
  return withSpecsWritten(app, at.organizationId, named, room, { language: space.language ?? 'en' })
}

interface Known {
  tree: PageTree
  files: ReadonlyMap<string, Entry>
}

function surroundingsIn({ appUrl }: Content, { tree, files }: Known, refs: Refs): Surroundings {
  const bindingOf = (href: string) => {
    const { address } = partsOf(href)
    return bindingIn(refs, address) ?? namedIn(address)
  }
  const fileOf = (href: string) => {
    const binding = bindingOf(href)
    return binding?.kind === 'file' && binding.space === undefined ? files.get(binding.id ?? '') : undefined
  }
  return {
    link(href) {
      const { anchor } = partsOf(href)
      if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(href)) return { url: href }
      const found = fileOf(href)
      // The download address of a file is valid only for hours, which is of no use in a document that is kept.
      if (found) return { title: fileData(found).name }
      const binding = bindingOf(href)
      if (!binding || binding.app || binding.space !== undefined || binding.kind === 'file') return undefined
      const page = tree.byId.get(binding.id ?? '') ?? tree.at(binding.path?.split('/') ?? [])
      if (!page) return undefined
      const url = appUrl + encodeURI(tree.pathOf(page)) + (anchor ? `#${anchor}` : '')
      return { page: page.entry, url, title: pageData(page).title, ...(anchor && { anchor }) }
    },
    file(src) {
      const found = fileOf(src)
      return found && fileData(found)
    },
  }
}
