import { hiddenApart, listConditional } from '../audience/conditional.ts'
import { links } from '../content/links.ts'
import type { Range } from '../content/tree.ts'
import type { App } from '../http/routes.ts'
import { type Entry, file, findEntry, reusable, variable } from '../revisions/entries.ts'
import type { Content } from './access.ts'
import { pageData, refsOf, variableData } from './entry-data.ts'
import { bindingIn, includedBy, partsOf } from './references.ts'

type Told = Pick<Content, 'at' | 'shown'>
type OfSpace = typeof file | typeof reusable

/**
 * Lists the files or the reusable contents of a revision that the caller may see. What is used only on pages that a
 * condition hides from a visitor, or only in hidden parts of pages, is hidden from them as well.
 */
export async function listTold(app: App, { at, shown }: Told, kind: OfSpace): Promise<readonly Entry[]> {
  const all = await app.content.entries(at, kind)
  if (!shown || all.length === 0) return all
  const [{ byId }, contents] = await Promise.all([app.content.tree(at), app.content.entries(at, reusable)])
  const pages = [...byId.values()]
  const shownPages = [...shown.tree.byId.values()]
  const docs = [...shownPages, ...contents].flatMap(({ doc }) => doc ?? [])
  const conditional = await listConditional(app, at.organizationId, [...new Set(docs)])
  if (conditional.size === 0 && pages.every(({ entry }) => shown.tree.byId.has(entry))) return all

  const used = await usedBy(pages, contents, (entry) => namedBy(entry, contents))
  const told = await usedBy(shownPages, contents, await namedFor(app, { at, shown }, contents, conditional))
  return all.filter(({ entry }) => told.has(entry) || !used.has(entry))
}

export async function findTold(app: App, content: Told, kind: OfSpace, id: string): Promise<Entry | undefined> {
  if (content.shown) return (await listTold(app, content, kind)).find(({ entry }) => entry === id)
  const entry = await findEntry(app.db, content.at, id)
  return entry?.kind === kind ? entry : undefined
}

/**
 * Returns, by the id of a file or a reusable content, the pages and reusable contents of a revision that refer to it
 * directly.
 */
export async function findUsers(app: App, at: Told['at']): Promise<ReadonlyMap<string, Entry[]>> {
  const [{ byId }, contents] = await Promise.all([app.content.tree(at), app.content.entries(at, reusable)])
  const users = new Map<string, Entry[]>()
  for (const user of [...byId.values(), ...contents]) {
    for (const id of new Set(namedBy(user, contents))) {
      const known = users.get(id)
      if (known) known.push(user)
      else if (id !== user.entry) users.set(id, [user])
    }
  }
  return users
}

/** Returns the ids that an entry names. `root` is the page on which it is shown: conditions use its variables. */
type Named = (entry: Entry, root: Entry) => Iterable<string> | Promise<Iterable<string>>

/** Returns everything that the pages refer to, directly or through reusable contents. */
async function usedBy(pages: readonly Entry[], contents: readonly Entry[], named: Named): Promise<Set<string>> {
  const pieces = new Map(contents.map((entry) => [entry.entry, entry]))
  const used = new Set<string>()
  const seen = new Set<string>()
  const users = pages.map((page) => ({ user: page, root: page }))
  for (const { user, root } of users) {
    for (const id of await named(user, root)) {
      used.add(id)
      const piece = pieces.get(id)
      if (!piece) continue
      const key = `${id} ${JSON.stringify(varsOf(root))}`
      if (!seen.has(key)) users.push({ user: piece, root })
      seen.add(key)
    }
  }
  return used
}

const varsOf = (root: Entry) => pageData(root).variables ?? {}

/** Returns what an entry names in the parts that a visitor sees. */
async function namedFor(
  app: App,
  { at, shown }: Told,
  contents: readonly Entry[],
  conditional: ReadonlySet<string>,
): Promise<Named> {
  const variables = await app.content.entries(at, variable)
  const space = { vars: Object.fromEntries(variables.map((each) => [each.slug!, variableData(each).value])) }
  return async (entry, root) => {
    if (entry.doc === null || !conditional.has(entry.doc)) return namedBy(entry, contents)
    const document = await app.content.document(at.organizationId, entry.doc)
    const scope = { ...shown?.scope, space, page: { vars: varsOf(root) } }
    const ranges = hiddenApart(document.blocks, scope).hidden.flatMap(({ range }) => range ?? [])
    const isHidden = (place: Range) => ranges.some(({ start, end }) => start <= place.start && place.start < end)
    const places = links(document).filter((place) => !isHidden(place))
    const addresses = new Set(places.map(({ href }) => partsOf(href).address))
    return namedBy(entry, contents, (address) => addresses.has(address))
  }
}

function* namedBy(entry: Entry, contents: readonly Entry[], isSeen = (_address: string) => true): Generator<string> {
  const refs = refsOf(entry)
  for (const address of Object.keys(refs).filter(isSeen)) {
    const { id, space } = bindingIn(refs, address) ?? {}
    const named = id ?? includedBy(address, contents)
    if (named !== undefined && space === undefined) yield named
  }
  if (entry.kind === reusable) return
  const { cover, target } = pageData(entry)
  for (const ref of [cover?.ref, cover?.refDark, target]) {
    if (ref?.kind === 'file' && typeof ref.file === 'string') yield ref.file
  }
}
