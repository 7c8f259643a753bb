import { appPath } from '../../app-path.ts'
import { evaluate } from '../../content/evaluate.ts'
import { type LinkPlace, exchangeAddresses, linksWithRepeated } from '../../content/links.ts'
import type { Document } from '../../content/parse.ts'
import { compile } from '../../expressions/compile.ts'
import { ExpressionError } from '../../expressions/error.ts'
import type { Inspected } from '../../files/inspect.ts'
import { conflict } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { entryWith } from '../../pages/content-cache.ts'
import { type Refs, fileData, pageData, refsOf, reusableData, variableData } from '../../pages/entry-data.ts'
import { type Bound, bindingIn, includedBy, namedIn, partsOf } from '../../pages/references.ts'
import { refsNow } from '../../pages/refs-now.ts'
import { bodyHash } from '../../revisions/bodies.ts'
import { type Entry, file, reusable, variable } from '../../revisions/entries.ts'
import type { Change, ChangeOf } from '../schema.ts'
import type { Copying } from './copying.ts'

/** The name of a copy within its batch. No text contains it by chance. */
export const refOf = (id: string) => `copy-of-${id}`

/** Limit for all texts together: they are parsed while other requests wait. */
const mostCharacters = 4 * 1024 * 1024

/** The entries of a kind in the source (`here`) and in the destination (`there`). */
interface Both {
  here: readonly Entry[]
  there: readonly Entry[]
}

/**
 * The files, reusable contents and variables that copied pages need, and their names in the destination. Anything that
 * exists there keeps its name: within the same space, that is everything except what only one change request contains.
 * Everything else is copied along, unless the destination has the same thing under another id.
 */
export class Belongings {
  readonly left = new Set<string>()
  readonly #app: App
  readonly #copying: Copying
  readonly #copied: Set<string>
  readonly #isElsewhere: boolean
  readonly #files: Both
  readonly #contents: Both
  readonly #variables: Both
  /** The names of files and reusable contents in the destination, by their ids in the source. */
  readonly #names = new Map<string, string>()
  #filesThere: Map<string, string> | undefined
  readonly #broughtFiles: Entry[] = []
  readonly #broughtContents: ChangeOf<'insert_reusable_content'>[] = []
  readonly #used = new Set<string>()
  #characters = 0

  private constructor(app: App, copying: Copying, [files, contents, variables]: readonly [Both, Both, Both]) {
    this.#app = app
    this.#copying = copying
    this.#copied = new Set(copying.pages.map(({ entry }) => entry))
    this.#isElsewhere = copying.from.space.id !== copying.to.space.id
    this.#files = files
    this.#contents = contents
    this.#variables = variables
  }

  static async of(app: App, copying: Copying): Promise<Belongings> {
    const { from, to } = copying
    const both = async (kind: typeof file | typeof reusable | typeof variable): Promise<Both> => {
      const [here, there] = await Promise.all([app.content.entries(from.at, kind), app.content.entries(to.at, kind)])
      return { here, there }
    }
    return new Belongings(app, copying, await Promise.all([both(file), both(reusable), both(variable)]))
  }

  isCopied(id: string): boolean {
    return this.#copied.has(id)
  }

  /** Marks a page as not copied: links to it lead to where it is. */
  leave({ entry }: Entry): void {
    this.#copied.delete(entry)
  }

