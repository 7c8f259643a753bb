import type { FastifyReply } from 'fastify'
import type { Html } from '../http/html.ts'
import type { App } from '../http/routes.ts'
import { placeOf } from '../front/place.ts'
import { policyOfPages } from '../front/policy.ts'

/**
 * Sends a page to the requester only, never cached. The addresses of these pages may contain a secret, so no referrer
 * is sent.
 */
export function answerPage(
  reply: FastifyReply,
  page: Html,
  status = 200,
  policy = policyOfPages("'self'"),
): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .send(String(page))
}

/**
 * Redirects after a form, to a page that can be reloaded without sending the form again. `part` is an anchor on that
 * page.
 */
export function leadTo(
  app: App,
  reply: FastifyReply,
  path: string,
  query: Record<string, string | undefined> = {},
  part?: string,
) {
  return reply
    .code(303)
    .headers({
      location: placeOf(app).link(pathWith(path, query)) + (part === undefined ? '' : `#${part}`),
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    })
    .send('')
}

export function pathWith(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((each): each is [string, string] => each[1] !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}
