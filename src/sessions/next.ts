const longest = 2_000

/**
 * Returns where to send a user after signing in: a path of this installation, and nothing that a browser could take for
 * more. An address written by others must not send people elsewhere under our name.
 */
export function readNext(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > longest) return undefined
  if (!/^\/(?![/\\])/.test(text) || /[\\\p{Cc}\s]/u.test(text)) return undefined
  const base = 'http://here.invalid'
  if (!URL.canParse(text, base)) return undefined
  const { origin, pathname, search, hash } = new URL(text, base)
  const next = pathname + search + hash
  // Parsing has resolved `/./` and the like, and encoding has made letters of other scripts longer, so the result is
  // checked again.
  return origin === base && !pathname.startsWith('//') && next.length <= longest ? next : undefined
}
