import { readPath } from '../../audience/addresses.ts'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import { type Place, segmentsTo, visiblePlaces } from '../../audience/snapshots/structure.ts'
import { type Visitor, opens } from '../../audience/visitors/visitor.ts'
import type { App } from '../../http/routes.ts'
import { shortened } from '../../shortened.ts'
import { encodePath } from '../../sites/redirects/match.ts'
import { findPage, markdownOf } from '../below.ts'
import type { Found } from '../links.ts'
import { mostPages, namesOf, placesFor, searchSite } from '../search/search.ts'
import { titleOfSite } from '../site-title.ts'
import type { Server, Tool, ToolResult } from './protocol.ts'

/** The assistant of a visitor: it sees what the visitor would see. */
export interface Agent {
  snapshot: SiteSnapshot
  visitor: Visitor
  /**
   * The addresses below which the site has its pages: first the one where others find it, then the one of this request.
   */
  bases: readonly [string, ...string[]]
}

/** No assistant keeps more than this in mind. */
const longestPage = 200_000
const longestAddress = 2_000

const tools: readonly Tool[] = [
  {
    name: 'searchDocumentation',
    title: 'Search the documentation',
    description:
      'Finds pages by words, best match first, each with its URL and the matching lines. A few significant words work better than a whole question.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          description: 'What to search for, in the language of the documentation.',
        },
        page: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: `The page of the results, with ${mostPages} results each.`,
        },
        url: {
          type: 'string',
          description:
            'If there are several versions or languages: a URL in the one to search. Default: the first one.',
        },
      },
      required: ['query'],
    },
  },
  {
    name: 'getPage',
    title: 'Read a page',
    description: 'The whole text of a page as Markdown, by its address: from a search, or from a link of another page.',
    inputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string', minLength: 1, description: 'The URL or path of the page.' },
        part: { type: 'integer', minimum: 1, description: 'The part of a page that is too long for one response.' },
      },
      required: ['url'],
    },
  },
]

/** The tools of a site, for one assistant. */
export function serverOf(app: App, agent: Agent): Server {
  const title = titleOfSite(agent.snapshot, agent.visitor)
  return {
    title,
    instructions: `The documentation "${title}" (${agent.bases[0]}). Search it, then read the relevant pages before you answer, and cite their URLs.`,
    tools,
    call: async (name, input) => {
      if (name === 'searchDocumentation') return search(app, agent, input)
      return name === 'getPage' ? read(app, agent, input) : undefined
    },
  }
}

async function search(app: App, agent: Agent, input: Record<string, unknown>): Promise<ToolResult> {
  const { query, page = 1, url } = input
  if (typeof query !== 'string' || query.trim() === '') return wrong('`query` must contain the words to search for.')
  if (typeof page !== 'number' || !Number.isInteger(page) || page < 1 || page > 100)
    return wrong('`page` must be a whole number from 1 to 100.')
  if (url !== undefined && typeof url !== 'string') return wrong('`url` must be a URL in the version to search.')
  const here = url === undefined || url.trim() === '' ? undefined : await findAt(app, agent, url)
  if (url && !here) return wrong('There is nothing at this `url`. Search without it to see the available ones.')

  const { snapshot, visitor, bases } = agent
  const within = here ? { siteSpaceId: here.place.variant.row.id } : {}
  const question = { ...within, text: query, page }
  const { count, hits } = await searchSite(app, { snapshot, visitor, base: bases[0] }, question)
  const elsewhere = othersThan(agent, placesFor(agent, within))
  if (hits.length === 0) return { text: ['Nothing found. Try fewer or different words.', ...elsewhere].join('\n') }
  const lines = [count === 1 ? 'One page found.' : `${count} pages found.`]
  for (const { title, href, place, text, heading } of hits) {
    lines.push('', heading ? `### ${title}` : `## ${title}`, href, ...(heading ? [] : [place]))
    if (text !== '') lines.push('', text)
  }
  const last = Math.ceil(count / mostPages)
  if (page < last) lines.push('', `There are more: ask for page ${page + 1} of ${last}.`)
  return { text: [...lines, ...elsewhere].join('\n') }
}

