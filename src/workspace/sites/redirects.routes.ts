import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage } from '../../account/answer.ts'
import { type Fields, fieldsOf } from '../../account/forms.ts'
import { requireSession } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import { type ApiError, conflict, notFound } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { asBody } from '../../http/validation.ts'
import { isId } from '../../ids.ts'
import { createRedirect, removeRedirect } from '../../sites/redirects/actions.ts'
import { type Destinations, pathTo, seeDestinations } from '../../sites/redirects/destinations.ts'
import { findRedirect, listRedirects, positionOf } from '../../sites/redirects/queries.ts'
import { NewRedirect } from '../../sites/redirects/schema.ts'
import { touchSite } from '../../sites/touch.ts'
import { seeBelowSite } from './below-site.ts'
import { type OpenedSite, answerNothing, openSite, sitePath } from '../open.ts'
import { overtaken } from '../overtaken.ts'
import { type Part, loadPart, partIn } from '../paging.ts'
import { type ShownRedirect, type TypedRedirect, longestSearch, redirectsPage } from './redirects.page.ts'
import { naming } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { changing } from './site.show.ts'

const done = {
  redirected: 'The redirect is there. Readers follow it from now on.',
  unredirected: 'The redirect is deleted.',
}

/** The redirects of a site: looked through, added and deleted. */
export const workspaceRedirects: Routes = async (app) => {
  app.get(`${sitePath}/redirects`, async (request, reply) => {
    const opened = await openSite(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, { ...askedIn(request), ...doneIn(request, done) }) : reply
  })

  app.post(`${sitePath}/redirects`, async (request, reply) => {
    const typed = typedIn(fieldsOf(request))
    return changing(app, request, reply, {
      right: 'edit',
      done: 'redirected',
      below: 'redirects',
      once: true,
      say: (error) => inWords(error, typed),
      refused: (opened, said, status) => show(app, reply, opened, { ...said, typed }, status),
      work: async (tx, access, caller) => {
        if (typed.to === '') throw conflict('Say where it leads.')
        const draft = asBody(NewRedirect, draftOf(typed))
        await createRedirect({ ...(await seeDestinations(app, tx, caller, access)), tx, at: 'body' }, draft)
        touchSite(tx, access.site)
      },
    })
  })

  app.post(`${sitePath}/redirects/delete`, async (request, reply) => {
    const { redirect: id = '', seen } = fieldsOf(request)
    const asked = askedIn(request)
    return changing(app, request, reply, {
      right: 'edit',
      done: 'unredirected',
      below: 'redirects',
      asked: { ...asked },
      once: true,
      refused: (opened, said, status) => show(app, reply, opened, { ...asked, ...said }, status),
      work: async (tx, access, caller) => {
        const work = { ...(await seeDestinations(app, tx, caller, access)), tx, at: 'body' }
        const row = isId(id) ? await findRedirect(tx, work, id) : undefined
        if (!row) throw notFound('redirect')
        if (row.updated_at.toISOString() !== seen) throw overtaken('changed this redirect')
        await removeRedirect(work, row)
        touchSite(tx, access.site)
      },
    })
  })
}

interface Asked {
  search?: string | undefined
  page?: string | undefined
}

/** What the API would refuse is left out. */
function askedIn(request: FastifyRequest): Asked {
  const { search } = request.query as Record<string, unknown>
  const wanted = typeof search === 'string' ? search.trim().slice(0, longestSearch) : ''
  return {
    search: wanted === '' ? undefined : wanted,
    page: partIn(request),
  }
}

const typedIn = ({ source = '', to = '', space = '', permanent, capture }: Fields): TypedRedirect => ({
  source: source.trim(),
  to: to.trim(),
  space,
  permanent: permanent === 'on',
  capture: capture === 'on',
})

const draftOf = ({ source, to, space, permanent, capture }: TypedRedirect) => ({
  source: pathFrom(source),
  destination: isAddress(to) ? { kind: 'external', url: to } : { kind: 'path', spaceId: space, path: to },
  permanent,
  captureWildcard: capture,
})

const isAddress = (to: string) => /^[a-z][a-z0-9+.-]*:/i.test(to)

/** People type a slash too many or too few, and letters and signs as they stand in the address. */
const pathFrom = (typed: string) =>
  `/${typed.replace(/^\/+|\/+$/g, '')}`
    .replace(/[^\u0021-\u007e]+/gu, encodeURIComponent)
    .replace(/[!$&'()+,:;=@]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** The page does itself what the API asks for beside that. */
function inWords(error: ApiError, typed: TypedRedirect): string {
  const isNoPath = error.details?.some(({ path, rule }) => path === 'body.source' && rule === 'pattern')
  if (isNoPath) return 'The old path must be like /old/page, without ? and # and such. A * may stand at its end.'
  return naming((path) => nameAt(path, typed))(error)
}

function nameAt(path: string, { to }: TypedRedirect): string | undefined {
  if (path === 'body.source') return 'The old path'
  if (path === 'body.destination.spaceId') return 'The space of that page'
  return path === 'body.destination.path' || path === 'body.destination.url' ? `“${to}”` : undefined
}

async function show(
  app: App,
  reply: FastifyReply,
  opened: OpenedSite,
  { search, page, ...more }: Asked & Said & { typed?: TypedRedirect },
  status = 200,
): Promise<FastifyReply> {
  const below = await seeBelowSite(app, opened)
  if (!below) return answerNothing(app, reply)
  const seen = await seeDestinations(app, app.db, opened.caller, below.access)
  const redirects = await load(app, seen, `${opened.path}/redirects`, { search, page })
  const asked = { search, page: redirects.first && page }
  const parts = { ...below, redirects, ...asked, spaces: spacesIn(seen) }
  return answerPage(reply, redirectsPage(placeOf(app), { ...parts, ...more }), status)
}

/** What readers follow; drafts are for previews. The newest first. */
async function load(app: App, seen: Destinations, path: string, { search, page }: Asked): Promise<Part<ShownRedirect>> {
  const filter = { search, draft: false, orderBy: 'createdAt' } as const
  const part = await loadPart(
    app,
    { path, filter: { search }, page },
    (asked) => listRedirects(app.db, seen, filter, asked),
    (row) => positionOf(row, 'createdAt'),
  )
  const shown = part.rows.map(async (row) => ({ ...row, path: await pathTo(seen, row.destination, []) }))
  return { ...part, rows: await Promise.all(shown) }
}

/** Each once, though it may stand in several sections. */
const spacesIn = ({ structure: { siteSpaces } }: Destinations) =>
  [...new Map(siteSpaces.toReversed().map((each) => [each.space_id, each])).values()].toReversed()
