import { FetchFailure } from '../fetch/failure.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { decodeHtml } from '../imports/reader/decode.ts'
import { type Said, saidIn } from './said.ts'

/** A page describes itself at its beginning, so few bytes are enough. Somebody may be waiting for the answer. */
const limits = { firstByteMs: 5_000, totalMs: 8_000, bytes: 512 * 1024, redirects: 5 }
const headers = { accept: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1' }

/**
 * Requests a page and reads what it says about itself. Throws a FetchFailure; returns nothing for anything but HTML.
 */
export async function lookAt(fetcher: Fetcher, address: string, signal?: AbortSignal): Promise<Said> {
  const fetched = await fetcher.fetch(address, { limits, headers, beginningOnly: true, ...(signal && { signal }) })
  const { status, contentType, bytes, url } = fetched
  // A server answers with another status if it first wants to know who asks, or has nothing to show. The title of that
  // answer is not the title of the page.
  if (status !== 200 && status !== 203) throw new FetchFailure('bad-status')
  return /\bhtml\b/i.test(contentType ?? 'html') ? saidIn(decodeHtml(bytes, contentType, null), url) : {}
}
