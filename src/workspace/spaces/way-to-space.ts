import { appPath } from '../../app-path.ts'
import type { OrganizationRow, SpaceRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { nameOfSpace } from './space-name.ts'

/** The breadcrumb above the title of every page below a space. It is the same wherever the user came from. */
export const wayToSpace = (
  place: Place,
  { organization, space }: { organization: OrganizationRow; space: SpaceRow },
  more?: HtmlValue,
): Html =>
  html`<p class="review-space">
    <a href="${place.link(appPath.organization(organization.id))}">${organization.title}</a> ›
    <a href="${place.link(appPath.space(organization.id, space.id))}">${nameOfSpace(space)}</a>${more}
  </p>`
