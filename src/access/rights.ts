import { type Role, reaches } from './roles.ts'

/**
 * What each role may do, stated once. Routes ask `may…`, responses send the same answers as `permissions`: what we
 * say is allowed is what we allow.
 */
export interface OrganizationStanding {
  role: Role | null
  ownsTeam: boolean
  /** Somebody who could join, and has not. */
  outside?: boolean
}

export function organizationRights({ role, ownsTeam, outside = false }: OrganizationStanding) {
  const admin = reaches(role, 'admin')
  const create = reaches(role, 'create')
  const member = role !== null
  return {
    view: !outside,
    admin,
    ownTeam: ownsTeam || admin,
    createContent: create,
    createOpenAPISpec: create,
    ingestConversations: false,
    viewBilling: admin,
    listMembers: member,
    listTeams: member,
    listIntegrations: admin,
  }
}

export type OrganizationRight = keyof ReturnType<typeof organizationRights>

export function teamRights(standing: OrganizationStanding & { ownsThisTeam: boolean }) {
  const admin = standing.ownsThisTeam || reaches(standing.role, 'admin')
  // A guest sees no teams, but for one that was put into the guest's hands.
  return { view: standing.role !== null || admin, admin }
}

export type TeamRight = keyof ReturnType<typeof teamRights>

/** `edit` is in a change request always; directly only where the space is live. */
export function spaceRights(role: Role | null) {
  const create = reaches(role, 'create')
  const review = reaches(role, 'review')
  return {
    view: reaches(role, 'read'),
    access: reaches(role, 'read'),
    admin: create,
    viewInviteLinks: create,
    edit: reaches(role, 'edit'),
    triggerGitSync: create,
    comment: reaches(role, 'comment'),
    merge: review,
    review,
  }
}

export type SpaceRight = keyof ReturnType<typeof spaceRights>

export function collectionRights(role: Role | null) {
  const create = reaches(role, 'create')
  return { view: reaches(role, 'read'), admin: create, viewInviteLinks: create, create }
}

export type CollectionRight = keyof ReturnType<typeof collectionRights>

/** A site is seen with any role; its settings, keys and links, and whether it is public, need `create`. */
export function siteRights(role: Role | null) {
  const create = reaches(role, 'create')
  return { view: reaches(role, 'read'), edit: create, publish: create, secrets: create, admin: create }
}

export type SiteRight = keyof ReturnType<typeof siteRights>

/** Of an OpenAPI specification, by the role in the organization. */
export function specRights(role: Role | null) {
  return { view: reaches(role, 'read'), edit: reaches(role, 'create') }
}

export type SpecRight = keyof ReturnType<typeof specRights>

/** Of a comment or a reply. `edit` is to resolve it; its text is for its author alone, reactions need what a reply does. */
export function commentRights(role: Role | null, isAuthor: boolean) {
  const comment = reaches(role, 'comment')
  const rule = (isAuthor && comment) || reaches(role, 'review')
  return { view: reaches(role, 'read'), edit: rule, reply: comment, delete: rule }
}

export type CommentRight = keyof ReturnType<typeof commentRights>

/** Nobody hands out more than the own role. */
export function mayGive(own: Role | null, given: Role | null): boolean {
  return reaches(own, given)
}
