import type { FastifyReply, FastifyRequest } from 'fastify'
import { siteRights } from '../../../access/rights.ts'
import { answerPage, leadTo } from '../../../account/answer.ts'
import { type Fields, fieldsOf } from '../../../account/forms.ts'
import { requireSession } from '../../../account/who.ts'
import type { SiteRedirectRow } from '../../../db/tables.ts'
import { placeOf } from '../../../front/place.ts'
import { conflict, notFound } from '../../../http/errors.ts'
import type { Given } from '../../../http/given.ts'
import type { App, Routes } from '../../../http/routes.ts'
import { asBody } from '../../../http/validation.ts'
import { isId } from '../../../ids.ts'
import { changeRedirect } from '../../../sites/redirects/actions.ts'
import { type Destinations, pathInSpace, seeDestinations } from '../../../sites/redirects/destinations.ts'
import { findRedirect } from '../../../sites/redirects/queries.ts'
import { RedirectChanges } from '../../../sites/redirects/schema.ts'
import { touchSite } from '../../../sites/touch.ts'
import { seeBelowSite } from '../below-site.ts'
import { type TypedRedirect, destinationFrom, inWords, isAddress, pathFrom, spacesIn, typedIn } from './fields.ts'
import { type OpenedSite, answerNothing, openSite, sitePath } from '../../open.ts'
import { overtaken } from '../../overtaken.ts'
import { redirectPage } from './redirect.page.ts'
import { showRedirects } from './redirects.routes.ts'
import type { Said } from '../../said.ts'
import { changing } from '../site.show.ts'

const redirectPath = `${sitePath}/redirects/:redirectId(^[0-9a-f-]{36}$)`

/** One redirect of a site, for those who may change it. */
export const workspaceRedirect: Routes = async (app) => {
  app.get(redirectPath, async (request, reply) => {
    const opened = await openSite(app, request, reply, requireSession)
    if (!opened) return reply
    if (!siteRights(opened.access.role).edit) return leadTo(app, reply, `${opened.path}/redirects`)
    const shown = await show(app, reply, opened, idIn(request), {})
    return shown?.reply ?? answerNothing(app, reply)
  })

  app.post(redirectPath, async (request, reply) => {
    const fields = fieldsOf(request)
    const typed = typedIn(fields)
    return changing(app, request, reply, {
      right: 'edit',
      done: 'changed',
      below: 'redirects',
      asked: { drafts: fields.drafts === 'on' ? 'on' : undefined },
      once: true,
      say: (error) => inWords(error, typed),
      refused: async (opened, said, status) => {
        const shown = await show(app, reply, opened, idIn(request), { ...said, typed }, status)
        return shown?.reply ?? showRedirects(app, reply, opened, said, status)
      },
      work: async (tx, access, caller) => {
        const work = { ...(await seeDestinations(app, tx, caller, access)), tx, at: 'body' }
        const row = await find(work, idIn(request))
        if (!row) throw notFound('redirect')
        if (row.updated_at.toISOString() !== fields.seen) throw overtaken('changed this redirect')
        await changeRedirect(work, row, changesIn(fields, typed))
        touchSite(tx, access.site)
      },
    })
  })
}

const idIn = ({ params }: FastifyRequest) => (params as { redirectId: string }).redirectId

const find = async (seen: Destinations, id: string) => (isId(id) ? findRedirect(seen.db, seen, id) : undefined)

/**
 * Returns the changes. What the user left as it was is not included, because programs may have set values that the form
 * cannot produce.
 */
function changesIn({ seenSource, seenTo = '', seenSpace }: Fields, typed: TypedRedirect) {
  const { source, to, space, permanent, capture } = typed
  const isInOther = to !== '' && !isAddress(to) && space !== seenSpace
  const isLedElsewhere = to !== seenTo || isInOther
  if (isLedElsewhere && to === '') throw conflict('Enter where it leads.')
  return asBody(RedirectChanges, {
    ...(source !== seenSource && { source: pathFrom(source) }),
    ...(isLedElsewhere && { destination: destinationFrom(typed) }),
    permanent,
    captureWildcard: capture,
  })
}

/** Shows the current state. Returns undefined if the redirect no longer exists. */
async function show(
  app: App,
  reply: FastifyReply,
  opened: OpenedSite,
  id: string,
  more: Said & { typed?: TypedRedirect },
  status = 200,
): Promise<Given | undefined> {
  const below = await seeBelowSite(app, opened)
  const seen = below && (await seeDestinations(app, app.db, opened.caller, below.access))
  const row = seen && (await find(seen, id))
  if (!row) return undefined
  const parts = { ...below, row, now: await asTyped(seen, row), spaces: spacesIn(seen) }
  return { reply: answerPage(reply, redirectPage(placeOf(app), { ...parts, ...more }), status) }
}

async function asTyped(seen: Destinations, row: SiteRedirectRow): Promise<TypedRedirect> {
  const { source, destination, permanent, capture_wildcard: capture } = row
  const [first] = spacesIn(seen)
  const flags = { source, permanent, capture, space: first?.space_id ?? '' }
  if (destination.kind === 'external') return { ...flags, to: destination.url }
  const found = await pathInSpace(seen, destination)
  return found ? { ...flags, to: found.path, space: found.spaceId } : { ...flags, to: '' }
}
