import { appPath } from '../../app-path.ts'
import type { Static } from 'typebox'
import type { Membership } from '../../access/caller.ts'
import { organizationRights } from '../../access/rights.ts'
import { hidden } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import type { Site } from '../../sites/schema.ts'
import { audiences } from './audiences.ts'
import { frame } from '../frame.ts'
import { rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { nameOfSpace } from '../spaces/space-name.ts'
import { longestTitle, shortestTitle } from './site-title.ts'
import type { SpacesToShow } from './structure/spaces-to-show.ts'
import { organizationTop } from '../top.ts'

interface SitesParts extends Said {
  membership: Membership
  sites: Static<typeof Site>[]
  more: number
  toShow: SpacesToShow
  form: string
  /** What the user typed and chose before it was refused. */
  title?: string
  chosen?: string[]
}

/** A form can have a hundred fields, and a few are needed for other things. */
export const mostChoices = 90

/** The name of the form field for whether a new site contains a space. */
export const choiceOf = (spaceId: string) => `space-${spaceId}`

/** The sites of an organization that the user may see. Those who may create sites get a form for a new one. */
export function sitesPage(place: Place, parts: SitesParts): Html {
  const { membership, sites, more } = parts
  const mayCreate = organizationRights(membership).createContent
  return frame(
    place,
    `Sites · ${membership.organization.title}`,
    html`${organizationTop(place, membership, 'Sites', parts)}
      <section aria-label="Sites">
        <h2>Sites</h2>
        ${rows(
          sites.map((site) => rowOf(place, membership, site, mayCreate)),
          mayCreate ? 'None yet. A site is where readers find what you write.' : 'None that you can see.',
          more,
        )}
        ${
          mayCreate &&
          html`<p class="aside work-more">
            <a href="${place.link(`${appPath.organization(membership.organization.id)}/fonts`)}">Your own fonts</a> for
            your sites.
          </p>`
        }
      </section>
      ${mayCreate && beginning(place, parts)}`,
  )
}

function rowOf(
  place: Place,
  { organization }: Membership,
  { id, title, published, visibility, urls }: Static<typeof Site>,
  mayKeep: boolean,
) {
  const address = urls.published
  const path = place.link(appPath.site(organization.id, id))
  const who = `for ${audiences[visibility]}`
  const insights =
    mayKeep && published && html` · <a href="${path}/insights" aria-label="Insights of ${title}">Insights</a>`
  return html`<li>
    <span class="row-main">
      <a href="${path}"><strong>${title}</strong></a>
      <span class="row-more"
        >${address !== undefined && html`<a href="${address}">${address}</a> · `}${who}${insights}</span
      >
    </span>
    ${tagOf(published)}
  </li>`
}

export const tagOf = (published: boolean) =>
  published
    ? html`<span class="tag" data-tone="success">published</span>`
    : html`<span class="tag" data-tone="plain">not published</span>`

function beginning(place: Place, parts: SitesParts): Html {
  const { membership, form, title } = parts
  return html`<section aria-label="New site">
    <h2>New site</h2>
    <form
      method="post"
      action="${place.link(`${appPath.organization(membership.organization.id)}/sites`)}"
      class="fields work-new"
    >
      ${hidden({ form })}
      <label class="field">
        <span>Title</span>
        <input
          name="title"
          value="${title ?? ''}"
          minlength="${shortestTitle}"
          maxlength="${longestTitle}"
          autocomplete="off"
          required
        />
      </label>
      ${choices(parts)}
      <div><button class="btn primary">Create site</button></div>
    </form>
    <p class="aside">Nobody can read it until you publish it.</p>
  </section>`
}

function choices({ toShow: { spaces, others }, chosen = [] }: SitesParts): Html {
  if (spaces.length === 0)
    return html`<p class="none">There is no space you can add. Create a space first, or add one later.</p>`
  const shown = spaces.slice(0, mostChoices)
  return html`<fieldset class="work-choices">
    <legend>Spaces to show</legend>
    <ul class="rows" role="list">
      ${shown.map(
        ({ id, title, emoji }) =>
          html`<li>
            <label class="choice">
              <input type="checkbox" name="${choiceOf(id)}" value="on" ${chosen.includes(id) && html`checked`} />
              <span class="row-main"><strong>${nameOfSpace({ title, emoji })}</strong></span>
            </label>
          </li>`,
      )}
    </ul>
    <p class="aside">
      If you choose several spaces, readers switch between them as versions or languages. For independent content,
      create sections afterwards. ${spaces.length > shown.length && 'You can add others on the page of the site.'}
      ${unoffered(others)}
    </p>
  </fieldset>`
}

export const unoffered = (others: number) =>
  others > 0 && `There are ${others} more spaces that are not listed here. You can add them through the API.`
