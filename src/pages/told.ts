import type { App } from '../http/routes.ts'
import { type Entry, file, findEntry, reusable } from '../revisions/entries.ts'
import type { Content } from './access.ts'
import { pageData, refsOf } from './entry-data.ts'
import { bindingIn, includedBy } from './references.ts'

type Told = Pick<Content, 'at' | 'shown'>
type OfSpace = typeof file | typeof reusable

/**
 * Lists the files or the reusable contents of a revision that the caller may see. What is used only on pages that a
 * condition hides from a visitor is hidden from them as well.
 */
export async function listTold(app: App, { at, shown }: Told, kind: OfSpace): Promise<readonly Entry[]> {
  const all = await app.content.entries(at, kind)
  if (!shown) return all
  const { byId } = await app.content.tree(at)
  const hiddenPages = [...byId.values()].filter(({ entry }) => !shown.tree.byId.has(entry))
  if (hiddenPages.length === 0) return all
  const contents = await app.content.entries(at, reusable)
  const hidden = usedBy(hiddenPages, contents)
  const told = usedBy(shown.tree.byId.values(), contents)
  return all.filter(({ entry }) => told.has(entry) || !hidden.has(entry))
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

/** Returns everything that the pages refer to, directly or through reusable contents. */
function usedBy(pages: Iterable<Entry>, contents: readonly Entry[]): Set<string> {
  const pieces = new Map(contents.map((entry) => [entry.entry, entry]))
  const used = new Set<string>()
  const users = [...pages]
  for (const user of users) {
    for (const id of namedBy(user, contents)) {
      const piece = used.has(id) ? undefined : pieces.get(id)
      if (piece) users.push(piece)
      used.add(id)
    }
  }
  return used
}

function* namedBy(entry: Entry, contents: readonly Entry[]): Generator<string> {
  const refs = refsOf(entry)
  for (const address of Object.keys(refs)) {
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
