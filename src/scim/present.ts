import type { GroupMemberRow, ScimGroupRow } from './groups.queries.ts'
import { groupSchema, listSchema, mostListed, userSchema } from './schema.ts'
import type { ScimUserRow, Window } from './users.queries.ts'

/** Base address of SCIM for one organization. */
export const scimBase = (url: string, organizationId: string) => `${url}/v1/orgs/${organizationId}/scim/v2`

export function presentUser(row: ScimUserRow, url: string) {
  return {
    schemas: [userSchema],
    id: row.user_id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.user_name ?? row.email,
    displayName: row.display_name,
    name: { formatted: row.display_name, ...namePartsOf(row) },
    emails: [{ value: row.email, type: 'work', primary: true }],
    active: !row.disabled && !row.user_disabled,
    roles: [{ value: row.role ?? 'guest', primary: true }],
    meta: {
      resourceType: 'User',
      created: row.joined_at.toISOString(),
      location: `${scimBase(url, row.organization_id)}/Users/${row.user_id}`,
    },
  }
}

/**
 * Returns the parts of a name as the provider reported them. Other names are split by a guess, since some providers
 * accept nobody without these parts.
 */
export function namePartsOf(row: ScimUserRow) {
  const [, first = row.display_name, last] = /^(.*) (\S+)$/.exec(row.display_name) ?? []
  const [givenName, familyName] = isInParts(row) ? [row.given_name, row.family_name] : [first, last]
  return { ...(givenName && { givenName }), ...(familyName && { familyName }) }
}

export const isInParts = (row: ScimUserRow) => row.given_name !== null || row.family_name !== null

/** Leaves out the members if they are not asked for: there may be thousands. */
export function presentGroup(row: ScimGroupRow, members: GroupMemberRow[] | undefined, url: string) {
  const base = scimBase(url, row.organization_id)
  return {
    schemas: [groupSchema],
    id: row.id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    displayName: row.title,
    ...(members && {
      members: members.map(({ user_id, display_name }) => ({
        value: user_id,
        display: display_name,
        $ref: `${base}/Users/${user_id}`,
      })),
    }),
    meta: { resourceType: 'Group', created: row.created_at.toISOString(), location: `${base}/Groups/${row.id}` },
  }
}

/** Lists of this standard are requested by the number of their first item, starting at 1. */
export function windowOf({ startIndex = 1, count = mostListed }: { startIndex?: number; count?: number }): Window {
  return { offset: Math.max(startIndex, 1) - 1, limit: Math.min(Math.max(count, 0), mostListed) }
}

export function presentScimList<Resource>(window: Window, totalResults: number, Resources: Resource[]) {
  const startIndex = window.offset + 1
  return { schemas: [listSchema], totalResults, startIndex, itemsPerPage: Resources.length, Resources }
}
