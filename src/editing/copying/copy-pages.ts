import { setImmediate as breathe } from 'node:timers/promises'
import { findSpaceFor } from '../../access/content.ts'
import { conflict } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { type PageData, type Reference, pageData } from '../../pages/entry-data.ts'
import { writePageSource } from '../../pages/source.ts'
import { type Entry, findEntry, page as pageKind } from '../../revisions/entries.ts'
import type { Metadata } from '../metadata.ts'
import { type Prepared, prepareCopy } from '../prepare.ts'
import type { ChangeOf } from '../schema.ts'
import { Belongings, refOf } from './belongings.ts'
import type { Copying } from './copying.ts'

export interface Copied {
  prepared: Prepared
  /** Messages about what was not copied, or differs in the destination. */
  left: readonly string[]
}

/** Pages that can be copied at once: all of them are read, and written as one revision. */
export const mostCopied = 200

type NewPage = ChangeOf<'insert_page'>

/**
 * Turns pages of one content into changes to another, in the same space or in another one of the organization. Links
 * between the copied pages lead to the copies, all others to where they led before. Everything else that their texts
 * need is copied along.
 */
export async function copyPages(app: App, copying: Copying): Promise<Copied> {
  const { pages } = copying
  if (pages.length > mostCopied)
    throw conflict(
      `At most ${mostCopied} pages can be copied at once, and these are ${pages.length}. Copy them in parts.`,
    )
  const belongings = await Belongings.of(app, copying)
  const found = new Map<Entry, NewPage>()
  // Pages that may be left behind come first, so that this is known before any link to them is written.
  for (const page of pages.toSorted((one, other) => turnOf(one) - turnOf(other))) {
    // Parsing a page takes time, so other requests get their turn in between.
    await breathe()
    const change = await new PageCopy(app, copying, belongings, page).change()
    if (change) found.set(page, change)
    else belongings.leave(page)
  }
  // `left` contains the reason why the first page itself could not be copied.
  if (!found.has(pages[0])) throw conflict([...belongings.left].join(' '))
  const made = pages.filter((page) => found.has(page))
  const others = made.filter((page) => !isLink(page)).map((page) => found.get(page)!)
  // A link can only name pages that exist already, so links come after all others. `at` puts each in its place among
  // its siblings.
  const links = made.filter(isLink).map((page) => ({
    ...found.get(page)!,
    ...(page !== pages[0] && { at: placeAmong(made, page) }),
  }))
  const { changes, kept } = belongings.changes()
  return { prepared: await prepareCopy([...changes, ...others, ...links], kept), left: [...belongings.left] }
}

const isLink = (page: Entry) => pageData(page).type === 'link'

const turns = { computed: 0, link: 1, group: 2, document: 2 } as const
const turnOf = (page: Entry) => turns[pageData(page).type]

const placeAmong = (pages: readonly Entry[], page: Entry) =>
  pages.filter(({ parent }) => parent === page.parent).indexOf(page)

/** The copy of one page. */
class PageCopy {
  readonly #app: App
  readonly #copying: Copying
  readonly #belongings: Belongings
  readonly #page: Entry
  readonly #data: PageData
  readonly #title: string

  constructor(app: App, copying: Copying, belongings: Belongings, page: Entry) {
    this.#app = app
    this.#copying = copying
    this.#belongings = belongings
    this.#page = page
    this.#data = pageData(page)
    this.#title = page === copying.pages[0] ? copying.first.title : this.#data.title
  }

