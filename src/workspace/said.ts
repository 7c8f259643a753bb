import type { FastifyRequest } from 'fastify'

/** What a page says first: what was just done, or what went wrong. */
export interface Said {
  done?: string
  error?: string
}

/** What was just done, by the name that the address gives it. */
export function doneIn({ query }: FastifyRequest, words: Record<string, string>): Said {
  const { done } = query as { done?: unknown }
  const said = typeof done === 'string' && Object.hasOwn(words, done) ? words[done] : undefined
  return said === undefined ? {} : { done: said }
}
