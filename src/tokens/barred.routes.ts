import { type Membership, accessOrganization } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import { notFound } from '../http/errors.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { findMember } from '../organizations/members.queries.ts'
import { barToken, unbarToken } from './barred.actions.ts'
import { presentMemberToken } from './barred.present.ts'
import { findLiveTokenOf, listTokensOfMember } from './barred.queries.ts'
import { MemberToken } from './barred.schema.ts'

const ofMember = Type.Object({ organizationId: Type.String(), userId: Type.String() })
const ofToken = Type.Object({ organizationId: Type.String(), userId: Type.String(), tokenId: Type.String() })
const tags = ['organization-members']

export const barredTokenRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/members/:userId/tokens',
    {
      config: { policy: token('organization:members:read', 'the role admin') },
      schema: {
        operationId: 'listTokensOfMember',
        summary: 'List the API tokens of a member',
        tags,
        params: ofMember,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(MemberToken), ...refusals },
      },
    },
    async (request) => {
      const { organization } = accessOrganization(request.caller, 'admin')
      const member = await findMember(app.db, organization.id, request.params.userId)
      if (!member) throw notFound('user')

      const page = pageOf(request)
      await app.tokenUses.flush()
      const list = await listTokensOfMember(app.db, organization.id, member.user_id, page)
      return presentPage(request, page, list, byAge, presentMemberToken)
    },
  )

  app.put(
    '/orgs/:organizationId/members/:userId/tokens/:tokenId/bar',
    {
      config: { policy: token('organization:members:write', 'the role admin') },
      schema: {
        operationId: 'barTokenOfMember',
        summary: 'Block an API token of a member in the organization',
        description: 'It keeps working elsewhere. Tokens that it creates while blocked are blocked too.',
        tags,
        params: ofToken,
        response: { 204: Nothing('The token is blocked'), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      const { organization } = membership

      await write(request, async (tx) => {
        await requireTokenOfMember(tx, membership, request.params)
        await barToken(tx, organization.id, request.params.tokenId)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/members/:userId/tokens/:tokenId/bar',
    {
      config: { policy: token('organization:members:write', 'the role admin') },
      schema: {
        operationId: 'unbarTokenOfMember',
        summary: 'Unblock an API token of a member',
        tags,
        params: ofToken,
        response: { 204: Nothing('The token is no longer blocked'), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'admin')
      const { organization } = membership

      await write(request, async (tx) => {
        await requireTokenOfMember(tx, membership, request.params)
        await unbarToken(tx, organization.id, request.params.tokenId)
      })
    },
  )
}

async function requireTokenOfMember(
  db: Db,
  { organization }: Membership,
  { userId, tokenId }: { userId: string; tokenId: string },
): Promise<void> {
  if (!(await findMember(db, organization.id, userId))) throw notFound('user')
  if (!(await findLiveTokenOf(db, userId, tokenId))) throw notFound('token')
}
