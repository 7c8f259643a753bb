import type { Static } from 'typebox'
import type { InviteRow, UserRow } from '../db/tables.ts'
import type { App } from '../http/routes.ts'
import { presentUser } from '../users/present.ts'
import type { AcceptedInvite, Invite, InvitedPeople } from './invites.schema.ts'

/** What it takes to show the address of an invite again. */
type Place = Pick<App, 'secrets' | 'url'>

export function presentInvite(row: InviteRow, place: Place): Static<typeof Invite> {
  return {
    object: 'invite',
    id: row.id,
    redundant: false,
    role: row.role,
    ...(row.email !== null && { email: row.email }),
    urls: {
      location: `${place.url}/v1/orgs/${row.organization_id}/link-invites/${row.id}`,
      invite: addressOf(row, place),
    },
  }
}

export function presentInvitedPeople(rows: InviteRow[], place: Place): Static<typeof InvitedPeople> {
  return {
    users: [],
    invited: rows.length,
    invites: rows.map((row) => ({ id: row.id, email: row.email!, url: addressOf(row, place) })),
  }
}

export function presentAcceptedInvite(
  accepted: { user: UserRow; invite: InviteRow; token?: string },
  url: string,
): Static<typeof AcceptedInvite> {
  const { user, invite, token } = accepted
  return { user: presentUser(user, url), organization: invite.organization_id, ...(token !== undefined && { token }) }
}

function addressOf(row: InviteRow, { secrets, url }: Place): string {
  return `${url}/invite/${secrets.open('invite', row.secret_sealed)}`
}
