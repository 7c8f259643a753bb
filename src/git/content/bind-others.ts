import type { Db } from '../../db/connect.ts'
import { behind } from '../../links/app-address.ts'
import { bindAddresses, keyOf } from '../../links/bind.ts'
import type { MadeContent } from './make.ts'
import type { ReadRepository } from './read.ts'
import { WholeContent } from './surroundings.ts'

interface Where {
  organizationId: string
  spaceId: string
  /** The address of this installation. */
  url: string
}

/** Binds addresses that are not files of the repository as anywhere else: by slugs, ids, or addresses of the app. */
export async function bindOthers(db: Db, space: Where, made: MadeContent, read: ReadRepository): Promise<void> {
  if (made.unbound.length === 0) return
  const { organizationId, spaceId, url } = space
  const before = new Map(read.before.map((entry) => [entry.entry, entry]))
  const index = new Map(made.entries.map((entry, i) => [entry.entry, i]))
  const entryOf = (id: string) => made.entries[index.get(id)!]!
  const asked = made.unbound.map(({ id, address }) => ({
    // An address keeps its earlier meaning if the target still exists.
    entry: { ...entryOf(id), refs: before.get(id)?.refs ?? null },
    address,
  }))
  const all = [...made.entries, ...made.toFetch.map(({ entry }) => entry)]
  const content = new WholeContent(all)
  const bindings = await bindAddresses({ content, db, organizationId, spaceId, behindOurs: behind(url) }, asked)
  for (const { id, address } of made.unbound) {
    const binding = bindings.get(keyOf(id, address))
    if (binding === undefined) continue
    const entry = entryOf(id)
    made.entries[index.get(id)!] = { ...entry, refs: { ...entry.refs, [address]: binding } }
  }
}
