import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../http/errors.ts'
import { isOwnOrigin } from '../http/own-origin.ts'
import type { App } from '../http/routes.ts'
import type { Session } from '../sessions/cookie.ts'

/** What a form sent. Of several fields with one name, the last one counts. */
export type Fields = Partial<Record<string, string>>

/** More than our fields take, so that it is the field that refuses what is too long, with all of it still there. */
const mostBytes = 64 * 1024
/** Hardly one of ours has as many. Without a limit, a large form of nothing but names keeps everybody waiting. */
const mostFields = 100

/** Our pages take what a browser sends from a form, and nothing else does. */
export function takeForms(app: App, bodyLimit = mostBytes, most = mostFields): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    async (_request: FastifyRequest, text: string | Buffer): Promise<Fields> => {
      if (String(text).split('&', most + 1).length > most) throw invalid('body', 'maxItems', `at most ${most} fields`)
      const fields = [...new URLSearchParams(String(text))].filter(([name]) => name !== '__proto__')
      return Object.fromEntries(fields.map(([name, value]) => [name, storable(value)]))
    },
  )
}

/**
 * A NUL comes with what somebody pastes, and cannot be kept. As in Markdown and in HTML, it becomes a sign that they can see
 * and take out: refused, it would take all that they wrote with it.
 */
export const storable = (text: string): string => text.replaceAll('\0', '\ufffd')

/** Browsers end the lines of a field in a way of their own, which is no change of what it says. */
export const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n')

export const fieldsOf = (request: FastifyRequest): Fields => request.body ?? {}

/** What a form is bound to: the session of whoever fills it in; before there is one, the browser. */
export type Holder = { session: Pick<Session, 'id'> } | { browser: string }

/**
 * Stands in each form of ours, so that none of another website, which cannot know it, is taken for one. It looks different
 * each time: where a page is compressed, its length could else give it away, guess by guess.
 */
export function formToken({ secrets }: App, holder: Holder): string {
  const nonce = randomBytes(12).toString('base64url')
  return `${nonce}.${secrets.sign('form', said(nonce, holder))}`
}

/**
 * A cookie alone allows nothing: the form must be ours, sent from a page of ours. A browser says `null` for the origin of
 * a page that gives its address to nobody; then it is up to the token.
 */
export function requireOwnForm(
  app: App,
  request: FastifyRequest,
  holder: Holder | undefined,
  fields = fieldsOf(request),
): void {
  if (comesFromElsewhere(app, request)) throw foreignForm()
  if (!holder) throw noCookie()
  if (!isBoundTo(app, holder, fields)) throw foreignForm()
}

export function isBoundTo(app: App, holder: Holder, { form = '' }: Fields): boolean {
  const [nonce = '', signature = ''] = form.split('.')
  return app.secrets.verify('form', said(nonce, holder), signature)
}

/**
 * Nobody is signed in, and another tab has made the page old that this comes from: of two that are opened at once, each
 * gets a cookie, and the browser keeps one of them. It is worth no more than to be shown again, with what was typed.
 */
export const isOvertaken = (app: App, request: FastifyRequest, browser: string | undefined): boolean =>
  browser !== undefined && !comesFromElsewhere(app, request) && !isBoundTo(app, { browser }, fieldsOf(request))

export const overtaken =
  'This page was out of date because of another tab, so nothing was done. Here is the current one.'

/** What a browser says about it. Alone, it is enough only to show somebody what they sent. */
export function comesFromElsewhere(app: App, request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return origin !== undefined && origin !== 'null' && !isOwnOrigin(app, request, origin)
}

const said = (nonce: string, holder: Holder) =>
  `${nonce} ${'session' in holder ? `session ${holder.session.id}` : `browser ${holder.browser}`}`

const foreignForm = () =>
  new ApiError('forbidden', 'This form was not sent from a page of Lectern, or the page is out of date. Reload it.')

const noCookie = () =>
  new ApiError(
    'forbidden',
    'The browser did not send Lectern’s cookie. Allow cookies for this address and reload the page.',
  )
