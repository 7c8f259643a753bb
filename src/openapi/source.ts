import { type Incoming, discard, keepBlobs, receiveBlob } from '../files/blobs.ts'
import { ApiError, invalid } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import type { StoredSource } from './queries.ts'

/** The source in a request body. */
export interface GivenSource {
  url?: string
  text?: string
}

/** Takes the source from a request, and stores it if it is a text. */
export async function withSource<Result>(
  app: App,
  organizationId: string,
  given: GivenSource,
  use: (source: StoredSource) => Promise<Result>,
): Promise<Result> {
  const { url, text } = given
  if ((url === undefined) === (text === undefined)) {
    throw invalid('body.source', 'oneOf', 'must have exactly one of url and text')
  }
  if (url !== undefined) return use({ url: checkedUrl('body.source.url', url) })
  return withReceived(app, organizationId, await receiveText(app, text!), use)
}

/** The same for a source that has already been received as bytes. */
export async function withReceived<Result>(
  app: App,
  organizationId: string,
  incoming: Incoming,
  use: (source: StoredSource) => Promise<Result>,
): Promise<Result> {
  try {
    await keepBlobs(app.db, app.store, organizationId, [incoming])
    return await use({ blob: incoming.blob.hash })
  } finally {
    await discard([incoming])
  }
}

/** Refuses addresses right away that would be refused when fetched. */
export function checkedUrl(field: string, url: string): string {
  const { username, password } = new URL(url)
  if (username !== '' || password !== '') {
    throw invalid(field, 'format', 'must not have a user or a password in it')
  }
  return url
}

async function receiveText({ config }: App, text: string): Promise<Incoming> {
  const bytes = Buffer.from(text)
  const maxBytes = config.limits.specificationBytes
  if (bytes.length > maxBytes) {
    throw new ApiError('body_too_large', `A specification has at most ${maxBytes} bytes.`, {
      details: [{ path: 'body.source.text', rule: 'maxBytes', message: `at most ${maxBytes} bytes` }],
    })
  }
  return receiveBlob(config, [bytes], { name: 'openapi.txt', declared: 'text/plain', maxBytes })
}

/** A text grows in JSON: each line break and each quote takes two bytes there. */
export const bodyLimit = ({ config }: App) => 2 * config.limits.specificationBytes + 64 * 1024
