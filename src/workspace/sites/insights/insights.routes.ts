import type { FastifyReply, FastifyRequest } from 'fastify'
import { siteRights } from '../../../access/rights.ts'
import { answerPage, leadTo } from '../../../account/answer.ts'
import { fieldsOf } from '../../../account/forms.ts'
import { requireSession } from '../../../account/who.ts'
import type { SiteRow } from '../../../db/tables.ts'
import { placeOf } from '../../../front/place.ts'
import type { Html } from '../../../http/html.ts'
import type { Page, Position } from '../../../http/paging.ts'
import type { App, Routes } from '../../../http/routes.ts'
import {
  type Span,
  daysIn,
  listDays,
  positionOfMissing,
  positionOfPage,
  positionOfRatings,
  positionOfRemark,
  positionOfSearch,
} from '../../../insights/queries.ts'
import { accessRemark, removeRemark } from '../../../insights/remarks.actions.ts'
import { lastDays } from '../../../insights/span.ts'
import { siteAddress } from '../../../sites/addresses.ts'
import { lookOf } from '../../../sites/customization/customization.ts'
import { type OpenedSite, answerNothing, openSite, sitePath } from '../../open.ts'
import { type Part, loadPart, partIn } from '../../paging.ts'
import { isOpen } from '../audiences.ts'
import { seeBelowSite } from '../below-site.ts'
import { changing } from '../site.show.ts'
import { listsFor } from './lists.ts'
import { choices, daysNamed, insightsListPage, insightsPage } from './insights.page.ts'
import { type InsightsParts, type ListName, lists, rowsIn } from './rows.ts'
import { done } from '../redirects/redirects.routes.ts'
import { doneIn } from '../../said.ts'

/** What readers of a site read, say, search for and do not find, for those who manage it. */
export const workspaceInsights: Routes = async (app) => {
  app.get(`${sitePath}/insights`, async (request, reply) => {
    const seen = await see(app, request, reply)
    return seen ? showOverview(app, reply, seen) : reply
  })

  for (const name of Object.keys(lists) as ListName[]) {
    app.get(`${sitePath}/insights/${name}`, async (request, reply) => {
      const seen = await see(app, request, reply)
      return seen ? showList(app, reply, seen, name, partIn(request)) : reply
    })
  }

  app.post(`${sitePath}/insights/remarks/delete`, async (request, reply) => {
    const { remark = '', days = '' } = fieldsOf(request)
    return changing(app, request, reply, {
      right: 'edit',
      done: 'unsaid',
      below: 'insights/remarks',
      asked: { days: daysNamed(days)?.toString() },
      once: true,
      work: async (tx, access) => removeRemark(tx, access, await accessRemark(tx, access, remark)),
    })
  })
}

/** Messages about what was just done, here or with redirects. */
const doneHere = { ...done, unsaid: 'Deleted.' }

interface Seen {
  opened: OpenedSite
  parts: InsightsParts
  span: Span
}

/** Returns undefined if the request is already answered. */
async function see(app: App, request: FastifyRequest, reply: FastifyReply): Promise<Seen | undefined> {
  const opened = await openSite(app, request, reply, requireSession)
  if (!opened) return undefined
  const below = await seeBelowSite(app, opened)
  if (!below) return void answerNothing(app, reply)
  const { site, role, membership } = below.access
  if (!siteRights(role).admin) return void leadTo(app, reply, opened.path)
  const address = siteAddress(app.hosts, { ...site, organization_hostname: membership.organization.hostname })
  const days = daysAsked(request)
  const parts = {
    ...below,
    ...doneIn(request, doneHere),
    days,
    address: site.published && isOpen(site) ? address : undefined,
  }
  return { opened, parts, span: lastDays(days) }
}

function daysAsked({ query }: FastifyRequest): number {
  const { days } = query as { days?: unknown }
  return daysNamed(days) ?? choices[1]
}

/** How many rows of each list the overview shows. */
const mostFirst = 10

async function showOverview(app: App, reply: FastifyReply, { opened, parts, span }: Seen): Promise<FastifyReply> {
  const { site, membership } = parts.access
  const load = listsFor(app, opened.caller, parts.access, span)
  // A list returns one row more than it is asked for.
  const first = { limit: mostFirst - 1, after: undefined }
  const [byDay, pages, ratings, remarks, searches, unfound, missing] = await Promise.all([
    listDays(app.db, membership, site, span, { ...first, limit: daysIn(span) }),
    load.pages(first),
    load.ratings(first),
    load.remarks(first),
    load.searches(first),
    load.unfound(first),
    load.missing(first),
  ])
  const isCounting = app.config.insights
  const isAsking = await asksSomewhere(app, site)
  const lists = { pages, ratings, remarks, searches, unfound, missing }
  const all = { ...parts, isCounting, isAsking, byDay: byDay.rows, ...lists }
  return answerPage(reply, insightsPage(placeOf(app), all))
}

/** Whether the site asks for feedback, or a space on it that has a look of its own. */
async function asksSomewhere(app: App, site: SiteRow): Promise<boolean> {
  const snapshot = await app.audience.snapshots.get(site.id)
  const variants = [...(snapshot?.variants.values() ?? [])]
  const looks = [null, ...variants.map(({ customization }) => customization)]
  return looks.some((own) => lookOf(site.customization, own).feedback.enabled)
}

async function showList(
  app: App,
  reply: FastifyReply,
  { opened, parts, span }: Seen,
  name: ListName,
  page: string | undefined,
): Promise<FastifyReply> {
  const load = listsFor(app, opened.caller, parts.access, span)
  const draw = rowsIn(placeOf(app), parts)
  const path = `${parts.path}/insights/${name}`
  const asked = { path, filter: { days: String(parts.days) }, page }
  const drawn = async <Row>(
    list: (page: Page) => Promise<{ rows: Row[]; count: number }>,
    positionOf: (row: Row) => Position,
    row: (row: Row) => Html,
  ): Promise<Part<Html>> => {
    const part = await loadPart(app, asked, list, positionOf)
    return { ...part, rows: part.rows.map(row) }
  }
  const shown: Record<ListName, () => Promise<Part<Html>>> = {
    pages: () => drawn(load.pages, positionOfPage, draw.pages),
    ratings: () => drawn(load.ratings, positionOfRatings, draw.ratings),
    remarks: () => drawn(load.remarks, positionOfRemark, draw.remarks),
    searches: () => drawn(load.searches, positionOfSearch(false), draw.searches),
    unfound: () => drawn(load.unfound, positionOfSearch(true), draw.unfound),
    missing: () => drawn(load.missing, positionOfMissing, draw.missing),
  }
  return answerPage(reply, insightsListPage(placeOf(app), parts, name, await shown[name]()))
}
