import type { Static } from 'typebox'
import { buttonForm, moment } from '../../account/parts.ts'
import { jsonBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { WebhookDelivery } from '../../webhooks/schema.ts'
import { asking } from '../asking.ts'
import { partLinks } from '../paging.ts'
import { counted, rows } from '../rows.ts'
import { summaryOf } from './events.form.ts'
import type { WebhookParts } from './webhook.page.ts'

type Delivery = Static<typeof WebhookDelivery>

const tones = { pending: 'info', delivered: 'success', failed: 'danger' } as const
const words = { pending: 'waits', delivered: 'delivered', failed: 'failed' } as const

/** What was sent to a webhook or will be sent, with the results. */
export function deliveriesOf(place: Place, parts: WebhookParts): Html {
  const { deliveries, failed } = parts
  return html`${(deliveries.count > 0 || failed) && choosing(place, parts)}
  ${rows(
    deliveries.rows.map((each) => rowOf(place, parts, each)),
    failed ? 'None has failed.' : 'Nothing was sent yet.',
  )}
  ${partLinks(place, deliveries, '#deliveries')}`
}

const choosing = (place: Place, { path, failed }: WebhookParts) =>
  html`<p class="aside">
    ${
      failed
        ? html`Those that failed. <a href="${place.link(path)}#deliveries">All</a>`
        : html`<a href="${place.link(`${path}?status=failed`)}#deliveries">Only failed ones</a>`
    }
  </p>`

function rowOf(place: Place, parts: WebhookParts, delivery: Delivery): Html {
  const { type, status, createdAt } = delivery
  return html`<li>
    <span class="row-main">
      <strong>${summaryOf(type)}</strong>
      <span class="row-more">${moment(new Date(createdAt))}${outcomeOf(delivery)}</span>
    </span>
    <div class="review-does">
      <span class="tag" data-tone="${tones[status]}">${words[status]}</span>
      ${asking('Details', detailsOf(delivery), `Details of the delivery of ${createdAt}`)}
      ${parts.webhook.active && status !== 'pending' && sendingAgain(place, parts, delivery)}
    </div>
  </li>`
}

/** The last answer, and when the next attempt is made. */
function outcomeOf({ attempts, nextAttemptAt }: Delivery): HtmlValue {
  const last = attempts.at(-1)
  return html`${last && html` · ${answerIn(last)}`}${attempts.length > 1 && ` · ${counted(attempts.length, 'attempt')}`}${
    nextAttemptAt !== undefined && html` · tried next ${moment(new Date(nextAttemptAt))}`
  }`
}

const answerIn = ({ status, error, durationMs }: Delivery['attempts'][number]) =>
  `${status === undefined ? (error ?? 'no answer') : `answered ${status}`} after ${durationMs.toLocaleString('en')} ms`

function detailsOf({ type, attempts, payload }: Delivery): Html {
  return html`<div class="review-ask">
    ${
      attempts.length > 0 &&
      html`<div class="row-more">
        ${attempts.map((each) => html`<p>${moment(new Date(each.at))}: ${answerIn(each)}</p>`)}
      </div>`
    }
    ${jsonBlock(type, payload)}
  </div>`
}

const sendingAgain = (place: Place, { path, form }: WebhookParts, { id, createdAt }: Delivery) =>
  buttonForm(place, {
    action: `${path}/again`,
    fields: { form, delivery: id },
    label: 'Send again',
    name: `Send again: the delivery of ${createdAt}`,
  })
