import type { Static } from 'typebox'
import { type Caller, accessOrganization } from '../access/caller.ts'
import { mayGive } from '../access/rights.ts'
import type { Role } from '../access/roles.ts'
import type { OrganizationRow } from '../db/tables.ts'
import { requireMatch } from '../http/conditional.ts'
import { ApiError, forbidden, invalid, notFound } from '../http/errors.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, anyone, maybeCaller, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import {
  type InviteSeen,
  accessInvite,
  accessOpenInvite,
  accessTarget,
  levelIsForContent,
  listInvitesSeen,
  listInvitesTo,
  requireInviteLinks,
  seeInvites,
} from './access.ts'
import {
  acceptInvite,
  acceptInviteAsNewcomer,
  changeInvite,
  createLinkInvite,
  inviteByEmail,
  removeInvite,
} from './actions.ts'
import { mailInvites } from './mailing.ts'
import { presentAcceptedInvite, presentInvite, presentInvitedPeople } from './present.ts'
import { type Content, findInvite, lockInvite } from './queries.ts'
import {
  AcceptedInvite,
  Invite,
  InviteChanges,
  InviteLinkQuery,
  InvitedPeople,
  NewLinkInvite,
  Newcomer,
  PeopleToInvite,
} from './schema.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofInvite = Type.Object({ organizationId: Type.String(), inviteId: Type.String() })
const tags = ['organization-invites']

// The address of an invite grants its role, so reading an invite requires the same scope as creating one.
const administrators = token('organization:members:write', 'the role admin')
const managers = token('organization:members:write', 'the role admin; for content, the role create there')

const position = ({ row }: InviteSeen) => byAge(row)

