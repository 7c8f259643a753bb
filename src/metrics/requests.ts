import type { FastifyReply, FastifyRequest } from 'fastify'
import { routeOf } from '../http/log.ts'
import { type Figure, type Sample, counter } from './figures.ts'

/** In seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts requests by route and status, and measures how long they took. */
export class RequestFigures {
  readonly #counts = new Map<string, Sample>()
  readonly #times = { api: new Times(), page: new Times() }

  readonly note = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // Uses the route as in the log, never the actual path, so that there are no more labels than routes.
    const route = routeOf(request, reply) ?? ''
    const status = String(reply.statusCode)
    const key = `${request.method} ${status} ${route}`
    const sample = this.#counts.get(key) ?? { labels: { method: request.method, route, status }, value: 0 }
    sample.value++
    this.#counts.set(key, sample)
    this.#times[route.startsWith('/v1/') ? 'api' : 'page'].add(reply.elapsedTime / 1000)
  }

  figures(): Figure[] {
    return [
      counter('lectern_requests_total', 'Requests answered, except pages served from the cache.', [
        ...this.#counts.values(),
      ]),
      {
        name: 'lectern_request_duration_seconds',
        help: 'Duration of requests until the response was sent.',
        type: 'histogram',
        samples: Object.entries(this.#times).flatMap(([kind, times]) => times.samples({ kind })),
      },
    ]
  }
}

class Times {
  readonly #counts = bounds.map(() => 0)
  #count = 0
  #sum = 0

  add(seconds: number): void {
    this.#count++
    this.#sum += seconds
    const at = bounds.findIndex((bound) => seconds <= bound)
    if (at !== -1) this.#counts[at]!++
  }

  samples(labels: Record<string, string>): Sample[] {
    let below = 0
    const buckets = bounds.map((bound, at): Sample => {
      below += this.#counts[at]!
      return { suffix: '_bucket', labels: { ...labels, le: String(bound) }, value: below }
    })
    return [
      ...buckets,
      { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: this.#count },
      { suffix: '_sum', labels, value: this.#sum },
      { suffix: '_count', labels, value: this.#count },
    ]
  }
}
