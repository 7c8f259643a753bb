import type { Db } from '../db/connect.ts'
import type { Page } from '../http/paging.ts'
import type { Revision } from '../revisions/revision.ts'
import type { BranchLinks } from './branch.ts'
import { countHidden, countLinksOf, listLinks, listTargetSpaces, listVisible } from './list.queries.ts'
import { type MadePages, mendedBy } from './made.ts'
import { type LinkRow, type Totals, broken, findTotals, listBrokenTo, statuses, totalsOf } from './queries.ts'
import { keyOf } from './renew.ts'
import type { Status } from './settle.ts'

/** The requested links, and the user who asks. */
export interface LinkQuestion {
  spaceId: string
  main: Revision
  userId: string
  /** Only the links of this page. */
  source?: string | undefined
  /** The links of a change request that differ from main. */
  branch?: BranchLinks
  /** Generated pages, which are not entries. */
  made?: MadePages | undefined
  status?: Status | undefined
  /** Selects the broken links that the change request breaks, or those that were broken anyway. */
  brokenBy?: 'change-request' | 'space' | undefined
}

export interface LinkList {
  rows: LinkRow[]
  count: number
  stats: { total: number; broken: { total: number; changeRequest?: number } }
}

export const onMain: BranchLinks = { sources: [], rows: [], replaced: [], before: [] }

/**
 * Returns links as the caller sees them. A link to a space that the caller may not see is broken, and reveals nothing
 * about its target.
 */
export async function readLinks(db: Db, question: LinkQuestion, page: Page): Promise<LinkList> {
  const { main, spaceId, source, branch = onMain, brokenBy } = question
  const line = { organizationId: main.organizationId, lineId: main.lineId }
  const hidden = await listHidden(db, question, branch)
  const seen = (row: LinkRow) => (row.target_space !== null && hidden.has(row.target_space) ? concealed(row) : row)
  const mended = await listMended(db, question, branch)
  const drafted = [...branch.rows, ...mended].map(seen).map(mendedBy(question.made))
  const broke = brokenIn(drafted, branch.before.map(seen))

  const status = brokenBy === undefined ? question.status : 'broken'
  const isAsked = question.status === undefined || question.status === status
  const except = [...branch.replaced, ...mended]
  const filter = { source, without: branch.sources, except, hidden: [...hidden] }
  const [kept, all, replaced, unseen] = await Promise.all([
    isAsked && brokenBy !== 'change-request' ? listLinks(db, line, filter, status, page) : [],
    source === undefined ? findTotals(db, line.organizationId, spaceId) : countLinksOf(db, line, [source]),
    countLinksOf(db, line, branch.sources),
    countHidden(db, line, filter),
  ])
  const totals = sum(all, minus(replaced), minus(totalsOf(except)), totalsOf(drafted))
  totals.broken += unseen

  const isWanted = (row: LinkRow) =>
    isAsked &&
    (status === undefined || statuses[row.status] === status) &&
    (brokenBy === undefined || broke.has(keyOf(row)) === (brokenBy === 'change-request'))
  const rows = [...kept.map(seen), ...drafted.filter(isWanted).filter(isBehind(page))]
  return {
    rows: rows.toSorted(byPlace).slice(0, page.limit + 1),
    count: isAsked ? countOf(totals, status, brokenBy, broke.size) : 0,
    stats: {
      total: totals.links,
      broken: { total: totals.broken, ...(question.branch && { changeRequest: broke.size }) },
    },
  }
}

function countOf(
  totals: Totals,
  status: Status | undefined,
  brokenBy: LinkQuestion['brokenBy'],
  broke: number,
): number {
  if (brokenBy !== undefined) return brokenBy === 'change-request' ? broke : totals.broken - broke
  switch (status) {
    case 'ok':
      return totals.links - totals.broken - totals.in_app
    case 'broken':
      return totals.broken
    case 'in-app':
      return totals.in_app
    default:
      return totals.links
  }
}

/**
 * Lists the links that are stored as broken but lead to a generated page, except those that the change request
 * replaces.
 */
export async function listMended(
  db: Db,
  { main, source, made }: Pick<LinkQuestion, 'main' | 'source' | 'made'>,
  { sources, replaced }: BranchLinks,
): Promise<LinkRow[]> {
  if (!made) return []
  const line = { organizationId: main.organizationId, lineId: main.lineId }
  const rows = await listBrokenTo(db, line, [...made.byPath.values()], [...made.byPath.keys()])
  const others = new Set(replaced.map(keyOf))
  return rows.filter(
    (row) => (source ?? row.source) === row.source && !sources.includes(row.source) && !others.has(keyOf(row)),
  )
}

/** Returns the linked spaces that do not exist or that the caller may not see. The two cannot be distinguished. */
async function listHidden(db: Db, { main, userId }: LinkQuestion, { rows, before }: BranchLinks): Promise<Set<string>> {
  const line = { organizationId: main.organizationId, lineId: main.lineId }
  const drafted = [...rows, ...before].flatMap(({ target_space }) => target_space ?? [])
  const linked = new Set([...(await listTargetSpaces(db, line)), ...drafted])
  return linked.difference(await listVisible(db, main.organizationId, userId, [...linked]))
}

/** Keeps nothing about the target but the address itself. */
const concealed = (row: LinkRow): LinkRow => ({
  ...row,
  status: broken,
  target_space: null,
  target: null,
  wanted: null,
})

/** Returns the broken links that were not broken on main: those that the change request would break. */
function brokenIn(drafted: readonly LinkRow[], before: readonly LinkRow[]): Set<string> {
  const nameOf = ({ source, raw }: LinkRow) => `${source} ${raw}`
  const known = new Set(before.filter(isBroken).map(nameOf))
  return new Set(drafted.filter((row) => isBroken(row) && !known.has(nameOf(row))).map(keyOf))
}

const isBroken = ({ status }: LinkRow) => status === broken

function sum(...totals: Totals[]): Totals {
  const of = (name: keyof Totals) => totals.reduce((all, each) => all + each[name], 0)
  return { links: of('links'), broken: of('broken'), in_app: of('in_app') }
}

const minus = ({ links, broken, in_app }: Totals): Totals => ({ links: -links, broken: -broken, in_app: -in_app })

const isBehind =
  ({ after }: Page) =>
  ({ source, ord }: LinkRow) =>
    !after || source > after[0]! || (source === after[0] && ord > Number(after[1]))

const byPlace = (a: LinkRow, b: LinkRow) => (a.source === b.source ? a.ord - b.ord : a.source < b.source ? -1 : 1)
