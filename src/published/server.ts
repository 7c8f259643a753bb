import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { kindOfHost, maxPathLength, plainHost, readPath, readUntidyPath } from '../audience/addresses.ts'
import type { Front, Located } from '../audience/audience.ts'
import { writeCookie } from '../audience/visitors/cookies.ts'
import { findPreview, previewParameter, previewSeconds } from '../audience/preview/preview.ts'
import { type Resolution, placeOfPath } from '../audience/resolve.ts'
import { type SiteSnapshot, answersReaders } from '../audience/snapshots/snapshot.ts'
import { type Visitor, opens } from '../audience/visitors/visitor.ts'
import { prefers } from '../http/accept.ts'
import { readError } from '../http/errors.ts'
import { refuseUntilReady } from '../http/health.ts'
import type { App, Routes } from '../http/routes.ts'
import { ofSite } from '../insights/tally.ts'
import { percentDecoded } from '../percent.ts'
import { isReserved } from '../sites/paths.ts'
import { takesMessages } from './agents/address.ts'
import { answerAgents, asksForAgents } from './agents/answer.ts'
import { sendFile } from './file.ts'
import type { Given } from '../http/given.ts'
import { sendOwnFont } from './look/own-fonts.ts'
import { sendAsset } from './sending/send-asset.ts'
import type { Way } from './sending/send-made.ts'
import { answerBelow, markdownOf } from './below.ts'
import { answerLocked, lockedFor, readForm, takesPassword } from './locked.ts'
import { takesRatings } from './ratings/address.ts'
import { answerRatings, asksForRatings } from './ratings/answer.ts'
import { describeNotice, describePage, mannerOf } from './sending/headers.ts'
import { showFound, showMissing } from './show.ts'
import {
  addressTooLong,
  brokenPage,
  nothingHere,
  onlyReading,
  showNotice,
  tooMany,
  unavailable,
} from './notices/notices.ts'
import { answerSignIn, askToSignIn, leadTo, takeToken, tokenParameter } from './sign-in.ts'
import { type Visit, keyInPath, movedTo, publicBase, queryWithout, readVisit, writeClaims } from './visit.ts'

const monthSeconds = 30 * 24 * 3_600

/** The sites at the main address. They answer there no matter what other addresses they have. */
export const publishedRoutes: Routes = async (app) => {
  const config = { hidden: true, uncounted: true, refusesMethods: true, takesAnyQuery: true }
  const page = (request: FastifyRequest, reply: FastifyReply) =>
    guarded(app, request, reply, async () => {
      const path = pathOf(request).slice('/sites/'.length)
      const found = await app.audience.locateBelowSites(path, `${app.audience.mainPath}/sites/`)
      return found ? answer(app, request, reply, found) : answerAsNone(app, reply, behind(path, 2))
    })
  app.get('/sites/*', { config }, page)
  // Refused before the body of the request is read.
  const method = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
  app.route({
    method,
    url: '/sites/*',
    config,
    onRequest: async (request, reply) => page(request, reply),
    handler: page,
  })
}

/**
 * Answers requests to hosts of sites. Such a host shows its sites and nothing else: no API, no app, no other site. So
 * this runs before every route. On the main address it does nothing.
 */
export function answerSiteHosts(app: App) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const hostname = plainHost(request.hostname ?? '')
    const host = kindOfHost(app.hosts, hostname)
    if (host.kind === 'main') return undefined
    // It is not known yet whether a site has this host. If one has, our own pages or a 404 would be wrong for its
    // readers.
    if (host.kind === 'custom' && !app.health.ready) {
      return isForOperators(request) ? undefined : guarded(app, request, reply, async () => reply)
    }
    const path = pathOf(request).slice(1)
    if (host.kind === 'organization') {
      request.isToSite = true
      return guarded(app, request, reply, async () => {
        const found = await app.audience.locateOf(host.hostname, path, '/')
        return found ? answer(app, request, reply, found) : answerAsNone(app, reply, behind(path, 1))
      })
    }
    const snapshot = await app.audience.siteWithHost(hostname)
    if (!snapshot) return undefined
    request.isToSite = true
    return guarded(app, request, reply, () => answer(app, request, reply, { snapshot, basePath: '/', rest: path }))
  }
}

const isForOperators = ({ url }: FastifyRequest) => /^\/(healthz|v1)(?![^/?])/.test(url)

