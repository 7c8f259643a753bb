import type { FastifyRequest } from 'fastify'
import type { App } from './routes.ts'

/** Whether the origin that a page claims to have is this server. */
export function isOwnOrigin({ url }: App, request: FastifyRequest, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { host, origin: plain } = new URL(origin)
  // A proxy in front of the server may request a different host than the browser does. Then the configured address
  // counts.
  return host === request.host || plain === new URL(url).origin
}
