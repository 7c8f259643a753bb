import { baseOf } from '../change-requests/merging/outcome.ts'
import type { Db } from '../db/connect.ts'
import { type Entry, isHere, listEntries, listOverlay, page, reusable } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { type LinkRow, asRow, listLinksOf } from './queries.ts'
import { type Asked, linksIn, readAgain } from './renew.ts'
import { settle } from './settle.ts'
import { listShaken, upheavalOf } from './upheaval.ts'

/** The links of a change request, as far as they differ from main. */
export interface BranchLinks {
  /** Entries whose links are replaced by those of the change request. */
  sources: readonly string[]
  /**
   * The links in the change request: those of the texts that it changes, and those of main that lead somewhere else in
   * it, or nowhere.
   */
  rows: readonly LinkRow[]
  /** The links of main that `rows` replaces, except those of `sources`. */
  replaced: readonly LinkRow[]
  /** All links of main that `rows` replaces. */
  before: readonly LinkRow[]
}

export interface Branch {
  spaceId: string
  head: Revision
  main: Revision
}

/**
 * The cost depends on what the change request changes and on the links that lead there, not on the size of the space.
 */
export async function linksOfBranch(db: Db, { spaceId, head, main }: Branch): Promise<BranchLinks> {
  const overlay = head.seq === 0 ? [] : (await listOverlay(db, head)).filter(({ state }) => state !== 2)
  const line = { organizationId: main.organizationId, lineId: main.lineId, spaceId }
  const sources = overlay.filter(({ kind }) => kind === page || kind === reusable).map(({ entry }) => entry)
  const [were, ownBefore] = await Promise.all([
    listEntries(
      db,
      baseOf(head),
      overlay.map(({ entry }) => entry),
    ),
    listLinksOf(db, line, sources),
  ])
  const upheaval = upheavalOf(new Map(were.map((entry) => [entry.entry, entry])), overlay)
  const isOwn = new Set(sources)
  const replaced = (await listShaken(db, line, upheaval, head)).filter(({ source }) => !isOwn.has(source))
  const [own, others] = await Promise.all([
    linksIn(
      db,
      line,
      overlay.filter(isHere).filter(({ entry }) => isOwn.has(entry)),
    ),
    readAgain(db, line, replaced),
  ])
  return {
    sources,
    rows: await settled(db, head, [...own, ...others]),
    replaced,
    before: [...ownBefore, ...replaced],
  }
}

/** Returns the links of one page, as a change request has it. */
export async function linksOfBranchPage(db: Db, { spaceId, head, main }: Branch, entry: Entry): Promise<BranchLinks> {
  const line = { organizationId: main.organizationId, lineId: main.lineId, spaceId }
  const [own, before] = await Promise.all([linksIn(db, line, [entry]), listLinksOf(db, line, [entry.entry])])
  return { sources: [entry.entry], rows: await settled(db, head, own), replaced: [], before }
}

async function settled(db: Db, at: Revision, asked: readonly Asked[]): Promise<LinkRow[]> {
  const outcomes = await settle(
    db,
    { at },
    asked.map(({ meaning }) => meaning),
  )
  return asked.map((link, i) => asRow(link.source, link.ord, link, outcomes[i]!))
}
