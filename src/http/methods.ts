import type { FastifyReply, FastifyRequest } from 'fastify'
import FindMyWay from 'find-my-way'
import { wrongId } from './auth.ts'
import { ApiError, notFound } from './errors.ts'
import type { App } from './routes.ts'

type Answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply
type Params = Record<string, string>

declare module 'fastify' {
  interface FastifyInstance {
    methodsAt: (path: string) => { methods: string[]; params: Params } | undefined
  }
}

/**
 * Remembers which methods each path has. They are sorted into a router of their own when somebody comes with a wrong one:
 * as routes that refuse all other methods they were two thirds of all routes, at every start.
 */
export function collectMethods(app: App): App['methodsAt'] {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.refusesMethods) return
    const of = known.get(url) ?? new Set()
    for (const each of [method].flat()) of.add(each)
    known.set(url, of)
  })

  let router: FindMyWay.Instance<FindMyWay.HTTPVersion.V1> | undefined
  return (path) => {
    router ??= routerTo(known, app.initialConfig.routerOptions?.maxParamLength)
    const found = router.find('GET', path)
    return found ? { methods: [...(found.store as Set<string>)], params: found.params as Params } : undefined
  }
}

function routerTo(known: Map<string, Set<string>>, maxParamLength: number | undefined) {
  const router = FindMyWay({ ...(maxParamLength !== undefined && { maxParamLength }) })
  for (const [url, methods] of known) router.on('GET', url, () => {}, methods)
  return router
}

/** Where no route takes a request: 405, and which methods there are, at a known path; else 404. */
export function answerUnrouted(answer: Answer, { checksIds = false } = {}) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const found = request.server.methodsAt(request.url.split('?')[0]!)
    if (!found) return answer(notFound('address'), request, reply)
    const allow = found.methods.join(', ')
    const refusal = new ApiError('method_not_allowed', `This address takes ${allow} only.`, { headers: { allow } })
    return answer((checksIds && wrongId(found.params)) || refusal, request, reply)
  }
}
