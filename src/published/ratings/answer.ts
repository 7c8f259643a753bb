import type { FastifyReply, FastifyRequest } from 'fastify'
import { pageWithId } from '../../audience/pages.ts'
import { type Asked, pathOfPage } from '../../audience/resolve.ts'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import { type Place, placeWithId } from '../../audience/snapshots/structure.ts'
import type { Visitor } from '../../audience/visitors/visitor.ts'
import { ApiError, asApiError } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { longestRemark } from '../../insights/texts.ts'
import { pageData } from '../../pages/entry-data.ts'
import { lookAsShown } from '../../sites/customization/customization.ts'
import type { Found } from '../links.ts'
import { nothingHere, showNotice, signInNeeded } from '../notices/notices.ts'
import { readOf } from '../read-of.ts'
import { readSent, requireOurs } from '../sent.ts'
import { leadTo } from '../sign-in.ts'
import { type Visit, publicBase } from '../visit.ts'
import { ratingAddress, sent, thanks } from './address.ts'

export const asksForRatings = ({ segments, hasSlash }: Asked) => !hasSlash && segments.join('/') === ratingAddress

/** Whether the pages here ask. Where nothing is counted, an answer would be thrown away: nobody is asked for one. */
export function asksReaders({ config }: App, { site }: SiteSnapshot, { variant }: Place): boolean {
  return config.insights && lookAsShown(site.customization, variant.customization).feedback.enabled
}

/** Who is it, which page do they mean, may they read it, count what they say. Then back to the page. Nothing is read here. */
export async function answerRatings(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  preview: Visitor | undefined,
): Promise<FastifyReply> {
  const { snapshot, presented } = visit
  const admission = preview ? { visitor: preview } : await app.audience.admit(snapshot, presented)
  if ('refused' in admission) {
    // Not off to the site's own sign-in: what is sent here would go along.
    return showNotice(reply, admission.refused === 'sign-in' ? signInNeeded : nothingHere)
  }

  app.limit?.count(request, reply)
  try {
    requireReaderOf(app, request, snapshot)
    const said = await readForm(request)
    const found = await findRated(app, snapshot, admission.visitor, said)
    if (!found) return showNotice(reply, nothingHere)
    if (!preview) count(app, request, found, said)
    const address = publicBase(visit, preview !== undefined) + pathOfPage(snapshot, admission.visitor, found)
    return leadTo(reply, `${address}#${said.isHelpful === undefined ? sent : thanks}`, 303)
  } catch (error) {
    const { status, headers, message } = asApiError(error)
    if (status >= 500) throw error
    return showNotice(
      reply.headers(headers),
      () => ({ status, title: 'Your answer was not saved', text: message }),
      'en',
    )
  }
}

/**
 * A page of another website must not answer for whoever reads it. Browsers say so of a form; where they may not say where a
 * page is, which holds for sites that are not open to all, those without TLS or of old say `null`. There it is the cookie
 * that let them in which no other website can send along.
 */
function requireReaderOf(app: App, request: FastifyRequest, { site }: SiteSnapshot): void {
  const { origin, 'sec-fetch-site': from } = request.headers
  if (from === 'same-origin') return
  const isClosed = site.visibility === 'share-link' || site.visibility === 'visitor-auth'
  if (from === undefined && origin === 'null' && isClosed) return
  if (from !== undefined) throw new ApiError('forbidden', 'Answers can only be sent from pages of this site.')
  requireOurs(app, request, site.proxy)
}

interface SaidOfPage {
  siteSpaceId: string
  pageId: string
  /** Undefined where they wrote something. */
  isHelpful: boolean | undefined
  text: string
}

/** Each character of a text is written in twelve at most. */
const longestForm = longestRemark * 12 + 1_000

async function readForm(request: FastifyRequest): Promise<SaidOfPage> {
  const type = 'application/x-www-form-urlencoded'
  const fields = new URLSearchParams(await readSent(request, { name: 'the form', type, longest: longestForm }))
  const [answer, text] = [fields.get('answer'), fields.get('text')]
  if (answer === null ? text === null : answer !== 'yes' && answer !== 'no')
    throw new ApiError('invalid_request', 'Send “answer” (yes or no) or “text”.')
  return {
    siteSpaceId: fields.get('at') ?? '',
    pageId: fields.get('page') ?? '',
    isHelpful: answer === null ? undefined : answer === 'yes',
    text: text ?? '',
  }
}

/** The page, where this visitor may read it and it asks them. */
async function findRated(
  app: App,
  snapshot: SiteSnapshot,
  visitor: Visitor,
  { siteSpaceId, pageId }: SaidOfPage,
): Promise<Found | undefined> {
  const place = placeWithId(snapshot, visitor, siteSpaceId)
  if (!place || !asksReaders(app, snapshot, place)) return undefined
  const pages = await app.audience.pages(place.variant.head)
  const page = pageWithId(pages, visitor, pageId)
  return page && pageData(page).type === 'document' ? { snapshot, visitor, place, pages, page } : undefined
}

function count({ insights }: App, request: FastifyRequest, found: Found, { isHelpful, text }: SaidOfPage): void {
  if (isHelpful === undefined) insights.remarked(request, readOf(found), text)
  else insights.rated(request, readOf(found), isHelpful)
}