  /**
   * The text of a page or a reusable content, with addresses that mean in the destination what they mean in the source.
   */
  async textOf(entry: Entry): Promise<string> {
    const document = await this.#app.content.documentOnce(this.#copying.from.space.organization_id, entry.doc)
    this.#characters += document.source.length
    if (this.#characters > mostCharacters)
      throw conflict(`At most ${mostCharacters / 1024 ** 2} MB of text can be copied at once. Copy it in parts.`)
    this.#noteExpressions(document)
    const places = linksWithRepeated(document)
    const refs = await refsNow(this.#app.db, this.#copying.from.at, refsOf(entry))
    const addresses = new Map<LinkPlace, string>()
    for (const place of places) {
      const address = await this.#addressThere(refs, place)
      if (address !== undefined) addresses.set(place, address)
    }
    return exchangeAddresses(document, places, (place) => addresses.get(place))
  }

  /** The name of a file in the destination: its id, or its name in the batch. */
  fileNamed(id: string): string | undefined {
    const found = entryWith(this.#files.here, id)
    const known = found && this.#known(this.#files, id)
    if (!found || known !== undefined) return known
    this.#filesThere ??= new Map(this.#files.there.map((each) => [lookOf(each), each.entry]))
    const same = this.#filesThere.get(lookOf(found))
    if (same === undefined) this.#broughtFiles.push(found)
    return this.#nameOf(id, same ?? refOf(id))
  }

  /** Notes the variables that an expression reads, so that they are copied along. */
  noteExpression(source: string): void {
    try {
      for (const [first, second, name] of compile(source).names) {
        if (first !== 'space' || (second !== undefined && second !== 'vars')) continue
        if (name !== undefined) this.#used.add(name)
        // Which variable it is turns out only when the expression is evaluated, so all of them are copied.
        else for (const { slug } of this.#variables.here) this.#used.add(slug!)
      }
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
    }
  }

  /**
   * The changes that create what is copied along, to be written before the pages; and the bytes of the files, by their
   * keys in the batch.
   */
  changes(): { changes: Change[]; kept: Map<string, Inspected> } {
    const changes: Change[] = []
    if (this.#broughtFiles.length > 0)
      changes.push({
        operation: 'insert_files',
        files: this.#broughtFiles.map((each) => ({ name: fileData(each).name, ref: refOf(each.entry) })),
      })
    changes.push(...this.#broughtContents)
    const variables = this.#broughtVariables()
    if (Object.keys(variables).length > 0) changes.push({ operation: 'update_variables', variables })
    const kept = new Map(this.#broughtFiles.map((each, at) => [`0.${at}`, bytesOf(each)] as const))
    return { changes, kept }
  }

  #broughtVariables(): Record<string, string> {
    const brought: Record<string, string> = {}
    for (const name of this.#used) {
      const here = this.#variables.here.find(({ slug }) => slug === name)
      const there = this.#variables.there.find(({ slug }) => slug === name)
      if (!here) continue
      const [own, other] = [variableData(here).value, there && variableData(there).value]
      if (other === undefined) brought[name] = own
      else if (other !== own)
        this.left.add(`The variable “${name}” is “${other}” there, and “${own}” in ${this.#copying.from.space.title}.`)
    }
    return brought
  }

  #noteExpressions(document: Document): void {
    // Nothing is evaluated: with `later`, every expression is passed by, so all of them can be noted.
    evaluate('', document, {
      include: () => 'later',
      compute: (source) => {
        this.noteExpression(source)
        return 'later'
      },
    })
  }

  /** Returns undefined for an address that stays as it was written: it leads out of the space, or nowhere. */
  async #addressThere(refs: Refs, { href, kind }: LinkPlace): Promise<string | undefined> {
    const { address, anchor } = partsOf(href)
    const bound = this.#meaningOf(refs, address, kind)
    const there = bound && (await this.#addressOf(bound, kind))
    return there === undefined || anchor === undefined ? there : `${there}#${anchor}`
  }

  #meaningOf(refs: Refs, address: string, kind: LinkPlace['kind']): Bound | undefined {
    const { space, kind: boundKind, id } = bindingIn(refs, address) ?? namedIn(address) ?? {}
    const isOwn = space === undefined || space === this.#copying.from.space.id
    if (id !== undefined && boundKind !== undefined) return isOwn ? { kind: boundKind, id } : undefined
    const included = kind === 'include' ? includedBy(address, this.#contents.here) : undefined
    return included === undefined ? undefined : { kind: 'reusable-content', id: included }
  }

  async #addressOf({ kind, id }: Bound, place: LinkPlace['kind']): Promise<string | undefined> {
    if (kind === 'page') return this.#pageAddress(id, place === 'include')
    const [folder, name] =
      kind === 'file' ? ['files', this.fileNamed(id)] : ['reusable-contents', await this.#contentNamed(id)]
    if (name === undefined) return undefined
    return isId(name) ? `/${folder}/${name}` : `./${name}`
  }

  #pageAddress(id: string, isIncluded: boolean): string | undefined {
    if (this.#copied.has(id)) return `./${refOf(id)}.md`
    const { space, tree, main } = this.#copying.from
    if (!this.#isElsewhere) return tree.byId.has(id) ? `/pages/${id}` : undefined
    const [page, pages] = main.byId.has(id) ? [main.byId.get(id), main] : [tree.byId.get(id), tree]
    if (!page) return undefined
    if (isIncluded) {
      this.left.add(
        `“${pageData(page).title}” is included, and stays in ${space.title}: copy it, too, and include that.`,
      )
      return undefined
    }
    // The form in which one space links to another: it is recognized as such, and still works when that page moves.
    return `${this.#app.url}${appPath.space(space.organization_id, space.id)}/${encodeURI(pages.pathOf(page))}`
  }

  async #contentNamed(id: string): Promise<string | undefined> {
    const found = entryWith(this.#contents.here, id)
    const known = found && this.#known(this.#contents, id)
    if (!found || known !== undefined) return known
    // Named before its text is read, so that a content that includes itself, even indirectly, finds its future name.
    const ref = this.#nameOf(id, refOf(id))
    const { title } = reusableData(found)
    const markdown = await this.textOf(found)
    const doc = bodyHash(markdown)
    const same = this.#contents.there.find((each) => each.doc === doc && reusableData(each).title === title)
    if (same) return this.#nameOf(id, same.entry)
    this.#broughtContents.push({ operation: 'insert_reusable_content', title, ref, document: { markdown } })
    return ref
  }

  #known({ there }: Both, id: string): string | undefined {
    return this.#isElsewhere || !entryWith(there, id) ? this.#names.get(id) : id
  }

  #nameOf(id: string, name: string): string {
    this.#names.set(id, name)
    return name
  }
}

/** Two files with the same bytes and the same name count as one. */
const lookOf = (entry: Entry) => `${fileData(entry).blob} ${fileData(entry).name}`

function bytesOf(entry: Entry): Inspected {
  const { blob: hash, size, contentType, width, height } = fileData(entry)
  return { hash, size, contentType, ...(width !== undefined && height !== undefined && { width, height }) }
}