/** Answers frequently read pages before anything else looks at the request. */
export function answerHotFirst(app: App): void {
  const { server, hot } = app
  const [usual] = server.listeners('request') as [(request: IncomingMessage, response: ServerResponse) => void]
  server.removeListener('request', usual)
  server.on('request', (request, response) => {
    if (hot.answer(request, response)) return
    if (request.url!.includes('%') && isForReaders(app, request)) request.url = mended(request.url!)
    usual(request, response)
  })
}

function isForReaders({ hosts }: App, { headers, url }: IncomingMessage): boolean {
  return url!.startsWith('/sites/') || kindOfHost(hosts, plainHost(headers.host ?? '')).kind !== 'main'
}

/**
 * The router refuses badly encoded addresses with an error for programs. Escapes what is wrong in them, so that readers
 * get a page.
 */
function mended(url: string): string {
  const [path, ...query] = url.split('?')
  const segments = path!.split('/').map((segment) => (isEncoded(segment) ? segment : segment.replaceAll('%', '%25')))
  return [segments.join('/'), ...query].join('?')
}

/** Whether a segment is properly encoded. Nothing has a NUL in its name. */
const isEncoded = (segment: string) => percentDecoded(segment) !== undefined && !segment.includes('%00')

const pathOf = (request: FastifyRequest) => request.url.split('?')[0]!

/** Returns what follows the first `names` segments of a path. */
const behind = (path: string, names: number) => path.split('/').slice(names).join('/')

/** Makes sure that readers get a page, whatever happens. */
async function guarded(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  for (const name of ['access-control-allow-origin', 'access-control-expose-headers']) reply.removeHeader(name)
  const path = pathOf(request)
  const isReading = ['GET', 'HEAD'].includes(request.method) && !takesRatings(path)
  const isAsking =
    request.method === 'POST' && [takesMessages, takesPassword, takesRatings].some((takes) => takes(path))
  const allowed = takesMessages(path) || takesRatings(path) ? 'POST' : 'GET, HEAD'
  try {
    // Checked first: which methods a host does not accept is known only once it is known whose host it is.
    refuseUntilReady(app.health)
    if (!isReading && !isAsking) return showNotice(reply.header('allow', allowed), onlyReading)
    return await work()
  } catch (error) {
    const { status, headers } = readError(error, request)
    reply.headers(headers)
    // These answer conditional requests and requests for a range of a file, which only programs send.
    if (status === 412 || status === 416) return describeNotice(reply.code(status)).send('')
    if (status === 429) return showNotice(reply, tooMany)
    return showNotice(reply, status === 503 ? unavailable : status >= 500 ? brokenPage : nothingHere)
  }
}

async function answer(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Located | Front,
): Promise<FastifyReply> {
  if ('front' in found) return answerFront(app, request, reply, found)
  const visit = readVisit(app, request, found)
  const signed = visit.query.get(previewParameter) ?? visit.cookie('preview')
  const preview = await findPreview(app, found.snapshot, signed)
  const locked = preview ? undefined : lockedFor(visit, request.method)
  if (locked) return answerLocked(app, request, reply, visit, locked)
  if (!preview && (!answersReaders(found.snapshot) || isSecret(visit))) return answerAsNone(app, reply, visit.path)
  // The address of a site ends in a slash, so that everything in it is below it.
  if (found.rest === undefined) return leadTo(reply, found.basePath + queryWithout(visit), 308)
  const shown = preview ? { ...visit, snapshot: preview.snapshot } : visit
  const visitor = preview && (await app.audience.asSeen(preview.snapshot, preview.visitor))
  return answerVisit(app, request, reply, shown, visitor)
}

/** Leads to the site that an organization shows if none is named. */
function answerFront(app: App, request: FastifyRequest, reply: FastifyReply, { front, of }: Front): FastifyReply {
  const visit = readVisit(app, request, { snapshot: of, basePath: front, rest: '' })
  const isKnown = !isSecret(visit) || lockedFor(visit, request.method) !== undefined
  return isKnown ? leadTo(reply, front + queryWithout(visit)) : answerAsNone(app, reply, '')
}

/** Whether to hide that there is a site: it takes the key of a share link, and the visitor has none. */
function isSecret(visit: Visit): boolean {
  const { snapshot, presented } = visit
  if (snapshot.site.visibility !== 'share-link' || opens(snapshot, presented.shareKey)) return false
  // The fonts of a site are no secret: a client that requests one already knows its hash.
  if (visit.path.startsWith('~/assets/own/')) return false
  return !keyInPath({ ...visit, path: readUntidyPath(visit.path)?.tidy ?? visit.path })
}

