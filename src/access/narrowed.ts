import {
  type CollectionRight,
  type CommentRight,
  type OrganizationRight,
  type SpaceRight,
  type SpecRight,
  type TeamRight,
} from './rights.ts'
import type { Scope } from './scopes.ts'

/**
 * The scope that the operations behind each right require. Null means that no narrowed token can use it. The policies
 * of the operations decide, and a test compares this table with what they answer.
 */
const space: Record<SpaceRight, Scope> = {
  view: 'space:read',
  access: 'space:read',
  admin: 'space:write',
  viewInviteLinks: 'organization:members:write',
  edit: 'space:write',
  triggerGitSync: 'space:write',
  comment: 'space:write',
  merge: 'change-request:merge',
  review: 'space:write',
}

const collection: Record<CollectionRight, Scope> = {
  view: 'space:read',
  admin: 'space:write',
  viewInviteLinks: 'organization:members:write',
  create: 'space:write',
}

const organization: Record<OrganizationRight, Scope | null> = {
  view: 'organization:read',
  admin: 'organization:write',
  ownTeam: 'organization:members:write',
  createContent: 'space:write',
  createOpenAPISpec: 'openapi:write',
  ingestConversations: null,
  viewBilling: null,
  listMembers: 'organization:members:read',
  listTeams: 'organization:members:read',
  listIntegrations: null,
}

const comment: Record<CommentRight, Scope> = {
  view: 'space:read',
  edit: 'space:write',
  reply: 'space:write',
  delete: 'space:write',
}

const team: Record<TeamRight, Scope> = {
  view: 'organization:members:read',
  admin: 'organization:members:write',
}

const specification: Record<SpecRight, Scope> = { view: 'openapi:read', edit: 'openapi:write' }

const font: Record<'edit', Scope> = { edit: 'site:write' }

const scopesOf: Record<string, Record<string, Scope | null>> = {
  space,
  collection,
  organization,
  comment,
  'comment-reply': comment,
  team,
  'openapi-spec': specification,
  'custom-font': font,
}

/**
 * Returns an answer as a token with these scopes gets it: `permissions` contain what the token may do, not only its
 * owner.
 */
export function narrowed<Answer>(answer: Answer, scopes: readonly Scope[]): Answer {
  return narrowValue(answer, scopes) as Answer
}

/** Returns the same object if there is nothing to narrow in it: answers are long, and few parts of them are rights. */
function narrowValue(value: unknown, scopes: readonly Scope[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const parts = value.map((each: unknown) => narrowValue(each, scopes))
    return parts.some((part, i) => part !== value[i]) ? parts : value
  }
  const whole = value as Record<string, unknown>
  const { object } = whole
  const needed = typeof object === 'string' && Object.hasOwn(scopesOf, object) ? scopesOf[object] : undefined
  let copy: typeof whole | undefined
  for (const name of Object.keys(whole)) {
    const part = whole[name]
    const isRights = needed !== undefined && name === 'permissions'
    const left = isRights ? narrowRights(part as Rights, needed, scopes) : narrowValue(part, scopes)
    if (left !== part) (copy ??= { ...whole })[name] = left
  }
  return copy ?? whole
}

type Rights = Record<string, boolean>

function narrowRights(rights: Rights, needed: Record<string, Scope | null>, scopes: readonly Scope[]): Rights {
  const left = { ...rights }
  for (const right of Object.keys(left)) {
    const scope = needed[right]
    left[right] &&= scope != null && scopes.includes(scope)
  }
  return left
}
