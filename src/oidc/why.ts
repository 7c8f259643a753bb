import { shortened } from '../shortened.ts'

const longest = 200

/**
 * What went wrong with a provider, for the log of those who run this. The sentences of the library say it in general
 * first, and what it was further down. Of what the provider sent there is no more than the word that it has for a
 * refusal, and what it calls itself: all else may hold anything.
 */
export function whyOf(error: unknown): string | undefined {
  const sentences: string[] = []
  for (let each = error; each !== undefined; each = causeOf(each)) sentences.push(...sentencesOf(each))
  return sentences.length > 0 ? sentences.join(': ') : undefined
}

function sentencesOf(error: unknown): string[] {
  if (error instanceof SyntaxError) return []
  if (!(error instanceof Error)) return nameIn(error)
  const word = 'error' in error && typeof error.error === 'string' && /^[\w.-]{1,60}$/.test(error.error)
  return word ? [error.message, error.error as string] : [error.message]
}

/** Of a provider with another name than the one that it was looked for by. */
function nameIn(details: unknown): string[] {
  const { attribute, body } = details as { attribute?: unknown; body?: { issuer?: unknown } }
  if (attribute !== 'issuer' || typeof body?.issuer !== 'string') return []
  return [`it calls itself ${shortened(body.issuer, longest)}`]
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined) ?? undefined
