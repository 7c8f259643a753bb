import { appPath } from '../../app-path.ts'
import { siteRights } from '../../access/rights.ts'
import { formToken } from '../../account/forms.ts'
import type { OrganizationRow, SiteRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { asNone } from '../../http/errors.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { App } from '../../http/routes.ts'
import { type SiteAccess, accessSite } from '../../sites/access.ts'
import { frame } from '../frame.ts'
import { type OpenedSite } from '../open.ts'
import type { Said } from '../said.ts'
import { saidOn } from '../top.ts'

/** What all pages with settings of a site have. */
export interface BelowSite {
  /** The path of the site. Its forms are sent to paths below it. */
  path: string
  organization: OrganizationRow
  access: SiteAccess
  rights: ReturnType<typeof siteRights>
  form: string
}

/** Loads the current state. Returns undefined if the site no longer exists for the caller. */
export async function seeBelowSite(
  app: App,
  { session, caller, path, access: { site } }: OpenedSite,
): Promise<BelowSite | undefined> {
  const access = await accessSite(app.db, caller, site.id, 'view').catch(asNone)
  if (!access) return undefined
  const { organization } = caller.membership
  return { path, organization, access, rights: siteRights(access.role), form: formToken(app, { session }) }
}

/** The frame of such a page: the site that it belongs to, its title, and messages. */
export function belowSite(place: Place, parts: BelowSite & Said, title: string, body: HtmlValue): Html {
  const { site } = parts.access
  return frame(
    place,
    `${title} · ${site.title}`,
    html`${siteTop(place, parts, site)}
      <h1>${title}</h1>
      ${saidOn(parts)} ${body}`,
  )
}

/** The site that a page belongs to. `more` comes between the site and the page. */
export function siteTop(
  place: Place,
  { path, organization }: Pick<BelowSite, 'path' | 'organization'>,
  { title }: SiteRow,
  more?: Html,
): Html {
  const home = appPath.organization(organization.id)
  return html`<p class="review-space">
    <a href="${place.link(home)}">${organization.title}</a> › <a href="${place.link(`${home}/sites`)}">Sites</a> ›
    <a href="${place.link(path)}">${title}</a>${more}
  </p>`
}
