import type { FastifyReply } from 'fastify'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import type { App } from '../../http/routes.ts'
import type { Asset } from '../../look/assets.ts'

const year = 365 * 24 * 3_600

/** Diagrams are drawn in a sandboxed frame without an origin, so it has no access to the site. */
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
 * Sends a file that pages load. It contains nothing of the site, so it is the same for everybody, no matter who may
 * read the site. Without a snapshot, only files that are already known are sent.
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
  // Files that are named by their content or by their version never change.
  reply.headers({
    'content-type': asset.type,
    'cache-control': isFrame ? 'public, max-age=3600' : `public, max-age=${year}, immutable`,
    // The frame has no origin, so it loads its script as a cross-origin request.
    'access-control-allow-origin': '*',
    'content-security-policy': isFrame ? framePolicy(originOf(reply)) : "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  })
  return reply.send(asset.body)
}

/** Finds the style sheet of a page that another node drew, or that this process drew before a restart. */
function findSheet(app: App, file: string, { site, root, sections, fonts }: SiteSnapshot): Asset | undefined {
  const variants = [...root.all, ...sections.all.flatMap((section) => section.variants.all)]
  for (const { customization } of variants) app.looks.styleSheet(fonts, site.customization, customization)
  return app.looks.find(file)
}

/** Returns the origin of the frame's script. `'self'` matches nothing in a document without an origin. */
function originOf({ request }: FastifyReply): string {
  return `${request.protocol}://${request.host}`
}
