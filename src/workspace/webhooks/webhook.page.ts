import { appPath } from '../../app-path.ts'
import type { Static } from 'typebox'
import type { Membership } from '../../access/caller.ts'
import { buttonForm, hidden, moment, section } from '../../account/parts.ts'
import { codeBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { Filtered } from '../../webhooks/queries.ts'
import type { WebhookDelivery } from '../../webhooks/schema.ts'
import { asking } from '../asking.ts'
import { frame } from '../frame.ts'
import type { Part } from '../paging.ts'
import { counted } from '../rows.ts'
import type { Said } from '../said.ts'
import { asSeen } from '../seen.ts'
import { saidOn } from '../top.ts'
import { deliveriesOf } from './deliveries.page.ts'
import { type TypedWebhook, asTyped, webhookForm } from './events.form.ts'
import type { PlacesToChoose } from './places.form.ts'
import { type ShownWebhook, standingTag } from './webhooks.page.ts'

type Delivery = Static<typeof WebhookDelivery>

export interface WebhookParts extends Said {
  membership: Membership
  /** The path of the page. */
  path: string
  webhook: ShownWebhook
  /** The spaces and sites that the webhook is about, if they still exist; null means all of the organization. */
  about: Filtered[] | null
  places: PlacesToChoose
  deliveries: Part<Delivery>
  /** Whether only failed deliveries are shown. */
  failed: boolean
  form: string
  typed?: TypedWebhook
  /** The secret, if it was just created. It is shown only this once. */
  secret?: string
  isSending?: boolean
}

/** A webhook: how it is doing, its deliveries, and forms to change all of it. */
export function webhookPage(place: Place, parts: WebhookParts): Html {
  const { membership, webhook, deliveries } = parts
  const home = appPath.organization(membership.organization.id)
  const isAwaited = parts.isSending && deliveries.rows.some(isJustSent)
  return frame(
    place,
    webhook.title || webhook.url,
    html`<p class="review-space">
        <a href="${place.link(home)}">${membership.organization.title}</a> ›
        <a href="${place.link(`${home}/settings`)}">Settings</a> ›
        <a href="${place.link(`${home}/webhooks`)}">Webhooks</a>
      </p>
      <h1>${webhook.title || webhook.url}</h1>
      ${saidOn(parts)} ${parts.secret !== undefined && fresh(parts.secret)} ${standing(place, parts)}
      ${section('deliveries', 'Deliveries', 'Newest first, for the last 30 days.', deliveriesOf(place, parts))}
      ${
        !isAwaited &&
        html`${section('change', 'Change it', 'Applies to events from now on.', changing(place, parts))}
        ${section('secret', 'Secret', 'Deliveries are signed with it, so that the receiver can verify the sender.', renewing(place, parts))}
        ${section('delete', 'Delete', 'Including pending deliveries.', deleting(place, parts))}`
      }`,
    ['copy', 'check'],
    isAwaited ? html`<meta http-equiv="refresh" content="2" />` : undefined,
  )
}

/** An answer comes within this time, or not at all. */
const longestAnswerMs = 20_000

/**
 * Whether a delivery was just sent for the first time. Nobody waits for further attempts, or for a delivery behind
 * others, because these may take hours.
 */
const isJustSent = ({ status, attempts, createdAt }: Delivery) =>
  status === 'pending' && attempts.length === 0 && Date.now() - Date.parse(createdAt) < longestAnswerMs

const fresh = (secret: string) =>
  html`<div tabindex="-1" autofocus class="fresh" role="status">
    <p><strong>Copy the secret now.</strong> The receiver uses it to verify deliveries. It is not shown again.</p>
    ${codeBlock('Secret', html`${secret}`)}
  </div>`

function standing(place: Place, parts: WebhookParts): Html {
  const { path, webhook, form } = parts
  const { active } = webhook
  return html`<div class="work-standing">
    <div class="work-where">
      ${standingTag(webhook)} ${webhook.url}
      <p class="row-more">${eventsOf(place, parts)}${howItDoes(webhook)}</p>
    </div>
    <div class="review-does">
      ${active && buttonForm(place, { action: `${path}/test`, fields: { form }, label: 'Send a test' })}
      ${buttonForm(place, {
        action: `${path}/switch`,
        fields: { form, to: active ? 'off' : 'on' },
        label: active ? 'Turn off' : 'Turn on',
        ...(!active && { look: 'primary' }),
      })}
    </div>
  </div>`
}

function eventsOf(place: Place, { membership, webhook: { events }, about }: WebhookParts): Html {
  const which = events === null ? 'Every event' : counted(events.length, 'kind of event', 'kinds of events')
  if (about === null) return html`${which}.`
  if (about.length === 0) return html`${which}, of spaces and sites that no longer exist.`
  const home = appPath.organization(membership.organization.id)
  const links = about.map(({ type, id, title }, at) => {
    const path = place.link(`${home}/${type === 'space' ? 's' : 'sites'}/${id}`)
    return html`${at > 0 && ', '}the ${type} <a href="${path}">${title}</a>`
  })
  return html`${which}, only of ${links}.`
}

function howItDoes({ active, disabledReason, failingSince }: ShownWebhook): HtmlValue {
  if (disabledReason !== undefined)
    return html` ${disabledReason} Check that the address accepts deliveries, then turn it on. Pending deliveries are
    then sent, but not what happened in the meantime.`
  if (!active) return ' While it is off, nothing is sent. Pending deliveries are sent once it is on again.'
  return (
    failingSince !== undefined &&
    html` No delivery has been accepted since ${moment(new Date(failingSince))}. After three days, or 50 deliveries that
    fail in a row, it is turned off.`
  )
}

const changing = (place: Place, { path, webhook, form, typed, places }: WebhookParts) =>
  webhookForm(place, {
    action: `${path}/change`,
    fields: { form, seen: webhookSeen(webhook) },
    typed: typed ?? asTyped(webhook),
    places,
    button: html`<button class="btn">Save</button>`,
  })

/** Identifies the settings that the user had seen when they changed a webhook. */
export const webhookSeen = ({
  title,
  url,
  events,
  filter,
}: Pick<ShownWebhook, 'title' | 'url' | 'events' | 'filter'>): string => asSeen([title, url, events, filter])

function renewing(place: Place, { path, webhook, form }: WebhookParts): Html {
  const { formerSecretUntil: until } = webhook
  return html`${until !== undefined && html`<p class="aside">Deliveries are also signed with the old secret until ${moment(new Date(until))}.</p>`}
  ${asking(
    'Create new secret',
    html`<form method="post" action="${place.link(`${path}/secret`)}" class="review-ask">
      ${hidden({ form })}
      <p>
        Create a new secret? It is shown once. For one day deliveries are also signed with the old one, so that nothing
        is missed.
      </p>
      <label class="choice">
        <input type="checkbox" name="revoke" value="on" />
        <span>Stop using the old one at once, because it has leaked</span>
      </label>
      <button class="btn">Create secret</button>
    </form>`,
  )}`
}

const deleting = (place: Place, { path, webhook, form }: WebhookParts): Html =>
  asking(
    'Delete this webhook',
    html`<form method="post" action="${place.link(`${path}/delete`)}" class="review-ask">
      ${hidden({ form })}
      <p>
        Delete “${webhook.title || webhook.url}”? Nothing more is sent to it, not even pending deliveries, and its list
        of deliveries is lost. This cannot be undone.
      </p>
      <button class="btn danger">Delete webhook</button>
    </form>`,
  )
