import type { FastifyReply } from 'fastify'
import { siteRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf } from '../../account/forms.ts'
import { requireSession } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import type { ApiError } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { asBody } from '../../http/validation.ts'
import { changeSite } from '../../sites/actions.ts'
import { mainAddress, siteAddress } from '../../sites/addresses.ts'
import { SiteChanges } from '../../sites/schema.ts'
import { holdStructure } from '../../sites/see.ts'
import { seeBelowSite } from './below-site.ts'
import { type OpenedSite, answerNothing, openSite, sitePath } from '../open.ts'
import { overtaken } from '../overtaken.ts'
import { naming } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { type TypedAddress, addressPage } from './site-address.page.ts'
import { changing } from './site.show.ts'

const done = {
  name: 'Name saved. The site is at its new address.',
  host: 'Domain saved. The site is available there as soon as its DNS points here.',
  hostless: 'Custom domain removed.',
}

/** The address of a site, for those who may change it. */
export const workspaceSiteAddress: Routes = async (app) => {
  app.get(`${sitePath}/address`, async (request, reply) => {
    const opened = await openSite(app, request, reply, requireSession)
    if (!opened) return reply
    if (!siteRights(opened.access.role).edit) return leadTo(app, reply, opened.path)
    return show(app, reply, opened, doneIn(request, done))
  })

  app.post(`${sitePath}/address/name`, async (request, reply) => {
    const { basename: typed = '', seen } = fieldsOf(request)
    const basename = typed.trim()
    return changing(app, request, reply, {
      right: 'edit',
      done: 'name',
      below: 'address',
      say,
      refused: (opened, said, status) => show(app, reply, opened, { ...said, typed: { basename } }, status),
      work: async (tx, access) => {
        const { basename: now } = access.site
        if (basename === now) return
        if (now !== seen) throw overtaken(`changed the name to “${now}”`)
        await changeSite(tx, app.hosts, await holdStructure(tx, access), asBody(SiteChanges, { basename }))
      },
    })
  })

  app.post(`${sitePath}/address/host`, async (request, reply) => {
    const { hostname: typed = '', seen } = fieldsOf(request)
    const hostname = typed.trim().toLowerCase()
    return changing(app, request, reply, {
      right: 'edit',
      done: 'host',
      below: 'address',
      say,
      refused: (opened, said, status) => show(app, reply, opened, { ...said, typed: { hostname } }, status),
      work: async (tx, access) => {
        const now = access.site.hostname ?? ''
        if (hostname === now && hostname !== '') return
        if (now !== seen) throw isAnothers(now)
        await changeSite(tx, app.hosts, await holdStructure(tx, access), asBody(SiteChanges, { hostname }))
      },
    })
  })

  app.post(`${sitePath}/address/host/remove`, async (request, reply) => {
    const { seen } = fieldsOf(request)
    return changing(app, request, reply, {
      right: 'edit',
      done: 'hostless',
      below: 'address',
      refused: (opened, said, status) => show(app, reply, opened, { ...said }, status),
      work: async (tx, access) => {
        const { hostname } = access.site
        // It is fine if the domain is already removed.
        if (hostname === null) return
        if (hostname !== seen) throw isAnothers(hostname)
        await changeSite(tx, app.hosts, await holdStructure(tx, access), { hostname: null })
      },
    })
  })
}

const isAnothers = (now: string) => overtaken(now === '' ? 'removed the domain' : `changed the domain to “${now}”`)

const names: Record<string, string> = { 'body.basename': 'The name', 'body.hostname': 'The domain' }

/** Messages about names that are in use. The page calls them by other names than the API. */
const taken: Record<string, string> = {
  'body.basename': 'Another site in this organization has this name.',
  'body.hostname': 'Another site uses this domain.',
}

function say(error: ApiError): string {
  const [{ path } = { path: '' }] = error.details ?? []
  return (error.type === 'taken' ? taken[path] : undefined) ?? naming((at) => names[at])(error)
}

async function show(
  app: App,
  reply: FastifyReply,
  opened: OpenedSite,
  { typed = {}, ...said }: Said & { typed?: TypedAddress },
  status = 200,
): Promise<FastifyReply> {
  const below = await seeBelowSite(app, opened)
  if (!below) return answerNothing(app, reply)
  const site = { ...below.access.site, organization_hostname: below.organization.hostname }
  const addresses = { address: siteAddress(app.hosts, site), main: mainAddress(app.hosts, site) }
  const parts = { ...below, ...said, ...addresses, host: new URL(app.hosts.url).hostname, typed }
  return answerPage(reply, addressPage(placeOf(app), parts), status)
}
