import type { FastifyRequest } from 'fastify'
import { ApiError } from '../http/errors.ts'
import { isOwnOrigin } from '../http/own-origin.ts'
import type { App } from '../http/routes.ts'

/**
 * Reads what was sent to a site. The body has not been read before, so what is sent to an address that takes none is
 * refused unread. The rest of a body that is too long is not read either, so the connection is closed.
 */
export async function readSent(
  { raw, headers }: FastifyRequest,
  { name, type, longest }: { name: string; type: string; longest: number },
): Promise<string> {
  const [given = ''] = (headers['content-type'] ?? '').split(';')
  if (given.trim().toLowerCase() !== type)
    throw new ApiError('unsupported_media_type', `Send ${name}, with Content-Type: ${type}.`)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longest)
      throw new ApiError('body_too_large', 'The message is too large.', { headers: { connection: 'close' } })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/**
 * Refuses requests from pages of other websites, which must not act in the name of a reader. `proxy` is a host that
 * shows the site as its own.
 */
export function requireOurs(app: App, request: FastifyRequest, proxy?: string | null): void {
  const { origin } = request.headers
  if (origin === undefined || isOwnOrigin(app, request, origin)) return
  if (!URL.canParse(origin) || new URL(origin).host !== proxy?.split('/')[0])
    throw new ApiError('forbidden', 'Requests can only be sent from pages of this site.')
}
