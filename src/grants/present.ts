import type { Static } from 'typebox'
import type { OrganizationStanding } from '../access/rights.ts'
import { presentTeam } from '../teams/present.ts'
import { presentUser } from '../users/present.ts'
import type { EffectiveRole, TeamGrant, UserGrant } from './queries.ts'
import type { EffectivePermission, TeamPermission, UserPermission } from './schema.ts'

export function presentUserGrant(row: UserGrant, url: string): Static<typeof UserPermission> {
  return { permission: row.permission, user: presentUser(row, url) }
}

export function presentTeamGrant(row: TeamGrant, viewer: OrganizationStanding): Static<typeof TeamPermission> {
  return { permission: row.permission, team: presentTeam(row, viewer) }
}

export function presentEffectiveRole(row: EffectiveRole, url: string): Static<typeof EffectivePermission> {
  return { permission: row.permission, user: presentUser(row, url) }
}
