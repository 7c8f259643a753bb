import type { FastifyReply, FastifyRequest } from 'fastify'
import FindMyWay from 'find-my-way'
import { wrongId } from './auth.ts'
import { ApiError, notFound } from './errors.ts'
import type { App } from './routes.ts'

type Answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** A path as it is declared, with its methods. */
interface KnownRoute {
  path: string
  methods: ReadonlySet<string>
  /** The page that contains its form, if that is not above it. */
  page?: string
  params: Record<string, string>
}

declare module 'fastify' {
  interface FastifyInstance {
    routeAt: (address: string) => KnownRoute | undefined
  }
}

/**
 * Remembers which methods each path has. They are put into a router of their own on first use, such as for a request
 * with a wrong method: routes that refuse all other methods would be two thirds of all routes, at every start.
 */
export function collectRoutes(app: App): App['routeAt'] {
  const known = new Map<string, Known>()
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.refusesMethods) return
    const of: Known = known.get(url) ?? { methods: new Set() }
    for (const each of [method].flat()) of.methods.add(each)
    if (of.methods.has('GET')) of.methods.add('HEAD')
    if (config?.page !== undefined) of.page = config.page
    known.set(url, of)
  })

  let router: FindMyWay.Instance<FindMyWay.HTTPVersion.V1> | undefined
  return (address) => {
    router ??= routerTo(known, app.initialConfig.routerOptions?.maxParamLength)
    const found = router.find('GET', address.split('?')[0]!)
    return found ? { ...(found.store as KnownRoute), params: found.params as KnownRoute['params'] } : undefined
  }
}

interface Known {
  methods: Set<string>
  page?: string
}

function routerTo(known: Map<string, Known>, maxParamLength: number | undefined) {
  const router = FindMyWay({ ...(maxParamLength !== undefined && { maxParamLength }) })
  for (const [path, of] of known) router.on('GET', path, () => {}, { path, ...of })
  return router
}

/** Answers requests that no route takes: 405 with the available methods for a known path, otherwise 404. */
export function answerUnrouted(answer: Answer, { checksIds = false } = {}) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const found = request.server.routeAt(request.url)
    if (!found) return answer(notFound('address'), request, reply)
    const allow = [...found.methods].join(', ')
    const refusal = new ApiError('method_not_allowed', `This URL supports only ${allow}.`, { headers: { allow } })
    return answer((checksIds && wrongId(found.params)) || refusal, request, reply)
  }
}
