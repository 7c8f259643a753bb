import type { IncomingMessage } from 'node:http'

/**
 * Programs that identify themselves, including a Lectern that imports a website. Programs that pose as a browser are
 * counted as readers, because they cannot be distinguished.
 */
const robot =
  /compatible;(?! (?:msie|konqueror))|\+https?:|\+[^\s+@]+@|(?<!cu)bot|crawl|spider|slurp|scrap|preview|monitor|uptime|headless|lighthouse|archive|feed|facebookexternalhit|curl|wget|python|ruby|perl|php|java|node|axios|undici|http-?client|httpie|libwww|okhttp|lectern/i

/** How user agents of browsers begin. For historical reasons, nearly all begin with Mozilla. */
const browser = /^(?:mozilla|opera|lynx|w3m|e?links|dillo|netsurf)\b/i

/** Cache of decisions, because browsers send the same few user agents again and again. */
const known = new Map<string, boolean>()
const mostKnown = 1_000

/** Whether the request comes from a person who reads the answer. */
export const isReader = (request: IncomingMessage): boolean => request.method === 'GET' && isPerson(request)

/**
 * Excludes programs, and browsers that prefetch pages that may never be looked at. A browser always sends a user agent.
 */
export function isPerson({ headers }: IncomingMessage): boolean {
  const name = headers['user-agent']
  return name !== undefined && !isRobot(name) && !isAhead(headers)
}

function isRobot(name: string): boolean {
  const found = known.get(name)
  if (found !== undefined) return found
  if (known.size >= mostKnown) known.clear()
  const is = !browser.test(name) || robot.test(name)
  known.set(name, is)
  return is
}

function isAhead(headers: IncomingMessage['headers']): boolean {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-moz']
  return purpose !== undefined && String(purpose).includes('prefetch')
}
