import { appPath } from '../../app-path.ts'
import type { Membership } from '../../access/caller.ts'
import { organizationRights } from '../../access/rights.ts'
import { buttonForm, day } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import type { SpaceSeen } from '../../spaces/queries.ts'
import { frame } from '../frame.ts'
import { type Typed, makingForms } from './making.page.ts'
import { rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { searchForm } from '../reading/search.page.ts'
import { organizationTop } from '../top.ts'
import type { Branch } from './tree.ts'
import { iconOf } from './space-name.ts'
import { iconsOfTree, treeOf } from './tree.page.ts'

interface SpacesParts extends Said, Typed {
  membership: Membership
  branches: Branch[]
  count: number
  /** The deleted spaces that the user may restore. */
  deleted: SpaceSeen[]
  form: string
}

/**
 * The spaces of an organization that the user may read, below their collections. Those who may create content get forms
 * for new ones.
 */
export function spacesPage(place: Place, parts: SpacesParts): Html {
  const { membership, branches, count } = parts
  const { organization } = membership
  const mayCreate = organizationRights(membership).createContent
  const home = appPath.organization(organization.id)
  const none = mayCreate ? 'No spaces yet. Create the first one below.' : 'None that you can read.'
  return frame(
    place,
    organization.title,
    html`${organizationTop(place, membership, 'Spaces', parts)}
      ${branches.length > 0 && searchForm(place, organization.id)}
      <section aria-label="Spaces" class="work-tree">${treeOf(place, home, { branches, count, none })}</section>
      ${mayCreate && makingForms(place, home, parts.form, parts)} ${parts.deleted.length > 0 && trash(place, parts)}`,
    iconsOfTree,
  )
}

function trash(place: Place, { membership, form, deleted }: SpacesParts): Html {
  const items = deleted.map(
    ({ id, title, emoji, deleted_at }) =>
      html`<li>
        <span class="row-main">
          <span>${iconOf({ emoji })}<strong>${title}</strong></span>
          <span class="row-more">deleted ${day(deleted_at!)}</span>
        </span>
        ${buttonForm(place, {
          action: `${appPath.organization(membership.organization.id)}/spaces/restore`,
          fields: { form, space: id },
          label: 'Restore',
          name: `Restore ${title}`,
        })}
      </li>`,
  )
  return html`<section aria-label="Deleted spaces">
    <h2>Deleted</h2>
    <p class="aside work-note">A deleted space can be restored for seven days.</p>
    ${rows(items, '')}
  </section>`
}