/**
 * Answers as if there were no site here. The files that all sites share are available here too, under every name:
 * diagrams load them without the cookie that identifies the visitor, so where there is a site, everybody must be able
 * to get them.
 */
function answerAsNone(app: App, reply: FastifyReply, path: string): FastifyReply {
  const [own, assets, ...file] = readPath(path)?.segments ?? []
  const shared = own === '~' && assets === 'assets' ? sendAsset(app, reply, file.join('/')) : undefined
  return shared ?? showNotice(reply, nothingHere)
}

/** Finds out who the visitor is, whether they may enter, and what they asked for, and shows it. */
async function answerVisit(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  preview: Visitor | undefined,
): Promise<FastifyReply> {
  const { snapshot, query, jar, path } = visit
  // Checked first: an invalid path must not become part of an address that we redirect to.
  const asked = readPath(path)
  if (!asked) {
    if (path.length > maxPathLength) return showNotice(reply, addressTooLong)
    return (await leadToTidy(app, reply, visit, preview))?.reply ?? showNowhere(app, reply, visit, preview)
  }
  if (preview && query.has(previewParameter)) {
    reply.header('set-cookie', writeCookie(jar, 'preview', query.get(previewParameter)!, previewSeconds))
    return leadTo(reply, visit.basePath + path + queryWithout(visit, previewParameter))
  }
  const agents = asksForAgents(visit, asked)
  if (agents) return answerAgents(app, request, reply, visit, { ...agents, preview })
  if (asksForRatings(asked)) return answerRatings(app, request, reply, visit, preview)
  const shared = keyInPath(visit)
  const isLate = request.method === 'POST' && shared !== undefined && takesPassword(shared.path)
  if (request.method === 'POST' && !isLate) return showNotice(reply.header('allow', 'GET, HEAD'), onlyReading)
  if (asked.segments[0] === '~' && asked.segments[1] === 'assets') {
    const given = await giveAsset(app, request, reply, asked.segments.slice(2), snapshot)
    return given?.reply ?? showNotice(reply, nothingHere)
  }
  const signing = answerSignIn(reply, visit, preview !== undefined)
  if (signing) return signing
  if (query.has(tokenParameter)) return takeToken(app, reply, visit)
  if (shared) {
    const isOpened = snapshot.site.visibility === 'share-link' && opens(snapshot, shared.key)
    if (isOpened && isForPrograms(shared.path)) {
      const presented = { ...visit.presented, shareKey: shared.key }
      return answerVisit(app, request, reply, { ...visit, path: shared.path, presented, key: shared.key }, preview)
    }
    if (isOpened) reply.header('set-cookie', writeCookie(jar, 'share', shared.key, monthSeconds))
    const base = publicBase(visit, false)
    // The reader still had the form open when the password was removed. They go where they wanted to.
    if (isLate) return leadTo(reply, base + (await readForm(request)).location, 303)
    return leadTo(reply, base + (takesPassword(shared.path) ? '' : shared.path) + queryWithout(visit))
  }

  const admission = await admitTo(app, visit, preview)
  if ('refused' in admission) {
    return admission.refused === 'sign-in' ? askToSignIn(reply, visit) : showNotice(reply, nothingHere)
  }
  if (visit.bringsClaims) keepClaims(reply, visit)
  const { visitor } = admission
  const isPreview = preview !== undefined
  const base = publicBase(visit, isPreview)
  const way = { manner: mannerOf(snapshot, visitor.isKnown), base, isPreview, key: visit.key }
  const beside = await answerBelow(app, request, reply, { snapshot, visitor, asked, query, way })
  if (beside) return beside.reply
  const resolution = await app.audience.resolve(snapshot, visitor, asked)
  return show(app, request, reply, visit, { visitor, resolution, way })
}

/**
 * Feeds and texts. Programs that fetch these keep no cookies, so they are answered at the address that contains the
 * key.
 */
const isForPrograms = (path: string) => /(?:^|\/)(?:rss\.xml|llms(?:-full)?\.txt|[^/]*\.md)$/.test(path)

/**
 * Sends a file that belongs to the look of a site. Another node may know of a new look before this one does: the page
 * that asks for the file came from there, and without the file it would have no style at all.
 */
async function giveAsset(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  below: readonly string[],
  snapshot: SiteSnapshot,
): Promise<Given | undefined> {
  const font = await sendOwnFont(app, request, reply, below, snapshot)
  if (font) return font
  const sent = sendAsset(app, reply, below.join('/'), snapshot)
  if (sent) return { reply: sent }
  const newer = await app.audience.snapshots.newer(snapshot)
  return newer && giveAsset(app, request, reply, below, newer)
}

