import { baseOf } from '../change-requests/merging/outcome.ts'
import type { Db } from '../db/connect.ts'
import { type Entry, isHere, listEntries, listOverlay, page, reusable } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { type LinkRow, asRow, listLinksOf } from './queries.ts'
import { type Asked, linksIn, readAgain } from './renew.ts'
import { settle } from './settle.ts'
import { listShaken, upheavalOf } from './upheaval.ts'

/** What a change request says about links, where that differs from main. */
export interface BranchLinks {
  /** Entries whose links are its own. */
  sources: readonly string[]
  /** Its links: those of its own texts, and those of main's that lead somewhere else in it, or nowhere. */
  rows: readonly LinkRow[]
  /** Of main, what these stand for, but for the links of the sources. */
  replaced: readonly LinkRow[]
  /** All of main that they stand for. */
  before: readonly LinkRow[]
}

export interface Branch {
  spaceId: string
  head: Revision
  main: Revision
}

/** Costs what the change request changes, and what leads there; not what is in the space. */
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

/** The links of one page, as a change request has it. */
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
