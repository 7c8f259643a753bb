import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import { chooseForm } from '../../http/compress.ts'
import type { App } from '../../http/routes.ts'
import type { PageRead } from '../../insights/tally.ts'
import type { Given } from '../../http/given.ts'
import { type Manner, describePage } from './headers.ts'
import { KeptPage, KeptPages } from './kept-pages.ts'

/** How a reader came here: how the answer may be cached, and where the site begins for them. */
export interface Way {
  manner: Manner
  base: string
  isPreview: boolean
  /** The key of a share link, for programs that keep no cookies. `base` contains it. */
  key?: string | undefined
}

/** Something that a site shows, and what it is made from. */
export interface Shown {
  snapshot: SiteSnapshot
  way: Way
  /** Which part of the site it is. The same for all readers who came the same way. */
  name: string
  type?: string
  /** Whether each request for it is counted against the rate limit, and its headers say so. */
  isCounted?: boolean
  /** The page of documentation, if it is one. */
  read?: PageRead
}

export interface Made {
  text: string
  /** False while something is missing that may be available the next time. */
  isWhole: boolean
}

const kept = new KeptPages()

/**
 * Sends something that a site shows. What is the same for everybody is made once. Returns undefined if there is nothing
 * of that name.
 */
export async function sendMade(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Shown,
  make: () => Promise<Made | undefined>,
): Promise<Given | undefined> {
  const { snapshot, way, name } = shown
  const key = `${way.base} ${name}`
  const known = way.manner.isShared ? kept.find(snapshot, key) : undefined
  if (known) return send(app, request, reply, shown, known, true)

  const made = await make()
  if (!made) return undefined
  const page = new KeptPage(made.text)
  const isKept = way.manner.isShared && made.isWhole && page.isSmall
  if (isKept) kept.keep(snapshot, key, page)
  return send(app, request, reply, shown, page, isKept)
}

async function send(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { snapshot, way, type, isCounted = false, read }: Shown,
  page: KeptPage,
  isKept: boolean,
): Promise<Given> {
  describePage(reply, way.manner, type)
  reply.header('etag', page.tag)
  const encoding = chooseForm(request, reply, page.bytes.length)
  const body = encoding ? await page.as(encoding) : page.bytes
  if (isKept && !way.isPreview && !isCounted) {
    const headers: OutgoingHttpHeaders = {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-length': body.length,
    }
    delete headers['x-request-id']
    app.hot.keep(request.raw, { snapshot, tag: String(reply.getHeader('etag')), body, read }, headers)
  }
  if (read && !way.isPreview) app.insights.viewed(request.raw, read)
  return { reply: reply.send(body) }
}
