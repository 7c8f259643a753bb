/** The rules of a site for programs that read it (RFC 9309). */
export interface Robots {
  mayFetch(url: string): boolean
  sitemaps: string[]
  /** How long to wait between two pages. */
  delayMs: number
}

interface Rule {
  allow: boolean
  length: number
  matches(path: string): boolean
}

interface Group {
  agents: string[]
  rules: Rule[]
  delayMs: number
}

const maxBytes = 500 * 1024
const mostDelayMs = 5_000

export const everythingAllowed: Robots = { mayFetch: () => true, sitemaps: [], delayMs: 0 }

export function readRobots(text: string, agent: string): Robots {
  const sitemaps: string[] = []
  const groups: Group[] = []
  let isNaming = false
  for (const line of text.slice(0, maxBytes).split(/\r\n|\r|\n/)) {
    const [, name = '', said = ''] = /^\s*([\w-]+)\s*:([^#]*)/.exec(line) ?? []
    const [field, value] = [name.toLowerCase(), said.trim()]
    if (field === 'sitemap' && value !== '') sitemaps.push(value)
    if (field === 'user-agent') {
      if (!isNaming) groups.push({ agents: [], rules: [], delayMs: 0 })
      groups.at(-1)!.agents.push(value.toLowerCase())
      isNaming = true
    } else if (field !== '' && field !== 'sitemap') {
      isNaming = false
      addTo(groups.at(-1), field, value)
    }
  }
  const named = groups.filter(({ agents }) =>
    agents.some((each) => each !== '*' && each !== '' && agent.includes(each)),
  )
  const mine = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'))
  const rules = mine.flatMap((group) => group.rules)
  return {
    mayFetch: (url) => isAllowed(rules, pathOf(url)),
    sitemaps,
    delayMs: Math.max(0, ...mine.map(({ delayMs }) => delayMs)),
  }
}

function addTo(group: Group | undefined, field: string, value: string): void {
  if (!group) return
  if (field === 'crawl-delay') group.delayMs = Math.min((Number(value) || 0) * 1_000, mostDelayMs)
  if ((field === 'allow' || field === 'disallow') && value !== '' && value.length <= 1_000)
    group.rules.push({ allow: field === 'allow', length: value.length, matches: patternOf(value) })
}

/** `*` matches anything, `$` the end. Parts are searched for one after the other, so no pattern takes long. */
function patternOf(pattern: string): (path: string) => boolean {
  const isExact = pattern.endsWith('$')
  const [first = '', ...parts] = (isExact ? pattern.slice(0, -1) : pattern).split('*')
  return (path) => {
    if (!path.startsWith(first)) return false
    let at = first.length
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1
      const found = isLast && isExact ? path.length - part.length : path.indexOf(part, at)
      if (found < at || !path.startsWith(part, found)) return false
      at = found + part.length
    }
    return !isExact || at === path.length
  }
}

/** The longest rule decides. Of two equally long rules, the one that allows decides. */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  let best: Rule | undefined
  for (const rule of rules) {
    if (!rule.matches(path)) continue
    if (!best || rule.length > best.length || (rule.length === best.length && rule.allow)) best = rule
  }
  return best?.allow ?? true
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
