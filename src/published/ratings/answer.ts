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

/** Whether the pages here ask for ratings. If nothing is counted, answers would be thrown away, so nobody is asked. */
export function asksReaders({ config }: App, { site }: SiteSnapshot, { variant }: Place): boolean {
  return config.insights && lookAsShown(site.customization, variant.customization).feedback.enabled
}

/**
 * Identifies the visitor, finds the page that they mean, checks that they may read it and counts the answer. Then leads
 * back to the page. Nothing can be read at this address.
 */
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
    // No redirect to the site's own sign-in: what is sent here would be passed along.
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
 * A page of another website must not answer in the name of a reader. Browsers report where a form comes from. On sites
 * that are not open to all they may not reveal the address of the page: there, browsers without TLS and old ones send
 * `null`. In that case the protection is the cookie that admitted the reader, which no other website can make a browser
 * send.
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
  /** Undefined if the reader wrote a text. */
  isHelpful: boolean | undefined
  text: string
}

/** A form encodes each character of a text with at most twelve characters. */
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

/** Returns the page if this visitor may read it and it asks for ratings. */
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