const mostOthers = 20

/** Lists versions and languages that were not searched. Readers see a menu of them; an assistant has to be told. */
function othersThan({ snapshot, visitor, bases: [base] }: Agent, searched: readonly Place[]): string[] {
  const ids = new Set(searched.map(({ variant }) => variant.row.id))
  const others = visiblePlaces(snapshot, visitor).filter(({ variant }) => !ids.has(variant.row.id))
  if (others.length === 0) return []
  const addressOf = (place: Place) => base + encodePath(segmentsTo(snapshot, visitor, place, []))
  return [
    '',
    'Other versions or languages were not searched. To search one, pass its URL as `url`:',
    ...others
      .slice(0, mostOthers)
      .map((place) => `- ${namesOf(snapshot, visitor, place).join(' › ')}: ${addressOf(place)}`),
  ]
}

async function read(app: App, agent: Agent, { url, part = 1 }: Record<string, unknown>): Promise<ToolResult> {
  if (typeof url !== 'string' || url.trim() === '') return wrong('`url` must be the URL of a page.')
  if (typeof part !== 'number' || !Number.isInteger(part) || part < 1)
    return wrong('`part` must be a whole number, starting at 1.')
  const found = await findAt(app, agent, url)
  if (!found) return wrong('There is no such page. Find it with searchDocumentation.')
  const [base] = agent.bases
  const parts = partsOf(await markdownOf(app, found, base))
  const text = parts[part - 1]
  if (text === undefined) return wrong(`The page has ${parts.length === 1 ? 'one part' : `${parts.length} parts`}.`)
  if (part === parts.length) return { text }
  return { text: `${text}\n\nThe page is longer: ask for part ${part + 1} of ${parts.length}.\n` }
}

/** Splits a text into parts. Each ends at the end of a line, unless a line is longer than a whole part. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let from = 0
  while (text.length - from > longestPage) {
    const end = text.lastIndexOf('\n', from + longestPage)
    const to = end > from ? end : from + longestPage
    parts.push(text.slice(from, to))
    from = end > from ? to + 1 : to
  }
  return [...parts, text.slice(from)]
}

const wrong = (text: string): ToolResult => ({ text, isError: true })

/** Former addresses are redirected, as they are for readers. */
async function findAt(app: App, agent: Agent, address: string): Promise<Found | undefined> {
  const named = segmentsOf(agent.bases, shortened(address.trim(), longestAddress))
  if (!named) return undefined
  // People pass on the address that they used, which may contain a share key.
  const segments = opens(agent.snapshot, named[0]) ? named.slice(1) : named
  const found = await findPage(app, agent, segments)
  if (found) return found
  const led = await app.audience.resolve(agent.snapshot, agent.visitor, { segments, hasSlash: false })
  const further = led.kind === 'moved' ? readPath(led.path.split(/[?#]/)[0]!)?.segments : undefined
  return further && findPage(app, agent, further)
}

/**
 * Returns the segments of an address below one of the bases, or of a path. Pages use `.md` in the address of their own
 * text.
 */
function segmentsOf(bases: readonly string[], address: string): readonly string[] | undefined {
  const [plain = ''] = address.split(/[?#]/)
  const base = bases.find((each) => plain.startsWith(each) || `${plain}/` === each)
  if (base === undefined && /^[a-z][a-z\d+.-]*:|^\/\//i.test(plain)) return undefined
  const path = (base === undefined ? plain : plain.slice(base.length)).replace(/^\/+|\/+$/g, '')
  const asked = readPath(path)
  if (!asked) return undefined
  const last = asked.segments.at(-1)
  if (last === undefined || !last.endsWith('.md')) return asked.segments
  const name = last.slice(0, -'.md'.length)
  return name === 'index' ? asked.segments.slice(0, -1) : [...asked.segments.slice(0, -1), name]
}
