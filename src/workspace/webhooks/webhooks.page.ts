import type { Static } from 'typebox'
import type { Membership } from '../../access/caller.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { Webhook } from '../../webhooks/schema.ts'
import { frame } from '../frame.ts'
import { type Part, partLinks } from '../paging.ts'
import { rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { organizationTop } from '../top.ts'
import { type TypedWebhook, blank, webhookForm } from './events.form.ts'
import type { PlacesToChoose } from './places.form.ts'

/** A webhook as in the lists of the API: without its secret. */
export type ShownWebhook = Static<typeof Webhook>

interface WebhooksParts extends Said {
  membership: Membership
  /** The path of the page. */
  path: string
  webhooks: Part<ShownWebhook>
  form: string
  typed?: TypedWebhook
  places: PlacesToChoose
}

/** The webhooks of an organization, for its administrators, with a form for a new one. */
export function webhooksPage(place: Place, parts: WebhooksParts): Html {
  const { membership, path, webhooks, form, typed, places } = parts
  return frame(
    place,
    `Webhooks · ${membership.organization.title}`,
    html`${organizationTop(place, membership, 'Settings', parts)}
      <section aria-label="Webhooks">
        <h2>Webhooks</h2>
        <p class="aside">
          Webhooks tell your own programs what happens here, as it happens. Each event is sent to an address, signed
          with a secret and repeated after a failure. It says what happened to which ids, without any content.
        </p>
        ${rows(
          webhooks.rows.map((each) => rowOf(place, path, each)),
          'None yet. Create the first one below.',
        )}
        ${partLinks(place, webhooks)}
      </section>
      <section aria-label="New webhook">
        <h2>New webhook</h2>
        ${webhookForm(place, {
          action: path,
          fields: { form },
          typed: typed ?? blank,
          places,
          button: html`<button class="btn primary">Create webhook</button>`,
        })}
      </section>`,
  )
}

const rowOf = (place: Place, path: string, webhook: ShownWebhook) =>
  html`<li>
    <span class="row-main">
      <a href="${place.link(`${path}/${webhook.id}`)}"><strong>${webhook.title || webhook.url}</strong></a>
      <span class="row-more">${webhook.url}</span>
      ${webhook.disabledReason !== undefined && html`<span class="row-more">${webhook.disabledReason}</span>`}
    </span>
    ${standingTag(webhook)}
  </li>`

/** Whether a webhook is on, and whether its deliveries fail. */
export function standingTag({ active, disabledReason, failingSince }: ShownWebhook): HtmlValue {
  if (disabledReason !== undefined) return html`<span class="tag" data-tone="danger">turned off after failures</span>`
  if (!active) return html`<span class="tag" data-tone="plain">off</span>`
  if (failingSince !== undefined) return html`<span class="tag" data-tone="warning">on, and failing</span>`
  return html`<span class="tag" data-tone="success">on</span>`
}
