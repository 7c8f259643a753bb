import type { FastifyReply } from 'fastify'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import type { App } from '../../http/routes.ts'
import type { Asset } from '../../look/assets.ts'

const year = 365 * 24 * 3_600

/** Diagrams are drawn in a frame that has no part in the site: its origin is none. */
const framePolicy = (self: string) =>
  [
    "default-src 'none'",
    `script-src ${self}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ')

/**
 * A file that pages load. It is the same for everybody, whoever may read the site: nothing of the site is in it. Without
 * a site, only what is known already.
 */
export function sendAsset(
  app: App,
  reply: FastifyReply,
  file: string,
  snapshot?: SiteSnapshot,
): FastifyReply | undefined {
  const isSheet = snapshot && file.startsWith('site.')
  const asset = app.looks.find(file) ?? (isSheet ? findSheet(app, file, snapshot) : undefined)
  if (!asset) return undefined
  const isFrame = file === app.looks.diagrams
  // What is named by its content, or by its version, never changes.
  reply.headers({
    'content-type': asset.type,
    'cache-control': isFrame ? 'public, max-age=3600' : `public, max-age=${year}, immutable`,
    // A frame without an origin loads its script as a stranger.
    'access-control-allow-origin': '*',
    'content-security-policy': isFrame ? framePolicy(originOf(reply)) : "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  })
  return reply.send(asset.body)
}

/** The style sheet of a page that another node has drawn, or this process before it was started anew. */
function findSheet(app: App, file: string, { site, root, sections, fonts }: SiteSnapshot): Asset | undefined {
  const variants = [...root.all, ...sections.all.flatMap((section) => section.variants.all)]
  for (const { customization } of variants) app.looks.styleSheet(fonts, site.customization, customization)
  return app.looks.find(file)
}

/** Where the script of the frame comes from: `'self'` is nothing to a document without an origin. */
function originOf({ request }: FastifyReply): string {
  return `${request.protocol}://${request.host}`
}
