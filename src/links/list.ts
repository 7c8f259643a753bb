import type { Db } from '../db/connect.ts'
import type { Page } from '../http/paging.ts'
import type { Revision } from '../revisions/revision.ts'
import type { BranchLinks } from './branch.ts'
import { countHidden, countLinksOf, listLinks, listTargetSpaces, listVisible } from './list.queries.ts'
import { type MadePages, mendedBy } from './made.ts'
import { type LinkRow, type Totals, broken, findTotals, listBrokenTo, statuses, totalsOf } from './queries.ts'
import { keyOf } from './renew.ts'
import type { Status } from './settle.ts'

/** Which links are asked for, and by whom. */
export interface LinkQuestion {
  spaceId: string
  main: Revision
  userId: string
  /** Only those of this page. */
  source?: string | undefined
  /** What a change request says instead of main. */
  branch?: BranchLinks
  /** Pages that are there without being entries. */
  made?: MadePages | undefined
  status?: Status | undefined
  /** Of the broken ones, those that the change request breaks, or the others. */
  brokenBy?: 'change-request' | 'space' | undefined
}

export interface LinkList {
  rows: LinkRow[]
  count: number
  stats: { total: number; broken: { total: number; changeRequest?: number } }
}

export const onMain: BranchLinks = { sources: [], rows: [], replaced: [], before: [] }

/** Links as the caller sees them: what leads to a space that they may not see is broken, and tells nothing. */
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

/** What is kept as broken and leads to a page that is made, but for what the change request says itself. */
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

/** Spaces that are linked to and that the caller may not see, or that are not there: the two look the same. */
async function listHidden(db: Db, { main, userId }: LinkQuestion, { rows, before }: BranchLinks): Promise<Set<string>> {
  const line = { organizationId: main.organizationId, lineId: main.lineId }
  const drafted = [...rows, ...before].flatMap(({ target_space }) => target_space ?? [])
  const linked = new Set([...(await listTargetSpaces(db, line)), ...drafted])
  return linked.difference(await listVisible(db, main.organizationId, userId, [...linked]))
}

/** Nothing but the text itself. */
const concealed = (row: LinkRow): LinkRow => ({
  ...row,
  status: broken,
  target_space: null,
  target: null,
  wanted: null,
})

/** The links that are broken and were not on main: those that a change request would break. */
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
