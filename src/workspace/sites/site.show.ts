import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SiteRight, siteRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { formToken } from '../../account/forms.ts'
import { requireSessionForm } from '../../account/who.ts'
import { readClock } from '../../db/clock.ts'
import type { Transaction } from '../../db/transaction.ts'
import { placeOf } from '../../front/place.ts'
import type { ApiError } from '../../http/errors.ts'
import { asNone } from '../../http/errors.ts'
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

/** What was just done with the spaces of a site, wherever they stand in it. */
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

/** What was just done, as the page says it. */
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
  /** What to keep of it when it is refused. */
  kept?: Kept
  /** What is shown then, where it was sent from another page than that of the site. */
  refused?: (opened: OpenedSite, said: Said, status: number) => Promise<FastifyReply>
  /** What is said then, and where: on another page than that of the site, on one below it, or on a part of it. */
  done: string
  to?: string
  below?: string
  part?: string
  /** Which part of a list that page showed: it is shown again. */
  asked?: Record<string, string | undefined>
  /** Whether a second click is taken for the first. */
  once?: boolean
  /** How a refusal is said. */
  say?: (error: ApiError) => string
  /** What is locked before the site is. */
  before?: (tx: Transaction, organizationId: string) => Promise<void>
  /** With the site locked. */
  work: (tx: Transaction, access: SiteAccess, caller: Opener) => Promise<unknown>
}

/** What a form about a site asks for, in one transaction. What is refused is said on the page that it came from. */
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
    // Where somebody may only read, the page of the site has all that is for them.
    if (refused && status !== 403) return refused(opened, { error: reason }, status)
    return showSite(app, reply, opened, { ...kept, error: reason }, status)
  }
}

const names: Record<string, string> = { 'body.path': 'The path', 'body.condition': 'The condition' }

const inWords = naming((path) => names[path])

/** As it is now: what was refused may have been overtaken. */
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

/** What there is of a site for whoever looks; undefined where they may not see it any more. */
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

/** All of them: there are never more. */
async function linksOf(app: App, access: SiteAccess) {
  if (access.site.visibility !== 'share-link') return []
  const { rows } = await listShareLinks(app.db, access.site, undefined, firstOnes)
  return rows.map((row) => presentShareLink(row, access, app))
}
