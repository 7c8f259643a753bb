import type { Conflict } from '../conflicts.ts'
import { gone, top, type Entry, type Row } from '../entry.ts'
import { mergeLines } from '../lines.ts'
import type { Lookups } from '../lookups.ts'
import { merge, type MergeOutcome } from '../merge.ts'
import { asDoc, fromDoc } from './model.ts'

/** A page for a test. Its body is its own hash. */
export function page(entry: string, fields: Partial<Entry> & { body?: string } = {}): Entry {
  const { body = 'text\n', ...rest } = fields
  const plain = {
    kind: 1,
    state: 0,
    parent: top,
    slug: entry,
    position: 'a1',
    refs: null,
    data: { title: entry },
  } as const
  return { entry, ...plain, doc: asDoc(body), ...rest }
}

export const deleted = (entry: string): Row => gone(entry, 1, 1)

/** Merges the rows of a branch into main, which was `base` and is now `theirs`. */
export function mergeExample(example: { base: Entry[]; ours: Row[]; theirs: Entry[] }): MergeOutcome {
  const revisions = { ours: 'branch', theirs: 'main' }
  return merge(lookupsOver(example.base, example.theirs), { overlay: example.ours, revisions, hash: asDoc })
}

function lookupsOver(base: readonly Entry[], theirs: readonly Entry[]): Lookups {
  const find = (entries: readonly Entry[], id: string) => entries.find((entry) => entry.entry === id) ?? null
  return {
    base: (id) => find(base, id),
    baseWithAncestors: (id) => find(base, id),
    theirs: (id) => find(theirs, id),
    parentOf: (id) => find(theirs, id)?.parent ?? null,
    childrenOf: (id) => theirs.filter((entry) => entry.parent === id),
    occupant: ({ parent, kind, slug }) =>
      theirs.find((entry) => entry.parent === parent && entry.kind === kind && entry.slug === slug)?.entry ?? null,
    body: fromDoc,
    lines: (_, { base, ours, theirs }) => mergeLines(base, ours, theirs),
  }
}

export function brief(conflicts: Conflict[]): string[] {
  return conflicts.map(({ entry, field, kind }) => `${entry} ${field}: ${kind}`)
}
