import type { FastifyReply } from 'fastify'
import { attributes, trusted } from '../../content/html/template.ts'
import { type Html, html } from '../../http/html.ts'
import { mark } from '../../look/mark.ts'
import { describeNotice } from '../sending/headers.ts'
import { preferredLanguage } from '../words/preferred.ts'
import { type Words, directionOf, knownLanguage, wordsFor } from '../words/words.ts'
import { noticeStyle } from './notice-style.ts'

/** What a notice says, in the words of a language. */
export type Notice = (words: Words) => Said

export interface Said {
  status: number
  title: string
  text: string
  /** Where to go from here. */
  link?: { href: string; label: string }
  form?: Html
  /** In seconds, for what does not exist yet. */
  reloadsIn?: number
}

/** Reveals nothing of a site to people who may not read it: all of them get this same page. */
export const nothingHere: Notice = ({ notFound, nothingHere }) => ({ status: 404, title: notFound, text: nothingHere })

export const addressTooLong: Notice = ({ tooLong, tooLongText }) => ({ status: 414, title: tooLong, text: tooLongText })

export const onlyReading: Notice = (words) => ({ status: 405, title: words.onlyReading, text: words.onlyReadingText })

export const signInNeeded: Notice = (words) => ({
  status: 401,
  title: words.signInNeeded,
  text: words.signInNeededText,
})

export const signInFailed =
  (href: string | undefined): Notice =>
  (words) => ({
    status: 401,
    title: words.signInFailed,
    text: words.signInFailedText,
    ...(href !== undefined && { link: { href, label: words.signInAgain } }),
  })

export const signedOut: Notice = (words) => ({ status: 200, title: words.signedOut, text: words.signedOutText })

export const previewLeft: Notice = (words) => ({ status: 200, title: words.previewLeft, text: words.previewLeftText })

export const tooMany: Notice = (words) => ({ status: 429, title: words.tooMany, text: words.tooManyText })

export const unavailable: Notice = (words) => ({ status: 503, title: words.unavailable, text: words.unavailableText })

export const brokenPage: Notice = ({ broken, brokenText }) => ({ status: 500, title: broken, text: brokenText })

/**
 * Sends a notice in the language that the reader prefers: the language of a site is revealed only to people who may
 * read it. For them, a notice about a page is in the language of the page.
 */
export function showNotice(
  reply: FastifyReply,
  notice: Notice,
  language = preferredLanguage(reply.request),
): FastifyReply {
  const said = notice(wordsFor(language))
  // HTTP requires it with every 401. Browsers show no prompt for this one.
  if (said.status === 401) reply.header('www-authenticate', 'Bearer')
  return describeNotice(reply.code(said.status)).send(String(drawNotice(said, language)))
}

/** Draws a notice with no script, nothing to load, and nothing of a site. */
export const drawNotice = ({ status, title, text, link, form, reloadsIn }: Said, language: string): Html =>
  html`<!doctype html>
    <html${attributes({ lang: knownLanguage(language), dir: directionOf(knownLanguage(language)) })}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="color-scheme" content="light dark" />
        ${reloadsIn !== undefined && html`<meta http-equiv="refresh" content="${reloadsIn}" />`}${style}
      </head>
      <body>
        <main>
          ${mark}${status >= 400 && !form && html`<p class="code">${status}</p>`}
          <h1>${title}</h1>
          <p>${text}</p>
          ${form}${link && html`<a class="btn" href="${link.href}">${link.label}</a>`}
        </main>
      </body>
    </html>`

/** No whitespace that is not part of the style itself: the policy allows it by its hash. */
const style = trusted(`<style>${noticeStyle}</style>`)
