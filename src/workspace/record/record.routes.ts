import type { FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../../account/answer.ts'
import { requireSession } from '../../account/who.ts'
import { answerExport } from '../../audit/export.ts'
import { type AuditFilter, listActorsNamed, listEntriesBefore } from '../../audit/queries.ts'
import { placeOf } from '../../front/place.ts'
import type { App, Routes } from '../../http/routes.ts'
import { openAdministered, organizationPath } from '../open.ts'
import { loadPart, partIn } from '../paging.ts'
import type { Said } from '../said.ts'
import { searchText } from '../search-text.ts'
import { findAbout } from './about.ts'
import { actionsChosen } from './kinds.ts'
import { type RecordAsked, longestPerson, recordPage } from './record.page.ts'

const recordPath = `${organizationPath}/record`
const dayMs = 86_400_000

/** What happened in an organization, for its administrators to browse and to download. */
export const workspaceRecord: Routes = async (app) => {
  app.get(recordPath, async (request, reply) => {
    const opened = await openAdministered(app, request, reply, requireSession)
    if (!opened) return reply
    const { membership } = opened.caller
    const organizationId = membership.organization.id
    const { filters, ...asking } = await askedIn(app, request, organizationId)
    const entries = await loadPart(
      app,
      { path: `${opened.path}/record`, filter: { ...asking.asked }, page: partIn(request) },
      // The entries are not counted. That would take as long as reading all of them.
      async ({ after, limit }) => {
        const before = after?.[0] as string | undefined
        const rows = await listEntriesBefore(app.db, organizationId, filters, before, limit + 1)
        return { rows, count: rows.length }
      },
      ({ id }) => [id],
    )
    const found = await findAbout(app.db, organizationId, entries.rows)
    const parts = { membership, path: opened.path, entries, found, ...asking }
    return answerPage(reply, recordPage(placeOf(app), parts), asking.error === undefined ? 200 : 400)
  })

  app.get(`${recordPath}/export`, async (request, reply) => {
    const opened = await openAdministered(app, request, reply, requireSession)
    if (!opened) return reply
    const organizationId = opened.caller.membership.organization.id
    const { asked, filters, error } = await askedIn(app, request, organizationId)
    if (error !== undefined) return leadTo(app, reply, `${opened.path}/record`, { ...asked })
    reply.header('cache-control', 'private, no-store')
    return answerExport(request, reply, organizationId, filters)
  })
}

interface Asking extends Pick<Said, 'error'> {
  asked: RecordAsked
  /** The e-mail address of the person in the filter, if there is one. */
  address?: string
  filters: AuditFilter[]
}

/** Returns what the URL asks for, and the filters that find it: one for each combination of action and person. */
async function askedIn(app: App, request: FastifyRequest, organizationId: string): Promise<Asking> {
  const query = request.query as Record<string, unknown>
  const text = (name: keyof RecordAsked) => searchText(query[name], longestPerson) || undefined
  const [what, person, from, to] = [text('what'), text('person'), text('from'), text('to')]
  const people = person === undefined ? undefined : await listActorsNamed(app.db, organizationId, person)
  const chosen = what === undefined ? undefined : actionsChosen(what)
  const asked = { what: chosen && what, person, from, to }
  const error = [from, to].some((day) => day !== undefined && !isDay(day))
    ? 'Enter a day as year, month and day: 2026-11-17.'
    : undefined
  const days = { from: startOf(from, 0), to: startOf(to, 1) }
  const ids = people?.map(({ id }) => id) ?? [undefined]
  const filters = (chosen ?? [undefined]).flatMap((action) => ids.map((actor) => ({ ...days, action, actor })))
  const address = people?.[0]?.email
  return {
    asked,
    filters: error === undefined ? filters : [],
    ...(address !== undefined && { address }),
    ...(error !== undefined && { error }),
  }
}

/**
 * Whether the day exists and its year is one that the database supports. `Date` turns a day that its month does not
 * have into a day of the next month, so the result is compared with the text.
 */
const isDay = (text: string) =>
  /^(?:19[7-9]|2\d\d)\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(text) &&
  new Date(text).toISOString().startsWith(text)

/** Returns the first moment of a day, or of the day that is `later` days after it. */
const startOf = (day: string | undefined, later: number): string | undefined =>
  day === undefined || !isDay(day) ? undefined : new Date(Date.parse(day) + later * dayMs).toISOString()
