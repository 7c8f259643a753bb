import type { FastifyReply } from 'fastify'
import { trusted } from '../../content/html/template.ts'
import { type Html, html } from '../../http/html.ts'
import { mark } from '../../look/mark.ts'
import { describeNotice } from '../sending/headers.ts'
import { noticeStyle } from './notice-style.ts'

export interface Notice {
  status: number
  title: string
  text: string
  /** Where to go from here. */
  link?: { href: string; label: string }
  form?: Html
  /** In seconds, for what is not there yet. */
  reloadsIn?: number
}

/** Nothing of a site is told to those who may not read it: this page is the same for every one of them. */
export const nothingHere: Notice = {
  status: 404,
  title: 'Page not found',
  text: 'There is nothing at this address. Perhaps it has moved, or it was never here.',
}

export const addressTooLong: Notice = {
  status: 414,
  title: 'This address is too long',
  text: 'No page has an address of this length.',
}

export const onlyReading: Notice = {
  status: 405,
  title: 'This cannot be done here',
  text: 'Pages can be read, and nothing else.',
}

export const signInNeeded: Notice = {
  status: 401,
  title: 'Sign in to read this',
  text: 'These pages are for people who are signed in. Ask whoever sent you here how to do that.',
}

export const signInFailed = (href: string | undefined): Notice => ({
  status: 401,
  title: 'You could not be signed in',
  text: 'The sign-in that brought you here is not valid, or not any more.',
  ...(href !== undefined && { link: { href, label: 'Sign in again' } }),
})

export const signedOut: Notice = {
  status: 200,
  title: 'You are signed out',
  text: 'This browser has forgotten who you are.',
}

export const previewLeft: Notice = {
  status: 200,
  title: 'You have left the preview',
  text: 'This site is not published. Until it is, there is nothing else to see here.',
}

export const tooMany: Notice = {
  status: 429,
  title: 'Too much at once',
  text: 'More was asked from your network than the server answers in a minute. Try again in a minute.',
}

export const unavailable: Notice = {
  status: 503,
  title: 'Back in a moment',
  text: 'The server cannot reach its data right now. Try again in a moment.',
}

export const brokenPage: Notice = {
  status: 500,
  title: 'Something went wrong',
  text: 'This page could not be shown. That is our fault, not yours.',
}

export function showNotice(reply: FastifyReply, notice: Notice): FastifyReply {
  // HTTP wants it with every 401. No browser asks anybody anything for this one.
  if (notice.status === 401) reply.header('www-authenticate', 'Bearer')
  return describeNotice(reply.code(notice.status)).send(String(drawNotice(notice)))
}

/** No script, nothing to load, and nothing of a site. */
export const drawNotice = ({ status, title, text, link, form, reloadsIn }: Notice): Html =>
  html`<!doctype html>
    <html lang="en">
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

/** Without a blank that is not in the style itself: the policy knows it by its hash. */
const style = trusted(`<style>${noticeStyle}</style>`)
