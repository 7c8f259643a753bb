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

/** A page that is the same for everybody, ready to be sent. */
interface Hot {
  /**
   * The row of the snapshot from which the page was drawn. Each snapshot has its own row, so the page does not keep the
   * rest of the snapshot in memory.
   */
  site: SiteRow
  /** Names and values alternating, as `writeHead` takes them. The last value is for the id of each request. */
  headers: string[]
  /** For clients that already have the page: without the headers that describe the body. */
  unchanged: string[]
  tag: string
  body: Buffer
  /** If set, each answer counts as a read of this page. */
  read: PageRead | undefined
}

/** For headers and the like. */
const bytesAround = 2_000

/**
 * Answers the most requested pages before anything else looks at the request: no query, no line in the log, and hardly
 * more work than sending the bytes. Only for readers of whom nothing is known, and only while the site is as it was
 * when the page was drawn.
 */
export class HotPages {
  /** How many answers were sent, for the count of requests. */
  readonly answers = { whole: 0, unchanged: 0 }
  readonly #snapshots: SiteSnapshots
  readonly #insights: Insights
  readonly #pages = new Recent<Hot>(32 * 1024 * 1024)
  readonly #encodings = new Map<string, Encoding | undefined>()

  constructor(snapshots: SiteSnapshots, insights: Insights) {
    this.#snapshots = snapshots
    this.#insights = insights
  }

  /** Returns false if the request has to be handled in the usual way. */
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

  /** Keeps an answer for the next client that sends the same kind of request. */
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
   * A proxy may name the requested host in a header of its own, and requests for two sites may differ in nothing else.
   * From anyone but a proxy this header is ignored and the same header values mean a different page, so the remote
   * address is part of the key.
   */
  #keyOf({ headers, url, socket }: IncomingMessage): string {
    const encoding = this.#encodingFor(headers['accept-encoding'] ?? '') ?? ''
    const forwarded = headers['x-forwarded-host']
    const said = forwarded === undefined ? '' : `${String(forwarded)} ${socket.remoteAddress}`
    return [headers.host, said, encoding, url].join('\n')
  }

  /** Browsers send the same few headers again and again, so the result is cached. */
  #encodingFor(header: string): Encoding | undefined {
    if (this.#encodings.has(header)) return this.#encodings.get(header)
    if (this.#encodings.size > 1_000) this.#encodings.clear()
    const encoding = chooseEncoding(header)
    this.#encodings.set(header, encoding)
    return encoding
  }
}

/** Sets the id in place. The headers are written immediately, so no other request uses them in between. */
function withId(headers: string[]): string[] {
  headers[headers.length - 1] = randomUUID()
  return headers
}

/** Whether nothing in the request could lead to a different answer than others get. */
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
