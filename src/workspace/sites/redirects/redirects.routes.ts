import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage } from '../../../account/answer.ts'
import { fieldsOf } from '../../../account/forms.ts'
import { requireSession } from '../../../account/who.ts'
import type { SiteRedirectRow } from '../../../db/tables.ts'
import { placeOf } from '../../../front/place.ts'
import { conflict, notFound } from '../../../http/errors.ts'
import type { App, Routes } from '../../../http/routes.ts'
import { asBody } from '../../../http/validation.ts'
import { isId } from '../../../ids.ts'
import { shortened } from '../../../shortened.ts'
import { type Redirecting, createRedirect, publishRedirect, removeRedirect } from '../../../sites/redirects/actions.ts'
import { type Destinations, pathTo, seeDestinations } from '../../../sites/redirects/destinations.ts'
import { maxSourceLength } from '../../../sites/redirects/match.ts'
import { findRedirect, listRedirects, positionOf } from '../../../sites/redirects/queries.ts'
import { NewRedirect } from '../../../sites/redirects/schema.ts'
import { touchSite } from '../../../sites/touch.ts'
import { searchText } from '../../search-text.ts'
import { seeBelowSite } from '../below-site.ts'
import { daysNamed } from '../insights/insights.page.ts'
import { type OpenedSite, answerNothing, openSite, sitePath } from '../../open.ts'
import { overtaken } from '../../overtaken.ts'
import { type Part, loadPart, partIn } from '../../paging.ts'
import { type TypedRedirect, asTyped, destinationFrom, inWords, pathFrom, spacesIn, typedIn } from './fields.ts'
import { type ShownRedirect, longestSearch, redirectsPage } from './redirects.page.ts'
import { type Said, doneIn } from '../../said.ts'
import { changing } from '../site.show.ts'

export const done = {
  redirected: 'Redirect added. Readers follow it now.',
  drafted: 'Draft added. Only previews follow it.',
  changed: 'Redirect saved.',
  live: 'Redirect published. It replaces any earlier one for this path.',
  unredirected: 'Redirect deleted.',
}

/** The redirects of a site: browsing, adding and deleting them, and publishing drafts. */
export const workspaceRedirects: Routes = async (app) => {
  app.get(`${sitePath}/redirects`, async (request, reply) => {
    const opened = await openSite(app, request, reply, requireSession)
    if (!opened) return reply
    return showRedirects(app, reply, opened, { ...askedIn(request), ...filledIn(request), ...doneIn(request, done) })
  })

  app.post(`${sitePath}/redirects`, async (request, reply) => {
    const fields = fieldsOf(request)
    const typed = typedIn(fields)
    const draft = fields.draft === 'on'
    const days = daysNamed(fields.days)
    return changing(app, request, reply, {
      right: 'edit',
      done: draft ? 'drafted' : 'redirected',
      ...(days === undefined || draft
        ? { below: 'redirects', asked: { drafts: draft ? 'on' : undefined } }
        : { below: 'insights/missing', asked: { days: String(days) } }),
      once: true,
      say: (error) => inWords(error, typed),
      refused: (opened, said, status) =>
        showRedirects(app, reply, opened, { ...said, typed, days, drafts: draft }, status),
      work: async (tx, access, caller) => {
        if (typed.to === '') throw conflict('Enter where it leads.')
        const { source, permanent, capture: captureWildcard } = typed
        const options = { permanent, captureWildcard, draft }
        const given = { source: pathFrom(source), destination: destinationFrom(typed), ...options }
        const work = { ...(await seeDestinations(app, tx, caller, access)), tx, at: 'body' }
        await createRedirect(work, asBody(NewRedirect, given))
        touchSite(tx, access.site)
      },
    })
  })

  app.post(`${sitePath}/redirects/delete`, async (request, reply) =>
    withOne(app, request, reply, 'unredirected', removeRedirect),
  )

  app.post(`${sitePath}/redirects/publish`, async (request, reply) =>
    withOne(app, request, reply, 'live', async (work, row) => {
      if (row.draft) await publishRedirect(work, row)
    }),
  )
}

/** Does what a button in the list asks for, with one redirect. */
async function withOne(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  done: string,
  act: (work: Redirecting, row: SiteRedirectRow) => Promise<void>,
): Promise<FastifyReply> {
  const { redirect: id = '', seen } = fieldsOf(request)
  const asked = askedIn(request)
  return changing(app, request, reply, {
    right: 'edit',
    done,
    below: 'redirects',
    asked: inAddress(asked),
    once: true,
    refused: (opened, said, status) => showRedirects(app, reply, opened, { ...asked, ...said }, status),
    work: async (tx, access, caller) => {
      const work = { ...(await seeDestinations(app, tx, caller, access)), tx, at: 'body' }
      const row = isId(id) ? await findRedirect(tx, work, id) : undefined
      if (!row) throw notFound('redirect')
      if (row.updated_at.toISOString() !== seen) throw overtaken('changed this redirect')
      await act(work, row)
      touchSite(tx, access.site)
    },
  })
}

interface Asked {
  /** Whether drafts are listed instead of the redirects that readers follow. */
  drafts?: boolean
  search?: string | undefined
  page?: string | undefined
}

/** Reads what the URL asks for, without what the API would refuse. */
function askedIn(request: FastifyRequest): Asked {
  const { search, drafts } = request.query as Record<string, unknown>
  return {
    drafts: drafts === 'on',
    search: searchText(search, longestSearch) || undefined,
    page: partIn(request),
  }
}

/** Fills in the old path for users who come from an address that was not found. */
function filledIn(request: FastifyRequest): Filled {
  const { source, days } = request.query as Record<string, unknown>
  if (typeof source !== 'string') return {}
  return { typed: typedIn({ source: asTyped(shortened(source, maxSourceLength)) }), days: daysNamed(days) }
}

interface Filled {
  typed?: TypedRedirect
  /** The period of the insights that the user comes from. */
  days?: number | undefined
}

const inAddress = ({ drafts = false, ...asked }: Asked) => ({ ...(drafts && { drafts: 'on' }), ...asked })

export async function showRedirects(
  app: App,
  reply: FastifyReply,
  opened: OpenedSite,
  { drafts = false, search, page, ...more }: Asked & Said & Filled,
  status = 200,
): Promise<FastifyReply> {
  const below = await seeBelowSite(app, opened)
  if (!below) return answerNothing(app, reply)
  const seen = await seeDestinations(app, app.db, opened.caller, below.access)
  const redirects = await load(app, seen, `${opened.path}/redirects`, { drafts, search, page })
  const asked = { drafts, search, page: redirects.first && page }
  const parts = { ...below, redirects, ...asked, spaces: spacesIn(seen) }
  return answerPage(reply, redirectsPage(placeOf(app), { ...parts, ...more }), status)
}

/** Loads redirects, newest first. */
async function load(app: App, seen: Destinations, path: string, asked: Asked): Promise<Part<ShownRedirect>> {
  const { drafts = false, search } = asked
  const filter = { search, draft: drafts, orderBy: 'createdAt' } as const
  const part = await loadPart(
    app,
    { path, filter: inAddress({ drafts, search }), page: asked.page },
    (part) => listRedirects(app.db, seen, filter, part),
    (row) => positionOf(row, 'createdAt'),
  )
  const shown = part.rows.map(async (row) => ({ ...row, path: await pathTo(seen, row.destination, []) }))
  return { ...part, rows: await Promise.all(shown) }
}
