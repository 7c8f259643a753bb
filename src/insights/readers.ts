import type { IncomingMessage } from 'node:http'

/**
 * Programs that say what they are, among them a Lectern that imports a website. Those that do not are counted as
 * readers: nobody can tell them from one.
 */
const robot =
  /compatible;(?! (?:msie|konqueror))|\+https?:|\+[^\s+@]+@|(?<!cu)bot|crawl|spider|slurp|scrap|preview|monitor|uptime|headless|lighthouse|archive|feed|facebookexternalhit|curl|wget|python|ruby|perl|php|java|node|axios|undici|http-?client|httpie|libwww|okhttp|lectern/i

/** How the name of a browser begins. For reasons of the last century, nearly all call themselves Mozilla. */
const browser = /^(?:mozilla|opera|lynx|w3m|e?links|dillo|netsurf)\b/i

/** Browsers send the same few names again and again. */
const known = new Map<string, boolean>()
const mostKnown = 1_000

/** Whether somebody reads what they asked for. */
export const isReader = (request: IncomingMessage): boolean => request.method === 'GET' && isPerson(request)

/** No program, and no browser that fetches ahead what may never be looked at. A browser always says what it is. */
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
