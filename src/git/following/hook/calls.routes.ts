import { ApiError } from '../../../http/errors.ts'
import { type Routes, anyone } from '../../../http/routes.ts'
import { refusals } from '../../../http/schemas.ts'
import Type from '../../../http/type.ts'
import { hearCall } from './actions.ts'
import { presentCall } from './present.ts'
import { findHook } from './queries.ts'
import { GitHookCall } from './schema.ts'

/** Hosts send details of each commit of a push. A larger call is refused; the next regular look makes up for it. */
const bodyLimit = 4 * 1024 * 1024

/** The URL that hosts of repositories call. A call is a reason to look, and nothing else in it is trusted. */
export const gitHookCallRoutes: Routes = async (app) => {
  // The signature covers the raw bytes, whatever content type is declared.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: string | Buffer) => body)

  app.post(
    '/git/hooks/:hookId',
    {
      bodyLimit,
      config: { policy: anyone },
      schema: {
        operationId: 'callGitHook',
        summary: 'Notify a space of a push to its repository',
        description:
          'Called by the Git host, which proves that it knows the secret of the hook: by `X-Hub-Signature-256` ' +
          '(or `X-Hub-Signature`) with `sha256=` and the HMAC-SHA256 of the body in hexadecimal digits, as GitHub, Gitea, Forgejo and ' +
          'Bitbucket do, or by `X-Gitlab-Token` with the secret itself, as GitLab does. Only the branch is read ' +
          'from the body, which may be empty. A wrong secret is answered with 404, like a hook that does not exist.',
        tags: ['space-git'],
        params: Type.Object({ hookId: Type.String() }),
        response: { 202: GitHookCall, ...refusals },
      },
    },
    async (request) => {
      const { headers, params, body } = request
      const hook = await findHook(app.db, params.hookId)
      const call = { headers, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) }
      const result = await hearCall(app, hook, call)
      if (result === undefined) throw unheard()
      return presentCall(result)
    },
  )
}

/**
 * The same answer in both cases, so that a caller who does not know the secret cannot find out whether a hook exists.
 */
const unheard = () =>
  new ApiError('not_found', 'There is no push hook at this URL, or the secret is wrong. Set up both again.')