export const inviteRoutes: Routes = async (app) => {
  const present = (each: InviteSeen) => presentInvite(each, app)

  app.get(
    '/orgs/:organizationId/email-invites',
    {
      config: { policy: administrators },
      schema: {
        operationId: 'listOrganizationInvites',
        summary: 'List the pending invites by e-mail',
        tags,
        params: inOrganization,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(Invite), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      const page = pageOf(request)
      return presentPage(request, page, await listInvitesSeen(app.db, membership, 'address', page), position, present)
    },
  )

  app.get(
    '/orgs/:organizationId/link-invites',
    {
      config: { policy: managers },
      schema: {
        operationId: 'listOrganizationInviteLinks',
        summary: 'List the invite links of an organization',
        description:
          'Administrators get all links. Others who can invite to a space or a collection (`viewInviteLinks`) have to name ' +
          'it, and get the links to it that grant at most their own role.',
        tags,
        params: inOrganization,
        querystring: InviteLinkQuery,
        response: { 200: listOf(Invite), ...refusals },
      },
    },
    async (request) => {
      const { caller, query } = request
      const page = pageOf(request)
      const to = namedContent(query)
      const found = to
        ? await listInvitesTo(app.db, caller, to, page)
        : await listInvitesSeen(app.db, accessOrganization(caller, 'admin'), 'link', page)
      return presentPage(request, page, found, position, present)
    },
  )

  app.post(
    '/orgs/:organizationId/invites',
    {
      config: { policy: administrators },
      schema: {
        operationId: 'inviteUsersToOrganization',
        summary: 'Invite people by e-mail',
        description:
          'Each invite can be used once, by its own address, within 30 days. A new invite for an address replaces the old one. ' +
          'If the server sends mail, each address receives its link: at most 1,000 a day in total, and five a day for one ' +
          'address. Requests beyond that are refused.',
        tags,
        params: inOrganization,
        body: PeopleToInvite,
        response: { 200: InvitedPeople, ...refusals },
      },
    },
    async (request) => {
      const { organization } = accessOrganization(request.caller, 'admin')
      const { sso = false } = request.body
      const people = peopleToInvite(request.body, organization)

      return write(request, async (tx) => {
        const invites = await inviteByEmail(tx, app.secrets, { organizationId: organization.id, people, sso })
        await mailInvites(tx, app.mail, organization.id, invites)
        return presentInvitedPeople(invites, app)
      })
    },
  )

  // The client that this API is compatible with calls the parameter `inviteId`, but its value is the secret.
  app.post(
    '/orgs/:organizationId/invites/:inviteSecret',
    {
      config: { policy: token(null, 'the secret of an invite to this organization') },
      schema: {
        operationId: 'joinOrganizationWithInvite',
        summary: 'Join an organization with an invite',
        tags,
        params: Type.Object({
          organizationId: Type.String(),
          inviteSecret: Type.String({ description: 'The last part of the invite URL, not the id.' }),
        }),
        response: { 200: Type.Object({}), ...refusals },
      },
    },
    async (request) => {
      const { caller, params } = request

      return write(request, async (tx) => {
        const invite = await accessOpenInvite(tx, params.inviteSecret, caller.user.email)
        if (invite.organization_id !== params.organizationId) throw notFound('invite')
        await acceptInvite(tx, invite, caller)
        return {}
      })
    },
  )

  app.post(
    '/invites/:inviteSecret/accept',
    {
      config: { policy: anyone },
      schema: {
        operationId: 'acceptInvite',
        summary: 'Accept an invite, with or without an account',
        description:
          'With a token (without restricted scopes), its owner joins. Without one, `email` and `displayName` create a new account, ' +
          'and the response contains its first token. An address that already has an account is refused: sign in first.',
        tags,
        params: Type.Object({ inviteSecret: Type.String({ description: 'The last part of the invite URL.' }) }),
        body: Newcomer,
        response: { 200: AcceptedInvite, ...refusals },
      },
    },
    async (request) => {
      const { inviteSecret } = request.params
      const caller = maybeCaller(request)
      if (caller) {
        requireWholeToken(caller)
        return write(request, async (tx) => {
          const invite = await accessOpenInvite(tx, inviteSecret, caller.user.email)
          await acceptInvite(tx, invite, caller)
          return presentAcceptedInvite({ user: caller.user, invite }, app.url)
        })
      }

      const { email, displayName } = request.body
      if (email === undefined) throw invalid('body.email', 'required', 'is required where no token is sent')
      return write(request, async (tx) => {
        const invite = await accessOpenInvite(tx, inviteSecret, email)
        const newcomer = await acceptInviteAsNewcomer(tx, invite, { email, displayName })
        return presentAcceptedInvite({ ...newcomer, invite }, app.url)
      })
    },
  )

  app.post(
    '/orgs/:organizationId/link-invites',
    {
      config: { policy: managers },
      schema: {
        operationId: 'createOrganizationInvite',
        summary: 'Create an invite link',
        description:
          'Can be used by everybody who has it, 20 times a minute, until it is deleted. A link to a space or a collection creates ' +
          'guests, who see only what they were invited to.',
        tags,
        params: inOrganization,
        body: NewLinkInvite,
        response: { 201: Invite, ...refusals },
      },
    },
    async (request) => {
      const { caller, body } = request
      const { organization } = accessOrganization(caller, 'view')
      const target = await accessTarget(app.db, caller, body)
      requireInviteLinks(organization)

      return write(request, async (tx) => {
        const row = await createLinkInvite(tx, app.secrets, { organizationId: organization.id, ...target.draft })
        return presentInvite((await seeInvites(tx, target.membership, [row]))[0]!, app)
      })
    },
  )

  app.get(
    '/orgs/:organizationId/link-invites/:inviteId',
    {
      config: { policy: managers },
      schema: {
        operationId: 'getOrganizationInviteLink',
        summary: 'Get an invite',
        tags,
        params: ofInvite,
        response: { 200: Invite, ...refusals },
      },
    },
    async (request) => {
      const { caller, params } = request
      const find = (organizationId: string) => findInvite(app.db, organizationId, params.inviteId)
      return presentInvite(await accessInvite(app.db, caller, find), app)
    },
  )

  app.patch(
    '/orgs/:organizationId/link-invites/:inviteId',
    {
      config: { policy: managers },
      schema: {
        operationId: 'updateOrganizationInviteById',
        summary: 'Change the role of an invite',
        tags,
        params: ofInvite,
        body: InviteChanges,
        response: { 200: Invite, ...refusals },
      },
    },
    async (request) => {
      const { body, caller, params } = request

      return write(request, async (tx) => {
        const find = (organizationId: string) => lockInvite(tx, organizationId, params.inviteId)
        const invite = await accessInvite(tx, caller, find)
        requireMatch(request, presentInvite(invite, app))
        const role = newRole(invite, body)
        return presentInvite({ ...invite, row: await changeInvite(tx, invite.row, role) }, app)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/link-invites/:inviteId',
    {
      config: { policy: managers },
      schema: {
        operationId: 'deleteOrganizationInviteById',
        summary: 'Delete an invite',
        tags: ['organizations'],
        params: ofInvite,
        response: { 205: Nothing('The invite was deleted'), ...refusals },
      },
    },
    async (request) => {
      const { caller, params } = request

      await write(request, async (tx) => {
        const find = (organizationId: string) => lockInvite(tx, organizationId, params.inviteId)
        const invite = await accessInvite(tx, caller, find)
        requireMatch(request, presentInvite(invite, app))
        await removeInvite(tx, invite.row)
      })
    },
  )
}

function namedContent({ space, collection }: Static<typeof InviteLinkQuery>): Content | undefined {
  if (space === undefined) return collection === undefined ? undefined : { type: 'collection', id: collection }
  if (collection !== undefined) {
    throw invalid('query.collection', 'kind', 'excludes space: an invite leads to one thing')
  }
  return { type: 'space', id: space }
}

/**
 * Determines the role for each person: their own in the request, otherwise that of the request, otherwise the
 * organization's default.
 */
function peopleToInvite({ emails, role }: Static<typeof PeopleToInvite>, organization: OrganizationRow) {
  const common = role === undefined ? organization.default_role : role
  return emails.map((each): { email: string; role: Role | null } =>
    typeof each === 'string'
      ? { email: each, role: common }
      : { email: each.email, role: each.role === undefined ? common : each.role },
  )
}

/**
 * Returns the new role of the invite. The field must fit the target: `level` for content, `role` for the organization.
 */
function newRole({ target, own }: InviteSeen, body: Static<typeof InviteChanges>): Role | null {
  if (target && 'role' in body) {
    throw invalid('body.role', 'kind', 'is for invites to the organization; one to content has a level')
  }
  if (!target && 'level' in body) throw levelIsForContent()
  const role = 'level' in body ? body.level : body.role
  if (!mayGive(own, role)) throw forbidden('give a role above your own')
  return role
}

/**
 * The route is public, so the scopes have not been checked yet. A token with restricted scopes must not gain access to
 * an organization.
 */
function requireWholeToken({ token }: Caller): void {
  if (token.scopes === null) return
  throw new ApiError('insufficient_scope', 'This requires a token without restricted scopes.')
}