/** Admits everybody who has a preview. */
const admitTo = async ({ audience }: App, { snapshot, presented }: Visit, preview: Visitor | undefined) =>
  preview ? { visitor: preview } : audience.admit(snapshot, presented)

/**
 * Redirects a path with extra slashes, in one step, to the address without them. Visitors who are not admitted yet, and
 * addresses that are no pages, are dealt with there.
 */
async function leadToTidy(
  app: App,
  reply: FastifyReply,
  visit: Visit,
  preview: Visitor | undefined,
): Promise<Given | undefined> {
  const asked = readUntidyPath(visit.path)
  if (!asked) return undefined
  const base = publicBase(visit, preview !== undefined)
  const lead = (path: string) => ({ reply: leadTo(reply, base + path + queryWithout(visit), 308) })
  const admission = await admitTo(app, visit, preview)
  const isOpened = keyInPath({ ...visit, path: asked.tidy }) !== undefined
  if ('refused' in admission) return isOpened || admission.refused === 'sign-in' ? lead(asked.tidy) : undefined
  if (isOpened || isOwnName(asked.segments)) return lead(asked.tidy)
  const found = await app.audience.resolve(visit.snapshot, admission.visitor, asked)
  if (found.kind === 'external') return { reply: leadTo(reply, found.url, found.status) }
  if (found.kind !== 'moved') return undefined
  return { reply: leadTo(reply, base + movedTo(found, visit), found.status) }
}

/** Whether this may be something that a site has besides its pages. */
const isOwnName = (segments: readonly string[]) => segments.includes('~') || isReserved(segments.at(-1) ?? '')

/**
 * Answers addresses that no page can have. There is no redirect from here: the parts of such an address could lead
 * anywhere.
 */
async function showNowhere(app: App, reply: FastifyReply, visit: Visit, preview: Visitor | undefined) {
  const { snapshot, path } = visit
  const admission = await admitTo(app, visit, preview)
  if ('refused' in admission) return showNotice(reply, nothingHere)
  const { visitor } = admission
  const isPreview = preview !== undefined
  const where = { snapshot, visitor, base: publicBase(visit, isPreview), isPreview, place: undefined }
  const shown = await showMissing(app, reply, where, `/${path}`, mannerOf(snapshot, visitor.isKnown))
  return shown?.reply ?? showNotice(reply, nothingHere)
}

function keepClaims(reply: FastifyReply, { jar, presented }: Visit): void {
  const claims = writeClaims(presented.unsigned)
  if (claims !== undefined) reply.header('set-cookie', writeCookie(jar, 'claims', claims, monthSeconds))
}

interface Outcome {
  visitor: Visitor
  resolution: Resolution
  way: Way
}

async function show(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  { visitor, resolution, way }: Outcome,
): Promise<FastifyReply> {
  const { snapshot } = visit
  const { manner, base, isPreview } = way
  switch (resolution.kind) {
    case 'moved':
      return leadTo(reply, base + movedTo(resolution, visit), resolution.status)
    case 'external':
      return leadTo(reply, resolution.url, resolution.status)
    case 'page': {
      const found = { ...resolution, snapshot, visitor }
      if (!prefersMarkdown(request, snapshot)) return showFound(app, request, reply, found, way)
      return describePage(reply, manner, 'text/markdown; charset=utf-8').send(await markdownOf(app, found, base))
    }
    case 'below': {
      const { place, rest } = resolution
      const file = await sendFile(app, request, reply, place.variant, rest, manner)
      return file?.reply ?? showNotice(reply, nothingHere)
    }
    default: {
      const segments = readPath(visit.path)?.segments ?? []
      if (!isPreview) app.insights.missed(request, ofSite(snapshot), segments)
      // In the language, and with the pages, of the place where the reader looked for it.
      const place = placeOfPath(snapshot, visitor, segments)
      const where = { snapshot, visitor, base, isPreview, place }
      const shown = await showMissing(app, reply, where, `/${visit.path}`, manner)
      return shown?.reply ?? showNotice(reply, nothingHere)
    }
  }
}

/** Whether a client prefers the Markdown of a page. Only machines ask for it, browsers never do. */
const prefersMarkdown = ({ headers }: FastifyRequest, { site }: SiteSnapshot) =>
  site.agents_context === 'included' && prefers(headers.accept, 'text/markdown', 'text/html')
