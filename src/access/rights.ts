import { type Role, reaches } from './roles.ts'

/**
 * What each role may do, defined once. Routes check these rights, and responses send the same values as `permissions`:
 * what we say is allowed is what we allow.
 */
export interface OrganizationStanding {
  role: Role | null
  ownsTeam: boolean
  /** Whether this is a person who could join but has not. */
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
  // A guest sees no teams, except one that they own.
  return { view: standing.role !== null || admin, admin }
}

export type TeamRight = keyof ReturnType<typeof teamRights>

/** `edit` always applies in change requests; it applies to the main content only if the space is live. */
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

/** Any role can view a site. Its settings, keys and links, and whether it is public, require `create`. */
export function siteRights(role: Role | null) {
  const create = reaches(role, 'create')
  return { view: reaches(role, 'read'), edit: create, publish: create, secrets: create, admin: create }
}

export type SiteRight = keyof ReturnType<typeof siteRights>

/** Rights on an OpenAPI specification, by the role in the organization. */
export function specRights(role: Role | null) {
  return { view: reaches(role, 'read'), edit: reaches(role, 'create') }
}

export type SpecRight = keyof ReturnType<typeof specRights>

/**
 * Rights on a comment or a reply. `edit` is for resolving it. Only the author may change its text; reactions need the
 * same right as a reply.
 */
export function commentRights(role: Role | null, isAuthor: boolean) {
  const comment = reaches(role, 'comment')
  const rule = (isAuthor && comment) || reaches(role, 'review')
  return { view: reaches(role, 'read'), edit: rule, reply: comment, delete: rule }
}

export type CommentRight = keyof ReturnType<typeof commentRights>

/** Nobody can grant a higher role than their own. */
export function mayGive(own: Role | null, given: Role | null): boolean {
  return reaches(own, given)
}
