import type { FastifyRequest } from 'fastify'
import type { App } from './routes.ts'

/** Whether a page that says it comes from here does. */
export function isOwnOrigin({ url }: App, request: FastifyRequest, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { host, origin: plain } = new URL(origin)
  // A proxy in front of us may ask for another host than the browser does: then it is the one we are told we have.
  return host === request.host || plain === new URL(url).origin
}
