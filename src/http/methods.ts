import type { HTTPMethods } from 'fastify'
import { ApiError } from './errors.ts'
import { type App, anyone } from './routes.ts'

const methods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Remembers which methods each path has, so that `refuseOtherMethods` can tell a wrong method from a wrong path. */
export function collectMethods(app: App): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.refusesMethods) return
    const of = known.get(url) ?? new Set()
    for (const each of [method].flat()) of.add(each)
    known.set(url, of)
  })
  return known
}

/**
 * A known path with a wrong method: 405, and which ones there are. Called when all routes of a scope are registered,
 * inside it, so that what holds for the API (its rate limit, ids that are none) holds for these refusals too.
 */
export function refuseOtherMethods(app: App, known: Map<string, Set<string>>): void {
  for (const [url, of] of known) {
    if (!url.startsWith(`${app.prefix}/`)) continue
    known.delete(url)
    // Browsers ask with OPTIONS whether they may call the API, and are answered for all of it.
    const others = methods.filter((method) => !of.has(method) && (method !== 'OPTIONS' || app.prefix === ''))
    const allow = [...of].join(', ')
    app.route({
      method: others,
      url: url.slice(app.prefix.length),
      config: { hidden: true, refusesMethods: true, policy: anyone },
      handler: async () => {
        throw new ApiError('method_not_allowed', `This address takes ${allow} only.`, { headers: { allow } })
      },
    })
  }
}
