import type { Static } from 'typebox'
import { reaches } from '../access/roles.ts'
import { presentCollection } from '../collections/present.ts'
import type { InviteRow, UserRow } from '../db/tables.ts'
import type { App } from '../http/routes.ts'
import { presentSpace } from '../spaces/present.ts'
import { presentUser } from '../users/present.ts'
import type { InviteSeen } from './access.ts'
import type { AcceptedInvite, Invite, InvitedPeople } from './schema.ts'

/** What is needed to show the address of an invite again. */
type Place = Pick<App, 'secrets' | 'url' | 'hosts'>

export function presentInvite({ row, own, target }: InviteSeen, place: Place): Static<typeof Invite> {
  const shown = {
    object: 'invite' as const,
    id: row.id,
    redundant: reaches(own, row.role),
    urls: {
      location: `${place.url}/v1/orgs/${row.organization_id}/link-invites/${row.id}`,
      invite: addressOf(row, place),
    },
  }
  if (!target) return { ...shown, role: row.role, ...(row.email !== null && { email: row.email }) }
  return target.type === 'space'
    ? { ...shown, level: row.role, space: presentSpace(target.space, place.hosts) }
    : { ...shown, level: row.role, collection: presentCollection(target.collection, place.url) }
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