  /** Returns undefined for a page that cannot exist in the destination, and notes the reason. */
  async change(): Promise<NewPage | undefined> {
    const { type, condition, target, computed } = this.#data
    if (condition !== undefined) this.#belongings.noteExpression(condition)
    switch (type) {
      case 'document':
        return this.#document()
      case 'group':
        return { ...this.#place(), type, metadata: this.#metadata() }
      case 'link': {
        const there = target && (await this.#targetThere(target))
        if (!there) return this.#leave('its target does not exist, or you may not see it')
        return { ...this.#place(), type, metadata: this.#metadata(), target: there }
      }
      case 'computed': {
        const spec = computed?.type === 'builtin:openapi' ? computed.dependencies?.['spec']?.ref['spec'] : undefined
        if (typeof spec !== 'string') return this.#leave('of generated pages, only API references can be copied')
        if (!(await this.#copying.maySeeSpec(spec))) return this.#leave('you may not see its source')
        return { ...this.#place(), type, metadata: this.#metadata(), computed: computed! }
      }
    }
  }

  /** Everything about the page is in its text, except a cover that has another name in the destination. */
  async #document(): Promise<NewPage> {
    const { slug, cover } = this.#metadata()
    const isByFile = [this.#data.cover?.ref, this.#data.cover?.refDark].some((ref) => ref?.kind === 'file')
    const { cover: _, ...withoutCover } = this.#data
    const said = { ...(isByFile ? withoutCover : this.#data), title: this.#title }
    const markdown = writePageSource(said, await this.#belongings.textOf(this.#page))
    return {
      ...this.#place(),
      document: { markdown },
      metadata: { ...(slug !== undefined && { slug }), ...(isByFile && cover && { cover }) },
    }
  }

  #place(): Pick<NewPage, 'operation' | 'into' | 'at' | 'ref'> {
    const { pages, first } = this.#copying
    const ref = refOf(this.#page.entry)
    if (this.#page !== pages[0]) return { operation: 'insert_page', ref, into: refOf(this.#page.parent) }
    const { into, at } = first
    return { operation: 'insert_page', ref, into, ...(at !== undefined && { at }) }
  }

  #metadata(): Metadata {
    const { emoji, icon, description, hidden, noIndex, noRobotsIndex, condition, layout, variables } = this.#data
    const slug = this.#page === this.#copying.pages[0] ? this.#copying.first.slug : this.#page.slug!
    const said = { emoji, icon, description, hidden, noIndex, noRobotsIndex, condition, layout, variables }
    const all = { ...said, title: this.#title, slug, cover: this.#coverThere() }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  }

  #coverThere(): PageData['cover'] {
    const { cover } = this.#data
    const [ref, refDark] = [cover?.ref, cover?.refDark].map((each) => this.#pictureThere(each))
    if (!cover || !ref) return undefined
    return { ref, ...(refDark && { refDark }), ...(cover.yPos !== undefined && { yPos: cover.yPos }) }
  }

  #pictureThere(ref: NonNullable<PageData['cover']>['ref'] | undefined) {
    if (ref?.kind !== 'file') return ref
    const file = this.#belongings.fileNamed(ref.file)
    return file === undefined ? undefined : { kind: 'file' as const, file }
  }

  /**
   * Returns undefined if the target does not exist for the caller, by the rules that apply when they write such a link
   * themselves.
   */
  async #targetThere(target: Reference): Promise<NewPage['target']> {
    const { from, to, caller } = this.#copying
    const said = target as NonNullable<NewPage['target']>
    if (said.kind === 'url') return said
    if (said.kind === 'file') {
      const file = this.#belongings.fileNamed(said.file ?? '')
      return file === undefined ? undefined : { kind: 'file', file }
    }
    const id = said.kind === 'space' ? undefined : (said.page ?? '')
    const spaceId = said.space ?? from.space.id
    const isHere = said.space === undefined && id !== undefined && this.#belongings.isCopied(id)
    // A link to another link still leads to the original: the copy of that one may not exist yet.
    if (isHere && !isLink(from.tree.byId.get(id)!)) return { ...said, page: refOf(id) }
    if (id !== undefined && spaceId === to.space.id) {
      const { space: _, ...within } = said
      return to.tree.byId.has(id) ? within : undefined
    }
    const access = await findSpaceFor(this.#app.db, caller, spaceId)
    if (access?.space.organization_id !== to.space.organization_id) return undefined
    if (id === undefined) return said
    const found = await findEntry(this.#app.db, access.main, id)
    return found?.kind === pageKind ? { ...said, space: spaceId } : undefined
  }

  #leave(reason: string): undefined {
    this.#belongings.left.add(`“${this.#data.title}” was not copied: ${reason}.`)
  }
}
