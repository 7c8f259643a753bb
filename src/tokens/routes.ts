import { requireMatch, tagWithState } from '../http/conditional.ts'
import { invalid, notFound, unauthenticated } from '../http/errors.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { createToken, revokeToken } from './actions.ts'
import { inheritBars } from './barred.actions.ts'
import { presentToken, presentTokenState } from './present.ts'
import { findTokenOf, holdTokenOf, listTokensOf } from './queries.ts'
import { CreatedToken, NewToken, Token } from './schema.ts'

const ofToken = Type.Object({ tokenId: Type.String() })
const tags = ['tokens']

export const tokenRoutes: Routes = async (app) => {
  app.get(
    '/user/tokens',
    {
      config: { policy: token('user:read', 'nothing more than a token') },
      schema: {
        operationId: 'listTokens',
        summary: 'List your API tokens',
        tags,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(Token), ...refusals },
      },
    },
    async (request) => {
      const page = pageOf(request)
      await app.tokenUses.flush()
      const list = await listTokensOf(app.db, request.caller.user.id, page)
      return presentPage(request, page, list, byAge, (row) => presentToken(row, app.url))
    },
  )

  app.post(
    '/user/tokens',
    {
      // A token with restricted scopes cannot create tokens at all, so it cannot widen its own scopes.
      config: { policy: token(null, 'a token without restricted scopes') },
      schema: {
        operationId: 'createToken',
        summary: 'Create an API token',
        description:
          'The secret is only in this response. A token that expires cannot create one that outlives it: the new token expires with it, or sooner.',
        tags,
        body: NewToken,
        response: { 201: CreatedToken, ...refusals },
      },
    },
    async (request, reply) => {
      const { label, scopes, expiresAt } = request.body
      const expiry = expiresAt ? new Date(expiresAt) : null
      if (expiry && expiry.getTime() <= Date.now()) throw invalid('body.expiresAt', 'future', 'must be in the future')

      const created = await write(request, async (tx) => {
        const { user, token: used } = request.caller
        const holding = await holdTokenOf(tx, user.id, used.id)
        // The token was revoked in the meantime: it must not leave another token behind, least of all one that never
        // expires.
        if (!holding) throw unauthenticated()
        const last = holding.expires_at
        if (last && expiry && expiry > last) {
          const limit = `must not be later than ${last.toISOString()}, when the token that you use expires`
          throw invalid('body.expiresAt', 'maximum', limit)
        }
        const { row, secret } = await createToken(tx, { userId: user.id, label, scopes, expiresAt: expiry ?? last })
        await inheritBars(tx, used, row)
        return { ...presentToken(row, app.url), token: secret }
      })
      const { token: _secret, ...state } = created
      tagWithState(request, reply, state, created)
      return created
    },
  )

  app.get(
    '/user/tokens/:tokenId',
    {
      config: { policy: token('user:read', 'to own the token') },
      schema: {
        operationId: 'getToken',
        summary: 'Get one of your API tokens',
        tags,
        params: ofToken,
        response: { 200: Token, ...refusals },
      },
    },
    async (request, reply) => {
      await app.tokenUses.flush()
      const found = await findTokenOf(app.db, request.caller.user.id, request.params.tokenId)
      if (!found) throw notFound('token')
      const shown = presentToken(found, app.url)
      tagWithState(request, reply, presentTokenState(found, app.url), shown)
      return shown
    },
  )

  app.delete(
    '/user/tokens/:tokenId',
    {
      config: { policy: token(null, 'to own the token') },
      schema: {
        operationId: 'revokeToken',
        summary: 'Revoke one of your API tokens',
        tags,
        params: ofToken,
        response: { 204: Nothing('The token was revoked'), ...refusals },
      },
    },
    async (request) => {
      await write(request, async (tx) => {
        const found = await findTokenOf(tx, request.caller.user.id, request.params.tokenId)
        if (!found) throw notFound('token')
        requireMatch(request, presentTokenState(found, app.url))
        await revokeToken(tx, found.id)
      })
    },
  )
}
