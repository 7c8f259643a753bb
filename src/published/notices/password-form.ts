import type { FastifyReply } from 'fastify'
import { html } from '../../http/html.ts'
import { describeForm } from '../sending/headers.ts'
import { preferredLanguage } from '../words/preferred.ts'
import { wordsFor } from '../words/words.ts'
import { drawNotice } from './notices.ts'

export interface Asking {
  /** Where the password is sent. */
  action: string
  /** Where the visitor wants to go, below the site. */
  location: string
  /** Why the password is asked for again. */
  refused?: string
  status?: number
}

/** Asks for the password of a share link. The answer reveals nothing of the site. */
export function showPasswordForm(reply: FastifyReply, asking: Asking): FastifyReply {
  const { action, location, refused, status = 401 } = asking
  const language = preferredLanguage(reply.request)
  const words = wordsFor(language)
  // HTTP requires it with every 401. Browsers show no prompt for this one.
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  const form = html`<form method="post" action="${action}">
    <input type="hidden" name="location" value="${location}" />
    <label for="password">${words.password}</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      required
      autofocus
      ${refused && html`aria-invalid="true" aria-describedby="refused"`}
    />
    ${refused && html`<p id="refused" class="refused" role="alert">${refused}</p>`}
    <button class="btn">${words.openLink}</button>
  </form>`
  const said = { status, title: words.passwordAsked, text: words.passwordAskedText, form }
  return describeForm(reply.code(status), action).send(String(drawNotice(said, language)))
}
