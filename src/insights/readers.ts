import type { IncomingMessage } from 'node:http'

/**
 * Programs that say what they are, among them a Lectern that imports a website. Those that do not are counted as
 * readers: nobody can tell them from one.
 */
const robot =
  /(?<!cu)bot|crawl|spider|slurp|scrap|preview|monitor|uptime|headless|lighthouse|archive|feed|facebookexternalhit|curl|wget|python|ruby|perl|php|java|node|axios|undici|http-?client|httpie|libwww|okhttp|lectern/i

/** Browsers send the same few names again and again. */
const known = new Map<string, boolean>()
const mostKnown = 1_000

/**
 * Whether somebody reads what they asked for: no program, and no browser that fetches ahead what may never be looked at.
 * A browser always says what it is.
 */
export function isReader({ method, headers }: IncomingMessage): boolean {
  const name = headers['user-agent']
  return method === 'GET' && name !== undefined && !isRobot(name) && !isAhead(headers)
}

function isRobot(name: string): boolean {
  const found = known.get(name)
  if (found !== undefined) return found
  if (known.size >= mostKnown) known.clear()
  const is = name === '' || robot.test(name)
  known.set(name, is)
  return is
}

function isAhead(headers: IncomingMessage['headers']): boolean {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-moz']
  return purpose !== undefined && String(purpose).includes('prefetch')
}
