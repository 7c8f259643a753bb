import type { FastifyRequest } from 'fastify'
import { weightsIn } from '../../http/accept.ts'
import { hasWords } from './words.ts'

/** Returns the language that a browser prefers, among those for which we have words. */
export function preferredLanguage({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const weighed = [...weightsIn(headers['accept-language'])].filter(([name, weight]) => weight > 0 && hasWords(name))
  const [first] = weighed.toSorted(([, one], [, other]) => other - one)
  return first?.[0] ?? 'en'
}
