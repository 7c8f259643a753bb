import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SiteRight, siteRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { formToken } from '../../account/forms.ts'
import { requireSessionForm } from '../../account/who.ts'
import { readClock } from '../../db/clock.ts'
import type { Transaction } from '../../db/transaction.ts'
import { placeOf } from '../../front/place.ts'
import { type ApiError, asNone } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { type SiteAccess, accessSite, accessSiteToChange } from '../../sites/access.ts'
import { siteAddress } from '../../sites/addresses.ts'
import { seeStructure } from '../../sites/see.ts'
import { presentShareLink } from '../../sites/share-links/present.ts'
import { listShareLinks } from '../../sites/share-links/queries.ts'
import { addOnce } from '../once.ts'
import { type OpenedSite, type Opener, openSite, answerNothing } from '../open.ts'
import { naming, refusalOf } from '../refusal.ts'
import type { Said } from '../said.ts'
import { doneWithLinks } from './share-links/share-links.page.ts'
import { sitePage } from './site.page.ts'
import type { Kept } from './site.parts.ts'
import { findSpacesToShow, noSpaces } from './structure/spaces-to-show.ts'

/** Messages about what was just done with spaces, anywhere on a site. */
export const doneWithSpaces = {
  added: 'Space added to the site.',
  first: 'Shown first now.',
  named: 'Title and path saved.',
  'for-some': 'Visibility saved.',
  moved: 'Moved.',
  elsewhere: 'Moved. Old addresses redirect to the new ones.',
  removed: 'Space removed from the site.',
  shown: 'Now visible to readers.',
  hidden: 'Now hidden from readers.',
  version: 'Version created. Readers can choose it now.',
  'version-draft': 'Version created as a draft. Edit it, and show it to readers when it is ready.',
}

/** Messages about what was just done. */
export const done = {
  made: 'Site created. Preview it, and publish it when it is ready.',
  published: 'Site published.',
  offline: 'Site offline. Readers can no longer open it.',
  renamed: 'Renamed.',
  read: 'Visibility saved.',
  ...doneWithSpaces,
  ...doneWithLinks,
}

export interface Form {
  right: SiteRight
  /** What to keep of the input if it is refused. */
  kept?: Kept
  /** Answers a refusal, if the form is on another page than that of the site. */
  refused?: (opened: OpenedSite, said: Said, status: number) => Promise<FastifyReply>
  /**
   * The message after the change, and where it is shown: on another page than that of the site (`to`), on one below it
   * (`below`), or at a part of the page (`part`).
   */
  done: string
  to?: string
  below?: string
  part?: string
  /** Which part of a list the page showed, so that it is shown again. */
  asked?: Record<string, string | undefined>
  /** Whether a double click counts as one click. */
  once?: boolean
  /** Puts a refusal into words. */
  say?: (error: ApiError) => string
  /** Takes locks that have to be taken before the site is locked. */
  before?: (tx: Transaction, organizationId: string) => Promise<void>
  /** Makes the change, with the site locked. */
  work: (tx: Transaction, access: SiteAccess, caller: Opener) => Promise<unknown>
}

/**
 * Makes the change that a form about a site asks for, in one transaction. A refusal is shown on the page that the form
 * is on.
 */
export async function changing(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { right, kept = {}, refused, done, to, below, part, asked, once = false, say = inWords, before, work }: Form,
): Promise<FastifyReply> {
  const opened = await openSite(app, request, reply, requireSessionForm)
  if (!opened) return reply
  const { caller, path } = opened
  const { id, organization_id } = opened.access.site
  try {
    await accessSite(app.db, caller, id, right)
    await write(request, async (tx) => {
      await before?.(tx, organization_id)
      const access = await accessSiteToChange(tx, caller, id, right)
      const asked = async () => void (await work(tx, access, caller))
      return once ? addOnce(tx, request, asked) : asked()
    })
    return leadTo(app, reply, to ?? (below === undefined ? path : `${path}/${below}`), { ...asked, done }, part)
  } catch (error) {
    const { reason, status } = refusalOf(error, say)
    // For users who may only read, the page of the site shows all that they may see.
    if (refused && status !== 403) return refused(opened, { error: reason }, status)
    return showSite(app, reply, opened, { ...kept, error: reason }, status)
  }
}

const names: Record<string, string> = { 'body.path': 'The path', 'body.condition': 'The condition' }

const inWords = naming((path) => names[path])

/** Shows the current state, because a refused change may have been based on an older one. */
export async function showSite(
  app: App,
  reply: FastifyReply,
  opened: OpenedSite,
  more: Said & Kept,
  status = 200,
): Promise<FastifyReply> {
  const parts = await findParts(app, opened)
  if (!parts) return answerNothing(app, reply)
  const [links, now] = await Promise.all([
    parts.rights.secrets ? linksOf(app, parts.seen.access) : [],
    readClock(app.db),
  ])
  return answerPage(reply, sitePage(placeOf(app), { ...parts, links, now, ...more }), status)
}

/** Loads what the current user sees of a site; undefined if they may no longer see it. */
export async function findParts(app: App, { session, caller, path, access: { site } }: OpenedSite) {
  const seen = await seeStructure(app.db, caller, site.id).catch(asNone)
  if (!seen) return undefined
  const rights = siteRights(seen.access.role)
  const { spaces, others } = rights.edit ? await findSpacesToShow(app, caller) : noSpaces
  const inSite = new Set(seen.structure.siteSpaces.map(({ space_id }) => space_id))
  return {
    path,
    organization: caller.membership.organization,
    seen,
    address: siteAddress(app.hosts, seen.site),
    rights,
    toShow: { spaces: spaces.filter(({ id }) => !inSite.has(id)), others },
    form: formToken(app, { session }),
  }
}

const firstOnes = { limit: 200, after: undefined }

/** Lists all links. There are never more than this limit. */
async function linksOf(app: App, access: SiteAccess) {
  if (access.site.visibility !== 'share-link') return []
  const { rows } = await listShareLinks(app.db, access.site, undefined, firstOnes)
  return rows.map((row) => presentShareLink(row, access, app))
}
