import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from './errors.ts'
import { networkOf } from './network.ts'
import { maybeCaller } from './routes.ts'

interface Window {
  used: number
  endsAt: number
}

const windowMs = 60_000

/**
 * Counts calls per minute, for each verified credential or, without one, for each address. Counted per node: the limit
 * keeps one caller from crowding out the others, and is not for billing.
 */
export class RateLimit {
  readonly #limits: { perCredential: number; perAddress: number }
  readonly #windows = new Map<string, Window>()
  #sweptAt = Date.now()

  constructor(limits: { perCredential: number; perAddress: number }) {
    this.#limits = limits
  }

  /** Counts this call, sets the headers, and refuses the call if it exceeds the limit. */
  count(request: FastifyRequest, reply: FastifyReply): void {
    const now = Date.now()
    const caller = maybeCaller(request)
    const limit = caller ? this.#limits.perCredential : this.#limits.perAddress
    const window = this.#windowOf(caller ? caller.token.id : networkOf(request.ip), now)
    window.used += 1

    reply.header('x-ratelimit-limit', limit)
    reply.header('x-ratelimit-remaining', Math.max(0, limit - window.used))
    reply.header('x-ratelimit-reset', Math.ceil(window.endsAt / 1000))
    if (window.used <= limit) return
    throw new ApiError('rate_limited', 'Too many requests. Wait until the time in Retry-After has passed.', {
      headers: { 'retry-after': String(Math.max(1, Math.ceil((window.endsAt - now) / 1000))) },
    })
  }

  #windowOf(key: string, now: number): Window {
    if (now - this.#sweptAt > windowMs) this.#sweep(now)
    let window = this.#windows.get(key)
    if (!window || window.endsAt <= now) {
      window = { used: 0, endsAt: now + windowMs }
      this.#windows.set(key, window)
    }
    return window
  }

  #sweep(now: number): void {
    this.#sweptAt = now
    for (const [key, window] of this.#windows) if (window.endsAt <= now) this.#windows.delete(key)
  }
}
