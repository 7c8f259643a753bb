import { shortened } from '../shortened.ts'

const longest = 200

/**
 * Explains what went wrong with a provider, for the operator's log. The messages of the library are general at the top,
 * and specific further down. Of the provider's response, only its error code and its issuer are included: anything else
 * may contain arbitrary content.
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

/** For a provider whose issuer is different from the configured one. */
function nameIn(details: unknown): string[] {
  const { attribute, body } = details as { attribute?: unknown; body?: { issuer?: unknown } }
  if (attribute !== 'issuer' || typeof body?.issuer !== 'string') return []
  return [`it calls itself ${shortened(body.issuer, longest)}`]
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined) ?? undefined
