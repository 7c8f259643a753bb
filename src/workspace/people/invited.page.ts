import type { Membership } from '../../access/caller.ts'
import { buttonForm, day } from '../../account/parts.ts'
import { codeBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import type { InviteRow } from '../../db/tables.ts'
import { frame } from '../frame.ts'
import { type Part, partLinks } from '../paging.ts'
import { roleName } from '../roles.ts'
import type { Said } from '../said.ts'
import { organizationTop } from '../top.ts'

interface InvitedParts extends Said {
  membership: Membership
  /** Path of the people of the organization. */
  path: string
  form: string
  invited: Part<{ row: InviteRow; url: string }>
}

/** Pending invitations, for administrators, with the links to hand them over once more. */
export function invitedPage(place: Place, parts: InvitedParts): Html {
  const { membership, path, invited } = parts
  const title = 'Pending invitations'
  return frame(
    place,
    `${title} · ${membership.organization.title}`,
    html`${organizationTop(place, membership, 'People', parts)}
      <h2>${title}</h2>
      <p class="aside">
        Each link works once, for that address, for 30 days.
        <a href="${place.link(`${path}/invites`)}">Invite people</a>
      </p>
      ${
        invited.rows.length === 0
          ? html`<p class="none">There are no pending invitations.</p>`
          : html`<ul class="work-links" role="list">
              ${invited.rows.map((each) => oneInvite(place, parts, each))}
            </ul>`
      }
      ${partLinks(place, invited)}`,
    ['copy', 'check'],
  )
}

function oneInvite(place: Place, { path, form }: InvitedParts, { row, url }: InvitedParts['invited']['rows'][number]) {
  const { id, email, role, created_at } = row
  return html`<li>
    ${codeBlock(html`<span>${email} · ${roleName(role)} · invited ${day(created_at)}</span>`, html`${url}`)}
    <div class="work-does">
      ${buttonForm(place, {
        action: `${path}/invited/${id}/remove`,
        fields: { form },
        label: 'Revoke',
        name: `Revoke the invite of ${email}`,
        look: 'danger',
      })}
    </div>
  </li>`
}
