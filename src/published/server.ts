import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { kindOfHost, maxPathLength, plainHost, readPath, readUntidyPath } from '../audience/addresses.ts'
import type { Front, Located } from '../audience/audience.ts'
import { writeCookie } from '../audience/visitors/cookies.ts'
import { findPreview, previewParameter, previewSeconds } from '../audience/preview/preview.ts'
import { type Resolution, placeOfPath } from '../audience/resolve.ts'
import type { SiteSnapshot } from '../audience/snapshots/snapshot.ts'
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

/** The sites on the main address. They answer there whatever other addresses they have. */
export const publishedRoutes: Routes = async (app) => {
  const config = { hidden: true, uncounted: true, refusesMethods: true, takesAnyQuery: true }
  const page = (request: FastifyRequest, reply: FastifyReply) =>
    guarded(app, request, reply, async () => {
      const path = pathOf(request).slice('/sites/'.length)
      const found = await app.audience.locateBelowSites(path, `${app.audience.mainPath}/sites/`)
      return found ? answer(app, request, reply, found) : answerAsNone(app, reply, behind(path, 2))
    })
  app.get('/sites/*', { config }, page)
  // Refused before anybody looks at what comes along.
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
 * A host of its own shows a site and nothing else: no API, no app, no other site. So this comes before every route; on
 * the main address it does nothing.
 */
export function answerSiteHosts(app: App) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const hostname = plainHost(request.hostname ?? '')
    const host = kindOfHost(app.hosts, hostname)
    if (host.kind === 'main') return undefined
    // Whether a site has this host is not known yet. If one has, our own pages and a 404 are no answer to its readers.
    if (host.kind === 'custom' && !app.health.ready) {
      return isForOperators(request) ? undefined : guarded(app, request, reply, async () => reply)
    }
    const path = pathOf(request).slice(1)
    if (host.kind === 'organization') {
      return guarded(app, request, reply, async () => {
        const found = await app.audience.locateOf(host.hostname, path, '/')
        return found ? answer(app, request, reply, found) : answerAsNone(app, reply, behind(path, 1))
      })
    }
    const snapshot = await app.audience.siteWithHost(hostname)
    if (!snapshot) return undefined
    return guarded(app, request, reply, () => answer(app, request, reply, { snapshot, basePath: '/', rest: path }))
  }
}

const isForOperators = ({ url }: FastifyRequest) => /^\/(healthz|v1)(?![^/?])/.test(url)

/** Pages that are read again and again are answered before anything else has a look. */
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

/** The router refuses what is not properly encoded, in a way that is meant for programs. Readers get a page. */
function mended(url: string): string {
  const [path, ...query] = url.split('?')
  const segments = path!.split('/').map((segment) => (isEncoded(segment) ? segment : segment.replaceAll('%', '%25')))
  return [segments.join('/'), ...query].join('?')
}

/** Nothing has a NUL in its name. */
const isEncoded = (segment: string) => percentDecoded(segment) !== undefined && !segment.includes('%00')

const pathOf = (request: FastifyRequest) => request.url.split('?')[0]!

/** What of a path stands behind so many names. */
const behind = (path: string, names: number) => path.split('/').slice(names).join('/')

/** Readers get a page, whatever happens. */
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
    // First of all: what a host does not take is known when it is known whose it is.
    refuseUntilReady(app.health)
    if (!isReading && !isAsking) return showNotice(reply.header('allow', allowed), onlyReading)
    return await work()
  } catch (error) {
    const { status, headers } = readError(error, request)
    reply.headers(headers)
    // What was asked for of a file, or on which condition, programs ask for.
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
  if (!preview && (!found.snapshot.site.published || isSecret(visit))) return answerAsNone(app, reply, visit.path)
  // The address of a site ends in a slash, so that all that is in it is below it.
  if (found.rest === undefined) return leadTo(reply, found.basePath + queryWithout(visit), 308)
  const shown = preview ? { ...visit, snapshot: preview.snapshot } : visit
  const visitor = preview && (await app.audience.asSeen(preview.snapshot, preview.visitor))
  return answerVisit(app, request, reply, shown, visitor)
}

/** To the site that an organization shows where none is named. */
function answerFront(app: App, request: FastifyRequest, reply: FastifyReply, { front, of }: Front): FastifyReply {
  const visit = readVisit(app, request, { snapshot: of, basePath: front, rest: '' })
  const isKnown = !isSecret(visit) || lockedFor(visit, request.method) !== undefined
  return isKnown ? leadTo(reply, front + queryWithout(visit)) : answerAsNone(app, reply, '')
}

/** Whoever has no key of a site that takes one is not told that there is such a site. */
function isSecret(visit: Visit): boolean {
  const { snapshot, presented } = visit
  if (snapshot.site.visibility !== 'share-link' || opens(snapshot, presented.shareKey)) return false
  // What it is set in is no secret: whoever asks for a font knows the hash of it.
  if (visit.path.startsWith('~/assets/own/')) return false
  return !keyInPath({ ...visit, path: readUntidyPath(visit.path)?.tidy ?? visit.path })
}

/**
 * No site is here, for all that anybody can tell. What all sites share is here as well, at every name: diagrams load it
 * without the cookie that would say who asks, so where there is a site it has to be there for everybody.
 */
function answerAsNone(app: App, reply: FastifyReply, path: string): FastifyReply {
  const [own, assets, ...file] = readPath(path)?.segments ?? []
  const shared = own === '~' && assets === 'assets' ? sendAsset(app, reply, file.join('/')) : undefined
  return shared ?? showNotice(reply, nothingHere)
}

/** Who is it, may they, what is it, show it. */
async function answerVisit(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  preview: Visitor | undefined,
): Promise<FastifyReply> {
  const { snapshot, query, jar, path } = visit
  // First of all: what looks like a path and is none must not become part of an address that we lead to.
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
    // They had the form before them when the password was taken away: they go where they wanted to.
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

/** Feeds and texts: whoever fetches these keeps no cookies, and is answered behind the key. */
const isForPrograms = (path: string) => /(?:^|\/)(?:rss\.xml|llms(?:-full)?\.txt|[^/]*\.md)$/.test(path)

/**
 * A file of the look of a site. Which ones there are, another node may know before this one hears that the look is another:
 * the page that asks for it came from there, and would stand in no style at all.
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

/** A preview is for whoever has it. */
const admitTo = async ({ audience }: App, { snapshot, presented }: Visit, preview: Visitor | undefined) =>
  preview ? { visitor: preview } : audience.admit(snapshot, presented)

/**
 * Slashes too many: led on, once, to what is there without them. Who is not let in yet, and what is no page, is looked
 * at there.
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

/** Whether it may be something that a site has beside its pages. */
const isOwnName = (segments: readonly string[]) => segments.includes('~') || isReserved(segments.at(-1) ?? '')

/** No page can have this address. Nobody is led on from here: what it is made of could lead anywhere. */
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
      // In the language and among the pages of where they looked for it.
      const place = placeOfPath(snapshot, visitor, segments)
      const where = { snapshot, visitor, base, isPreview, place }
      const shown = await showMissing(app, reply, where, `/${visit.path}`, manner)
      return shown?.reply ?? showNotice(reply, nothingHere)
    }
  }
}

/** A machine that says so gets the text of a page; a browser never does. */
const prefersMarkdown = ({ headers }: FastifyRequest, { site }: SiteSnapshot) =>
  site.agents_context === 'included' && prefers(headers.accept, 'text/markdown', 'text/html')
