import { accessSpace } from '../access/content.ts'
import { FetchFailure } from '../fetch/failure.ts'
import { ApiError, invalid } from '../http/errors.ts'
import { type App, type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { readPolicy } from '../pages/families.ts'
import { askedAs } from './address.ts'
import { lookAt } from './look.ts'
import { presentEmbed } from './present.ts'
import { listKnown } from './queries.ts'
import type { Said } from './said.ts'
import { Embed, EmbedQuery } from './schema.ts'

const description =
  'Returns the title, the site and the icon that a page declares. If it does not respond, its URL is the title. URLs that are not public are refused.'

export const embedRoutes: Routes = async (app) => {
  const asking = new Asking(app)

  app.get(
    '/spaces/:spaceId/embed',
    {
      config: { policy: readPolicy },
      schema: {
        operationId: 'getEmbedByUrlInSpace',
        summary: 'Resolve a URL to an embed in a space',
        description: `${description} URLs that pages of the organization already embed are not fetched again.`,
        tags: ['space-embeds'],
        params: Type.Object({ spaceId: Type.String() }),
        querystring: EmbedQuery,
        response: { 200: Embed, ...refusals },
      },
    },
    async (request) => {
      const { caller, params, query } = request
      const { space } = await accessSpace(app.db, caller, params.spaceId, 'view')
      const address = addressIn(query.url)
      const [known] = await listKnown(app.db, space.organization_id, [address])
      const isFresh = known !== undefined && known.title !== null && !known.old
      return presentEmbed(query.url, isFresh ? known : await asking.ask(caller.user.id, address))
    },
  )

  app.get(
    '/urls/embed',
    {
      config: { policy: token('space:read', 'nothing else') },
      schema: {
        operationId: 'getEmbedByUrl',
        summary: 'Resolve a URL to an embed',
        description,
        tags: ['urls'],
        querystring: EmbedQuery,
        response: { 200: Embed, ...refusals },
      },
    },
    async ({ caller, query }) => presentEmbed(query.url, await asking.ask(caller.user.id, addressIn(query.url))),
  )
}

function addressIn(url: string): string {
  const address = askedAs(url)
  if (address === undefined) throw notAsked('bad-address')
  return address
}

const notAsked = (reason: 'bad-address' | 'private-address') =>
  invalid('query.url', reason, new FetchFailure(reason).message)

const mostAtOnce = 4

/**
 * Other servers may be slow, so each person can have only a few requests under way, and nobody keeps this server busy.
 */
class Asking {
  readonly #app: App
  readonly #underWay = new Map<string, number>()

  constructor(app: App) {
    this.#app = app
  }

  async ask(userId: string, address: string): Promise<Said> {
    const { fetcher, config } = this.#app
    if (!config.embeds) return {}
    const count = this.#underWay.get(userId) ?? 0
    if (count >= mostAtOnce)
      throw new ApiError(
        'rate_limited',
        `You already have ${mostAtOnce} requests of this kind in progress. Wait for one of them to finish.`,
      )
    this.#underWay.set(userId, count + 1)
    try {
      return await lookAt(fetcher, address)
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      if (error.reason === 'private-address') throw notAsked(error.reason)
      return {}
    } finally {
      const left = this.#underWay.get(userId)! - 1
      if (left === 0) this.#underWay.delete(userId)
      else this.#underWay.set(userId, left)
    }
  }
}
