import { baseOf } from '../change-requests/merging/outcome.ts'
import type { Db } from '../db/connect.ts'
import { gone } from '../content/merge/entry.ts'
import { type Entry, type Row, isHere, listChanged, listEntries, listOverlay } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { hasLinks, saysOther } from './index-main.ts'
import { type LineKey, type LinkRow, asRow, listLinksOf } from './queries.ts'
import { type Asked, keyOf, linksIn, readAgain } from './renew.ts'
import { settle } from './settle.ts'
import { listByPath, listShaken, upheavalOf } from './upheaval.ts'

/** The links of a change request, as far as they differ from main. */
export interface BranchLinks {
  /** Entries whose links are replaced by those of the change request. */
  sources: readonly string[]
  /**
   * The links in the change request: those of the texts that it has and main does not, and those of main that lead
   * somewhere else in it, or nowhere.
   */
  rows: readonly LinkRow[]
  /** The links of main that `rows` replaces, except those of `sources`. */
  replaced: readonly LinkRow[]
  /** What these links were without the change request: on main, and in the revision that it is based on. */
  before: readonly LinkRow[]
}

export interface Branch {
  spaceId: string
  head: Revision
  main: Revision
}

/**
 * The cost depends on what the change request changes, on what main has changed since, and on the links that lead
 * there, not on the size of the space.
 */
export async function linksOfBranch(db: Db, { spaceId, head, main }: Branch): Promise<BranchLinks> {
  const line = { organizationId: main.organizationId, lineId: main.lineId, spaceId }
  const rows = await listDiffering(db, head, main)
  const onMain = await entriesIn(db, main, rows)
  const said = rows.filter((row) => hasLinks(row) && saysOther(onMain.get(row.entry), row))
  const sources = said.map(({ entry }) => entry)
  const isOwn = new Set(sources)
  const upheaval = upheavalOf(onMain, rows)
  const [shaken, former, ownBefore, own] = await Promise.all([
    listShaken(db, line, upheaval, head),
    // If main has moved on, links may have been decided by pages that came to the paths they name only since.
    isCurrent(head, main) ? [] : listByPath(db, line, [...upheaval.arrived, ...upheaval.turned], main),
    listLinksOf(db, line, sources),
    read(db, line, said.filter(isHere)),
  ])
  const others = [...new Map([...shaken, ...former].map((row) => [keyOf(row), row])).values()]
  const replaced = others.filter(({ source }) => !isOwn.has(source))
  const again = await readAgain(db, line, replaced)
  return {
    sources,
    rows: await settled(db, head, [...own, ...again]),
    replaced,
    before: [...ownBefore, ...replaced, ...(await atBase(db, { line, head, main }, said, again))],
  }
}

/** Returns the links of one page, as a change request has it. */
export async function linksOfBranchPage(db: Db, { spaceId, head, main }: Branch, entry: Entry): Promise<BranchLinks> {
  const line = { organizationId: main.organizationId, lineId: main.lineId, spaceId }
  const [own, onMain, base] = await Promise.all([
    linksIn(db, line, [entry]),
    listLinksOf(db, line, [entry.entry]),
    atBase(db, { line, head, main }, [entry], []),
  ])
  return { sources: [entry.entry], rows: await settled(db, head, own), replaced: [], before: [...onMain, ...base] }
}

/**
 * Returns what may differ between a change request and main, as the change request has it: what it changes, and what
 * main has changed since.
 */
async function listDiffering(db: Db, head: Revision, main: Revision): Promise<Row[]> {
  const base = baseOf(head)
  const [overlay, later] = await Promise.all([
    listOverlay(db, head),
    isCurrent(head, main) ? [] : listChanged(db, main, base.seq),
  ])
  const own = overlay.filter(({ state }) => state !== 2)
  const isOwn = new Set(own.map(({ entry }) => entry))
  const others = later.filter(({ entry }) => !isOwn.has(entry))
  const were = await entriesIn(db, base, others)
  return [...own, ...others.map(({ entry, kind }) => were.get(entry) ?? gone(entry, kind, 1))]
}

/**
 * Returns links as they were in the revision that a change request is based on: those of its own texts, and `others`,
 * which it does not change. There is no need for that as long as main is still the same.
 */
async function atBase(
  db: Db,
  { line, head, main }: { line: LineKey & { spaceId: string }; head: Revision; main: Revision },
  sources: readonly Row[],
  others: readonly Asked[],
): Promise<LinkRow[]> {
  if (isCurrent(head, main)) return []
  const base = baseOf(head)
  const were = await entriesIn(db, base, sources)
  return settled(db, base, [...(await read(db, line, [...were.values()])), ...others])
}

/** Whether a change request is still based on the current revision of main. */
const isCurrent = (head: Revision, main: Revision) => baseOf(head).seq === main.seq

async function entriesIn(db: Db, at: Revision, rows: readonly Row[]): Promise<Map<string, Entry>> {
  const entries = await listEntries(
    db,
    at,
    rows.map(({ entry }) => entry),
  )
  return new Map(entries.map((entry) => [entry.entry, entry]))
}

/** Parsing many texts takes long, so other requests are served in between. */
const atOnce = 50

async function read(db: Db, line: LineKey & { spaceId: string }, entries: readonly Entry[]): Promise<Asked[]> {
  const parts: Asked[][] = []
  for (let from = 0; from < entries.length; from += atOnce) {
    parts.push(await linksIn(db, line, entries.slice(from, from + atOnce)))
  }
  return parts.flat()
}

async function settled(db: Db, at: Revision, asked: readonly Asked[]): Promise<LinkRow[]> {
  const outcomes = await settle(
    db,
    { at },
    asked.map(({ meaning }) => meaning),
  )
  return asked.map((link, i) => asRow(link.source, link.ord, link, outcomes[i]!))
}
