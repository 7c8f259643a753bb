import type { FastifyRequest } from 'fastify'

/** The message at the top of a page: what was just done, or what went wrong. */
export interface Said {
  done?: string
  error?: string
}

/** Returns the message about what was just done, by the name that the URL contains. */
export function doneIn({ query }: FastifyRequest, words: Record<string, string>): Said {
  const { done } = query as { done?: unknown }
  const said = typeof done === 'string' && Object.hasOwn(words, done) ? words[done] : undefined
  return said === undefined ? {} : { done: said }
}
