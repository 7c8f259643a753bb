import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SiteRight, siteRights } from '../access/rights.ts'
import { answerPage, leadTo } from '../account/answer.ts'
import { formToken } from '../account/forms.ts'
import { requireSessionForm } from '../account/who.ts'
import type { Transaction } from '../db/transaction.ts'
import { placeOf } from '../front/place.ts'
import { type ApiError, inSentence } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import { write } from '../http/write.ts'
import { type SiteAccess, accessSite, accessSiteToChange } from '../sites/access.ts'
import { siteAddress } from '../sites/addresses.ts'
import { type SeenStructure, seeStructure } from '../sites/see.ts'
import { presentShareLink } from '../sites/share-links/present.ts'
import { listShareLinks } from '../sites/share-links/queries.ts'
import { presentSiteSpace } from '../sites/structure/present.ts'
import { isOpen } from './audiences.ts'
import { addOnce } from './once.ts'
import { type OpenedSite, type Opener, asNone, openSite, answerNothing } from './open.ts'
import { refusalOf } from './refusal.ts'
import type { Said } from './said.ts'
import { sitePage } from './site.page.ts'
import type { Kept } from './site.parts.ts'
import { findSpacesToShow, noSpaces } from './spaces-to-show.ts'

/** What was just done, as the page says it. */
export const done = {
  made: 'The site is made. Look at it, and publish it when it is ready.',
  published: 'It is published.',
  offline: 'It is offline: readers do not find it any more.',
  renamed: 'It is renamed.',
  read: 'Who can read it is saved.',
  added: 'The space is in the site.',
  first: 'It is shown first.',
  moved: 'Its path is saved.',
  removed: 'The space is not in the site any more.',
  linked: 'The link is made. Copy its address, and give it to whom it is for.',
  revoked: 'The link is revoked.',
}

interface Form {
  right: SiteRight
  /** What to keep of it when it is refused. */
  kept?: Kept
  /** What is said then, and where: on another page than that of the site, or on a part of it. */
  done: string
  to?: string
  part?: string
  /** Whether a second click is taken for the first. */
  once?: boolean
  /** With the site locked. */
  work: (tx: Transaction, access: SiteAccess, caller: Opener) => Promise<unknown>
}

/** What a form on the page of a site asks for, in one transaction. What is refused is said on that page. */
export async function changing(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { right, kept = {}, done, to, part, once = false, work }: Form,
): Promise<FastifyReply> {
  const opened = await openSite(app, request, reply, requireSessionForm)
  if (!opened) return reply
  const { caller, path } = opened
  const { id } = opened.access.site
  try {
    await accessSite(app.db, caller, id, right)
    await write(request, async (tx) => {
      const access = await accessSiteToChange(tx, caller, id, right)
      const asked = async () => void (await work(tx, access, caller))
      return once ? addOnce(tx, request, asked) : asked()
    })
    return leadTo(app, reply, to ?? path, { done }, part)
  } catch (error) {
    const { reason, status } = refusalOf(error, inWords)
    return showSite(app, reply, opened, { ...kept, error: reason }, status)
  }
}

/** It is said at the top of the page, far from the field that it is about. */
function inWords(error: ApiError): string {
  const [{ path, message } = { path: '', message: '' }] = error.details ?? []
  return error.type === 'invalid_request' && path === 'body.path' ? `The path ${message}.` : inSentence(error)
}

/** As it is now: what was refused may have been overtaken. */
export async function showSite(
  app: App,
  reply: FastifyReply,
  { session, caller, path, access: { site } }: OpenedSite,
  more: Said & Kept,
  status = 200,
): Promise<FastifyReply> {
  const seen = await seeStructure(app.db, caller, site.id).catch(asNone)
  if (!seen) return answerNothing(app, reply)
  const rights = siteRights(seen.access.role)
  const [{ spaces, others }, links] = await Promise.all([
    rights.edit ? findSpacesToShow(app, caller) : noSpaces,
    rights.secrets ? linksOf(app, seen.access) : [],
  ])
  const inSite = new Set(seen.structure.siteSpaces.map(({ space_id }) => space_id))
  const parts = {
    path,
    organization: caller.membership.organization,
    seen,
    address: siteAddress(app.hosts, seen.site),
    addresses: addressesIn(app, seen),
    rights,
    toShow: { spaces: spaces.filter(({ id }) => !inSite.has(id)), others },
    links,
    form: formToken(app, { session }),
  }
  return answerPage(reply, sitePage(placeOf(app), { ...parts, ...more }), status)
}

const firstOnes = { limit: 200, after: undefined }

/** All of them: there are never more. */
async function linksOf(app: App, access: SiteAccess) {
  if (access.site.visibility !== 'share-link') return []
  const { rows } = await listShareLinks(app.db, access.site, undefined, firstOnes)
  return rows.map((row) => presentShareLink(row, access, app))
}

function addressesIn(app: App, seen: SeenStructure): Map<string, string> {
  if (!isOpen(seen.site)) return new Map()
  const { siteSpaces } = seen.structure
  return new Map(
    siteSpaces.flatMap((row): [string, string][] => {
      const { published } = presentSiteSpace(row, seen, app.hosts).urls
      return published === undefined ? [] : [[row.id, published]]
    }),
  )
}
