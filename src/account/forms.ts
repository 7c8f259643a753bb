import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../http/errors.ts'
import { isOwnOrigin } from '../http/own-origin.ts'
import type { App } from '../http/routes.ts'
import type { Session } from '../sessions/cookie.ts'

/** The fields of a submitted form. If several have the same name, the last one counts. */
export type Fields = Partial<Record<string, string>>

/** More than our fields accept, so that the field itself refuses a text that is too long, without losing any of it. */
const mostBytes = 64 * 1024
/** Hardly any of our forms has as many. Without a limit, a large form of many names would block the server. */
const mostFields = 100

/** Accepts only url-encoded forms, as browsers send them to our pages. */
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
 * Pasted text can contain NUL, which cannot be stored. As in Markdown and HTML, it becomes a visible character that the
 * writer can remove. Refusing it would lose the whole text.
 */
export const storable = (text: string): string => text.replaceAll('\0', '\ufffd')

/** Browsers use CRLF for line ends in a field, which does not change the text. */
export const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n')

export const fieldsOf = (request: FastifyRequest): Fields => request.body ?? {}

/** What a form is bound to: the session of the person filling it in, or before there is one, the browser. */
export type Holder = { session: Pick<Session, 'id'> } | { browser: string }

/**
 * A token for each of our forms, so that a form of another website, which cannot know it, is refused. It differs each
 * time: on a compressed page, the length could otherwise reveal it guess by guess.
 */
export function formToken({ secrets }: App, holder: Holder): string {
  const nonce = randomBytes(12).toString('base64url')
  return `${nonce}.${secrets.sign('form', said(nonce, holder))}`
}

/**
 * A cookie alone allows nothing: the form must be ours and sent from one of our pages. Browsers send `null` as the
 * origin of a page that sends no referrer. Then only the token decides.
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
 * Whether another tab has made this page out of date before anybody signed in. If two tabs are opened at once, each
 * gets a cookie, and the browser keeps one of them. The form is then only shown again, with what was typed.
 */
export const isOvertaken = (app: App, request: FastifyRequest, browser: string | undefined): boolean =>
  browser !== undefined && !comesFromElsewhere(app, request) && !isBoundTo(app, { browser }, fieldsOf(request))

export const overtaken =
  'This page was out of date because of another tab, so nothing was done. Here is the current one.'

/**
 * Whether the headers show that a request comes from another website. On its own, this check is enough only for showing
 * people what they sent.
 */
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
