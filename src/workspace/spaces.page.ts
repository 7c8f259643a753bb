import type { Membership } from '../access/caller.ts'
import { organizationRights } from '../access/rights.ts'
import { buttonForm, day, hidden } from '../account/parts.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Place } from '../front/layout.ts'
import { type Html, html } from '../http/html.ts'
import type { SpaceSeen } from '../spaces/queries.ts'
import { frame } from './frame.ts'
import { rows } from './rows.ts'
import type { Said } from './said.ts'
import { searchForm } from './search.page.ts'
import { organizationTop, saidOn } from './top.ts'

interface SpacesParts extends Said {
  membership: Membership
  spaces: SpaceSeen[]
  more: number
  /** Those that whoever looks may bring back. */
  deleted: SpaceSeen[]
  form: string
  /** What somebody typed before it was refused. */
  title?: string
}

export const longestTitle = 50

/** The spaces of an organization that somebody may read; for those who may, a form for a new one. */
export function spacesPage(place: Place, parts: SpacesParts): Html {
  const { membership, spaces, more } = parts
  const { organization } = membership
  const mayCreate = organizationRights(membership).createContent
  const items = spaces.map(
    ({ id, title }) =>
      html`<li>
        <span class="row-main">
          <a href="${place.link(`/app/o/${organization.id}/s/${id}`)}"><strong>${title}</strong></a>
        </span>
      </li>`,
  )
  return frame(
    place,
    organization.title,
    html`${organizationTop(place, membership, 'Spaces', parts)}
      ${spaces.length > 0 && searchForm(place, organization.id)}
      <section aria-label="Spaces">
        ${rows(items, mayCreate ? 'There is none yet.' : 'None that you may read.', more)}
      </section>
      ${mayCreate && beginning(place, parts)} ${parts.deleted.length > 0 && trash(place, parts)}`,
  )
}

const beginning = (place: Place, { membership, form, title }: SpacesParts) =>
  html`<section aria-label="New space">
    <h2>New space</h2>
    <form method="post" action="${place.link(`/app/o/${membership.organization.id}/spaces`)}" class="fields inline one">
      ${hidden({ form })}
      <label class="field grow">
        <span>What its pages are about</span>
        <input name="title" value="${title ?? ''}" maxlength="${longestTitle}" autocomplete="off" required />
      </label>
      <button class="btn primary">Make the space</button>
    </form>
  </section>`

function trash(place: Place, { membership, form, deleted }: SpacesParts): Html {
  const items = deleted.map(
    ({ id, title, deleted_at }) =>
      html`<li>
        <span class="row-main">
          <strong>${title}</strong> <span class="row-more">deleted ${day(deleted_at!)}</span>
        </span>
        ${buttonForm(place, {
          action: `/app/o/${membership.organization.id}/spaces/restore`,
          fields: { form, space: id },
          label: 'Bring back',
          name: `Bring back ${title}`,
        })}
      </li>`,
  )
  return html`<section aria-label="Deleted spaces">
    <h2>Deleted</h2>
    <p class="aside work-note">A deleted space can be brought back for seven days.</p>
    ${rows(items, '')}
  </section>`
}

interface SettingsParts extends Said {
  path: string
  space: SpaceRow
  form: string
  title?: string
}

export function spaceSettingsPage(place: Place, parts: SettingsParts): Html {
  const { path, space, form, title } = parts
  return frame(
    place,
    `Settings · ${space.title}`,
    html`<p class="review-space"><a href="${place.link(path)}">${space.title}</a></p>
      <h1>Settings</h1>
      ${saidOn(parts)}
      <form method="post" action="${place.link(`${path}/~/settings`)}" class="fields inline one">
        ${hidden({ form })}
        <label class="field grow">
          <span>Title</span>
          <input name="title" value="${title ?? space.title}" maxlength="${longestTitle}" autocomplete="off" required />
        </label>
        <button class="btn primary">Save</button>
      </form>
      <section aria-label="Delete">
        <details class="review-archive">
          <summary class="btn">Delete this space</summary>
          <form method="post" action="${place.link(`${path}/~/delete`)}" class="review-ask">
            ${hidden({ form })}
            <p>
              Delete “${space.title}”, with all its pages and change requests? Sites stop showing it. It can be brought
              back for seven days.
            </p>
            <button class="btn danger">Delete the space</button>
          </form>
        </details>
      </section>`,
  )
}
