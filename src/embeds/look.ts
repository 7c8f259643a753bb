import { FetchFailure } from '../fetch/failure.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { decodeHtml } from '../imports/reader/decode.ts'
import { type Said, saidIn } from './said.ts'

/** What a page says of itself stands at its beginning. Somebody may wait for it. */
const limits = { firstByteMs: 5_000, totalMs: 8_000, bytes: 512 * 1024, redirects: 5 }
const headers = { accept: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1' }

/** Asks a page what it is. Fails with a FetchFailure; what is no page says nothing. */
export async function lookAt(fetcher: Fetcher, address: string, signal?: AbortSignal): Promise<Said> {
  const fetched = await fetcher.fetch(address, { limits, headers, beginningOnly: true, ...(signal && { signal }) })
  const { status, contentType, bytes, url } = fetched
  // Whoever wants to know first who asks, or has nothing to show, answers with another one: that is not what it is called.
  if (status !== 200 && status !== 203) throw new FetchFailure('bad-status')
  return /\bhtml\b/i.test(contentType ?? 'html') ? saidIn(decodeHtml(bytes, contentType, null), url) : {}
}
