import { hash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { hiddenApart, listConditional } from '../audience/conditional.ts'
import { conditionOf } from '../audience/snapshots/conditions.ts'
import { everyBlock } from '../content/blocks.ts'
import { links } from '../content/links.ts'
import type { Document } from '../content/parse.ts'
import type { Range } from '../content/tree.ts'
import type { App } from '../http/routes.ts'
import { type Entry, file, findEntry, reusable, variable } from '../revisions/entries.ts'
import { ByteCache } from '../revisions/cache.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Content } from './access.ts'
import { pageData, refsOf, variableData } from './entry-data.ts'
import { bindingIn, includedBy, partsOf } from './references.ts'

type Told = Pick<Content, 'at' | 'shown'>
type Shown = NonNullable<Content['shown']>
type OfSpace = typeof file | typeof reusable

/**
 * Lists the files or the reusable contents of a revision that the caller may see. What is used only on pages that a
 * condition hides from a visitor, or only in hidden parts of pages, is hidden from them as well.
 */
export async function listTold(app: App, { at, shown }: Told, kind: OfSpace): Promise<readonly Entry[]> {
  const all = await app.content.entries(at, kind)
  if (!shown || all.length === 0) return all
  const untold = await untoldTo(app, at, shown)
  return all.filter(({ entry }) => !untold.has(entry))
}

const kept = new ByteCache(8 * 1024 * 1024)

/** Cached for all visitors who see the same pages and have the same claims. */
function untoldTo(app: App, at: Revision, shown: Shown): Promise<ReadonlySet<string>> {
  const known = hash('sha256', JSON.stringify([shown.scope ?? null, ...shown.tree.byId.keys()]), 'base64url')
  return kept.keep(
    `${at.organizationId} ${at.id} ${known}`,
    () => findUntold(app, at, shown),
    ({ size }) => 200 + size * 100,
  )
}

async function findUntold(app: App, at: Revision, shown: Shown): Promise<ReadonlySet<string>> {
  const [{ byId }, contents] = await Promise.all([app.content.tree(at), app.content.entries(at, reusable)])
  const pages = [...byId.values()]
  const shownPages = [...shown.tree.byId.values()]
  const docs = [...shownPages, ...contents].flatMap(({ doc }) => doc ?? [])
  const conditional = await listConditional(app, at.organizationId, [...new Set(docs)])
  if (conditional.size === 0 && pages.every(({ entry }) => shown.tree.byId.has(entry))) return new Set()

  const used = await usedBy(pages, contents, { named: (entry) => namedBy(entry, contents), wayOf: () => '' })
  return used.difference(await usedBy(shownPages, contents, await waysFor(app, at, shown, contents, conditional)))
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

interface Ways {
  /** Returns the ids that an entry names. `root` is the page on which it is shown: conditions use its variables. */
  named: (entry: Entry, root: Entry) => Iterable<string> | Promise<Iterable<string>>
  /** The same for all pages on which a reusable content names the same. */
  wayOf: (root: Entry) => string
}

/** Texts per turn: other requests get theirs in between. */
const textsAtOnce = 20

/** Returns everything that the pages refer to, directly or through reusable contents. */
async function usedBy(
  pages: readonly Entry[],
  contents: readonly Entry[],
  { named, wayOf }: Ways,
): Promise<Set<string>> {
  const pieces = new Map(contents.map((entry) => [entry.entry, entry]))
  const used = new Set<string>()
  const seen = new Set<string>()
  const users = pages.map((page) => ({ user: page, root: page, way: wayOf(page) }))
  for (const [n, { user, root, way }] of users.entries()) {
    if (n % textsAtOnce === textsAtOnce - 1) await breathe()
    for (const id of await named(user, root)) {
      used.add(id)
      const piece = pieces.get(id)
      if (!piece || seen.has(`${id} ${way}`)) continue
      seen.add(`${id} ${way}`)
      users.push({ user: piece, root, way })
    }
  }
  return used
}

const varsOf = (root: Entry) => pageData(root).variables ?? {}

/** Returns what an entry names in the parts that a visitor sees. */
async function waysFor(
  app: App,
  at: Revision,
  { scope }: Shown,
  contents: readonly Entry[],
  conditional: ReadonlySet<string>,
): Promise<Ways> {
  const [variables, files] = await Promise.all([app.content.entries(at, variable), app.content.entries(at, file)])
  const space = { vars: Object.fromEntries(variables.map((each) => [each.slug!, variableData(each).value])) }
  const sought = new Set([...files, ...contents].map(({ entry }) => entry))
  const isConditional = ({ doc }: Entry) => doc !== null && conditional.has(doc)
  const asked = new Set<string | undefined>()
  for (const { doc } of contents.filter(isConditional))
    for (const name of pageVarsIn(await app.content.document(at.organizationId, doc))) asked.add(name)

  return {
    wayOf: (root) => JSON.stringify([...asked].map((name) => (name === undefined ? varsOf(root) : varsOf(root)[name]))),
    named: async (entry, root) => {
      const all = [...namedBy(entry, contents)].filter((id) => sought.has(id))
      if (all.length === 0 || !isConditional(entry)) return all
      const document = await app.content.document(at.organizationId, entry.doc)
      const { hidden } = hiddenApart(document.blocks, { ...scope, space, page: { vars: varsOf(root) } })
      const ranges = hidden.flatMap(({ range }) => range ?? [])
      const isHidden = (place: Range) => ranges.some(({ start, end }) => start <= place.start && place.start < end)
      const places = links(document).filter((place) => !isHidden(place))
      const addresses = new Set(places.map(({ href }) => partsOf(href).address))
      return namedBy(entry, contents, (address) => addresses.has(address))
    },
  }
}

/** Returns the variables of pages that the conditions of a text use. Undefined stands for all of them. */
function pageVarsIn({ blocks }: Document): (string | undefined)[] {
  const conditions = [...everyBlock(blocks)].map((block) => block.type === 'if' && conditionOf(block.expression))
  const names = conditions.flatMap((condition) => (typeof condition === 'object' ? condition.names : []))
  return names.flatMap(([first, , name]) => (first === 'page' ? [name] : []))
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
