const longest = 2_000

/**
 * Where to lead somebody who has signed in: a path of this installation, and nothing that a browser could take for more.
 * An address that others wrote must not send people elsewhere under our name.
 */
export function readNext(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > longest) return undefined
  if (!/^\/(?![/\\])/.test(text) || /[\\\p{Cc}\s]/u.test(text)) return undefined
  const base = 'http://here.invalid'
  if (!URL.canParse(text, base)) return undefined
  const { origin, pathname, search, hash } = new URL(text, base)
  const next = pathname + search + hash
  // `/./` and the like are gone by now, and letters of other scripts have become longer: what is left is looked at again.
  return origin === base && !pathname.startsWith('//') && next.length <= longest ? next : undefined
}
