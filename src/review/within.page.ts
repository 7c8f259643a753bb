import { outcome } from '../account/parts.ts'
import type { IconName, Place } from '../front/layout.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'
import { frame } from '../workspace/frame.ts'
import type { Said } from '../workspace/said.ts'

/** What surrounds the body of a page within a change request. */
export interface Around extends Said {
  /** Path of the change request, or of another parent. */
  path: string
  name: HtmlValue
  form: string
}

export const withinPage = (
  place: Place,
  { path, name, done, error }: Around,
  heading: string,
  body: HtmlValue,
  icons: IconName[] = [],
  head?: Html,
): Html =>
  frame(
    place,
    heading,
    html`<p class="review-space"><a href="${place.link(path)}">${name}</a></p>
      <h1>${heading}</h1>
      ${error !== undefined && outcome('danger', error)} ${done !== undefined && outcome('success', done)} ${body}`,
    icons,
    head,
  )

export const buttonsWithBack = (place: Place, path: string, button: Html): Html =>
  html`<div class="review-buttons">${button} <a class="btn" href="${place.link(path)}">Back</a></div>`
