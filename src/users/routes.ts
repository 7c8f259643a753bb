import { requireMatch } from '../http/conditional.ts'
import { forbidden, notFound } from '../http/errors.ts'
import { type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { changeUser } from './actions.ts'
import { presentUser } from './present.ts'
import { findVisibleUser, lockUser } from './queries.ts'
import { User, UserChanges } from './schema.ts'

const ofUser = Type.Object({ userId: Type.String() })
const tags = ['users']

export const userRoutes: Routes = async (app) => {
  app.get(
    '/user',
    {
      config: { policy: token('user:read', 'nothing more than a token') },
      schema: {
        operationId: 'getAuthenticatedUser',
        summary: 'Get the current user',
        tags,
        response: { 200: User, ...refusals },
      },
    },
    async (request) => presentUser(request.caller.user, app.url),
  )

  app.get(
    '/users/:userId',
    {
      config: { policy: token('user:read', 'to share an organization with that person') },
      schema: {
        operationId: 'getUserById',
        summary: 'Get a user',
        tags,
        params: ofUser,
        response: { 200: User, ...refusals },
      },
    },
    async (request) => {
      const { user, token } = request.caller
      const found = await findVisibleUser(app.db, user.id, token.id, request.params.userId)
      if (!found) throw notFound('user')
      return presentUser(found, app.url)
    },
  )

  app.patch(
    '/users/:userId',
    {
      config: { policy: token(null, 'to be that person') },
      schema: {
        operationId: 'updateUserById',
        summary: 'Update your profile',
        tags,
        params: ofUser,
        body: UserChanges,
        response: { 200: User, ...refusals },
      },
    },
    async (request) => {
      const { user, token } = request.caller
      const { displayName, photoURL } = request.body
      if (!(await findVisibleUser(app.db, user.id, token.id, request.params.userId))) throw notFound('user')
      if (request.params.userId !== user.id) throw forbidden("change somebody else's profile")

      return write(request, async (tx) => {
        const current = await lockUser(tx, user.id)
        requireMatch(request, presentUser(current, app.url))
        const changed = await changeUser(tx, current, {
          ...(displayName !== undefined && { display_name: displayName }),
          ...(photoURL !== undefined && { photo_url: photoURL }),
        })
        return presentUser(changed, app.url)
      })
    },
  )
}
