import type { Draft } from './draft.ts'
import type { Entry } from './entry.ts'
import { slotKey, suffix } from './lookups.ts'

/** A page that got another slug, because the one it wanted was taken. */
export type SlugNote = { entry: string; wanted: string; given: string }

type Named = Entry & { slug: string }

/**
 * Makes slugs unique among siblings. A merge never changes addresses on main: an entry that is where main has it keeps
 * its slug. The others take the first free one of slug, slug-1, slug-2…, entries older than the branch first.
 */
export function settleSlugs(draft: Draft): SlugNote[] {
  const { entries, lookups } = draft
  const taken = new Set<string>()
  const arriving: Named[] = []
  for (const entry of entries.values()) {
    if (!entry || !hasSlug(entry)) continue
    const theirs = lookups.theirs(entry.entry)
    if (theirs?.parent === entry.parent && theirs.slug === entry.slug) taken.add(slotKey(entry))
    else arriving.push(entry)
  }

  const isNew = (entry: Entry) => Number(lookups.base(entry.entry) === null)
  arriving.sort((a, b) => isNew(a) - isNew(b) || (a.entry < b.entry ? -1 : 1))

  const notes: SlugNote[] = []
  for (const entry of arriving) {
    const slug = firstFree(entry)
    taken.add(slotKey({ ...entry, slug }))
    if (slug === entry.slug) continue
    entries.set(entry.entry, { ...entry, slug })
    notes.push({ entry: entry.entry, wanted: entry.slug, given: slug })
  }
  return notes

  function firstFree(entry: Named): string {
    for (let number = 0; ; number++) {
      const slot = { parent: entry.parent, kind: entry.kind, slug: entry.slug + suffix(number), number }
      if (taken.has(slotKey(slot))) continue
      const occupant = lookups.occupant(slot)
      // An occupant that the merge has a result for has left this address: otherwise `taken` would contain it.
      if (occupant === null || entries.has(occupant)) return slot.slug
    }
  }
}

function hasSlug(entry: Entry): entry is Named {
  return entry.slug !== null
}
