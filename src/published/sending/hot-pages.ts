import { randomUUID } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { SiteSnapshots } from '../../audience/snapshots/snapshots.ts'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import type { SiteRow } from '../../db/tables.ts'
import type { Insights } from '../../insights/insights.ts'
import type { PageRead } from '../../insights/tally.ts'
import { type Encoding, chooseEncoding } from '../../http/compress.ts'
import { isKnown } from '../../http/conditional.ts'
import { Recent } from '../../recent.ts'

/** A page that everybody gets alike, ready to be written. */
interface Hot {
  /** Of the snapshot that it was drawn from, which has a row of its own: the rest of it is not held in memory by a page. */
  site: SiteRow
  /** Names and values by turns, as they are written. The last one is for the id of each request. */
  headers: string[]
  /** For those who have it: what describes the body is left out. */
  unchanged: string[]
  tag: string
  body: Buffer
  /** Set: whoever gets it reads this page. */
  read: PageRead | undefined
}

/** Of headers and the like. */
const bytesAround = 2_000

/**
 * What readers ask for most, before anything else looks at the request: no query, no line in the log, and hardly more
 * work than sending the bytes. Only for those of whom nothing is known, and only while the site is as it was when the
 * page was drawn.
 */
export class HotPages {
  /** How many there were, for whoever counts requests. */
  readonly answers = { whole: 0, unchanged: 0 }
  readonly #snapshots: SiteSnapshots
  readonly #insights: Insights
  readonly #pages = new Recent<Hot>(32 * 1024 * 1024)
  readonly #encodings = new Map<string, Encoding | undefined>()

  constructor(snapshots: SiteSnapshots, insights: Insights) {
    this.#snapshots = snapshots
    this.#insights = insights
  }

  /** Answers false where the request has to take the long way. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#pages.bytes === 0 || !isPlain(request)) return false
    const key = this.#keyOf(request)
    const page = this.#pages.get(key)
    if (!page) return false
    if (this.#snapshots.known(page.site.id)?.site !== page.site) {
      this.#pages.delete(key)
      return false
    }
    const isUnchanged = isKnown(request, page.tag)
    this.answers[isUnchanged ? 'unchanged' : 'whole']++
    if (isUnchanged) response.writeHead(304, withId(page.unchanged)).end()
    else response.writeHead(200, withId(page.headers)).end(page.body)
    if (page.read) this.#insights.viewed(request, page.read)
    return true
  }

  /** For the next one who asks in the same way. */
  keep(
    request: IncomingMessage,
    { snapshot: { site }, tag, body, read }: Pick<Hot, 'tag' | 'body' | 'read'> & { snapshot: SiteSnapshot },
    headers: OutgoingHttpHeaders,
  ): void {
    if (!isPlain(request)) return
    const all = Object.entries({ ...headers, 'x-request-id': '' }).map(
      ([name, value]) => [name, String(value)] as const,
    )
    const unchanged = all.filter(([name]) => !/^content-(?:length|type|encoding)$/.test(name))
    const hot = { site, tag, body, read, headers: all.flat(), unchanged: unchanged.flat() }
    this.#pages.set(this.#keyOf(request), hot, body.length + bytesAround)
  }

  /**
   * Which host was asked for, a proxy may say in a header of its own: two sites may differ in nothing else. Who else says
   * so is not believed, and asks for another page with the same words.
   */
  #keyOf({ headers, url, socket }: IncomingMessage): string {
    const encoding = this.#encodingFor(headers['accept-encoding'] ?? '') ?? ''
    const forwarded = headers['x-forwarded-host']
    const said = forwarded === undefined ? '' : `${String(forwarded)} ${socket.remoteAddress}`
    return [headers.host, said, encoding, url].join('\n')
  }

  /** Browsers send the same few headers again and again. */
  #encodingFor(header: string): Encoding | undefined {
    if (this.#encodings.has(header)) return this.#encodings.get(header)
    if (this.#encodings.size > 1_000) this.#encodings.clear()
    const encoding = chooseEncoding(header)
    this.#encodings.set(header, encoding)
    return encoding
  }
}

/** In its place, since they are written at once: nobody else has them meanwhile. */
function withId(headers: string[]): string[] {
  headers[headers.length - 1] = randomUUID()
  return headers
}

/** Nothing in it could lead to another answer than others get. */
function isPlain({ method, headers, url }: IncomingMessage): boolean {
  const { accept } = headers
  return (
    method === 'GET' &&
    headers.cookie === undefined &&
    headers.host !== undefined &&
    !url!.includes('?') &&
    (accept === undefined || !/text\/markdown/i.test(accept))
  )
}
